"""The command line: thin shells that parse arguments, call the library, render and exit."""
