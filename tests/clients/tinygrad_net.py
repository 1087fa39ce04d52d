"""A small convolutional network trained by tinygrad on the software GPU: `DEV=CUDA cuox run -- python
tests/clients/tinygrad_net.py`, or `DEV=CUDA:PTX`.

It tells bars by their direction in noisy pictures. The loss has to fall, unseen pictures have to be told, and what
the trained network says is compared with NumPy.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

import numpy as np

SIZE, CLASSES, BATCH, STEPS = 12, 4, 32, 40


def find_nvrtc() -> None:
    """Start again with the folder of pip's NVRTC in the loader's path: there tinygrad looks for it, and it for its
    second library.
    """
    found = importlib.util.find_spec("nvidia")
    places = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    for folder in (found.submodule_search_locations or []) if found else []:
        for library in sorted(Path(folder).glob("*/lib/libnvrtc.so.*")):
            if str(library.parent) not in places:
                # After cuox's own folder, which `cuox run` puts first.
                os.environ["LD_LIBRARY_PATH"] = os.pathsep.join(
                    [place for place in [*places, str(library.parent)] if place]
                )
                os.execv(sys.executable, [sys.executable, *sys.argv])
            return


def pictures(random: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Bars across, upright and along both diagonals, at random places, in noise."""
    labels = random.integers(0, CLASSES, count)
    images = random.normal(0, 0.3, (count, 1, SIZE, SIZE)).astype(np.float32)
    y, x = np.mgrid[0:SIZE, 0:SIZE]
    for image, label in zip(images, labels):
        at = random.integers(2, SIZE - 2)
        line = (y - at, x - at, x - y + at - SIZE // 2, x + y - at - SIZE // 2)[label]
        image[0][line == 0] += 1.5
    return images, labels.astype(np.int32)


def in_numpy(weights: dict[str, np.ndarray], images: np.ndarray) -> np.ndarray:
    """The network's answers, by NumPy in double precision."""
    w = {name: value.astype(np.float64) for name, value in weights.items()}
    windows = np.lib.stride_tricks.sliding_window_view(images[:, 0].astype(np.float64), (3, 3), axis=(1, 2))
    x = np.einsum("nyxij,cij->ncyx", windows, w["conv.weight"][:, 0]) + w["conv.bias"][None, :, None, None]
    x = np.maximum(x, 0)
    n, c, h, _ = x.shape
    x = x.reshape(n, c, h // 2, 2, h // 2, 2).max(axis=(3, 5)).reshape(n, -1)
    x = np.maximum(x @ w["hidden.weight"].T + w["hidden.bias"], 0)
    return x @ w["out.weight"].T + w["out.bias"]


def main() -> int:
    find_nvrtc()
    from tinygrad import Context, Device, Tensor, TinyJit, nn

    assert Device.DEFAULT == "CUDA", f"set DEV=CUDA or DEV=CUDA:PTX; the device is {Device.DEFAULT}"
    renderer = type(Device["CUDA"].renderer).__name__

    class Net:
        def __init__(self) -> None:
            self.conv = nn.Conv2d(1, 8, 3)
            self.hidden = nn.Linear(8 * 25, 32)
            self.out = nn.Linear(32, CLASSES)

        def __call__(self, x: Tensor) -> Tensor:
            x = self.conv(x).relu().max_pool2d((2, 2)).flatten(1)
            return self.out(self.hidden(x).relu())

    Tensor.manual_seed(1)
    random = np.random.default_rng(1)
    net = Net()
    optimizer = nn.optim.Adam(nn.state.get_parameters(net), lr=0.005)

    @TinyJit
    def step(x: Tensor, y: Tensor) -> Tensor:
        optimizer.zero_grad()
        loss = net(x).sparse_categorical_crossentropy(y).backward()
        return loss.realize(*optimizer.schedule_step())

    losses = []
    with Context(TRAINING=1):
        for _ in range(STEPS):
            images, labels = pictures(random, BATCH)
            losses.append(float(step(Tensor(images), Tensor(labels)).numpy()))
    print(f"{renderer}: loss {losses[0]:.3f} -> {losses[-1]:.3f}")
    assert np.isfinite(losses).all(), losses
    assert 1.0 < losses[0] < 2.5, f"the first loss of {CLASSES} classes is about 1.4: {losses[0]}"
    assert np.mean(losses[-5:]) < 0.3 * np.mean(losses[:5]), losses

    images, labels = pictures(random, 128)
    answers = net(Tensor(images)).numpy()
    told = float((answers.argmax(axis=1) == labels).mean())
    print(f"{renderer}: {told:.0%} of 128 unseen pictures told")
    assert told > 0.85, told

    weights = {name: value.numpy() for name, value in nn.state.get_state_dict(net).items()}
    np.testing.assert_allclose(answers, in_numpy(weights, images), rtol=1e-3, atol=1e-4)
    print("OK")
    return 0


if __name__ == "__main__":
    sys.exit(main())
