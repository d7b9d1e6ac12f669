//! An interleaving as evidence: which instance of the program each slot is, and which values
//! were arbitrary.
//!
//! Steps come last first, as they are found. What does not matter has no value in
//! our states; where the program wants one, it gets zero.

use crate::bdd::{Bdd, Result};
use crate::space::Space;
use crate::step::WrittenCell;
use ccfa::semantics::{ANY, System};
use ccfa::{Count, EdgeId, Instance, Place, Rhs, VarRef};
use evidence::{Verdict, Witness, WitnessStep};

/// A schedule in the making.
pub(crate) struct Schedule<'s, 'a> {
    space: &'s Space<'a>,
    tracked: &'s [usize],
    instances: Vec<Instance>,
    count: u32,
    steps: Vec<WitnessStep>,
}

impl<'s, 'a> Schedule<'s, 'a> {
    /// Without steps.
    pub fn new(space: &'s Space<'a>, tracked: &'s [usize]) -> Schedule<'s, 'a> {
        let mut instances: Vec<Instance> = Vec::new();
        for process in tracked {
            let process = &space.processes.list[*process];
            let same = |other: &&Instance| other.thread == process.thread;
            let next = instances.iter().filter(same).count() as u32;
            let index = process.index.unwrap_or(next);
            instances.push(Instance { thread: process.thread, index });
        }
        let threads = &space.processes.program.threads;
        let any = instances.iter().filter(|one| threads[one.thread.index()].count == Count::Any);
        let count = any.map(|one| one.index + 1).max().unwrap_or(0);
        Schedule { space, tracked, instances, count, steps: Vec::new() }
    }

    /// The step into the error; all its arbitrary values are zero.
    pub fn last(&mut self, slot: usize, edge: EdgeId, state: &Bdd) -> Result<()> {
        let template = self.space.processes.list[self.tracked[slot]].template;
        let cells = |place: &Place| match place {
            Place::Var(var) => self.space.processes.program.var(template, *var).cells(),
            Place::Element(..) => 1,
        };
        let assigns = template.edges[edge.index()].assigns.iter();
        let havoc = assigns.filter(|assign| assign.value == Rhs::Havoc);
        let targets = vec![None; havoc.map(|assign| cells(&assign.place)).sum()];
        self.step(slot, edge, &targets, state)
    }

    /// A step that leads to a state.
    pub fn step(
        &mut self,
        slot: usize,
        edge: EdgeId,
        havoc: &[Option<WrittenCell>],
        state: &Bdd,
    ) -> Result<()> {
        let mut values = Vec::new();
        for target in havoc {
            values.push(match target {
                None => 0,
                Some(target) => self.value(Some(slot), target.var, target.element, state)?,
            });
        }
        let instance = self.position(self.instances[slot]);
        self.steps.push(WitnessStep { instance, edge, havoc: values });
        Ok(())
    }

    /// The whole schedule, from this initial state.
    pub fn from(mut self, state: &Bdd) -> Result<Verdict> {
        let program = self.space.processes.program;
        let system = System::new(program, self.count);
        let open = system.initial();
        let mut initial = Vec::new();
        let unknown = |offset: usize| open.cells[offset] == ANY;
        let mut offset = 0;
        for (number, var) in program.shared.iter().enumerate() {
            for element in 0..var.cells() {
                if unknown(offset) {
                    let var = VarRef::Shared(ccfa::SharedId(number as u32));
                    initial.push(self.value(None, var, element, state)?);
                }
                offset += 1;
            }
        }
        for (position, instance) in system.instances.iter().enumerate() {
            let slot = self.instances.iter().position(|one| one == instance);
            for (number, var) in system.template(position).locals.iter().enumerate() {
                for element in 0..var.cells() {
                    if unknown(offset) {
                        let var = VarRef::Local(ccfa::LocalId(number as u32));
                        let value = |slot| self.value(Some(slot), var, element, state);
                        initial.push(slot.map_or(Ok(0), value)?);
                    }
                    offset += 1;
                }
            }
        }
        self.steps.reverse();
        Ok(Verdict::Unsafe(Witness { instances: self.count, initial, steps: self.steps }))
    }

    fn position(&self, instance: Instance) -> usize {
        let instances = self.space.processes.program.instances(self.count);
        instances.iter().position(|one| *one == instance).unwrap_or(usize::MAX)
    }

    /// The value of a cell, as the process in a slot has it; zero if it does not matter.
    fn value(&self, slot: Option<usize>, var: VarRef, element: usize, state: &Bdd) -> Result<i128> {
        let none = Vec::new();
        let locals = slot.map_or(&none, |slot| &self.space.slot(slot, self.tracked[slot]).locals);
        match self.space.elements(locals, var).get(element) {
            None => Ok(0),
            Some(variable) => Ok(variable.value_in(&self.space.dd, state)?.unwrap_or(0)),
        }
    }
}
