//! Calls in the syntax tree (C11, 6.5.2.2): which function is called.

use super::build::is_unsupported;
use super::builtins::library_type;
use super::objects::Objects;
use super::platform::misused_type;
use super::scope::{Scopes, Symbol};
use super::{Operand, Res, Sema, error, unsupported};
use crate::hir::{Callee, Expr, ExprKind, FuncId};
use crate::syntax::ast::{self, Range};
use crate::types::Types;
use std::rc::Rc;

impl Sema {
    pub(super) fn call(
        &mut self,
        callee: &ast::Expression,
        args: &[ast::Expression],
        range: Range,
    ) -> Res<Expr> {
        if let Some(push) = self.cleanup_push(callee, range)? {
            return Ok(push);
        }
        let at = self.at(callee.range);
        if let ast::ExprKind::Ident(name) = &*callee.kind
            && !self.scopes.has_definition(&self.objects, &name.name)
        {
            if let Some(value) = self.builtin(&name.name, args, range)? {
                return Ok(value);
            }
            if self.scopes.lookup(&name.name).is_none() {
                let id = self.library_function(&name.name, at);
                return self.call_function(Callee::Direct(id), args, range, at);
            }
        }
        let callee = match self.operand(callee)? {
            Operand::Function(id, _) => Callee::Direct(id),
            other => {
                let pointer = self.build().rvalue(other)?;
                match *pointer.kind {
                    ExprKind::FunctionAddr(id) => Callee::Direct(id),
                    _ => Callee::Pointer(pointer),
                }
            }
        };
        self.call_function(callee, args, range, at)
    }

    pub(super) fn call_function(
        &mut self,
        callee: Callee,
        args: &[ast::Expression],
        range: Range,
        at: Range,
    ) -> Res<Expr> {
        let Some(prototype) = self.build().prototype(&callee) else {
            return match callee {
                Callee::Pointer(pointer) if is_unsupported(&pointer) => Ok(pointer),
                _ => error(at, "this is not a function, so it cannot be called"),
            };
        };
        self.build().check_count(&callee, &prototype, args.len(), range)?;
        let values = args.iter().map(|arg| self.value(arg)).collect::<Res<Vec<Expr>>>()?;
        if let Callee::Direct(id) = &callee
            && !self.options.is_model
            && let function = self.objects.function(*id)
            && let Some(what) = misused_type(&self.types, function, &prototype.params, &values)
        {
            return Ok(unsupported(&what, prototype.ret, range));
        }
        let call = self.build().call(callee, prototype, values, range)?;
        self.printing(call, self.unused_call == Some(range))
    }

    /// A function that is only known by its name.
    pub(super) fn library_function(&mut self, name: &str, range: Range) -> FuncId {
        library_function(&mut self.types, &mut self.scopes, &mut self.objects, (name, range))
    }
}

impl Scopes {
    /// Does a name mean something that is defined, not only declared?
    fn has_definition(&self, objects: &Objects, name: &str) -> bool {
        match self.lookup(name) {
            None => false,
            Some(Symbol::Function(id)) => objects.function(id).body.is_some(),
            Some(_) => true,
        }
    }
}

/// A function that is only known by its name: declared where it is first
/// used, with the type that the C library gives it, else `int f()`.
pub(super) fn library_function(
    types: &mut Types,
    scopes: &mut Scopes,
    objects: &mut Objects,
    (name, range): (&str, Range),
) -> FuncId {
    if let Some(Symbol::Function(id)) = scopes.file().symbols.get(name) {
        return *id;
    }
    let ty = library_type(types, name);
    let id = objects.add_function(name, ty, types.is_variadic(ty), range);
    objects.function_mut(id).noreturn = matches!(name, "abort" | "exit" | "_exit" | "quick_exit");
    let symbol = Symbol::Function(id);
    scopes.file_mut().symbols.entry(Rc::from(name)).or_insert(symbol);
    id
}
