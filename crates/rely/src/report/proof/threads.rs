//! What a proof by assertions says about each thread by itself.
//!
//! - It **guarantees** that it writes shared variables only by certain steps, and each only where
//!   the assertion at its source and its guard hold.
//! - It **relies** on what the others guarantee about the variables that its assertions mention.
//! - Its **assertions**, at the lines where they say something about shared variables.
//!
//! A view of several threads is looked at from each of them: what it says about the others'
//! locals is left out here, so that a weaker statement remains. See `together` for the rest.

use super::formula::{Case, Formula};
use super::places::{Places, ProofPlace, list};
use super::scope::{Scope, vars};
use super::table::Row;
use ccfa::{
    Assign, Count, Edge, Expr, LocId, LocalId, Place as Target, Program, Rhs, ThreadId, VarRef,
};
use evidence::{Assertions, Slot, View};
use std::collections::{BTreeMap, BTreeSet};

/// One thread of a proof, or any of several alike.
pub struct TrackedThread<'p> {
    /// Who.
    pub slot: Slot,
    /// What it is called.
    pub name: String,
    /// To write what it sees.
    pub scope: Scope<'p>,
    /// Where it can be.
    pub places: Places,
    program: &'p Program,
    /// For each view that shows it: what may hold at each location that it comes to.
    views: Vec<BTreeMap<LocId, Vec<Case>>>,
}

/// All threads: by the slots that the views give them, or by themselves if no view shows them.
pub fn tracked_threads<'p>(program: &'p Program, proof: &Assertions) -> Vec<TrackedThread<'p>> {
    let mut slots: BTreeSet<Slot> =
        proof.views.iter().flat_map(|view| view.slots.clone()).collect();
    for (number, thread) in program.threads.iter().enumerate() {
        let anyone = Slot { thread: ThreadId(number as u32), index: None };
        let missing: Vec<Slot> = match thread.count {
            _ if slots.contains(&anyone) => Vec::new(),
            Count::Any => vec![anyone],
            Count::Exactly(count) => {
                (0..count).map(|index| Slot { index: Some(index), ..anyone }).collect()
            }
        };
        slots.extend(missing);
    }
    slots.into_iter().map(|slot| TrackedThread::new(program, proof, slot)).collect()
}

impl<'p> TrackedThread<'p> {
    fn new(program: &'p Program, proof: &Assertions, slot: Slot) -> TrackedThread<'p> {
        let scope = Scope::of_thread(program, slot.thread);
        let shown = |view: &&View| view.slots.contains(&slot);
        let views = proof.views.iter().filter(shown);
        let views = views.map(|view| seen_from(program, &scope, view, slot)).collect();
        let alone = View { slots: vec![slot], regions: Vec::new() };
        let places = Places::new(program, program.template_of(slot.thread));
        let mut thread = TrackedThread {
            slot,
            name: alone.slot_name(program, 0),
            scope,
            places,
            program,
            views,
        };
        thread.forget_local_matters();
        thread
    }

    /// Drops facts about locals that are never compared with anything shared.
    fn forget_local_matters(&mut self) {
        let cases = self.views.iter().flat_map(|view| view.values()).flatten();
        let terms = cases.flat_map(|case| &case.0).map(|(term, _)| vars(term));
        let linked: BTreeSet<VarRef> =
            terms.filter(|vars| vars.iter().any(is_shared)).flatten().collect();
        for case in self.views.iter_mut().flat_map(|view| view.values_mut()).flatten() {
            *case = case.keep(|term| vars(term).iter().any(|var| linked.contains(var)));
        }
    }

    /// Can several instances play this slot?
    pub fn is_one_of_many(&self) -> bool {
        self.slot.index.is_none()
    }

    /// Are its places lines?
    pub fn has_source(&self) -> bool {
        !self.program.files.is_empty()
    }

    /// What holds at one of these locations, of it and of the shared variables.
    fn holds_at(&self, at: impl Fn(LocId) -> bool) -> Formula {
        let of_view = |view: &BTreeMap<LocId, Vec<Case>>| {
            let there = view.iter().filter(|(location, _)| at(**location));
            Formula::any_of(there.flat_map(|(_, cases)| cases.clone()).collect())
        };
        self.views.iter().map(of_view).fold(Formula::default(), Formula::and)
    }

    /// The places that it comes to.
    pub fn reached(&self) -> Vec<ProofPlace> {
        let locations = self.views.iter().flat_map(|view| view.keys());
        let places: BTreeSet<&ProofPlace> = locations.map(|at| self.places.of(*at)).collect();
        places.into_iter().cloned().collect()
    }

    /// Its assertion where it is about to begin with a line.
    pub fn assertion(&self, place: &ProofPlace) -> Formula {
        self.holds_at(|at| self.places.of(at) == place && self.places.begins(at))
    }

    /// The assertions, by lines.
    pub fn assertions(&self, always: &Case) -> Vec<Row> {
        let all = self.reached();
        let mut by_text: Vec<(String, usize, Vec<ProofPlace>)> = Vec::new();
        for place in &all {
            let formula = self.assertion(place).without(always);
            if !formula.mentions(&|term| vars(term).iter().any(is_shared)) {
                continue;
            }
            let text = formula.text(&self.scope);
            match by_text.iter_mut().find(|(other, ..)| *other == text) {
                Some((_, cases, places)) => {
                    *cases = formula.left_out.max(*cases);
                    places.push(place.clone());
                }
                None => by_text.push((text, formula.left_out, vec![place.clone()])),
            }
        }
        let row = |(text, cases, places): (String, usize, Vec<ProofPlace>)| {
            Row::new(list(self.program, &places, &all), text).with_cases(cases)
        };
        by_text.into_iter().map(row).collect()
    }

    /// Its steps that write shared variables of the user's, at the locations it comes to.
    fn writing_steps(&self) -> impl Iterator<Item = &'p Edge> {
        let template = self.program.template_of(self.slot.thread);
        let writes = |edge: &&Edge| edge.assigns.iter().any(|assign| self.is_write(assign));
        let comes = |edge: &&Edge| self.views.iter().all(|view| view.contains_key(&edge.source));
        let steps: Vec<&Edge> = template.edges.iter().filter(writes).filter(comes).collect();
        steps.into_iter()
    }

