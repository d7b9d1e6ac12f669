//! Deciding one case: some instances at some locations, and what must follow there.
//!
//! A case is decided for many locations at once where that is possible. Of what views say, only
//! regions that are possible at some of the locations count, and of what must follow, only
//! what applies at all of them: so the premises may be too weak and the conclusion too
//! strong, never the other way round. If that is not enough, the locations are divided and
//! each part is decided. Where each instance is at one location, nothing is lost.

use super::places::Places;
use super::scene::{Scene, Statement, Variable};
use crate::obligations::Obligations;
use evidence::Reason;
use logic::{Symbol, Term, Terms};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// Something that must follow.
pub(super) struct Case<'c> {
    /// What holds.
    pub known: Vec<Term>,
    /// What views say about those in sight, beside that.
    pub sayings: &'c [Saying],
    /// One of these must follow.
    pub goals: Vec<Goal<'c>>,
}

/// Something that may follow.
pub(super) struct Goal<'c> {
    /// Those with these numbers are at these places,
    pub at: Vec<(usize, &'c Places)>,
    /// and all of these hold.
    pub holds: Vec<Term>,
}

/// What a view says about some of those in sight.
#[derive(Clone, Debug)]
pub(super) struct Saying {
    /// Which scene.
    pub scene: usize,
    /// Who plays each slot: its number among those in sight.
    pub players: Vec<usize>,
}

/// A saying and the regions of it that are possible.
type Possible<'s> = (&'s Saying, Vec<usize>);

/// All that views say, and who decides.
pub(super) struct Script<'a> {
    pub obligations: Obligations<'a>,
    /// By view.
    pub statements: Vec<Rc<Statement>>,
    /// By number.
    pub scenes: Vec<Scene>,
    /// Scenes by view and actors.
    numbers: HashMap<(usize, Rc<[usize]>), usize>,
    /// That one of these regions of a scene holds.
    disjunctions: HashMap<(usize, Vec<usize>), Term>,
}

impl<'a> Script<'a> {
    pub fn new(obligations: Obligations<'a>, statements: Vec<Rc<Statement>>) -> Script<'a> {
        let (scenes, numbers, disjunctions) = Default::default();
        Script { obligations, statements, scenes, numbers, disjunctions }
    }

    /// The number of the scene with these actors.
    pub fn scene(&mut self, view: usize, actors: &[usize]) -> usize {
        let actors: Rc<[usize]> = actors.into();
        if let Some(number) = self.numbers.get(&(view, actors.clone())) {
            return *number;
        }
        let statement = self.statements[view].clone();
        self.scenes.push(Scene::new(view, actors.clone(), &statement, &mut self.obligations));
        self.numbers.insert((view, actors), self.scenes.len() - 1);
        self.scenes.len() - 1
    }

    /// What a region says in a scene.
    pub fn region(&mut self, scene: usize, number: usize) -> Rc<[Term]> {
        let scene = &mut self.scenes[scene];
        scene.region(self.obligations.terms(), &self.statements[scene.view], number)
    }

    /// All formulas of the regions of a scene.
    pub fn parts(&mut self, scene: usize) -> Vec<Term> {
        let regions = 0..self.statement(scene).regions.len();
        let all = regions.map(|number| self.region(scene, number));
        let all: BTreeSet<Term> = all.flat_map(|parts| parts.to_vec()).collect();
        all.into_iter().collect()
    }

    /// What all regions of a scene say that are possible at these places, as far as it is about shared
    /// variables and those of this slot.
    pub fn agreed(&mut self, scene: usize, slot: usize, places: &[&Places]) -> Vec<Term> {
        let mut regions = self.statement(scene).matching(places).into_iter();
        let Some(first) = regions.next() else { return Vec::new() };
        let mut agreed = self.region(scene, first).to_vec();
        let foreign = self.foreign(scene, slot);
        agreed.retain(|part| self.obligations.symbols(*part).iter().all(|s| !foreign.contains(s)));
        for number in regions {
            let region = self.region(scene, number);
            agreed.retain(|part| region.contains(part));
        }
        agreed
    }

    /// The locals of other slots than this.
    fn foreign(&self, scene: usize, slot: usize) -> HashSet<Symbol> {
        let scene = &self.scenes[scene];
        let variables = self.statements[scene.view].variables.iter();
        let others = variables.filter(|variable| variable.slot.is_some_and(|other| other != slot));
        let symbol = |variable: &Variable| {
            self.obligations.vocabulary().symbol(scene.owner(*variable), variable.var)
        };
        others.map(symbol).collect()
    }

    /// Does one of the goals follow, wherever those in sight are among their places? (There may
    /// be further places for goals to speak of.)
    pub fn follows(&mut self, case: &Case, places: &[Places]) -> Result<bool, Reason> {
        self.obligations.go_on()?;
        if places.iter().any(Places::is_empty) {
            return Ok(true);
        }
        let Some(possible) = self.possible(case.sayings, places) else { return Ok(true) };
        let meets = |goal: &&Goal| goal.at.iter().all(|(n, at)| at.meets(&places[*n]));
        let applies = |goal: &&Goal| goal.at.iter().all(|(n, at)| places[*n].within(at));
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
        let cut = goal_cuts.chain(self.cuts(&possible)).find(|(n, at)| !places[*n].within(at));
        let Some((number, at)) = cut else { return Ok(false) };
        let (inside, outside) = (places[number].and(at), places[number].without(at));
        for part in [inside, outside] {
            let mut places = places.to_vec();
            places[number] = part;
            if !self.follows(case, &places)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What views say at these places; `None` if that cannot be.
    fn possible<'s>(&self, sayings: &'s [Saying], places: &[Places]) -> Option<Vec<Possible<'s>>> {
        let regions = |saying: &'s Saying| {
            let places: Vec<&Places> = saying.players.iter().map(|n| &places[*n]).collect();
            let regions = self.statement(saying.scene).matching(&places);
            (!regions.is_empty()).then_some((saying, regions))
        };
        sayings.iter().map(regions).collect()
    }

    /// Where it would help to know whether someone is there.
    fn cuts<'s>(&'s self, possible: &'s [Possible]) -> impl Iterator<Item = (usize, &'s Places)> {
        possible.iter().flat_map(|(saying, regions)| {
            let statement = self.statement(saying.scene);
            let places =
                |region: &usize| saying.players.iter().copied().zip(&statement.regions[*region].at);
            regions.iter().flat_map(places)
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

    /// Does it follow from what is known; or, if not, with what views say?
    fn part_follows(
        &mut self,
        known: &[Term],
        possible: &[Possible],
        part: Term,
    ) -> Result<bool, Reason> {
        let fails = self.obligations.terms().not(part);
        let alone = self.obligations.impossible(&[known, &[fails]]);
        if possible.is_empty() || alone == Ok(true) {
            return alone;
        }
        let said: Vec<Term> = possible.iter().map(|possible| self.disjunction(possible)).collect();
        self.obligations.impossible(&[&said, known, &[fails]])
    }

    /// That one of the regions holds.
    fn disjunction(&mut self, (saying, regions): &Possible) -> Term {
        let key = (saying.scene, regions.clone());
        if let Some(known) = self.disjunctions.get(&key) {
            return *known;
        }
        let mut parts = Vec::new();
        for region in regions {
            let holds = self.region(saying.scene, *region);
            parts.push(self.obligations.terms().and(holds.iter().copied()));
        }
        let disjunction = self.obligations.terms().or(parts);
        self.disjunctions.insert(key, disjunction);
        disjunction
    }

    fn statement(&self, scene: usize) -> &Statement {
        &self.statements[self.scenes[scene].view]
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
