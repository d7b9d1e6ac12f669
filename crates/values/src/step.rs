//! What expressions can be and what steps do, for a state of which only values of cells are known.
//!
//! All of it goes to the safe side: an expression has at least the values it can have, a condition that is assumed
//! leaves at least the states in which it holds, and a step leads to at least the states it can lead to. (An expression without a defined value has
//! none here: the step is not taken.)

use crate::layout::CellLayout;
use crate::ranges::Ranges;
use crate::table::{ValueTable, ValuesId};
use ccfa::semantics::System;
use ccfa::{Assign, BinOp, Edge, Expr, Place, Rhs, Type, UnOp, VarRef};

/// What is known of each cell of the state of a thread.
pub(crate) type Cells = Vec<ValuesId>;

/// So many values of an operand are tried one by one; of more, only the bounds are looked at, which takes no longer for many.
const MAX_TRIED_VALUES: usize = 64;

/// A guard is assumed so often: what its last part says may say more about its first.
const MAX_PASSES: usize = 2;

/// An instance whose steps are computed.
pub(crate) struct Stepper<'a, 'p> {
    pub system: &'a System<'p>,
    pub instance: usize,
    pub layout: &'a CellLayout,
    pub table: &'a mut ValueTable,
}

/// There is no such state.
pub(crate) struct Impossible;

type Possible = Result<(), Impossible>;

impl Stepper<'_, '_> {
    /// The state in which the edge can be taken.
    pub fn enabled(&mut self, before: &Cells, edge: &Edge) -> Option<Cells> {
        let mut cells = before.clone();
        for _ in 0..MAX_PASSES {
            self.assume(&mut cells, &edge.guard, true).ok()?;
        }
        Some(cells)
    }

    /// The state after the edge, if the state before is one in which it can be taken.
    pub fn after(&mut self, enabled: &Cells, edge: &Edge) -> Option<Cells> {
        let mut after = enabled.clone();
        for Assign { place, value } in &edge.assigns {
            let value = match value {
                Rhs::Havoc => None,
                Rhs::Expr(value) => Some(self.eval(enabled, value)),
            };
            if value.as_ref().is_some_and(Ranges::is_empty) {
                return None;
            }
            let value = value.map_or(ValuesId::ANY, |value| self.table.insert(value));
            let (Place::Var(var) | Place::Element(var, _)) = place;
            let Some(range) = self.layout.cells(self.system, self.instance, *var) else { continue };
            match place {
                Place::Var(_) => after[range].fill(value),
                Place::Element(_, index) => {
                    let index = self.eval(enabled, index);
                    let elements = Ranges::new(vec![(0, range.len() as i128 - 1)]);
                    let index = index.meet(&elements);
                    if let Some(one) = index.single() {
                        after[range.start + one as usize] = value;
                        continue;
                    }
                    for one in index.values(range.len())? {
                        let cell = &mut after[range.start + one as usize];
                        *cell = self.table.join(*cell, value);
                    }
                    if index.is_empty() {
                        return None;
                    }
                }
            }
        }
        Some(after)
    }

    /// What is known of a cell.
    fn known(&self, cells: &Cells, cell: usize) -> Ranges {
        let known = self.table.get(cells[cell]).cloned();
        known.unwrap_or_else(|| Ranges::of_type(self.layout.types[cell]))
    }

    fn ty(&self, expr: &Expr) -> Type {
        expr.ty(&|var| self.system.var(self.instance, var).ty)
    }

    /// The values that an expression can have.
    pub fn eval(&self, cells: &Cells, expr: &Expr) -> Ranges {
        match expr {
            Expr::Const(value, _) => Ranges::one(*value),
            Expr::Var(var) => match self.cells(*var) {
                Some(range) => self.known(cells, range.start),
                None => Ranges::of_type(self.ty(expr)),
            },
            Expr::Index(var, index) => self.element(cells, *var, &self.eval(cells, index)),
            Expr::Unary(op, operand) => {
                Ranges::unary(*op, self.ty(operand), &self.eval(cells, operand))
            }
            Expr::Cast(ty, operand) => self.eval(cells, operand).cast(*ty),
            Expr::Binary(op @ (BinOp::And | BinOp::Or), left, right) => {
                let decisive = i128::from(*op == BinOp::Or);
                let left = self.eval(cells, left);
                if left.single() == Some(decisive) || left.is_empty() {
                    return left;
                }
                let right = self.eval(cells, right);
                match left.contains(decisive) {
                    true => right.join(&Ranges::one(decisive)),
                    false => right,
                }
            }
            Expr::Binary(op, left, right) => {
                let ty = self.ty(left);
                Ranges::binary(*op, ty, &self.eval(cells, left), &self.eval(cells, right))
            }
            Expr::Ite(condition, then, otherwise) => {
                let condition = self.eval(cells, condition);
                let part = |truth: i128, part: &Expr| match condition.contains(truth) {
                    true => self.eval(cells, part),
                    false => Ranges::EMPTY,
                };
                part(1, then).join(&part(0, otherwise))
            }
        }
    }

