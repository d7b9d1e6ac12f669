//! `MKPATH` (Figure 8): a derivation as a schedule with values.
//!
//! The paper's path follows `Parent` through environment transitions. We make a path only of derivations in which each edge is
//! one of a tracked thread, so that their conditions are those of the path; with all threads tracked, there are no others.
//!
//! In a derivation, an instance of a parameterised thread has whatever index satisfies the conditions. A witness says which
//! index that is, so it is asked to be among the first ones; and as the indices of a model
//! may be in another order than the representatives, the instance of each is read from the model.

use crate::aret::{AbstractState, Aret};
use crate::context::{Context, Renaming};
use crate::horn::{Clause, HornTree};
use crate::ids::{Id, InstanceId};
use ccfa::semantics::System;
use ccfa::{Arg, Count, EdgeId, Init, Instance, LocalId, SharedId, Type, VarRef};
use evidence::{Reason, Verdict, Witness, WitnessStep};
use logic::{Answer, ArithOp, Node, Sort, Symbol, Term};
use std::collections::{BTreeMap, HashMap};

/// No witness has more instances of a parameterised thread: it is replayed with all of them.
const MAX_INSTANCES: u32 = 1 << 10;

/// The type of indices of instances.
const INDEX: Type = Type::unsigned(32);

/// The witness of a derivation in which each edge is one of a tracked thread.
pub(crate) fn mk_path(context: &mut Context, aret: &Aret, tree: &HornTree) -> Verdict {
    let root = &aret[tree[tree.root()].state];
    let tracked = &aret.views[root.view].tracked;
    if let Some(limit) = model_limit(context, tracked, root) {
        return Verdict::Unknown(limit);
    }
    let path = Path::new(context, tracked, tree);
    let conditions: Vec<Term> = tree.conditions().map(|(_, term, _)| term).collect();
    let few = context.classes().map(|class| context.representatives(class).len()).max();
    for most in [few.unwrap_or(0) as u32, MAX_INSTANCES] {
        let (indices, numbered) = path.indices(context, most);
        let all = [conditions.clone(), numbered].concat();
        if context.decider.check(&context.terms, &all) == Answer::Sat {
            return Verdict::Unsafe(path.witness(context, &indices));
        }
    }
    let why = "the path to an error was found, but not its values";
    Verdict::Unknown(Reason::Beyond(why.into()))
}

/// The model limit at which a tracked thread is, if none is at an error.
fn model_limit(context: &Context, tracked: &[InstanceId], state: &AbstractState) -> Option<Reason> {
    let places = tracked.iter().zip(&state.at);
    Reason::of_limits(
        places.map(|(instance, at)| &context.template(*instance).locations[at.index()]),
    )
}

/// The edges that the tracked threads of a tree's root take.
struct Path {
    /// From the start to the error: who moves, along which edge, with which arbitrary values.
    steps: Vec<(InstanceId, EdgeId, Vec<Symbol>)>,
    /// What their variables are at the start, over arbitrary values.
    start: HashMap<Symbol, Term>,
    tracked: Vec<InstanceId>,
}

impl Path {
    fn new(context: &Context, tracked: &[InstanceId], tree: &HornTree) -> Path {
        // A renaming above a step renames the instance that takes it.
        let mut names: BTreeMap<InstanceId, InstanceId> =
            tracked.iter().map(|i| (*i, *i)).collect();
        let mut steps = Vec::new();
        let mut node = tree.root();
        loop {
            match &tree[node].clause {
                Clause::Initial => break,
                Clause::Symmetry { child, renaming } => {
                    names = renaming.pairs().map(|(from, to)| (from, names[&to])).collect();
                    node = *child;
                }
                Clause::Step { children, mover, edge, inputs } => {
                    steps.push((names[mover], *edge, inputs.clone()));
                    node = children[0].0;
                }
            }
        }
        steps.reverse();
        let (from, to): (Vec<InstanceId>, Vec<InstanceId>) = names.into_iter().unzip();
        let renaming = Renaming::new(&from, &to);
        let store = tree[node].store.iter();
        let start = store
            .map(|(symbol, value)| (context.renamed_symbol(*symbol, &renaming), *value))
            .collect();
        Path { steps, start, tracked: tracked.to_vec() }
    }

