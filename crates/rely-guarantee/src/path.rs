//! `MKPATH`: a derivation as a schedule with values.

use crate::horn::{Clause, HornTree};
use crate::reach::{Fact, Facts};
use crate::setting::Setting;
use crate::view::Views;
use evidence::{Reason, Step, Verdict, Witness};
use logic::{Answer, Node, Sort, Symbol, Term};
use std::collections::HashMap;

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
    let conditions: Vec<Term> = tree.conditions().map(|(_, term, _)| term).collect();
    if setting.decider.check(&setting.terms, &conditions) != Answer::Sat {
        let why = "the path to an error was found, but not its values";
        return Verdict::Unknown(Reason::Beyond(why.into()));
    }
    // A renaming above a step renames who makes it.
    let mut steps = Vec::new();
    let mut names: HashMap<usize, usize> = members.iter().map(|m| (*m, *m)).collect();
    let mut node = tree.root();
    loop {
        match &tree.nodes[node].clause {
            Clause::Initial => break,
            Clause::Symmetry { child, renaming } => {
                names = renaming.iter().map(|(from, to)| (*from, names[to])).collect();
                node = *child;
            }
            Clause::Step { children, mover, edge, inputs } => {
                let havoc = inputs.clone().into_iter().flat_map(|input| setting.model(input));
                let havoc = havoc.collect();
                steps.push(Step { instance: names[mover], edge: *edge, havoc });
                node = children[0].0;
            }
        }
    }
    steps.reverse();
    let start = tree.nodes[node].store.clone();
    let start = start.into_iter().filter_map(|(symbol, value)| {
        let owner = setting.owner(symbol);
        let renaming = names.iter().map(|(a, b)| (*a, *b)).collect();
        let symbol = setting.renamed_symbol(symbol, &renaming);
        (owner.is_none() || owner.is_some_and(|owner| names.contains_key(&owner)))
            .then_some((symbol, value))
    });
    let start: HashMap<Symbol, Term> = start.collect();
    let initial = initial_values(setting, &start);
    let copies = setting.players.iter().map(Vec::len).max().unwrap_or(0) as u32;
    Verdict::Unsafe(Witness { copies, initial, steps })
}

/// The gap at which a member is, if none is at an error.
fn gap(setting: &Setting, members: &[usize], fact: &Fact) -> Option<Reason> {
    let places = members.iter().zip(&fact.at);
    Reason::of_gaps(
        places.map(|(member, at)| &setting.system.template(*member).locations[at.index()]),
    )
}

/// The values of the cells that may be anything at the start.
fn initial_values(setting: &mut Setting, start: &HashMap<Symbol, Term>) -> Vec<i128> {
    let state = setting.system.initial();
    let mut values = Vec::new();
    let mut cell = 0;
    for symbol in setting.vocabulary.symbols.clone() {
        let cells = match setting.terms.symbol_sort(symbol) {
            Sort::Scalar(_) => 1,
            Sort::Array { len, .. } => len as usize,
        };
        let any = state.cells[cell..cell + cells].iter().map(Option::is_none);
        let any: Vec<bool> = any.collect();
        if any.contains(&true) {
            let model = match start.get(&symbol).map(|term| setting.terms.node(*term).clone()) {
                Some(Node::Symbol(input)) => setting.model(input),
                _ => vec![0; cells],
            };
            values.extend(model.into_iter().zip(any).filter(|(_, any)| *any).map(|(v, _)| v));
        }
        cell += cells;
    }
    values
}
