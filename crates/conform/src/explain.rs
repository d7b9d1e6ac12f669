//! Why a thread does not conform: the phased execution that an error of the checker
//! is, with the candidates at each step, and for the last step why none of them
//! can follow.

use crate::instrument::{Checker, CheckerEdge};
use crate::machine::{Machine, Move};
use crate::relation::{Cell, cells, read};
use ccfa::fold::refold;
use ccfa::semantics::{State, System};
use ccfa::{
    Assign, EdgeId, Expr, Init, LocKind, Place, Program, Rhs, SharedId, Template, Type, Var,
    VarRef, text,
};
use std::collections::BTreeSet;

/// A phased execution that no abstract one matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The steps of the thread, in order.
    pub phases: Vec<Phase>,
    /// What is wrong after them.
    pub end: End,
}

/// A step of the thread. Before it, other threads may have done anything.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// The edges of the thread; several in an atomic section.
    pub edges: Vec<EdgeId>,
    /// What the step saw or changed: the variable, its old and its new value.
    pub values: Vec<Seen>,
    /// The abstract states that were candidates before it.
    pub before: Vec<usize>,
    /// Those after it.
    pub after: Vec<usize>,
}

/// A shared variable in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its name, with an index if it is an element.
    pub name: String,
    /// Before the step.
    pub old: i128,
    /// After it.
    pub new: i128,
}

/// How a phased execution that is not matched ends.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// No candidate can do the last step: for each, what it could do and why not.
    NoMatch(Vec<Blame>),
    /// The thread goes wrong, as the text says, and no candidate does. The step is
    /// the last phase.
    Wrong(String),
}

/// Why a candidate cannot follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blame {
    /// The candidate.
    pub node: usize,
    /// The move that does not fit, by its number; the idle step has none.
    pub step: Option<usize>,
    /// What it demands that does not hold.
    pub why: String,
}

/// Explains a path of the checker: the states and the edges between them.
pub fn explain(
    program: &Program,
    machine: &Machine,
    checker: &Checker,
    states: &[State],
    edges: &[EdgeId],
) -> Explanation {
    let context =
        CheckerContext { program, machine, checker, system: System::new(&checker.program, 0) };
    let mut phases = Vec::new();
    let mut parts: Vec<EdgeId> = Vec::new();
    let mut begun = 0;
    for (number, edge) in edges.iter().enumerate() {
        let (before, after) = (&states[number], &states[number + 1]);
        let moment = match checker.origins[edge.index()] {
            CheckerEdge::Whole(step) => {
                (begun, parts) = (number, vec![step]);
                context.whole(before, step)
            }
            CheckerEdge::Part(step) => {
                begun = if parts.is_empty() { number } else { begun };
                parts.push(step);
                continue;
            }
            CheckerEdge::Havoc => Moment { old: states[begun].clone(), new: before.clone() },
            CheckerEdge::Instance | CheckerEdge::NoCandidate => continue,
        };
        phases.push(context.phase(std::mem::take(&mut parts), &moment, after));
        if phases.last().is_some_and(|phase| phase.after.is_empty()) {
            return Explanation { phases, end: End::NoMatch(context.blame(&moment)) };
        }
    }
    let last = &states[states.len() - 1];
    let moment = Moment { old: states[begun].clone(), new: last.clone() };
    phases.push(context.phase(parts, &moment, &states[begun]));
    Explanation { phases, end: End::Wrong(context.kind(last)) }
}

/// What a move demands, in words of the program: `g > 0`, `g' == g + 1`.
pub fn describe(program: &Program, machine: &Machine, step: &Move) -> String {
    let parts = demands(machine, step);
    let texts: Vec<String> = parts.iter().map(|part| show(program, machine, part)).collect();
    let free = step.effects.iter().filter(|effect| effect.value == Rhs::Havoc);
    let free: Vec<String> = free.filter_map(|effect| free_text(program, machine, effect)).collect();
    match (texts.is_empty(), free.is_empty()) {
        (true, true) => "nothing changes".into(),
        (_, true) => texts.join(" && "),
        (true, false) => format!("any {}", free.join(", ")),
        (false, false) => format!("{} with any {}", texts.join(" && "), free.join(", ")),
    }
}

