//! The way back from a slice: values for what was left out.

use crate::needs::LeftOut;
use ccfa::semantics::{ANY, System};
use ccfa::{
    BinOp, Expr, LocalId, Place, Program, Rhs, SharedId, TemplateId, ThreadId, UnOp, Var, VarRef,
};
use evidence::{Assertions, ClosedSet, Layout, Proof, Tree, Verdict, Witness};

/// The declaration of a variable that is left out, and the value it is held at.
type Held<'p> = (&'p Var, i128);

/// The way back to a program from its slice.
pub(crate) struct Unslice<'p> {
    pub before: &'p Program,
    pub left_out: &'p LeftOut,
}

impl<'p> Unslice<'p> {
    /// What an engine found out about the slice, as evidence for the program before.
    pub fn back(&self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Unsafe(witness) => Verdict::Unsafe(self.witness(witness)),
            Verdict::Safe(Proof::Tree(tree)) => Verdict::Safe(Proof::Tree(self.tree(tree))),
            Verdict::Safe(Proof::Assertions(proof)) => {
                Verdict::Safe(Proof::Assertions(self.assertions(proof)))
            }
            Verdict::Safe(Proof::Closed(set)) => Verdict::Safe(Proof::Closed(self.closed(set))),
            unknown => unknown,
        }
    }

    /// By cell: is it one of a variable that is left out?
    fn left_out_cells(&self, system: &System) -> Vec<bool> {
        let threads = system.instances.iter().map(|instance| instance.thread);
        let locals = threads.flat_map(|thread| {
            let (template, number) =
                (self.before.template_of(thread), self.template(thread).index());
            let left_out = &self.left_out.locals[number];
            let declared = template.locals.iter().zip((0..).map(LocalId));
            declared.map(move |(var, id)| (var, left_out.contains_key(&id)))
        });
        let shared = self.before.shared.iter().zip((0..).map(SharedId));
        let shared = shared.map(|(var, id)| (var, self.left_out.shared.contains_key(&id)));
        let variables = shared.chain(locals);
        variables.flat_map(|(var, is)| std::iter::repeat_n(is, var.cells())).collect()
    }

    /// The set, with `ANY` for what is left out. What does not hang together is left to the checker.
    fn closed(&self, mut set: ClosedSet) -> ClosedSet {
        let system = System::new(self.before, 0);
        let left_out = self.left_out_cells(&system);
        if set.any_cells.len() != left_out.len() {
            return set;
        }
        let narrow = Layout::new(&system, &|cell| set.any_cells[cell]);
        let wide = Layout::new(&system, &|cell| set.any_cells[cell] || left_out[cell]);
        let mut words = vec![0; wide.words];
        let mut states = Vec::with_capacity(set.expansions.len() * wide.words);
        for state in set.states.chunks_exact(narrow.words) {
            let mut state = narrow.unpack(state);
            let cells = state.cells.iter_mut().zip(&left_out);
            cells.filter(|(_, is)| **is).for_each(|(cell, _)| *cell = ANY);
            if wide.pack(&state, &mut words).is_some() {
                states.extend_from_slice(&words);
            }
        }
        set.any_cells.iter_mut().zip(left_out).for_each(|(any, is)| *any |= is);
        ClosedSet { states, ..set }
    }

    /// The witness, with zero wherever the program before takes an arbitrary value that is left out.
    fn witness(&self, mut witness: Witness) -> Witness {
        let system = System::new(self.before, witness.instances);
        let mut taken = std::mem::take(&mut witness.initial).into_iter();
        for (value, is_left_out) in system.initial().cells.iter().zip(self.left_out_cells(&system))
        {
            match (*value == ANY, is_left_out) {
                (true, true) => witness.initial.push(0),
                (true, false) => witness.initial.extend(taken.next()),
                (false, _) => {}
            }
        }
        witness.initial.extend(taken);
        let instances = system.instances;
        for step in &mut witness.steps {
            let Some(instance) = instances.get(step.instance) else { continue };
            let number = self.before.threads[instance.thread.index()].template.index();
            let template = &self.before.templates[number];
            let Some(edge) = template.edges.get(step.edge.index()) else { continue };
            let mut taken = std::mem::take(&mut step.havoc).into_iter();
            for assign in edge.assigns.iter().filter(|assign| assign.value == Rhs::Havoc) {
                let (var, cells) = match &assign.place {
                    Place::Var(var) => (*var, self.before.var(template, *var).cells()),
                    Place::Element(var, _) => (*var, 1),
                };
                match self.left_out.value(number, var) {
                    Some(_) => step.havoc.extend(std::iter::repeat_n(0, cells)),
                    None => step.havoc.extend(taken.by_ref().take(cells)),
                }
            }
            step.havoc.extend(taken);
        }
        witness
    }

    fn tree(&self, mut tree: Tree) -> Tree {
        let system = System::new(self.before, 0);
        let threads = system.instances.iter().map(|instance| instance.thread);
        let held = self.held(threads);
        for node in &mut tree.nodes {
            self.put_in(&held, &mut node.label);
        }
        tree
    }

    fn assertions(&self, mut proof: Assertions) -> Assertions {
        for view in &mut proof.views {
            let held = self.held(view.slots.iter().map(|slot| slot.thread));
            for region in &mut view.regions {
                self.put_in(&held, &mut region.holds);
            }
        }
        proof
    }

    /// By local of all these threads: how it is held, if it is left out.
    fn held(&self, threads: impl Iterator<Item = ThreadId>) -> Vec<Option<Held<'p>>> {
        let locals_of = |thread| {
            let template = self.template(thread).index();
            let locals = 0..self.before.templates[template].locals.len() as u32;
            locals.map(move |local| self.hold(template, VarRef::Local(LocalId(local))))
        };
        threads.flat_map(locals_of).collect()
    }

    /// How a variable is held, if it is left out.
    fn hold(&self, template: usize, var: VarRef) -> Option<Held<'p>> {
        let value = self.left_out.value(template, var)?;
        Some((self.before.var(&self.before.templates[template], var), value))
    }

    /// Puts values in the place of what is left out. What may be no element of an array stays; what
    /// is then true goes.
    fn put_in(&self, held: &[Option<Held<'p>>], formulas: &mut Vec<Expr>) {
        let held = |var: VarRef| match var {
            VarRef::Shared(_) => self.hold(0, var),
            VarRef::Local(id) => held.get(id.index()).copied().flatten(),
        };
        let value = |read: &Expr| match read {
            Expr::Var(var) => held(*var),
            Expr::Index(var, index) => held(*var).filter(|(declared, _)| match **index {
                Expr::Const(index, _) => declared.has_element(index),
                _ => false,
            }),
            _ => None,
        };
        formulas.retain_mut(|formula| {
            let mut mentioned = false;
            formula.walk(&mut |part| mentioned |= value(part).is_some());
            if mentioned {
                *formula = formula.map_reads(&mut |read| match value(&read) {
                    Some((declared, value)) => Expr::Const(value, declared.ty),
                    None => read,
                });
            }
            !(mentioned && is_true(formula))
        });
    }

    fn template(&self, thread: ThreadId) -> TemplateId {
        self.before.threads[thread.index()].template
    }
}

/// Is it a formula about constants that is true?
fn is_true(formula: &Expr) -> bool {
    match formula {
        Expr::Binary(BinOp::Eq, left, right) => {
            matches!((&**left, &**right), (Expr::Const(a, _), Expr::Const(b, _)) if a == b)
        }
        Expr::Unary(UnOp::Not, operand) => **operand == Expr::FALSE,
        formula => *formula == Expr::TRUE,
    }
}
