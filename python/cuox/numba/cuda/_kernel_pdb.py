"""Python's debugger for a thread of a kernel."""

from __future__ import annotations

import pdb
from types import FrameType, TracebackType
from typing import Any

_NOT_IN_KERNELS = "is not supported in a kernel: use next, continue, finish or quit"


class KernelDebugger(pdb.Pdb):
    """pdb at a thread that has stopped in a kernel. It traces nothing: the kernel says where it is."""

    # How the thread goes on: CONTINUE, STEP, QUIT, FINISH of `_breakpoints`.
    answer = -1

    def __init__(self) -> None:
        super().__init__(nosigint=True)
        self.parameters: list[str] = []

    def get_stack(self, f: FrameType | None, t: TracebackType | None) -> tuple[list[tuple[FrameType, int]], int]:
        """The user's frames that have led to the launch, and the kernel's."""
        stack: list[tuple[FrameType, int]] = []
        while f is not None:
            if not str(f.f_globals.get("__name__", "")).startswith("cuox.") or not stack:
                stack.append((f, f.f_lineno))
            f = f.f_back
        return stack[::-1], len(stack) - 1

    def ask(self, frame: FrameType) -> int:
        """Talk to the user about the thread, and return how it goes on."""
        self.answer = -1
        self.reset()
        self.interaction(frame, None)
        return self.answer

    def _go(self, answer: int) -> bool:
        self.answer = answer
        return True

    def do_continue(self, arg: str) -> bool:
        """c(ont(inue))

        Continue until this or another thread comes to a breakpoint().
        """
        return self._go(0)

    do_c = do_cont = do_continue

    def do_next(self, arg: str) -> bool:
        """n(ext)

        Continue until this thread comes to the next statement of a function with a breakpoint() in it.
        """
        return self._go(1)

    do_n = do_s = do_step = do_next

    def do_finish(self, arg: str) -> bool:
        """finish

        Let the kernel run to its end: no thread of this launch stops any more.
        """
        return self._go(2)

    def do_quit(self, arg: str) -> bool:
        """q(uit)

        End the kernel. The launch raises bdb.BdbQuit.
        """
        return self._go(-1)

    do_q = do_exit = do_quit

    def do_EOF(self, arg: str) -> bool:
        """EOF

        As quit.
        """
        self.message("")
        return self._go(-1)

    def do_args(self, arg: str) -> None:
        """a(rgs)

        Print the parameters of the function.
        """
        for name in self.parameters:
            if name in self.curframe_locals:
                self.message(f"{name} = {self.curframe_locals[name]!r}")

    do_a = do_args

    def _refuse(self, arg: str, temporary: Any = 0) -> None:
        """Not supported in kernels."""
        self.error(f"{self.lastcmd.split()[0] if self.lastcmd else 'it'} {_NOT_IN_KERNELS}")

    do_return = do_r = do_until = do_unt = do_jump = do_j = _refuse
    do_break = do_b = do_tbreak = do_commands = do_run = do_restart = do_debug = _refuse
