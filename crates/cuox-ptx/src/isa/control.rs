//! Control flow, traps, the stack and scheduling hints.

use super::family;

family! {
    "Control Flow Instructions: bra" Bra { [{Uni}] L; }
    "Control Flow Instructions: brx.idx" BrxIdx { [{Uni}] S L; }
    "Control Flow Instructions: call" Call { [{Uni}]; }
    "Control Flow Instructions: ret" Ret { [{Uni}]; }
    "Control Flow Instructions: exit" Exit { []; }
    "Miscellaneous Instructions: trap, brkpt" Trap | Brkpt { []; }
    "Miscellaneous Instructions: pmevent" PmEvent { [] I; [[Mask]] I; }
    "Miscellaneous Instructions: nanosleep" NanoSleep { [[U32]] S; }
    "Stack Manipulation Instructions: stacksave" Stacksave { [[U32|U64]] D; }
    "Stack Manipulation Instructions: stackrestore" Stackrestore { [[U32|U64]] S; }
    "Stack Manipulation Instructions: alloca" Alloca { [[U32|U64]] D S OI; }
    "Parallel Synchronization and Communication Instructions: griddepcontrol" GridDepControl {
        [[LaunchDependents|Wait]];
    }
    "Miscellaneous Instructions: setmaxnreg" SetMaxNReg { [[Inc|Dec] [Sync] [Aligned] [U32]] I; }
}
