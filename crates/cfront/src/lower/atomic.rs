//! GNU's `__sync_*` and `__atomic_*` builtins, which C11's `<stdatomic.h>`
//! expands to. Each is one atomic section, whose steps interleave as under sequential consistency; its
//! accesses say which memory order the source asks for. An operation that reads and writes is an
//! update; a compare-and-swap is a read (with its failure order) that an update follows if it
//! succeeds, and both are one event.
//!
//! Also here: conditions to wait for, which are evaluated in the waiting step.

use super::access::Ways;
use super::arithmetic::arithmetic;
use super::input::Input;
use super::manner::Manner;
use super::place::Target;
use super::{Lowerer, Memory, fold};
use crate::hir::{Expr as CExpr, ExprKind, Place, Type as CType, UnaryOp};
use ccfa::{AccessKind, BinOp, Expr, Order, Type, UnOp};

impl Lowerer<'_> {
    /// A call of an atomic builtin, if it is one.
    pub(super) fn atomic_builtin(
        &mut self,
        call: &CExpr,
        name: &str,
        args: &[CExpr],
    ) -> Option<Expr> {
        let name = name.strip_prefix("__c11").map_or(name.to_string(), |rest| format!("_{rest}"));
        let operation = name.strip_prefix("__sync_").or_else(|| name.strip_prefix("__atomic_"))?;
        let result = self.input.scalar_type(call.ty).unwrap_or(Type::signed(32));
        if matches!(operation, "synchronize" | "thread_fence" | "signal_fence") {
            let order = args.first().map(|order| self.expr(order));
            let order = self.input.order(order.as_ref());
            self.t.fence(match operation {
                "signal_fence" => AccessKind::SignalFence(order),
                _ => AccessKind::Fence(order),
            });
            return Some(Expr::Const(0, result));
        }
        if matches!(operation, "always_lock_free" | "is_lock_free") {
            return Some(Expr::Const(1, result));
        }
        let pointer = args.first()?;
        let Some(cell) = self.input.pointed_scalar(pointer) else {
            self.t.unsupported(format!("`{name}` on an object that is not a scalar"));
            return Some(Expr::Const(0, result));
        };
        let values: Vec<(Expr, Type)> = args
            .iter()
            .map(|arg| (self.expr(arg), self.input.scalar_type(arg.ty).unwrap_or(result)))
            .collect();
        let orders = self.input.orders(&name, operation, &values);
        let target = self.memory().pointed(&values[0].0, pointer);
        let place = Scalar { target, ty: cell.0, size: cell.1, orders: Some(orders) };
        self.t.begin_atomic();
        self.memory().refuse_parts(pointer, &place.target, place.size);
        let memory = self.memory();
        let answer =
            AtomicOperation { memory, args, values: &values, place: &place }.perform(operation);
        self.t.end_atomic();
        Some(match answer {
            Some(Answer::Value(value)) => fold::cast(result, place.ty, value),
            Some(Answer::Truth(truth)) => fold::number(result, truth),
            None => {
                self.t.unsupported(format!("`{name}`"));
                Expr::Const(0, result)
            }
        })
    }

    /// The truth of a condition, evaluated wholly in the step that asks for it. That its pointers are valid
    /// is asked in one step before.
    pub(super) fn pure(&mut self, condition: &CExpr) -> Option<Expr> {
        let mut reads = Vec::new();
        let truth = self.pure_truth(condition, &mut reads)?;
        for read in &reads {
            self.memory().fail_unless(&read.target, read.size, &read.ways);
        }
        if !reads.is_empty() {
            let valid = fold::all(reads.into_iter().map(|read| read.possible).collect());
            self.t.step(valid, vec![]);
        }
        Some(truth)
    }

    /// The truth of a condition, if what is put into `reads` is possible.
    fn pure_truth(&mut self, condition: &CExpr, reads: &mut Vec<PureRead>) -> Option<Expr> {
        let ty = self.input.scalar_type(condition.ty)?;
        let value = self.pure_value(condition, reads)?;
        Some(fold::truth(ty, value))
    }

    fn pure_value(&mut self, expr: &CExpr, reads: &mut Vec<PureRead>) -> Option<Expr> {
        let ty = self.input.scalar_type(expr.ty)?;
        match &*expr.kind {
            ExprKind::Const(value) => Some(Expr::constant(*value, ty)),
            ExprKind::Load(place) => self.pure_load(place, ty, reads),
            ExprKind::Cast(inner) => {
                let from = self.input.scalar_type(inner.ty)?;
                let value = self.pure_value(inner, reads)?;
                Some(fold::cast(ty, from, value))
            }
            ExprKind::Unary(UnaryOp::Not, operand) => {
                let truth = self.pure_truth(operand, reads)?;
                Some(fold::number(ty, Expr::negate(truth)))
            }
            ExprKind::And(left, right) => {
                let (a, b) = (self.pure_truth(left, reads)?, self.pure_truth(right, reads)?);
                Some(fold::number(ty, Expr::and(a, b)))
            }
            ExprKind::Or(left, right) => {
                let (a, b) = (self.pure_truth(left, reads)?, self.pure_truth(right, reads)?);
                Some(fold::number(ty, Expr::or(a, b)))
            }
            ExprKind::Binary(op, left, right) => {
                let operand = self.input.scalar_type(left.ty)?;
                // What may be undefined would have to be asked in a step before.
                if !op.is_always_defined() {
                    return None;
                }
                let (a, b) = (self.pure_value(left, reads)?, self.pure_value(right, reads)?);
                Some(arithmetic(&self.input, &mut self.t, *op, (a, operand), (b, operand), ty))
            }
            _ => None,
        }
    }

    fn pure_load(&mut self, place: &Place, ty: Type, reads: &mut Vec<PureRead>) -> Option<Expr> {
        if let Some(constant) = self.t.bound_constant(place) {
            return Some(constant);
        }
        let target = self.target(place);
        let size = self.input.size_of(place.ty);
        let ways = self.memory().alternatives(&target, size)?;
        let possible = ways.list.iter().fold(Expr::FALSE, |any, one| Expr::or(any, one.possible()));
        let (last, others) = ways.list.split_last()?;
        let value = others.iter().rfold(last.value(ty), |rest, one| {
            Expr::ite(one.condition.clone(), one.value(ty), rest)
        });
        if possible != Expr::TRUE && !reads.iter().any(|read| read.possible == possible) {
            reads.push(PureRead { target, size, ways, possible });
        }
        Some(value)
    }
}

