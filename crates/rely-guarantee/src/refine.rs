//! `REFINE`: predicates that exclude the derivation of an abstract error.
//!
//! If the conditions of the derivation can hold together, the unknown relations have no
//! solution. Otherwise a solution tells what to distinguish: its atoms become predicates.
//!
//! Progress (the paper's Theorem 4): whatever has been solved is remembered, and should the same clauses come up again,
//! since an abstraction by conjunctions does not say all that a solution says, they are not solved in the same way again.
//!
//! `SOLVEHC` comes in two ways. The first is the paper's, linear arithmetic (`solve`). The second
//! follows the values: at each place of the tree, what the variables are that the refutation is
//! about. It finds something whenever these are constants or equal to each other.

use crate::environment::Transitions;
use crate::horn::{Clause, Condition, HornTree, Shape};
use crate::predicates::{Predicates, atoms};
use crate::reach::{FactId, Facts};
use crate::setting::{Renaming, Setting};
use crate::solve;
use crate::view::Views;
use ccfa::{LocId, Type};
use evidence::Reason;
use logic::{Answer, ArithOp, FastSet, Node, Sort, Symbol, Term};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Predicates larger than this are not kept.
const LARGE: usize = 60;

/// In larger derivations, the first reason is taken why they are not possible.
const SMALL: usize = 60;

/// So many conditions are tried to do without.
const MOST_TRIES: usize = 100;

/// And so many times a solver is asked about that.
const MOST_ASKED: u64 = 20;

/// What refinement has found so far.
pub(crate) struct Found {
    pub predicates: Predicates,
    pub transitions: Transitions,
    /// Clauses, and how they were solved.
    pub solved: FastSet<(Shape, Way)>,
}

impl Found {
    /// What is plain to see.
    pub fn new(setting: &mut Setting, views: &Views) -> Found {
        let predicates = Predicates::new(setting, views);
        Found { predicates, transitions: Transitions::default(), solved: FastSet::default() }
    }

    /// How many predicates there are, about states and about transitions.
    pub fn len(&self) -> usize {
        self.predicates.len() + self.transitions.len()
    }
}

/// What became of a derivation.
pub(crate) enum Refined {
    /// New predicates should exclude it.
    Excluded,
    /// It is not possible, but no new predicate was found.
    NothingNew,
    /// The unknown relations have no solution; the derivation for whoever asks why.
    NoSolution(HornTree),
}

pub(crate) fn refine(
    setting: &mut Setting,
    views: &Views,
    facts: &Facts,
    bad: FactId,
    found: &mut Found,
) -> Result<Refined, Reason> {
    let tree = HornTree::new(setting, views, facts, bad)?;
    let all: Vec<Term> = tree.conditions().map(|(_, term, _)| term).collect();
    match setting.decider.check(&setting.terms, &all) {
        Answer::Sat => return Ok(Refined::NoSolution(tree)),
        Answer::Unknown => {
            setting.pause()?;
            let why = "the solver did not decide whether an abstract error is real";
            return Err(Reason::Beyond(why.into()));
        }
        Answer::Unsat => {}
    }
    let core = small_core(setting, &tree);
    let relevant = relevant(setting, &tree, &core);
    let mut ways = [Way::Preconditions, Way::Linear, Way::Values, Way::Concrete];
    if has_loop(&tree, facts) && is_about_order(setting, &tree, &core) {
        ways.swap(0, 1);
    }
    let shape = tree.shape(facts);
    let mut is_new = false;
    for way in ways {
        if is_new || !found.solved.insert((shape.clone(), way)) {
            continue;
        }
        let labels = match way {
            Way::Preconditions => preconditions(setting, &tree, &core),
            Way::Linear => solve::linear(setting, &tree, &core, &relevant).unwrap_or_default(),
            Way::Values => {
                let start = start(setting, core.iter().copied());
                values(setting, &tree, &start, &relevant)
            }
            Way::Concrete => {
                let start = start(setting, all.iter().copied());
                values(setting, &tree, &start, &relevant)
            }
        };
        if facts.abstracts_environment() {
            is_new |= found.transitions.learn(setting, facts, &tree, &core, &labels);
        }
        for (node, label) in labels {
            let view = &views.views[facts.facts[tree.nodes[node].fact].view];
            is_new |= setting.terms.size(label, LARGE) < LARGE
                && found.predicates.add(setting, view, label);
        }
    }
    Ok(if is_new { Refined::Excluded } else { Refined::NothingNew })
}

/// What a solution says of the variables at a node.
pub(crate) type Label = (usize, Term);

/// How predicates are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Way {
    Preconditions,
    Linear,
    Values,
    Concrete,
}

/// Does a condition of the refutation compare by size?
fn is_about_order(setting: &Setting, tree: &HornTree, core: &HashSet<Term>) -> bool {
    let conditions = tree.nodes.iter().flat_map(|node| &node.conditions);
    let mut guards = conditions.filter_map(|(condition, what)| match what {
        Condition::Guard(guard) if core.contains(condition) => Some(*guard),
        _ => None,
    });
    let compares = |guard| {
        let parts = atoms(&setting.terms, guard);
        parts.iter().any(|atom| matches!(setting.terms.node(*atom), Node::Le(..)))
    };
    guards.any(compares)
}

