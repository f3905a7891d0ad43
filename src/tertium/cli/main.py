"""`tertium`: finds the verb, runs it, and turns what goes wrong into two lines and an exit code.

Verbs load when they are used, so that `tertium --help` answers at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click
from click.shell_completion import CompletionItem

from tertium._version import __version__
from tertium.cli.memory import start_lightly
from tertium.cli.notes import complain
from tertium.cli.streams import discard, open_closed
from tertium.exceptions import TertiumError, on_command_line, refusal, shorten, suggestion
from tertium.options import Verb
from tertium.registry import with_examples

# verb -> (place of its command, one line for the list of verbs)
VERBS = {
    "score": ("tertium.significance.score.verb:VERB", "Score systems against a gold standard."),
    "compare": ("tertium.comparison.compare.verb:VERB", "Show what changed between systems."),
    "errors": (
        "tertium.comparison.errors.verb:VERB",
        "Show each error of a system in its sentence.",
    ),
    "diff": (
        "tertium.comparison.diff:VERB",
        "Show where two annotations differ, without a gold standard.",
    ),
    "agree": (
        "tertium.agreement.agree.verb:VERB",
        "Measure how far annotators agree.",
    ),
    "crowd": (
        "tertium.agreement.crowd.verb:VERB",
        "Aggregate the votes of many annotators, and estimate whom to trust.",
    ),
    "conventions": (
        "tertium.comparison.conventions:VERB",
        "Score the same spans under every convention.",
    ),
    "metrics": (
        "tertium.comparison.metrics.verb:VERB",
        "Compare metrics with each other on the same systems.",
    ),
    "cross": (
        "tertium.comparison.cross.verb:VERB",
        "Compare systems of different theories on one scale.",
    ),
    "variation": (
        "tertium.agreement.variation.verb:VERB",
        "Find words that recur with different annotation.",
    ),
    "audit": (
        "tertium.significance.audit.verb:VERB",
        "Check how robust a difference between two systems is.",
    ),
    "power": (
        "tertium.significance.power:VERB",
        "Estimate the smallest difference a test set of this size can detect.",
    ),
    "ppv": (
        "tertium.significance.ppv:VERB",
        "Estimate how likely a significant result is to be true.",
    ),
    "datasets": ("tertium.significance.datasets:VERB", "Compare systems over several data sets."),
    "draw": (
        "tertium.comparison.draw:VERB",
        "Draw the annotation of sentences, gold and system together.",
    ),
    "validate": ("tertium.formats.validate:VERB", "List every problem in annotated files."),
    "convert": (
        "tertium.formats.convert:VERB",
        "Convert a file to a different format or tag scheme.",
    ),
    "list": (
        "tertium.cli.catalogue:VERB",
        "Show all metrics, coefficients, families, formats or verbs.",
    ),
    "cite": ("tertium.cli.citations:VERB", "Print the papers to cite, as BibTeX."),
    "warm-up": (
        "tertium.cli.warmup:warm_up",
        "Compile everything now, so no command has to wait for it later.",
    ),
    "demo": ("tertium.cli.demo:demo", "Score and compare the samples that come with Tertium."),
}
BUG = 70
INTERRUPTED = 130
BROKEN_PIPE = 141  # as a program that the closed pipe had killed


def load(verb: str) -> click.Command | Verb:
    """What stands behind a verb: a `Verb`, or a command that is like no other."""
    start_lightly()
    module, _, attribute = VERBS[verb][0].partition(":")
    found: click.Command | Verb = getattr(import_module(module), attribute)
    return found


class LazyGroup(click.Group):
    """A group that knows its commands by name and loads one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs, in the order of a first session rather than of the alphabet."""
        return [*VERBS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb's command; None if there is none of that name."""
        if cmd_name not in VERBS:
            return None
        command = load(cmd_name)
        if not isinstance(command, click.Command):
            from tertium.cli.command import command as of

            command = of(command, VERBS[cmd_name][1])
        command.help = with_examples(command.help or "")
        for option in command.params:
            if isinstance(option, click.Option) and option.help:
                option.help = with_examples(option.help)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, with our words for a verb that does not exist."""
        if args[0] not in VERBS and not args[0].startswith("-"):
            raise click.UsageError(
                f"there is no verb '{args[0]}'.{suggestion(args[0], [*VERBS])}", ctx
            )
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Verbs with their help, without loading them."""
        verbs = [CompletionItem(v, help=h) for v, (_, h) in VERBS.items()]
        return [v for v in verbs if v.value.startswith(incomplete)] + click.Command.shell_complete(
            self, ctx, incomplete
        )

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of verbs, without loading them."""
        with formatter.section("Verbs"):
            formatter.write_dl([(verb, help) for verb, (_, help) in VERBS.items()])


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    subcommand_metavar="VERB ...",
    options_metavar="",
    context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 80},
    epilog="'tertium VERB --help' shows the options of a verb; 'tertium demo' runs an example.",
)
@click.version_option(__version__, prog_name="tertium", message="%(prog)s %(version)s")
@click.pass_context
def tertium(ctx: click.Context) -> None:
    """Score linguistic annotation: tags, spans, dependencies, trees and coreference."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@on_command_line()