    fn is_write(&self, assign: &Assign) -> bool {
        let var = target(assign);
        let itself = assign.value == Rhs::Expr(Expr::Var(var));
        is_shared(&var) && self.scope.shows(&Expr::Var(var)) && !itself
    }

    /// When a step is taken: its guard and what holds before it. `None` if never.
    fn condition(&self, edges: &[&Edge], wanted: impl Fn(&Expr) -> bool) -> Option<Formula> {
        let of_view = |view: &BTreeMap<LocId, Vec<Case>>| {
            let of_edge = |edge: &&Edge| {
                let guards = Case::of(&self.scope, std::slice::from_ref(&edge.guard));
                let before = view.get(&edge.source).into_iter().flatten();
                let both =
                    before.flat_map(|case| guards.iter().filter_map(|guard| case.and(guard)));
                both.map(|case| case.keep(&wanted)).collect::<Vec<Case>>()
            };
            let cases: Vec<Case> = edges.iter().flat_map(of_edge).collect();
            (!cases.is_empty()).then(|| Formula::any_of(cases))
        };
        let formulas = self.views.iter().map(of_view).collect::<Option<Vec<Formula>>>()?;
        Some(formulas.into_iter().fold(Formula::default(), Formula::and))
    }

    /// What it guarantees: its writes, each with the condition.
    pub fn guarantees(&self, always: &Case) -> Vec<Row> {
        let mut writes: BTreeMap<(ProofPlace, String), Vec<&Edge>> = BTreeMap::new();
        for edge in self.writing_steps() {
            let key = (self.places.of(edge.source).clone(), self.writes(edge));
            writes.entry(key).or_default().push(edge);
        }
        let row = |((place, what), edges): ((ProofPlace, String), Vec<&Edge>)| {
            let when = self.condition(&edges, |_| true)?.without(always);
            let text = match when.is_trivial() {
                true => what,
                false => format!("{what}  only if  {}", when.text(&self.scope)),
            };
            let place = list(self.program, std::slice::from_ref(&place), &[]);
            Some(Row::new(place, text).with_cases(when.left_out))
        };
        writes.into_iter().filter_map(row).collect()
    }

    /// "lock = 1, inside = 0"
    fn writes(&self, edge: &Edge) -> String {
        let writes = edge.assigns.iter().filter(|assign| self.is_write(assign));
        writes.map(|assign| self.write(assign)).collect::<Vec<_>>().join(", ")
    }

    fn write(&self, assign: &Assign) -> String {
        let mut text = self.scope.name(target(assign)).to_string();
        if let Target::Element(_, index) = &assign.place {
            text += &match self.scope.shows(index) {
                true => format!("[{}]", self.scope.index(index)),
                false => "[...]".to_string(),
            };
        }
        match &assign.value {
            Rhs::Expr(value) if self.scope.shows(value) => {
                format!("{text} = {}", self.scope.text(value))
            }
            Rhs::Expr(_) => format!("{text} = ..."),
            Rhs::Havoc => format!("{text} = anything"),
        }
    }

