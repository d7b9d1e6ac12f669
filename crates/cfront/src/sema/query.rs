//! Expressions about types: `sizeof`, `_Alignof`, `offsetof`, `_Generic`,
//! `__builtin_types_compatible_p`, static assertions. All are folded here.
//!
//! Types carry no qualifiers and `char` is one with `signed char`, so the first
//! of several associations that differ only there is taken.

use super::{Operand, Res, Sema, VARIABLE_ARRAY, constant, error, unsupported};
use crate::hir::{Expr, TypeId};
use crate::syntax::ast::{self, Designator, ExprKind, Range, StaticAssert, TypeName};
use crate::types::Types;

impl Sema {
    pub(super) fn query(&mut self, e: &ast::Expr, range: Range) -> Res<Expr> {
        match &*e.kind {
            ExprKind::SizeofType(name) => {
                let ty = self.type_name(name)?;
                size(&mut self.types, ty, range)
            }
            ExprKind::SizeofExpr(operand) => {
                let operand = self.operand(operand)?;
                if let Some(size) = self.variable_size(&operand, range) {
                    return Ok(size);
                }
                let ty = self.build().operand_type(&operand);
                size(&mut self.types, ty, range)
            }
            ExprKind::AlignofType(name) => {
                let ty = self.type_name(name)?;
                let align = self.types.align_of(ty);
                Ok(size_constant(&mut self.types, align, range))
            }
            ExprKind::AlignofExpr(operand) => {
                let ty = self.type_of_expr(operand)?;
                let align = self.types.align_of(ty);
                Ok(size_constant(&mut self.types, align, range))
            }
            ExprKind::Offsetof(name, path) => self.offsetof(name, path, range),
            ExprKind::TypesCompatible(a, b) => {
                let (a, b) = (self.type_name(a)?, self.type_name(b)?);
                let same = i128::from(self.types.compatible(a, b));
                Ok(constant(same, Types::INT, range))
            }
            _ => error(range, "this expression is not understood"),
        }
    }

    fn offsetof(&mut self, name: &TypeName, path: &[Designator], range: Range) -> Res<Expr> {
        let mut ty = self.type_name(name)?;
        let mut offset = 0u64;
        for step in path {
            let (next, by) = match step {
                Designator::Field(field) => {
                    let at = self.at(field.range);
                    let type_name = self.types.name(ty);
                    let record = self.types.as_record(self.types.unatomic(ty));
                    let found = record.and_then(|r| self.types.find_field(r, &field.name));
                    let Some((by, found)) = found else {
                        return error(at, format!("{type_name} has no member `{}`", field.name));
                    };
                    (found.ty, by)
                }
                Designator::Index(index) | Designator::Range(index, _) => {
                    let number = self.integer_constant(index, "the index in `offsetof`")?;
                    let Some(element) = self.types.element(ty) else {
                        return error(range, "`[]` needs an array");
                    };
                    let size = self.types.size_of(element).unwrap_or(0);
                    (element, (number as u64).wrapping_mul(size))
                }
            };
            ty = next;
            offset = offset.wrapping_add(by);
        }
        Ok(size_constant(&mut self.types, offset, range))
    }

    pub(super) fn generic(
        &mut self,
        control: &ast::Expr,
        cases: &[(Option<TypeName>, ast::Expr)],
        range: Range,
    ) -> Res<Operand> {
        let ty = self.value(control)?.ty;
        let mut default = None;
        for (name, result) in cases {
            match name {
                None => default = Some(result),
                Some(name) => {
                    let candidate = self.type_name(name)?;
                    if self.types.compatible(ty, candidate) {
                        return self.operand(result);
                    }
                }
            }
        }
        match default {
            Some(result) => self.operand(result),
            None => {
                let name = self.types.name(ty);
                error(range, format!("`_Generic` has no case for {name}"))
            }
        }
    }

    pub(super) fn static_assert(&mut self, assertion: &StaticAssert) -> Res<()> {
        let holds = self.integer_constant(&assertion.condition, "a static assertion")?;
        if holds != 0 {
            return Ok(());
        }
        let range = self.at(assertion.range);
        match &assertion.message {
            Some(message) => error(range, format!("the static assertion fails: {message}")),
            None => error(range, "the static assertion fails"),
        }
    }
}

/// `sizeof` a type.
fn size(types: &mut Types, ty: TypeId, range: Range) -> Res<Expr> {
    if let Some(size) = types.size_of(ty) {
        return Ok(size_constant(types, size, range));
    }
    if types.is_variable_array(ty) {
        return Ok(unsupported(VARIABLE_ARRAY, types.size_t(), range));
    }
    error(range, format!("the size of {} is not known here", types.name(ty)))
}

fn size_constant(types: &mut Types, size: u64, range: Range) -> Expr {
    let ty = types.size_t();
    constant(types.wrap(i128::from(size), ty), ty, range)
}
