//! What a view of several threads says beyond what holds of each of them: where the others are not
//! while one is somewhere, and what then holds of all of them.

use super::formula::{Case, Formula};
use super::places::{Places, ProofPlace, list};
use super::scope::Scope;
use super::table::{Row, section};
use super::threads::locations;
use ccfa::Program;
use evidence::{Region, View};
use std::collections::{BTreeMap, BTreeSet};

/// So many rows are shown of a view: most views say the same of each thread.
const MAX_ROWS: usize = 8;

/// A view in words, from the side of its owner.
pub fn tell(program: &Program, view: &View, always: &Case) -> String {
    let told = Together::new(program, view);
    let names: Vec<String> = (0..view.slots.len()).map(|n| view.slot_name(program, n)).collect();
    let heading = format!("{} together, by where {} is:", names.join(" and "), names[0]);
    section(&heading, &told.rows(always), MAX_ROWS).replacen("  ", "", 1)
}

/// Where the slots are, all of them.
type Position = Vec<ProofPlace>;

struct Together<'a> {
    program: &'a Program,
    view: &'a View,
    scope: Scope<'a>,
    /// For each position, what may hold. The owner is about to begin with a line.
    cases: BTreeMap<Position, Vec<Case>>,
    /// For each slot, its places.
    places: Vec<Vec<ProofPlace>>,
}

impl<'a> Together<'a> {
    fn new(program: &'a Program, view: &'a View) -> Together<'a> {
        let scope = Scope::of_view(program, view);
        let of_slot =
            |slot: &evidence::Slot| Places::new(program, program.template_of(slot.thread));
        let places: Vec<Places> = view.slots.iter().map(of_slot).collect();
        let mut cases: BTreeMap<Position, Vec<Case>> = BTreeMap::new();
        for region in &view.regions {
            let here = Case::of(&scope, &region.holds);
            for position in positions(program, view, &places, region) {
                cases.entry(position).or_default().extend(here.iter().cloned());
            }
        }
        let of_slot = |slot: usize| {
            let places: BTreeSet<ProofPlace> = cases.keys().map(|at| at[slot].clone()).collect();
            places.into_iter().collect()
        };
        let places = (0..view.slots.len()).map(of_slot).collect();
        Together { program, view, scope, cases, places }
    }

    /// A row for each statement, with all places of the owner where it is made: first where the
    /// others are not.
    fn rows(&self, always: &Case) -> Vec<Row> {
        let absent =
            |place: &ProofPlace| self.absent(place).into_iter().map(|text| (text, 0)).collect();
        let mut rows = self.by_statement(&absent);
        rows.extend(self.by_statement(&|place| self.shared_facts(place, always)));
        rows
    }

    fn by_statement(&self, told: &dyn Fn(&ProofPlace) -> Vec<(String, usize)>) -> Vec<Row> {
        let mut by_text: Vec<(String, usize, Vec<ProofPlace>)> = Vec::new();
        for place in &self.places[0] {
            for (text, cases) in told(place) {
                match by_text.iter_mut().find(|(other, ..)| *other == text) {
                    Some((.., places)) => places.push(place.clone()),
                    None => by_text.push((text, cases, vec![place.clone()])),
                }
            }
        }
        let row = |(text, cases, places): (String, usize, Vec<ProofPlace>)| {
            Row::new(list(self.program, &places, &self.places[0]), text).with_cases(cases)
        };
        by_text.into_iter().map(row).collect()
    }

    /// Where the other is not, in a view of two.
    fn absent(&self, place: &ProofPlace) -> Option<String> {
        let [_, others] = &self.places[..] else { return None };
        let never =
            |other: &&ProofPlace| !self.cases.contains_key(&vec![place.clone(), (*other).clone()]);
        let absent: Vec<ProofPlace> = others.iter().filter(never).cloned().collect();
        let where_not = list(self.program, &absent, others);
        (!absent.is_empty())
            .then(|| format!("{} is not at {where_not}", self.view.slot_name(self.program, 1)))
    }

    /// What holds of all while the owner is here, by where the others are.
    fn shared_facts(&self, place: &ProofPlace, always: &Case) -> Vec<(String, usize)> {
        let mut by_text: Vec<(String, usize, Vec<&Position>)> = Vec::new();
        for (position, cases) in self.cases.iter().filter(|(position, _)| position[0] == *place) {
            let formula = Formula::any_of(cases.clone());
            let known = (0..position.len()).map(|slot| self.known(slot, &position[slot]));
            let formula = known.fold(formula.without(always), |rest, known| rest.without(&known));
            let text = formula.text(&self.scope);
            match by_text.iter_mut().find(|(other, ..)| *other == text) {
                _ if text.is_empty() => {}
                Some((.., positions)) => positions.push(position),
                None => by_text.push((text, formula.left_out, vec![position])),
            }
        }
        let told = |(text, cases, positions): (String, usize, Vec<&Position>)| {
            (format!("{}:  {text}", self.while_at(&positions)), cases)
        };
        by_text.into_iter().map(told).collect()
    }

    /// What holds whenever one slot is at a place: it is told elsewhere.
    fn known(&self, slot: usize, place: &ProofPlace) -> Case {
        let there = self.cases.iter().filter(|(position, _)| position[slot] == *place);
        Formula::any_of(there.flat_map(|(_, cases)| cases.clone()).collect()).common
    }

    /// "while b is at line 3 and c is at line 5"
    fn while_at(&self, positions: &[&Position]) -> String {
        let of_slot = |slot: usize| {
            let places: BTreeSet<ProofPlace> =
                positions.iter().map(|at| at[slot].clone()).collect();
            let places: Vec<ProofPlace> = places.into_iter().collect();
            let name = self.view.slot_name(self.program, slot);
            format!("{name} is at {}", list(self.program, &places, &self.places[slot]))
        };
        let others: Vec<String> = (1..self.view.slots.len()).map(of_slot).collect();
        format!("while {}", others.join(" and "))
    }
}

/// The positions that a region speaks of; the owner's only where a line begins.
fn positions(
    program: &Program,
    view: &View,
    places: &[Places],
    region: &Region,
) -> BTreeSet<Position> {
    let mut positions = BTreeSet::from([Vec::new()]);
    for (slot, at) in region.at.iter().enumerate() {
        let there = locations(program, view.slots[slot], at);
        let told = there.into_iter().filter(|location| slot > 0 || places[slot].begins(*location));
        let here: BTreeSet<&ProofPlace> = told.map(|location| places[slot].of(location)).collect();
        let extended = |position: Position| {
            let longer = |place: &&ProofPlace| [&position[..], &[(*place).clone()]].concat();
            here.iter().map(longer).collect::<Vec<_>>()
        };
        positions = positions.into_iter().flat_map(extended).collect();
    }
    positions
}