    /// The shared variables of which its assertions say more than what always holds.
    fn mentioned(&self, always: &Case) -> BTreeSet<VarRef> {
        let cases = self.views.iter().flat_map(|view| view.values()).flatten();
        let terms = cases.flat_map(|case| &case.0);
        let more = terms.filter(|(term, within)| always.get(term) != Some(within));
        more.flat_map(|(term, _)| vars(term)).filter(is_shared).collect()
    }

    /// What it relies on: of each variable that it speaks of, who else writes it and when.
    pub fn relies_on(&self, all: &[TrackedThread], always: &Case) -> Vec<Row> {
        let mut rows = Vec::new();
        for var in self.mentioned(always) {
            let others =
                all.iter().filter(|other| other.slot != self.slot || self.is_one_of_many());
            let writers: Vec<Row> =
                others.filter_map(|other| other.writer_row(self, var, always)).collect();
            if writers.is_empty() {
                rows.push(Row::new(
                    self.scope.name(var).to_string(),
                    "nobody else writes it".into(),
                ));
            }
            rows.extend(writers);
        }
        rows
    }

    /// When this one writes a variable, as `reader` sees it: by shared variables alone.
    fn writer_row(&self, reader: &TrackedThread, var: VarRef, always: &Case) -> Option<Row> {
        let writes = |edge: &&Edge| edge.assigns.iter().any(|assign| target(assign) == var);
        let edges: Vec<&Edge> = self.writing_steps().filter(writes).collect();
        let when = self.condition(&edges, |term| vars(term).iter().all(is_shared))?;
        let when = when.without(always);
        let who = match self.slot == reader.slot {
            true => format!("another {}", self.name),
            false => self.name.clone(),
        };
        let text = match when.is_trivial() {
            true => format!("{who} writes it at any time"),
            false => format!("{who} writes it only if  {}", when.text(&self.scope)),
        };
        Some(Row::new(reader.scope.name(var).to_string(), text).with_cases(when.left_out))
    }
}

/// What a view says about the one in this slot, for each location where it may be.
fn seen_from(
    program: &Program,
    scope: &Scope,
    view: &View,
    slot: Slot,
) -> BTreeMap<LocId, Vec<Case>> {
    let position = view.slots.iter().position(|other| *other == slot).expect("it is tracked");
    let locals = |slot: &Slot| program.template_of(slot.thread).locals.len() as u32;
    let first: u32 = view.slots[..position].iter().map(locals).sum();
    let own = first..first + locals(&slot);
    let is_own = |fact: &&Expr| {
        vars(fact).iter().all(|var| match var {
            VarRef::Shared(_) => true,
            VarRef::Local(id) => own.contains(&id.0),
        })
    };
    let mut result: BTreeMap<LocId, Vec<Case>> = BTreeMap::new();
    for region in &view.regions {
        let facts: Vec<Expr> =
            region.holds.iter().filter(is_own).map(|fact| moved(fact, first)).collect();
        let cases = Case::of(scope, &facts);
        for location in locations(program, slot, &region.at[position]) {
            result.entry(location).or_default().extend(cases.iter().cloned());
        }
    }
    result
}

/// Local variables numbered from `first` on, numbered from 0 on.
fn moved(fact: &Expr, first: u32) -> Expr {
    let own = |var: VarRef| match var {
        VarRef::Local(LocalId(number)) => VarRef::Local(LocalId(number - first)),
        shared => shared,
    };
    fact.map_reads(&mut |read| match read {
        Expr::Var(var) => Expr::Var(own(var)),
        Expr::Index(var, index) => Expr::Index(own(var), index),
        other => other,
    })
}

/// The locations that an entry of a region stands for.
pub fn locations(program: &Program, slot: Slot, at: &Option<Vec<LocId>>) -> Vec<LocId> {
    let all = program.template_of(slot.thread).locations.len() as u32;
    at.clone().unwrap_or_else(|| (0..all).map(LocId).collect())
}

/// What every region of every view says of shared variables.
pub fn always(tracked_threads: &[TrackedThread]) -> Case {
    let shown = tracked_threads.iter().filter(|thread| !thread.views.is_empty());
    let whole = shown.map(|thread| thread.holds_at(|_| true).common);
    let mut whole = whole.map(|case| case.keep(|term| vars(term).iter().all(is_shared)));
    let first = whole.next().unwrap_or_default();
    whole.fold(first, |so_far, case| {
        Case(so_far.0.into_iter().filter(|fact| case.0.contains(fact)).collect())
    })
}

fn target(assign: &Assign) -> VarRef {
    let (Target::Var(var) | Target::Element(var, _)) = assign.place;
    var
}

fn is_shared(var: &VarRef) -> bool {
    matches!(var, VarRef::Shared(_))
}

#[cfg(test)]
mod tests;
