//! C's expressions. Values are expressions of the model over the thread's own
//! variables; what shared memory contributes is read into temporaries, one
//! access a step, from left to right.

use super::alternative::{extract_bits, insert_bits};
use super::arithmetic::{arithmetic, negation};
use super::build::{JoinPoint, set};
use super::locate::INDEX;
use super::manner::Manner;
use super::place::{Spot, Target};
use super::{Lowerer, fold, fragment};
use crate::Assumption;
use crate::hir::{
    BinaryOp, Callee, Expr as CExpr, ExprKind, Place, PlaceKind, Type as CType, TypeId, UnaryOp,
};
use ccfa::{BinOp, Expr, Order, Type, UnOp, Undefined};

impl Lowerer<'_> {
    /// Evaluates an expression for its effects only.
    pub(super) fn effect(&mut self, expr: &CExpr) {
        if self.t.is_evaluated(expr) {
            return;
        }
        let around = self.t.span;
        self.at(expr.range);
        self.evaluate_effect(expr);
        self.t.span = around;
    }

    fn evaluate_effect(&mut self, expr: &CExpr) {
        match &*expr.kind {
            ExprKind::Assign(place, value) if self.input.is_record(value) => {
                let target = self.target(place);
                self.assign_record(place, value, &target);
            }
            ExprKind::Assign(place, value) => {
                let number = self.expr(value);
                let target = self.target(place);
                let part = self.input.copied_part(&self.t, value);
                self.memory().store(place, &target, number, part);
            }
            ExprKind::Load(_) if self.input.is_record(expr) => {}
            ExprKind::Load(place) if self.input.may_be_unwritten(place).is_some() => {}
            ExprKind::Call(callee, args) => {
                self.call(expr, callee, args, None);
            }
            ExprKind::Cast(inner) if *self.input.unit.types.get(expr.ty) == CType::Void => {
                self.effect(inner)
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.effect(second);
            }
            ExprKind::Cond(condition, then, otherwise) => {
                let (mut yes, mut no, mut end) = (None, None, None);
                self.branch(condition, &mut yes, &mut no);
                self.t.resume(yes);
                self.effect(then);
                self.t.join_at(&mut end);
                self.t.resume(no);
                self.effect(otherwise);
                self.t.join_at(&mut end);
                self.t.resume(end);
            }
            ExprKind::Stmt(statements, value) => self.statement_expression(statements, |lowerer| {
                value.iter().for_each(|value| lowerer.effect(value));
            }),
            ExprKind::Load(place) => {
                self.t.discarded = Some(fragment::identity(place));
                self.expr(expr);
            }
            _ => {
                self.expr(expr);
            }
        }
    }

    /// The value of a scalar expression (of a void one: zero). Its steps have its place; those that
    /// follow, again that of what is around it.
    pub(super) fn expr(&mut self, expr: &CExpr) -> Expr {
        if let Some(value) = self.t.known(expr) {
            return value;
        }
        let around = self.t.span;
        self.at(expr.range);
        let value = self.evaluate(expr);
        self.t.span = around;
        value
    }

    fn evaluate(&mut self, expr: &CExpr) -> Expr {
        let ty = self.input.scalar_type(expr.ty).unwrap_or(Type::signed(32));
        match &*expr.kind {
            ExprKind::Const(value) => Expr::constant(*value, ty),
            ExprKind::FunctionAddr(function) => {
                if let Some(what) = &self.input.unit.functions[function.index()].limit {
                    self.t.unsupported(what.clone());
                }
                Expr::constant(i128::from(self.objects.function_address(*function)), ty)
            }
            ExprKind::Load(place) => self.load(place),
            ExprKind::AddrOf(place) => self.address(place),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, ty),
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.expr(left), self.expr(right));
                self.observations().observe(*op, (left, &a), (right, &b));
                let operand = self.input.scalar_type(left.ty).unwrap_or(ty);
                let amount = self.input.scalar_type(right.ty).unwrap_or(ty);
                self.at(expr.range);
                arithmetic(&self.input, &mut self.t, *op, (a, operand), (b, amount), ty)
            }
            ExprKind::PtrAdd(..) => self.moved(expr, ty),
            ExprKind::PtrDiff(left, right, size) => self.difference(left, right, *size, ty),
            ExprKind::And(..) | ExprKind::Or(..) => self.logical(expr, ty),
            ExprKind::Cond(condition, then, otherwise) => {
                self.conditional(condition, then, otherwise, ty)
            }
            ExprKind::Cast(inner) => self.cast(expr, inner, ty),
            ExprKind::Assign(place, value) => self.assign(place, value, ty),
            ExprKind::AssignOp { place, operand, .. } => self.assign_op(expr, place, operand),
            ExprKind::Call(callee, args) => {
                if self.input.is_output(callee) {
                    self.t.assumed.insert(Assumption::OutputSucceeds);
                }
                self.call(expr, callee, args, None)
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.expr(second)
            }
            ExprKind::Stmt(statements, value) => {
                self.statement_expression(statements, |lowerer| match value {
                    Some(value) => lowerer.expr(value),
                    None => Expr::Const(0, ty),
                })
            }
            ExprKind::Unsupported(what) => {
                self.t.unsupported(what.clone());
                Expr::Const(0, ty)
            }
        }
    }

    /// `pointer + index`
    fn moved(&mut self, expr: &CExpr, ty: Type) -> Expr {
        let ExprKind::PtrAdd(pointer, index, size) = &*expr.kind else {
            unreachable!("called for pointers that are moved only")
        };
        let base = self.expr(pointer);
        let index_ty = self.input.scalar_type(index.ty).unwrap_or(ty);
        self.observations().observe_index(index);
        let index = self.expr(index);
        let objects = self.resolver().pointees(pointer);
        self.observations().observe_distance(&objects, (&index, index_ty), *size);
        let moved = self.input.scaled(base.clone(), index, index_ty, *size);
        if !self.input.summaries.is_accessed(expr) {
            self.observations().observe_pointer(&objects, &base, &moved);
        }
        moved
    }

    /// `(left - right) / size`
    fn difference(&mut self, left: &CExpr, right: &CExpr, size: u64, ty: Type) -> Expr {
        let (a, b) = (self.expr(left), self.expr(right));
        self.observations().observe_order((left, &a), (right, &b));
        let pointer = self.input.pointer_type();
        if self.input.may_be_an_address(left) || self.input.may_be_an_address(right) {
            let zero = Expr::Const(0, pointer);
            let null = |value: &Expr| fold::binary(BinOp::Eq, pointer, value.clone(), zero.clone());
            let (one, other) = (null(&a), null(&b));
            let neither = Expr::negate(Expr::or(one.clone(), other.clone()));
            self.t.require(Expr::or(neither, Expr::and(one, other)), Undefined::UnrelatedPointers);
        }
        let difference = fold::binary(BinOp::Sub, pointer, a, b);
        let difference = fold::cast(ty, pointer, difference);
        let size = Expr::constant(i128::from(size.max(1)), ty);
        let rest = fold::binary(BinOp::Rem, ty, difference.clone(), size.clone());
        let whole = fold::binary(BinOp::Eq, ty, rest, Expr::constant(0, ty));
        self.t.require_supported(
            whole,
            "a distance of pointers that is no multiple of what they point to",
        );
        fold::binary(BinOp::Div, ty, difference, size)
    }

    /// Goes to `yes` or `no` as the scalar `condition` says.
    pub(super) fn branch(&mut self, condition: &CExpr, yes: &mut JoinPoint, no: &mut JoinPoint) {
        match &*condition.kind {
            _ if self.t.known(condition).is_some() => {
                let truth = self.truth(condition);
                self.t.branch_on(truth, yes, no);
            }
            ExprKind::And(left, right) if !self.input.is_simple(right) => {
                let mut middle = None;
                self.branch(left, &mut middle, no);
                self.t.resume(middle);
                self.branch(right, yes, no);
            }
            ExprKind::Or(left, right) if !self.input.is_simple(right) => {
                let mut middle = None;
                self.branch(left, yes, &mut middle);
                self.t.resume(middle);
                self.branch(right, yes, no);
            }
            ExprKind::Unary(UnaryOp::Not, operand) => self.branch(operand, no, yes),
            _ => {
                let truth = self.truth(condition);
                self.t.branch_on(truth, yes, no);
            }
        }
    }

    /// The value of a scalar expression with its type.
    pub(super) fn typed(&mut self, expr: &CExpr) -> (Expr, Type) {
        let ty = self.input.scalar_type(expr.ty).unwrap_or(INDEX);
        (self.expr(expr), ty)
    }

    /// The truth of a scalar expression.
    pub(super) fn truth(&mut self, expr: &CExpr) -> Expr {
        let ty = self.input.scalar_type(expr.ty).unwrap_or(Type::signed(32));
        let value = self.expr(expr);
        fold::truth(ty, value)
    }

    /// The address of a place. Nothing is accessed, so an index may point behind
    /// the last element.
    fn address(&mut self, place: &Place) -> Expr {
        let ty = self.input.pointer_type();
        if let PlaceKind::Index(array, index, size) = &place.kind {
            let base = self.address(array);
            let index_ty = self.input.scalar_type(index.ty).unwrap_or(ty);
            let index = self.expr(index);
            let objects = self.observations().objects_around(array);
            self.observations().observe_distance(&objects, (&index, index_ty), *size);
            let moved = self.input.scaled(base.clone(), index, index_ty, *size);
            self.observations().observe_pointer(&objects, &base, &moved);
            return moved;
        }
        let target = self.target(place);
        self.memory().address_of(&target).unwrap_or(Expr::Const(0, ty))
    }

    fn unary(&mut self, op: UnaryOp, operand: &CExpr, ty: Type) -> Expr {
        match op {
            UnaryOp::Not => {
                let truth = self.truth(operand);
                fold::number(ty, Expr::negate(truth))
            }
            UnaryOp::BitNot => {
                let value = self.expr(operand);
                self.observations().observe_number(operand, &value);
                fold::unary(UnOp::BitNot, ty, value)
            }
            UnaryOp::Neg => {
                let value = self.expr(operand);
                self.observations().observe_number(operand, &value);
                let value = fold::cast(ty, self.input.int_type(operand), value);
                negation(&self.input, &mut self.t, ty, value)
            }
        }
    }

    fn logical(&mut self, expr: &CExpr, ty: Type) -> Expr {
        let (ExprKind::And(left, right) | ExprKind::Or(left, right)) = &*expr.kind else {
            unreachable!("called for && and || only")
        };
        if self.input.is_simple(right) {
            let (a, b) = (self.truth(left), self.truth(right));
            let is_and = matches!(*expr.kind, ExprKind::And(..));
            return fold::number(ty, if is_and { Expr::and(a, b) } else { Expr::or(a, b) });
        }
        let (mut yes, mut no, mut end) = (None, None, None);
        self.branch(expr, &mut yes, &mut no);
        let temp = self.t.temp(ty);
        for (point, value) in [(yes, 1), (no, 0)] {
            self.t.resume(point);
            self.t.step(Expr::TRUE, vec![set(temp, Expr::Const(value, ty))]);
            self.t.join_at(&mut end);
        }
        self.t.resume(end);
        Expr::Var(temp)
    }

    fn conditional(
        &mut self,
        condition: &CExpr,
        then: &CExpr,
        otherwise: &CExpr,
        ty: Type,
    ) -> Expr {
        if self.input.is_simple(then) && self.input.is_simple(otherwise) {
            let condition = self.truth(condition);
            let (a, b) = (self.expr(then), self.expr(otherwise));
            return Expr::ite(condition, a, b);
        }
        let (mut yes, mut no, mut end) = (None, None, None);
        self.branch(condition, &mut yes, &mut no);
        let temp = self.t.temp(ty);
        for (point, value) in [(yes, then), (no, otherwise)] {
            self.t.resume(point);
            let value = self.expr(value);
            self.t.step(Expr::TRUE, vec![set(temp, value)]);
            self.t.join_at(&mut end);
        }
        self.t.resume(end);
        Expr::Var(temp)
    }

    fn cast(&mut self, expr: &CExpr, inner: &CExpr, ty: Type) -> Expr {
        if *self.input.unit.types.get(expr.ty) == CType::Void {
            self.effect(inner);
            return Expr::Const(0, ty);
        }
        if let (ExprKind::Call(Callee::Direct(function), args), Some(pointee)) =
            (&*inner.kind, self.input.unit.types.pointee(expr.ty))
            && self.input.is_allocator(*function)
        {
            return self.allocate(inner, *function, args, Some(pointee));
        }
        let types = &self.input.unit.types;
        let floating = |id| types.is_float(types.unatomic(id));
        if floating(expr.ty) != floating(inner.ty)
            || floating(expr.ty) && self.input.size_of(expr.ty) != self.input.size_of(inner.ty)
        {
            self.t.unsupported("floating-point arithmetic");
            return Expr::Const(0, ty);
        }
        let Some(from) = self.input.scalar_type(inner.ty) else {
            self.t.unsupported(format!(
                "a conversion from `{}`",
                self.input.unit.types.name(inner.ty)
            ));
            return Expr::Const(0, ty);
        };
        let value = self.expr(inner);
        if *self.input.unit.types.get(expr.ty) == CType::Bool {
            return fold::number(ty, fold::truth(from, value));
        }
        if super::alternative::width(ty) < super::alternative::width(from) {
            self.observations().observe_number(inner, &value);
        }
        fold::cast(ty, from, value)
    }

    pub(super) fn load(&mut self, place: &Place) -> Expr {
        if let Some(constant) = self.t.bound_constant(place) {
            return constant;
        }
        let Some(ty) = self.input.scalar_type(place.ty) else {
            self.t
                .unsupported(format!("a value of type `{}`", self.input.unit.types.name(place.ty)));
            return Expr::Const(0, Type::signed(32));
        };
        let target = self.target(place);
        let manner = self.input.manner(place);
        self.memory().read_scalar(place, &target, ty, manner)
    }

    /// The value of a scalar place that lies there.
    pub(super) fn load_from(&mut self, place: &Place, target: &Target) -> Expr {
        match self.input.scalar_type(place.ty) {
            Some(ty) => {
                let manner = self.input.manner(place);
                self.memory().read_scalar(place, target, ty, manner)
            }
            None => self.load(place),
        }
    }

    fn assign(&mut self, place: &Place, source: &CExpr, ty: Type) -> Expr {
        let mut value = self.expr(source);
        self.memory().refuse_as_number(source);
        let target = self.target(place);
        // The value may speak of what is about to be overwritten.
        if !matches!(value, Expr::Const(..)) {
            value = self.t.keep(value, ty);
        }
        self.memory().store(place, &target, value.clone(), None);
        assigned(place, ty, value)
    }

    fn assign_op(&mut self, node: &CExpr, place: &Place, operand: &CExpr) -> Expr {
        let amount = self.typed(operand);
        let target = self.target(place);
        self.assign_op_with(node, &target, amount)
    }

    /// `x op= y` where it is known where `x` lies.
    pub(super) fn assign_op_at(&mut self, node: &CExpr, target: &Target) -> Expr {
        let ExprKind::AssignOp { operand, .. } = &*node.kind else {
            unreachable!("called for assignments with an operator only")
        };
        let amount = self.typed(operand);
        self.assign_op_with(node, target, amount)
    }

    fn assign_op_with(&mut self, node: &CExpr, target: &Target, amount: (Expr, Type)) -> Expr {
        let ExprKind::AssignOp { place, result_is_old, .. } = &*node.kind else {
            unreachable!("called for assignments with an operator only")
        };
        let Some(ty) = self.input.scalar_type(place.ty) else {
            self.t
                .unsupported(format!("a value of type `{}`", self.input.unit.types.name(place.ty)));
            return Expr::Const(0, Type::signed(32));
        };
        let atomic = matches!(self.input.unit.types.get(place.ty), CType::Atomic(_));
        if atomic {
            self.memory().assume_values_of(target);
            self.t.begin_atomic();
        }
        // An atomic one is a read and a write at once: the write says so.
        let manner = if atomic { Manner::Internal } else { self.input.manner(place) };
        let current = self.memory().read_scalar(place, target, ty, manner);
        let old = self.t.keep(current, ty);
        let new = self.updated(node, old.clone(), amount);
        let result = self.t.keep(new, ty);
        let manner = if atomic { Manner::Update(Order::SeqCst) } else { manner };
        self.memory().store_as(place, target, result.clone(), (manner, None));
        if atomic {
            self.t.end_atomic();
        }
        if *result_is_old { old } else { assigned(place, ty, result) }
    }

    /// What a node `x op= y` makes of the old value of `x`, with `y` of this type.
    pub(super) fn updated(&mut self, node: &CExpr, old: Expr, amount: (Expr, Type)) -> Expr {
        let ExprKind::AssignOp { place, op, operand, compute, scale, .. } = &*node.kind else {
            unreachable!("called for assignments with an operator only")
        };
        let (to, op, (amount, amount_ty)) = (place.ty, *op, amount);
        self.observations().observe(op, (&load_of(place), &old), (operand, &amount));
        let types = &self.input.unit.types;
        if types.is_pointer(types.unatomic(to)) {
            let (index, index_ty) = match op {
                BinaryOp::Sub => {
                    let wide = self.input.pointer_type();
                    let amount = fold::cast(wide, amount_ty, amount);
                    (fold::unary(UnOp::Neg, wide, amount), wide)
                }
                _ => (amount, amount_ty),
            };
            let objects = self.resolver().pointees(&load_of(place));
            self.observations().observe_distance(&objects, (&index, index_ty), *scale);
            let moved = self.input.scaled(old.clone(), index, index_ty, *scale);
            self.observations().observe_pointer(&objects, &old, &moved);
            return moved;
        }
        let ty = self.input.scalar_type(to).unwrap_or(amount_ty);
        let compute = self.input.scalar_type(*compute).unwrap_or(ty);
        let left = fold::cast(compute, ty, old);
        let (left, right) = ((left, compute), (amount, amount_ty));
        let value = arithmetic(&self.input, &mut self.t, op, left, right, compute);
        self.input.convert(to, compute, value, ty)
    }

    /// Copies the record that lies at `source`. All of an `_Atomic` one is read at once.
    pub(super) fn copy_from(&mut self, place: &Place, source: &Target, target: &Target) {
        let ty = self.input.unit.types.unatomic(place.ty);
        if ty == place.ty {
            return self.memory().copy_record(ty, source, target);
        }
        let atomic = Manner::atomic(Order::SeqCst);
        self.through_temporary(ty, |lowerer, middle| {
            lowerer.t.begin_atomic();
            lowerer.memory().copy_record_as(ty, (source, atomic), (middle, Manner::PLAIN));
            lowerer.t.end_atomic();
            lowerer.memory().copy_record(ty, middle, target);
        });
    }

    /// Assigns a record to a place that lies at `target`. All of an `_Atomic` one is written at once.
    pub(super) fn assign_record(&mut self, place: &Place, value: &CExpr, target: &Target) {
        if self.memory().is_const(target) {
            return self.t.undefined(Undefined::ConstWritten);
        }
        let ty = self.input.unit.types.unatomic(place.ty);
        if ty == place.ty {
            return self.record_into(value, target);
        }
        let atomic = Manner::atomic(Order::SeqCst);
        self.through_temporary(ty, |lowerer, middle| {
            lowerer.record_into(value, middle);
            lowerer.t.begin_atomic();
            lowerer.memory().copy_record_as(ty, (middle, Manner::PLAIN), (target, atomic));
            lowerer.t.end_atomic();
        });
    }

    /// Does something with a record of the thread's own.
    fn through_temporary(&mut self, ty: TypeId, action: impl FnOnce(&mut Self, &Target)) {
        match self.objects.temporary(&self.input.unit.types, "record", ty) {
            Ok(object) => action(self, &Target::Spot(Spot::start(object))),
            Err(what) => self.t.unsupported(what),
        }
    }

    /// Evaluates a record and puts it into a target, cell by cell.
    pub(super) fn record_into(&mut self, expr: &CExpr, target: &Target) {
        if let Some(source) = self.t.known_record(expr) {
            return self.memory().copy_record(expr.ty, &source, target);
        }
        match &*expr.kind {
            ExprKind::Load(place) => {
                let source = self.target(place);
                self.copy_from(place, &source, target);
                if !self.input.is_compound_literal(place) {
                    self.memory().spoil_locks(expr.ty, target);
                }
            }
            ExprKind::Assign(place, value) => {
                let middle = self.target(place);
                self.assign_record(place, value, &middle);
                self.memory().copy_record(expr.ty, &middle, target);
            }
            ExprKind::Call(callee, args) if self.input.is_hidden(&self.objects, target) => {
                self.call(expr, callee, args, Some(target));
            }
            // The function may look at the target while it makes its result.
            ExprKind::Call(callee, args) => self.through_temporary(expr.ty, |lowerer, result| {
                lowerer.call(expr, callee, args, Some(result));
                lowerer.memory().copy_record(expr.ty, result, target);
            }),
            ExprKind::Cast(inner) => self.record_into(inner, target),
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.record_into(second, target);
            }
            ExprKind::Cond(condition, then, otherwise) => {
                let (mut yes, mut no, mut end) = (None, None, None);
                self.branch(condition, &mut yes, &mut no);
                for (point, value) in [(yes, then), (no, otherwise)] {
                    self.t.resume(point);
                    self.record_into(value, target);
                    self.t.join_at(&mut end);
                }
                self.t.resume(end);
            }
            ExprKind::Stmt(statements, value) => self.statement_expression(statements, |lowerer| {
                value.iter().for_each(|value| lowerer.record_into(value, target));
            }),
            ExprKind::Unsupported(what) => self.t.unsupported(what.clone()),
            _ => self.t.unsupported("this use of a record"),
        }
    }
}

/// The value of a place.
fn load_of(place: &Place) -> CExpr {
    CExpr { kind: Box::new(ExprKind::Load(place.clone())), ty: place.ty, range: place.range }
}

/// The value of a place after this was assigned to it.
pub fn assigned(place: &Place, ty: Type, value: Expr) -> Expr {
    match place.bits {
        None => value,
        Some(bits) => {
            let unit = insert_bits(bits, ty, Expr::Const(0, ty), value);
            extract_bits(bits, ty, unit)
        }
    }
}
