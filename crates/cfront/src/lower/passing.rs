//! What becomes of arguments and results where a call and the function that it reaches do not agree about types: by C11 (6.5.2.2, 6 and 9)
//! behaviour is undefined. Where the platform's ABI fixes what happens all the same, and that is what the model does, it counts as
//! that: arguments without a parameter, numbers of which only the lower part is taken, pointers and integers of one size. Otherwise bits are read that
//! were never written.

use super::input::Input;
use crate::hir::{Expr as CExpr, FuncId, Function, Type as CType, TypeId};
use crate::types::Types;

impl Input<'_> {
    /// Does a call of this type with these arguments find in a function what that takes and returns?
    pub fn agree(&self, call: &CExpr, called: &Function, args: &[CExpr]) -> bool {
        let takes = |(index, param): (usize, &crate::hir::VarId)| {
            let to = self.unit.vars[param.index()].ty;
            args.get(index).is_some_and(|arg| self.passes(arg.ty, to))
        };
        let returns = self.result_of(called);
        let is_void = |ty| *self.unit.types.get(ty) == CType::Void;
        let result = match (is_void(returns), is_void(call.ty)) {
            (true, _) => !self.is_record_type(call.ty),
            (_, true) => !self.is_record_type(returns),
            _ => self.passes(returns, call.ty),
        };
        called.is_model || (result && called.params.iter().enumerate().all(takes))
    }

    /// Does this function take what a thread gets, one pointer or nothing?
    pub fn can_be_started(&self, routine: FuncId) -> bool {
        let routine = &self.unit.functions[routine.index()];
        let to = |param: &crate::hir::VarId| self.unit.vars[param.index()].ty;
        let from = self.unit.types.pointer_size();
        match &routine.params[..] {
            [] => true,
            [param] => {
                let ty = self.unit.types.unatomic(to(param));
                self.is_word(ty) && self.unit.types.size_of(ty).is_some_and(|size| size <= from)
            }
            _ => false,
        }
    }

    /// Does this start routine return less than the pointer that a thread ends with?
    pub fn has_narrow_result(&self, routine: FuncId) -> bool {
        let result = self.result_of(&self.unit.functions[routine.index()]);
        let size = self.unit.types.size_of(result).filter(|_| self.is_word(result));
        size != Some(self.unit.types.pointer_size())
    }

    fn result_of(&self, function: &Function) -> TypeId {
        self.unit.types.result(function.ty).unwrap_or(Types::VOID)
    }

    /// Is what is passed as `from` there for who takes it as `to`?
    fn passes(&self, from: TypeId, to: TypeId) -> bool {
        let types = &self.unit.types;
        let (from, to) = (types.unatomic(from), types.unatomic(to));
        let words = |ty| types.size_of(ty).map(|size| size.div_ceil(types.pointer_size()));
        types.agree(from, to)
            || (self.is_word(from)
                && self.is_word(to)
                && to != Types::BOOL
                && types.size_of(to) <= types.size_of(from)
                && words(to) == words(from))
    }

    /// A number or an address that is passed in registers, or as words on the stack?
    fn is_word(&self, ty: TypeId) -> bool {
        self.unit.types.is_integer(ty) || self.unit.types.is_pointer(ty)
    }

    fn is_record_type(&self, ty: TypeId) -> bool {
        *self.unit.types.get(ty) != CType::Void && self.scalar_type(ty).is_none()
    }
}
