"""The code behind the public names of `cuox_bind`. Import from `cuox_bind`; nothing here keeps its place or shape.

`bind` and `foreign_library` are `bind` and `load`; `bind_command` is the command `python -m cuox_bind`; `cuda` is what
is asked of the package `cuox`; the `bound_` files are what written modules use.
"""
