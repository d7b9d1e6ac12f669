//! Arrays of variable length (C11, 6.7.6.2): `T a[n];` becomes
//!
//! ```text
//! size_t a.size = n * sizeof(T);
//! T *a = (T *)__rely_variable_array(a.size);
//! ```
//!
//! and `a` then means `*a`, an array of unknown length: accesses are checked by
//! the size of the allocated object. `sizeof a` is `a.size`. Arrays of such arrays,
//! pointers to them and types that name them are not modelled.

use super::body::{Body, VariableArray};
use super::build::{Builder, whole};
use super::scope::Symbol;
use super::{Operand, Res, Sema, constant, expr};
use crate::hir::{
    BinaryOp, Callee, Expr, ExprKind, InitEntry, Lifetime, Place, PlaceKind, Stmt, StmtKind, Type,
    TypeId, VarId,
};
use crate::syntax::ast::{Derived, Ident, InitDeclarator, Range};

impl Sema {
    /// The declaration of an array of variable length, if it is one that we model.
    pub(super) fn variable_array(
        &mut self,
        name: &Ident,
        ty: TypeId,
        declarator: &InitDeclarator,
    ) -> Res<Option<Vec<Stmt>>> {
        let range = self.at(name.range);
        let Type::VariableArray(element) = *self.types.get(ty) else { return Ok(None) };
        let Some(Derived::Array(Some(length), _)) = declarator.declarator.derived.first() else {
            return Ok(None);
        };
        let Some(step) = self.types.size_of(element) else { return Ok(None) };
        let (size_t, pointer) = (self.types.size_t(), self.types.pointer(element));
        let length = self.value(length)?;
        let length = self.build().convert(length, size_t)?;
        let step = constant(i128::from(step), size_t, range);
        let bytes = expr(ExprKind::Binary(BinaryOp::Mul, length, step), size_t, range);
        let lifetime = Lifetime::Local(self.body(range)?.id);
        let size = self.objects.add_plain(&format!("{}.size", name.name), size_t, lifetime, range);
        let var = self.objects.add_plain(&name.name, pointer, lifetime, range);
        self.scopes.bind_new(&name.name, Symbol::Var(var), range)?;
        self.body(range)?.variable_arrays.insert(var, VariableArray { ty, size });
        let allocate = self.library_function("__rely_variable_array", range);
        let void = self.types.pointer(crate::types::Types::VOID);
        let call =
            ExprKind::Call(Callee::Direct(allocate), vec![self.build().load_of(size, range)]);
        let memory = expr(ExprKind::Cast(expr(call, void, range)), pointer, range);
        let declare = |var: VarId, ty: TypeId, value: Expr| Stmt {
            kind: StmtKind::Declare(
                var,
                Some(vec![InitEntry { offset: 0, bits: None, ty, value }]),
            ),
            range,
        };
        Ok(Some(vec![declare(size, size_t, bytes), declare(var, pointer, memory)]))
    }

    /// `sizeof` of an array of variable length that has a name.
    pub(super) fn variable_size(&mut self, operand: &Operand, range: Range) -> Option<Expr> {
        let Operand::Place(lvalue) = operand else { return None };
        let PlaceKind::Deref(pointer) = &lvalue.place.kind else { return None };
        let ExprKind::Load(Place { kind: PlaceKind::Var(var), .. }) = &*pointer.kind else {
            return None;
        };
        let array = self.body.as_ref()?.variable_array(*var)?;
        (lvalue.place.ty == array.ty).then(|| self.build().load_of(array.size, range))
    }
}

impl Body {
    /// The array of variable length that a pointer stands for.
    pub fn variable_array(&self, var: VarId) -> Option<VariableArray> {
        self.variable_arrays.get(&var).copied()
    }
}

impl Builder<'_> {
    /// The array that a pointer stands for.
    pub fn variable_array_place(&self, var: VarId, ty: TypeId, range: Range) -> Operand {
        let kind = PlaceKind::Deref(self.load_of(var, range));
        Operand::Place(whole(Place { kind, ty, bits: None, range }))
    }
}
