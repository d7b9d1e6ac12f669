//! `MKPATH`: a derivation as a schedule with values.
//!
//! In a derivation, instances in any number have whatever number suits them. A witness says which
//! they are, so that they are asked to be among the first ones; and as the numbers of a model
//! may be in another order than the players, who is which instance is read from it.

use crate::horn::{Clause, HornTree};
use crate::reach::{Fact, Facts};
use crate::setting::Setting;
use crate::view::Views;
use ccfa::semantics::System;
use ccfa::{Arg, Count, EdgeId, Init, Instance, LocalId, SharedId, Type, VarRef};
use evidence::{Reason, Verdict, Witness, WitnessStep};
use logic::{Answer, ArithOp, Node, Sort, Symbol, Term};
use std::collections::{BTreeMap, HashMap};

/// No witness has more copies of a thread.
const MOST_COPIES: u32 = 1 << 10;

/// Instances are counted with these.
const INDEX: Type = Type::unsigned(32);

/// A derivation in which nobody but those in view moves is a run.
pub(crate) fn mk_path(
    setting: &mut Setting,
    views: &Views,
    facts: &Facts,
    tree: &HornTree,
) -> Verdict {
    let root = &facts.facts[tree.nodes[tree.root()].fact];
    let members = &views.views[root.view].members;
    if let Some(gap) = gap(setting, members, root) {
        return Verdict::Unknown(gap);
    }
    let run = Run::new(setting, members, tree);
    let conditions: Vec<Term> = tree.conditions().map(|(_, term, _)| term).collect();
    let few = setting.players.iter().map(Vec::len).max().unwrap_or(0) as u32;
    for copies in [few, MOST_COPIES] {
        let (indices, numbered) = run.numbered(setting, copies);
        let all = [conditions.clone(), numbered].concat();
        if setting.decider.check(&setting.terms, &all) == Answer::Sat {
            return Verdict::Unsafe(run.witness(setting, &indices));
        }
    }
    let why = "the path to an error was found, but not its values";
    Verdict::Unknown(Reason::Beyond(why.into()))
}

/// The gap at which a member is, if none is at an error.
fn gap(setting: &Setting, members: &[usize], fact: &Fact) -> Option<Reason> {
    let places = members.iter().zip(&fact.at);
    Reason::of_limits(
        places.map(|(member, at)| &setting.system.template(*member).locations[at.index()]),
    )
}

/// What those in view of the root of a tree do.
struct Run {
    /// From the start to the error: who moves, along which edge, with which arbitrary values.
    steps: Vec<(usize, EdgeId, Vec<Symbol>)>,
    /// What their variables are at the start, over arbitrary values.
    start: HashMap<Symbol, Term>,
    members: Vec<usize>,
}

impl Run {
    fn new(setting: &Setting, members: &[usize], tree: &HornTree) -> Run {
        // A renaming above a step renames who makes it.
        let mut names: HashMap<usize, usize> = members.iter().map(|m| (*m, *m)).collect();
        let mut steps = Vec::new();
        let mut node = tree.root();
        loop {
            match &tree.nodes[node].clause {
                Clause::Initial => break,
                Clause::Symmetry { child, renaming } => {
                    names = renaming.iter().map(|(from, to)| (*from, names[to])).collect();
                    node = *child;
                }
                Clause::Step { children, mover, edge, inputs } => {
                    steps.push((names[mover], *edge, inputs.clone()));
                    node = children[0].0;
                }
            }
        }
        steps.reverse();
        let renaming = names.into_iter().collect();
        let store = tree.nodes[node].store.iter();
        let start = store
            .map(|(symbol, value)| (setting.renamed_symbol(*symbol, &renaming), *value))
            .collect();
        Run { steps, start, members: members.to_vec() }
    }

