//! Actions: the edges of instances, as formulas and with what they touch.
//!
//! The paper's action is all that a thread can do at a location; ours is one of
//! the edges that leave it. A thread may be blocked, which the paper excludes;
//! see `skip` for why nothing changes.

use ccfa::footprint::back_edges;
use ccfa::semantics::System;
use ccfa::{EdgeId, Expr, LocId, Place, Rhs, VarRef};
use logic::{Step, Symbol, Term, Terms, Vocabulary};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// An edge of an instance.
#[derive(Debug)]
pub(crate) struct Action {
    pub instance: usize,
    pub edge: EdgeId,
    pub target: LocId,
    /// All of these must hold.
    pub guards: Vec<Term>,
    pub assigns: BTreeMap<Symbol, Term>,
    pub inputs: Vec<Symbol>,
    /// It closes a loop of the thread.
    pub back: bool,
    /// It leaves an atomic location.
    pub from_atomic: bool,
    /// It leads to one.
    pub to_atomic: bool,
    /// Touches no shared variable.
    pub local: bool,
    /// What it touches of shared variables.
    pub touches: Vec<Touch>,
}

/// An access to a shared variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    pub symbol: Symbol,
    /// The element, if it is one of an array.
    pub index: Option<Term>,
    pub write: bool,
}

/// All actions of a program.
pub(crate) struct Actions {
    /// By instance and location.
    at: Vec<Vec<Vec<Rc<Action>>>>,
    /// The variables whose values in one round of a loop depend on those in the round before.
    carried: HashSet<Symbol>,
    /// The variables that no action assigns, with the values they have. Actions do not mention them.
    pub fixed: BTreeMap<Symbol, Term>,
}

impl Actions {
    pub fn new(terms: &mut Terms, vocabulary: &Vocabulary, system: &System) -> Actions {
        let fixed = fixed(terms, vocabulary, system);
        let at: Vec<Vec<Vec<Rc<Action>>>> = (0..system.instances.len())
            .map(|instance| of_instance(terms, vocabulary, system, instance, &fixed))
            .collect();
        let carried = carried(terms, &at);
        Actions { at, carried, fixed }
    }

    /// Does the value of the variable in one round of a loop depend on that in the round before?
    pub fn is_carried(&self, symbol: Symbol) -> bool {
        self.carried.contains(&symbol)
    }

    /// What an instance can do at a location.
    pub fn at(&self, instance: usize, location: LocId) -> &[Rc<Action>] {
        &self.at[instance][location.index()]
    }
}

/// The variables with a known value at the start that are never assigned, such as the number of a thread.
fn fixed(terms: &mut Terms, vocabulary: &Vocabulary, system: &System) -> BTreeMap<Symbol, Term> {
    let mut assigned = HashSet::new();
    for instance in 0..system.instances.len() {
        let vars = system.template(instance).assigned().into_iter();
        assigned.extend(vars.map(|var| vocabulary.symbol(instance, var)));
    }
    let (values, _) = vocabulary.initial(terms, system);
    let known = vocabulary.symbols.iter().copied().zip(values);
    known
        .filter(|(symbol, value)| {
            terms.constant_value(*value).is_some() && !assigned.contains(symbol)
        })
        .collect()
}

