//! A local variable that cannot be remembered, known by the *class* of its value: which
//! of the constants it is compared with it is, or between which of them it lies.
//!
//! Often that is all a thread uses of a number: `if (left == 0)` needs to know whether
//! it is zero, not how much it is. The template gets a variable for the class beside the old one. Where
//! a value is assigned, the step becomes one step for each class, with the condition that the
//! value is in it; comparisons ask the class. So the template does what it did, and
//! the old variable is needed less.

use crate::comparison::Comparison;
use crate::formula::any;
use ccfa::{
    Assign, BinOp, Edge, Expr, Init, LocalId, Place, Rhs, Template, Type, UnOp, Var, VarRef,
};
use std::collections::BTreeSet;

/// Classes of values that are told apart; each is a state of the machine.
const MAX_CLASSES: usize = 8;

/// The template with the class of a local variable beside it; nothing if it is
/// never compared with a constant, or with too many.
pub(crate) fn with_class(template: &Template, local: LocalId) -> Option<Template> {
    let classes = Classes::of(template, local)?;
    let mut result = template.clone();
    let declared = &template.locals[local.index()];
    let Init::Value(first) = declared.init else { return None };
    let init = Init::Value(classes.number(first)?);
    result.locals.push(Var::new(format!("{}?", declared.name), CLASS, None, init));
    result.edges = template.edges.iter().flat_map(|edge| classes.edges(edge)).collect();
    Some(result)
}

/// The type of a class's number.
const CLASS: Type = Type::unsigned(3);

struct Classes {
    local: VarRef,
    class: VarRef,
    ty: Type,
    /// First and last value of each class, in order.
    ranges: Vec<(i128, i128)>,
}

impl Classes {
    fn of(template: &Template, local: LocalId) -> Option<Classes> {
        let declared = &template.locals[local.index()];
        let (low, high) = declared.ty.bounds().filter(|_| declared.len.is_none())?;
        let mut classes = Classes {
            local: VarRef::Local(local),
            class: VarRef::Local(LocalId(template.locals.len() as u32)),
            ty: declared.ty,
            ranges: Vec::new(),
        };
        let mut starts = BTreeSet::from([low]);
        for edge in &template.edges {
            edge.guard.walk(&mut |part| {
                if let Some(comparison) = classes.comparison(part) {
                    starts.extend(comparison.changes());
                }
            });
        }
        let starts: Vec<i128> =
            starts.into_iter().filter(|start| (low..=high).contains(start)).collect();
        let ends = starts[1..].iter().map(|next| next - 1).chain([high]);
        classes.ranges = starts.iter().copied().zip(ends).collect();
        (2..=MAX_CLASSES).contains(&classes.ranges.len()).then_some(classes)
    }

    /// `expr` as a comparison of the variable with a constant.
    fn comparison<'e>(&self, expr: &'e Expr) -> Option<Comparison<'e>> {
        Comparison::of(expr).filter(|comparison| self.is_local(comparison.term))
    }

    /// Is it the variable, perhaps in a wider type?
    fn is_local(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Cast(ty, inner) => {
                let keeps = |(low, high)| ty.contains(low) && ty.contains(high);
                self.ty.bounds().is_some_and(keeps) && **inner == Expr::Var(self.local)
            }
            expr => *expr == Expr::Var(self.local),
        }
    }

    /// The number of the class of a value.
    fn number(&self, value: i128) -> Option<i128> {
        let found = self.ranges.iter().position(|(low, high)| (*low..=*high).contains(&value));
        found.map(|number| number as i128)
    }

    /// The edges that do what `edge` does.
    fn edges(&self, edge: &Edge) -> Vec<Edge> {
        let mut asked = edge.clone();
        asked.guard = self.asked(&edge.guard);
        for assign in &mut asked.assigns {
            if let Rhs::Expr(value) = &mut assign.value {
                *value = self.asked(value);
            }
        }
        let of_local = |assign: &&Assign| assign.place == Place::Var(self.local);
        let Some(assigned) = edge.assigns.iter().find(of_local) else { return vec![asked] };
        (0..self.ranges.len())
            .filter_map(|number| {
                let mut edge = asked.clone();
                if let Rhs::Expr(value) = &assigned.value {
                    edge.guard = Expr::and(edge.guard, self.contains(number, value)?);
                }
                let class = Rhs::Expr(Expr::Const(number as i128, CLASS));
                edge.assigns.push(Assign { place: Place::Var(self.class), value: class });
                Some(edge)
            })
            .collect()
    }

    /// Is a value in this class? Nothing if it is known not to be.
    fn contains(&self, number: usize, value: &Expr) -> Option<Expr> {
        let (low, high) = self.ranges[number];
        let constant = |value| Expr::Const(value, self.ty);
        let least = Expr::binary(BinOp::Le, constant(low), value.clone());
        let most = Expr::binary(BinOp::Le, value.clone(), constant(high));
        let (first, last) = (number == 0, number + 1 == self.ranges.len());
        match value {
            Expr::Const(known, _) => (low..=high).contains(known).then_some(Expr::TRUE),
            _ if low == high => Some(Expr::eq(value.clone(), constant(low))),
            _ => Some(Expr::and(
                if first { Expr::TRUE } else { least },
                if last { Expr::TRUE } else { most },
            )),
        }
    }

    /// The expression with comparisons of the variable answered by its class.
    fn asked(&self, expr: &Expr) -> Expr {
        if let Some(comparison) = self.comparison(expr) {
            return self.answer(&comparison);
        }
        let again = |part: &Expr| Box::new(self.asked(part));
        match expr {
            Expr::Const(..) | Expr::Var(_) => expr.clone(),
            Expr::Index(var, index) => Expr::Index(*var, again(index)),
            Expr::Unary(UnOp::Not, operand) => Expr::negate(self.asked(operand)),
            Expr::Unary(op, operand) => Expr::Unary(*op, again(operand)),
            Expr::Cast(ty, operand) => Expr::Cast(*ty, again(operand)),
            Expr::Binary(op, left, right) => Expr::Binary(*op, again(left), again(right)),
            Expr::Ite(condition, then, otherwise) => {
                Expr::Ite(again(condition), again(then), again(otherwise))
            }
        }
    }

    /// Each class answers as its first value does: answers change where classes do.
    fn answer(&self, comparison: &Comparison) -> Expr {
        let classes = self.ranges.iter().enumerate();
        let classes = classes.filter(|(_, (low, _))| comparison.holds(*low));
        any(classes
            .map(|(number, _)| Expr::eq(Expr::Var(self.class), Expr::Const(number as i128, CLASS))))
    }
}
