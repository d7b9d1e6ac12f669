//! `pthread_cleanup_push`, as glibc's header writes it: the handler and its
//! argument are in two local variables of known names, and the thread registers
//! a buffer to jump back to where they are called. Jumps we have none; but where
//! the buffer is registered, we can see the handler.

use super::{Res, Sema};
use crate::hir::Expr;
use crate::syntax::ast::{self, Ident, Range};

const REGISTER: &str = "__pthread_register_cancel";
const HANDLER: [&str; 2] = ["__cancel_routine", "__cancel_arg"];
const PUSH: &str = "__rely_push_cleanup";

impl Sema {
    /// A call that registers a cleanup handler, if it is one whose handler is in scope.
    pub(super) fn cleanup_push(
        &mut self,
        callee: &ast::Expression,
        range: Range,
    ) -> Res<Option<Expr>> {
        let ast::ExprKind::Ident(name) = &*callee.kind else { return Ok(None) };
        let in_scope = || HANDLER.iter().all(|name| self.scopes.lookup(name).is_some());
        if &*name.name != REGISTER || !in_scope() {
            return Ok(None);
        }
        let named = |name: &str| ast::Expression {
            kind: Box::new(ast::ExprKind::Ident(Ident { name: name.into(), range: callee.range })),
            range: callee.range,
        };
        self.call(&named(PUSH), &HANDLER.map(named), range).map(Some)
    }
}