fn of_instance(
    terms: &mut Terms,
    vocabulary: &Vocabulary,
    system: &System,
    instance: usize,
    fixed: &BTreeMap<Symbol, Term>,
) -> Vec<Vec<Rc<Action>>> {
    let template = system.template(instance);
    let back = back_edges(template);
    let atomic = |location: LocId| template.locations[location.index()].atomic;
    let mut at = Vec::new();
    for edges in template.edges_from() {
        let mut actions = Vec::new();
        for id in edges {
            let edge = &template.edges[id.index()];
            let Step { enabled, mut assigns, inputs } = vocabulary.step(terms, instance, edge);
            let put = |terms: &mut Terms, term: Term| {
                terms.substitute(term, &mut |_, symbol| fixed.get(&symbol).copied())
            };
            let enabled = put(terms, enabled);
            assigns.values_mut().for_each(|value| *value = put(terms, *value));
            let mut touches = touches(terms, vocabulary, instance, edge);
            for index in touches.iter_mut().flat_map(|touch| &mut touch.index) {
                *index = put(terms, *index);
            }
            actions.push(Rc::new(Action {
                instance,
                edge: id,
                target: edge.target,
                guards: terms.conjuncts(enabled),
                assigns,
                inputs,
                back: back[id.index()],
                from_atomic: atomic(edge.source),
                to_atomic: atomic(edge.target),
                local: edge.read_write_sets().is_local(),
                touches,
            }));
        }
        at.push(actions);
    }
    at
}

/// The variables that depend on themselves by what actions in loops assign.
fn carried(terms: &Terms, at: &[Vec<Vec<Rc<Action>>>]) -> HashSet<Symbol> {
    let mut from: BTreeMap<Symbol, HashSet<Symbol>> = BTreeMap::new();
    for locations in at {
        let next: Vec<Vec<usize>> = locations
            .iter()
            .map(|actions| actions.iter().map(|action| action.target.index()).collect())
            .collect();
        for (location, actions) in locations.iter().enumerate() {
            for action in actions {
                if reaches(&next, action.target.index(), location) {
                    for (symbol, value) in &action.assigns {
                        from.entry(*symbol).or_default().extend(terms.symbols_of(*value));
                    }
                }
            }
        }
    }
    let numbers: HashMap<Symbol, usize> = from.keys().copied().zip(0..).collect();
    let next: Vec<Vec<usize>> = from
        .values()
        .map(|symbols| symbols.iter().filter_map(|s| numbers.get(s).copied()).collect())
        .collect();
    let depends_on_itself =
        |number: &usize| next[*number].iter().any(|&n| reaches(&next, n, *number));
    let cyclic: Vec<usize> = (0..next.len()).filter(depends_on_itself).collect();
    let carried = |number: usize| cyclic.iter().any(|&n| reaches(&next, number, n));
    numbers.iter().filter(|(_, number)| carried(**number)).map(|(symbol, _)| *symbol).collect()
}

/// Is there a way from one node of a graph to another one?
fn reaches(next: &[Vec<usize>], from: usize, to: usize) -> bool {
    let mut seen = HashSet::from([from]);
    let mut stack = vec![from];
    while let Some(node) = stack.pop() {
        if node == to {
            return true;
        }
        stack.extend(next[node].iter().copied().filter(|n| seen.insert(*n)));
    }
    false
}

fn touches(
    terms: &mut Terms,
    vocabulary: &Vocabulary,
    instance: usize,
    edge: &ccfa::Edge,
) -> Vec<Touch> {
    let mut touches = Vec::new();
    let mut add = |terms: &mut Terms, var: VarRef, index: Option<&Expr>, write: bool| {
        if let VarRef::Shared(_) = var {
            let symbol = vocabulary.symbol(instance, var);
            let index = index.map(|index| vocabulary.value(terms, instance, index));
            let touch = Touch { symbol, index, write };
            if !touches.contains(&touch) {
                touches.push(touch);
            }
        }
    };
    let mut reads = |terms: &mut Terms, expr: &Expr| {
        expr.walk(&mut |part| match part {
            Expr::Var(var) => add(terms, *var, None, false),
            Expr::Index(var, index) => add(terms, *var, Some(index), false),
            _ => {}
        });
    };
    reads(terms, &edge.guard);
    for assign in &edge.assigns {
        if let Rhs::Expr(value) = &assign.value {
            reads(terms, value);
        }
        if let Place::Element(_, index) = &assign.place {
            reads(terms, index);
        }
    }
    for assign in &edge.assigns {
        match &assign.place {
            Place::Var(var) => add(terms, *var, None, true),
            Place::Element(var, index) => add(terms, *var, Some(index), true),
        }
    }
    touches
}