fn free_text(program: &Program, machine: &Machine, effect: &Assign) -> Option<String> {
    let (Place::Var(VarRef::Shared(id)) | Place::Element(VarRef::Shared(id), _)) = effect.place
    else {
        return None;
    };
    Some(show(program, machine, &Expr::Var(VarRef::Shared(machine.after(id)))))
}

/// An expression of a machine, with primes for new values.
pub fn show(program: &Program, machine: &Machine, expr: &Expr) -> String {
    text::print_expr(&primed(program), Some(&names(machine)), expr).replace('`', "")
}

/// The shared variables, and once more with primes: their new values.
pub(crate) fn primed(program: &Program) -> Program {
    let mut shared = program.shared.clone();
    let after = program.shared.iter();
    shared.extend(after.map(|var| Var { name: format!("{}'", var.name), ..var.clone() }));
    Program { shared, ..Program::default() }
}

/// The arguments of the thread, as locals.
pub(crate) fn names(machine: &Machine) -> Template {
    let param =
        |(number, ty): (usize, &Type)| Var::new(format!("argument {number}"), *ty, None, Init::Any);
    let locals = machine.params.iter().enumerate().map(param).collect();
    Template { locals, ..Template::default() }
}

/// The conditions of a move, one by one: of old values, then of new ones.
fn demands(machine: &Machine, step: &Move) -> Vec<Expr> {
    let mut parts: Vec<Expr> = step.guard.conjuncts().into_iter().cloned().collect();
    for Assign { place, value } in &step.effects {
        let Rhs::Expr(value) = value else { continue };
        let new = match place {
            Place::Var(VarRef::Shared(id)) => Expr::Var(VarRef::Shared(machine.after(*id))),
            Place::Element(VarRef::Shared(id), index) => {
                Expr::Index(VarRef::Shared(machine.after(*id)), Box::new(index.clone()))
            }
            _ => continue,
        };
        parts.push(Expr::eq(new, value.clone()));
    }
    parts.extend(step.ensure.conjuncts().into_iter().cloned());
    parts
}

/// The old and the new values of the shared variables in a step.
struct Moment {
    old: State,
    new: State,
}

struct CheckerContext<'p> {
    program: &'p Program,
    machine: &'p Machine,
    checker: &'p Checker,
    system: System<'p>,
}

