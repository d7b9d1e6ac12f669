//! Places: dereferences, members, elements, addresses, compound literals.

use super::init::Init;
use super::{Lvalue, Operand, Res, Sema, error, expr};
use crate::hir::{Expr, ExprKind, Lifetime, Place, PlaceKind, Stmt, StmtKind, Type, TypeId, Var};
use crate::syntax::ast::{self, Ident, InitItem, Range, TypeName};
use crate::types::Types;

impl Sema {
    /// The place an expression denotes; what it must be, if it is none.
    pub(super) fn lvalue(&mut self, expr: &ast::Expr) -> Res<Lvalue> {
        let range = self.at(expr.range);
        match self.operand(expr)? {
            Operand::Place(lvalue) => Ok(lvalue),
            Operand::Value(value) if super::convert::is_unsupported(&value) => {
                Ok(self.unsupported_place(value))
            }
            _ => error(range, "this is not a variable that can be changed"),
        }
    }

    /// What is not supported stays so when it is used as a place.
    pub(super) fn unsupported_place(&mut self, value: Expr) -> Lvalue {
        let ty = value.ty;
        let pointer = self.types.pointer(ty);
        whole(Place {
            ty,
            bits: None,
            range: value.range,
            kind: PlaceKind::Deref(Expr { ty: pointer, ..value }),
        })
    }

    /// `*e`
    pub(super) fn deref(&mut self, pointer: Expr, range: Range) -> Res<Operand> {
        let Some(target) = self.types.pointee(pointer.ty) else {
            let name = self.types.name(pointer.ty);
            return error(range, format!("`*` needs a pointer, not a value of type {name}"));
        };
        if self.types.is_function(target) {
            return Ok(Operand::Value(pointer));
        }
        let place = match *pointer.kind {
            ExprKind::AddrOf(inner) if inner.ty == target => Place { range, ..inner },
            ExprKind::AddrOf(array) if self.types.element(array.ty) == Some(target) => {
                return self.element(array, super::constant(0, Types::INT, range), range);
            }
            kind => Place {
                kind: PlaceKind::Deref(Expr { kind: Box::new(kind), ..pointer }),
                ty: target,
                bits: None,
                range,
            },
        };
        Ok(Operand::Place(whole(place)))
    }

    /// `&e`
    pub(super) fn address_of(&mut self, operand: Operand, range: Range) -> Res<Expr> {
        let lvalue = match operand {
            Operand::Function(..) => return self.rvalue(operand),
            Operand::Place(lvalue) => lvalue,
            Operand::Value(value) => {
                let is_function = self
                    .types
                    .pointee(value.ty)
                    .is_some_and(|target| self.types.is_function(target));
                if is_function {
                    return Ok(value);
                }
                if super::convert::is_unsupported(&value) {
                    self.unsupported_place(value)
                } else {
                    return error(range, "a value that is in no variable has no address");
                }
            }
        };
        if lvalue.place.bits.is_some() {
            return error(range, "a bit-field has no address");
        }
        let ty = self.types.pointer(lvalue.place.ty);
        Ok(match lvalue.place.kind {
            PlaceKind::Deref(pointer) if pointer.ty == ty => Expr { range, ..pointer },
            _ => self.simplify(expr(ExprKind::AddrOf(lvalue.place), ty, range)),
        })
    }

    /// `a[i]`, also `i[a]`.
    pub(super) fn index(&mut self, a: &ast::Expr, i: &ast::Expr, range: Range) -> Res<Operand> {
        let base = self.operand(a)?;
        if let Operand::Place(lvalue) = base {
            if self.types.element(lvalue.place.ty).is_some() {
                let index = self.value(i)?;
                return self.element(lvalue.place, index, range);
            }
            let base = self.rvalue(Operand::Place(lvalue))?;
            return self.index_pointer(base, i, range);
        }
        let base = self.rvalue(base)?;
        self.index_pointer(base, i, range)
    }

    fn index_pointer(&mut self, base: Expr, i: &ast::Expr, range: Range) -> Res<Operand> {
        let other = self.value(i)?;
        let (pointer, index) = match self.types.is_pointer(base.ty) {
            true => (base, other),
            false => (other, base),
        };
        if !self.types.is_pointer(pointer.ty) {
            return error(range, "`[]` needs an array or a pointer");
        }
        let sum = self.pointer_add(pointer, index, range)?;
        self.deref(sum, range)
    }