    fn cells(&self, var: VarRef) -> Option<std::ops::Range<usize>> {
        self.layout.cells(self.system, self.instance, var)
    }

    /// The values of an element with one of these indices.
    fn element(&self, cells: &Cells, var: VarRef, index: &Ranges) -> Ranges {
        let whole = Ranges::of_type(self.system.var(self.instance, var).ty);
        let Some(range) = self.cells(var) else { return whole };
        let inside = index.meet(&Ranges::new(vec![(0, range.len() as i128 - 1)]));
        let mut values = Ranges::EMPTY;
        for (low, high) in inside.ranges() {
            for element in *low..=*high {
                values = values.join(&self.known(cells, range.start + element as usize));
            }
        }
        values
    }

    /// Leaves only states in which the condition is defined and has this truth value.
    pub fn assume(&mut self, cells: &mut Cells, condition: &Expr, truth: bool) -> Possible {
        match condition {
            Expr::Unary(UnOp::Not, operand) => self.assume(cells, operand, !truth),
            Expr::Binary(op @ (BinOp::And | BinOp::Or), left, right) => {
                if (*op == BinOp::And) == truth {
                    self.assume(cells, left, truth)?;
                    return self.assume(cells, right, truth);
                }
                self.one_of(cells, [&[(&**left, truth)], &[(&**left, !truth), (&**right, truth)]])
            }
            Expr::Ite(condition, then, otherwise) => {
                let then = [(&**condition, true), (&**then, truth)];
                self.one_of(cells, [&then, &[(&**condition, false), (&**otherwise, truth)]])
            }
            Expr::Binary(op, left, right) if op.is_predicate() => {
                self.compare(cells, *op, left, right, truth)
            }
            other => self.narrow(cells, other, &Ranges::one(i128::from(truth))),
        }
    }

    /// One of two ways in which some conditions hold.
    fn one_of(&mut self, cells: &mut Cells, ways: [&[(&Expr, bool)]; 2]) -> Possible {
        let mut joined: Option<Cells> = None;
        for way in ways {
            let mut here = cells.clone();
            if way.iter().any(|(part, truth)| self.assume(&mut here, part, *truth).is_err()) {
                continue;
            }
            joined = Some(match joined {
                None => here,
                Some(other) => self.join(&other, &here),
            });
        }
        *cells = joined.ok_or(Impossible)?;
        Ok(())
    }

    /// What both states can be.
    pub fn join(&mut self, one: &Cells, other: &Cells) -> Cells {
        one.iter().zip(other).map(|(one, other)| self.table.join(*one, *other)).collect()
    }

    /// A comparison has this truth value.
    fn compare(
        &mut self,
        cells: &mut Cells,
        op: BinOp,
        left: &Expr,
        right: &Expr,
        truth: bool,
    ) -> Possible {
        let (op, left, right) = match (op, truth) {
            (op, true) => (op, left, right),
            (BinOp::Eq, false) => (BinOp::Ne, left, right),
            (BinOp::Ne, false) => (BinOp::Eq, left, right),
            (BinOp::Lt, false) => (BinOp::Le, right, left),
            (_, false) => (BinOp::Lt, right, left),
        };
        let (l, r) = (self.eval(cells, left), self.eval(cells, right));
        let (Some(l_low), Some(r_high)) = (l.low(), r.high()) else { return Err(Impossible) };
        let (l, r) = match op {
            BinOp::Eq => (l.meet(&r), l.meet(&r)),
            BinOp::Ne => {
                let without = |one: &Ranges, other: &Ranges| {
                    other.single().map_or(one.clone(), |value| one.without(value))
                };
                (without(&l, &r), without(&r, &l))
            }
            BinOp::Lt => (l.at_most(r_high - 1), r.at_least(l_low + 1)),
            _ => (l.at_most(r_high), r.at_least(l_low)),
        };
        self.narrow(cells, left, &l)?;
        self.narrow(cells, right, &r)
    }

