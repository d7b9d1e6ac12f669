//! gcc's type-generic atomic builtins: `__sync_*`, `__atomic_*` and clang's
//! `__c11_atomic_*`. They stay calls by name; only the type of the result and
//! of the value arguments is settled here, by what the first argument points to.

use super::{Res, Sema, constant, error, expr};
use crate::hir::{Callee, Expr, ExprKind, TypeId};
use crate::syntax::ast::{self, Range};
use crate::types::Types;

/// What an atomic builtin gives back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    /// A value of the type pointed to.
    Value,
    /// Whether it succeeded, or the old flag.
    Truth,
    Nothing,
}

/// An atomic builtin: its result, and which arguments are values to convert.
struct AtomicSignature {
    gives: Gives,
    values: &'static [usize],
}

impl Sema {
    /// A call of an atomic builtin, if the name is one.
    pub(super) fn atomic_builtin(
        &mut self,
        name: &str,
        args: &[ast::Expression],
        range: Range,
    ) -> Res<Option<Expr>> {
        if matches!(name, "__atomic_always_lock_free" | "__atomic_is_lock_free") {
            return self.lock_free(args, range).map(Some);
        }
        let Some(shape) = shape(name) else {
            return Ok(None);
        };
        let mut values = Vec::new();
        for arg in args {
            values.push(self.value(arg)?);
        }
        let target = match values.first() {
            Some(pointer) if needs_pointer(name) => atomic_target(&self.types, pointer, name)?,
            None if needs_pointer(name) => {
                return error(range, format!("`{name}` needs a pointer"));
            }
            _ => Types::VOID,
        };
        for &index in shape.values {
            if let Some(value) = values.get_mut(index)
                && target != Types::VOID
            {
                *value = self.build().convert(value.clone(), target)?;
            }
        }
        let ty = match shape.gives {
            Gives::Value => target,
            Gives::Truth => Types::BOOL,
            Gives::Nothing => Types::VOID,
        };
        let id = self.library_function(name, range);
        let call = ExprKind::Call(Callee::Direct(id), values);
        Ok(Some(expr(call, ty, range)))
    }

    /// Objects of up to 8 bytes are lock-free on x86.
    fn lock_free(&mut self, args: &[ast::Expression], range: Range) -> Res<Expr> {
        let Some(size) = args.first() else {
            return error(range, "the size of the object is missing");
        };
        let size = self.value(size)?;
        let small = self.constants.fold(&self.types, &size).is_some_and(|n| n <= 8);
        Ok(constant(i128::from(small), Types::BOOL, range))
    }
}

fn atomic_target(types: &Types, pointer: &Expr, name: &str) -> Res<TypeId> {
    match types.pointee(pointer.ty) {
        Some(target) => Ok(types.unatomic(target)),
        None => error(pointer.range, format!("`{name}` needs a pointer")),
    }
}

fn needs_pointer(name: &str) -> bool {
    !name.ends_with("_fence") && name != "__sync_synchronize"
}

fn shape(name: &str) -> Option<AtomicSignature> {
    if let Some(rest) = name.strip_prefix("__sync_") {
        return sync_shape(rest);
    }
    if let Some(rest) = name.strip_prefix("__c11_atomic_") {
        return c11_shape(rest);
    }
    gnu_shape(name.strip_prefix("__atomic_")?)
}

fn sync_shape(rest: &str) -> Option<AtomicSignature> {
    Some(match rest {
        "synchronize" | "lock_release" => new(Gives::Nothing, &[]),
        "bool_compare_and_swap" => new(Gives::Truth, &[1, 2]),
        "val_compare_and_swap" => new(Gives::Value, &[1, 2]),
        "lock_test_and_set" => new(Gives::Value, &[1]),
        _ if is_fetch(rest, "fetch_and_", "_and_fetch") => new(Gives::Value, &[1]),
        _ => return None,
    })
}

fn c11_shape(rest: &str) -> Option<AtomicSignature> {
    Some(match rest {
        "init" | "store" => new(Gives::Nothing, &[1]),
        "load" => new(Gives::Value, &[]),
        "exchange" => new(Gives::Value, &[1]),
        "compare_exchange_strong" | "compare_exchange_weak" => new(Gives::Truth, &[2]),
        "thread_fence" | "signal_fence" => new(Gives::Nothing, &[]),
        _ if is_fetch(rest, "fetch_", "_fetch") => new(Gives::Value, &[1]),
        _ => return None,
    })
}

fn gnu_shape(rest: &str) -> Option<AtomicSignature> {
    Some(match rest {
        "load_n" => new(Gives::Value, &[]),
        "load" | "store" | "exchange" | "clear" | "thread_fence" | "signal_fence" => {
            new(Gives::Nothing, &[])
        }
        "store_n" => new(Gives::Nothing, &[1]),
        "exchange_n" => new(Gives::Value, &[1]),
        "compare_exchange_n" => new(Gives::Truth, &[2]),
        "compare_exchange" | "test_and_set" => new(Gives::Truth, &[]),
        _ if is_fetch(rest, "fetch_", "_fetch") => new(Gives::Value, &[1]),
        _ => return None,
    })
}

fn new(gives: Gives, values: &'static [usize]) -> AtomicSignature {
    AtomicSignature { gives, values }
}

/// `fetch_add`, `add_fetch`, …
fn is_fetch(name: &str, before: &str, after: &str) -> bool {
    let op = name.strip_prefix(before).or_else(|| name.strip_suffix(after));
    matches!(op, Some("add" | "sub" | "and" | "or" | "xor" | "nand" | "min" | "max"))
}
