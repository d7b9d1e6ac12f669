//! What a reduction says apart from its steps: threads, locations, variables and their initial values; (M) in
//! `reduction`. Everything malformed is found here, so the rest may use every number without a second look.

use ccfa::liveness::live_locals;
use ccfa::{LocalId, Program, Property, Template, Var};
use evidence::{Reduction, TemplateReduction};

type Shape = Result<(), &'static str>;

/// (M).
pub(super) fn check(before: &Program, reduction: &Reduction) -> Shape {
    let after = &reduction.program;
    demand(ccfa::wellformed::check(after).is_ok(), "is no program")?;
    let Property { errors, races, deadlocks, .. } = before.property;
    demand(errors && !races, "is to have a property that no reduction keeps")?;
    demand(!deadlocks || !reduction.irrelevant, "lacks steps that matter to deadlocks")?;
    demand(after.property == before.property, "has another property")?;
    demand(after.threads == before.threads, "has other threads")?;
    let shared: Vec<usize> = reduction.shared.iter().map(|var| var.index()).collect();
    variables(&before.shared, &after.shared, &shared, &|_| true)?;
    let constants = reduction.constants.iter();
    demand(constants.clone().all(|var| var.index() < before.shared.len()), UNKNOWN_CONSTANT)?;
    let count = before.templates.len();
    let counts = [after.templates.len(), reduction.templates.len()];
    demand(counts == [count, count], "has other templates")?;
    for (number, certificate) in reduction.templates.iter().enumerate() {
        template(&before.templates[number], &after.templates[number], certificate)?;
    }
    Ok(())
}

const UNKNOWN_CONSTANT: &str = "rests on a constant that does not exist";

fn template(before: &Template, after: &Template, certificate: &TemplateReduction) -> Shape {
    demand(after.params == before.params, "has other parameters")?;
    let locals: Vec<usize> = certificate.locals.iter().map(|var| var.index()).collect();
    let live = &live_locals(after)[after.entry.index()];
    variables(&before.locals, &after.locals, &locals, &|local| {
        live.contains(&LocalId(local as u32))
    })?;
    let constants = certificate.constants.iter();
    demand(constants.clone().all(|var| var.index() < before.locals.len()), UNKNOWN_CONSTANT)?;
    let locations: Vec<usize> = certificate.locations.iter().map(|at| at.index()).collect();
    injective(&locations, after.locations.len(), before.locations.len())?;
    for (at, location) in locations.iter().zip(&after.locations) {
        let kept = &before.locations[*at];
        let [kept, location] = [kept, location].map(|at| (&at.kind, at.atomic, at.resting));
        let is_same = kept == location;
        demand(is_same, "has a location of another kind")?;
    }
    let entry = certificate.locations[after.entry.index()];
    demand(entry == before.entry, "has another entry")?;
    demand(certificate.paths.len() == after.edges.len(), "has not one path for each edge")
}

/// Are these the same variables? Those that `matter` have the same initial values.
fn variables(
    before: &[Var],
    after: &[Var],
    map: &[usize],
    matter: &dyn Fn(usize) -> bool,
) -> Shape {
    injective(map, after.len(), before.len())?;
    for (number, (old, var)) in map.iter().zip(after).enumerate() {
        let old = &before[*old];
        demand((old.ty, old.len) == (var.ty, var.len), "has a variable of another type")?;
        demand(old.init == var.init || !matter(number), "has another initial value")?;
    }
    Ok(())
}

/// Does the map give each of so many things after one of its own of so many before?
fn injective(map: &[usize], after: usize, before: usize) -> Shape {
    let mut used = vec![false; before];
    let mut is_new =
        |at: &usize| used.get_mut(*at).is_some_and(|used| !std::mem::replace(used, true));
    demand(map.len() == after && map.iter().all(&mut is_new), "lies wrongly in the program before")
}

fn demand(holds: bool, otherwise: &'static str) -> Shape {
    if holds { Ok(()) } else { Err(otherwise) }
}
