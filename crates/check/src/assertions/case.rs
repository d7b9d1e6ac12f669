//! Deciding one case: some instances at some locations, and what must follow there.
//!
//! A case is decided for many locations at once where that is possible. Of the assertions, only
//! regions that are possible at some of the locations count, and of what must follow, only
//! what applies at all of them: so the premises may be too weak and the conclusion too
//! strong, never the other way round. If that is not enough, the locations are divided and
//! each part is decided. Where each instance is at one location, nothing is lost.

use super::instantiated::{InstantiatedView, Variable, ViewFormulas, owner};
use super::location_set::LocationSet;
use crate::obligations::Obligations;
use evidence::Reason;
use logic::{Symbol, Term, Terms};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// Something that must follow.
pub(super) struct Case<'c> {
    /// What holds.
    pub known: Vec<Term>,
    /// Assertions that hold beside that.
    pub premises: &'c [Premise],
    /// One of these must follow.
    pub goals: Vec<Goal<'c>>,
}

/// Something that may follow.
pub(super) struct Goal<'c> {
    /// The instances at these positions are at these locations,
    pub at: Vec<(usize, &'c LocationSet)>,
    /// and all of these hold.
    pub holds: Vec<Term>,
}

/// The assertion of an instantiated view, about some of the instances of a case.
#[derive(Clone, Debug)]
pub(super) struct Premise {
    /// The number of the instantiated view.
    pub view: usize,
    /// By slot, the position of its instance among those of the case.
    pub positions: Vec<usize>,
}

/// A premise and the regions of it that are possible.
type Possible<'s> = (&'s Premise, Vec<usize>);

/// The instantiated views, and the solver that decides cases with their assertions.
pub(super) struct InstantiatedViews<'a> {
    pub obligations: Obligations<'a>,
    /// By view.
    pub formulas: Vec<Rc<ViewFormulas>>,
    /// By number.
    pub instantiated: Vec<InstantiatedView>,
    /// Their numbers, by view and instances.
    numbers: HashMap<(usize, Rc<[usize]>), usize>,
    /// That one of these regions of an instantiated view holds.
    disjunctions: HashMap<(usize, Vec<usize>), Term>,
}

