"""`cuox.torch.register`: a kernel as an operator of PyTorch's, with `torch.library`."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import cuox

_SCHEMA = re.compile(r"\s*(\w+)::(\w+)\s*\(")

# The libraries of operators, which PyTorch forgets with them.
_libraries: dict[str, Any] = {}
# And what stays of each: PyTorch frees an operator with the last that is registered for it, under those who have it.
_anchors: dict[str, Any] = {}


def register(
    kernel: Any,
    schema: str,
    *,
    grid: Any,
    block: Any,
    out: Callable[..., Any] | None = None,
    args: Callable[..., Sequence[Any]] | None = None,
    shared_mem: Any = 0,
    backward: Callable[..., Any] | None = None,
    setup_context: Callable[..., None] | None = None,
    vmap: str | Callable[..., Any] | None = None,
) -> Any:
    """Make an operator of a kernel, which `torch.compile`, autograd, `torch.func.vmap` and `torch.export` know:

        scale = cuox.torch.register(
            kernel,
            "mylib::scale(Tensor x, float factor) -> Tensor",
            out=lambda x, factor: torch.empty_like(x),
            grid=lambda x, factor: (x.numel() + 255) // 256,
            block=256,
            args=lambda x, factor, y: (x, factor, y, x.numel()),
        )
        y = scale(x, 2.0)  # torch.ops.mylib.scale

    kernel: of `compile_kernel` or `load`, a `cuox.Kernel`, or one in Python (`cuox.numba.cuda`).
    schema: the operator's name, inputs and outputs, as `torch.library.define` takes them; an input that the kernel
    writes to is a `Tensor(a!)`. Inputs by keyword alone are not supported.
    out: a function of the inputs that allocates the outputs, a tensor or a tuple of them, by PyTorch's functions alone:
    it is the operator's fake kernel, too. Left out for operators that return nothing; a call of these is a RuntimeError
    if what they write to requires a gradient.
    grid, block, shared_mem: as in a launch, or functions of the inputs. With no blocks nothing is launched.
    args: a function of the inputs and outputs that returns the kernel's arguments; without it these are the inputs and
    outputs, in the schema's order. Inputs that are only read are contiguous there.
    backward, setup_context: the formula of the gradients, as `torch.library.register_autograd` takes them. Without it a
    gradient through the operator is a RuntimeError.
    vmap: "elementwise" for a kernel that treats elements one by one, so that a batch is a larger tensor; "sequential"
    runs it for each item; or a function, as `torch.library.register_vmap` takes it.

    Returns the operator, `torch.ops.<namespace>.<name>.default`. An operator of the same name that was registered here
    before is replaced. Raises TypeError, ValueError; RuntimeError of PyTorch's for a schema that it does not take, and
    for a name that others have registered.
    """
    import torch

    found = _SCHEMA.match(schema) if isinstance(schema, str) else None
    if found is None:
        raise ValueError(
            "cuox.torch.register: schema: expected a name and a signature, such as "
            f"'mylib::scale(Tensor x, float factor) -> Tensor', got {schema!r}"
        )
    # Lists and texts have items, too.
    if not hasattr(kernel, "__getitem__") or not callable(kernel):
        raise TypeError(
            f"cuox.torch.register: kernel: expected a kernel, such as one of cuox.torch.compile_kernel, got {type(kernel).__name__}"
        )
    namespace, name = found[1], found[2]
    qualified = f"{namespace}::{name}"
    parsed = torch._C.parse_schema(schema)
    _check(qualified, parsed, out, vmap, backward)
    for what, function in {"out": out, "args": args, "backward": backward, "setup_context": setup_context}.items():
        if function is not None and not callable(function):
            raise TypeError(
                f"cuox.torch.register: {qualified}: {what} must be a function, not {type(function).__name__}"
            )
    # All that could be refused has been: the operator of before stays until there is another.
    if (before := _libraries.pop(qualified, None)) is not None:
        before._destroy()
    library = torch.library.Library(namespace, "FRAGMENT")
    try:
        library.define(schema[found.start(2) :].strip())
        if qualified not in _anchors:
            _anchors[qualified] = torch.library.Library(namespace, "IMPL")
            _anchors[qualified].impl(name, _refuses(qualified), "FPGA")  # no tensor is there
        launch = _Launch(kernel, parsed, out, args, grid, block, shared_mem)
        library.impl(name, launch, "CUDA")
        torch.library.register_fake(qualified, launch.fake, lib=library)
        # Without a formula a gradient is refused by name, where PyTorch's default would lose it with a warning.
        if out is not None:
            torch.library.register_autograd(
                qualified,
                backward or _refuses(qualified),
                setup_context=setup_context,
                lib=_WithShortcut(library, launch),
            )
        operator = getattr(getattr(torch.ops, namespace), name).default
        if out is None:
            shortened = _shortened(_without_gradients(operator, launch), launch)
            library.impl(name, shortened, "Autograd", with_keyset=True)
        if vmap is not None:
            rule = _RULES[vmap](operator) if isinstance(vmap, str) else vmap
            torch.library.register_vmap(qualified, rule, lib=library)
    except BaseException:
        library._destroy()
        raise
    _libraries[qualified] = library
    return operator


def _check(qualified: str, schema: Any, out: Any, vmap: Any, backward: Any) -> None:
    """Raise ValueError for what does not go together."""
    where = f"cuox.torch.register: {qualified}"
    if any(one.kwarg_only for one in schema.arguments):
        raise ValueError(f"{where}: inputs by keyword alone are not supported: leave out the * of the schema")
    if bool(schema.returns) != (out is not None):
        told = "returns nothing" if out is not None else f"returns {len(schema.returns)}, which out= is to allocate"
        raise ValueError(f"{where}: the schema {told}")
    if backward is not None and out is None:
        raise ValueError(f"{where}: backward= is about outputs, and the schema returns nothing")
    if any(str(one.type) != "Tensor" or one.alias_info is not None for one in schema.returns):
        raise ValueError(f"{where}: outputs must be of type Tensor, new ones")
    if vmap is not None and not callable(vmap) and not (isinstance(vmap, str) and vmap in _RULES):
        raise ValueError(f'{where}: vmap must be "elementwise", "sequential" or a function, not {vmap!r}')


def _refuses(qualified: str) -> Callable[..., Any]:
    def backward(ctx: Any, *gradients: Any) -> Any:
        raise RuntimeError(
            f"{qualified} has no formula of its gradients: pass backward= and setup_context= to cuox.torch.register"
        )

    return backward


def _without_gradients(operator: Any, launch: _Launch) -> Callable[..., Any]:
    """The kernel for Autograd of an operator that only writes to its inputs, of which autograd would know nothing."""
    import torch

    after = torch._C._after_autograd_keyset

    def autograd(keyset: Any, *inputs: Any) -> Any:
        if torch.is_grad_enabled():
            launch.refuse_gradients(inputs)
        with torch._C._AutoDispatchBelowAutograd():
            return operator.redispatch(keyset & after, *inputs)

    return autograd


class _WithShortcut:
    """A library of operators whose kernel for Autograd runs that for CUDA at once where that is what it would come to:
    PyTorch's own goes through the dispatcher again, which takes longer than a launch.
    """

    def __init__(self, library: Any, launch: _Launch) -> None:
        self._library, self._launch = library, launch

    def impl(self, name: str, kernel: Callable[..., Any], key: str, **options: Any) -> None:
        self._library.impl(name, _shortened(kernel, self._launch), key, **options)


def _shortened(kernel: Callable[..., Any], launch: _Launch) -> Callable[..., Any]:
    import torch

    of, keys = torch._C.DispatchKeySet, torch._C.DispatchKey
    # What operators defined in Python have nothing for.
    passed = of(keys.ADInplaceOrView) | of(keys.BackendSelect)
    after, is_enabled = torch._C._after_autograd_keyset, torch.is_grad_enabled
    at_once: set[int] = set()
    through: set[int] = set()
    needs_gradient, run, count = launch.needs_gradient, launch.run, launch.count

    def autograd(keyset: Any, *inputs: Any) -> Any:
        raw = keyset.raw_repr()
        if raw not in at_once:
            if raw not in through:
                is_all = ((keyset & after) - passed).raw_repr() == of(keys.CUDA).raw_repr()
                (at_once if is_all else through).add(raw)
                return autograd(keyset, *inputs)
            return kernel(keyset, *inputs)
        if is_enabled() and needs_gradient(inputs):
            launch.refuse_lists_with_none(inputs)
            return kernel(keyset, *inputs)
        # Nothing that the launch does with its inputs is recorded, as above.
        if run is not None and len(inputs) == count:
            return run(inputs)
        return launch(*inputs)

    return autograd


_LISTS = ("List[Tensor]", "List[Optional[Tensor]]", "Optional[List[Tensor]]")


def _places(schema: Any, *, is_written: bool, are_lists: bool = False) -> list[int]:
    """The places of inputs that are tensors, or lists of them, and written to, or only read."""
    return [
        place
        for place, one in enumerate(schema.arguments)
        if str(one.type) in (_LISTS if are_lists else ("Tensor", "Optional[Tensor]"))
        and (one.alias_info is not None and one.alias_info.is_write) == is_written
    ]


def _flat(values: Iterable[Any]) -> Iterator[Any]:
    """The tensors among values and in lists of them."""
    import torch

    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _flat(value)
        elif isinstance(value, torch.Tensor):
            yield value


class _Launch:
    """The operator's kernel for CUDA."""

    def __init__(self, kernel: Any, schema: Any, out: Any, args: Any, grid: Any, block: Any, shared_mem: Any) -> None:
        import torch

        self._schema, self._on_device, self._out = schema, torch.cuda.device, out
        self._defaults = [one.default_value for one in schema.arguments]
        # The number of inputs.
        self.count = len(self._defaults)
        self._run = _runs(kernel, schema, out, args, grid, block, shared_mem)
        self._current_device = torch._C._cuda_getDevice
        # Launches with all inputs, where there is but one device to do it on.
        self.run = self._run if len(cuox.Device.get_all_devices()) == 1 else None
        self._tensors = sorted(_places(schema, is_written=True) + _places(schema, is_written=False))
        self._written = _places(schema, is_written=True) + _places(schema, is_written=True, are_lists=True)
        self._lists = [place for place, one in enumerate(schema.arguments) if str(one.type) in _LISTS]

    def needs_gradient(self, inputs: tuple[Any, ...]) -> bool:
        """Whether autograd has to know of a call."""
        if self._lists:
            return any(one.requires_grad for one in _flat(inputs))
        for place in self._tensors:
            if place < len(inputs) and (one := inputs[place]) is not None and one.requires_grad:
                return True
        return False

    def __call__(self, *inputs: Any) -> Any:
        if len(inputs) < self.count:
            # The dispatcher leaves out what has its default.
            inputs = (*inputs, *self._defaults[len(inputs) :])
        if self.run is not None:
            return self.run(inputs)
        # Those in pinned memory are of all devices.
        first = next((one for one in _flat(inputs) if one.is_cuda), None)
        if first is None or first.get_device() == self._current_device():
            return self._run(inputs)
        with self._on_device(first.device):
            return self._run(inputs)

    def refuse_gradients(self, inputs: tuple[Any, ...]) -> None:
        """Raise RuntimeError if the kernel writes to what requires a gradient."""
        for place in self._written:
            if place < len(inputs) and any(one.requires_grad for one in _flat((inputs[place],))):
                raise RuntimeError(
                    f"{self._schema.name} writes to {self._schema.arguments[place].name}, which requires a gradient, and "
                    "has no formula of its gradients: call it under torch.no_grad(), or register an operator with out="
                )

    def refuse_lists_with_none(self, inputs: tuple[Any, ...]) -> None:
        """Raise RuntimeError for gradients of lists with None, which PyTorch loses."""
        for place in self._lists:
            if place < len(inputs) and inputs[place] is not None and any(one is None for one in inputs[place]):
                raise RuntimeError(
                    f"{self._schema.name}: {self._schema.arguments[place].name} has None in it, and PyTorch has no "
                    "gradients through such lists"
                )

    def fake(self, *inputs: Any) -> Any:
        """Return the outputs, with nothing in them."""
        if self._out is not None:
            return self._out(*inputs, *self._defaults[len(inputs) :])
        return None


