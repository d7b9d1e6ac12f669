//! The program of the abstract threads: each thread that has one is replaced by it.
//! A thread without one is its own abstraction. **Trusted.**
//!
//! If every abstract thread is an abstraction of its thread and this program has no
//! error, neither has the original one (Theorem 1).

use crate::count::{Counters, guarded};
use crate::formula::rename;
use crate::machine::{Machine, Move};
use crate::relation::{cells, place, read};
use ccfa::{
    Assign, Count, Edge, Expr, Init, LocId, LocalId, Location, Program, Rhs, SharedId, Template,
    TemplateId, ThreadId, Var, VarRef,
};
use std::collections::{BTreeMap, BTreeSet};

/// What a thread is replaced by.
pub(crate) enum Replacement {
    /// As many instances of this machine.
    Same(Machine),
    /// One thread that counts so many instances of it.
    Counted(Machine, Count),
}

/// The program with some threads replaced by their machines.
pub fn compose(program: &Program, machines: &[(ThreadId, &Machine)]) -> Program {
    let same = |(id, machine): &(ThreadId, &Machine)| (*id, Replacement::Same((*machine).clone()));
    compose_with(program, &machines.iter().map(same).collect::<Vec<_>>())
}

pub(crate) fn compose_with(program: &Program, machines: &[(ThreadId, Replacement)]) -> Program {
    let mut composed = Program { templates: Vec::new(), ..program.clone() };
    let mut kept: BTreeMap<TemplateId, TemplateId> = BTreeMap::new();
    for (number, thread) in composed.threads.iter_mut().enumerate() {
        let machine = machines.iter().find(|(id, _)| id.index() == number);
        let next = TemplateId(composed.templates.len() as u32);
        match machine {
            Some((_, Replacement::Same(machine))) => {
                let name = unused_name(&composed.templates, &machine.name);
                composed.templates.push(template(program, machine, name, None));
                thread.template = next;
            }
            Some((_, Replacement::Counted(machine, count))) => {
                let name = unused_name(&composed.templates, &machine.name);
                let counters = Counters::new(machine, *count, composed.shared.len());
                composed.shared.extend(counters.vars.iter().cloned());
                composed.templates.push(template(program, machine, name, Some(&counters)));
                thread.template = next;
                thread.args = Vec::new();
                thread.count = Count::Exactly(1);
            }
            None => {
                let old = thread.template;
                thread.template = *kept.entry(old).or_insert(next);
                if thread.template == next {
                    composed.templates.push(program.templates[old.index()].clone());
                }
            }
        }
    }
    composed
}

fn unused_name(templates: &[Template], wish: &str) -> String {
    let taken = |name: &str| templates.iter().any(|template| template.name == name);
    let mut names = std::iter::once(wish.to_string()).chain((2..).map(|n| format!("{wish}#{n}")));
    names.find(|name| !taken(name)).unwrap_or_default()
}

/// The automaton of a machine. The idle step is left out: it changes nothing. With
/// counters it has one location, for all instances.
fn template(
    program: &Program,
    machine: &Machine,
    name: String,
    counters: Option<&Counters>,
) -> Template {
    let param = |(number, ty): (usize, &ccfa::Type)| {
        Var::new(format!("argument {number}"), *ty, None, Init::Param(number as u32))
    };
    let node = |node: &crate::machine::MachineState| Location {
        name: node.name.clone(),
        span: node.span,
        ..Location::default()
    };
    let template = Template {
        name,
        params: machine.params.len() as u32,
        locals: machine.params.iter().enumerate().map(param).collect(),
        locations: match counters {
            None => machine.nodes.iter().map(node).collect(),
            Some(_) => vec![Location::default()],
        },
        edges: Vec::new(),
        entry: LocId(0),
    };
    let mut builder = Composer { program, machine, counters, template, old: BTreeMap::new() };
    builder.enter();
    builder.failures();
    machine.moves.iter().for_each(|step| builder.step(step));
    builder.template
}

struct Composer<'p> {
    program: &'p Program,
    machine: &'p Machine,
    counters: Option<&'p Counters>,
    template: Template,
    /// Copies of old values, for moves that compare them with new ones.
    old: BTreeMap<SharedId, LocalId>,
}

