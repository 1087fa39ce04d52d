"""The code behind `cuox.cuda.bindings`: names that are looked up in parsed headers (`module`), and what the headers do
not say (`driver`, `runtime`, `nvrtc`).
"""