impl Input<'_> {
    /// The memory orders an operation asks for. Those of `__sync_*` are the strongest, but for the
    /// two that say otherwise.
    fn orders(&self, name: &str, operation: &str, args: &[(Expr, Type)]) -> Orders {
        let order = |number: usize| self.order(args.get(number).map(|(order, _)| order));
        let success = match operation {
            "lock_test_and_set" => Order::Acquire,
            "lock_release" => Order::Release,
            _ if name.starts_with("__sync_") => Order::SeqCst,
            "compare_exchange_n" | "compare_exchange" => order(4),
            "load_n" | "test_and_set" | "clear" => order(1),
            "load" if args.len() == 2 => order(1),
            "exchange" => order(3),
            _ => order(2),
        };
        let failure = match operation {
            "compare_exchange_n" | "compare_exchange" => order(5),
            _ => success,
        };
        Orders { success, failure }
    }

    /// Type and size of the scalar a pointer points to, looking through casts
    /// to `void *`.
    fn pointed_scalar(&self, pointer: &CExpr) -> Option<(Type, u64)> {
        let pointee = self.unit.types.pointee(pointer.ty)?;
        if let Some(ty) = self.scalar_type(pointee) {
            return Some((ty, self.size_of(pointee)));
        }
        match &*pointer.kind {
            ExprKind::Cast(inner) if *self.unit.types.get(pointee) == CType::Void => {
                self.pointed_scalar(inner)
            }
            // `atomic_flag` is a record of one small field.
            _ => match self.size_of(pointee) {
                1 => Some((Type::unsigned(8), 1)),
                _ => None,
            },
        }
    }
}

/// A read of memory in a condition that is evaluated in one step.
struct PureRead {
    target: Target,
    size: u64,
    ways: Ways,
    /// It goes one of the ways.
    possible: Expr,
}

/// An atomic operation: its arguments, their values, and the place it works on.
struct AtomicOperation<'o, 'r, 'a> {
    memory: Memory<'r, 'a>,
    args: &'o [CExpr],
    values: &'o [(Expr, Type)],
    place: &'o Scalar,
}