    /// Leaves only states in which the expression has one of these values, as far as that can be told from its form.
    fn narrow(&mut self, cells: &mut Cells, expr: &Expr, to: &Ranges) -> Possible {
        let to = &self.eval(cells, expr).meet(to);
        if to.is_empty() {
            return Err(Impossible);
        }
        match expr {
            Expr::Var(var) => {
                if let Some(range) = self.cells(*var) {
                    self.narrow_cell(cells, range.start, to)?;
                }
                Ok(())
            }
            Expr::Index(var, index) => self.narrow_element(cells, *var, index, to),
            Expr::Cast(ty, operand) => {
                let inverse = self.before_cast(*ty, &self.eval(cells, operand), to);
                self.narrow_operand(cells, operand, &|value| to.contains(ty.wrap(value)), inverse)
            }
            Expr::Binary(op @ (BinOp::Add | BinOp::Sub), left, right) => {
                let Some(other) = self.eval(cells, right).single() else { return Ok(()) };
                let ty = self.ty(left);
                let back = if *op == BinOp::Add { BinOp::Sub } else { BinOp::Add };
                // Unsigned numbers wrap both ways, and signed ones neither way.
                let wraps = matches!(ty, Type::Bits { signed: false, .. });
                let inverse = if wraps { ty } else { Type::Int };
                let before = Ranges::binary(back, inverse, to, &Ranges::one(other));
                let gives = |value| {
                    let result = ccfa::semantics::binary(*op, ty, value, other);
                    !matches!(result, Ok(Some(result)) if !to.contains(result))
                };
                self.narrow_operand(cells, left, &gives, Some(before))
            }
            _ => Ok(()),
        }
    }

    /// The operands of a conversion that give one of these values, if none of the operands wraps.
    fn before_cast(&self, ty: Type, operand: &Ranges, to: &Ranges) -> Option<Ranges> {
        if ty == Type::Bool {
            return Some(match to.contains(0) {
                true if to.contains(1) => operand.clone(),
                true => Ranges::one(0),
                false => operand.without(0),
            });
        }
        let fits = operand.low().is_some_and(|low| ty.contains(low));
        (fits && operand.high().is_some_and(|high| ty.contains(high))).then(|| to.clone())
    }

    /// Leaves only those values of an operand that give the result: each is tried if they are few, else those in `inverse`.
    fn narrow_operand(
        &mut self,
        cells: &mut Cells,
        operand: &Expr,
        gives: &dyn Fn(i128) -> bool,
        inverse: Option<Ranges>,
    ) -> Possible {
        let values = self.eval(cells, operand);
        let left = match (values.values(MAX_TRIED_VALUES), inverse) {
            (Some(few), _) => {
                Ranges::new(few.into_iter().filter(|v| gives(*v)).map(|v| (v, v)).collect())
            }
            (None, Some(inverse)) => values.meet(&inverse),
            (None, None) => return Ok(()),
        };
        self.narrow(cells, operand, &left)
    }

    fn narrow_cell(&mut self, cells: &mut Cells, cell: usize, to: &Ranges) -> Possible {
        let to = self.known(cells, cell).meet(to);
        if to.is_empty() {
            return Err(Impossible);
        }
        if to != Ranges::of_type(self.layout.types[cell]) {
            cells[cell] = self.table.insert(to);
        }
        Ok(())
    }

    /// An element has one of these values: then its index is one of those that can have them.
    fn narrow_element(
        &mut self,
        cells: &mut Cells,
        var: VarRef,
        index: &Expr,
        to: &Ranges,
    ) -> Possible {
        let Some(range) = self.cells(var) else { return Ok(()) };
        let elements =
            self.eval(cells, index).meet(&Ranges::new(vec![(0, range.len() as i128 - 1)]));
        let can = |element: &i128| {
            !self.known(cells, range.start + *element as usize).meet(to).is_empty()
        };
        let left = elements.values(range.len()).unwrap_or_default().into_iter().filter(can);
        let left = Ranges::new(left.map(|element| (element, element)).collect());
        if let Some(one) = left.single() {
            self.narrow_cell(cells, range.start + one as usize, to)?;
        }
        match left.is_empty() {
            true => Err(Impossible),
            false => self.narrow(cells, index, &left),
        }
    }
}
