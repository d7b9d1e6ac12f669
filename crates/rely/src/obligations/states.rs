//! A closed set of states as an inductive invariant: `R` says that the state is one of the set.
//!
//! Initiation: every initial state is in `R`. Consecution, for each edge of each thread: from a state in `R` it leads to one in `R`. Safety: no state in
//! `R` is where the program must not come; and if deadlocks are asked for, progress: in each state in `R` in which a thread waits, some thread is not blocked.
//! A state stands for all that agree with it in the cells that have a value there.
//!
//! A set that the search has made with partial-order reduction is not closed under the steps of the threads that were put off. Then the search is
//! done again without reduction, as far as that gives few states, and the set that this gives is confirmed by the checker and written. Otherwise
//! consecution is written for the steps that were followed, and what justifies leaving out the others is named as missing.

use super::{Obligation, Script};
use ccfa::semantics::{State, System};
use ccfa::text::location_name;
use ccfa::{Edge, Expr, LocId, LocKind, LocalId, Program, SharedId, Span, Type, VarRef};
use check::confirm;
use engine::{Budget, Engine, Event, Observer, Stop};
use evidence::{ClosedSet, Layout, Proof, Verdict};
use explore::Explorer;
use formats::SourcePlace;
use logic::{FastMap, Sort, Symbol, Term, Terms, Vocabulary};
use solve::smtlib::Cases;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Of larger sets no formula is made: a solver would read for longer than the search has taken.
const MAX_STATES: usize = 60_000;
/// Of a larger set that the search has made with reduction, states may be left out (`evidence::ClosedSet`): it is no invariant, since steps lead out of it.
const MAX_REDUCED_STATES: usize = 9_999;
/// The search without reduction may take so long: it gives up by the number of states before, unless single steps are slow.
const MAX_SEARCH_TIME: Duration = Duration::from_secs(20);

/// What the set says of the program it is about.
pub fn of(program: &Program, set: &ClosedSet, budget: &Budget) -> Vec<Obligation> {
    let is_reduced = set.expansions.iter().any(|expansion| expansion.persistent_set != 0);
    let is_large = set.expansions.len() > MAX_REDUCED_STATES;
    let whole = (is_reduced || is_large).then(|| without_reduction(program, budget)).flatten();
    if whole.is_none() && is_large {
        let words = format!("the {} states are closed under steps", set.expansions.len());
        let why = "for so many states no formula is made";
        return vec![Obligation::missing("closed set", &words, why)];
    }
    let set = whole.as_ref().unwrap_or(set);
    let mut invariant = Invariant::new(program, set);
    let mut obligations = vec![invariant.initiation()];
    obligations.extend(invariant.consecution());
    obligations.push(invariant.safety());
    if program.property.deadlocks {
        obligations.extend(invariant.progress());
    }
    obligations.extend(invariant.put_off());
    obligations
}

/// All states that can be reached, if they are few.
fn without_reduction(program: &Program, budget: &Budget) -> Option<ClosedSet> {
    let budget = budget.child(MAX_SEARCH_TIME);
    let mut explorer = Explorer { reduce: false, keep: usize::MAX, ..Explorer::default() };
    let found = explorer.verify(program, &budget, &mut EndsWithManyStates(&budget));
    match confirm(program, found, solve::integers, &budget) {
        Verdict::Safe(Proof::Closed(set)) if set.expansions.len() <= MAX_STATES => Some(set),
        _ => None,
    }
}

struct EndsWithManyStates<'b>(&'b Budget);

impl Observer for EndsWithManyStates<'_> {
    fn event(&mut self, event: Event) {
        if let Event::Counters([states, ..]) = event
            && states.value > MAX_STATES as u64
        {
            self.0.stop(Stop::Memory);
        }
    }
}

/// The set as a formula.
struct Invariant<'p> {
    system: System<'p>,
    terms: Terms,
    vocabulary: Vocabulary,
    /// Where each instance is.
    at: Vec<Symbol>,
    states: Vec<Member>,
}

/// A state of the set.
struct Member {
    state: State,
    /// Which instances are followed from there.
    followed: Vec<usize>,
    /// That the state is this: where each instance is, then what each cell holds, unless that is anything.
    is_this: Vec<Option<Term>>,
}

