"""`tertium` and `python -m tertium`: the command line from its first moment on.

Nothing is imported before signals are taken care of.
"""

INTERRUPTED = 130


def main() -> int:
    """Run the command line of this process."""
    try:
        from tertium._signals import guarded

        return guarded(_run)
    except KeyboardInterrupt:  # before `guarded` has taken over
        return INTERRUPTED


def _run() -> int:
    from tertium.cli.main import main

    return main()


if __name__ == "__main__":
    raise SystemExit(main())
