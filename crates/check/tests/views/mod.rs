//! Assertions as text.
//!
//! ```text
//! view T T[1]                            // the tracked threads, the owner first
//! at a|b * : lock == 0; T.x < 3          // a region: where each of them is, and what holds
//! quiet                                  // there is an environment; perhaps without changes
//! change * a->b writes lock : lock' == 1 // where each of them is, before and after
//! ```

// Each test binary uses its own part of this module.
#![allow(dead_code)]

pub mod naive;

use ccfa::text::{location_name, parse, parse_expr, print_expr};
use ccfa::{
    Expr, Instance, LocId, LocalId, Program, SharedId, Template, ThreadId, Type, Var, VarRef,
};
use evidence::{Assertions, EnvironmentTransition, Proof, Reason, Region, Slot, Verdict, View};

pub fn program(text: &str) -> Program {
    parse(&format!("program \"test\"\n{text}")).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

pub fn assertions(program: &Program, text: &str) -> Assertions {
    let mut views: Vec<View> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        if kind == "view" {
            let slots = rest.split_whitespace().map(|name| slot(program, name)).collect();
            views.push(View { slots, regions: vec![], environment: None });
            continue;
        }
        let view = views.last_mut().expect("a view before its parts");
        match kind {
            "at" => view.regions.push(region(program, view, rest)),
            "quiet" => view.environment = Some(vec![]),
            "change" => {
                let change = change(program, view, rest);
                view.environment.get_or_insert_default().push(change);
            }
            _ => panic!("what is `{line}`?"),
        }
    }
    Assertions { views }
}

fn slot(program: &Program, name: &str) -> Slot {
    let (name, index) = match name.split_once('[') {
        Some((name, index)) => (name, index.trim_end_matches(']').parse().ok()),
        None => (name, None),
    };
    let thread = program.threads.iter().position(|thread| thread.name == name).expect("a thread");
    Slot { thread: ThreadId(thread as u32), index }
}

fn region(program: &Program, view: &View, text: &str) -> Region {
    let (at, holds) = text.split_once(" :").expect("a colon before what holds");
    let at = at.split_whitespace().zip(&view.slots);
    let at = at.map(|(at, slot)| locations(program.template_of(slot.thread), at)).collect();
    Region { at, holds: formulas(program, &view.scope(program), holds) }
}

fn change(program: &Program, view: &View, text: &str) -> EnvironmentTransition {
    let (way, holds) = text.split_once(" :").expect("a colon before what holds");
    let (way, writes) = way.split_once("writes").unwrap_or((way, ""));
    let (mut from, mut to) = (Vec::new(), Vec::new());
    for (way, slot) in way.split_whitespace().zip(&view.slots) {
        let template = program.template_of(slot.thread);
        let (before, after) = way.split_once("->").unwrap_or((way, way));
        from.push(locations(template, before));
        to.push(locations(template, after));
    }
    let scope = view.scope(program);
    let writes = writes.split_whitespace().map(|name| var(program, &scope, name)).collect();
    EnvironmentTransition {
        from,
        to,
        writes,
        holds: formulas(program, &view.transition_scope(program), holds),
    }
}

fn locations(template: &Template, text: &str) -> Option<Vec<LocId>> {
    let id = |name: &str| {
        let mut ids = (0..template.locations.len() as u32).map(LocId);
        ids.find(|id| location_name(template, *id) == name).unwrap_or_else(|| panic!("no {name}"))
    };
    (text != "*").then(|| text.split('|').map(id).collect())
}

fn var(program: &Program, scope: &Template, name: &str) -> VarRef {
    let find = |vars: &[Var]| vars.iter().position(|var| var.name == name);
    match (find(&scope.locals), find(&program.shared)) {
        (Some(local), _) => VarRef::Local(LocalId(local as u32)),
        (None, Some(shared)) => VarRef::Shared(SharedId(shared as u32)),
        (None, None) => panic!("there is no variable {name}"),
    }
}

fn formulas(program: &Program, scope: &Template, text: &str) -> Vec<Expr> {
    let formula = |text: &str| {
        let text = quote_primed(text);
        parse_expr(program, Some(scope), Type::Bool, &text)
            .unwrap_or_else(|error| panic!("{error:?}: {text}"))
    };
    text.split(';').map(str::trim).filter(|part| !part.is_empty()).map(formula).collect()
}

/// Names with a prime are not plain words: they need backticks.
fn quote_primed(text: &str) -> String {
    let quoted = |word: &str| match word.strip_suffix('\'') {
        Some(_) => format!("`{word}`"),
        None => word.to_string(),
    };
    text.split(' ').map(quoted).collect::<Vec<_>>().join(" ")
}

/// Assertions for people.
pub fn write(program: &Program, proof: &Assertions) -> String {
    let mut text = String::new();
    for view in &proof.views {
        let slot = |slot: &Slot| match slot.index {
            Some(index) => program.instance_name(Instance { thread: slot.thread, index }),
            None => program.threads[slot.thread.index()].name.clone(),
        };
        let slots: Vec<String> = view.slots.iter().map(slot).collect();
        text += &format!("view {}\n", slots.join(" "));
        let scope = view.scope(program);
        for region in &view.regions {
            let holds = region.holds.iter().map(|part| print_expr(program, Some(&scope), part));
            let holds: Vec<String> = holds.collect();
            text += &format!("  at {:?} : {}\n", region.at, holds.join("; "));
        }
        for change in view.environment.iter().flatten() {
            text += &format!("  {change:?}\n");
        }
    }
    text
}

/// What `check` says against a proof; `None` if it passes. If races are asked for, it is about the program in which they are errors.
pub fn refusal(program: &Program, proof: Assertions) -> Option<String> {
    let proof = engine_suite::about(program, Proof::Assertions(proof));
    match engine_suite::confirm(program, Verdict::Safe(proof)) {
        Verdict::Safe(_) => None,
        Verdict::Unknown(Reason::CheckFailed(why)) => Some(why),
        other => panic!("neither passed nor refused: {other:?}"),
    }
}