impl CheckerContext<'_> {
    fn value(&self, state: &State, expr: &Expr) -> Option<i128> {
        self.system.eval(state, 0, expr).ok().flatten()
    }

    fn candidates(&self, state: &State) -> Vec<usize> {
        let flag = |node: &usize| Expr::Var(VarRef::Local(self.checker.candidates[*node]));
        let all = 0..self.machine.nodes.len();
        all.filter(|node| self.value(state, &flag(node)) == Some(1)).collect()
    }

    fn kind(&self, state: &State) -> String {
        let location = &self.system.template(0).locations[state.locations[0].index()];
        match &location.kind {
            LocKind::Error(what) => what.to_string(),
            LocKind::Plain | LocKind::Undefined(_) | LocKind::Limit(..) => String::new(),
        }
    }

    /// The values before and after a step that is one edge.
    fn whole(&self, before: &State, step: EdgeId) -> Moment {
        let edge = &self.program.template_of(self.checker.thread).edges[step.index()];
        let after = self.system.step(before, 0, edge, &mut |_| None);
        Moment { old: before.clone(), new: after.unwrap_or_else(|| before.clone()) }
    }

    fn phase(&self, edges: Vec<EdgeId>, moment: &Moment, after: &State) -> Phase {
        let values = self.seen(&edges, moment);
        Phase { edges, values, before: self.candidates(&moment.old), after: self.candidates(after) }
    }

    /// The shared variables of the source that the edges touch, with their values.
    fn seen(&self, edges: &[EdgeId], moment: &Moment) -> Vec<Seen> {
        let template = self.program.template_of(self.checker.thread);
        let mut touched: BTreeSet<SharedId> = BTreeSet::new();
        for access in edges.iter().map(|edge| template.edges[edge.index()].read_write_sets()) {
            touched.extend(access.shared_reads().chain(access.shared_writes()));
        }
        let mut all = Vec::new();
        let is_shown = |id: &SharedId| self.program.is_of_source(&self.program.shared[id.index()]);
        for id in touched.into_iter().filter(is_shown) {
            for cell in cells(self.program, id) {
                let place = read(VarRef::Shared(id), &cell);
                let values = (self.value(&moment.old, &place), self.value(&moment.new, &place));
                if let (Some(old), Some(new)) = values {
                    all.push(Seen { name: self.name(id, &cell), old, new });
                }
            }
        }
        all
    }

    /// The name of a cell, for people.
    fn name(&self, id: SharedId, cell: &Cell) -> String {
        let var = &self.program.shared[id.index()];
        match cell {
            Some(Expr::Const(index, _)) => self.program.cell_name(var, *index as u64),
            _ => self.program.source_name(var),
        }
    }

    /// Why no candidate can do this step.
    fn blame(&self, moment: &Moment) -> Vec<Blame> {
        let mut blames = Vec::new();
        for node in self.candidates(&moment.old) {
            let why = match self.difference(moment, &BTreeSet::new()) {
                Some(difference) => format!("{difference} changes"),
                None => String::new(),
            };
            blames.push(Blame { node, step: None, why });
            let moves = self.machine.moves.iter().enumerate();
            for (number, step) in moves.filter(|(_, step)| step.from == node) {
                let why = self.mismatch(moment, step);
                blames.push(Blame { node, step: Some(number), why });
            }
        }
        blames
    }

    /// The first variable outside of `free` that has changed, with its values.
    fn difference(&self, moment: &Moment, free: &BTreeSet<SharedId>) -> Option<String> {
        let all = (0..self.program.shared.len() as u32).map(SharedId);
        for id in all.filter(|id| !free.contains(id)) {
            for cell in cells(self.program, id) {
                let place = read(VarRef::Shared(id), &cell);
                let (old, new) = (self.value(&moment.old, &place), self.value(&moment.new, &place));
                if old != new {
                    let name = self.name(id, &cell);
                    return Some(format!("{name} ({} to {})", number(old), number(new)));
                }
            }
        }
        None
    }

    /// The first demand of a move that does not hold.
    fn mismatch(&self, moment: &Moment, step: &Move) -> String {
        for demand in demands(self.machine, step) {
            if refold(&self.known(moment, &demand)) != Expr::TRUE {
                let text = show(self.program, self.machine, &demand);
                return format!("{text} does not hold{}", self.values_in(moment, &demand));
            }
        }
        match self.difference(moment, &step.changed()) {
            Some(difference) => format!("it leaves {difference} as it was"),
            None => "another element of an array changes".into(),
        }
    }

    /// An expression of the machine with the values of its variables.
    fn known(&self, moment: &Moment, expr: &Expr) -> Expr {
        let constant = |state: &State, place: Expr, otherwise: Expr| {
            let ty = place.ty(&|var| self.system.var(0, var).ty);
            self.value(state, &place).map_or(otherwise, |value| Expr::Const(value, ty))
        };
        expr.map_reads(&mut |read| {
            let (var, cell) = match &read {
                Expr::Var(var) => (*var, None),
                Expr::Index(var, index) => (*var, Some(refold(index))),
                _ => return read,
            };
            match (var, self.machine.is_after(var)) {
                (_, Some(id)) => {
                    constant(&moment.new, crate::relation::read(VarRef::Shared(id), &cell), read)
                }
                (VarRef::Shared(_), None) => {
                    constant(&moment.old, crate::relation::read(var, &cell), read)
                }
                (VarRef::Local(id), None) => {
                    let own = VarRef::Local(self.checker.arguments[id.index()]);
                    constant(&moment.old, Expr::Var(own), read)
                }
            }
        })
    }

    /// The values of the variables in a demand.
    fn values_in(&self, moment: &Moment, demand: &Expr) -> String {
        let mut texts: BTreeSet<String> = BTreeSet::new();
        demand.walk(&mut |part| {
            if let Expr::Var(VarRef::Shared(_)) | Expr::Index(VarRef::Shared(_), _) = part
                && let Expr::Const(value, _) = self.known(moment, part)
            {
                texts.insert(format!("{} = {value}", show(self.program, self.machine, part)));
            }
        });
        let texts: Vec<String> = texts.into_iter().collect();
        if texts.is_empty() { String::new() } else { format!(" ({})", texts.join(", ")) }
    }
}

fn number(value: Option<i128>) -> String {
    value.map_or_else(|| "?".into(), |value| value.to_string())
}
