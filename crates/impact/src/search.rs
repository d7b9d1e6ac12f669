//! What the procedures share: the program as formulas, the tree, the work list.

use crate::Configuration;
use crate::action::{Action, Actions};
use crate::round::Loops;
use crate::tree::{ArtNode, NodeId, ReachabilityTree};
use crate::worklist::Worklist;
use ccfa::footprint::AccessSummaries;
use ccfa::semantics::System;
use ccfa::{EdgeId, LocKind, Program};
use engine::{Budget, Counter, Event, Observer, Stop};
use evidence::Reason;
use logic::{Symbol, Term, Terms, Vocabulary};
use solve::{Decider, Entailment};
use std::collections::HashMap;
use std::rc::Rc;

/// Why the search ends before the tree is complete.
pub(crate) enum UnwindError {
    /// The path to this error node is feasible.
    Reached(NodeId),
    /// There is no answer.
    Because(Reason),
    /// Loops should be treated in another way.
    Unrolling,
}

impl From<Stop> for UnwindError {
    fn from(stop: Stop) -> UnwindError {
        UnwindError::Because(stop.into())
    }
}

/// Numbers for the observer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub covers: u64,
    /// Cover checks that were put to the deciding layer.
    pub implications: u64,
    /// Nodes made by cover expansions.
    pub cover_expansions: u64,
    /// The size of the tree when the observer was last told.
    told_at: usize,
}

/// The observer is told after so many new nodes: often enough for a progress line, too seldom to cost time.
const MIN_NODES_BETWEEN_REPORTS: usize = 256;

pub(crate) struct Search<'p, 'o> {
    pub configuration: Configuration,
    pub loops: Loops,
    pub system: System<'p>,
    pub terms: Terms,
    pub vocabulary: Vocabulary,
    pub actions: Actions,
    pub summaries: AccessSummaries,
    /// What holds initially.
    pub initially: Term,
    pub decider: Decider,
    pub tree: ReachabilityTree,
    /// Q
    pub queue: Worklist,
    /// What `on_path` has answered.
    seen_on_path: HashMap<(NodeId, Term), Term>,
    /// What `before` has answered, by instance and edge.
    seen_before: HashMap<(usize, EdgeId), HashMap<Term, Term>>,
    /// A reachable place where the model ends, if one was found.
    pub model_end: Option<Reason>,
    pub tally: Tally,
    budget: Budget,
    observer: &'o mut dyn Observer,
}

impl<'p, 'o> Search<'p, 'o> {
    pub fn new(
        program: &'p Program,
        configuration: Configuration,
        loops: Loops,
        budget: &Budget,
        observer: &'o mut dyn Observer,
    ) -> Search<'p, 'o> {
        let system = System::new(program, 0);
        let mut terms = solve::terms();
        let vocabulary = Vocabulary::new(&mut terms, &system);
        let actions = Actions::new(&mut terms, &vocabulary, &system);
        let summaries = AccessSummaries::new(&system);
        let decider = Decider::new(budget);
        Search {
            configuration,
            loops,
            initially: terms.truth(true),
            system,
            terms,
            vocabulary,
            actions,
            summaries,
            decider,
            tree: ReachabilityTree::new(),
            queue: Worklist::default(),
            seen_on_path: HashMap::new(),
            seen_before: HashMap::new(),
            model_end: None,
            tally: Tally::default(),
            budget: budget.clone(),
            observer,
        }
    }

    /// Makes the root.
    pub fn plant(&mut self) -> Result<(), UnwindError> {
        let (values, initially) = self.vocabulary.initial(&mut self.terms, &self.system);
        self.initially = self.with_values(initially, &values);
        let locations = self.system.initial().locations;
        let place = self.tree.place(locations);
        let instances = self.system.instances.len();
        let root = self.tree.add(ArtNode::new(None, place, instances, Rc::new(values)));
        self.queue.extend(&self.tree, [root]);
        self.pause()
    }

    /// Makes the node that `action` leads to from `v`. Its label is true.
    pub fn grow(&mut self, v: NodeId, action: &Rc<Action>) -> NodeId {
        let mut inputs = Vec::new();
        for input in &action.inputs {
            let (name, sort) =
                (self.terms.symbol_name(*input).to_string(), self.terms.symbol_sort(*input));
            inputs.push(self.terms.declare(name, sort));
        }
        let before = Rc::clone(&self.tree[v].values);
        let mut done = HashMap::new();
        let vocabulary = &self.vocabulary;
        let mut instance_of = |terms: &mut Terms, symbol: Symbol| match vocabulary.index(symbol) {
            Some(index) => Some(before[index]),
            None => {
                let number = action.inputs.iter().position(|input| *input == symbol);
                number.map(|number| terms.symbol(inputs[number]))
            }
        };
        let terms = &mut self.terms;
        let mut put = |term| terms.substitute_memo(term, &mut instance_of, &mut done);
        let conditions: Vec<Term> = action.guards.iter().map(|guard| put(*guard)).collect();
        let mut values = Vec::clone(&before);
        for (symbol, value) in &action.assigns {
            let index = vocabulary.index(*symbol).expect("assigned symbols should be of the state");
            values[index] = put(*value);
        }
        let values = if action.assigns.is_empty() { before } else { Rc::new(values) };
        let mut locations = Vec::clone(self.tree.locations(self.tree[v].place));
        locations[action.instance] = action.target;
        let place = self.tree.place(locations);
        let parent = Some((v, Rc::clone(action)));
        let rounds = self.tree[v].rounds + usize::from(action.back);
        let node = ArtNode::new(parent, place, self.system.instances.len(), values);
        self.tree.add(ArtNode { conditions, inputs, rounds, ..node })
    }

