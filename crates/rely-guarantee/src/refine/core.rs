//! The core of a refutation: conditions of a derivation that cannot hold together.
//!
//! Which core is taken decides which predicates are found. The paper takes any proof; we prefer one that needs as few initial values
//! as possible, since what depends on them is hardly an invariant, and of these rather those of the root's tracked
//! threads and what matters near the error. (That a thread has not been created yet is hardly ever the point.)

use crate::context::Context;
use crate::horn::{Condition, HornTree};
use crate::ids::{Id, NodeId};
use logic::{Answer, Symbol, Term};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// In derivations with more nodes, the first core is not improved by search over initial conditions: each question takes too long.
const MAX_NODES: usize = 60;

/// So many conditions are tried to do without: in large cores each trial removes little.
const MAX_TRIES: usize = 100;

/// After so many questions to a solver, no further condition is tried: a smaller core would not repay them.
const MAX_QUESTIONS: u64 = 20;

/// The core, after an answer that all conditions together cannot hold.
pub(super) fn minimal_core(context: &mut Context, tree: &HornTree) -> HashSet<Term> {
    let steps: Vec<(Term, bool)> = tree
        .conditions()
        .filter(|(_, _, what)| !matches!(what, Condition::Initial))
        .map(|(_, term, what)| (term, matches!(what, Condition::Agreement(..))))
        .collect();
    let initial = initial_conditions(context, tree);
    let core = match tree.nodes.len() <= MAX_NODES {
        true => fewest_initial(context, &steps, &initial),
        false => context.decider.core().to_vec(),
    };
    // What is far from the error goes first.
    let order = |term: &Term| match initial.iter().position(|other| other == term) {
        Some(place) => (0, true, initial.len() - place),
        None => {
            let place = steps.iter().position(|(other, _)| other == term);
            let place = place.unwrap_or(steps.len());
            (1, !steps.get(place).is_some_and(|(_, agreement)| *agreement), place)
        }
    };
    let mut candidates = core.clone();
    candidates.sort_by_key(order);
    without_candidates(context, core, candidates)
}

/// A core with the shortest prefix of the initial conditions that suffices.
fn fewest_initial(context: &mut Context, steps: &[(Term, bool)], initial: &[Term]) -> Vec<Term> {
    let mut core = context.decider.core().to_vec();
    // With the first so many initial conditions all can hold, with so many not.
    let (mut few, mut enough) = (0, initial.len());
    while few < enough {
        let some = (few + enough) / 2;
        let tried = steps.iter().map(|(term, _)| *term).chain(initial[..some].iter().copied());
        match context.decider.check(&context.terms, &tried.collect::<Vec<_>>()) {
            Answer::Unsat => (enough, core) = (some, context.decider.core().to_vec()),
            _ => few = some + 1,
        }
    }
    core
}

/// The core without candidates that it can do without.
fn without_candidates(
    context: &mut Context,
    mut core: Vec<Term>,
    candidates: Vec<Term>,
) -> HashSet<Term> {
    let asked = context.decider.counters().quick;
    for candidate in candidates.into_iter().take(MAX_TRIES) {
        if context.decider.counters().quick - asked > MAX_QUESTIONS {
            break;
        }
        let rest: Vec<Term> = core.iter().copied().filter(|term| *term != candidate).collect();
        if rest.len() < core.len() && context.decider.check(&context.terms, &rest) == Answer::Unsat
        {
            core = context.decider.core().to_vec();
        }
    }
    core.into_iter().collect()
}

/// The conditions on the start: first those of the root's tracked threads, and of these first those whose
/// variables are used nearest to the error.
fn initial_conditions(context: &Context, tree: &HornTree) -> Vec<Term> {
    let remoteness = tree.remoteness();
    let mut used: HashMap<Symbol, NodeId> = HashMap::new();
    let mut initial: Vec<(usize, Term)> = Vec::new();
    for (node, term, what) in tree.conditions() {
        match what {
            Condition::Initial => initial.push((remoteness[node.index()], term)),
            _ => used.extend(context.terms.symbols_of(term).into_iter().map(|s| (s, node))),
        }
    }
    let last_used = |term: Term| {
        let symbols = context.terms.symbols_of(term);
        symbols.iter().filter_map(|symbol| used.get(symbol)).max().copied()
    };
    initial.sort_by_cached_key(|(far, term)| (*far, Reverse(last_used(*term))));
    initial.into_iter().map(|(_, term)| term).collect()
}
