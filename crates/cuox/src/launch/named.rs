//! The names of kernels' parameters, for errors of the software GPU, whose PTX has only their numbers.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// By the kernel's name. `None`: several kernels of the name have different parameters.
static NAMES: LazyLock<Mutex<HashMap<String, Option<Vec<String>>>>> = LazyLock::new(Mutex::default);

/// Notes the names of a kernel's parameters.
pub fn remember(kernel: &str, names: Vec<String>) {
    let mut all = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    match all.get_mut(kernel) {
        Some(known) if known.as_ref() == Some(&names) => {}
        Some(known) => *known = None,
        None => {
            all.insert(kernel.to_owned(), Some(names));
        }
    }
}

/// The driver's text, `kernel k: …, which parameter 1 points to`, with the parameters' names where they are known.
pub(crate) fn with_names(text: String) -> String {
    let Some((kernel, _)) = text
        .strip_prefix("kernel ")
        .and_then(|rest| rest.split_once(": "))
    else {
        return text;
    };
    let all = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let (Some(Some(names)), Some(at)) = (all.get(kernel), text.rfind(", which parameter ")) else {
        return text;
    };
    let (before, places) = text.split_at(at);
    let mut named = before.to_owned();
    for (index, part) in places.split("parameter ").enumerate() {
        if index == 0 {
            named.push_str(part);
            continue;
        }
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = part.split_at(digits);
        named.push_str("parameter ");
        named.push_str(number);
        if let Some(name) = number
            .parse()
            .ok()
            .and_then(|number: usize| names.get(number))
        {
            named.push_str(&format!(" ({name})"));
        }
        named.push_str(rest);
    }
    if before.contains(" bytes before the allocation") {
        named.push_str(
            "; in kernels in Python with wraparound=False a negative index does not count from the end",
        );
    }
    named
}

#[cfg(test)]
mod tests {
    use super::{remember, with_names};

    #[test]
    fn parameters_get_their_names() {
        let text = |kernel: &str| {
            format!(
                "kernel {kernel}: Invalid write; the address is right at the end of the allocation of 8 bytes at 0x8, which parameter 0 and parameter 2 point to"
            )
        };
        remember("one", ["x", "n", "y"].map(str::to_owned).to_vec());
        remember("one", ["x", "n", "y"].map(str::to_owned).to_vec());
        assert!(
            with_names(text("one")).ends_with("which parameter 0 (x) and parameter 2 (y) point to")
        );
        assert_eq!(with_names(text("other")), text("other"));
        remember("one", vec!["z".to_owned()]);
        assert_eq!(with_names(text("one")), text("one"));
        assert_eq!(with_names("a kernel".to_owned()), "a kernel");
    }
}
