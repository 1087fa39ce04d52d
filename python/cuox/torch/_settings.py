"""Settings of PyTorch's that keep it from libraries with machine code for GPUs."""

from __future__ import annotations

import ctypes
import re
import sys
import warnings
from typing import Any

import torch
import torch.autograd.profiler
import torch.cuda._utils
import torch.cuda.nccl
import torch.profiler

from cuox._internal import links


def set_up() -> None:
    """Keep PyTorch from cuDNN, cuBLAS and NCCL, which run machine code on a GPU: those that a program asks for by name
    are refused by name.
    """
    _keep_cudnn_off()
    # Where PyTorch was imported first, as under `cuox run`, NVIDIA's is the one that is found by its name.
    torch.cuda._utils._get_nvrtc_library = _nvrtc
    _keep_cupti_off()
    torch.cuda.current_blas_handle = _no_blas_handle
    _refuse_nccl()
    _copy_without_nccl()


def _keep_cudnn_off() -> None:
    """Turn off cuDNN, whose recurrent networks PyTorch would choose, and keep it off: programs that turn it on do so
    for speed.
    """
    set_enabled, select_backend = torch._C._set_cudnn_enabled, torch._C._select_conv_backend
    set_enabled(False)

    # Fake tensors ask it for a convolution's memory format, which is that of the CPU's kernels as it is cuDNN's.
    def select_conv_backend(*args: Any, **kwargs: Any) -> Any:
        set_enabled(True)
        try:
            return select_backend(*args, **kwargs)
        finally:
            set_enabled(False)

    torch._C._select_conv_backend = select_conv_backend

    def set_cudnn_enabled(enabled: bool) -> None:
        if enabled:
            warnings.warn("cuox.torch: there is no cuDNN on the software GPU; it stays off", stacklevel=3)

    torch._C._set_cudnn_enabled = set_cudnn_enabled
    for holder in (torch.backends.cudnn, type(torch.backends.cudnn)):
        setting = vars(holder).get("enabled")
        if hasattr(setting, "setter"):
            setting.setter = set_cudnn_enabled


def _keep_cupti_off() -> None:
    """Have the profiler record operations alone: CUPTI, which tells of kernels, works with NVIDIA's driver only."""
    on_gpus = torch.profiler.ProfilerActivity.CUDA
    supported, begin = torch.autograd._supported_activities, torch.autograd.profiler.profile.__init__

    def supported_activities() -> Any:
        return supported() - {on_gpus}

    # Before, PyTorch starts CUPTI for any profile, which goes astray where the driver is not NVIDIA's.
    does_run = tuple(int(one) for one in re.findall(r"\d+", torch.__version__)[:2]) >= (2, 15)

    def without(self: Any, *args: Any, **kwargs: Any) -> None:
        if not does_run:
            raise NotImplementedError(
                f"cuox.torch: the profiler of PyTorch {torch.__version__} needs CUPTI, which there is not on the software "
                "GPU; that of PyTorch 2.15 does not"
            )
        if kwargs.get("use_device") == "cuda":
            warnings.warn(
                "cuox.torch: there is no CUPTI on the software GPU; operations are profiled, kernels are not",
                stacklevel=2,
            )
            kwargs |= {"use_device": None, "use_cpu": True}
        begin(self, *args, **kwargs)

    for module in (torch.autograd, torch.autograd.profiler, torch.profiler):
        module._supported_activities = supported_activities
    torch.autograd.profiler.profile.__init__ = without


def _nvrtc() -> ctypes.CDLL:
    return ctypes.CDLL(str(links.library(links.STAND_INS["nvrtc"])))


def _no_blas_handle() -> int:
    raise NotImplementedError(
        "cuox.torch: there is no cuBLAS on the software GPU, so no handle of it; products of tensors "
        "(torch.mm, torch.addmm) run on PyTorch's kernels for the CPU"
    )


def _refuse_nccl() -> None:
    """Have `init_process_group("nccl")` say what to take instead, whichever backend with NCCL it takes."""
    module: Any = sys.modules.get("torch.distributed.distributed_c10d")
    for name in [one for one in vars(module or object) if one.startswith("ProcessGroupNCCL")]:
        setattr(module, name, _refused(getattr(module, name)))


def _copy_without_nccl() -> None:
    """Have `DataParallel` copy tensors between devices one by one."""

    def there(tensor: Any, device: int) -> Any:
        return tensor if tensor.get_device() == device else tensor.to(torch.device("cuda", device))

    def broadcast_coalesced(tensors: Any, devices: Any, buffer_size: int = 0) -> Any:
        return [[there(one, device) for one in tensors] for device in devices]

    def broadcast(tensor: Any, devices: Any) -> Any:
        return [there(tensor, device) for device in devices]

    def broadcast_out(tensor: Any, outs: Any) -> Any:
        return [out.copy_(tensor) for out in outs]

    torch._C._broadcast_coalesced, torch._C._broadcast = broadcast_coalesced, broadcast
    torch._C._broadcast_out = broadcast_out
    torch.cuda.nccl.is_available = lambda tensors: False


def _refused(backend: Any) -> Any:
    def refuse(self: Any, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(
            "cuox.torch: NCCL does not run on the software GPU; init_process_group('gloo') takes tensors on cuda, too"
        )

    return type(backend.__name__, (backend,), {"__init__": refuse, "__module__": backend.__module__})
