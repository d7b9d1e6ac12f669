//! An interleaving as evidence: who is who among the instances of the program, and which values
//! were arbitrary.
//!
//! Steps come last first, as they are found. What does not matter has no value in
//! our states; where the program wants one, it gets zero.

use crate::bdd::{Bdd, Maybe};
use crate::space::Space;
use crate::step::Target;
use ccfa::semantics::{ANY, System};
use ccfa::{Count, EdgeId, Instance, Place, Rhs, VarRef};
use evidence::{Verdict, Witness, WitnessStep};

/// A schedule in the making.
pub(crate) struct Schedule<'s, 'a> {
    space: &'s Space<'a>,
    roles: &'s [usize],
    instances: Vec<Instance>,
    copies: u32,
    steps: Vec<WitnessStep>,
}

impl<'s, 'a> Schedule<'s, 'a> {
    /// Nobody has moved.
    pub fn new(space: &'s Space<'a>, roles: &'s [usize]) -> Schedule<'s, 'a> {
        let mut instances: Vec<Instance> = Vec::new();
        for role in roles {
            let process = &space.processes.list[*role];
            let same = |other: &&Instance| other.thread == process.thread;
            let next = instances.iter().filter(same).count() as u32;
            let index = process.index.unwrap_or(next);
            instances.push(Instance { thread: process.thread, index });
        }
        let threads = &space.processes.program.threads;
        let any = instances.iter().filter(|one| threads[one.thread.index()].count == Count::Any);
        let copies = any.map(|one| one.index + 1).max().unwrap_or(0);
        Schedule { space, roles, instances, copies, steps: Vec::new() }
    }

    /// The step into the error; all its arbitrary values are zero.
    pub fn last(&mut self, seat: usize, edge: EdgeId, state: &Bdd) -> Maybe<()> {
        let template = self.space.processes.list[self.roles[seat]].template;
        let cells = |place: &Place| match place {
            Place::Var(var) => self.space.processes.program.var(template, *var).cells(),
            Place::Element(..) => 1,
        };
        let assigns = template.edges[edge.index()].assigns.iter();
        let havoc = assigns.filter(|assign| assign.value == Rhs::Havoc);
        let targets = vec![None; havoc.map(|assign| cells(&assign.place)).sum()];
        self.step(seat, edge, &targets, state)
    }

    /// A step that leads to a state.
    pub fn step(
        &mut self,
        seat: usize,
        edge: EdgeId,
        havoc: &[Option<Target>],
        state: &Bdd,
    ) -> Maybe<()> {
        let mut values = Vec::new();
        for target in havoc {
            values.push(match target {
                None => 0,
                Some(target) => self.value(Some(seat), target.var, target.element, state)?,
            });
        }
        let instance = self.position(self.instances[seat]);
        self.steps.push(WitnessStep { instance, edge, havoc: values });
        Ok(())
    }

    /// The whole schedule, from this initial state.
    pub fn from(mut self, state: &Bdd) -> Maybe<Verdict> {
        let program = self.space.processes.program;
        let system = System::new(program, self.copies);
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
            let seat = self.instances.iter().position(|one| one == instance);
            for (number, var) in system.template(position).locals.iter().enumerate() {
                for element in 0..var.cells() {
                    if unknown(offset) {
                        let var = VarRef::Local(ccfa::LocalId(number as u32));
                        let value = |seat| self.value(Some(seat), var, element, state);
                        initial.push(seat.map_or(Ok(0), value)?);
                    }
                    offset += 1;
                }
            }
        }
        self.steps.reverse();
        Ok(Verdict::Unsafe(Witness { instances: self.copies, initial, steps: self.steps }))
    }

    fn position(&self, instance: Instance) -> usize {
        let instances = self.space.processes.program.instances(self.copies);
        instances.iter().position(|one| *one == instance).unwrap_or(usize::MAX)
    }

    /// The value of a cell, as seen from a seat; zero if it does not matter.
    fn value(&self, seat: Option<usize>, var: VarRef, element: usize, state: &Bdd) -> Maybe<i128> {
        let none = Vec::new();
        let locals = seat.map_or(&none, |seat| &self.space.seat(seat, self.roles[seat]).locals);
        match self.space.elements(locals, var).get(element) {
            None => Ok(0),
            Some(variable) => Ok(variable.value_in(&self.space.dd, state)?.unwrap_or(0)),
        }
    }
}
