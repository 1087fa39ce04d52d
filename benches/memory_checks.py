"""The cost of memory checks (`device.check = "memory"`): the kernels of benches/kernels.py with and without, on the
software GPU.

    python benches/memory_checks.py [--kernel julia,scan] [--runs 5]

In turn, with and without; the least CPU time of each is printed, and the ratio. Results are checked against NumPy's
both ways.
"""

from __future__ import annotations

import argparse

import cuox
from kernels import CASES, Cuox, Memory, Times, checked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--kernel", type=lambda text: text.split(","), default=list(CASES), metavar="A,B", help=f"of {', '.join(CASES)}"
    )
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="runs of each")
    options = parser.parse_args()
    device = cuox.Device(kind="soft")
    device.set_current()
    ours = Cuox(device)
    print(f"{'kernel':<16} {'CPU ms':>9} {'with checks':>12} {'ratio':>6}")
    for name in options.kernel:
        case = CASES[name]()
        memory = Memory(device, case)
        prepared = ours.prepare(cuox.ObjectCode.from_ptx(ours.ptx(name)), case, memory)
        times = {None: Times(), "memory": Times()}
        for run in range(options.runs + 1):
            for check, taken in times.items():
                device.check = check
                if run == 0:
                    if wrong := checked(f"{name}, checks: {check}", prepared, case):
                        raise SystemExit(wrong)
                else:
                    taken.take(prepared, case)
        device.check = None
        without, with_checks = (min(taken.cpu) * 1e3 for taken in times.values())
        print(f"{name:<16} {without:>9.2f} {with_checks:>12.2f} {with_checks / without:>6.1f}", flush=True)
        memory.close()


if __name__ == "__main__":
    main()
