//! Calls from generated code to the engine's helpers and to wide functions. All take words (I64) and return one.

use crate::jit::code::symbol::{Helper, Symbol};
use crate::jit::emit::value::Emit;
use cranelift_codegen::ir::{AbiParam, InstBuilder, SigRef, Signature, Value, types};
use cranelift_codegen::isa::CallConv;

/// Largest number of parameters of a called function: those that fit into registers.
const MOST_PARAMS: usize = 6;

/// Signatures that a function under construction has imported, by number of parameters.
pub type Signatures = [Option<SigRef>; MOST_PARAMS + 1];

/// Returns the signature of a function that takes `params` words and returns one.
pub fn words_to_word(convention: CallConv, params: usize) -> Signature {
    let mut signature = Signature::new(convention);
    signature.params = vec![AbiParam::new(types::I64); params];
    signature.returns.push(AbiParam::new(types::I64));
    signature
}

impl Emit<'_, '_> {
    /// Calls a helper.
    pub fn call(&mut self, helper: Helper, args: &[Value]) -> Value {
        debug_assert_eq!(args.len(), helper.params(), "{helper:?}");
        let target = self.address_of(Symbol::Helper(helper));
        self.call_address(target, args)
    }

    /// Calls the function at an address.
    pub fn call_address(&mut self, target: Value, args: &[Value]) -> Value {
        let convention = self.b.func.signature.call_conv;
        let signature = *self.signatures[args.len()].get_or_insert_with(|| {
            let signature = words_to_word(convention, args.len());
            self.b.import_signature(signature)
        });
        let call = self.b.ins().call_indirect(signature, target, args);
        self.b.inst_results(call)[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_helper_has_its_parameters_in_registers() {
        for helper in Helper::ALL {
            assert!((1..=MOST_PARAMS).contains(&helper.params()), "{helper:?}");
        }
    }
}
