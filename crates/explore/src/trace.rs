//! From states that lead to an error back to the steps between them.
//!
//! The search keeps only the parent of each state. The steps are found again by
//! expanding each state on the path once more and looking for the next one
//! among its successors.

use crate::CompiledProgram;
use crate::any::Plan;
use crate::between::moves;
use crate::machine::{Machine, Overflow, Transition};
use ccfa::semantics::System;
use ccfa::{Edge, EdgeId, Place, Rhs, Type, Var};
use evidence::{Witness, WitnessStep};

/// A witness in which some values may be open: those that were `ANY`.
pub(crate) struct Sketch {
    /// For each cell that is `ANY` in `ccfa`'s initial state.
    pub initial: Vec<Blank>,
    /// The steps.
    pub steps: Vec<SketchStep>,
}

/// A step of a sketch.
pub(crate) struct SketchStep {
    pub instance: usize,
    pub edge: EdgeId,
    pub havoc: Vec<Blank>,
}

/// A value of a type, if it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blank {
    pub ty: Type,
    pub value: Option<i128>,
}

impl Sketch {
    /// The sketch of the path through these states (the first an initial one)
    /// and, after the last of them, along `last`.
    pub fn new(
        model: &CompiledProgram,
        states: &[&[u64]],
        last: Option<Transition>,
    ) -> Result<Sketch, Overflow> {
        let CompiledProgram { system, layout, machine, .. } = model;
        let start = layout.unpack(states[0]);
        let cells = start.cells.iter().zip(system.initial().cells).zip(&layout.cells);
        let arbitrary = cells.filter(|((_, initial), _)| initial.is_none());
        let initial = arbitrary.map(|((value, _), cell)| Blank { ty: cell.ty, value: *value });
        let mut steps = Vec::new();
        for pair in states.windows(2) {
            let moves = moves(machine, pair[0], pair[1])?;
            steps.extend(moves.into_iter().map(|by| sketch_step(system, machine, by)));
        }
        steps.extend(last.map(|by| sketch_step(system, machine, by)));
        Ok(Sketch { initial: initial.collect(), steps })
    }

    /// The witness, if `fill` has a value for each open one, in order.
    pub fn fill(&self, mut fill: impl FnMut() -> Option<i128>) -> Option<Witness> {
        let mut values = |blanks: &[Blank]| -> Option<Vec<i128>> {
            blanks.iter().map(|blank| blank.value.or_else(&mut fill)).collect()
        };
        let initial = values(&self.initial)?;
        let step = |step: &SketchStep| {
            let havoc = values(&step.havoc)?;
            Some(WitnessStep { instance: step.instance, edge: step.edge, havoc })
        };
        let steps = self.steps.iter().map(step).collect::<Option<_>>()?;
        Some(Witness { instances: 0, initial, steps })
    }
}

fn sketch_step(system: &System, machine: &Machine, by: Transition) -> SketchStep {
    let step = machine.step(by);
    let instance = by.instance as usize;
    let mut chosen = Vec::new();
    step.choices(by.choice, &mut chosen);
    let mut chosen = chosen.into_iter();
    let mut plan = Plan::new();
    let edge = &system.template(instance).edges[step.edge.index()];
    let blank = |var: &Var| {
        let value = plan.next(var).and_then(|_| chosen.next()).map(i128::from);
        Blank { ty: var.ty, value }
    };
    let havoc = havocked(system, instance, edge).map(blank).collect();
    SketchStep { instance, edge: step.edge, havoc }
}

/// The variables of the arbitrary values an edge takes, in order.
fn havocked<'a>(
    system: &'a System,
    instance: usize,
    edge: &'a Edge,
) -> impl Iterator<Item = &'a Var> + 'a {
    let havocs = edge.assigns.iter().filter(|assign| assign.value == Rhs::Havoc);
    havocs.flat_map(move |assign| {
        let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
        let declared = system.var(instance, *var);
        let cells = if matches!(assign.place, Place::Var(_)) { declared.cells() } else { 1 };
        std::iter::repeat_n(declared, cells)
    })
}
