//! Everything that can be malformed in assertions is found here, so that the rest of
//! the checker may use every number without a second look.

use crate::refuse;
use ccfa::wellformed::typing::type_of;
use ccfa::{Count, Expr, LocId, Program, Template, Type};
use evidence::{Assertions, Reason, Region, Slot, View};

/// Is all of it about this program?
pub(super) fn check(program: &Program, proof: &Assertions) -> Result<(), Reason> {
    for (number, view) in proof.views.iter().enumerate() {
        slots(program, view).or_else(|why| refuse(format!("view {number} {why}")))?;
        let scope = view.scope(program);
        for (which, region) in view.regions.iter().enumerate() {
            check_region(program, view, &scope, region)
                .or_else(|why| refuse(format!("view {number}, region {which}: {why}")))?;
        }
    }
    Ok(())
}

/// Are there different instances for all slots?
fn slots(program: &Program, view: &View) -> Result<(), String> {
    if view.slots.is_empty() {
        return Err("tracks no thread".to_string());
    }
    for (number, slot) in view.slots.iter().enumerate() {
        let Some(thread) = program.threads.get(slot.thread.index()) else {
            return Err("tracks a thread that does not exist".to_string());
        };
        let name = &thread.name;
        let same = |other: &&Slot| other.thread == slot.thread;
        match (thread.count, slot.index) {
            (Count::Any, Some(_)) => {
                return Err(format!("names an instance of {name}, which is parameterised"));
            }
            (Count::Exactly(count), Some(index)) if index >= count => {
                return Err(format!("tracks an instance of {name} that does not exist"));
            }
            (_, Some(_)) if view.slots[..number].contains(slot) => {
                return Err(format!("tracks an instance of {name} twice"));
            }
            (Count::Exactly(count), _)
                if view.slots.iter().filter(same).count() > count as usize =>
            {
                return Err(format!("tracks more instances of {name} than there are"));
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_region(
    program: &Program,
    view: &View,
    scope: &Template,
    region: &Region,
) -> Result<(), String> {
    locations(program, view, &region.at)?;
    formulas(program, scope, &region.holds)
}

/// Locations for each slot.
fn locations(program: &Program, view: &View, at: &[Option<Vec<LocId>>]) -> Result<(), String> {
    if at.len() != view.slots.len() {
        return Err("it has not one set of locations for each slot".to_string());
    }
    for (slot, locations) in view.slots.iter().zip(at) {
        let count = program.template_of(slot.thread).locations.len();
        if locations.iter().flatten().any(|location| location.index() >= count) {
            return Err("it speaks of a location that does not exist".to_string());
        }
    }
    Ok(())
}

fn formulas(program: &Program, scope: &Template, holds: &[Expr]) -> Result<(), String> {
    holds.iter().try_for_each(|part| match type_of(program, Some(scope), part)? {
        Type::Bool => Ok(()),
        _ => Err("what holds is no formula".to_string()),
    })
}
