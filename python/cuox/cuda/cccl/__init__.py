"""What NVIDIA's package `cuda-cccl` has under this name."""
