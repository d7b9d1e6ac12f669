//! The same expressions, accesses and edges about other variables, or with other expressions for them.

use crate::access::{Access, AccessKind};
use crate::expr::Expr;
use crate::program::{Edge, Place, Rhs, VarRef};

impl Expr {
    /// The expression with `name(var)` in place of each variable.
    pub fn renamed(&self, name: &impl Fn(VarRef) -> VarRef) -> Expr {
        self.map_reads(&mut |read| match read {
            Expr::Var(var) => Expr::Var(name(var)),
            Expr::Index(var, index) => Expr::Index(name(var), index),
            other => other,
        })
    }

    /// The same expression with each scalar or array variable read replaced:
    /// `replace` is asked for `Var` and `Index` (with its index already
    /// replaced) and answers with what stands there instead.
    pub fn map_reads(&self, replace: &mut impl FnMut(Expr) -> Expr) -> Expr {
        let mut map = |part: &Expr| Box::new(part.map_reads(replace));
        match self {
            Expr::Const(..) => self.clone(),
            Expr::Var(_) => replace(self.clone()),
            Expr::Index(var, index) => {
                let index = map(index);
                replace(Expr::Index(*var, index))
            }
            Expr::Unary(op, operand) => Expr::Unary(*op, map(operand)),
            Expr::Cast(ty, operand) => Expr::Cast(*ty, map(operand)),
            Expr::Binary(op, left, right) => {
                let left = map(left);
                Expr::Binary(*op, left, map(right))
            }
            Expr::Ite(condition, then, otherwise) => {
                let condition = map(condition);
                let then = map(then);
                Expr::Ite(condition, then, map(otherwise))
            }
        }
    }
}

impl Access {
    /// The access with another index; without one (any element), if there is none.
    pub fn map_index(&self, map: &mut impl FnMut(&Expr) -> Option<Expr>) -> Access {
        let mut mapped = self.clone();
        if let AccessKind::Memory(_, cell, _) | AccessKind::Lock(_, cell) = &mut mapped.kind {
            cell.index = cell.index.as_ref().and_then(map);
        }
        mapped
    }

    /// Gives the variable it accesses another name.
    fn map_variable(&mut self, name: &impl Fn(VarRef) -> VarRef) {
        if let AccessKind::Memory(_, cell, _) | AccessKind::Lock(_, cell) = &mut self.kind
            && let VarRef::Shared(var) = name(VarRef::Shared(cell.var))
        {
            cell.var = var;
        }
    }
}

impl Edge {
    /// The edge with `map(expr)` in place of each expression: guard, indices and values,
    /// and the indices of its accesses.
    pub fn map_exprs(&self, map: &impl Fn(&Expr) -> Expr) -> Edge {
        let mut edge = self.clone();
        edge.guard = map(&edge.guard);
        for assign in &mut edge.assigns {
            if let Place::Element(_, index) = &mut assign.place {
                *index = map(index);
            }
            if let Rhs::Expr(value) = &mut assign.value {
                *value = map(value);
            }
        }
        let access = |access: &Access| access.map_index(&mut |index| Some(map(index)));
        edge.accesses = self.accesses.iter().map(access).collect();
        edge
    }

    /// The edge with `name(var)` in place of each variable that it reads, assigns or accesses.
    pub fn renamed(&self, name: &impl Fn(VarRef) -> VarRef) -> Edge {
        let mut edge = self.map_exprs(&|expr| expr.renamed(name));
        for assign in &mut edge.assigns {
            let (Place::Var(var) | Place::Element(var, _)) = &mut assign.place;
            *var = name(*var);
        }
        for access in &mut edge.accesses {
            access.map_variable(name);
        }
        edge
    }
}