/// A scalar in memory.
#[derive(Clone)]
struct Scalar {
    target: Target,
    ty: Type,
    size: u64,
    /// The memory orders of atomic accesses; `None` for plain ones.
    orders: Option<Orders>,
}

/// The memory orders of an operation.
#[derive(Clone, Copy)]
struct Orders {
    success: Order,
    /// Of the read of a compare-and-swap.
    failure: Order,
}

/// What an atomic operation answers.
enum Answer {
    Value(Expr),
    Truth(Expr),
}

impl Memory<'_, '_> {
    /// The target behind a pointer with a known value.
    fn pointed(&mut self, value: &Expr, pointer: &CExpr) -> Target {
        let objects = match value {
            Expr::Const(..) => vec![],
            _ => self.resolver().pointees(pointer),
        };
        Target::Address { value: value.clone(), objects, shape: None }
    }
}

impl AtomicOperation<'_, '_, '_> {
    /// An argument as a value of the place's type.
    fn value(&self, number: usize) -> Option<Expr> {
        let (value, ty) = self.values.get(number)?;
        Some(fold::cast(self.place.ty, *ty, value.clone()))
    }

    /// What lies behind an argument that is a pointer: a plain object.
    fn behind(&mut self, number: usize) -> Scalar {
        let target = self.memory.pointed(&self.values[number].0, &self.args[number]);
        Scalar { target, orders: None, ..*self.place }
    }

    fn perform(&mut self, operation: &str) -> Option<Answer> {
        let place = self.place;
        match operation {
            "load_n" => return Some(Answer::Value(self.fetch(place))),
            "load" if self.args.len() == 2 => return Some(Answer::Value(self.fetch(place))),
            "load" => {
                let (current, to) = (self.fetch(place), self.behind(1));
                self.put(&to, &current);
            }
            "store_n" => self.put(place, &self.value(1)?),
            "store" => {
                let from = self.behind(1);
                let new = self.fetch(&from);
                self.put(place, &new);
            }
            "exchange_n" | "lock_test_and_set" => {
                let old = self.fetch_as(place, Manner::Internal);
                self.update(place, &self.value(1)?);
                return Some(Answer::Value(old));
            }
            "exchange" => {
                let (from, to) = (self.behind(1), self.behind(2));
                let new = self.fetch(&from);
                let old = self.fetch_as(place, Manner::Internal);
                self.update(place, &new);
                self.put(&to, &old);
            }
            "test_and_set" => {
                let old = self.fetch_as(place, Manner::Internal);
                self.update(place, &Expr::constant(1, place.ty));
                return Some(Answer::Truth(fold::truth(place.ty, old)));
            }
            "clear" | "lock_release" => self.put(place, &Expr::Const(0, place.ty)),
            "bool_compare_and_swap"
            | "val_compare_and_swap"
            | "compare_exchange_n"
            | "compare_exchange" => return self.conditional_exchange(operation),
            _ => return self.fetch_and_modify(operation, self.value(1)?),
        }
        Some(Answer::Value(Expr::Const(0, place.ty)))
    }

    /// The operations that write only if they find what is expected.
    fn conditional_exchange(&mut self, operation: &str) -> Option<Answer> {
        let place = self.place;
        if let "bool_compare_and_swap" | "val_compare_and_swap" = operation {
            let (old, truth) = self.swap(place, self.value(1)?, self.value(2)?, false);
            let gives_truth = operation == "bool_compare_and_swap";
            return Some(if gives_truth { Answer::Truth(truth) } else { Answer::Value(old) });
        }
        let expected = self.behind(1);
        let new = match operation {
            "compare_exchange" => {
                let from = self.behind(2);
                self.fetch(&from)
            }
            _ => self.value(2)?,
        };
        let weak = !matches!(self.values.get(3), Some((Expr::Const(0, _), _)));
        Some(Answer::Truth(self.compare_exchange(place, &expected, new, weak)))
    }

    /// `fetch_add`, `add_fetch`, `fetch_and_add`, `add_and_fetch`, …
    fn fetch_and_modify(&mut self, operation: &str, operand: Expr) -> Option<Answer> {
        let place = self.place;
        let words: Vec<&str> = operation
            .split('_')
            .filter(|word| *word != "and" || operation.matches("and").count() > 1)
            .collect();
        let (wants_old, op) = match words[..] {
            ["fetch", op] | ["fetch", "and", op] => (true, op),
            [op, "fetch"] | [op, "and", "fetch"] => (false, op),
            _ if operation == "fetch_and" => (true, "and"),
            _ if operation == "and_fetch" => (false, "and"),
            _ => return None,
        };
        let wide = Type::unsigned(super::alternative::width(place.ty));
        let old = self.fetch_as(place, Manner::Internal);
        let (a, b) = (fold::cast(wide, place.ty, old.clone()), fold::cast(wide, place.ty, operand));
        // Atomic arithmetic wraps, also on signed types.
        let new = match op {
            "add" => fold::binary(BinOp::Add, wide, a, b),
            "sub" => fold::binary(BinOp::Sub, wide, a, b),
            "and" => fold::binary(BinOp::BitAnd, wide, a, b),
            "or" => fold::binary(BinOp::BitOr, wide, a, b),
            "xor" => fold::binary(BinOp::BitXor, wide, a, b),
            "nand" => fold::unary(UnOp::BitNot, wide, fold::binary(BinOp::BitAnd, wide, a, b)),
            _ => return None,
        };
        let new = self.memory.t.keep(fold::cast(place.ty, wide, new), place.ty);
        self.update(place, &new);
        Some(Answer::Value(if wants_old { old } else { new }))
    }

    /// Compare and swap: the old value, and whether it was exchanged. A weak one
    /// may fail for no reason.
    fn swap(&mut self, place: &Scalar, expected: Expr, new: Expr, weak: bool) -> (Expr, Expr) {
        let failure = place.orders.map_or(Manner::PLAIN, |orders| Manner::atomic(orders.failure));
        let old = self.fetch_as(place, failure);
        let mut equal = fold::binary(BinOp::Eq, place.ty, old.clone(), expected);
        if weak {
            let willing = self.memory.t.arbitrary(Type::unsigned(1));
            equal = Expr::and(equal, fold::truth(Type::unsigned(1), willing));
        }
        let truth = self.memory.t.keep(fold::number(Type::unsigned(1), equal), Type::unsigned(1));
        let truth = fold::truth(Type::unsigned(1), truth);
        let (no, mut end) = (self.memory.t.enter_if(truth.clone()), None);
        self.update(place, &new);
        self.memory.t.join_at(&mut end);
        self.memory.t.resume(no);
        self.memory.t.join_at(&mut end);
        self.memory.t.resume(end);
        (old, truth)
    }

    fn compare_exchange(
        &mut self,
        place: &Scalar,
        expected: &Scalar,
        new: Expr,
        weak: bool,
    ) -> Expr {
        let wanted = self.fetch(expected);
        let wanted = self.memory.t.keep(wanted, place.ty);
        let (old, truth) = self.swap(place, wanted, new, weak);
        let (mut yes, mut no, mut end) = (None, None, None);
        self.memory.t.branch_on(truth.clone(), &mut yes, &mut no);
        self.memory.t.resume(no);
        self.put(expected, &old);
        self.memory.t.join_at(&mut end);
        self.memory.t.resume(yes);
        self.memory.t.join_at(&mut end);
        self.memory.t.resume(end);
        truth
    }

    /// Reads: an access of its own.
    fn fetch(&mut self, place: &Scalar) -> Expr {
        let manner = place.orders.map_or(Manner::PLAIN, |orders| Manner::atomic(orders.success));
        self.fetch_as(place, manner)
    }

    fn fetch_as(&mut self, place: &Scalar, manner: Manner) -> Expr {
        self.memory.assume_values_of(&place.target);
        let value = self.memory.read(&place.target, place.ty, place.size, manner);
        self.memory.t.keep(value, place.ty)
    }

    /// Writes: an access of its own.
    fn put(&mut self, place: &Scalar, value: &Expr) {
        let manner = place.orders.map_or(Manner::PLAIN, |orders| Manner::atomic(orders.success));
        self.memory.write(&place.target, place.ty, place.size, value, manner);
    }

    /// Writes what was computed from a value fetched before: the two are one update.
    fn update(&mut self, place: &Scalar, value: &Expr) {
        let manner = place.orders.map_or(Manner::PLAIN, |orders| Manner::Update(orders.success));
        self.memory.write(&place.target, place.ty, place.size, value, manner);
    }
}
