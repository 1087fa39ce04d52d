//! `CUOX_SOFT_LEAK_CHECK=1`: memory that the program has allocated and not freed.

use std::collections::{BTreeMap, HashMap};
use std::sync::{LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};

use super::place::Place;
use super::say;

/// So many places are written out.
const WRITTEN: usize = 20;

/// An allocation that was not freed yet.
pub struct Allocation {
    function: &'static str,
    bytes: usize,
    place: Place,
}

/// Allocations by their addresses.
static LIVE: LazyLock<Mutex<HashMap<u64, Allocation>>> = LazyLock::new(Mutex::default);

/// True if leaks are reported.
#[inline]
pub fn enabled() -> bool {
    static ENABLED: OnceLock<bool> = OnceLock::new();
    *ENABLED.get_or_init(|| cuox_softgpu::is_set("CUOX_SOFT_LEAK_CHECK"))
}

fn live() -> MutexGuard<'static, HashMap<u64, Allocation>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An allocation was made.
#[cold]
pub fn allocated(function: &'static str, at: u64, bytes: usize) {
    let place = Place::here();
    let made = Allocation {
        function,
        bytes,
        place,
    };
    live().insert(at, made);
}

/// An allocation is about to be freed. It is taken first: once it is freed, another thread may have its address.
#[cold]
pub fn taken(at: u64) -> Option<Allocation> {
    live().remove(&at)
}

/// It could not be freed.
#[cold]
pub fn put_back(at: u64, allocation: Allocation) {
    live().entry(at).or_insert(allocation);
}

/// Writes what was not freed, by its places, the largest first. Returns a sum for the last line.
pub fn report() -> Option<String> {
    let live = std::mem::take(&mut *live());
    if live.is_empty() {
        return None;
    }
    let count = live.len();
    let bytes: usize = live.values().map(|one| one.bytes).sum();
    // Count and bytes of each place.
    let mut places: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for Allocation {
        function,
        bytes,
        place,
    } in live.into_values()
    {
        let text = format!(" of {function}{}", place.describe(function));
        let sum = places.entry(text).or_default();
        *sum = (sum.0 + 1, sum.1 + bytes);
    }
    let mut places: Vec<_> = places.into_iter().collect();
    places.sort_by_key(|(_, (_, bytes))| std::cmp::Reverse(*bytes));
    for (text, (count, bytes)) in places.iter().take(WRITTEN) {
        let how_many = match count {
            1 => String::new(),
            count => format!(" in {count} allocations"),
        };
        say(&format!("not freed: {bytes} bytes{how_many}{text}"));
    }
    if let Some(more) = places.len().checked_sub(WRITTEN).filter(|&more| more > 0) {
        say(&format!("not freed: allocations of {more} more places"));
    }
    let allocations = if count == 1 {
        "allocation"
    } else {
        "allocations"
    };
    Some(format!("{count} {allocations} not freed ({bytes} bytes)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_allocated_again_while_its_first_owner_frees_it() {
        const AT: u64 = 0x10;
        allocated("first", AT, 1);
        let first = taken(AT).expect("the first one");
        allocated("second", AT, 2);
        // The call has ended: with success, nothing more is done; without, the newer one stays.
        assert_eq!(live().get(&AT).map(|one| one.function), Some("second"));
        put_back(AT, first);
        assert_eq!(live().get(&AT).map(|one| one.bytes), Some(2));
        let second = taken(AT).expect("the second one");
        put_back(AT, second);
        assert_eq!(taken(AT).map(|one| one.bytes), Some(2));
        assert!(taken(AT).is_none());
    }
}