/// Does somebody come to the same place again?
fn has_loop(tree: &HornTree, facts: &Facts) -> bool {
    let mut above: Vec<HashSet<(usize, &[LocId])>> = vec![HashSet::new(); tree.nodes.len()];
    for (number, node) in tree.nodes.iter().enumerate().rev() {
        let fact = &facts.facts[node.fact];
        let mut path = std::mem::take(&mut above[number]);
        match &node.clause {
            Clause::Initial => {}
            Clause::Symmetry { child, .. } => above[*child] = path,
            Clause::Step { children, .. } => {
                if children.len() == 1 && !path.insert((fact.view, &fact.at)) {
                    return true;
                }
                for (child, _) in children {
                    above[*child] = path.clone();
                }
            }
        }
    }
    false
}

/// For each node, the variables that the refutation is about.
fn relevant(setting: &mut Setting, tree: &HornTree, core: &HashSet<Term>) -> Vec<BTreeSet<Symbol>> {
    let mut relevant = vec![BTreeSet::new(); tree.nodes.len()];
    for (number, node) in tree.nodes.iter().enumerate().rev() {
        let mut needed: BTreeSet<Symbol> = BTreeSet::new();
        match &node.clause {
            Clause::Initial => {}
            Clause::Symmetry { child, renaming } => {
                let back: Vec<(usize, usize)> = renaming.iter().map(|(a, b)| (*b, *a)).collect();
                let symbols = relevant[number].clone();
                let symbols = symbols.iter().map(|s| setting.renamed_symbol(*s, &back));
                relevant[*child].extend(symbols);
            }
            Clause::Step { children, mover, edge, .. } => {
                for (condition, what) in &node.conditions {
                    match what {
                        Condition::Guard(guard) if core.contains(condition) => {
                            needed.extend(setting.symbols(*guard).iter());
                        }
                        Condition::Same(symbol, child)
                            if core_touches(setting, core, *condition) =>
                        {
                            needed.insert(*symbol);
                            let (child, renaming) = &children[*child];
                            let back = renaming.iter().map(|(a, b)| (*b, *a)).collect();
                            let symbol = setting.renamed_symbol(*symbol, &back);
                            relevant[*child].insert(symbol);
                        }
                        _ => {}
                    }
                }
                for symbol in relevant[number].clone() {
                    match setting.action(*mover, *edge).assigns.get(&symbol).copied() {
                        Some(value) => needed.extend(setting.symbols(value).iter()),
                        None => {
                            needed.insert(symbol);
                        }
                    }
                }
                for symbol in needed {
                    for (child, renaming) in children {
                        let back = renaming.iter().map(|(a, b)| (*b, *a)).collect();
                        let symbol = setting.renamed_symbol(symbol, &back);
                        if tree.nodes[*child].store.contains_key(&symbol) {
                            relevant[*child].insert(symbol);
                            break;
                        }
                    }
                }
            }
        }
    }
    relevant
}

/// Is the condition, or a part of it, in the core?
pub(crate) fn core_touches(setting: &Setting, core: &HashSet<Term>, condition: Term) -> bool {
    core.contains(&condition)
        || setting.terms.conjuncts(condition).iter().any(|part| core.contains(part))
}

/// Conditions that cannot hold together, after an answer that all cannot: about the start as few
/// as possible, since what depends on it is hardly an invariant; and rather what those in view know of it and
/// what matters near the error. (That a thread has not been created yet is hardly ever the point.)
fn small_core(setting: &mut Setting, tree: &HornTree) -> HashSet<Term> {
    let others: Vec<(Term, bool)> = tree
        .conditions()
        .filter(|(_, _, what)| !matches!(what, Condition::Start))
        .map(|(_, term, what)| (term, matches!(what, Condition::Same(..))))
        .collect();
    let starts = starts(setting, tree);
    let mut core = setting.decider.core().to_vec();
    // With the first so many of the start they can hold, with so many not.
    let (mut few, mut enough) = (0, starts.len());
    while few < enough && tree.nodes.len() <= SMALL {
        let some = (few + enough) / 2;
        let tried = others.iter().map(|(term, _)| *term).chain(starts[..some].iter().copied());
        match setting.decider.check(&setting.terms, &tried.collect::<Vec<_>>()) {
            Answer::Unsat => (enough, core) = (some, setting.decider.core().to_vec()),
            _ => few = some + 1,
        }
    }
    // What is far from the error goes first.
    let position = |term: &Term| match starts.iter().position(|start| start == term) {
        Some(place) => (0, true, starts.len() - place),
        None => {
            let place = others.iter().position(|(other, _)| other == term);
            let place = place.unwrap_or(others.len());
            (1, !others.get(place).is_some_and(|(_, same)| *same), place)
        }
    };
    let mut candidates = core.clone();
    candidates.sort_by_key(position);
    let asked = setting.decider.counters().quick;
    for candidate in candidates.into_iter().take(MOST_TRIES) {
        if setting.decider.counters().quick - asked > MOST_ASKED {
            break;
        }
        let rest: Vec<Term> = core.iter().copied().filter(|term| *term != candidate).collect();
        if rest.len() < core.len() && setting.decider.check(&setting.terms, &rest) == Answer::Unsat
        {
            core = setting.decider.core().to_vec();
        }
    }
    core.into_iter().collect()
}

