//! What one edge of a thread does to shared variables, and what is known whenever it
//! is taken. With that, most of the relation of an abstract move can be computed
//! when the checker is made: a step `n = n + 1` is matched by the move `n' == n + 1`, and
//! a step that has read `flag == 0` by no move with `flag != 0`.

use crate::formula::{Declared, defined};
use crate::relation::{Cell, read};
use ccfa::fold::refold;
use ccfa::{Assign, BinOp, Edge, Expr, Place, Program, Rhs, SharedId, Template, Type, VarRef};
use std::collections::{BTreeMap, HashSet};

/// The effect of an edge that assigns no arbitrary value to a shared variable.
pub struct Effect {
    /// The cells it writes.
    pub touched: BTreeMap<SharedId, Vec<Cell>>,
    writes: BTreeMap<SharedId, Vec<(Cell, Expr)>>,
    facts: HashSet<Expr>,
}

impl Effect {
    /// The effect of an edge, if it has no arbitrary part.
    pub fn of(program: &Program, template: &Template, edge: &Edge) -> Option<Effect> {
        let mut writes: BTreeMap<SharedId, Vec<(Cell, Expr)>> = BTreeMap::new();
        for Assign { place, value } in &edge.assigns {
            let (id, cell) = match place {
                Place::Var(VarRef::Shared(id)) => (*id, None),
                Place::Element(VarRef::Shared(id), index) => (*id, Some(refold(index))),
                _ => continue,
            };
            let Rhs::Expr(value) = value else { return None };
            writes.entry(id).or_default().push((cell, refold(value)));
        }
        let cells = |list: &Vec<(Cell, Expr)>| list.iter().map(|(cell, _)| cell.clone()).collect();
        let touched = writes.iter().map(|(id, list)| (*id, cells(list))).collect();
        let facts = facts(edge, &TemplateScope { program, template });
        Some(Effect { touched, writes, facts })
    }

    /// The value of a cell after the edge, in terms of values before.
    pub fn after(&self, id: SharedId, cell: &Cell) -> Expr {
        let writes = self.writes.get(&id).into_iter().flatten();
        writes.fold(read(VarRef::Shared(id), cell), |otherwise, (written, value)| {
            match (written, cell) {
                (Some(written), Some(cell)) if written != cell => {
                    Expr::ite(same_index(written, cell), value.clone(), otherwise)
                }
                _ => value.clone(),
            }
        })
    }

    /// The expression, as far as it is not decided by what is known of the edge.
    pub fn simplified(&self, expr: &Expr) -> Expr {
        let expr = refold(expr);
        if self.facts.contains(&expr) {
            return Expr::TRUE;
        }
        if self.facts.contains(&Expr::negate(expr.clone())) {
            return Expr::FALSE;
        }
        let again = |part: &Expr| self.simplified(part);
        match &expr {
            Expr::Binary(BinOp::And, left, right) => match (again(left), again(right)) {
                (_, Expr::FALSE) => Expr::FALSE,
                (left, right) => Expr::and(left, right),
            },
            Expr::Binary(BinOp::Or, left, right) => match (again(left), again(right)) {
                (_, Expr::TRUE) => Expr::TRUE,
                (left, right) => Expr::or(left, right),
            },
            Expr::Binary(BinOp::Eq, left, right) if left == right => Expr::TRUE,
            Expr::Unary(ccfa::UnOp::Not, operand) => Expr::negate(again(operand)),
            Expr::Ite(condition, then, otherwise) => {
                Expr::ite(again(condition), again(then), again(otherwise))
            }
            _ => expr,
        }
    }
}

/// Do two indices of one array, neither a constant unless both are, name one element?
fn same_index(a: &Expr, b: &Expr) -> Expr {
    match (a, b) {
        (Expr::Const(a, _), Expr::Const(b, _)) => Expr::Const(i128::from(a == b), Type::Bool),
        _ => {
            let wide = |index: &Expr| Expr::Cast(Type::signed(64), Box::new(index.clone()));
            Expr::eq(wide(a), wide(b))
        }
    }
}

/// What holds whenever the edge is taken: its guard, and that what it computes is
/// defined.
fn facts(edge: &Edge, scope: &TemplateScope) -> HashSet<Expr> {
    let mut facts = HashSet::new();
    conjunctions(&refold(&edge.guard), &mut facts);
    let mut demand = |expr: &Expr| {
        if let Ok(condition) = defined(&refold(expr), scope) {
            conjunctions(&refold(&condition), &mut facts);
        }
    };
    demand(&edge.guard);
    for Assign { place, value } in &edge.assigns {
        if let Place::Element(var, index) = place {
            demand(&Expr::Index(*var, Box::new(index.clone())));
        }
        if let Rhs::Expr(value) = value {
            demand(value);
        }
    }
    facts
}

/// The conjunction and all that it consists of. (Unlike `Expr::conjuncts`, which gives the innermost parts alone.)
fn conjunctions(expr: &Expr, facts: &mut HashSet<Expr>) {
    if let Expr::Binary(BinOp::And, left, right) = expr {
        conjunctions(left, facts);
        conjunctions(right, facts);
    }
    facts.insert(expr.clone());
}

struct TemplateScope<'p> {
    program: &'p Program,
    template: &'p Template,
}

impl Declared for TemplateScope<'_> {
    fn ty(&self, var: VarRef) -> Type {
        self.program.var(self.template, var).ty
    }

    fn len(&self, var: VarRef) -> Option<u32> {
        self.program.var(self.template, var).len
    }
}