    /// A formula about the state, for these values of the variables.
    pub fn with_values(&mut self, formula: Term, values: &[Term]) -> Term {
        let vocabulary = &self.vocabulary;
        self.terms.substitute(formula, &mut |_, symbol| {
            vocabulary.index(symbol).map(|index| values[index])
        })
    }

    /// A formula about the state at `v`, as the path to `v` makes it.
    pub fn on_path(&mut self, formula: Term, v: NodeId) -> Term {
        if let Some(known) = self.seen_on_path.get(&(v, formula)) {
            return *known;
        }
        let values = Rc::clone(&self.tree[v].values);
        let now = self.with_values(formula, &values);
        self.seen_on_path.insert((v, formula), now);
        now
    }

    /// The condition that the path to `v` can be taken, piece by piece, without what is true.
    pub fn path_conditions(&self, v: NodeId) -> Vec<Term> {
        let mut conditions = Vec::new();
        let mut add = |condition: Term| {
            if self.terms.constant_value(condition) != Some(1) {
                conditions.push(condition);
            }
        };
        add(self.initially);
        let mut node = v;
        loop {
            self.tree[node].conditions.iter().for_each(|condition| add(*condition));
            match &self.tree[node].parent {
                Some((parent, _)) => node = *parent,
                None => return conditions,
            }
        }
    }

    /// Is a thread at an error or at a model limit?
    pub fn is_bad(&self, v: NodeId) -> bool {
        let locations = self.tree.locations(self.tree[v].place);
        locations.iter().enumerate().any(|(instance, location)| {
            self.system.template(instance).locations[location.index()].kind != LocKind::Plain
        })
    }

    /// Why to stop now, if there is a reason; and word to the observer.
    pub fn pause(&mut self) -> Result<(), UnwindError> {
        if self.tree.len() >= self.tally.told_at + MIN_NODES_BETWEEN_REPORTS {
            self.report();
        }
        self.budget.check()?;
        match self.loops {
            Loops::Kept { nodes } if self.tree.len() > nodes => Err(UnwindError::Unrolling),
            _ => Ok(()),
        }
    }

    /// Does `conclusion` follow from `premises`?
    pub fn follows(&mut self, premises: &[Term], conclusion: Term) -> Result<bool, UnwindError> {
        match self.decider.implies(&mut self.terms, premises, conclusion) {
            Entailment::Holds => Ok(true),
            Entailment::Fails => Ok(false),
            Entailment::Unknown => Err(self.undecided()),
        }
    }

    /// The same, from the label of `v`: a question that covers ask.
    pub fn label_implies(&mut self, v: NodeId, conclusion: Term) -> Result<bool, UnwindError> {
        self.tally.implications += 1;
        let label = std::mem::take(&mut self.tree[v].label);
        let answer = self.follows(&label, conclusion);
        self.tree[v].label = label;
        answer
    }

    /// What must hold before `action`, so that `formula` holds after it, if it is taken.
    pub fn before(&mut self, action: &Action, formula: Term) -> Term {
        if action.assigns.is_empty() {
            return formula;
        }
        let known = self.seen_before.entry((action.instance, action.edge)).or_default();
        let mut assigned = |_: &mut Terms, symbol| action.assigns.get(&symbol).copied();
        self.terms.substitute_memo(formula, &mut assigned, known)
    }

    /// The deciding layer does not know: because it was told to stop, or because
    /// it cannot.
    pub fn undecided(&self) -> UnwindError {
        let beyond = || Reason::Beyond("a formula is beyond the deciding layer".into());
        UnwindError::Because(self.budget.check().map_or_else(Reason::from, |()| beyond()))
    }

    /// Tells the numbers.
    pub fn report(&mut self) {
        self.tally.told_at = self.tree.len();
        let Tally { covers, implications, cover_expansions, told_at } = self.tally;
        let nodes = told_at as u64;
        self.observer.event(Event::Counters(&[
            Counter { name: "nodes", value: nodes },
            Counter { name: "covers", value: covers },
            Counter { name: "implications asked for covers", value: implications },
            Counter { name: "nodes by cover expansions", value: cover_expansions },
        ]));
    }
}
