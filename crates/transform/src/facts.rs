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

use ccfa::dataflow::solve;
use ccfa::fold::substitute;
use ccfa::{Edge, Expr, Init, LocId, LocalId, Place, Program, Rhs, SharedId, Template, VarRef};
use std::collections::{BTreeMap, BTreeSet};

/// The values of variables at a location.
pub(crate) type Known = BTreeMap<VarRef, i128>;

/// Does no instance but the one that looks write this variable? What a variable of its own holds, a thread knows from
/// what it did itself. (`ccfa::sharing`)
pub(crate) type Owns<'a> = &'a dyn Fn(VarRef) -> bool;

/// By location: what is known there; `None` if it is never reached.
pub(crate) type Facts = Vec<Option<Known>>;

/// In templates with more pairs of a location and a variable than these, nothing is known: to find
/// it out could take longer than the engines.
const MAX_PAIRS: usize = 1 << 21;

/// The facts of a template.
pub(crate) fn facts(program: &Program, template: &Template, owns: Owns) -> Facts {
    let variables = program.shared.len() + template.locals.len();
    if template.locations.len().saturating_mul(variables) > MAX_PAIRS {
        return vec![Some(Known::new()); template.locations.len()];
    }
    let matters = matters(template, owns);
    let at = |location: LocId, mut known: Known| {
        known.retain(|var, _| matters[location.index()].contains(var));
        known
    };
    let mut facts: Facts = vec![None; template.locations.len()];
    facts[template.entry.index()] = Some(at(template.entry, initially(program, template, owns)));
    solve(
        template,
        |edge| (edge.source, edge.target),
        facts,
        |edge, before, here| {
            let edge = &template.edges[edge.index()];
            let after =
                before.as_ref().and_then(|known| after(program, template, owns, edge, known));
            after.is_some_and(|known| meet(here, at(edge.target, known)))
        },
    )
}

fn initially(program: &Program, template: &Template, owns: Owns) -> Known {
    let shared = program.shared.iter().zip((0..).map(|n| VarRef::Shared(SharedId(n))));
    let locals = template.locals.iter().zip((0..).map(|n| VarRef::Local(LocalId(n))));
    let value = |(declared, var): (&ccfa::Var, VarRef)| match declared.init {
        Init::Value(value) if declared.len.is_none() && owns(var) => Some((var, value)),
        _ => None,
    };
    shared.chain(locals).filter_map(value).collect()
}

/// What is known after a step; `None` if it cannot be taken.
fn after(
    program: &Program,
    template: &Template,
    owns: Owns,
    edge: &Edge,
    before: &Known,
) -> Option<Known> {
    let type_of = |var| program.var(template, var).ty;
    let known = |var| before.get(&var).map(|value| Expr::Const(*value, type_of(var)));
    let value = |expr: &Expr| substitute(expr, &known);
    if value(&edge.guard) == Expr::FALSE {
        return None;
    }
    let mut after = before.clone();
    for assign in &edge.assigns {
        let Place::Var(var) = assign.place else { continue };
        after.remove(&var);
        if let Rhs::Expr(rhs) = &assign.value
            && let Expr::Const(value, _) = value(rhs)
            && owns(var)
        {
            after.insert(var, value);
        }
    }
    Some(after)
}

/// Keeps of what is known at a location what is also known on another way to it. Is that news?
fn meet(facts: &mut Option<Known>, other: Known) -> bool {
    let Some(known) = facts else {
        *facts = Some(other);
        return true;
    };
    let before = known.len();
    known.retain(|var, value| other.get(var) == Some(value));
    known.len() < before
}

/// By location: the variables of its own that the thread may read before it assigns them. (Live variables as in
/// `ccfa::liveness`, but of the shared ones as well.)
fn matters(template: &Template, owns: Owns) -> Vec<BTreeSet<VarRef>> {
    let reads =
        |edge: &Edge| edge.read_write_sets().reads.into_iter().filter(|var| owns(*var)).collect();
    let reads: Vec<Vec<VarRef>> = template.edges.iter().map(reads).collect();
    let none = vec![BTreeSet::new(); template.locations.len()];
    solve(
        template,
        |edge| (edge.target, edge.source),
        none,
        |id, after, here| {
            let edge = &template.edges[id.index()];
            let is_assigned =
                |var: &&VarRef| edge.assigns.iter().any(|assign| assign.place == Place::Var(**var));
            let before = here.len();
            here.extend(&reads[id.index()]);
            here.extend(after.iter().filter(|var| !is_assigned(var)));
            here.len() > before
        },
    )
}
