//! C's expressions. Values are expressions of the model over the thread's own
//! variables; what shared memory contributes is read into temporaries, one
//! access a step, from left to right.

use super::build::{Meeting, set};
use super::manner::Manner;
use super::place::Target;
use super::{Lowerer, cells, fold};
use crate::hir::{
    BinaryOp, Callee, Expr as CExpr, ExprKind, Lifetime, Place, PlaceKind, Type as CType, TypeId,
    UnaryOp,
};
use ccfa::{BinOp, ErrorKind, Expr, LocKind, Order, Type, UnOp, Undefined};

/// Copies of records with more cells than this are not modelled.
const MAX_COPY: u64 = 4096;

impl Lowerer<'_> {
    /// Evaluates an expression for its effects only.
    pub(super) fn effect(&mut self, expr: &CExpr) {
        self.at(expr.range);
        match &*expr.kind {
            ExprKind::Assign(place, value) if self.is_record(value) => {
                let target = self.target(place);
                self.record_into(value, &target);
            }
            ExprKind::Assign(place, value) => {
                let value = self.expr(value);
                let target = self.target(place);
                self.store(place, &target, value);
            }
            ExprKind::Load(_) if self.is_record(expr) => {}
            ExprKind::Call(callee, args) => {
                self.call(expr, callee, args, None);
            }
            ExprKind::Cast(inner) if *self.unit.types.get(expr.ty) == CType::Void => {
                self.effect(inner)
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.effect(second);
            }
            ExprKind::Cond(condition, then, otherwise) => {
                let (mut yes, mut no, mut end) = (None, None, None);
                self.branch(condition, &mut yes, &mut no);
                self.resume(yes);
                self.effect(then);
                self.meet(&mut end);
                self.resume(no);
                self.effect(otherwise);
                self.meet(&mut end);
                self.resume(end);
            }
            ExprKind::Stmt(statements, value) => {
                self.statements(statements);
                if let Some(value) = value {
                    self.effect(value);
                }
            }
            _ => {
                self.expr(expr);
            }
        }
    }

    /// The value of a scalar expression (of a void one: zero).
    pub(super) fn expr(&mut self, expr: &CExpr) -> Expr {
        self.at(expr.range);
        let ty = self.scalar_type(expr.ty).unwrap_or(Type::signed(32));
        match &*expr.kind {
            ExprKind::Const(value) => Expr::constant(*value, ty),
            ExprKind::FunctionAddr(function) => {
                Expr::constant(i128::from(self.function_address(*function)), ty)
            }
            ExprKind::Load(place) => self.load(place),
            ExprKind::AddrOf(place) => self.address(place),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, ty),
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.expr(left), self.expr(right));
                let operand = self.scalar_type(left.ty).unwrap_or(ty);
                let amount = self.scalar_type(right.ty).unwrap_or(ty);
                self.arithmetic(*op, operand, a, amount, b, ty)
            }
            ExprKind::PtrAdd(pointer, index, size) => {
                let base = self.expr(pointer);
                let index_ty = self.scalar_type(index.ty).unwrap_or(ty);
                let index = self.expr(index);
                self.scaled(base, index, index_ty, *size)
            }
            ExprKind::PtrDiff(left, right, size) => {
                let (a, b) = (self.expr(left), self.expr(right));
                let pointer = self.pointer_type();
                let difference = fold::binary(BinOp::Sub, pointer, a, b);
                let difference = fold::cast(ty, pointer, difference);
                fold::binary(
                    BinOp::Div,
                    ty,
                    difference,
                    Expr::constant(i128::from((*size).max(1)), ty),
                )
            }
            ExprKind::And(..) | ExprKind::Or(..) => self.logical(expr, ty),
            ExprKind::Cond(condition, then, otherwise) => {
                self.conditional(condition, then, otherwise, ty)
            }
            ExprKind::Cast(inner) => self.cast(expr, inner, ty),
            ExprKind::Assign(place, value) => self.assign(place, value, ty),
            ExprKind::AssignOp { place, op, operand, compute, scale, result_is_old } => {
                self.assign_op(place, *op, operand, *compute, *scale, *result_is_old)
            }
            ExprKind::Call(callee, args) => self.call(expr, callee, args, None),
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.expr(second)
            }
            ExprKind::Stmt(statements, value) => {
                self.statements(statements);
                match value {
                    Some(value) => self.expr(value),
                    None => Expr::Const(0, ty),
                }
            }
            ExprKind::Unsupported(what) => {
                self.unsupported(what.clone());
                Expr::Const(0, ty)
            }
        }
    }

    /// Goes to `yes` or `no` as the scalar `condition` says.
    pub(super) fn branch(&mut self, condition: &CExpr, yes: &mut Meeting, no: &mut Meeting) {
        match &*condition.kind {
            ExprKind::And(left, right) if !self.is_simple(right) => {
                let mut middle = None;
                self.branch(left, &mut middle, no);
                self.resume(middle);
                self.branch(right, yes, no);
            }
            ExprKind::Or(left, right) if !self.is_simple(right) => {
                let mut middle = None;
                self.branch(left, yes, &mut middle);
                self.resume(middle);
                self.branch(right, yes, no);
            }
            ExprKind::Unary(UnaryOp::Not, operand) => self.branch(operand, no, yes),
            _ => {
                let truth = self.truth(condition);
                self.branch_on(truth, yes, no);
            }
        }
    }

    /// Goes to `yes` or `no` as a truth value says.
    pub(super) fn branch_on(&mut self, truth: Expr, yes: &mut Meeting, no: &mut Meeting) {
        let here = self.t.here;
        let was_dead = self.t.dead;
        for (guard, meeting) in [(truth.clone(), yes), (Expr::negate(truth), no)] {
            if guard == Expr::FALSE {
                continue;
            }
            self.t.here = here;
            self.t.dead = was_dead;
            self.step(guard, vec![]);
            self.meet(meeting);
        }
    }

    /// The truth of a scalar expression.
    pub(super) fn truth(&mut self, expr: &CExpr) -> Expr {
        let ty = self.scalar_type(expr.ty).unwrap_or(Type::signed(32));
        let value = self.expr(expr);
        fold::truth(ty, value)
    }

    /// Can it be evaluated without a step?
    fn is_simple(&self, expr: &CExpr) -> bool {
        match &*expr.kind {
            ExprKind::Const(_) | ExprKind::FunctionAddr(_) => true,
            ExprKind::Load(Place { kind: PlaceKind::Var(var), bits: None, .. }) => {
                let lifetime = self.unit.vars[var.index()].lifetime;
                matches!(lifetime, Lifetime::Local(_))
                    && !self.escapes(*var)
                    && self.scalar_type(expr.ty).is_some()
            }
            ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => self.is_simple(operand),
            ExprKind::Binary(op, left, right) => {
                let constant =
                    matches!(*right.kind, ExprKind::Const(value) if (1..8).contains(&value));
                let checked =
                    matches!(op, BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr);
                (!checked || constant) && self.is_simple(left) && self.is_simple(right)
            }
            ExprKind::PtrAdd(a, b, _) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.is_simple(a) && self.is_simple(b)
            }
            ExprKind::Cond(a, b, c) => self.is_simple(a) && self.is_simple(b) && self.is_simple(c),
            _ => false,
        }
    }

    /// The address of a place. Nothing is accessed, so an index may point behind
    /// the last element.
    fn address(&mut self, place: &Place) -> Expr {
        let ty = self.pointer_type();
        if let PlaceKind::Index(array, index, size) = &place.kind {
            let base = self.address(array);
            let index_ty = self.scalar_type(index.ty).unwrap_or(ty);
            let index = self.expr(index);
            return self.scaled(base, index, index_ty, *size);
        }
        let target = self.target(place);
        self.address_of(&target).unwrap_or(Expr::Const(0, ty))
    }

    fn unary(&mut self, op: UnaryOp, operand: &CExpr, ty: Type) -> Expr {
        match op {
            UnaryOp::Not => {
                let truth = self.truth(operand);
                fold::number(ty, Expr::negate(truth))
            }
            UnaryOp::BitNot => {
                let value = self.expr(operand);
                fold::unary(UnOp::BitNot, ty, value)
            }
            UnaryOp::Neg => {
                let value = self.expr(operand);
                self.wrapping(ty, |ty| {
                    fold::unary(
                        UnOp::Neg,
                        ty,
                        fold::cast(ty, self.int_type(operand), value.clone()),
                    )
                })
            }
        }
    }

    fn int_type(&self, expr: &CExpr) -> Type {
        self.scalar_type(expr.ty).unwrap_or(Type::signed(32))
    }

    /// Signed arithmetic as the user wants it: ending at an overflow, or wrapping.
    fn wrapping(&self, ty: Type, compute: impl Fn(Type) -> Expr) -> Expr {
        match ty {
            Type::Bits { width, signed: true } if self.options.signed_wraps => {
                let unsigned = Type::unsigned(width);
                fold::cast(ty, unsigned, compute(unsigned))
            }
            _ => compute(ty),
        }
    }

    /// `a op b`; `b_ty` differs from the operand type only for shifts.
    pub(super) fn arithmetic(
        &mut self,
        op: BinaryOp,
        ty: Type,
        a: Expr,
        b_ty: Type,
        b: Expr,
        result: Type,
    ) -> Expr {
        let compare = |op, a, b| fold::number(result, fold::binary(op, ty, a, b));
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                let op = match op {
                    BinaryOp::Add => BinOp::Add,
                    BinaryOp::Sub => BinOp::Sub,
                    _ => BinOp::Mul,
                };
                self.wrapping(ty, |wide| {
                    fold::binary(
                        op,
                        wide,
                        fold::cast(wide, ty, a.clone()),
                        fold::cast(wide, ty, b.clone()),
                    )
                })
            }
            BinaryOp::Div | BinaryOp::Rem => {
                let zero = Expr::Const(0, ty);
                let nonzero = fold::binary(BinOp::Ne, ty, b.clone(), zero);
                self.require(nonzero, Undefined::DivisionByZero);
                let op = if op == BinaryOp::Div { BinOp::Div } else { BinOp::Rem };
                fold::binary(op, ty, a, b)
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let bits = Expr::constant(i128::from(super::alternative::width(ty)), b_ty);
                let mut fits = fold::binary(BinOp::Lt, b_ty, b.clone(), bits);
                if matches!(b_ty, Type::Bits { signed: true, .. }) {
                    let low = fold::binary(BinOp::Le, b_ty, Expr::Const(0, b_ty), b.clone());
                    fits = Expr::and(low, fits);
                }
                self.require(fits, Undefined::ShiftAmount);
                let op = if op == BinaryOp::Shl { BinOp::Shl } else { BinOp::Shr };
                fold::binary(op, ty, a, b)
            }
            BinaryOp::BitAnd => fold::binary(BinOp::BitAnd, ty, a, b),
            BinaryOp::BitOr => fold::binary(BinOp::BitOr, ty, a, b),
            BinaryOp::BitXor => fold::binary(BinOp::BitXor, ty, a, b),
            BinaryOp::Lt => compare(BinOp::Lt, a, b),
            BinaryOp::Le => compare(BinOp::Le, a, b),
            BinaryOp::Gt => compare(BinOp::Lt, b, a),
            BinaryOp::Ge => compare(BinOp::Le, b, a),
            BinaryOp::Eq => compare(BinOp::Eq, a, b),
            BinaryOp::Ne => compare(BinOp::Ne, a, b),
        }
    }

    fn logical(&mut self, expr: &CExpr, ty: Type) -> Expr {
        let (ExprKind::And(left, right) | ExprKind::Or(left, right)) = &*expr.kind else {
            unreachable!("called for && and || only")
        };
        if self.is_simple(right) {
            let (a, b) = (self.truth(left), self.truth(right));
            let is_and = matches!(*expr.kind, ExprKind::And(..));
            return fold::number(ty, if is_and { Expr::and(a, b) } else { Expr::or(a, b) });
        }
        let (mut yes, mut no, mut end) = (None, None, None);
        self.branch(expr, &mut yes, &mut no);
        let temp = self.temp(ty);
        for (meeting, value) in [(yes, 1), (no, 0)] {
            self.resume(meeting);
            self.step(Expr::TRUE, vec![set(temp, Expr::Const(value, ty))]);
            self.meet(&mut end);
        }
        self.resume(end);
        Expr::Var(temp)
    }

    fn conditional(
        &mut self,
        condition: &CExpr,
        then: &CExpr,
        otherwise: &CExpr,
        ty: Type,
    ) -> Expr {
        if self.is_simple(then) && self.is_simple(otherwise) {
            let condition = self.truth(condition);
            let (a, b) = (self.expr(then), self.expr(otherwise));
            return Expr::ite(condition, a, b);
        }
        let (mut yes, mut no, mut end) = (None, None, None);
        self.branch(condition, &mut yes, &mut no);
        let temp = self.temp(ty);
        for (meeting, value) in [(yes, then), (no, otherwise)] {
            self.resume(meeting);
            let value = self.expr(value);
            self.step(Expr::TRUE, vec![set(temp, value)]);
            self.meet(&mut end);
        }
        self.resume(end);
        Expr::Var(temp)
    }

    fn cast(&mut self, expr: &CExpr, inner: &CExpr, ty: Type) -> Expr {
        if *self.unit.types.get(expr.ty) == CType::Void {
            self.effect(inner);
            return Expr::Const(0, ty);
        }
        if let (ExprKind::Call(Callee::Direct(function), args), Some(pointee)) =
            (&*inner.kind, self.unit.types.pointee(expr.ty))
            && self.is_allocator(*function)
        {
            return self.allocate(inner, *function, args, Some(pointee));
        }
        let types = &self.unit.types;
        let floating = |id| matches!(types.get(types.unatomic(id)), CType::Float { .. });
        if floating(expr.ty) != floating(inner.ty)
            || floating(expr.ty) && self.size_of(expr.ty) != self.size_of(inner.ty)
        {
            self.unsupported("floating-point arithmetic");
            return Expr::Const(0, ty);
        }
        let Some(from) = self.scalar_type(inner.ty) else {
            self.unsupported(format!("a conversion from `{}`", self.unit.types.name(inner.ty)));
            return Expr::Const(0, ty);
        };
        let value = self.expr(inner);
        if *self.unit.types.get(expr.ty) == CType::Bool {
            return fold::number(ty, fold::truth(from, value));
        }
        fold::cast(ty, from, value)
    }

    pub(super) fn load(&mut self, place: &Place) -> Expr {
        if let PlaceKind::Var(var) = &place.kind
            && let Some(constant) = self.t.frames.last().and_then(|frame| frame.bound.get(var))
        {
            return constant.clone();
        }
        let Some(ty) = self.scalar_type(place.ty) else {
            self.unsupported(format!("a value of type `{}`", self.unit.types.name(place.ty)));
            return Expr::Const(0, Type::signed(32));
        };
        let target = self.target(place);
        let unit = self.read(&target, ty, self.size_of(place.ty), self.manner(place));
        match place.bits {
            None => unit,
            Some(bits) => self.extract_bits(bits, ty, unit),
        }
    }

    fn assign(&mut self, place: &Place, value: &CExpr, ty: Type) -> Expr {
        let mut value = self.expr(value);
        let target = self.target(place);
        // The value may speak of what is about to be overwritten.
        if !matches!(value, Expr::Const(..)) {
            let kept = self.temp(ty);
            self.step(Expr::TRUE, vec![set(kept, value)]);
            value = Expr::Var(kept);
        }
        self.store(place, &target, value.clone());
        match place.bits {
            None => value,
            Some(bits) => {
                let low = fold::binary(
                    BinOp::Shl,
                    Type::unsigned(super::alternative::width(ty)),
                    value,
                    Expr::Const(i128::from(bits.shift), ty),
                );
                self.extract_bits(bits, ty, low)
            }
        }
    }

    /// Writes a value of the place's type.
    pub(super) fn store(&mut self, place: &Place, target: &Target, value: Expr) {
        self.store_as(place, target, value, self.manner(place));
    }

    fn store_as(&mut self, place: &Place, target: &Target, value: Expr, manner: Manner) {
        let Some(ty) = self.scalar_type(place.ty) else {
            self.unsupported(format!("a value of type `{}`", self.unit.types.name(place.ty)));
            return;
        };
        let size = self.size_of(place.ty);
        match place.bits {
            None => self.write(target, ty, size, &value, manner),
            // Bit-fields share their unit: it is read, changed and written back. In C that is a write.
            Some(bits) => {
                let unit = self.read(target, ty, size, Manner::Internal);
                let unit = self.insert_bits(bits, ty, unit, value);
                self.write(target, ty, size, &unit, manner);
            }
        }
    }

    fn assign_op(
        &mut self,
        place: &Place,
        op: BinaryOp,
        operand: &CExpr,
        compute: TypeId,
        scale: u64,
        result_is_old: bool,
    ) -> Expr {
        let Some(ty) = self.scalar_type(place.ty) else {
            self.unsupported(format!("a value of type `{}`", self.unit.types.name(place.ty)));
            return Expr::Const(0, Type::signed(32));
        };
        let operand_ty = self.scalar_type(operand.ty).unwrap_or(ty);
        let amount = self.expr(operand);
        let target = self.target(place);
        let atomic = matches!(self.unit.types.get(place.ty), CType::Atomic(_));
        if atomic {
            self.begin_atomic();
        }
        let size = self.size_of(place.ty);
        // An atomic one is a read and a write at once: the write says so.
        let manner = if atomic { Manner::Internal } else { self.manner(place) };
        let unit = self.read(&target, ty, size, manner);
        let current = match place.bits {
            None => unit,
            Some(bits) => self.extract_bits(bits, ty, unit),
        };
        let old = self.temp(ty);
        self.step(Expr::TRUE, vec![set(old, current)]);
        let old = Expr::Var(old);
        let new = if self.unit.types.is_pointer(self.unit.types.unatomic(place.ty)) {
            let (index, index_ty) = match op {
                BinaryOp::Sub => {
                    let wide = Type::unsigned(super::alternative::width(self.pointer_type()));
                    let amount = fold::cast(wide, operand_ty, amount);
                    (fold::unary(UnOp::Neg, wide, amount), wide)
                }
                _ => (amount, operand_ty),
            };
            self.scaled(old.clone(), index, index_ty, scale)
        } else {
            let compute_ty = self.scalar_type(compute).unwrap_or(ty);
            let left = fold::cast(compute_ty, ty, old.clone());
            let value = self.arithmetic(op, compute_ty, left, operand_ty, amount, compute_ty);
            self.convert(place.ty, compute_ty, value, ty)
        };
        let result = self.temp(ty);
        self.step(Expr::TRUE, vec![set(result, new)]);
        let manner = if atomic { Manner::Update(Order::SeqCst) } else { manner };
        self.store_as(place, &target, Expr::Var(result), manner);
        if atomic {
            self.end_atomic();
        }
        match (result_is_old, place.bits) {
            (true, _) => old,
            (false, None) => Expr::Var(result),
            (false, Some(bits)) => {
                let unit = self.insert_bits(bits, ty, Expr::Const(0, ty), Expr::Var(result));
                self.extract_bits(bits, ty, unit)
            }
        }
    }

    /// A number converted to a C type.
    fn convert(&self, to: TypeId, from: Type, value: Expr, ty: Type) -> Expr {
        match self.unit.types.get(self.unit.types.unatomic(to)) {
            CType::Bool => fold::number(ty, fold::truth(from, value)),
            _ => fold::cast(ty, from, value),
        }
    }

    pub(super) fn is_record(&self, expr: &CExpr) -> bool {
        matches!(self.unit.types.get(self.unit.types.unatomic(expr.ty)), CType::Record(_))
    }

    /// Evaluates a record and puts it into a target, cell by cell.
    pub(super) fn record_into(&mut self, expr: &CExpr, target: &Target) {
        match &*expr.kind {
            ExprKind::Load(place) => {
                let source = self.target(place);
                self.copy_record(expr.ty, &source, target);
            }
            ExprKind::Assign(place, value) => {
                let middle = self.target(place);
                self.record_into(value, &middle);
                self.copy_record(expr.ty, &middle, target);
            }
            ExprKind::Call(callee, args) => {
                self.call(expr, callee, args, Some(target));
            }
            ExprKind::Cast(inner) => self.record_into(inner, target),
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.record_into(second, target);
            }
            ExprKind::Cond(condition, then, otherwise) => {
                let (mut yes, mut no, mut end) = (None, None, None);
                self.branch(condition, &mut yes, &mut no);
                for (meeting, value) in [(yes, then), (no, otherwise)] {
                    self.resume(meeting);
                    self.record_into(value, target);
                    self.meet(&mut end);
                }
                self.resume(end);
            }
            ExprKind::Stmt(statements, value) => {
                self.statements(statements);
                if let Some(value) = value {
                    self.record_into(value, target);
                }
            }
            ExprKind::Unsupported(what) => self.unsupported(what.clone()),
            _ => self.unsupported("this use of a record"),
        }
    }

    pub(super) fn copy_record(&mut self, ty: TypeId, from: &Target, to: &Target) {
        let groups = match cells::flatten(&self.unit.types, ty) {
            Ok(groups) => groups,
            Err(what) => return self.unsupported(what),
        };
        if groups.iter().map(|group| group.len()).sum::<u64>() > MAX_COPY {
            return self.unsupported("a copy of a large record");
        }
        for group in &groups {
            for offset in group.offsets() {
                let (source, destination) =
                    (self.at_offset(from, offset), self.at_offset(to, offset));
                let value = self.read(&source, group.ty, group.size, Manner::PLAIN);
                self.write(&destination, group.ty, group.size, &value, Manner::PLAIN);
            }
        }
    }

    /// Stops for ever unless the condition holds.
    pub(super) fn assume(&mut self, condition: Expr) {
        self.step(condition, vec![]);
    }

    /// The property is violated here.
    pub(super) fn error(&mut self, kind: ErrorKind) {
        self.end(LocKind::Error(kind));
    }
}
