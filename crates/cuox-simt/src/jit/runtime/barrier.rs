//! Barriers of a thread block: arrival of gangs and threads, and release.
//!
//! A gang arrives as a whole if the barrier cannot complete before all its warps have arrived; otherwise it is split
//! into warps. A complete barrier writes its results and releases its lanes.

use crate::fault::{Fault, FaultKind};
use crate::ir::{BarrierKind, BlockId, Terminator};
use crate::jit::runtime::block::{JitBlock, Mode, TurnOutcome, Warp};
use crate::sem;

/// One of the barriers of a block.
#[derive(Clone, Copy, Default)]
pub(crate) struct Barrier {
    pub(crate) arrived: u32,
    /// Lanes of each warp that have arrived. A warp counts as 32 threads if all its existing lanes have arrived.
    pub(crate) lanes: [u32; 32],
    pub(crate) expected: Option<u32>,
    pub(crate) popc: u32,
}

/// Barrier number, and the expected number of threads if not all.
type NamedBarrier = (u32, Option<u32>);

impl JitBlock<'_> {
    pub(crate) fn gang_at_barrier(
        &mut self,
        w: usize,
        block: BlockId,
    ) -> Result<Option<TurnOutcome>, Fault> {
        let compiled = self.compiled;
        if let Terminator::Cluster { step, next } = compiled.plan.func.blocks[block.index()].end {
            return Ok(self.gang_at_cluster_barrier(w, block, step, next));
        }
        let Terminator::Barrier {
            kind,
            id,
            count,
            pred,
            next,
            ..
        } = &compiled.plan.func.blocks[block.index()].end
        else {
            return Ok(None);
        };
        let gang = self.warps[w].gang;
        let mut held = 0;
        // Barrier named by each warp, and the number of threads it is for.
        let mut named: Vec<Option<NamedBarrier>> = Vec::with_capacity(gang);
        for n in w..w + gang {
            let state = self.member(w, n);
            let one = |values: [u64; 32]| {
                let same = values.iter().all(|&x| x == values[0]);
                same.then_some(values[0] as u32)
            };
            let its_count = count.map(|c| one(state.operand(c, true)));
            named.push(match (one(state.operand(*id, true)), its_count) {
                (Some(id), None) => Some((id, None)),
                (Some(id), Some(Some(count))) => Some((id, Some(count))),
                _ => None,
            });
            if let Some(pred) = pred {
                held += state
                    .operand(*pred, true)
                    .iter()
                    .map(|&p| p as u32 & 1)
                    .sum::<u32>();
            }
        }
        if matches!(kind, BarrierKind::Sync | BarrierKind::Warpgroup)
            && self.complete(w, *kind, &named)
        {
            self.warps[w].mode = Mode::Gang(*next);
            return Ok(None);
        }
        let same = named.iter().all(|&its| its.is_some() && its == named[0]);
        let (Some((id, expected)), true) = (named[0], same && self.fits(w, *kind, named[0])) else {
            let live = self.after(block);
            self.split(w, live.clone().into_iter(), |this, n| {
                this.diverge(n, block, &live)
            })?;
            return Ok(None);
        };
        if *kind == BarrierKind::Arrive {
            self.warps[w].mode = Mode::Gang(*next);
        } else {
            self.warps[w].mode = Mode::GangAtBarrier(block, id % BarrierKind::COUNT as u32);
        }
        for n in w..w + gang {
            let held = if n == w { held } else { 0 };
            self.arrive((*kind, id), (n, self.warps[n].alive), held, expected)?;
        }
        Ok(match self.warps[w].mode {
            Mode::GangAtBarrier(..) => Some(TurnOutcome::Stopped),
            Mode::Gang(_) | Mode::GangAtCluster(_) | Mode::Member | Mode::Threads | Mode::Done => {
                None
            }
        })
    }

    /// Tells whether all barriers that the gang's warps name are for warps of the gang alone and complete at once, so
    /// that the gang continues.
    fn complete(&self, w: usize, kind: BarrierKind, named: &[Option<NamedBarrier>]) -> bool {
        let mut threads = [0u32; BarrierKind::COUNT];
        let mut expected = [None; BarrierKind::COUNT];
        for (n, its) in named.iter().enumerate() {
            let Some((id, Some(count))) = *its else {
                return false;
            };
            if !kind.has(id) {
                return false;
            }
            let id = id as usize;
            if self.used_barriers >> id & 1 != 0
                || self.warps[w + n].alive != u32::MAX
                || expected[id].is_some_and(|e| e != count)
            {
                return false;
            }
            expected[id] = Some(count);
            threads[id] += 32;
        }
        let mut barriers = threads.iter().zip(expected);
        barriers.all(|(&threads, expected)| expected.is_none_or(|e| e == threads))
    }

    /// Tells whether a gang may arrive at a barrier as one, because it cannot complete before all of the gang's warps
    /// have arrived.
    fn fits(&self, w: usize, kind: BarrierKind, named: Option<NamedBarrier>) -> bool {
        match named {
            Some((id, Some(count))) if kind != BarrierKind::Arrive && kind.has(id) => {
                let here = self.counted(&self.barriers[id as usize]);
                self.warps[w].gang == 1 || here + 32 * self.warps[w].gang as u32 <= count
            }
            _ => true,
        }
    }

    /// Returns the number of threads that count as arrived: 32 for each complete warp.
    fn counted(&self, barrier: &Barrier) -> u32 {
        let counted = |(&here, warp): (&u32, &Warp)| match warp.alive & !here {
            0 if here != 0 => 32,
            _ => here.count_ones(),
        };
        barrier.lanes.iter().zip(&self.warps).map(counted).sum()
    }

    pub(crate) fn arrive(
        &mut self,
        (kind, id): (BarrierKind, u32),
        (warp, lanes): (usize, u32),
        held: u32,
        expected: Option<u32>,
    ) -> Result<(), Fault> {
        let refused = match expected {
            _ if !kind.has(id) => Some(format!("barrier {id} does not exist, there are 16")),
            Some(count) if count == 0 || !count.is_multiple_of(32) => Some(format!(
                "barrier {id} with {count} threads, which is not a multiple of 32"
            )),
            _ => None,
        };
        if let Some(message) = refused {
            return Err(self.place(
                Fault::new(FaultKind::IllegalInstruction, message),
                None,
                None,
            ));
        }
        self.used_barriers |= 1 << id;
        let barrier = &mut self.barriers[id as usize];
        barrier.arrived += lanes.count_ones();
        barrier.lanes[warp] |= lanes;
        barrier.popc += held;
        barrier.expected = expected.or(barrier.expected);
        self.check_barriers()
    }

    /// Releases every barrier at which all expected threads have arrived.
    pub(crate) fn check_barriers(&mut self) -> Result<(), Fault> {
        if !self.compiled.plan.has_barrier {
            return Ok(());
        }
        let mut used = self.used_barriers;
        while used != 0 {
            let id = used.trailing_zeros();
            used &= used - 1;
            let barrier = &self.barriers[id as usize];
            let missing = match barrier.expected {
                Some(expected) => {
                    self.counted(barrier) < expected && barrier.arrived < self.alive_threads
                }
                None => barrier.arrived < self.alive_threads,
            };
            if !missing {
                let barrier = std::mem::take(&mut self.barriers[id as usize]);
                self.used_barriers &= !(1 << id);
                self.open(id, &barrier);
            }
        }
        Ok(())
    }

    fn open(&mut self, id: u32, barrier: &Barrier) {
        let compiled = self.compiled;
        let plan = &compiled.plan;
        let result = |kind: BarrierKind| match kind {
            BarrierKind::Popc => u64::from(barrier.popc),
            BarrierKind::And => u64::from(barrier.popc == barrier.arrived),
            BarrierKind::Or => u64::from(barrier.popc > 0),
            BarrierKind::Sync | BarrierKind::Arrive | BarrierKind::Warpgroup => 0,
        };
        let mut opened = None;
        for w in 0..self.warps.len() {
            match self.warps[w].mode {
                Mode::GangAtBarrier(block, at) if at == id => {
                    let Terminator::Barrier {
                        kind, dst, next, ..
                    } = &plan.func.blocks[block.index()].end
                    else {
                        continue;
                    };
                    if let Some(home) = dst.and_then(|dst| plan.layout.home(dst)) {
                        for n in w..w + self.warps[w].gang {
                            let state = self.member(w, n);
                            state.write(home, u32::MAX, &[result(*kind); 32], true);
                        }
                    }
                    self.warps[w].mode = Mode::Gang(*next);
                    opened = Some(*next);
                }
                Mode::Threads if self.warps[w].lanes.in_barrier != 0 => {
                    let waiting = self.warps[w].lanes.in_barrier;
                    for lane in sem::warp::lanes_of(waiting) {
                        if self.warps[w].lanes.barrier[lane] != id {
                            continue;
                        }
                        let block = self.warps[w].lanes.block[lane] as usize;
                        let Terminator::Barrier {
                            kind, dst, next, ..
                        } = &plan.func.blocks[block].end
                        else {
                            continue;
                        };
                        if let Some(home) = dst.and_then(|dst| plan.layout.home(dst)) {
                            self.state(w)
                                .write(home, 1 << lane, &[result(*kind); 32], false);
                        }
                        let lanes = &mut self.warps[w].lanes;
                        lanes.in_barrier &= !(1 << lane);
                        lanes.pcs.add(next.index(), 1 << lane);
                    }
                    // All lanes have the same PC: the warp may be able to return to gang mode.
                    if let Some(at) = self.warps[w].lanes.pcs.common_block() {
                        self.try_reconverge(w, BlockId(at as u32));
                    }
                }
                Mode::Gang(_)
                | Mode::GangAtBarrier(..)
                | Mode::GangAtCluster(_)
                | Mode::Member
                | Mode::Threads
                | Mode::Done => {}
            }
        }
        if let Some(next) = opened {
            self.merge(next);
        }
    }
}