    /// An element of an array that is a place.
    fn element(&mut self, array: Place, index: Expr, range: Range) -> Res<Operand> {
        let Some(ty) = self.types.element(array.ty) else {
            return error(range, "`[]` needs an array or a pointer");
        };
        if !self.types.is_integer(index.ty) && !super::convert::is_unsupported(&index) {
            return error(index.range, "an index must be an integer");
        }
        let Some(size) = self.types.size_of(ty) else {
            return self.unknown_size(ty, range);
        };
        Ok(Operand::Place(whole(Place {
            kind: PlaceKind::Index(Box::new(array), index, size),
            ty,
            bits: None,
            range,
        })))
    }

    fn unknown_size(&mut self, ty: TypeId, range: Range) -> Res<Operand> {
        if matches!(self.types.get(ty), Type::VariableArray(_)) {
            let value = super::unsupported(super::VARIABLE_ARRAY, ty, range);
            return Ok(Operand::Place(self.unsupported_place(value)));
        }
        let name = self.types.name(ty);
        error(range, format!("the size of {name} is not known here"))
    }

    /// `e.f` and `e->f`
    pub(super) fn member(
        &mut self,
        base: &ast::Expr,
        arrow: bool,
        field: &Ident,
        range: Range,
    ) -> Res<Operand> {
        let mut operand = self.operand(base)?;
        if arrow {
            let pointer = self.rvalue(operand)?;
            let at = pointer.range;
            operand = self.deref(pointer, at)?;
        }
        let place = match operand {
            Operand::Place(lvalue) => lvalue.place,
            Operand::Value(value) if super::convert::is_unsupported(&value) => {
                self.unsupported_place(value).place
            }
            Operand::Value(value) => Place {
                ty: value.ty,
                bits: None,
                range: value.range,
                kind: PlaceKind::Temporary(value),
            },
            Operand::Function(..) => return error(range, "a function has no members"),
        };
        self.field_place(place, field, range)
    }

    fn field_place(&mut self, place: Place, field: &Ident, range: Range) -> Res<Operand> {
        let at = self.at(field.range);
        let name = self.types.name(place.ty);
        let Some(record) = self.types.as_record(self.types.unatomic(place.ty)) else {
            return error(at, format!("{name} has no members, so no `{}`", field.name));
        };
        if self.types.record(record).layout.is_none() {
            return error(at, format!("{name} is not complete, its members are not known"));
        }
        let Some((offset, found)) = self.types.find_field(record, &field.name) else {
            return error(at, format!("{name} has no member `{}`", field.name));
        };
        let (ty, bits) = (found.ty, found.bits);
        let declared = match bits {
            Some(_) => self.declared_type(record, &field.name).unwrap_or(ty),
            None => ty,
        };
        let end = offset + self.types.size_of(ty).unwrap_or(0);
        if bits.is_some() && self.types.size_of(place.ty).is_some_and(|size| end > size) {
            let value = super::unsupported(ODD_BIT_FIELD, declared, range);
            return Ok(Operand::Place(self.unsupported_place(value)));
        }
        Ok(Operand::Place(Lvalue {
            place: Place { kind: PlaceKind::Field(Box::new(place), offset), ty, bits, range },
            declared,
        }))
    }

    /// `(T){ … }`: a variable that comes to life where the literal stands.
    pub(super) fn compound_literal(
        &mut self,
        name: &TypeName,
        items: &[InitItem],
        range: Range,
    ) -> Res<Operand> {
        let ty = self.type_name(name)?;
        let list = Init::List(items);
        if self.current.is_none() {
            let (entries, ty) = self.static_initializer(ty, list, range)?;
            let var = self.new_var(Var {
                name: String::new(),
                ty,
                lifetime: Lifetime::Static,
                init: Some(entries),
                range,
            });
            return Ok(Operand::Place(whole(Place {
                kind: PlaceKind::Var(var),
                ty,
                bits: None,
                range,
            })));
        }
        let (entries, ty) = self.initializer(ty, list, range)?;
        let place = self.fresh_local(ty, range)?;
        let PlaceKind::Var(var) = place.kind else {
            return error(range, "a compound literal must be a variable");
        };
        let declare = Stmt { kind: StmtKind::Declare(var, Some(entries)), range };
        let pointer = self.types.pointer(ty);
        let address = expr(ExprKind::AddrOf(place), pointer, range);
        let pointer = expr(ExprKind::Stmt(vec![declare], Some(address)), pointer, range);
        Ok(Operand::Place(whole(Place { kind: PlaceKind::Deref(pointer), ty, bits: None, range })))
    }
}

/// No integer type covers the bits without leaving the record.
const ODD_BIT_FIELD: &str = "packed bit-field without a storage unit";

/// A place that is no bit-field.
pub(super) fn whole(place: Place) -> Lvalue {
    Lvalue { declared: place.ty, place }
}
