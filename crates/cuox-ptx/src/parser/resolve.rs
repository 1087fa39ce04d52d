//! From a dotted word such as `mad.wide.s32` to an opcode, its modifiers and the rows that allow them.

use super::operand_type::Typing;
use super::symbols::Symbol;
use crate::ast::{Modifier, Modifiers, Opcode, Operand, OperandKind};
use crate::isa::{Form, OperandClass};

/// A dotted word that the table allows.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    pub(crate) opcode: Opcode,
    pub(crate) modifiers: Modifiers,
    /// The rows that allow these modifiers; they differ in their operands.
    pub(crate) forms: Vec<&'static Form>,
}

/// The reason why a dotted word is refused, and the bytes of it that are to blame.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) code: &'static str,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) message: String,
    pub(crate) note: Option<String>,
}

/// Looks a dotted word up in the table.
pub(crate) fn resolve(word: &str) -> Result<Resolved, Refusal> {
    let Some((opcode, mnemonic_len)) = longest_mnemonic(word) else {
        let end = word.find('.').unwrap_or(word.len());
        return Err(Refusal {
            code: "E-instruction",
            start: 0,
            end,
            message: format!("unknown instruction `{}`", &word[..end]),
            note: nearest(&word[..end], Opcode::ALL.iter().map(|o| o.text())),
        });
    };
    let mut modifiers = Modifiers::default();
    let mut spans = Vec::new();
    let mut at = mnemonic_len;
    for part in word[mnemonic_len..].split('.').skip(1) {
        let (start, end) = (at, at + 1 + part.len());
        at = end;
        let permitted = |m: Modifier| {
            opcode
                .forms()
                .iter()
                .any(|f| f.modifiers.iter().any(|s| s.choices.contains(&m)))
        };
        let known = Modifier::from_text(part).filter(|&m| permitted(m));
        let refuse = |message: String, note| Refusal {
            code: "E-modifier",
            start,
            end,
            message,
            note,
        };
        let Some(m) = known else {
            let choices = opcode.forms().iter().flat_map(|f| {
                f.modifiers
                    .iter()
                    .flat_map(|s| s.choices.iter().map(|m| m.text()))
            });
            return Err(refuse(
                format!("`{opcode}` takes no modifier `.{part}`"),
                nearest(part, choices),
            ));
        };
        // The assembler does not mind hearing these twice.
        if REPEATED.contains(&m) && modifiers.as_slice().contains(&m) {
            continue;
        }
        if leads(opcode, m) && !spans.is_empty() {
            let message = format!("`.{part}` stands right behind `{opcode}`");
            return Err(refuse(message, None));
        }
        if !modifiers.push(m) {
            return Err(refuse(format!("`{opcode}` has too many modifiers"), None));
        }
        spans.push((start, end));
    }
    let forms: Vec<&'static Form> = opcode
        .forms()
        .iter()
        .filter(|f| fit(f, modifiers.as_slice()) == Fit::Whole)
        .collect();
    if !forms.is_empty() {
        return Ok(Resolved {
            opcode,
            modifiers,
            forms,
        });
    }
    Err(explain(opcode, word, mnemonic_len, &modifiers, &spans))
}

/// Words that may be written more than once.
const REPEATED: [Modifier; 9] = [
    Modifier::Sync,
    Modifier::Approx,
    Modifier::Sat,
    Modifier::Satfinite,
    Modifier::Relu,
    Modifier::NaN,
    Modifier::Cc,
    Modifier::ShiftAmt,
    Modifier::Uni,
];

/// True if a word is as good as a part of the mnemonic, so that it comes first.
fn leads(opcode: Opcode, word: Modifier) -> bool {
    use {Modifier as M, Opcode as O};
    match word {
        M::Hi | M::Lo | M::Wide => matches!(
            opcode,
            O::Mul | O::Mad | O::MadC | O::Mul24 | O::Mad24 | O::Dp2a
        ),
        M::L | M::R => opcode == O::Shf,
        M::To => opcode == O::Cvta,
        M::Full => opcode == O::Div,
        M::Level => opcode == O::Txq,
        M::Proxy => opcode == O::MemBar,
        M::ExpectTx => matches!(opcode, O::MbarrierArrive | O::MbarrierArriveDrop),
        M::Parity => matches!(opcode, O::MbarrierTestWait | O::MbarrierTryWait),
        M::Fractional | M::Range | M::CvtPolicy => opcode == O::CreatePolicy,
        _ => false,
    }
}

