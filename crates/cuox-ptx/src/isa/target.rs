//! Versions of the PTX ISA, and the targets that came with each.

/// The last version of each number before the dot, from 1 on: 1.0 to 1.5, 2.0 to 2.3 and so on.
const LAST_MINOR: [u32; 9] = [5, 3, 2, 3, 1, 5, 8, 8, 0];

/// True if there has been such a version. Those after the table's may come yet.
pub(crate) fn exists((major, minor): (u32, u32)) -> bool {
    match LAST_MINOR.get((major as usize).wrapping_sub(1)) {
        Some(&last) => minor <= last || (major, minor) > super::VERSION,
        None => major > 0,
    }
}

/// One architecture, with the versions that brought it, its own features (`a`) and those of its family (`f`).
struct Architecture {
    sm: u32,
    plain: (u32, u32),
    own: Option<(u32, u32)>,
    family: Option<(u32, u32)>,
}

const fn old(sm: u32, plain: (u32, u32)) -> Architecture {
    Architecture {
        sm,
        plain,
        own: None,
        family: None,
    }
}

const fn new(sm: u32, plain: (u32, u32), family: (u32, u32)) -> Architecture {
    Architecture {
        sm,
        plain,
        own: Some(plain),
        family: Some(family),
    }
}

/// PTX Module Directives: .target; versions as ptxas has them.
static ARCHITECTURES: &[Architecture] = &[
    old(10, (1, 0)),
    old(11, (1, 0)),
    old(12, (1, 2)),
    old(13, (1, 2)),
    old(20, (2, 0)),
    old(21, (2, 0)),
    old(30, (3, 0)),
    old(32, (4, 0)),
    old(35, (3, 1)),
    old(37, (4, 1)),
    old(50, (4, 0)),
    old(52, (4, 1)),
    old(53, (4, 2)),
    old(60, (5, 0)),
    old(61, (5, 0)),
    old(62, (5, 0)),
    old(70, (5, 1)),
    old(72, (6, 1)),
    old(75, (6, 3)),
    old(80, (7, 0)),
    old(82, (6, 2)),
    old(86, (7, 1)),
    old(87, (7, 4)),
    old(88, (7, 3)),
    old(89, (7, 8)),
    Architecture {
        own: Some((8, 0)),
        ..old(90, (7, 8))
    },
    new(100, (8, 6), (8, 8)),
    new(101, (8, 6), (8, 8)),
    new(103, (8, 8), (8, 8)),
    new(110, (9, 0), (9, 0)),
    new(120, (8, 7), (8, 8)),
    new(121, (8, 8), (8, 8)),
];

/// The version that a target came with, if it is one.
pub(crate) fn since(sm: u32, suffix: Option<char>) -> Option<(u32, u32)> {
    let found = ARCHITECTURES.iter().find(|a| a.sm == sm)?;
    match suffix {
        None => Some(found.plain),
        Some('a') => found.own,
        Some('f') => found.family,
        Some(_) => None,
    }
}

/// Words that may follow an architecture.
pub(crate) const OPTIONS: [&str; 4] = [
    "texmode_unified",
    "texmode_independent",
    "debug",
    "map_f64_to_f32",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_that_never_were() {
        for version in [(1, 0), (4, 3), (5, 1), (6, 5), (7, 8), (8, 8), (9, 0)] {
            assert!(exists(version), "{version:?}");
        }
        for version in [
            (0, 0),
            (0, 9),
            (1, 6),
            (1, 9),
            (3, 3),
            (5, 2),
            (8, 9),
            (8, 55),
        ] {
            assert!(!exists(version), "{version:?}");
        }
        // Of these nothing is known yet.
        assert!(exists((9, 1)) && exists((10, 0)));
    }
}
