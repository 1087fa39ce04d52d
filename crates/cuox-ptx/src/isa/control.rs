//! Control flow, traps, the stack and scheduling hints.

use super::family;

family! {
    "Control Flow Instructions: bra" Bra { [{Uni}] L; }
    "Control Flow Instructions: brx.idx" BrxIdx { [{Uni}] S(U32) L; }
    "Control Flow Instructions: call" Call { [{Uni}]; }
    "Control Flow Instructions: ret" Ret { [{Uni}]; }
    "Control Flow Instructions: exit" Exit { []; }
    "Miscellaneous Instructions: trap, brkpt" Trap | Brkpt { []; }
    "Miscellaneous Instructions: pmevent" PmEvent { [] I(BARRIER); [[Mask]] I(MASK); }
    "Miscellaneous Instructions: nanosleep" NanoSleep { [[U32]] S(U32); }
    "Stack Manipulation Instructions: stacksave" Stacksave { [[U32|U64]] D; }
    "Stack Manipulation Instructions: stackrestore" Stackrestore { [[U32|U64]] D; }
    "Stack Manipulation Instructions: alloca" Alloca { [[U32|U64]] D S OI(ALIGNMENT); }
    "Parallel Synchronization and Communication Instructions: griddepcontrol" GridDepControl {
        [[LaunchDependents|Wait]];
    }
    "Miscellaneous Instructions: setmaxnreg" SetMaxNReg { [[Inc|Dec] [Sync] [Aligned] [U32]] I; }
}