impl<'p> Invariant<'p> {
    fn new(program: &'p Program, set: &ClosedSet) -> Invariant<'p> {
        let system = System::new(program, 0);
        let mut terms = Terms::new();
        let vocabulary = Vocabulary::new(&mut terms, &system);
        let at = (0..system.instances.len()).map(|instance| {
            let name = program.instance_name(system.instances[instance]);
            terms.declare(format!("{name} at"), Sort::Scalar(location_type(&system, instance)))
        });
        let at = at.collect();
        let layout = Layout::new(&system, &|cell| set.any_cells[cell]);
        let mut invariant = Invariant { system, terms, vocabulary, at, states: Vec::new() };
        let cells = invariant.cells();
        let states = set.states.chunks_exact(layout.words.max(1)).zip(&set.expansions);
        for (words, expansion) in states {
            let state = layout.unpack(words);
            let followed = set.persistent_sets[expansion.persistent_set as usize].clone();
            let is_this = invariant.is_this(&cells, &state);
            invariant.states.push(Member { state, followed, is_this });
        }
        invariant
    }

    /// The cells of a state, in order, with their types.
    fn cells(&mut self) -> Vec<(Term, Type)> {
        let shared = (0..self.system.program.shared.len() as u32).map(SharedId);
        let mut variables: Vec<(usize, VarRef)> =
            shared.map(|id| (0, VarRef::Shared(id))).collect();
        for instance in 0..self.system.instances.len() {
            let locals = 0..self.system.template(instance).locals.len() as u32;
            variables.extend(locals.map(|id| (instance, VarRef::Local(LocalId(id)))));
        }
        let mut cells = Vec::new();
        for (instance, var) in variables {
            let declared = self.system.var(instance, var);
            let symbol = self.terms.symbol(self.vocabulary.symbol(instance, var));
            let Some(len) = declared.len else {
                cells.push((symbol, declared.ty));
                continue;
            };
            for place in 0..len {
                let place = self.terms.constant(i128::from(place), Type::unsigned(32));
                cells.push((self.terms.select(symbol, place), declared.ty));
            }
        }
        cells
    }

    fn is_this(&mut self, cells: &[(Term, Type)], state: &State) -> Vec<Option<Term>> {
        let locations = state.locations.iter().enumerate();
        let mut parts: Vec<Option<Term>> =
            locations.map(|(instance, at)| Some(self.is_at(instance, *at))).collect();
        for ((cell, ty), value) in cells.iter().zip(&state.cells) {
            parts.push(value.map(|value| {
                let value = self.terms.constant(value, *ty);
                self.terms.eq(*cell, value)
            }));
        }
        parts
    }

    /// That an instance is at a location.
    fn is_at(&mut self, instance: usize, location: LocId) -> Term {
        let at = self.terms.symbol(self.at[instance]);
        let location = self.location(instance, location);
        self.terms.eq(at, location)
    }

    /// A location as a value.
    fn location(&mut self, instance: usize, location: LocId) -> Term {
        self.terms.constant(i128::from(location.0), location_type(&self.system, instance))
    }

    /// That the state is one of these.
    fn one_of(&mut self, mut wanted: impl FnMut(&Member) -> bool) -> Term {
        let states = self.states.iter().filter(|member| wanted(member));
        let rows: Vec<&[Option<Term>]> = states.map(|member| &member.is_this[..]).collect();
        let columns = rows.first().map_or(0, |row| row.len());
        one_of(&mut self.terms, &rows, (0..columns).collect())
    }

    fn initiation(&mut self) -> Obligation {
        let (_, condition) = self.vocabulary.initial(&mut self.terms, &self.system);
        let cells = self.cells();
        let mut initial = self.is_this(&cells, &self.system.initial());
        let set = self.one_of(|_| true);
        initial.extend([Some(condition), Some(self.terms.not(set))]);
        let initial: Vec<Term> = initial.into_iter().flatten().collect();
        let words = format!("every initial state is one of the {} in R", self.states.len());
        self.written("initiation", words, None, &initial)
    }

    fn consecution(&mut self) -> Vec<Obligation> {
        let edges = |instance| self.system.template(instance).edges.iter();
        let all = (0..self.system.instances.len()).flat_map(|i| edges(i).map(move |e| (i, e)));
        let all: Vec<(usize, &Edge)> = all.collect();
        all.into_iter().map(|(instance, edge)| self.kept_by(instance, edge)).collect()
    }

    /// An edge leads from R to R.
    fn kept_by(&mut self, instance: usize, edge: &Edge) -> Obligation {
        let system = self.system.clone();
        let from = self.one_of(|member| {
            goes_on(&system, &member.state)
                && member.state.locations[instance] == edge.source
                && member.followed.contains(&instance)
                && system.may_move(&member.state, instance)
        });
        let step = self.vocabulary.step(&mut self.terms, instance, edge);
        let mut after: FastMap<Symbol, Term> = step.assigns.into_iter().collect();
        let target = self.location(instance, edge.target);
        after.insert(self.at[instance], target);
        let to = self.one_of(|member| member.state.locations[instance] == edge.target);
        let to = self.terms.substitute(to, &mut |_, symbol| after.get(&symbol).copied());
        let outside = self.terms.not(to);
        let template = self.system.template(instance);
        let [source, target] = [edge.source, edge.target].map(|at| location_name(template, at));
        let name = self.system.program.instance_name(self.system.instances[instance]);
        let words = format!("from R, {name}: {source} -> {target} leads to R");
        self.written("consecution", words, edge.span, &[step.enabled, from, outside])
    }

    fn safety(&mut self) -> Obligation {
        let property = &self.system.program.property;
        let mut forbidden = Vec::new();
        for instance in 0..self.system.instances.len() {
            let locations = self.system.template(instance).locations.iter().zip((0..).map(LocId));
            let bad = locations.filter(|(location, _)| property.forbids(&location.kind));
            forbidden.extend(bad.map(|(_, at)| (instance, at)));
        }
        let bad: Vec<Term> = forbidden.into_iter().map(|(i, at)| self.is_at(i, at)).collect();
        let bad = self.terms.or(bad);
        let set = self.one_of(|_| true);
        let words = "in no state in R is a thread where it must not come".to_string();
        self.written("safety", words, None, &[set, bad])
    }

    /// In each state in which a thread waits of those that may move, one of these is not blocked: for each thread and location, for the states in
    /// which it is this one.
    fn progress(&mut self) -> Vec<Obligation> {
        let system = self.system.clone();
        let unblocked = |state: &State| {
            let mut movers = (0..system.instances.len())
                .filter(|i| system.may_move(state, *i) && system.next(state, *i).next().is_some());
            let waits = |i: &usize| !system.location(state, *i).resting;
            let first = movers.clone().find(waits).filter(|_| goes_on(&system, state))?;
            let free = movers.find(|i| !system.may_be_blocked(state, *i)).unwrap_or(first);
            Some((free, state.locations[free]))
        };
        let places: Vec<_> = self.states.iter().map(|member| unblocked(&member.state)).collect();
        let different: BTreeSet<(usize, LocId)> = places.iter().copied().flatten().collect();
        different.into_iter().map(|place| self.progress_at(place, &places)).collect()
    }

    /// In the states in which it is this thread that is not blocked, at this location.
    fn progress_at(
        &mut self,
        (instance, location): (usize, LocId),
        places: &[Option<(usize, LocId)>],
    ) -> Obligation {
        let mut here = places.iter().map(|place| *place == Some((instance, location)));
        let mut blocked = vec![self.one_of(|_| here.next() == Some(true))];
        let template = self.system.template(instance);
        for edge in template.edges.iter().filter(|edge| edge.source == location) {
            let closed = Expr::negate(edge.guard.clone());
            let closed = Edge::new(edge.source, edge.target, closed, Vec::new());
            blocked.push(self.vocabulary.step(&mut self.terms, instance, &closed).enabled);
        }
        let name = self.system.program.instance_name(self.system.instances[instance]);
        let (at, place) =
            (location_name(template, location), template.locations[location.index()].span);
        let words =
            format!("a thread waits in some states in R; in these, {name} can move at {at}");
        self.written("progress", words, place, &blocked)
    }

    /// What is not written of threads whose steps are not followed.
    fn put_off(&self) -> Option<Obligation> {
        let all = self.system.instances.len();
        let reduced = self.states.iter().filter(|member| member.followed.len() < all).count();
        let words = format!(
            "in {reduced} of {} states the steps of some threads need not be followed",
            self.states.len()
        );
        let why = "that the others are a persistent set (Godefroid, 1996) is checked state by state and is no formula; without this reduction there are too many states";
        (reduced > 0).then(|| Obligation::missing("partial-order reduction", &words, why))
    }

    fn written(
        &self,
        rule: &'static str,
        words: String,
        place: Option<Span>,
        formulas: &[Term],
    ) -> Obligation {
        let place = place.map(|span| SourcePlace::of(self.system.program, span));
        let mut cases = Cases::default();
        let is_plain = formulas.iter().any(|part| self.terms.constant_value(*part) == Some(0));
        let script = match cases.add(&self.terms, formulas) {
            _ if is_plain => Script::Plain,
            Ok(()) => Script::Written(cases.script(), 1),
            Err(why) => Script::Missing(format!("SMT-LIB cannot say it: {why}")),
        };
        Obligation { rule, words, place, script }
    }
}

/// The type of the locations of an instance.
fn location_type(system: &System, instance: usize) -> Type {
    let count = system.template(instance).locations.len() as u32;
    Type::unsigned(1.max(32 - count.leading_zeros()) as u8)
}

/// Has the program not ended in this state?
fn goes_on(system: &System, state: &State) -> bool {
    let mut instances = 0..system.instances.len();
    instances.all(|instance| system.location(state, instance).kind == LocKind::Plain)
}

/// That all parts of one of these rows hold. What rows have in common in these columns is there once.
fn one_of(terms: &mut Terms, rows: &[&[Option<Term>]], columns: Vec<usize>) -> Term {
    let Some(first) = rows.first().copied() else { return terms.truth(false) };
    let is_common = |column: &usize| rows.iter().all(|row| row[*column] == first[*column]);
    let (common, others): (Vec<usize>, Vec<usize>) = columns.into_iter().partition(is_common);
    let mut parts: Vec<Term> = common.into_iter().filter_map(|column| first[column]).collect();
    if let Some((column, others)) = others.split_first() {
        let mut groups: BTreeMap<Option<Term>, Vec<&[Option<Term>]>> = BTreeMap::new();
        rows.iter().for_each(|row| groups.entry(row[*column]).or_default().push(row));
        let mut alternatives = Vec::new();
        for (part, group) in groups {
            let rest = one_of(terms, &group, others.to_vec());
            alternatives.push(terms.and(part.into_iter().chain([rest])));
        }
        parts.push(terms.or(alternatives));
    }
    terms.and(parts)
}

#[cfg(test)]
#[path = "../../../engine-suite/tests/tools/mod.rs"]
mod tools;

#[cfg(test)]
mod tests {
    use super::{Explorer, Obligation, of, tools};
    use crate::obligations::Script;
    use engine::{Budget, Engine, Event, Observer};
    use evidence::{ClosedSet, Expansion, Layout, Proof, Verdict};
    use std::io::Write;
    use std::process::{Command, Stdio};

