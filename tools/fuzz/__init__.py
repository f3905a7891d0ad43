"""A fuzzer: damaged files and odd options through the command line, checked against its promises.

    make fuzz                               a few minutes; FUZZ_ARGS="--minutes 60" for longer
    python -m fuzz --first 7 --cases 1      the case of one seed again (PYTHONPATH=tools)
    python -m fuzz --again FOLDER           a failure that was written to a folder again

A case is made from its seed alone (`cases`): small files (`seeds`) that were damaged (`mutations`),
a verb with options, and a law (`laws`). It runs in a process of its own (`workers`), through
`tertium.cli.main.main`. What breaks a promise (`checks`) is made smaller and written to a folder.
"""
