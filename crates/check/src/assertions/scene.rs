//! What views say, as formulas.
//!
//! The formulas of a view are over symbols of its own: one for each variable in view before a
//! step, then one for each after it. A *scene* is a view with actors in its slots; what the view
//! says there is the same formulas with the actors' variables in place of its own.

use super::places::Places;
use crate::obligations::Obligations;
use ccfa::semantics::System;
use ccfa::{Arg, Count, Expr, LocalId, Program, TemplateId, Thread, VarRef};
use evidence::{EnvironmentTransition, Region, View};
use logic::{Symbol, Term, Terms, Vocabulary};
use std::collections::HashMap;
use std::rc::Rc;

/// A view in its own symbols.
pub(super) struct Statement {
    vocabulary: Vocabulary,
    /// The shared variables, then the locals with the slot that has them.
    pub variables: Vec<Variable>,
    /// `R`
    pub regions: Vec<Stated>,
    /// `E`
    pub changes: Option<Vec<Changing>>,
    /// The regions by slot and location.
    by_place: Vec<Vec<Regions>>,
}

/// A set of regions, one bit each.
type Regions = Box<[u64]>;

/// So many locations are few: the regions that are possible at one of them are looked up.
const FEW_PLACES: usize = 8;
/// So many regions are few: they are looked at one by one.
const FEW_REGIONS: u32 = 8;

/// A variable in view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Variable {
    /// Whose it is; `None` if it is shared.
    pub slot: Option<usize>,
    /// As seen by that slot.
    pub var: VarRef,
}

/// A region.
pub(super) struct Stated {
    /// By slot.
    pub at: Vec<Places>,
    holds: Vec<Term>,
}

/// A change.
pub(super) struct Changing {
    /// By slot.
    pub from: Vec<Places>,
    /// By slot.
    pub to: Vec<Places>,
    /// By number of the variable.
    pub writes: Vec<bool>,
    /// Of the variables before and after.
    pub holds: Vec<Term>,
}

/// What stands for each of a view's symbols.
pub(super) struct Meaning {
    values: Vec<Term>,
    done: HashMap<Term, Term>,
}

/// A view with actors in its slots.
pub(super) struct Scene {
    /// Its number.
    pub view: usize,
    /// By slot.
    pub actors: Rc<[usize]>,
    /// The actors' variables.
    pub now: Vec<Term>,
    meaning: Meaning,
    /// What the regions say, as far as it was asked for.
    regions: Vec<Option<Rc<[Term]>>>,
}

impl Statement {
    /// The formulas of a well-formed view.
    pub fn new(program: &Program, view: &View, obligations: &mut Obligations) -> Statement {
        let scope = scope(program, view);
        let system = System::new(&scope, 0);
        let vocabulary = Vocabulary::new(obligations.terms(), &system);
        let counts: Vec<usize> = view
            .slots
            .iter()
            .map(|slot| program.template_of(slot.thread).locations.len())
            .collect();
        let places = |at: &[Option<Vec<_>>]| -> Vec<Places> {
            counts.iter().zip(at).map(|(count, at)| Places::said(*count, at)).collect()
        };
        let mut formulas = |holds: &[Expr]| formulas(obligations.terms(), &vocabulary, holds);
        let mut region =
            |region: &Region| Stated { at: places(&region.at), holds: formulas(&region.holds) };
        let regions: Vec<Stated> = view.regions.iter().map(&mut region).collect();
        let variables = variables(program, view);
        let mut change = |change: &EnvironmentTransition| Changing {
            from: places(&change.from),
            to: places(&change.to),
            writes: writes(program, change, variables.len()),
            holds: formulas(&change.holds),
        };
        let changes = view.environment.as_ref().map(|all| all.iter().map(&mut change).collect());
        let by_place = by_place(&counts, &regions);
        Statement { vocabulary, variables, regions, changes, by_place }
    }

    /// The regions that are possible if the slots are at these places.
    pub fn matching(&self, places: &[&Places]) -> Vec<usize> {
        let meets = |&number: &usize| {
            self.regions[number].at.iter().zip(places).all(|(at, places)| at.meets(places))
        };
        let mut found: Option<Vec<u64>> = None;
        for (places, lists) in places.iter().zip(&self.by_place) {
            if places.len() <= FEW_PLACES {
                let there = union(places.iter().map(|location| &lists[location.index()]));
                let both = match found {
                    Some(found) => found.iter().zip(&there).map(|(a, b)| a & b).collect(),
                    None => there,
                };
                if both.iter().map(|word| word.count_ones()).sum::<u32>() <= FEW_REGIONS {
                    return members(&both).filter(meets).collect();
                }
                found = Some(both);
            }
        }
        match found {
            Some(found) => members(&found).filter(meets).collect(),
            None => (0..self.regions.len()).filter(meets).collect(),
        }
    }

    /// How many are in view.
    pub fn slots(&self) -> usize {
        self.by_place.len()
    }