def _runs(kernel: Any, schema: Any, out: Any, args: Any, grid: Any, block: Any, shared: Any) -> Callable[..., Any]:
    """The function that launches, of all inputs, on the current device."""
    import torch

    increment_version = torch.autograd.graph.increment_version
    written, read = _places(schema, is_written=True), _places(schema, is_written=False)
    written_lists, read_lists = (_places(schema, is_written=one, are_lists=True) for one in (True, False))
    grid_of, block_of, shared_of = (one if callable(one) else None for one in (grid, block, shared))

    def run(inputs: tuple[Any, ...]) -> Any:
        blocks = grid if grid_of is None else grid_of(*inputs)
        threads = block if block_of is None else block_of(*inputs)
        size = shared if shared_of is None else shared_of(*inputs)
        made = None if out is None else out(*inputs)
        outputs = () if out is None else _outputs(schema, made)
        if blocks == 0 or (isinstance(blocks, (tuple, list)) and 0 in blocks):
            return made
        given = inputs
        for place in read:
            one = inputs[place]
            if one is not None and not one.is_contiguous():
                given = (*given[:place], one.contiguous(), *given[place + 1 :])
        for place in read_lists:
            many = inputs[place]
            if many is not None and not all(one is None or one.is_contiguous() for one in many):
                many = [None if one is None else one.contiguous() for one in many]
                given = (*given[:place], many, *given[place + 1 :])
        given = (*given, *outputs)
        kernel[blocks, threads, None, size](*(given if args is None else args(*given)))
        for place in written:
            # Autograd refuses gradients that need what was there before.
            one = inputs[place]
            if one is not None and not one.is_inference():
                increment_version(one)
        for place in written_lists:
            for one in _flat((inputs[place],)):
                if not one.is_inference():
                    increment_version(one)
        return made

    return run


