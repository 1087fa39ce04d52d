"""The steps behind `make demo`, `make test`, `make test-all`, `make quick`, `make docs` and `make bench`.

`process.py` runs commands, `report.py` counts and prints, `build.py` makes and installs the wheel, `rust.py` and
`python.py` have the tests of the two languages, `clients.py` those of other people's packages, `exhaustive.py` what
only `make test-all` runs; `results.py` keeps what has passed, `changes.py` tells what a change concerns.

Only the standard library is used, so that it can run before anything is installed.
"""