impl<'a> InstantiatedViews<'a> {
    pub fn new(
        obligations: Obligations<'a>,
        formulas: Vec<Rc<ViewFormulas>>,
    ) -> InstantiatedViews<'a> {
        let (instantiated, numbers, disjunctions) = Default::default();
        InstantiatedViews { obligations, formulas, instantiated, numbers, disjunctions }
    }

    /// The number of the view instantiated with these instances.
    pub fn instantiate(&mut self, view: usize, instances: &[usize]) -> usize {
        let instances: Rc<[usize]> = instances.into();
        if let Some(number) = self.numbers.get(&(view, instances.clone())) {
            return *number;
        }
        let formulas = self.formulas[view].clone();
        self.instantiated.push(InstantiatedView::new(
            view,
            instances.clone(),
            &formulas,
            &mut self.obligations,
        ));
        self.numbers.insert((view, instances), self.instantiated.len() - 1);
        self.instantiated.len() - 1
    }

    /// The formulas of a region of an instantiated view.
    pub fn region(&mut self, view: usize, number: usize) -> Rc<[Term]> {
        let view = &mut self.instantiated[view];
        view.region(self.obligations.terms(), &self.formulas[view.view], number)
    }

    /// All formulas of the regions of an instantiated view.
    pub fn parts(&mut self, view: usize) -> Vec<Term> {
        let regions = 0..self.formulas(view).regions.len();
        let all = regions.map(|number| self.region(view, number));
        let all: BTreeSet<Term> = all.flat_map(|parts| parts.to_vec()).collect();
        all.into_iter().collect()
    }

    /// What all regions of an instantiated view say that are possible at these locations, as far as it is
    /// about shared variables and the locals of this slot.
    pub fn agreed(&mut self, view: usize, slot: usize, at: &[&LocationSet]) -> Vec<Term> {
        let mut regions = self.formulas(view).matching(at).into_iter();
        let Some(first) = regions.next() else { return Vec::new() };
        let mut agreed = self.region(view, first).to_vec();
        let foreign = self.foreign(view, slot);
        agreed.retain(|part| self.obligations.symbols(*part).iter().all(|s| !foreign.contains(s)));
        for number in regions {
            let region = self.region(view, number);
            agreed.retain(|part| region.contains(part));
        }
        agreed
    }

    /// The locals of other slots than this.
    fn foreign(&self, view: usize, slot: usize) -> HashSet<Symbol> {
        let view = &self.instantiated[view];
        let variables = self.formulas[view.view].variables.iter();
        let others = variables.filter(|variable| variable.slot.is_some_and(|other| other != slot));
        let symbol = |variable: &Variable| {
            self.obligations.vocabulary().symbol(owner(&view.instances, *variable), variable.var)
        };
        others.map(symbol).collect()
    }

    /// Does one of the goals follow, wherever the instances are among these locations? (There may
    /// be further positions for goals to speak of.)
    pub fn follows(&mut self, case: &Case, at: &[LocationSet]) -> Result<bool, Reason> {
        self.obligations.check_budget()?;
        if at.iter().any(LocationSet::is_empty) {
            return Ok(true);
        }
        let Some(possible) = self.possible(case.premises, at) else { return Ok(true) };
        let meets = |goal: &&Goal| goal.at.iter().all(|(n, there)| there.meets(&at[*n]));
        let applies = |goal: &&Goal| goal.at.iter().all(|(n, there)| at[*n].within(there));
        let (certain, partial): (Vec<&Goal>, Vec<&Goal>) =
            case.goals.iter().filter(meets).partition(applies);
        let is_known = |goal: &&Goal| goal.holds.iter().all(|part| case.known.contains(part));
        if certain.iter().any(is_known) {
            return Ok(true);
        }
        let worth_asking = !certain.is_empty() || partial.is_empty();
        if worth_asking && self.decide(&case.known, &possible, &certain)? {
            return Ok(true);
        }
        let goal_cuts = partial.iter().flat_map(|goal| goal.at.iter().copied());
        let cut = goal_cuts.chain(self.cuts(&possible)).find(|(n, there)| !at[*n].within(there));
        let Some((number, there)) = cut else { return Ok(false) };
        let (inside, outside) = (at[number].and(there), at[number].without(there));
        for part in [inside, outside] {
            let mut at = at.to_vec();
            at[number] = part;
            if !self.follows(case, &at)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The premises with the regions that are possible at these locations; `None` if one has none.
    fn possible<'s>(
        &self,
        premises: &'s [Premise],
        at: &[LocationSet],
    ) -> Option<Vec<Possible<'s>>> {
        let regions = |premise: &'s Premise| {
            let at: Vec<&LocationSet> = premise.positions.iter().map(|n| &at[*n]).collect();
            let regions = self.formulas(premise.view).matching(&at);
            (!regions.is_empty()).then_some((premise, regions))
        };
        premises.iter().map(regions).collect()
    }

    /// Location sets of which it would help to know whether an instance is in them.
    fn cuts<'s>(
        &'s self,
        possible: &'s [Possible],
    ) -> impl Iterator<Item = (usize, &'s LocationSet)> {
        possible.iter().flat_map(|(premise, regions)| {
            let formulas = self.formulas(premise.view);
            let at = |region: &usize| {
                premise.positions.iter().copied().zip(&formulas.regions[*region].at)
            };
            regions.iter().flat_map(at)
        })
    }

    /// Does one of the goals follow? If there is only one, its parts are asked about one by one:
    /// such questions are small and come up again, while few steps lead to the very same region.
    fn decide(
        &mut self,
        known: &[Term],
        possible: &[Possible],
        goals: &[&Goal],
    ) -> Result<bool, Reason> {
        let known_parts: HashSet<Term> = known.iter().copied().collect();
        let parts = match goals {
            [goal] => goal.holds.iter().copied().filter(|p| !known_parts.contains(p)).collect(),
            _ => {
                let terms = self.obligations.terms();
                let goals = goals.iter().map(|goal| rest(terms, goal, &known_parts));
                let goals: Vec<Term> = goals.collect();
                vec![terms.or(goals)]
            }
        };
        for part in parts {
            if !self.part_follows(known, possible, part)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does it follow from what is known; or, if not, with the premises?
    fn part_follows(
        &mut self,
        known: &[Term],
        possible: &[Possible],
        part: Term,
    ) -> Result<bool, Reason> {
        let fails = self.obligations.terms().not(part);
        let without = self.obligations.impossible(&[known, &[fails]]);
        if possible.is_empty() || without == Ok(true) {
            return without;
        }
        let premises: Vec<Term> =
            possible.iter().map(|possible| self.disjunction(possible)).collect();
        self.obligations.impossible(&[&premises, known, &[fails]])
    }

    /// That one of the regions holds.
    fn disjunction(&mut self, (premise, regions): &Possible) -> Term {
        let key = (premise.view, regions.clone());
        if let Some(known) = self.disjunctions.get(&key) {
            return *known;
        }
        let mut parts = Vec::new();
        for region in regions {
            let holds = self.region(premise.view, *region);
            parts.push(self.obligations.terms().and(holds.iter().copied()));
        }
        let disjunction = self.obligations.terms().or(parts);
        self.disjunctions.insert(key, disjunction);
        disjunction
    }

    fn formulas(&self, view: usize) -> &ViewFormulas {
        &self.formulas[self.instantiated[view].view]
    }
}

/// What must hold for a goal beside what is known.
fn rest(terms: &mut Terms, goal: &Goal, known: &HashSet<Term>) -> Term {
    let mut open: Vec<Term> = Vec::new();
    for part in goal.holds.iter().filter(|part| !known.contains(part)) {
        if known.contains(&terms.not(*part)) {
            return terms.truth(false);
        }
        open.push(*part);
    }
    terms.and(open)
}
