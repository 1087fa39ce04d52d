//! Prints the instruction table, one form on a line: `[a|b]` must be given, `{a|b}` may be.

use cuox_ptx::isa::{Opcode, OperandClass};

fn main() {
    for &opcode in Opcode::ALL {
        for form in opcode.forms() {
            let mut line = opcode.to_string();
            for slot in form.modifiers {
                let words: Vec<&str> = slot.choices.iter().map(|m| m.text()).collect();
                let (open, close) = if slot.optional {
                    ('{', '}')
                } else {
                    ('[', ']')
                };
                line.push_str(&format!(" {open}{}{close}", words.join("|")));
            }
            let operands: Vec<String> = form
                .operands
                .iter()
                .map(|o| {
                    let name = match o.class {
                        OperandClass::Destination => "d",
                        OperandClass::DestinationOrNone => "d",
                        OperandClass::DestinationPair => "d|p",
                        OperandClass::DestinationPairOrNone | OperandClass::Pair => "d|p",
                        OperandClass::Source => "a",
                        OperandClass::Converted => "a",
                        OperandClass::SourceOrSymbol => "a",
                        OperandClass::Moved | OperandClass::DestinationVector => "vec",
                        OperandClass::SignedSource => "{-}a",
                        OperandClass::Vector => "vec",
                        OperandClass::Predicate => "{!}c",
                        OperandClass::Address => "[addr]",
                        OperandClass::Coordinates => "[t, {x}]",
                        OperandClass::Symbol => "label",
                        OperandClass::Immediate => "imm",
                        OperandClass::Any => "any",
                    };
                    let mark = if o.optional { "?" } else { "" };
                    format!("{name}{mark}")
                })
                .collect();
            println!("{line}\t{}\t{}", operands.join(", "), form.section);
        }
    }
}