    const TURNS: &str = r#"
        program "turns"
        shared turn: u8 = 0
        shared inside: u8 = 0
        template worker(id: u8) {
          start -> within: when turn == id then inside := inside + 1
          within -> bad: when inside != 1
          within -> start: when inside == 1 then inside := 0, turn := 1 - id
          error bad: "inside == 1"
        }
        thread a = worker(0)
        thread b = worker(1)
    "#;

    struct Nobody;

    impl Observer for Nobody {
        fn event(&mut self, _: Event) {}
    }

    /// What z3 says of each script; `None` if it is not installed.
    fn answers(obligations: &[Obligation]) -> Option<Vec<(&'static str, String)>> {
        let mut answers = Vec::new();
        for one in obligations {
            let Script::Written(text, _) = &one.script else { continue };
            let z3 =
                Command::new("z3").arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
            let mut z3 = z3.map_err(|error| tools::skip("z3", &error.to_string())).ok()?;
            let mut input = z3.stdin.take().expect("it is a pipe");
            input.write_all(text.as_bytes()).expect("it reads");
            drop(input);
            let output = z3.wait_with_output().expect("it ends");
            answers.push((one.rule, String::from_utf8_lossy(&output.stdout).trim().to_string()));
        }
        Some(answers)
    }

    /// Without one of its states, or with one where the program must not come, a set is no invariant.
    #[test]
    fn forged_sets_are_sat() {
        let program = ccfa::text::parse(TURNS).expect("a model");
        let mut explorer = Explorer { reduce: false, ..Explorer::default() };
        let found = explorer.verify(&program, &Budget::default(), &mut Nobody);
        let Verdict::Safe(Proof::Closed(set)) = found else { panic!("it is safe") };
        let of = |set: &ClosedSet| answers(&of(&program, set, &Budget::default()));
        let Some(right) = of(&set) else { return };
        assert!(right.len() > 3 && right.iter().all(|(_, said)| said == "unsat"), "{right:?}");
        let words =
            Layout::new(&ccfa::semantics::System::new(&program, 0), &|cell| set.any_cells[cell])
                .words;
        for left_out in 0..set.expansions.len() {
            let mut forged = set.clone();
            forged.expansions.remove(left_out);
            forged.states.drain(left_out * words..(left_out + 1) * words);
            let said = of(&forged).expect("it was there before");
            assert!(said.iter().any(|(_, said)| said == "sat"), "without {left_out}: {said:?}");
        }
        let mut forged = set.clone();
        let layout =
            Layout::new(&ccfa::semantics::System::new(&program, 0), &|cell| set.any_cells[cell]);
        let mut bad = layout.unpack(&set.states[..words]);
        bad.locations[0] = ccfa::LocId(2);
        let mut packed = vec![0; words];
        layout.pack(&bad, &mut packed).expect("it fits");
        forged.states.extend(packed);
        forged.expansions.push(Expansion::default());
        let said = of(&forged).expect("it was there before");
        assert!(said.contains(&("safety", "sat".to_string())), "{said:?}");
    }
}