    /// A symbol for the index of each instance of a parameterised thread, and that these
    /// are different ones below `most`.
    fn indices(
        &self,
        context: &mut Context,
        most: u32,
    ) -> (BTreeMap<InstanceId, Symbol>, Vec<Term>) {
        let mut indices: BTreeMap<InstanceId, Symbol> = BTreeMap::new();
        let mut holds = Vec::new();
        let threads = &context.system.program.threads;
        for instance in &self.tracked {
            let thread = context.thread(*instance);
            if threads[thread.index()].count != Count::Any {
                continue;
            }
            let symbol = context.terms.declare("index", Sort::Scalar(INDEX));
            let index = context.terms.symbol(symbol);
            let limit = context.terms.constant(i128::from(most), INDEX);
            holds.push(context.terms.lt(index, limit));
            for (other, taken) in &indices {
                if context.thread(*other) == thread {
                    let taken = context.terms.symbol(*taken);
                    holds.push(context.terms.ne(index, taken));
                }
            }
            holds.extend(self.arguments(context, *instance, index));
            indices.insert(*instance, symbol);
        }
        (indices, holds)
    }

    /// That an instance's arguments are those of the one with this index.
    fn arguments(&self, context: &mut Context, instance: InstanceId, index: Term) -> Vec<Term> {
        let thread = context.thread(instance);
        let args = &context.system.program.threads[thread.index()].args;
        let mut holds = Vec::new();
        for (number, local) in context.template(instance).locals.iter().enumerate() {
            let Init::Param(param) = local.init else { continue };
            let Arg::Index(base) = args[param as usize] else { continue };
            let var = VarRef::Local(LocalId(number as u32));
            let value = self.start[&context.symbol(instance, var)];
            let terms = &mut context.terms;
            let (index, base) = (terms.cast(local.ty, index), terms.constant(base, local.ty));
            let expected = terms.arith(ArithOp::Add, index, base);
            holds.push(terms.eq(value, expected));
        }
        holds
    }

    /// The path with the values of the last model.
    fn witness(&self, context: &mut Context, indices: &BTreeMap<InstanceId, Symbol>) -> Witness {
        let mut instances = BTreeMap::new();
        for representative in &self.tracked {
            let Instance { thread, mut index } = context.system.instances[representative.index()];
            if let Some(symbol) = indices.get(representative) {
                index = context.model(*symbol)[0] as u32;
            }
            instances.insert(*representative, Instance { thread, index });
        }
        let numbered = instances.iter().filter(|(i, _)| indices.contains_key(i));
        let count = numbered.map(|(_, instance)| instance.index + 1).max().unwrap_or(0);
        let system = System::new(context.system.program, count);
        let position = |representative: &InstanceId| {
            let same = |other: &Instance| *other == instances[representative];
            system.instances.iter().position(same).expect("there should be so many instances")
        };
        let mut steps = Vec::new();
        for (mover, edge, inputs) in &self.steps {
            let havoc = inputs.iter().flat_map(|input| context.model(*input)).collect();
            steps.push(WitnessStep { instance: position(mover), edge: *edge, havoc });
        }
        let representatives = instances.keys().map(|i| (position(i), *i)).collect();
        let initial = self.initial_values(context, &system, &representatives);
        Witness { instances: count, initial, steps }
    }

    /// The values of the cells that may be anything at the start, where these instances have representatives.
    fn initial_values(
        &self,
        context: &mut Context,
        system: &System,
        representatives: &HashMap<usize, InstanceId>,
    ) -> Vec<i128> {
        let shared = system.program.shared.iter().enumerate().map(|(number, var)| {
            let var_ref = VarRef::Shared(SharedId(number as u32));
            (var, Some(context.vocabulary.symbol(0, var_ref)))
        });
        let mut vars: Vec<_> = shared.collect();
        for instance in 0..system.instances.len() {
            for (number, var) in system.template(instance).locals.iter().enumerate() {
                let var_ref = VarRef::Local(LocalId(number as u32));
                let representative = representatives.get(&instance);
                vars.push((var, representative.map(|r| context.symbol(*r, var_ref))));
            }
        }
        let mut values = Vec::new();
        for (var, symbol) in vars.into_iter().filter(|(var, _)| var.init == Init::Any) {
            let value = symbol.and_then(|symbol| self.start.get(&symbol));
            values.extend(match value.map(|term| context.terms.node(*term).clone()) {
                Some(Node::Symbol(input)) => context.model(input),
                _ => vec![0; var.cells()],
            });
        }
        values
    }
}
