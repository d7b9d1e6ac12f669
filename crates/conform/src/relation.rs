//! The relation `T(x, y)` of the paper as an expression: can a move of the abstract
//! thread have led from the old values to the new ones? And the frame: a move
//! changes what it names, the idle step nothing. **Trusted.**

use crate::formula::{Symbols, all, type_of};
use crate::machine::{Machine, Move};
use ccfa::fold::refold;
use ccfa::{Assign, Expr, LocalId, Place, Program, Rhs, SharedId, Type, VarRef};
use std::collections::{BTreeMap, BTreeSet};

/// A cell of a variable: a scalar, or the element with this index.
pub type Cell = Option<Expr>;

/// What a step of the thread has done, as seen by the abstract thread.
pub struct StepRelation<'a> {
    /// The program with the shared variables.
    pub program: &'a Program,
    /// The machine.
    pub machine: &'a Machine,
    /// The thread's arguments.
    pub arguments: &'a [LocalId],
    /// The cells whose old and new values may differ.
    pub touched: &'a BTreeMap<SharedId, Vec<Cell>>,
    /// The old value of a cell.
    pub before: &'a dyn Fn(SharedId, &Cell) -> Expr,
    /// The new value of a cell.
    pub after: &'a dyn Fn(SharedId, &Cell) -> Expr,
}

impl StepRelation<'_> {
    /// An expression of the machine.
    pub fn seen(&self, expr: &Expr) -> Expr {
        expr.map_reads(&mut |read| {
            let (var, cell) = match read {
                Expr::Var(var) => (var, None),
                Expr::Index(var, index) => (var, Some(*index)),
                other => return other,
            };
            match (var, self.machine.is_after(var)) {
                (_, Some(id)) => (self.after)(id, &cell),
                (VarRef::Shared(id), None) => (self.before)(id, &cell),
                (VarRef::Local(id), None) => Expr::Var(VarRef::Local(self.arguments[id.index()])),
            }
        })
    }

    /// Nothing was changed.
    pub fn idle(&self) -> Expr {
        self.unchanged(&BTreeSet::new())
    }

    /// A move has happened.
    pub fn happened(&self, step: &Move) -> Expr {
        let mut parts = vec![self.seen(&step.guard)];
        let mut elements: BTreeMap<SharedId, Vec<(&Expr, &Rhs)>> = BTreeMap::new();
        for Assign { place, value } in &step.effects {
            match (place, value) {
                (Place::Var(VarRef::Shared(id)), Rhs::Expr(value)) => {
                    parts.push(Expr::eq((self.after)(*id, &None), self.seen(value)));
                }
                (Place::Element(VarRef::Shared(id), index), value) => {
                    elements.entry(*id).or_default().push((index, value));
                }
                _ => {}
            }
        }
        parts.extend(elements.iter().map(|(id, writes)| self.written(*id, writes)));
        parts.push(self.seen(&step.ensure));
        parts.push(self.unchanged(&step.changed()));
        // In this order: the guard says that what follows is defined.
        refold(&parts.into_iter().fold(Expr::TRUE, Expr::and))
    }

    /// These elements of an array were written by the move, and no others changed.
    fn written(&self, id: SharedId, writes: &[(&Expr, &Rhs)]) -> Expr {
        let mut cells: Vec<Cell> = self.touched.get(&id).cloned().unwrap_or_default();
        cells.extend(writes.iter().map(|(index, _)| Some(self.seen(index))));
        cells.dedup();
        all(cells.iter().map(|cell| {
            let new = (self.after)(id, cell);
            let same = Expr::eq(new.clone(), (self.before)(id, cell));
            writes.iter().fold(same, |otherwise, (index, value)| {
                let right = match value {
                    Rhs::Expr(value) => Expr::eq(new.clone(), self.seen(value)),
                    Rhs::Havoc => Expr::TRUE,
                };
                Expr::ite(self.hits(cell, index), right, otherwise)
            })
        }))
    }

    /// Is the cell of the thread's step the one with this index of the machine?
    fn hits(&self, cell: &Cell, index: &Expr) -> Expr {
        let Some(cell) = cell else { return Expr::FALSE };
        let symbols = Symbols { program: self.program, locals: &self.machine.params };
        let (seen, ty) = (self.seen(index), type_of(index, &symbols));
        match cell {
            cell if *cell == seen => Expr::TRUE,
            Expr::Const(number, _) if !ty.contains(*number) => Expr::FALSE,
            Expr::Const(number, _) => refold(&Expr::eq(seen, Expr::Const(*number, ty))),
            cell => Expr::eq(wide(cell.clone()), wide(seen)),
        }
    }

    /// Everything but `changed` has its old value.
    fn unchanged(&self, changed: &BTreeSet<SharedId>) -> Expr {
        let kept = self.touched.iter().filter(|(id, _)| !changed.contains(id));
        all(kept.flat_map(|(id, cells)| {
            cells.iter().map(|cell| Expr::eq((self.after)(*id, cell), (self.before)(*id, cell)))
        }))
    }
}

/// An index, so that indices of different types can be compared.
fn wide(index: Expr) -> Expr {
    Expr::Cast(Type::signed(64), Box::new(index))
}

/// The cells of a shared variable.
pub fn cells(program: &Program, id: SharedId) -> Vec<Cell> {
    let index = |number| Some(Expr::Const(i128::from(number), Type::unsigned(32)));
    match program.shared[id.index()].len {
        None => vec![None],
        Some(len) => (0..len).map(index).collect(),
    }
}

/// A cell of a variable.
pub fn read(var: VarRef, cell: &Cell) -> Expr {
    match cell {
        None => Expr::Var(var),
        Some(index) => Expr::Index(var, Box::new(index.clone())),
    }
}

/// A cell of a variable, to be assigned.
pub fn place(var: VarRef, cell: &Cell) -> Place {
    match cell {
        None => Place::Var(var),
        Some(index) => Place::Element(var, index.clone()),
    }
}
