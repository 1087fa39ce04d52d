//! The mnemonics, each declared once with the family whose file holds its rows.

use super::Form;
use super::lookup::Lookup;
use std::sync::OnceLock;

macro_rules! opcodes {
    ($($family:ident { $($op:ident $text:literal,)* })*) => {
        /// An instruction's mnemonic; one variant for each.
        #[allow(missing_docs, reason = "each variant is the mnemonic that `text` gives")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u16)]
        pub enum Opcode { $($($op,)*)* }

        impl Opcode {
            /// Every opcode, family by family.
            pub const ALL: &'static [Opcode] = &[$($(Opcode::$op,)*)*];

            /// The mnemonic as written, without modifiers.
            pub const fn text(self) -> &'static str {
                match self { $($(Self::$op => $text,)*)* }
            }

            /// The rows of the instruction table that describe it.
            pub fn forms(self) -> &'static [Form] { match self { $($(Self::$op)|* => super::$family::forms(self),)* } }
        }
    };
}

opcodes! {
    integer {
        Add "add", Sub "sub", Mul "mul", Mad "mad", Mul24 "mul24", Mad24 "mad24", Sad "sad",
        Div "div", Rem "rem", Abs "abs", Neg "neg", Min "min", Max "max",
        AddC "addc", SubC "subc", MadC "madc",
        Popc "popc", Clz "clz", Bfind "bfind", Fns "fns", Brev "brev", Bfe "bfe", Bfi "bfi",
        Szext "szext", Bmsk "bmsk", Dp4a "dp4a", Dp2a "dp2a",
    }
    float {
        TestP "testp", CopySign "copysign", Fma "fma", Rcp "rcp", Sqrt "sqrt", Rsqrt "rsqrt",
        Sin "sin", Cos "cos", Lg2 "lg2", Ex2 "ex2", Tanh "tanh",
    }
    compare {
        Set "set", SetP "setp", SelP "selp", SlCt "slct",
    }
    logic {
        And "and", Or "or", Xor "xor", Not "not", CNot "cnot", Lop3 "lop3", Shf "shf", Shl "shl",
        Shr "shr", Prmt "prmt",
    }
    move_ {
        Mov "mov", Ld "ld", LdU "ldu", St "st", Cvt "cvt", CvtPack "cvt.pack", Cvta "cvta",
        Isspacep "isspacep", Prefetch "prefetch", PrefetchU "prefetchu", MapA "mapa",
        GetCtaRank "getctarank", ApplyPriority "applypriority", Discard "discard",
        CreatePolicy "createpolicy", StBulk "st.bulk", StAsync "st.async",
    }
    copy {
        CpAsync "cp.async", CpAsyncCommitGroup "cp.async.commit_group",
        CpAsyncWaitGroup "cp.async.wait_group", CpAsyncWaitAll "cp.async.wait_all",
        CpAsyncMbarrierArrive "cp.async.mbarrier.arrive",
        CpAsyncBulk "cp.async.bulk", CpAsyncBulkPrefetch "cp.async.bulk.prefetch",
        CpAsyncBulkTensor "cp.async.bulk.tensor",
        CpAsyncBulkPrefetchTensor "cp.async.bulk.prefetch.tensor",
        CpReduceAsyncBulk "cp.reduce.async.bulk", CpReduceAsyncBulkTensor "cp.reduce.async.bulk.tensor",
        CpAsyncBulkCommitGroup "cp.async.bulk.commit_group",
        CpAsyncBulkWaitGroup "cp.async.bulk.wait_group",
        TensormapReplace "tensormap.replace", TensormapCpFenceProxy "tensormap.cp_fenceproxy",
        MultimemLdReduce "multimem.ld_reduce", MultimemSt "multimem.st", MultimemRed "multimem.red",
    }
    control {
        Bra "bra", BrxIdx "brx.idx", Call "call", Ret "ret", Exit "exit", Trap "trap", Brkpt "brkpt",
        PmEvent "pmevent", NanoSleep "nanosleep", Stacksave "stacksave", Stackrestore "stackrestore",
        Alloca "alloca", GridDepControl "griddepcontrol", SetMaxNReg "setmaxnreg",
    }
    sync {
        Bar "bar", Barrier "barrier", BarWarpSync "bar.warp.sync",
        BarrierClusterArrive "barrier.cluster.arrive", BarrierClusterWait "barrier.cluster.wait",
        MemBar "membar", Fence "fence", FenceProxy "fence.proxy", Atom "atom", Red "red",
        RedAsync "red.async",
        Vote "vote", Match "match", ActiveMask "activemask", Redux "redux", Shfl "shfl", Elect "elect",
        MbarrierInit "mbarrier.init", MbarrierInval "mbarrier.inval",
        MbarrierExpectTx "mbarrier.expect_tx", MbarrierCompleteTx "mbarrier.complete_tx",
        MbarrierArrive "mbarrier.arrive", MbarrierArriveDrop "mbarrier.arrive_drop",
        MbarrierTestWait "mbarrier.test_wait", MbarrierTryWait "mbarrier.try_wait",
        MbarrierPendingCount "mbarrier.pending_count",
        ClusterLaunchControlTryCancel "clusterlaunchcontrol.try_cancel",
        ClusterLaunchControlQueryCancel "clusterlaunchcontrol.query_cancel",
    }
    texture {
        Tex "tex", Tld4 "tld4", Txq "txq", IsTypeP "istypep", SuLd "suld", SuSt "sust", SuRed "sured",
        Suq "suq",
    }
    matrix {
        WmmaLoad "wmma.load", WmmaStore "wmma.store", WmmaMma "wmma.mma", Mma "mma", MmaSp "mma.sp",
        MmaSpOrdered "mma.sp::ordered_metadata",
        LdMatrix "ldmatrix", StMatrix "stmatrix", MovMatrix "movmatrix",
        WgmmaMmaAsync "wgmma.mma_async", WgmmaMmaAsyncSp "wgmma.mma_async.sp",
        WgmmaFence "wgmma.fence", WgmmaCommitGroup "wgmma.commit_group",
        WgmmaWaitGroup "wgmma.wait_group",
        Tcgen05Alloc "tcgen05.alloc", Tcgen05Dealloc "tcgen05.dealloc",
        Tcgen05RelinquishAllocPermit "tcgen05.relinquish_alloc_permit",
        Tcgen05Ld "tcgen05.ld", Tcgen05St "tcgen05.st", Tcgen05WaitLd "tcgen05.wait::ld", Tcgen05WaitSt "tcgen05.wait::st",
        Tcgen05Cp "tcgen05.cp", Tcgen05Shift "tcgen05.shift", Tcgen05Mma "tcgen05.mma",
        Tcgen05Commit "tcgen05.commit", Tcgen05FenceBefore "tcgen05.fence::before_thread_sync",
        Tcgen05FenceAfter "tcgen05.fence::after_thread_sync",
    }
    video {
        VAdd "vadd", VSub "vsub", VAbsDiff "vabsdiff", VMin "vmin", VMax "vmax", VShl "vshl",
        VShr "vshr", VMad "vmad", VSet "vset",
        VAdd2 "vadd2", VSub2 "vsub2", VAvrg2 "vavrg2", VAbsDiff2 "vabsdiff2", VMin2 "vmin2",
        VMax2 "vmax2", VSet2 "vset2",
        VAdd4 "vadd4", VSub4 "vsub4", VAvrg4 "vavrg4", VAbsDiff4 "vabsdiff4", VMin4 "vmin4",
        VMax4 "vmax4", VSet4 "vset4",
    }
}

impl Opcode {
    /// Finds an opcode by its exact mnemonic.
    pub fn from_text(text: &str) -> Option<Self> {
        static TABLE: OnceLock<Lookup> = OnceLock::new();
        let table = TABLE.get_or_init(|| Lookup::new(Self::ALL.iter().map(|o| o.text())));
        let i = table.find(text, |i| Self::ALL[i].text())?;
        Some(Self::ALL[i])
    }
}

impl std::fmt::Display for Opcode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opcode_is_found_and_has_rows() {
        for &op in Opcode::ALL {
            assert_eq!(Opcode::from_text(op.text()), Some(op));
            assert!(!op.forms().is_empty(), "`{op}` has no row");
        }
    }
}
