//! Witnesses on their way back through a reduction: each step becomes the path that it stands for.
//!
//! Both programs are run side by side. Where the program before takes an arbitrary value, it takes what the
//! program after has in that variable once its step is done; where that has no such variable, zero.

use ccfa::semantics::{ANY, State, System};
use ccfa::{Edge, LocalId, Place, Program, Rhs, VarRef};
use evidence::{Reduction, Witness, WitnessStep};

/// The witness for the program before. What does not hang together is left to the checker.
pub(super) fn expanded(before: &Program, reduction: &Reduction, witness: Witness) -> Witness {
    let sides = Sides {
        reduction,
        before: System::new(before, witness.instances),
        after: System::new(&reduction.program, witness.instances),
    };
    sides.expanded(&witness).unwrap_or(witness)
}

/// Both programs, with so many instances as the witness has.
struct Sides<'a> {
    reduction: &'a Reduction,
    before: System<'a>,
    after: System<'a>,
}

impl Sides<'_> {
    fn expanded(&self, witness: &Witness) -> Option<Witness> {
        let cells = self.cells();
        let mut after = self.after.initial();
        let mut values = witness.initial.iter();
        for cell in after.cells.iter_mut().filter(|cell| **cell == ANY) {
            *cell = Some(*values.next()?);
        }
        let mut before = self.before.initial();
        let mut initial = Vec::new();
        for (number, cell) in before.cells.iter_mut().enumerate() {
            if *cell == ANY {
                initial.push(value(&after, cells[number]));
                *cell = initial.last().copied();
            }
        }
        let mut steps = Vec::new();
        for step in &witness.steps {
            let template = self.template(step.instance)?;
            let program = &self.reduction.program.templates[template];
            let edge = program.edges.get(step.edge.index())?;
            let mut taken = step.havoc.iter().copied();
            after = self.after.step(&after, step.instance, edge, &mut |_| taken.next())?;
            for id in &self.reduction.templates[template].paths[step.edge.index()] {
                let edge = &self.before.template(step.instance).edges[id.index()];
                let arbitrary = self.arbitrary(&before, step.instance, edge)?;
                let cell = |cell: usize| cells.get(cell).copied().flatten();
                let havoc: Vec<i128> =
                    arbitrary.into_iter().map(|at| value(&after, cell(at))).collect();
                let mut taken = havoc.iter().copied();
                before = self.before.step(&before, step.instance, edge, &mut |_| taken.next())?;
                steps.push(WitnessStep { instance: step.instance, edge: *id, havoc });
            }
        }
        Some(Witness { instances: witness.instances, initial, steps })
    }

    fn template(&self, instance: usize) -> Option<usize> {
        let thread = self.before.instances.get(instance)?.thread;
        Some(self.before.program.threads[thread.index()].template.index())
    }

    /// By cell before: the cell after, if there is one.
    fn cells(&self) -> Vec<Option<usize>> {
        let mut cells = vec![None; self.before.cell_count()];
        let mut pair = |instance: usize, old: VarRef, new: VarRef| {
            let (from, to) = (self.before.offset(instance, old), self.after.offset(instance, new));
            for element in 0..self.after.var(instance, new).cells() {
                cells[from + element] = Some(to + element);
            }
        };
        for (old, new) in self.reduction.shared.iter().zip((0..).map(ccfa::SharedId)) {
            pair(0, VarRef::Shared(*old), VarRef::Shared(new));
        }
        for instance in 0..self.before.instances.len() {
            let template = self.template(instance).expect("instances run templates");
            let locals = &self.reduction.templates[template].locals;
            for (old, new) in locals.iter().zip((0..).map(LocalId)) {
                pair(instance, VarRef::Local(*old), VarRef::Local(new));
            }
        }
        cells
    }

    /// The cells to which an edge assigns arbitrary values, in order.
    fn arbitrary(&self, state: &State, instance: usize, edge: &Edge) -> Option<Vec<usize>> {
        let mut cells = Vec::new();
        for assign in edge.assigns.iter().filter(|assign| assign.value == Rhs::Havoc) {
            let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
            let first = self.before.offset(instance, *var);
            match &assign.place {
                Place::Var(_) => {
                    cells.extend(first..first + self.before.var(instance, *var).cells());
                }
                Place::Element(_, index) => {
                    let index = self.before.eval(state, instance, index).ok()??;
                    cells.push(first + usize::try_from(index).ok()?);
                }
            }
        }
        Some(cells)
    }
}

/// What a cell after holds; zero if there is none.
fn value(after: &State, cell: Option<usize>) -> i128 {
    cell.and_then(|cell| after.cells[cell]).unwrap_or(0)
}
