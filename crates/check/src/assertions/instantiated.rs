//! Views as formulas, and their instantiations.
//!
//! The formulas of a view are over symbols of its own: one for each shared variable and each local
//! of its slots. An *instantiated view* has instances in
//! the slots; its formulas are those of the view with the instances' variables in place of its own.

use super::location_set::LocationSet;
use crate::obligations::Obligations;
use ccfa::semantics::System;
use ccfa::{Arg, Count, Expr, LocalId, Program, TemplateId, Thread, VarRef};
use evidence::{Region, View};
use fixedbitset::FixedBitSet;
use logic::{Term, Terms, Vocabulary};
use std::collections::HashMap;
use std::rc::Rc;

/// A view in its own symbols.
pub(super) struct ViewFormulas {
    vocabulary: Vocabulary,
    /// The shared variables, then the locals with the slot that has them.
    pub variables: Vec<Variable>,
    /// `R`
    pub regions: Vec<RegionFormulas>,
    /// The regions by slot and location.
    by_location: Vec<Vec<Regions>>,
}

/// A set of regions.
type Regions = FixedBitSet;

/// So many locations are looked up one by one; for more, the union of what is possible would
/// be no smaller than all regions.
const MAX_LISTED_LOCATIONS: usize = 8;
/// Up to so many regions are looked at one by one: what they have in common would not be asked for less often.
const MAX_SINGLE_REGIONS: usize = 8;

/// A variable that a view speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Variable {
    /// The slot whose local it is; `None` if it is shared.
    pub slot: Option<usize>,
    /// In the template of that slot.
    pub var: VarRef,
}

/// A region.
pub(super) struct RegionFormulas {
    /// By slot.
    pub at: Vec<LocationSet>,
    holds: Vec<Term>,
}

/// What is put in place of each of a view's symbols.
pub(super) struct Substitution {
    values: Vec<Term>,
    done: HashMap<Term, Term>,
}

/// A view with instances in its slots.
pub(super) struct InstantiatedView {
    /// The number of the view.
    pub view: usize,
    /// By slot.
    pub instances: Rc<[usize]>,
    substitution: Substitution,
    /// The formulas of the regions, as far as they were asked for.
    regions: Vec<Option<Rc<[Term]>>>,
}

impl ViewFormulas {
    /// The formulas of a well-formed view.
    pub fn new(program: &Program, view: &View, obligations: &mut Obligations) -> ViewFormulas {
        let scope = scope(program, view);
        let system = System::new(&scope, 0);
        let vocabulary = Vocabulary::new(obligations.terms(), &system);
        let counts: Vec<usize> = view
            .slots
            .iter()
            .map(|slot| program.template_of(slot.thread).locations.len())
            .collect();
        let sets = |at: &[Option<Vec<_>>]| -> Vec<LocationSet> {
            counts.iter().zip(at).map(|(count, at)| LocationSet::given(*count, at)).collect()
        };
        let mut formulas = |holds: &[Expr]| formulas(obligations.terms(), &vocabulary, holds);
        let mut region = |region: &Region| RegionFormulas {
            at: sets(&region.at),
            holds: formulas(&region.holds),
        };
        let regions: Vec<RegionFormulas> = view.regions.iter().map(&mut region).collect();
        let variables = variables(program, view);
        let by_location = by_location(&counts, &regions);
        ViewFormulas { vocabulary, variables, regions, by_location }
    }

    /// The regions that are possible if the slots are at these locations.
    pub fn matching(&self, at: &[&LocationSet]) -> Vec<usize> {
        let meets = |&number: &usize| {
            self.regions[number].at.iter().zip(at).all(|(there, at)| there.meets(at))
        };
        let mut found: Option<Regions> = None;
        for (at, lists) in at.iter().zip(&self.by_location) {
            if at.len() <= MAX_LISTED_LOCATIONS {
                let mut both = Regions::with_capacity(self.regions.len());
                at.iter().for_each(|location| both.union_with(&lists[location.index()]));
                found.iter().for_each(|found| both.intersect_with(found));
                if both.count_ones(..) <= MAX_SINGLE_REGIONS {
                    return both.ones().filter(meets).collect();
                }
                found = Some(both);
            }
        }
        match found {
            Some(found) => found.ones().filter(meets).collect(),
            None => (0..self.regions.len()).filter(meets).collect(),
        }
    }

    /// How many threads are tracked.
    pub fn slots(&self) -> usize {
        self.by_location.len()
    }

    /// The formulas of a region under a substitution.
    pub fn region(
        &self,
        terms: &mut Terms,
        number: usize,
        substitution: &mut Substitution,
    ) -> Vec<Term> {
        self.substitute(terms, &self.regions[number].holds, substitution)
    }

    /// Formulas of the view under a substitution.
    pub fn substitute(
        &self,
        terms: &mut Terms,
        formulas: &[Term],
        substitution: &mut Substitution,
    ) -> Vec<Term> {
        let Substitution { values, done } = substitution;
        let mut value = |_: &mut Terms, symbol| values.get(self.vocabulary.index(symbol)?).copied();
        let mut all = Vec::new();
        for formula in formulas {
            let formula = terms.substitute_memo(*formula, &mut value, done);
            all.extend(terms.conjuncts(formula));
        }
        all
    }
}

impl Substitution {
    /// These terms stand for the first symbols; the others for themselves.
    pub fn new(values: Vec<Term>) -> Substitution {
        Substitution { values, done: HashMap::new() }
    }
}

impl InstantiatedView {
    /// Nothing asked for yet.
    pub fn new(
        view: usize,
        instances: Rc<[usize]>,
        formulas: &ViewFormulas,
        obligations: &mut Obligations,
    ) -> InstantiatedView {
        let symbol = |variable: &Variable| {
            let symbol =
                obligations.vocabulary().symbol(owner(&instances, *variable), variable.var);
            obligations.terms().symbol(symbol)
        };
        let values = formulas.variables.iter().map(symbol).collect();
        let regions = vec![None; formulas.regions.len()];
        InstantiatedView { view, instances, substitution: Substitution::new(values), regions }
    }

    /// The formulas of a region for these instances.
    pub fn region(
        &mut self,
        terms: &mut Terms,
        formulas: &ViewFormulas,
        number: usize,
    ) -> Rc<[Term]> {
        let InstantiatedView { substitution, regions, .. } = self;
        let known = &mut regions[number];
        known.get_or_insert_with(|| formulas.region(terms, number, substitution).into()).clone()
    }
}

/// The instance that has a variable; any if it is shared.
pub(super) fn owner(instances: &[usize], variable: Variable) -> usize {
    variable.slot.map_or(0, |slot| instances[slot])
}

/// A program with one thread, whose locals are all that a view can speak of.
fn scope(program: &Program, view: &View) -> Program {
    let template = view.scope(program);
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

fn formulas(terms: &mut Terms, vocabulary: &Vocabulary, holds: &[Expr]) -> Vec<Term> {
    holds.iter().map(|expr| vocabulary.holds(terms, expr)).collect()
}

fn by_location(counts: &[usize], regions: &[RegionFormulas]) -> Vec<Vec<Regions>> {
    let none = Regions::with_capacity(regions.len());
    let mut by_location: Vec<Vec<Regions>> =
        counts.iter().map(|count| vec![none.clone(); *count]).collect();
    for (number, region) in regions.iter().enumerate() {
        for (at, lists) in region.at.iter().zip(&mut by_location) {
            at.iter().for_each(|location| lists[location.index()].insert(number));
        }
    }
    by_location
}