/// The extent to which a row agrees with a list of modifiers.
#[derive(Debug, PartialEq, Eq)]
enum Fit {
    Whole,
    /// This modifier has no place in the row.
    Extra(usize),
    /// This slot must be filled and is not.
    Missing(usize),
}

/// Matches in the order of the manual first; then in any order, which the assembler takes as well
/// (`atom.add.relaxed.gpu.u32`).
fn fit(form: &Form, words: &[Modifier]) -> Fit {
    let mut next = 0;
    for slot in form.modifiers {
        match words.get(next) {
            Some(w) if slot.choices.contains(w) => next += 1,
            _ if slot.optional => {}
            _ => return fit_any_order(form, words),
        }
    }
    if next == words.len() {
        Fit::Whole
    } else {
        fit_any_order(form, words)
    }
}

fn fit_any_order(form: &Form, words: &[Modifier]) -> Fit {
    let mut used = 0u64;
    // Among themselves the types keep their order: result first, then sources. So do state spaces.
    let (mut types_from, mut spaces_from) = (0, 0);
    for (i, w) in words.iter().enumerate() {
        let from = match (w.scalar_type(), w.is_space()) {
            (Some(_), _) => types_from,
            (_, true) => spaces_from,
            _ => 0,
        };
        let free = |&(at, slot): &(usize, &crate::isa::Slot)| {
            at >= from && used >> at & 1 == 0 && slot.choices.contains(w)
        };
        // A slot that must be filled comes before one that may be: nothing is gained by the latter.
        let mut open = form.modifiers.iter().enumerate().filter(free);
        let first = open.clone().find(|(_, s)| !s.optional).or(open.next());
        match first {
            Some((at, _)) => {
                used |= 1 << at;
                if w.scalar_type().is_some() {
                    types_from = at + 1;
                }
                if w.is_space() {
                    spaces_from = at + 1;
                }
            }
            None => return Fit::Extra(i),
        }
    }
    match (0..form.modifiers.len()).find(|&i| used >> i & 1 == 0 && !form.modifiers[i].optional) {
        Some(i) => Fit::Missing(i),
        None => Fit::Whole,
    }
}

/// Explains the error by the row that agrees furthest.
fn explain(
    opcode: Opcode,
    word: &str,
    mnemonic_len: usize,
    modifiers: &Modifiers,
    spans: &[(usize, usize)],
) -> Refusal {
    let mut best: Option<(usize, Refusal)> = None;
    for form in opcode.forms() {
        let (score, refusal) = match fit(form, modifiers.as_slice()) {
            Fit::Whole => continue,
            Fit::Extra(i) => {
                let (start, end) = spans[i];
                let before = &word[..start];
                let given = if i == 0 {
                    format!("`{opcode}` takes no modifier `{}` here", &word[start..end])
                } else {
                    format!("`{}` may not follow `{before}`", &word[start..end])
                };
                let r = Refusal {
                    code: "E-modifier",
                    start,
                    end,
                    message: given,
                    note: None,
                };
                (i * 2, r)
            }
            Fit::Missing(slot) => {
                let choices = form.modifiers[slot].choices;
                let list: Vec<String> = choices.iter().map(|m| format!("`{m}`")).collect();
                let what = match list.as_slice() {
                    [one] => format!("needs {one}"),
                    many => format!("needs one of {}", many.join(", ")),
                };
                let r = Refusal {
                    code: "E-modifier",
                    start: 0,
                    end: word.len().max(mnemonic_len),
                    message: format!("`{word}` {what}"),
                    note: None,
                };
                (modifiers.as_slice().len() * 2 + 1, r)
            }
        };
        if best.as_ref().is_none_or(|(s, _)| score > *s) {
            best = Some((score, refusal));
        }
    }
    best.map_or_else(
        || Refusal {
            code: "E-modifier",
            start: 0,
            end: word.len(),
            message: format!("`{word}` is not a form of `{opcode}`"),
            note: None,
        },
        |(_, r)| r,
    )
}

