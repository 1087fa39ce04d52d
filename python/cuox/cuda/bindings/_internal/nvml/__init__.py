"""What `cuox.cuda.bindings.nvml` is made of."""