def _batch(operator: Any, in_dims: tuple[Any, ...], inputs: tuple[Any, ...]) -> list[tuple[Any, int]]:
    """The tensors of a batch and their dimensions that are it. Raises RuntimeError if the kernel writes to others."""
    found: list[tuple[Any, int]] = []

    def look(value: Any, dim: Any, written: str | None) -> None:
        if isinstance(value, (list, tuple)):
            for one, of in zip(value, dim if isinstance(dim, (list, tuple)) else [dim] * len(value), strict=True):
                look(one, of, written)
        elif dim is not None:
            found.append((value, dim))
        elif written is not None and value is not None:
            raise RuntimeError(
                f"{operator._schema.name} writes to {written}, which torch.vmap has no batch of: batch it, too"
            )

    for one, value, dim in zip(operator._schema.arguments, inputs, in_dims):
        is_written = one.alias_info is not None and one.alias_info.is_write
        look(value, dim, one.name if is_written else None)
    return found


def _changed(value: Any, dim: Any, change: Callable[[Any, int | None], Any]) -> Any:
    """A value with each of its tensors changed by a function of the tensor and its dimension of the batch."""
    import torch

    if isinstance(value, (list, tuple)):
        dims = dim if isinstance(dim, (list, tuple)) else [dim] * len(value)
        return [_changed(one, of, change) for one, of in zip(value, dims, strict=True)]
    return change(value, dim) if isinstance(value, torch.Tensor) else value