/// Mnemonics have up to five words, as `cp.async.bulk.prefetch.tensor`.
fn longest_mnemonic(word: &str) -> Option<(Opcode, usize)> {
    let mut ends = [0usize; 5];
    let mut n = 0;
    let dots = word.bytes().enumerate().filter(|&(_, b)| b == b'.');
    for end in dots.map(|(i, _)| i).chain([word.len()]).take(5) {
        ends[n] = end;
        n += 1;
    }
    ends[..n]
        .iter()
        .rev()
        .find_map(|&end| Some((Opcode::from_text(&word[..end])?, end)))
}

/// The word closest to `word`, as a note, if any is close.
pub(crate) fn nearest(word: &str, choices: impl Iterator<Item = &'static str>) -> Option<String> {
    if word.len() > 40 {
        return None;
    }
    let limit = if word.len() <= 3 { 1 } else { 2 };
    choices
        .map(|c| (distance(word, c), c))
        .filter(|&(d, _)| d <= limit)
        .min_by_key(|&(d, _)| d)
        .map(|(_, c)| format!("did you mean `{c}`?"))
}

/// Edit distance; swapping neighbours counts once.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut rows = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = usize::from(a[i - 1] != b[j - 1]);
                let mut d = (rows[i - 1][j] + 1)
                    .min(rows[i][j - 1] + 1)
                    .min(rows[i - 1][j - 1] + change);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    d = d.min(rows[i - 2][j - 2] + 1);
                }
                d
            };
        }
    }
    rows[a.len()][b.len()]
}

impl Resolved {
    /// Checks the operands' number, classes and types; says which operand is wrong (`None`: their number) and why.
    pub(crate) fn check(
        &self,
        operands: &[Operand],
        names: &dyn Fn(&str) -> Option<Symbol>,
    ) -> Result<(), (Option<usize>, String)> {
        let typing = Typing {
            opcode: self.opcode,
            modifiers: &self.modifiers,
            names,
        };
        let mut wrong: Option<(usize, OperandClass)> = None;
        let mut mistyped: Option<(usize, String)> = None;
        for form in &self.forms {
            let required = form.operands.iter().filter(|o| !o.optional).count();
            if operands.len() < required || operands.len() > form.operands.len() {
                continue;
            }
            let bad = (operands.iter().zip(form.operands))
                .position(|(given, slot)| !accepts(slot.class, &given.kind));
            let badly_typed = || {
                (operands.iter().zip(form.operands).enumerate())
                    .find_map(|(i, (given, slot))| Some((i, typing.wrong(slot, given)?)))
            };
            match bad {
                None => match badly_typed() {
                    None => return Ok(()),
                    Some(found) => mistyped = mistyped.or(Some(found)),
                },
                Some(i) if wrong.is_none_or(|(best, _)| i > best) => {
                    wrong = Some((i, form.operands[i].class));
                }
                Some(_) => {}
            }
        }
        if let Some((i, why)) = mistyped {
            let text = format!(
                "operand {} of `{}{}`: {why}",
                i + 1,
                self.opcode,
                self.modifiers
            );
            return Err((Some(i), text));
        }
        if let Some((i, class)) = wrong {
            let text = format!(
                "operand {} of `{}{}` must be {}",
                i + 1,
                self.opcode,
                self.modifiers,
                class.describe()
            );
            return Err((Some(i), text));
        }
        let mut counts: Vec<usize> = self
            .forms
            .iter()
            .flat_map(|f| {
                let required = f.operands.iter().filter(|o| !o.optional).count();
                required..=f.operands.len()
            })
            .collect();
        counts.sort_unstable();
        counts.dedup();
        let list: Vec<String> = counts.iter().map(usize::to_string).collect();
        let plural = if counts == [1] { "" } else { "s" };
        let text = format!(
            "`{}{}` takes {} operand{plural}, not {}",
            self.opcode,
            self.modifiers,
            list.join(" or "),
            operands.len()
        );
        let max = counts.last().copied().unwrap_or(0);
        Err(((operands.len() > max).then_some(max), text))
    }
}

