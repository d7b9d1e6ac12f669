//! Conversions (C11, 6.3): promotions, the usual arithmetic conversions,
//! decay, and the implicit conversions of assignment and calls.

use super::fold::as_constant;
use super::{
    FLOATING, Lvalue, Operand, Res, Sema, VARIABLE_ARGUMENTS, WIDE, constant, error, expr,
    unsupported,
};
use crate::hir::{
    BitField, Expr, ExprKind, InitEntry, Lifetime, Place, PlaceKind, RecordId, Stmt, StmtKind,
    Type, TypeId, Var,
};
use crate::syntax::ast::{self, IntKind, Range};
use crate::types::Types;

impl Sema {
    /// The value of an expression: arrays and functions decay.
    pub(super) fn value(&mut self, expr: &ast::Expr) -> Res<Expr> {
        let operand = self.operand(expr)?;
        self.rvalue(operand)
    }

    pub(super) fn rvalue(&mut self, operand: Operand) -> Res<Expr> {
        match operand {
            Operand::Value(value) => Ok(value),
            Operand::Function(id, range) => {
                let ty = self.types.pointer(self.functions[id.index()].ty);
                Ok(expr(ExprKind::FunctionAddr(id), ty, range))
            }
            Operand::Place(lvalue) => self.load(lvalue),
        }
    }

    /// The type of an operand before it is converted to a value.
    pub(super) fn operand_type(&self, operand: &Operand) -> TypeId {
        match operand {
            Operand::Value(value) => value.ty,
            Operand::Function(id, _) => self.functions[id.index()].ty,
            Operand::Place(lvalue) => self.types.unatomic(lvalue.declared),
        }
    }

    fn load(&mut self, lvalue: Lvalue) -> Res<Expr> {
        let Lvalue { place, declared } = lvalue;
        let range = place.range;
        let ty = self.types.unatomic(place.ty);
        match *self.types.get(ty) {
            Type::Array(element, _) | Type::VariableArray(element) => {
                let pointer = self.types.pointer(element);
                Ok(self.simplify(expr(ExprKind::AddrOf(place), pointer, range)))
            }
            Type::Void => match place.kind {
                PlaceKind::Deref(pointer) => Ok(expr(ExprKind::Cast(pointer), ty, range)),
                _ => error(range, "this has no value"),
            },
            Type::Record(_) if self.types.size_of(ty).is_none() => {
                let name = self.types.name(ty);
                error(range, format!("{name} is not complete, so it has no value"))
            }
            _ => match place.bits {
                None => Ok(expr(ExprKind::Load(place), ty, range)),
                Some(bits) => {
                    let load = expr(ExprKind::Load(place), ty, range);
                    Ok(self.bit_field_value(load, bits, declared))
                }
            },
        }
    }

    /// The value of a bit-field is an `int` if that holds all its values.
    pub(super) fn bit_field_value(
        &mut self,
        value: Expr,
        bits: BitField,
        declared: TypeId,
    ) -> Expr {
        let ty = self.bit_field_type(bits, declared);
        self.cast_integer(value, ty)
    }

    pub(super) fn bit_field_type(&mut self, bits: BitField, declared: TypeId) -> TypeId {
        let signed = self.types.integer(declared).is_some_and(|i| i.signed);
        match bits.width {
            0..=31 => Types::INT,
            32 if signed => Types::INT,
            32 => Types::UINT,
            _ => declared,
        }
    }

    fn cast_integer(&self, value: Expr, ty: TypeId) -> Expr {
        if value.ty == ty {
            return value;
        }
        let range = value.range;
        expr(ExprKind::Cast(value), ty, range)
    }

    /// The type after integer promotion.
    pub(super) fn promoted(&self, ty: TypeId) -> TypeId {
        match self.types.get(ty) {
            Type::Bool | Type::Int { kind: IntKind::Char | IntKind::Short, .. } => Types::INT,
            _ => ty,
        }
    }

    pub(super) fn promote(&mut self, value: Expr) -> Expr {
        let ty = self.promoted(value.ty);
        self.cast_scalar(value, ty)
    }

