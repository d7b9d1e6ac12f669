//! Small programs and their proofs, made by hand.

// Each test binary uses its own part of this module.
#![allow(dead_code)]

use ccfa::semantics::{State, System, Value};
use ccfa::*;
use evidence::{ClosedSet, Expansion, Layout, Proof, Reason, Verdict};

pub const BIT: Type = Type::Bool;
pub const INT: Type = Type::signed(32);

pub fn var(name: &str, ty: Type, init: Init) -> Var {
    Var::new(name, ty, None, init)
}

/// A template with plain locations `0..locations`, to be adorned by `at`.
pub fn template(name: &str, locations: usize, edges: Vec<Edge>) -> Template {
    let locations = vec![Location::default(); locations];
    Template { name: name.into(), locations, edges, ..Template::default() }
}

pub fn at(mut template: Template, location: usize, kind: LocKind, atomic: bool) -> Template {
    template.locations[location] = Location { kind, atomic, ..Location::default() };
    template
}

pub fn error(template: Template, location: usize) -> Template {
    at(template, location, LocKind::Error(ErrorKind::Assertion("assertion".into())), false)
}

pub fn limit(template: Template, location: usize) -> Template {
    at(template, location, LocKind::Limit(Limit::Unsupported, "goto".into()), false)
}

pub fn edge(source: u32, target: u32, guard: Expr, assigns: Vec<(VarRef, Rhs)>) -> Edge {
    let assign = |(var, value)| Assign { place: Place::Var(var), value };
    let assigns = assigns.into_iter().map(assign).collect();
    Edge::new(LocId(source), LocId(target), guard, assigns)
}

/// One thread for each template.
pub fn program(shared: Vec<Var>, templates: Vec<Template>) -> Program {
    let thread = |(number, template): (usize, &Template)| Thread {
        name: template.name.clone(),
        template: TemplateId(number as u32),
        args: vec![],
        count: Count::Exactly(1),
    };
    let threads = templates.iter().enumerate().map(thread).collect();
    Program { shared, templates, threads, ..Program::default() }
}

pub const X: VarRef = VarRef::Shared(SharedId(0));
pub const Y: VarRef = VarRef::Shared(SharedId(1));

pub fn set_bit(var: VarRef, value: i128) -> (VarRef, Rhs) {
    (var, Rhs::Expr(Expr::constant(value, BIT)))
}

/// Threads `a`: x = 1 and `b`: y = 1, which do not know of each other.
pub fn independent() -> Program {
    let thread = |name, var| template(name, 2, vec![edge(0, 1, Expr::TRUE, vec![set_bit(var, 1)])]);
    bits(vec![thread("a", X), thread("b", Y)])
}

/// Two bits, zero at the start.
pub fn bits(templates: Vec<Template>) -> Program {
    let bit = |name| var(name, BIT, Init::Value(0));
    program(vec![bit("x"), bit("y")], templates)
}

pub fn state(locations: &[u32], cells: &[Value]) -> State {
    State { locations: locations.iter().map(|&l| LocId(l)).collect(), cells: cells.to_vec() }
}

/// A proof of these states, each with its expansion; `sets` after "all".
pub fn proof(program: &Program, sets: &[&[usize]], states: &[(State, u32, u32)]) -> ClosedSet {
    let system = System::new(program, 0);
    let any_cells: Vec<bool> = (0..system.cell_count())
        .map(|cell| states.iter().any(|(state, ..)| state.cells[cell].is_none()))
        .collect();
    let layout = Layout::new(&system, &|cell| any_cells[cell]);
    let mut set = ClosedSet {
        any_cells,
        states: vec![0; states.len() * layout.words],
        expansions: vec![],
        persistent_sets: vec![(0..system.instances.len()).collect()],
    };
    set.persistent_sets.extend(sets.iter().map(|set| set.to_vec()));
    for ((state, threads, rank), words) in states.iter().zip(set.states.chunks_mut(layout.words)) {
        layout.pack(state, words).unwrap();
        set.expansions.push(Expansion { persistent_set: *threads, rank: *rank });
    }
    set
}

/// Everything reachable, without reduction; arbitrary values stay `ANY`.
pub fn everything(program: &Program) -> Vec<(State, u32, u32)> {
    let system = System::new(program, 0);
    let mut states = vec![system.initial()];
    let mut done = 0;
    while done < states.len() {
        let state = states[done].clone();
        done += 1;
        for instance in (0..state.locations.len()).filter(|&i| system.may_move(&state, i)) {
            for edge in &system.template(instance).edges {
                if edge.source != state.locations[instance] {
                    continue;
                }
                let next = system.step(&state, instance, edge, &mut |_| None);
                states.extend(next.filter(|next| !states.contains(next)));
            }
        }
    }
    states.into_iter().map(|state| (state, 0, 0)).collect()
}

/// What `check` says against a proof; `None` if it passes. If races are asked for, it is about the program in which they are errors.
pub fn refusal(program: &Program, set: ClosedSet) -> Option<String> {
    let proof = engine_suite::about(program, Proof::Closed(set));
    match engine_suite::confirm(program, Verdict::Safe(proof)) {
        Verdict::Safe(_) => None,
        Verdict::Unknown(Reason::CheckFailed(why)) => Some(why),
        other => panic!("neither passed nor refused: {other:?}"),
    }
}

#[track_caller]
pub fn assert_refused(program: &Program, set: ClosedSet, why: &str) {
    let refusal = refusal(program, set).expect("the proof should be refused");
    assert!(refusal.contains(why), "refused for another reason: {refusal}");
}
