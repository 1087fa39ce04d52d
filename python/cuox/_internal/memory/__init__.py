"""Memory as `cuox.cuda.core` has it: places, copies with options, managed memory, views of arrays."""
