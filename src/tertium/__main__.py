"""`python -m tertium`."""

from tertium.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
