"""The code behind cuox's public names. Import from `cuox`; nothing here keeps its place or shape.

`api` lists the public names; `bind` and `foreign_library` are `cuox.bind` and `cuox.load`; `bind_command` and `demo`
are commands of `python -m cuox`.
"""
