//! Calls (C11, 6.5.2.2): who is called, and how the arguments are converted.

use super::scope::Symbol;
use super::{Operand, Res, Sema, error, expr};
use crate::hir::{Callee, Expr, ExprKind, FuncId, Function, Type, TypeId};
use crate::syntax::ast::{self, Range};
use std::rc::Rc;

impl Sema {
    pub(super) fn call(
        &mut self,
        callee: &ast::Expr,
        args: &[ast::Expr],
        range: Range,
    ) -> Res<Expr> {
        if let Some(push) = self.cleanup_push(callee, range)? {
            return Ok(push);
        }
        let at = self.at(callee.range);
        if let ast::ExprKind::Ident(name) = &*callee.kind
            && !self.has_definition(&name.name)
        {
            if let Some(value) = self.builtin(&name.name, args, range)? {
                return Ok(value);
            }
            if self.lookup(&name.name).is_none() {
                let id = self.library_function(&name.name, at);
                return self.call_function(Callee::Direct(id), args, range, at);
            }
        }
        let callee = match self.operand(callee)? {
            Operand::Function(id, _) => Callee::Direct(id),
            other => {
                let pointer = self.rvalue(other)?;
                match *pointer.kind {
                    ExprKind::FunctionAddr(id) => Callee::Direct(id),
                    _ => Callee::Pointer(pointer),
                }
            }
        };
        self.call_function(callee, args, range, at)
    }

    /// Does a name mean something that is defined, not only declared?
    fn has_definition(&self, name: &str) -> bool {
        match self.lookup(name) {
            None => false,
            Some(Symbol::Function(id)) => self.functions[id.index()].body.is_some(),
            Some(_) => true,
        }
    }

    fn callee_type(&self, callee: &Callee) -> Option<TypeId> {
        match callee {
            Callee::Direct(id) => Some(self.functions[id.index()].ty),
            Callee::Pointer(pointer) => self.types.pointee(pointer.ty),
        }
    }

    pub(super) fn call_function(
        &mut self,
        callee: Callee,
        args: &[ast::Expr],
        range: Range,
        at: Range,
    ) -> Res<Expr> {
        let ty = self.callee_type(&callee).map(|ty| self.types.get(ty).clone());
        let Some(Type::Function { ret, params, variadic }) = ty else {
            if let Callee::Pointer(pointer) = &callee
                && super::convert::is_unsupported(pointer)
            {
                return Ok(pointer.clone());
            }
            return error(at, "this is not a function, so it cannot be called");
        };
        self.check_count(&callee, params.len(), variadic, args, range)?;
        let mut values = Vec::with_capacity(args.len());
        for (index, arg) in args.iter().enumerate() {
            let value = self.value(arg)?;
            values.push(match params.get(index) {
                Some(&param) => self.argument(value, param, &callee)?,
                None => self.promote_argument(value),
            });
        }
        Ok(expr(ExprKind::Call(callee, values), ret, range))
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

    fn is_model_function(&self, callee: &Callee) -> bool {
        match callee {
            Callee::Direct(id) => self.functions[id.index()].is_model,
            Callee::Pointer(_) => false,
        }
    }

    fn check_count(
        &self,
        callee: &Callee,
        params: usize,
        variadic: bool,
        args: &[ast::Expr],
        range: Range,
    ) -> Res<()> {
        let wrong = args.len() < params || (args.len() > params && !variadic);
        if !wrong || self.is_model_function(callee) {
            return Ok(());
        }
        let given = args.len();
        let name = match callee {
            Callee::Direct(id) => format!("`{}`", self.functions[id.index()].name),
            Callee::Pointer(_) => "this function".to_string(),
        };
        let least = if variadic { "at least " } else { "" };
        error(range, format!("{name} takes {least}{params} arguments, but is given {given}"))
    }

    /// A function that is only known by its name: declared where it is first
    /// used, with the type that the C library gives it, else `int f()`.
    pub(super) fn library_function(&mut self, name: &str, range: Range) -> FuncId {
        if let Some(Symbol::Function(id)) = self.scopes[0].symbols.get(name) {
            return *id;
        }
        let ty = self.library_type(name);
        let id = FuncId(self.functions.len() as u32);
        let variadic = matches!(self.types.get(ty), Type::Function { variadic: true, .. });
        self.functions.push(Function {
            name: name.to_string(),
            ty,
            params: Vec::new(),
            variadic,
            noreturn: matches!(name, "abort" | "exit" | "_exit" | "quick_exit"),
            body: None,
            labels: 0,
            is_model: false,
            range,
        });
        let symbol = Symbol::Function(id);
        self.scopes[0].symbols.entry(Rc::from(name)).or_insert(symbol);
        id
    }
}
