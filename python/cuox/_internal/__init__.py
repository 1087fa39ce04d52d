"""The code behind cuox's public names. Import from `cuox`; nothing here keeps its place or shape.

`api` lists the public names; `demo`, `doctor`, `nvcc`, `run_command` and `smi` are commands of `python -m cuox`.
`cuox.bind` and `cuox.load` are in `cuox_bind`.
"""