    /// A symbol for the index of each member of which there may be any number, and that these
    /// are indices of so many copies.
    fn numbered(&self, setting: &mut Setting, copies: u32) -> (BTreeMap<usize, Symbol>, Vec<Term>) {
        let mut indices: BTreeMap<usize, Symbol> = BTreeMap::new();
        let mut holds = Vec::new();
        let threads = &setting.system.program.threads;
        for member in &self.members {
            let thread = setting.system.instances[*member].thread;
            if threads[thread.index()].count != Count::Any {
                continue;
            }
            let symbol = setting.terms.declare("index", Sort::Scalar(INDEX));
            let index = setting.terms.symbol(symbol);
            let limit = setting.terms.constant(i128::from(copies), INDEX);
            holds.push(setting.terms.lt(index, limit));
            for (other, taken) in &indices {
                if setting.system.instances[*other].thread == thread {
                    let taken = setting.terms.symbol(*taken);
                    holds.push(setting.terms.ne(index, taken));
                }
            }
            holds.extend(self.arguments(setting, *member, index));
            indices.insert(*member, symbol);
        }
        (indices, holds)
    }

    /// That a member's arguments are those of the instance with this index.
    fn arguments(&self, setting: &mut Setting, member: usize, index: Term) -> Vec<Term> {
        let thread = setting.system.instances[member].thread;
        let args = &setting.system.program.threads[thread.index()].args;
        let mut holds = Vec::new();
        for (number, local) in setting.system.template(member).locals.iter().enumerate() {
            let Init::Param(param) = local.init else { continue };
            let Arg::Index(base) = args[param as usize] else { continue };
            let var = VarRef::Local(LocalId(number as u32));
            let value = self.start[&setting.vocabulary.symbol(member, var)];
            let terms = &mut setting.terms;
            let (index, base) = (terms.cast(local.ty, index), terms.constant(base, local.ty));
            let expected = terms.arith(ArithOp::Add, index, base);
            holds.push(terms.eq(value, expected));
        }
        holds
    }

    /// The run with the values of the last model.
    fn witness(&self, setting: &mut Setting, indices: &BTreeMap<usize, Symbol>) -> Witness {
        let mut instances = BTreeMap::new();
        for member in &self.members {
            let Instance { thread, mut index } = setting.system.instances[*member];
            if let Some(symbol) = indices.get(member) {
                index = setting.model(*symbol)[0] as u32;
            }
            instances.insert(*member, Instance { thread, index });
        }
        let numbered = instances.iter().filter(|(member, _)| indices.contains_key(member));
        let copies = numbered.map(|(_, instance)| instance.index + 1).max().unwrap_or(0);
        let system = System::new(setting.system.program, copies);
        let place = |member: &usize| {
            let place = system.instances.iter().position(|other| *other == instances[member]);
            place.expect("there should be as many copies as are numbered")
        };
        let mut steps = Vec::new();
        for (mover, edge, inputs) in &self.steps {
            let havoc = inputs.iter().flat_map(|input| setting.model(*input)).collect();
            steps.push(WitnessStep { instance: place(mover), edge: *edge, havoc });
        }
        let players = instances.keys().map(|member| (place(member), *member)).collect();
        Witness {
            instances: copies,
            initial: self.initial_values(setting, &system, &players),
            steps,
        }
    }

    /// The values of the cells that may be anything at the start, where these instances have players.
    fn initial_values(
        &self,
        setting: &mut Setting,
        system: &System,
        players: &HashMap<usize, usize>,
    ) -> Vec<i128> {
        let shared = system.program.shared.iter().enumerate().map(|(number, var)| {
            let var_ref = VarRef::Shared(SharedId(number as u32));
            (var, Some(setting.vocabulary.symbol(0, var_ref)))
        });
        let mut vars: Vec<_> = shared.collect();
        for instance in 0..system.instances.len() {
            for (number, var) in system.template(instance).locals.iter().enumerate() {
                let var_ref = VarRef::Local(LocalId(number as u32));
                let player = players.get(&instance);
                vars.push((var, player.map(|p| setting.vocabulary.symbol(*p, var_ref))));
            }
        }
        let mut values = Vec::new();
        for (var, symbol) in vars.into_iter().filter(|(var, _)| var.init == Init::Any) {
            let value = symbol.and_then(|symbol| self.start.get(&symbol));
            values.extend(match value.map(|term| setting.terms.node(*term).clone()) {
                Some(Node::Symbol(input)) => setting.model(input),
                _ => vec![0; var.cells()],
            });
        }
        values
    }
}