def _outputs(schema: Any, made: Any) -> tuple[Any, ...]:
    """What `out=` has returned, as a tuple. Raises TypeError if that is not what the schema returns."""
    import torch

    count = len(schema.returns)
    if count == 1 and isinstance(made, torch.Tensor):
        return (made,)
    if count == 1 or not isinstance(made, (tuple, list)) or len(made) != count or not all(map(torch.is_tensor, made)):
        wanted = "a tensor" if count == 1 else f"a tuple of {count} tensors"
        raise TypeError(f"{schema.name}: out= must return {wanted}, not {made!r}")
    return tuple(made)


def _elementwise(operator: Any) -> Callable[..., Any]:
    """The rule for operators that treat elements one by one: the batch is one more dimension of all tensors."""

    def rule(info: Any, in_dims: tuple[Any, ...], *inputs: Any) -> Any:
        def first(value: Any, dim: int | None) -> Any:
            return value.expand(info.batch_size, *value.shape) if dim is None else value.movedim(dim, 0)

        _batch(operator, in_dims, inputs)
        made = operator(*(_changed(value, dim, first) for value, dim in zip(inputs, in_dims, strict=True)))
        return made, (0,) * len(made) if isinstance(made, tuple) else 0

    return rule


def _sequential(operator: Any) -> Callable[..., Any]:
    """The rule that runs an operator for each item of a batch."""

    def rule(info: Any, in_dims: tuple[Any, ...], *inputs: Any) -> Any:
        import torch

        def call(change: Callable[[Any, int | None], Any]) -> Any:
            return operator(*(_changed(value, dim, change) for value, dim in zip(inputs, in_dims, strict=True)))

        def select(value: Any, dim: int | None, item: int) -> Any:
            return value if dim is None else value.select(dim, item)

        def none(value: Any, dim: int | None) -> Any:
            """As an item, with nothing in it: of no items, too, the results have a shape."""
            shape = [size for place, size in enumerate(value.shape) if dim is None or place != dim % value.dim()]
            return value.new_empty(shape, device="meta")

        batch = _batch(operator, in_dims, inputs)
        if info.batch_size:
            made = [call(functools.partial(select, item=item)) for item in range(info.batch_size)]
            stacked = torch.stack
        else:
            made, device = [call(none)], batch[0][0].device

            def stacked(results: Any) -> Any:
                return torch.empty((0, *results[0].shape), dtype=results[0].dtype, device=device)

        if made[0] is None:
            return None, None
        if isinstance(made[0], tuple):
            return tuple(stacked(one) for one in zip(*made, strict=True)), (0,) * len(made[0])
        return stacked(made), 0

    return rule


_RULES: dict[str, Callable[[Any], Callable[..., Any]]] = {"elementwise": _elementwise, "sequential": _sequential}
