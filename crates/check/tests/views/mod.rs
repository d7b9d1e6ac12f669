//! Assertions as text.
//!
//! ```text
//! view T T[1]                            // the tracked threads, the owner first
//! at a|b * : lock == 0; T.x < 3          // a region: where each of them is, and what holds
//! ```

// Each test binary uses its own part of this module.
#![allow(dead_code)]

pub mod naive;

use ccfa::text::{location_name, parse, parse_expr, print_expr};
use ccfa::{Expr, Instance, LocId, Program, Template, ThreadId, Type};
use evidence::{Assertions, Proof, Reason, Region, Slot, Verdict, View};

pub fn program(text: &str) -> Program {
    parse(&format!("program \"test\"\n{text}")).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

pub fn assertions(program: &Program, text: &str) -> Assertions {
    let mut views: Vec<View> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        if kind == "view" {
            let slots = rest.split_whitespace().map(|name| slot(program, name)).collect();
            views.push(View { slots, regions: vec![] });
            continue;
        }
        let view = views.last_mut().expect("a view before its parts");
        match kind {
            "at" => view.regions.push(region(program, view, rest)),
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

fn locations(template: &Template, text: &str) -> Option<Vec<LocId>> {
    let id = |name: &str| {
        let mut ids = (0..template.locations.len() as u32).map(LocId);
        ids.find(|id| location_name(template, *id) == name).unwrap_or_else(|| panic!("no {name}"))
    };
    (text != "*").then(|| text.split('|').map(id).collect())
}

fn formulas(program: &Program, scope: &Template, text: &str) -> Vec<Expr> {
    let formula = |text: &str| {
        parse_expr(program, Some(scope), Type::Bool, text)
            .unwrap_or_else(|error| panic!("{error:?}: {text}"))
    };
    text.split(';').map(str::trim).filter(|part| !part.is_empty()).map(formula).collect()
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