fn accepts(class: OperandClass, kind: &OperandKind) -> bool {
    use OperandKind as K;
    let register = matches!(kind, K::Register(_) | K::Selected { .. });
    let constant = matches!(kind, K::Integer { .. } | K::Float32(_) | K::Float64(_));
    match class {
        OperandClass::Destination => register,
        OperandClass::DestinationOrNone => register || matches!(kind, K::Sink),
        OperandClass::DestinationPair => register || matches!(kind, K::Pair(..)),
        OperandClass::DestinationPairOrNone => register || matches!(kind, K::Sink | K::Pair(..)),
        OperandClass::Source => {
            register
                || constant
                || matches!(kind, K::Negated(a) if accepts(OperandClass::Destination, &a.kind))
        }
        OperandClass::Pair => matches!(kind, K::Pair(..)),
        OperandClass::Converted => register || constant || matches!(kind, K::Special { .. }),
        OperandClass::SourceOrSymbol => register || constant || matches!(kind, K::Symbol { .. }),
        OperandClass::Moved => {
            accepts(OperandClass::Source, kind)
                || matches!(kind, K::Symbol { .. } | K::Special { .. } | K::Vector(_))
        }
        OperandClass::SignedSource => {
            register
                || constant
                || matches!(kind, K::Minus(a) if accepts(OperandClass::Destination, &a.kind))
        }
        OperandClass::Vector => {
            register
                || constant
                || matches!(kind, K::Vector(list) if list.iter().all(|o| {
                    accepts(OperandClass::Source, &o.kind) || o.kind == K::Sink
                }))
        }
        OperandClass::DestinationVector => match kind {
            K::Vector(list) => {
                let written = |o: &Operand| accepts(OperandClass::DestinationOrNone, &o.kind);
                list.iter().all(written)
            }
            _ => register,
        },
        OperandClass::Predicate => match kind {
            K::Negated(inner) => matches!(inner.kind, K::Register(_) | K::Special { .. }),
            K::Special { .. } | K::Integer { .. } => true,
            _ => register,
        },
        OperandClass::Address => matches!(kind, K::Address { .. }),
        OperandClass::Coordinates => matches!(kind, K::Address { .. } | K::Bracketed(_)),
        OperandClass::Symbol => matches!(kind, K::Symbol { .. }),
        OperandClass::Immediate => matches!(kind, K::Integer { .. }),
        OperandClass::Any => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_mnemonic_wins() {
        let of = |w| resolve(w).map(|r| r.opcode);
        assert_eq!(of("add.s32"), Ok(Opcode::Add));
        assert_eq!(of("cp.async.commit_group"), Ok(Opcode::CpAsyncCommitGroup));
        assert_eq!(of("bar.warp.sync"), Ok(Opcode::BarWarpSync));
        assert_eq!(of("bar.sync"), Ok(Opcode::Bar));
        assert_eq!(of("fence.proxy.async"), Ok(Opcode::FenceProxy));
        assert_eq!(of("fence.acq_rel.gpu"), Ok(Opcode::Fence));
    }

    #[test]
    fn other_orders_are_taken() {
        for w in ["atom.add.relaxed.gpu.u32", "ld.global.relaxed.gpu.u32"] {
            assert!(resolve(w).is_ok(), "{w}");
        }
    }

    #[test]
    fn refusals_name_the_word() {
        let say = |w| resolve(w).map(|_| ()).map_err(|r| (r.message, r.note));
        let refused = |m: &str, n: Option<&str>| Err((m.to_string(), n.map(str::to_string)));
        assert_eq!(
            say("ad.s32"),
            refused("unknown instruction `ad`", Some("did you mean `add`?"))
        );
        assert_eq!(
            say("add.s33"),
            refused(
                "`add` takes no modifier `.s33`",
                Some("did you mean `s32`?")
            )
        );
        assert_eq!(
            say("add.u32.sat"),
            refused("`.sat` may not follow `add.u32`", None)
        );
        assert_eq!(
            say("shl"),
            refused("`shl` needs one of `.b16`, `.b32`, `.b64`", None)
        );
    }
}