    /// The common type of two arithmetic operands.
    pub(super) fn common(&mut self, a: TypeId, b: TypeId) -> TypeId {
        match (self.types.get(a), self.types.get(b)) {
            (Type::Float { size: x }, Type::Float { size: y }) => {
                return if x >= y { a } else { b };
            }
            (Type::Float { .. }, _) => return a,
            (_, Type::Float { .. }) => return b,
            _ => {}
        }
        let (a, b) = (self.promoted(a), self.promoted(b));
        let (Type::Int { kind: ka, signed: sa }, Type::Int { kind: kb, signed: sb }) =
            (self.types.get(a).clone(), self.types.get(b).clone())
        else {
            return a;
        };
        if sa == sb {
            return if ka as u8 >= kb as u8 { a } else { b };
        }
        let (unsigned, unsigned_kind, signed, signed_kind) = match sa {
            true => (b, kb, a, ka),
            false => (a, ka, b, kb),
        };
        if unsigned_kind as u8 >= signed_kind as u8 {
            unsigned
        } else if self.types.size_of(signed) > self.types.size_of(unsigned) {
            signed
        } else {
            self.types.int(signed_kind, false)
        }
    }

    /// A conversion between scalar types, or to `void`, folded if constant.
    /// Requires that both types are such.
    pub(super) fn cast_scalar(&mut self, value: Expr, ty: TypeId) -> Expr {
        if value.ty == ty {
            return value;
        }
        let range = value.range;
        if let ExprKind::Unsupported(what) = &*value.kind {
            return unsupported(what, ty, range);
        }
        if ty == Types::VOID {
            return expr(ExprKind::Cast(value), ty, range);
        }
        if self.types.is_float(ty) || self.types.is_float(value.ty) {
            return unsupported(FLOATING, ty, range);
        }
        let too_wide = self.types.integer(ty).is_some_and(|i| i.bits > 64 && !i.signed);
        match as_constant(&value) {
            Some(number) if number < 0 && too_wide => unsupported(WIDE, ty, range),
            Some(number) => constant(self.wrap(number, ty), ty, range),
            None => expr(ExprKind::Cast(value), ty, range),
        }
    }

    /// The implicit conversion of assignments, arguments, initialisers and
    /// `return`. Pointers and integers convert into each other, as in old C.
    pub(super) fn convert(&mut self, value: Expr, to: TypeId) -> Res<Expr> {
        let ty = self.types.unatomic(to);
        if value.ty == ty {
            return Ok(value);
        }
        let range = value.range;
        if let ExprKind::Unsupported(what) = &*value.kind {
            return Ok(unsupported(what, ty, range));
        }
        let (from_scalar, to_scalar) = (self.types.is_scalar(value.ty), self.types.is_scalar(ty));
        if from_scalar && to_scalar {
            return Ok(self.cast_scalar(value, ty));
        }
        if matches!(self.types.get(ty), Type::VaList)
            || matches!(self.types.get(value.ty), Type::VaList)
        {
            return Ok(unsupported(VARIABLE_ARGUMENTS, ty, range));
        }
        match (self.types.as_record(value.ty), self.types.as_record(ty)) {
            (Some(from), Some(to)) if self.same_record(from, to) => Ok(self.reinterpret(value, ty)),
            (_, Some(union)) if self.transparent.contains(&union) => {
                self.union_of(value, ty, union)
            }
            _ => {
                let (from, to) = (self.types.name(value.ty), self.types.name(ty));
                error(range, format!("a value of type {from} does not convert to {to}"))
            }
        }
    }

    /// Two units may each define the same record.
    fn same_record(&self, a: RecordId, b: RecordId) -> bool {
        let (a, b) = (self.types.record(a), self.types.record(b));
        let size = |r: &crate::hir::Record| r.layout.as_ref().map(|l| l.size);
        a.tag == b.tag && a.is_union == b.is_union && size(a) == size(b)
    }