impl Composer<'_> {
    fn location(&mut self, location: Location) -> LocId {
        self.template.locations.push(location);
        LocId(self.template.locations.len() as u32 - 1)
    }

    /// Where a thread in this state is.
    fn place(&self, node: usize) -> LocId {
        LocId(if self.counters.is_some() { 0 } else { node as u32 })
    }

    fn guard(&self, node: usize, condition: &Expr) -> Expr {
        match self.counters {
            Some(counters) => guarded(counters, node, condition),
            None => condition.clone(),
        }
    }

    /// With several initial states, a place from which they are chosen.
    fn enter(&mut self) {
        if let [only] = self.machine.initial[..] {
            self.template.entry = self.place(only);
            return;
        }
        let entry = self.location(Location::default());
        self.template.entry = entry;
        for node in &self.machine.initial {
            let (target, guard) = (self.place(*node), Expr::TRUE);
            let edge = Edge::new(entry, target, guard, vec![]);
            self.template.edges.push(edge);
        }
    }

    fn failures(&mut self) {
        for (number, node) in self.machine.nodes.iter().enumerate() {
            for failure in &node.failures {
                let target = self.location(Location {
                    kind: failure.kind.clone(),
                    span: failure.span,
                    ..Location::default()
                });
                let guard = self.guard(number, &failure.condition);
                let edge = Edge::new(self.place(number), target, guard, vec![]);
                self.template.edges.push(Edge { span: failure.span, ..edge });
            }
        }
    }

    /// A move: one edge, or two through an atomic location if new values are restricted.
    fn step(&mut self, step: &Move) {
        let (source, target) = (self.place(step.from), self.place(step.to));
        let guard = self.guard(step.from, &step.guard);
        let mut assigns = step.effects.clone();
        assigns.extend(self.counters.iter().flat_map(|all| all.transfer(step.from, step.to)));
        let mut first = Edge { span: step.span, ..Edge::new(source, target, guard, assigns) };
        if step.ensure != Expr::TRUE {
            first.target =
                self.location(Location { atomic: true, span: step.span, ..Location::default() });
            let compared = self.compared(step);
            first.assigns.extend(compared.iter().flat_map(|id| self.copy(*id)));
            let guard = self.seen(&step.ensure, &compared);
            let assigns = compared.iter().flat_map(|id| self.clear(*id)).collect();
            let source = first.target;
            self.template
                .edges
                .push(Edge { span: step.span, ..Edge::new(source, target, guard, assigns) });
        }
        self.template.edges.push(first);
    }

    /// The variables whose old values a move compares with new ones.
    fn compared(&mut self, step: &Move) -> BTreeSet<SharedId> {
        let changed = step.changed();
        let mut found = BTreeSet::new();
        step.ensure.walk(&mut |part| {
            if let Expr::Var(VarRef::Shared(id)) | Expr::Index(VarRef::Shared(id), _) = part
                && changed.contains(id)
            {
                found.insert(*id);
            }
        });
        for id in &found {
            let var = &self.program.shared[id.index()];
            let next = LocalId(self.template.locals.len() as u32);
            if *self.old.entry(*id).or_insert(next) == next {
                let name = format!("old {}", var.name);
                self.template.locals.push(Var { name, init: Init::Value(0), ..var.clone() });
            }
        }
        found
    }

    fn copy(&self, id: SharedId) -> Vec<Assign> {
        let copy = VarRef::Local(self.old[&id]);
        let assign = |cell| Assign {
            place: place(copy, &cell),
            value: Rhs::Expr(read(VarRef::Shared(id), &cell)),
        };
        cells(self.program, id).into_iter().map(assign).collect()
    }

    fn clear(&self, id: SharedId) -> Vec<Assign> {
        let copy = VarRef::Local(self.old[&id]);
        let zero = Expr::Const(0, self.program.shared[id.index()].ty);
        let assign = |cell| Assign { place: place(copy, &cell), value: Rhs::Expr(zero.clone()) };
        cells(self.program, id).into_iter().map(assign).collect()
    }

    fn seen(&self, ensure: &Expr, compared: &BTreeSet<SharedId>) -> Expr {
        rename(ensure, &|var| match (var, self.machine.is_after(var)) {
            (_, Some(id)) => VarRef::Shared(id),
            (VarRef::Shared(id), None) if compared.contains(&id) => VarRef::Local(self.old[&id]),
            _ => var,
        })
    }
}
