//! What is known at each location: variables that belong to the thread and hold one value
//! there, whichever way it came.
//!
//! Constant propagation: at the entry, the initial values are known. After a step, what it
//! assigns is known if its right-hand side folds to a value, and what it does not assign is
//! known as before. Where ways meet, that is known on which all agree. Steps whose guard folds to
//! false do not count, so a location may turn out never to be reached. Guards teach nothing:
//! a search with `ANY` does not learn from them either, and its closed sets must say the same.
//!
//! Only variables count that some step may still read before the thread assigns them again.
//! That loses nothing: what a step reads counts before it, and so does what counts after it
//! and is not assigned by it. So the facts follow from each other, as proofs need.

use crate::fold::fold;
use crate::own::Owner;
use ccfa::{Edge, Expr, Init, LocalId, Place, Program, Rhs, SharedId, Template, VarRef};
use std::collections::{BTreeMap, BTreeSet};

/// The values of variables at a location.
pub(crate) type Known = BTreeMap<VarRef, i128>;

/// By location: what is known there; `None` if it is never reached.
pub(crate) type Facts = Vec<Option<Known>>;

/// In templates with more pairs of a location and a variable than these, nothing is known: to find
/// it out could take longer than the engines.
const MAX_PAIRS: usize = 1 << 21;

/// The facts of a template.
pub(crate) fn facts(program: &Program, template: &Template, owner: &Owner) -> Facts {
    let variables = program.shared.len() + template.locals.len();
    if template.locations.len().saturating_mul(variables) > MAX_PAIRS {
        return vec![Some(Known::new()); template.locations.len()];
    }
    let edges_from = template.edges_from();
    let matters = matters(template, owner);
    let mut facts: Facts = vec![None; template.locations.len()];
    let mut arriving = vec![(template.entry, initially(program, template, owner))];
    while let Some((location, mut known)) = arriving.pop() {
        known.retain(|var, _| matters[location.index()].contains(var));
        if let Some(here) = meet(&mut facts[location.index()], known) {
            for edge in edges_from[location.index()].iter().map(|id| &template.edges[id.index()]) {
                let after = after(program, template, owner, edge, here);
                arriving.extend(after.map(|after| (edge.target, after)));
            }
        }
    }
    facts
}

fn initially(program: &Program, template: &Template, owner: &Owner) -> Known {
    let shared = program.shared.iter().zip((0..).map(|n| VarRef::Shared(SharedId(n))));
    let locals = template.locals.iter().zip((0..).map(|n| VarRef::Local(LocalId(n))));
    let value = |(declared, var): (&ccfa::Var, VarRef)| match declared.init {
        Init::Value(value) if declared.len.is_none() && owner.owns(var) => Some((var, value)),
        _ => None,
    };
    shared.chain(locals).filter_map(value).collect()
}

/// What is known after a step; `None` if it cannot be taken.
fn after(
    program: &Program,
    template: &Template,
    owner: &Owner,
    edge: &Edge,
    before: &Known,
) -> Option<Known> {
    let type_of = |var| program.var(template, var).ty;
    let value = |expr: &Expr| fold(expr, &|var| before.get(&var).copied(), &type_of);
    if value(&edge.guard) == Expr::FALSE {
        return None;
    }
    let mut after = before.clone();
    for assign in &edge.assigns {
        let Place::Var(var) = assign.place else { continue };
        after.remove(&var);
        if let Rhs::Expr(rhs) = &assign.value
            && let Expr::Const(value, _) = value(rhs)
            && owner.owns(var)
        {
            after.insert(var, value);
        }
    }
    Some(after)
}

/// Keeps of what is known at a location what is also known on another way to it. If that is
/// news: what is known now.
fn meet(facts: &mut Option<Known>, other: Known) -> Option<&Known> {
    match facts {
        None => Some(facts.insert(other)),
        Some(known) => {
            let before = known.len();
            known.retain(|var, value| other.get(var) == Some(value));
            (known.len() < before).then_some(known)
        }
    }
}

/// By location: the variables of its own that the thread may read before it assigns them.
fn matters(template: &Template, owner: &Owner) -> Vec<BTreeSet<VarRef>> {
    let mut edges_to = vec![Vec::new(); template.locations.len()];
    let mut matters = vec![BTreeSet::new(); template.locations.len()];
    for edge in &template.edges {
        edges_to[edge.target.index()].push(edge);
        let reads = edge.read_write_sets().reads.into_iter().filter(|var| owner.owns(*var));
        matters[edge.source.index()].extend(reads);
    }
    let mut waiting: Vec<usize> = (0..matters.len()).collect();
    while let Some(location) = waiting.pop() {
        for edge in &edges_to[location] {
            let assigned =
                |var: &VarRef| edge.assigns.iter().any(|assign| assign.place == Place::Var(*var));
            let passed: Vec<VarRef> =
                matters[location].iter().filter(|var| !assigned(var)).copied().collect();
            let source = &mut matters[edge.source.index()];
            let before = source.len();
            source.extend(passed);
            if source.len() > before {
                waiting.push(edge.source.index());
            }
        }
    }
    matters
}
