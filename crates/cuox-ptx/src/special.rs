//! The special registers, one table of names.

/// A component of a vector-valued special register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Component {
    /// `.x`
    X,
    /// `.y`
    Y,
    /// `.z`
    Z,
    /// `.w` (always reads as zero)
    W,
}

impl Component {
    /// Parses `x`, `y`, `z` or `w`.
    pub fn from_text(text: &str) -> Option<Self> {
        Some(match text {
            "x" => Self::X,
            "y" => Self::Y,
            "z" => Self::Z,
            "w" => Self::W,
            _ => return None,
        })
    }

    /// The component's letter.
    pub fn text(self) -> &'static str {
        ["x", "y", "z", "w"][self as usize]
    }

    /// The component's number: 0 for x.
    pub fn index(self) -> usize {
        self as usize
    }
}

macro_rules! special_registers {
    ($($variant:ident $name:literal $bits:literal $vector:literal $doc:literal,)*) => {
        /// A special register.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SpecialRegister {
            $(#[doc = $doc] $variant,)*
            /// `%pm0` … `%pm7`: performance counters.
            Pm(u8),
            /// `%pm0_64` … `%pm7_64`: performance counters.
            Pm64(u8),
            /// `%envreg0` … `%envreg31`: driver-defined values.
            EnvReg(u8),
        }

        impl SpecialRegister {
            /// Finds a register by its name, `%` included.
            pub fn from_name(name: &str) -> Option<Self> {
                Some(match name {
                    $($name => Self::$variant,)*
                    _ => return Self::numbered(name),
                })
            }

            /// Width in bits of the register, or of each component.
            pub fn bits(self) -> u32 {
                match self {
                    $(Self::$variant => $bits,)*
                    Self::Pm(_) | Self::EnvReg(_) => 32,
                    Self::Pm64(_) => 64,
                }
            }

            /// True if the register has components x, y, z and w.
            pub fn is_vector(self) -> bool {
                match self {
                    $(Self::$variant => $vector,)*
                    _ => false,
                }
            }
        }

        impl std::fmt::Display for SpecialRegister {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Self::$variant => f.write_str($name),)*
                    Self::Pm(n) => write!(f, "%pm{n}"),
                    Self::Pm64(n) => write!(f, "%pm{n}_64"),
                    Self::EnvReg(n) => write!(f, "%envreg{n}"),
                }
            }
        }
    };
}

special_registers! {
    Tid "%tid" 32 true "Thread index in the block.",
    NTid "%ntid" 32 true "Block dimensions.",
    CtaId "%ctaid" 32 true "Block index in the grid.",
    NCtaId "%nctaid" 32 true "Grid dimensions.",
    LaneId "%laneid" 32 false "Lane in the warp.",
    WarpId "%warpid" 32 false "Warp in the block.",
    NWarpId "%nwarpid" 32 false "Most warps a block may have.",
    SmId "%smid" 32 false "Multiprocessor number.",
    NSmId "%nsmid" 32 false "Number of multiprocessors.",
    GridId "%gridid" 64 false "Grid launch number.",
    IsExplicitCluster "%is_explicit_cluster" 1 false "Cluster dimensions given at launch (a predicate).",
    ClusterId "%clusterid" 32 true "Cluster index in the grid.",
    NClusterId "%nclusterid" 32 true "Clusters in the grid.",
    ClusterCtaId "%cluster_ctaid" 32 true "Block index in the cluster.",
    ClusterNCtaId "%cluster_nctaid" 32 true "Cluster dimensions in blocks.",
    ClusterCtaRank "%cluster_ctarank" 32 false "Block number in the cluster.",
    ClusterNCtaRank "%cluster_nctarank" 32 false "Blocks in the cluster.",
    LaneMaskEq "%lanemask_eq" 32 false "The bit of this lane.",
    LaneMaskLe "%lanemask_le" 32 false "Bits of this lane and those below.",
    LaneMaskLt "%lanemask_lt" 32 false "Bits of the lanes below.",
    LaneMaskGe "%lanemask_ge" 32 false "Bits of this lane and those above.",
    LaneMaskGt "%lanemask_gt" 32 false "Bits of the lanes above.",
    Clock "%clock" 32 false "Low half of the cycle counter.",
    ClockHi "%clock_hi" 32 false "High half of the cycle counter.",
    Clock64 "%clock64" 64 false "Cycle counter.",
    GlobalTimer "%globaltimer" 64 false "Nanosecond timer.",
    GlobalTimerLo "%globaltimer_lo" 32 false "Low half of the nanosecond timer.",
    GlobalTimerHi "%globaltimer_hi" 32 false "High half of the nanosecond timer.",
    ReservedSmemOffsetBegin "%reserved_smem_offset_begin" 32 false "Start of the reserved shared memory.",
    ReservedSmemOffsetEnd "%reserved_smem_offset_end" 32 false "End of the reserved shared memory.",
    ReservedSmemOffsetCap "%reserved_smem_offset_cap" 32 false "Size of the reserved shared memory.",
    ReservedSmemOffset0 "%reserved_smem_offset_0" 32 false "First reserved shared memory offset.",
    ReservedSmemOffset1 "%reserved_smem_offset_1" 32 false "Second reserved shared memory offset.",
    TotalSmemSize "%total_smem_size" 32 false "Shared memory of a block, static and dynamic.",
    AggrSmemSize "%aggr_smem_size" 32 false "Shared memory of a block with the reserved part.",
    DynamicSmemSize "%dynamic_smem_size" 32 false "Shared memory asked for at launch.",
    CurrentGraphExec "%current_graph_exec" 64 false "The graph that this kernel runs in, or zero.",
}

impl SpecialRegister {
    fn numbered(name: &str) -> Option<Self> {
        let number = |digits: &str, limit: u8| {
            let canonical = digits == "0" || !digits.starts_with('0');
            digits
                .parse::<u8>()
                .ok()
                .filter(|&n| n < limit && canonical)
        };
        if let Some(rest) = name.strip_prefix("%envreg") {
            return number(rest, 32).map(Self::EnvReg);
        }
        let rest = name.strip_prefix("%pm")?;
        match rest.strip_suffix("_64") {
            Some(n) => number(n, 8).map(Self::Pm64),
            None => number(rest, 8).map(Self::Pm),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        for name in ["%tid", "%clock64", "%pm7", "%pm0_64", "%envreg31"] {
            let r = SpecialRegister::from_name(name).expect(name);
            assert_eq!(r.to_string(), name);
        }
        for name in ["%pm8", "%envreg32", "%r1", "%envreg01", "%pm"] {
            assert_eq!(SpecialRegister::from_name(name), None, "{name}");
        }
    }
}
