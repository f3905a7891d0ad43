"""`tertium ppv`."""

from __future__ import annotations

import click

from tertium.cli.output import emit, figure_options, format_of, look


@click.command(short_help="Show how likely a significant result is true.")
@click.option(
    "--alpha", "alphas", type=float, multiple=True, metavar="ALPHA",
    help="A level of significance; repeatable. By default .05, .01, .005, .0025 and .001.",
)  # fmt: skip
@click.option(
    "--prior-odds", "odds", type=float, multiple=True, metavar="R",
    help="True to null effects among all that are tested; repeatable, a curve each. "
    "By default 0.1.",
)  # fmt: skip
@click.option(
    "--beta", type=float, default=0.5, show_default=True, metavar="SHARE",
    help="True effects that are missed: 1 less the power.",
)  # fmt: skip
@click.option(
    "--bias", type=float, default=0.0, show_default=True, metavar="SHARE",
    help="Results that would not have been significant but are reported so.",
)  # fmt: skip
@click.option(
    "--target", type=float, default=0.95, show_default=True, metavar="SHARE",
    help="How likely a result is to be true.",
)  # fmt: skip
@figure_options
def ppv(
    alphas: tuple[float, ...],
    odds: tuple[float, ...],
    beta: float,
    bias: float,
    target: float,
    format: str | None,
    output: str | None,
) -> None:
    """Show how likely a significant result is true, and which level makes it as likely as wanted.

    The positive predictive value of a test depends on how many of the effects that are tested are
    true, which nobody knows: the values taken for it are assumptions.

    \b
    tertium ppv
    tertium ppv --prior-odds 0.1 --prior-odds 1 --beta 0.2
    tertium ppv --alpha 0.05 --alpha 0.0025 --bias 0.1
    """
    from tertium.report.render.ppv import render
    from tertium.significance.ppv import ALPHAS, PRIOR_ODDS, ppv_table

    format = format_of(format, output, figures=True)
    found = ppv_table(
        sorted(set(alphas), reverse=True) or ALPHAS,
        prior_odds=list(dict.fromkeys(odds)) or [PRIOR_ODDS],
        beta=beta,
        bias=bias,
        target=target,
    )
    emit(render(found, format, **look(output)), format, output)