/// What is known of the start: first those that are in view at the root, and of these first what
/// is asked for nearest to the error.
fn starts(setting: &Setting, tree: &HornTree) -> Vec<Term> {
    let remoteness = tree.remoteness();
    let mut asked: HashMap<Symbol, usize> = HashMap::new();
    let mut starts: Vec<(usize, Term)> = Vec::new();
    for (node, term, what) in tree.conditions() {
        match what {
            Condition::Start => starts.push((remoteness[node], term)),
            _ => asked.extend(setting.terms.symbols_of(term).into_iter().map(|s| (s, node))),
        }
    }
    let last_asked = |term: Term| {
        let symbols = setting.terms.symbols_of(term);
        symbols.iter().filter_map(|symbol| asked.get(symbol)).max().copied()
    };
    starts.sort_by_cached_key(|(far, term)| (*far, Reverse(last_asked(*term))));
    starts.into_iter().map(|(_, term)| term).collect()
}

/// The guards that the refutation is about, and their weakest preconditions at the nodes below.
fn preconditions(setting: &mut Setting, tree: &HornTree, core: &HashSet<Term>) -> Vec<Label> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut todo: Vec<(usize, Term)> = Vec::new();
    for node in &tree.nodes {
        let Clause::Step { children, .. } = &node.clause else { continue };
        for (condition, what) in &node.conditions {
            let Condition::Guard(guard) = what else { continue };
            if core.contains(condition) {
                todo.extend(knowing(setting, tree, children, *guard));
            }
        }
    }
    while let Some((node, formula)) = todo.pop() {
        if setting.terms.constant_value(formula).is_some() || !seen.insert((node, formula)) {
            continue;
        }
        found.push((node, formula));
        match &tree.nodes[node].clause {
            Clause::Initial => {}
            Clause::Symmetry { child, renaming } => {
                let back = renaming.iter().map(|(a, b)| (*b, *a)).collect();
                todo.push((*child, setting.renamed(formula, &back)));
            }
            Clause::Step { children, mover, edge, .. } => {
                let before = setting.before(*mover, *edge, formula);
                todo.extend(knowing(setting, tree, children, before));
            }
        }
    }
    found
}

/// The first child that knows all variables of a formula, and the formula in its words.
fn knowing(
    setting: &mut Setting,
    tree: &HornTree,
    children: &[(usize, Renaming)],
    formula: Term,
) -> Option<(usize, Term)> {
    for (child, renaming) in children {
        let back = renaming.iter().map(|(a, b)| (*b, *a)).collect();
        let there = setting.renamed(formula, &back);
        let store = &tree.nodes[*child].store;
        if setting.symbols(there).iter().all(|symbol| store.contains_key(&symbol)) {
            return Some((*child, there));
        }
    }
    None
}

/// What arbitrary values are said to be by some conditions.
fn start(setting: &Setting, conditions: impl Iterator<Item = Term>) -> HashMap<Symbol, Term> {
    let mut start = HashMap::new();
    for condition in conditions {
        if let Node::Eq(a, b) = *setting.terms.node(condition) {
            for (symbol, value) in [(a, b), (b, a)] {
                if let Node::Symbol(symbol) = *setting.terms.node(symbol)
                    && setting.terms.constant_value(value).is_some()
                {
                    start.insert(symbol, value);
                }
            }
        }
    }
    start
}

/// What the relevant variables are at each node: constants, or a constant apart.
fn values(
    setting: &mut Setting,
    tree: &HornTree,
    start: &HashMap<Symbol, Term>,
    relevant: &[BTreeSet<Symbol>],
) -> Vec<Label> {
    let mut found = Vec::new();
    for (number, (node, symbols)) in tree.nodes.iter().zip(relevant).enumerate() {
        let mut known: Vec<(Symbol, Term)> = Vec::new();
        for symbol in symbols {
            let Some(value) = node.store.get(symbol).copied() else { continue };
            let Sort::Scalar(ty) = setting.terms.symbol_sort(*symbol) else { continue };
            let value = setting.terms.substitute(value, &mut |_, s| start.get(&s).copied());
            let variable = setting.terms.symbol(*symbol);
            if setting.terms.constant_value(value).is_some() {
                found.push((number, setting.terms.eq(variable, value)));
                continue;
            }
            for (other, there) in &known {
                if setting.terms.ty(*there) == ty && ty != Type::Bool {
                    let apart = setting.terms.arith(ArithOp::Sub, value, *there);
                    if setting.terms.constant_value(apart).is_some() {
                        let other = setting.terms.symbol(*other);
                        let sum = setting.terms.arith(ArithOp::Add, other, apart);
                        found.push((number, setting.terms.eq(variable, sum)));
                    }
                }
            }
            known.push((*symbol, value));
        }
    }
    found
}
