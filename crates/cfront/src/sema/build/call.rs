//! Calls (C11, 6.5.2.2): how many arguments a function takes, and how they are converted.

use super::Builder;
use crate::hir::{Callee, Expr, ExprKind, Type, TypeId};
use crate::sema::{Res, error, expr};
use crate::syntax::ast::Range;

/// What the type of a function says.
pub(in crate::sema) struct Prototype {
    pub ret: TypeId,
    pub params: Vec<TypeId>,
    variadic: bool,
}

impl Builder<'_> {
    /// The type of what is called, if it is a function.
    pub fn prototype(&self, callee: &Callee) -> Option<Prototype> {
        let ty = match callee {
            Callee::Direct(id) if self.objects.function(*id).old_style => {
                let ret = self.types.result(self.objects.function(*id).ty)?;
                return Some(Prototype { ret, params: Vec::new(), variadic: true });
            }
            Callee::Direct(id) => self.objects.function(*id).ty,
            Callee::Pointer(pointer) => self.types.pointee(pointer.ty)?,
        };
        match self.types.get(ty) {
            Type::Function { ret, params, variadic } => {
                Some(Prototype { ret: *ret, params: params.clone(), variadic: *variadic })
            }
            _ => None,
        }
    }

    pub fn check_count(
        &self,
        callee: &Callee,
        prototype: &Prototype,
        given: usize,
        range: Range,
    ) -> Res<()> {
        let (params, variadic) = (prototype.params.len(), prototype.variadic);
        let wrong = given < params || (given > params && !variadic);
        if !wrong || self.is_model_function(callee) {
            return Ok(());
        }
        let name = match callee {
            Callee::Direct(id) => format!("`{}`", self.objects.function(*id).name),
            Callee::Pointer(_) => "this function".to_string(),
        };
        let least = if variadic { "at least " } else { "" };
        error(range, format!("{name} takes {least}{params} arguments, but is given {given}"))
    }

    /// A call with these arguments, which are converted to the parameters' types.
    pub fn call(
        &mut self,
        callee: Callee,
        prototype: Prototype,
        args: Vec<Expr>,
        range: Range,
    ) -> Res<Expr> {
        let mut values = Vec::with_capacity(args.len());
        for (index, value) in args.into_iter().enumerate() {
            values.push(match prototype.params.get(index) {
                Some(&param) => self.argument(value, param, &callee)?,
                None => self.promote_argument(value),
            });
        }
        Ok(expr(ExprKind::Call(callee, values), prototype.ret, range))
    }

    /// A model may have other parameter types than the user's header says: then
    /// only what converts is converted.
    fn argument(&mut self, value: Expr, param: TypeId, callee: &Callee) -> Res<Expr> {
        let both_scalar = self.types.is_scalar(value.ty) && self.types.is_scalar(param);
        if self.is_model_function(callee) && !both_scalar {
            return Ok(value);
        }
        self.convert(value, param)
    }

    /// Is it one of our own functions, or one that is not modelled?
    fn is_model_function(&self, callee: &Callee) -> bool {
        match callee {
            Callee::Direct(id) => {
                let function = self.objects.function(*id);
                function.is_model || function.limit.is_some()
            }
            Callee::Pointer(_) => false,
        }
    }
}
