//! The way back: says in proofs what was taken for granted in the simpler program.

use crate::facts::Known;
use crate::known::Simplified;
use ccfa::semantics::System;
use ccfa::{Count, Expr, LocId, LocalId, Template, ThreadId, VarRef};
use evidence::{Assertions, Region, Slot, Tree, View};

impl Simplified {
    /// The tree, with the facts about the locations of each node in its label. What does not
    /// hang together is left to the checker.
    pub(crate) fn tree(&self, mut tree: Tree) -> Tree {
        let system = System::new(&self.program, 0);
        let Some(places) = places(&system, &tree) else { return tree };
        let sayings = self.sayings(&system);
        for (node, at) in tree.nodes.iter_mut().zip(places) {
            for (sayings, location) in sayings.iter().zip(at) {
                node.label.extend_from_slice(&sayings[location.index()]);
            }
        }
        tree
    }

    /// By instance and location: the facts, in the words of labels.
    fn sayings(&self, system: &System) -> Vec<Vec<Vec<Expr>>> {
        let mut before = 0;
        let mut of_instance = |instance: usize| {
            let template = self.program.threads[system.instances[instance].thread.index()].template;
            let declared = &self.program.templates[template.index()];
            let first = before;
            before += declared.locals.len() as u32;
            let say = |known: &Option<Known>| match known {
                Some(known) => self.say(declared, known, first),
                None => vec![Expr::FALSE],
            };
            self.facts[template.index()].iter().map(say).collect()
        };
        (0..system.instances.len()).map(&mut of_instance).collect()
    }

    /// The assertions, with the facts: in the regions where the thread is at one location, if they
    /// all are so and every instance is tracked; otherwise in a view of their own.
    pub(crate) fn assertions(&self, mut proof: Assertions) -> Assertions {
        for (number, thread) in self.program.threads.iter().enumerate() {
            let thread_id = ThreadId(number as u32);
            if is_told_by_location(&proof, thread_id, thread.count) {
                self.tell_regions(&mut proof, thread_id);
            } else if thread.count != Count::Exactly(0) {
                proof.views.extend(self.view(Slot { thread: thread_id, index: None }));
            }
        }
        proof
    }

    /// Adds the facts about a thread to all regions.
    fn tell_regions(&self, proof: &mut Assertions, thread: ThreadId) {
        let template = self.program.threads[thread.index()].template;
        let declared = &self.program.templates[template.index()];
        for view in &mut proof.views {
            let mut first = 0;
            for (place, slot) in view.slots.iter().enumerate() {
                for region in &mut view.regions {
                    let at = region.at[place].iter().flatten().next();
                    let known = at.and_then(|at| self.facts[template.index()].get(at.index()));
                    match known {
                        Some(Some(known)) if slot.thread == thread => {
                            region.holds.extend(self.say(declared, known, first));
                        }
                        _ => {}
                    }
                }
                first += self.program.template_of(slot.thread).locals.len() as u32;
            }
        }
    }

    /// A view that says the facts about one thread, if there are any.
    fn view(&self, slot: Slot) -> Option<View> {
        let template = self.program.threads[slot.thread.index()].template;
        let declared = &self.program.templates[template.index()];
        let facts = &self.facts[template.index()];
        if facts.iter().all(|known| known.as_ref().is_some_and(Known::is_empty)) {
            return None;
        }
        let mut regions: Vec<Region> = Vec::new();
        for (known, location) in facts.iter().zip((0..).map(LocId)) {
            let Some(known) = known else { continue };
            let holds = self.say(declared, known, 0);
            match regions.iter_mut().find(|region| region.holds == holds) {
                Some(region) => region.at[0].get_or_insert_default().push(location),
                None => regions.push(Region { at: vec![Some(vec![location])], holds }),
            }
        }
        Some(View { slots: vec![slot], regions })
    }

    /// Facts as expressions; the locals are numbered from `first`.
    fn say(&self, template: &Template, known: &Known, first: u32) -> Vec<Expr> {
        let equation = |(var, value): (&VarRef, &i128)| {
            let seen = match var {
                VarRef::Local(id) => VarRef::Local(LocalId(first + id.0)),
                shared => *shared,
            };
            let ty = self.program.var(template, *var).ty;
            Expr::eq(Expr::Var(seen), Expr::Const(*value, ty))
        };
        known.iter().map(equation).collect()
    }
}

/// Does every region that shows the thread say at which location it is, and is every instance shown?
fn is_told_by_location(proof: &Assertions, thread: ThreadId, count: Count) -> bool {
    let mut shown: Vec<Option<u32>> = Vec::new();
    for view in &proof.views {
        for (place, slot) in view.slots.iter().enumerate() {
            let is_one =
                |region: &Region| matches!(region.at.get(place), Some(Some(at)) if at.len() == 1);
            if slot.thread == thread {
                if !view.regions.iter().all(is_one) {
                    return false;
                }
                shown.push(slot.index);
            }
        }
    }
    match count {
        _ if shown.contains(&None) => true,
        Count::Exactly(count) => (0..count).all(|index| shown.contains(&Some(index))),
        Count::Any => false,
    }
}

/// Where each instance is at each node; `None` if the tree does not hang together.
fn places(system: &System, tree: &Tree) -> Option<Vec<Vec<LocId>>> {
    let mut places: Vec<Vec<LocId>> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let at = match node.reached {
            None => system.initial().locations,
            Some(reached) => {
                let mut at = places.get(reached.parent as usize)?.clone();
                let moved = at.get_mut(reached.instance)?;
                let edge = system.template(reached.instance).edges.get(reached.edge.index())?;
                *moved = edge.target;
                at
            }
        };
        places.push(at);
    }
    Some(places)
}
