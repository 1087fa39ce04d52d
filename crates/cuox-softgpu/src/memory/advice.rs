//! What a program has said of the use of managed memory: `cuMemAdvise` and `cuMemPrefetchAsync`.
//!
//! Nothing depends on it here, as there is one memory; `cuMemRangeGetAttribute` reads it back. It is kept for each page
//! of an allocation, as an H200's driver does.

use cuox_abi::CUmemLocationType;
use cuox_simt::trap;
use std::ops::Range;

/// A place where memory may be, as it is read back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Location {
    pub kind: CUmemLocationType,
    pub id: i32,
}

/// The id of a host, and of no place at all.
pub const HOST_ID: i32 = -1;
pub const NO_ID: i32 = -2;

impl Location {
    pub const HOST: Location = Location {
        kind: CUmemLocationType::CU_MEM_LOCATION_TYPE_HOST,
        id: HOST_ID,
    };
    pub const NONE: Location = Location {
        kind: CUmemLocationType::CU_MEM_LOCATION_TYPE_INVALID,
        id: NO_ID,
    };

    pub fn device(ordinal: usize) -> Location {
        Location {
            kind: CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
            id: ordinal as i32,
        }
    }

    /// The device, or [`HOST_ID`] for any part of the host: the form of the attributes before CUDA 12.
    pub fn device_or_host(self) -> i32 {
        match self.kind {
            CUmemLocationType::CU_MEM_LOCATION_TYPE_INVALID
            | CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE => self.id,
            _ => HOST_ID,
        }
    }
}

/// What was said of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PageAdvice {
    pub read_mostly: bool,
    pub preferred: Location,
    pub prefetched: Location,
    /// Devices that map it, a bit each.
    pub accessed_by: u64,
    pub accessed_by_host: bool,
}

impl Default for PageAdvice {
    fn default() -> PageAdvice {
        PageAdvice {
            read_mostly: false,
            preferred: Location::NONE,
            prefetched: Location::NONE,
            accessed_by: 0,
            accessed_by_host: false,
        }
    }
}

impl PageAdvice {
    /// What is true of both pages.
    fn common(self, other: PageAdvice) -> PageAdvice {
        let same = |a: Location, b| if a == b { a } else { Location::NONE };
        PageAdvice {
            read_mostly: self.read_mostly && other.read_mostly,
            preferred: same(self.preferred, other.preferred),
            prefetched: same(self.prefetched, other.prefetched),
            accessed_by: self.accessed_by & other.accessed_by,
            accessed_by_host: self.accessed_by_host && other.accessed_by_host,
        }
    }
}

/// What was said of an allocation: runs of pages that have it in common, by their last page's number and one; what is
/// behind the last run has the default.
#[derive(Default, Debug)]
pub struct Advice {
    runs: Vec<(u64, PageAdvice)>,
}

fn pages(at: u64, len: u64) -> Range<u64> {
    let page = trap::page_size();
    at / page..(at + len).div_ceil(page)
}

impl Advice {
    /// Changes what is said of the pages that `len` bytes from `at` on touch.
    pub fn change(&mut self, at: u64, len: u64, change: impl Fn(&mut PageAdvice)) {
        let pages = pages(at, len);
        self.split(pages.start);
        self.split(pages.end);
        let mut begin = 0;
        for (end, advice) in &mut self.runs {
            if begin >= pages.start && *end <= pages.end {
                change(advice);
            }
            begin = *end;
        }
        // Neighbours that are alike become one, so that there are never more runs than differences.
        self.runs.dedup_by(|after, before| {
            let alike = after.1 == before.1;
            if alike {
                before.0 = after.0;
            }
            alike
        });
        while self
            .runs
            .pop_if(|run| run.1 == PageAdvice::default())
            .is_some()
        {}
    }

    /// Lets a run end before a page.
    fn split(&mut self, page: u64) {
        let at = self.runs.partition_point(|&(end, _)| end < page);
        match self.runs.get(at) {
            Some(&(end, _)) if end == page => {}
            Some(&(_, advice)) => self.runs.insert(at, (page, advice)),
            None => self.runs.push((page, PageAdvice::default())),
        }
    }

    /// What is true of all pages that `len` bytes from `at` on touch.
    pub fn of(&self, at: u64, len: u64) -> PageAdvice {
        let pages = pages(at, len);
        let mut all: Option<PageAdvice> = None;
        let mut add = |advice: PageAdvice| {
            all = Some(all.map_or(advice, |before| before.common(advice)));
        };
        let mut begin = 0;
        for &(end, advice) in &self.runs {
            if begin < pages.end && end > pages.start {
                add(advice);
            }
            begin = end;
        }
        if begin < pages.end {
            add(PageAdvice::default());
        }
        all.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_split_and_join() {
        let page = trap::page_size();
        let mut advice = Advice::default();
        let at = 100 * page;
        let read_mostly = |advice: &Advice, from: u64, pages: u64| {
            advice.of(at + from * page, pages * page).read_mostly
        };
        assert_eq!(advice.of(at, 5), PageAdvice::default());
        advice.change(at + 2 * page, 3 * page, |page| page.read_mostly = true);
        assert!(read_mostly(&advice, 2, 3) && read_mostly(&advice, 4, 1));
        assert!(!read_mostly(&advice, 1, 1) && !read_mostly(&advice, 1, 2));
        assert!(!read_mostly(&advice, 4, 2) && !read_mostly(&advice, 5, 1));
        // A byte is its page.
        advice.change(at + 3 * page + 7, 1, |page| page.read_mostly = false);
        assert!(read_mostly(&advice, 2, 1) && !read_mostly(&advice, 2, 2));
        assert!(!read_mostly(&advice, 3, 1) && read_mostly(&advice, 4, 1));
        advice.change(at, 10 * page, |page| page.read_mostly = true);
        assert!(read_mostly(&advice, 0, 10));
        advice.change(at, 10 * page, |page| page.accessed_by |= 2);
        assert!(advice.runs.len() <= 3, "{advice:?}");
        assert_eq!(advice.of(at, page).accessed_by, 2);
    }
}