def main(args: Sequence[str] | None = None) -> int:
    """Run a command line and give back its exit code (0, 1, 2, 3 or 70: docs/design.md)."""
    # numpy would start a thread per core for matrix products that scoring does not have.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    open_closed()
    try:
        code = _run(list(sys.argv[1:] if args is None else args))
        sys.stdout.flush()
        return code
    except TertiumError as error:
        complain(error.message, error.help)
        return error.exit_code
    except click.UsageError as error:
        complain(_words(error), _usage(error))
        return 2
    except click.ClickException as error:
        complain(_on_one_line(error.format_message()))
        return 2
    except (KeyboardInterrupt, click.Abort):
        complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        discard(sys.stdout)  # whoever read our output has had enough
        return BROKEN_PIPE
    except Exception as error:
        return _explain(error)


def _run(args: list[str]) -> int:
    if os.environ.get("_TERTIUM_COMPLETE"):
        tertium.main(args, prog_name="tertium")  # completion of the shell is click's own matter
    try:
        with tertium.make_context("tertium", args) as ctx:
            tertium.invoke(ctx)
    except click.exceptions.Exit as done:
        return done.exit_code
    return 0


def _words(error: click.UsageError) -> str:
    if isinstance(error, click.NoSuchOption):
        known = [o for p in error.ctx.command.params for o in p.opts] if error.ctx else []
        verb = getattr(getattr(error.ctx, "command", None), "verb", None)
        for each in verb.declared().values() if verb else ():
            if each.once == error.option_name:
                return f"'{each.once}' is now '{each.flag}'"
        return f"there is no option '{error.option_name}'.{suggestion(error.option_name, known)}"
    return shorten(_on_one_line(error.format_message()))


def _on_one_line(message: str) -> str:
    """click's lists of choices, which it sets one below the other with tabs, in running text."""
    return " ".join(line.strip() for line in message.split("\n")).strip()


def _usage(error: click.UsageError) -> str | None:
    return f"'{error.ctx.command_path} --help' shows the usage" if error.ctx else None


def _explain(error: Exception) -> int:
    """The exit code for what was not foreseen where it happened: the machine's fault, or ours."""
    known = refusal(error)
    if known is None:
        _confess(error)
        return BUG
    if isinstance(error, OSError):
        discard(sys.stdout)
    complain(known.message, known.help)
    return known.exit_code


def _confess(error: Exception) -> None:
    """Anything nobody foresaw is our fault, and says so without a stack trace unless asked."""
    import traceback

    if os.environ.get("TERTIUM_DEBUG"):
        traceback.print_exception(error)
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "tertium" in f.filename]
    where = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
    what = " ".join(str(error).split())
    complain(
        f"this is a bug in Tertium: {type(error).__name__}: {what}{where}",
        "run it again with TERTIUM_DEBUG=1 and report the trace with your command",
    )
