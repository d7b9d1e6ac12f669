//! The attribute `cleanup`: a function that is called with the address of the variable where its scope ends, on every way
//! out that C has: the end of the block, `return` (after its value was computed), `break` and `continue`. A `goto` may
//! leave any number of scopes, so there it is a model limit. `exit`, `longjmp` and the end of a thread call nothing.

use super::body::Body;
use super::build::Builder;
use super::scope::Symbol;
use super::{Res, Sema, error};
use crate::hir::{Callee, Expr, ExprKind, FuncId, InitEntry, Stmt, StmtKind, VarId};
use crate::syntax::ast::{self, Attribute, Ident, Range};

/// What must run when the scope of a variable ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cleanup {
    var: VarId,
    function: FuncId,
    /// Where the attribute stands.
    range: Range,
}

impl Sema {
    /// Notes the attribute of a variable that was just declared.
    pub(super) fn cleanup(
        &mut self,
        name: &Ident,
        attribute: &Attribute,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let range = self.at(attribute.range);
        let function = match attribute.args.first().map(|arg| &*arg.kind) {
            Some(ast::ExprKind::Ident(function)) => self.scopes.lookup(&function.name),
            _ => None,
        };
        match (self.scopes.lookup(&name.name), function) {
            (Some(Symbol::Var(var)), Some(Symbol::Function(function)))
                if !self.body(range)?.variable_arrays.contains_key(&var) =>
            {
                self.body(range)?.cleanups.push(Cleanup { var, function, range });
                Ok(())
            }
            (_, Some(Symbol::Function(_))) => {
                let kind = StmtKind::Unsupported("the attribute `cleanup`".to_string());
                out.push(Stmt { kind, range });
                Ok(())
            }
            _ => error(range, "`cleanup` needs the name of a function"),
        }
    }
}

/// Leaves scopes of the function at hand: makes the calls that wait there, and walks no syntax tree.
pub(super) struct ScopeEnd<'r> {
    pub build: Builder<'r>,
    pub body: Option<&'r mut Body>,
}

impl ScopeEnd<'_> {
    /// How many variables wait for their cleanup.
    pub fn depth(&self) -> usize {
        self.body.as_ref().map_or(0, |body| body.cleanups.len())
    }

    /// The calls on a way that leaves all scopes down to `depth`; the last variable comes first.
    pub fn run(&mut self, depth: usize, out: &mut Vec<Stmt>) -> Res<()> {
        let pending = self.body.as_ref().map_or(&[][..], |body| &body.cleanups[depth..]).to_vec();
        for Cleanup { var, function, range } in pending.into_iter().rev() {
            let place = self.build.objects.place(var, range);
            let pointer = self.build.types.pointer(place.ty);
            let address = super::expr(ExprKind::AddrOf(place), pointer, range);
            let callee = Callee::Direct(function);
            let Some(prototype) = self.build.prototype(&callee) else {
                return error(range, "`cleanup` needs the name of a function");
            };
            let call = self.build.call(callee, prototype, vec![address], range)?;
            out.push(Stmt { kind: StmtKind::Expr(call), range });
        }
        Ok(())
    }

    /// The end of a scope that began at `depth`.
    pub fn end(&mut self, depth: usize, out: &mut Vec<Stmt>) -> Res<()> {
        self.run(depth, out)?;
        if let Some(body) = &mut self.body {
            body.cleanups.truncate(depth);
        }
        Ok(())
    }

    /// Keeps a value while the scopes down to `depth` end.
    pub fn keep(&mut self, depth: usize, value: Expr, out: &mut Vec<Stmt>) -> Res<Expr> {
        if self.depth() == depth {
            return Ok(value);
        }
        let (ty, range) = (value.ty, value.range);
        let kept = self.build.fresh_local(ty, range)?;
        let entry = InitEntry { offset: 0, bits: None, ty, value };
        out.push(Stmt { kind: StmtKind::Declare(kept, Some(vec![entry])), range });
        Ok(self.build.load_of(kept, range))
    }
}