    /// A record seen as another one of the same layout.
    fn reinterpret(&mut self, value: Expr, ty: TypeId) -> Expr {
        let range = value.range;
        let from = self.types.pointer(value.ty);
        let to = self.types.pointer(ty);
        let place = match *value.kind {
            ExprKind::Load(place) => place,
            _ => Place { ty: value.ty, bits: None, range, kind: PlaceKind::Temporary(value) },
        };
        let address = expr(ExprKind::AddrOf(place), from, range);
        let place = Place {
            kind: PlaceKind::Deref(expr(ExprKind::Cast(address), to, range)),
            ty,
            bits: None,
            range,
        };
        expr(ExprKind::Load(place), ty, range)
    }

    /// A union that holds a value in the member of its type (else the first).
    pub(super) fn union_of(&mut self, value: Expr, ty: TypeId, union: RecordId) -> Res<Expr> {
        let range = value.range;
        let fields = match &self.types.record(union).layout {
            Some(layout) if !layout.fields.is_empty() => layout.fields.clone(),
            _ => return error(range, "this union has no members"),
        };
        let field = fields.iter().find(|f| f.ty == value.ty).unwrap_or(&fields[0]);
        let entry = InitEntry {
            offset: 0,
            bits: None,
            ty: field.ty,
            value: self.convert(value, field.ty)?,
        };
        let place = self.fresh_local(ty, range)?;
        let PlaceKind::Var(var) = place.kind else {
            return error(range, "a temporary union must be a variable");
        };
        let declare = Stmt { kind: StmtKind::Declare(var, Some(vec![entry])), range };
        let load = expr(ExprKind::Load(place), ty, range);
        Ok(expr(ExprKind::Stmt(vec![declare], Some(load)), ty, range))
    }

    /// A nameless local variable of the current function.
    pub(super) fn fresh_local(&mut self, ty: TypeId, range: Range) -> Res<Place> {
        let function = self.function_context(range)?.id;
        let var = self.new_var(Var {
            name: String::new(),
            ty,
            lifetime: Lifetime::Local(function),
            init: None,
            range,
        });
        Ok(Place { kind: PlaceKind::Var(var), ty, bits: None, range })
    }

    /// Default argument promotions: for variadic and unprototyped functions.
    pub(super) fn promote_argument(&mut self, value: Expr) -> Expr {
        match self.types.get(value.ty) {
            Type::Float { size: 0..8 } => {
                let double = self.types.float(8);
                self.cast_scalar(value, double)
            }
            _ => self.promote(value),
        }
    }

    /// A scalar that is compared with zero.
    pub(super) fn condition(&mut self, condition: &ast::Expr) -> Res<Expr> {
        let value = self.value(condition)?;
        self.as_condition(value)
    }

    pub(super) fn as_condition(&mut self, value: Expr) -> Res<Expr> {
        let range = value.range;
        if self.types.is_float(value.ty) {
            return Ok(unsupported(FLOATING, Types::INT, range));
        }
        if !self.types.is_scalar(value.ty) && !is_unsupported(&value) {
            let name = self.types.name(value.ty);
            return error(range, format!("a value of type {name} is no condition"));
        }
        Ok(self.without_widening(value))
    }

    /// Whether a value is zero does not change when it is widened.
    fn without_widening(&self, value: Expr) -> Expr {
        match *value.kind {
            ExprKind::Cast(inner)
                if self.types.is_integer(inner.ty)
                    && (value.ty == Types::BOOL
                        || self.types.size_of(inner.ty) <= self.types.size_of(value.ty)) =>
            {
                inner
            }
            kind => Expr { kind: Box::new(kind), ..value },
        }
    }
}

pub(super) fn is_unsupported(value: &Expr) -> bool {
    matches!(*value.kind, ExprKind::Unsupported(_))
}

/// A null pointer constant: zero as an integer or as `void *`.
pub(super) fn is_null(types: &Types, value: &Expr) -> bool {
    as_constant(value) == Some(0)
        && (types.is_integer(value.ty) || types.pointee(value.ty) == Some(Types::VOID))
}
