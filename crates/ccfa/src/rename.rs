//! The same expressions and edges about other variables.

use crate::access::Access;
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