    /// The symbol for the value of a variable after a step.
    pub fn after(&self, number: usize) -> Symbol {
        self.vocabulary.symbols[self.variables.len() + number]
    }

    /// What a region says under a meaning.
    pub fn region(&self, terms: &mut Terms, number: usize, meaning: &mut Meaning) -> Vec<Term> {
        self.formulas(terms, &self.regions[number].holds, meaning)
    }

    /// What formulas of the view say under a meaning.
    pub fn formulas(
        &self,
        terms: &mut Terms,
        formulas: &[Term],
        meaning: &mut Meaning,
    ) -> Vec<Term> {
        let Meaning { values, done } = meaning;
        let mut value = |_: &mut Terms, symbol| values.get(self.vocabulary.index(symbol)?).copied();
        let mut all = Vec::new();
        for formula in formulas {
            let formula = terms.substitute_memo(*formula, &mut value, done);
            all.extend(terms.conjuncts(formula));
        }
        all
    }
}

impl Meaning {
    /// These terms stand for the first symbols; the others for themselves.
    pub fn new(values: Vec<Term>) -> Meaning {
        Meaning { values, done: HashMap::new() }
    }
}

impl Scene {
    /// Nothing asked for yet.
    pub fn new(
        view: usize,
        actors: Rc<[usize]>,
        statement: &Statement,
        obligations: &mut Obligations,
    ) -> Scene {
        let symbol = |variable: &Variable| {
            let symbol = obligations.vocabulary().symbol(owner(&actors, *variable), variable.var);
            obligations.terms().symbol(symbol)
        };
        let now: Vec<Term> = statement.variables.iter().map(symbol).collect();
        let regions = vec![None; statement.regions.len()];
        Scene { view, actors, meaning: Meaning::new(now.clone()), now, regions }
    }

    /// The actor who has a variable; any if it is shared.
    pub fn owner(&self, variable: Variable) -> usize {
        owner(&self.actors, variable)
    }

    /// What a region says of these actors.
    pub fn region(
        &mut self,
        terms: &mut Terms,
        statement: &Statement,
        number: usize,
    ) -> Rc<[Term]> {
        let Scene { meaning, regions, .. } = self;
        let known = &mut regions[number];
        known.get_or_insert_with(|| statement.region(terms, number, meaning).into()).clone()
    }
}

fn owner(actors: &[usize], variable: Variable) -> usize {
    variable.slot.map_or(0, |slot| actors[slot])
}

/// A program with one thread, whose locals are all that a view's changes can speak of.
fn scope(program: &Program, view: &View) -> Program {
    let template = view.transition_scope(program);
    let args: Vec<Arg> = Vec::new();
    let thread =
        Thread { name: "view".into(), template: TemplateId(0), args, count: Count::Exactly(1) };
    Program {
        shared: program.shared.clone(),
        templates: vec![template],
        threads: vec![thread],
        ..Program::default()
    }
}

fn variables(program: &Program, view: &View) -> Vec<Variable> {
    let shared = (0..program.shared.len() as u32)
        .map(|number| Variable { slot: None, var: VarRef::Shared(ccfa::SharedId(number)) });
    let locals = view.slots.iter().enumerate().flat_map(|(number, slot)| {
        let count = program.template_of(slot.thread).locals.len() as u32;
        let local = move |id| Variable { slot: Some(number), var: VarRef::Local(LocalId(id)) };
        (0..count).map(local)
    });
    shared.chain(locals).collect()
}

/// Which variables a change may write, by their numbers.
fn writes(program: &Program, change: &EnvironmentTransition, variables: usize) -> Vec<bool> {
    let mut writes = vec![false; variables];
    for var in &change.writes {
        match var {
            VarRef::Shared(id) => writes[id.index()] = true,
            VarRef::Local(id) => writes[program.shared.len() + id.index()] = true,
        }
    }
    writes
}

fn formulas(terms: &mut Terms, vocabulary: &Vocabulary, holds: &[Expr]) -> Vec<Term> {
    holds.iter().map(|expr| vocabulary.holds(terms, expr)).collect()
}

fn by_place(counts: &[usize], regions: &[Stated]) -> Vec<Vec<Regions>> {
    let none: Regions = vec![0; regions.len().div_ceil(64)].into();
    let mut by_place: Vec<Vec<Regions>> =
        counts.iter().map(|count| vec![none.clone(); *count]).collect();
    for (number, region) in regions.iter().enumerate() {
        for (places, lists) in region.at.iter().zip(&mut by_place) {
            for location in places.iter() {
                lists[location.index()][number / 64] |= 1 << (number % 64);
            }
        }
    }
    by_place
}

fn union<'r>(sets: impl Iterator<Item = &'r Regions>) -> Vec<u64> {
    let mut union = Vec::new();
    for set in sets {
        union.resize(set.len(), 0);
        union.iter_mut().zip(set).for_each(|(word, more)| *word |= more);
    }
    union
}

/// The members of a set of regions, in order.
fn members(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().filter(|(_, word)| **word != 0).flat_map(|(place, word)| {
        (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * place + bit)
    })
}
