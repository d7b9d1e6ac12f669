//! `ABSTREACHENV`: what can be reached in the views, as far as the predicates tell.
//!
//! A *fact* says where those in view are and which predicates hold there. From
//! facts follow facts: by a step of somebody in view; and by a step of somebody else, of
//! whom other facts tell what he has in common with those in view. Facts that are implied
//! by others are left out. Of each fact we know where it comes from: this is
//! the tree that `refine` looks at when an error seems to be reachable.

use crate::environment::Environment;
use crate::known::Known;
use crate::numbered::Numbered;
use crate::predicates::Predicates;
use crate::setting::{Renaming, Setting};
use crate::symbols::SymbolSet;
use crate::view::{View, Views};
use ccfa::{EdgeId, LocId};
use evidence::Reason;
use logic::{FastMap, Term};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

/// More facts than this are not looked at.
const MOST_FACTS: usize = 60_000;

/// So many bad facts are looked at before the search begins again.
const MOST_BAD: usize = 6;

/// So many facts beyond twice as many are looked at after the first bad one.
const A_FEW: usize = 20;

pub(crate) type FactId = usize;

/// A set of literals: equal ones have one number.
pub(crate) type SetId = usize;

pub(crate) struct Fact {
    pub view: usize,
    /// Where its members are.
    pub at: Vec<LocId>,
    /// The predicates, or their negations, that hold.
    pub literals: Rc<[Term]>,
    /// The number of these literals.
    pub set: SetId,
    pub origin: Origin,
    /// Not implied by another one.
    pub counts: bool,
}

/// Where a fact comes from.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    Initial,
    /// The members of another one of the same view change places.
    Symmetry {
        of: FactId,
        order: Vec<usize>,
    },
    /// A member moves.
    Member {
        of: FactId,
        place: usize,
        edge: EdgeId,
    },
    /// Somebody else moves, who can be seen beside those in view.
    Stranger {
        of: FactId,
        stranger: usize,
        edge: EdgeId,
        beside: Vec<FactId>,
    },
}

pub(crate) struct Facts<'v> {
    pub facts: Vec<Fact>,
    /// What others do, if one is in view.
    pub environment: Option<Environment>,
    pub(crate) views: &'v Views,
    /// The predicates of each view.
    pub(crate) predicates: Vec<Vec<Term>>,
    /// The shared variables that the predicates of each view mention.
    pub(crate) mentioned: Vec<SymbolSet>,
    at: FastMap<(usize, Vec<LocId>), Vec<FactId>>,
    done: Vec<bool>,
    /// Those of each view that were looked at and are no images of others.
    pub(crate) originals: Vec<Vec<FactId>>,
    queue: VecDeque<FactId>,
    pub sets: Numbered<Rc<[Term]>>,
    renamed: FastMap<(SetId, Renaming), SetId>,
    /// What a view notices of a stranger who moves.
    noticed: FastMap<(SetId, usize, usize, EdgeId), SetId>,
    /// Whether two sets can hold together.
    compatible: FastMap<(SetId, SetId), bool>,
    /// Whether an action can be taken where a set holds.
    enabled: FastMap<(SetId, usize, EdgeId), bool>,
}

impl<'v> Facts<'v> {
    pub fn new(
        setting: &mut Setting,
        views: &'v Views,
        predicates: &Predicates,
        environment: Option<Environment>,
    ) -> Facts<'v> {
        let all: Vec<Vec<Term>> =
            views.views.iter().map(|view| predicates.within(setting, view)).collect();
        let mut mentioned = Vec::new();
        for predicates in &all {
            let mut symbols = SymbolSet::default();
            for predicate in predicates {
                symbols.add_all(&setting.symbols(*predicate));
            }
            mentioned.push(symbols);
        }
        Facts {
            facts: Vec::new(),
            environment,
            views,
            predicates: all,
            mentioned,
            at: FastMap::default(),
            done: Vec::new(),
            originals: vec![Vec::new(); views.views.len()],
            queue: VecDeque::new(),
            sets: Numbered::default(),
            renamed: FastMap::default(),
            noticed: FastMap::default(),
            compatible: FastMap::default(),
            enabled: FastMap::default(),
        }
    }

    pub fn set(&mut self, mut literals: Vec<Term>) -> SetId {
        literals.sort();
        literals.dedup();
        self.sets.number(literals.into())
    }

    pub fn renamed_set(&mut self, setting: &mut Setting, set: SetId, renaming: &Renaming) -> SetId {
        if renaming.iter().all(|(from, to)| from == to) {
            return set;
        }
        if let Some(known) = self.renamed.get(&(set, renaming.clone())) {
            return *known;
        }
        let literals = self.sets.get(set).clone();
        let literals = literals.iter().map(|term| setting.renamed(*term, renaming)).collect();
        let result = self.set(literals);
        self.renamed.insert((set, renaming.clone()), result);
        result
    }

    fn is_compatible(&mut self, setting: &mut Setting, a: SetId, b: SetId) -> bool {
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.compatible.get(&key) {
            return *known;
        }
        let all = [&self.sets.get(a)[..], self.sets.get(b)].concat();
        let answer = setting.can_hold(&all);
        self.compatible.insert(key, answer);
        answer
    }

    pub fn is_enabled(
        &mut self,
        setting: &mut Setting,
        set: SetId,
        mover: usize,
        edge: EdgeId,
    ) -> bool {
        if let Some(known) = self.enabled.get(&(set, mover, edge)) {
            return *known;
        }
        let all = [&self.sets.get(set)[..], &setting.action(mover, edge).guards].concat();
        let answer = setting.can_hold(&all);
        self.enabled.insert((set, mover, edge), answer);
        answer
    }

    /// Until nothing new follows, or something bad does: then the search goes on for a while, so
    /// that more than one bad fact can be looked at. If none is found, the facts are an invariant.
    pub fn reach(&mut self, setting: &mut Setting) -> Result<Vec<FactId>, Reason> {
        for view in 0..self.views.views.len() {
            self.start(setting, view);
        }
        let mut bad: Vec<FactId> = Vec::new();
        let mut places = BTreeSet::new();
        let mut last = usize::MAX;
        while let Some(fact) = self.queue.pop_front() {
            if fact > last || bad.len() == MOST_BAD {
                break;
            }
            if !self.facts[fact].counts {
                continue;
            }
            if let Some(place) = self.bad_place(setting, fact) {
                if bad.is_empty() {
                    last = 2 * fact + A_FEW;
                }
                if places.insert(place) {
                    bad.push(fact);
                }
                continue;
            }
            self.done[fact] = true;
            let is_original = !self.is_image(fact);
            if is_original {
                self.originals[self.facts[fact].view].push(fact);
            }
            if self.environment.is_some() {
                self.exchange_changes(setting, fact)?;
            }
            // Others may have done to it whatever makes it a case of something weaker.
            if is_original && self.facts[fact].counts {
                self.move_members(setting, fact)?;
            }
            if self.environment.is_none() {
                self.move_strangers(setting, fact)?;
            }
            if self.facts.len() > MOST_FACTS {
                return Err(Reason::Beyond("too many abstract states".into()));
            }
        }
        Ok(bad)
    }

    /// Are steps of others abstracted to what can be seen of them?
    pub fn abstracts_environment(&self) -> bool {
        self.environment.as_ref().is_some_and(Environment::is_abstract)
    }

    /// Does it say of others what another one says? Whatever follows from it follows, up to names,
    /// from that one.
    fn is_image(&self, fact: FactId) -> bool {
        matches!(self.facts[fact].origin, Origin::Symmetry { .. })
    }

    /// Who is at an error or a gap, and at which.
    fn bad_place(&self, setting: &Setting, fact: FactId) -> Option<(usize, LocId)> {
        let members = &self.views.views[self.facts[fact].view].members;
        let places = self.places(fact).into_iter().zip(members);
        let mut bad = places.filter(|((_, at), member)| setting.is_bad(**member, *at));
        bad.next().map(|(place, _)| place)
    }

    fn start(&mut self, setting: &mut Setting, view: usize) {
        let members = self.views.views[view].members.clone();
        let (values, premises) = setting.initial(&members);
        let Some(known) = Known::new(setting, &premises) else { return };
        let mut literals = Vec::new();
        for predicate in self.predicates[view].clone() {
            let now =
                setting.terms.substitute(predicate, &mut |_, symbol| values.get(&symbol).copied());
            literals.extend(known.literal(setting, predicate, now));
        }
        let at = members.iter().map(|member| setting.system.template(*member).entry).collect();
        self.add(setting, view, at, literals, Origin::Initial);
    }

    /// Steps of those in view.
    fn move_members(&mut self, setting: &mut Setting, fact: FactId) -> Result<(), Reason> {
        let view = self.facts[fact].view;
        let members = self.views.views[view].members.clone();
        for (place, member) in members.iter().enumerate() {
            if !self.may_move(setting, fact, Some(place)) {
                continue;
            }
            let at = self.facts[fact].at[place];
            for edge in setting.leaving(*member, at).to_vec() {
                setting.pause()?;
                let premises = self.facts[fact].literals.to_vec();
                if let Some(literals) = self.after_step(setting, fact, premises, *member, edge) {
                    let mut after = self.facts[fact].at.clone();
                    after[place] = setting.action(*member, edge).target;
                    let origin = Origin::Member { of: fact, place, edge };
                    self.add(setting, view, after, literals, origin);
                }
            }
        }
        Ok(())
    }

    /// Does nobody in view (but for `mover`) keep the others from moving?
    pub(crate) fn may_move(&self, setting: &Setting, fact: FactId, mover: Option<usize>) -> bool {
        let Fact { view, at, .. } = &self.facts[fact];
        let members = &self.views.views[*view].members;
        let holds_up =
            |place: usize| Some(place) != mover && setting.is_atomic(members[place], at[place]);
        !(0..at.len()).any(holds_up)
    }

    /// Steps of others, in which a new fact tells of those in view or of the one who moves.
    fn move_strangers(&mut self, setting: &mut Setting, fact: FactId) -> Result<(), Reason> {
        let views = self.views;
        let own = &views.views[self.facts[fact].view];
        for role in 0..setting.roles.len() {
            let Some(stranger) = own.stranger(setting, role) else { continue };
            if self.is_image(fact) {
                break;
            }
            for edge in 0..setting.system.template(stranger).edges.len() {
                let edge = EdgeId(edge as u32);
                if self.is_noticed(setting, self.facts[fact].view, stranger, edge) {
                    self.disturb(setting, fact, stranger, edge, None)?;
                }
            }
        }
        // The fact tells of somebody (the member at `place`) who disturbs others.
        for place in 0..own.members.len() {
            let mut others = self.places(fact);
            let (role, at) = others.remove(place);
            let edges = setting.leaving(own.members[place], at).to_vec();
            for (disturbed, view) in views.views.iter().enumerate() {
                let Some(stranger) = view.stranger(setting, role) else { continue };
                let noticed = |edge: &EdgeId| self.is_noticed(setting, disturbed, stranger, *edge);
                let edges: Vec<EdgeId> = edges.iter().copied().filter(noticed).collect();
                if edges.is_empty() {
                    continue;
                }
                let shows_them = |of: &FactId| {
                    self.facts[*of].counts && *of != fact && contains(self.places(*of), &others)
                };
                let known: Vec<FactId> =
                    self.originals[disturbed].iter().copied().filter(shows_them).collect();
                for of in known {
                    for edge in &edges {
                        self.disturb(setting, of, stranger, *edge, Some(fact))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Which roles are where.
    fn places(&self, fact: FactId) -> Vec<(usize, LocId)> {
        let Fact { view, at, .. } = &self.facts[fact];
        self.views.views[*view].roles.iter().copied().zip(at.iter().copied()).collect()
    }

    /// Does the step change a variable that the view has predicates about?
    pub(crate) fn is_noticed(
        &self,
        setting: &Setting,
        view: usize,
        stranger: usize,
        edge: EdgeId,
    ) -> bool {
        let action = setting.action(stranger, edge);
        action.writes_shared
            && action.assigns.keys().any(|symbol| self.mentioned[view].contains(*symbol))
    }

    /// A stranger's step, as those of a fact see it; if `with` is given, it must be among
    /// the facts that tell of the stranger.
    fn disturb(
        &mut self,
        setting: &mut Setting,
        of: FactId,
        stranger: usize,
        edge: EdgeId,
        with: Option<FactId>,
    ) -> Result<(), Reason> {
        setting.pause()?;
        if !self.may_move(setting, of, None) {
            return Ok(());
        }
        let views = self.views;
        let number = self.facts[of].view;
        let view = &views.views[number];
        let source = setting.action(stranger, edge).source;
        let mut choices: Vec<Vec<(FactId, SetId)>> = Vec::new();
        let own = self.facts[of].set;
        for left_out in 0..view.members.len() {
            let mut members = view.members.clone();
            members.remove(left_out);
            members.push(stranger);
            let (beside, members) = views.find(setting, &members);
            let place = |member: &usize| view.members.iter().position(|other| other == member);
            let at: Vec<LocId> = members
                .iter()
                .map(|member| place(member).map_or(source, |place| self.facts[of].at[place]))
                .collect();
            let mut found: Vec<(FactId, SetId)> = Vec::new();
            let renaming = views.views[beside].renaming(&members);
            for fact in self.at.get(&(beside, at)).cloned().unwrap_or_default() {
                let usable = self.done[fact] && self.facts[fact].counts;
                if usable && self.may_move_beside(setting, fact, &members, stranger) {
                    let set = self.renamed_set(setting, self.facts[fact].set, &renaming);
                    let set = self.noticed_of(setting, set, number, stranger, edge);
                    if found.iter().all(|(_, other)| *other != set)
                        && self.is_enabled(setting, set, stranger, edge)
                        && self.is_compatible(setting, own, set)
                    {
                        found.push((fact, set));
                    }
                }
            }
            choices.push(found);
        }
        let mut chosen = vec![Vec::new()];
        for choice in &choices {
            let mut longer = Vec::new();
            for known in chosen {
                for (fact, set) in choice {
                    let fits =
                        |(_, other): &(FactId, SetId)| self.is_compatible(setting, *other, *set);
                    if known.iter().all(fits) {
                        let mut known = known.clone();
                        known.push((*fact, *set));
                        longer.push(known);
                    }
                }
            }
            chosen = longer;
        }
        for chosen in chosen {
            if with.is_some_and(|with| !chosen.iter().any(|(fact, _)| *fact == with)) {
                continue;
            }
            let mut premises = self.sets.get(own).to_vec();
            premises.extend(chosen.iter().flat_map(|(_, set)| self.sets.get(*set).iter().copied()));
            premises.sort();
            premises.dedup();
            let view = self.facts[of].view;
            if let Some(literals) = self.after_step(setting, of, premises, stranger, edge) {
                let at = self.facts[of].at.clone();
                let beside = chosen.iter().map(|(fact, _)| *fact).collect();
                let origin = Origin::Stranger { of, stranger, edge, beside };
                self.add(setting, view, at, literals, origin);
            }
        }
        Ok(())
    }

    /// What is known of a stranger, without what has nothing to do with his step nor with what the
    /// view has predicates about: so there are fewer strangers to tell apart.
    pub fn noticed_of(
        &mut self,
        setting: &mut Setting,
        set: SetId,
        view: usize,
        stranger: usize,
        edge: EdgeId,
    ) -> SetId {
        let key = (set, view, stranger, edge);
        if let Some(known) = self.noticed.get(&key) {
            return *known;
        }
        let action = setting.action(stranger, edge);
        let about: Vec<Term> =
            action.guards.iter().chain(action.assigns.values()).copied().collect();
        let literals = self.sets.get(set).clone();
        let touched = setting.touched(&literals, &about, &self.mentioned[view]);
        let mut kept = Vec::new();
        for literal in literals.iter() {
            if !setting.symbols(*literal).is_disjoint(&touched) {
                kept.push(*literal);
            }
        }
        let result = self.set(kept);
        self.noticed.insert(key, result);
        result
    }

    fn may_move_beside(
        &self,
        setting: &Setting,
        fact: FactId,
        members: &[usize],
        stranger: usize,
    ) -> bool {
        self.may_move(setting, fact, members.iter().position(|member| *member == stranger))
    }

    /// The predicates that hold of those of a fact after a step that is taken where the
    /// premises hold, among them what the fact says; nothing if it cannot be taken there.
    pub fn after_step(
        &self,
        setting: &mut Setting,
        fact: FactId,
        mut premises: Vec<Term>,
        mover: usize,
        edge: EdgeId,
    ) -> Option<Vec<Term>> {
        premises.extend(&setting.action(mover, edge).guards);
        self.post(setting, fact, &premises, &mut |setting, predicate| {
            setting.before(mover, edge, predicate)
        })
    }

    /// The predicates that hold of those of a fact afterwards, where `before` tells what
    /// they are about the state before; nothing if what is known of that state cannot hold.
    pub(crate) fn post(
        &self,
        setting: &mut Setting,
        fact: FactId,
        known: &[Term],
        before: &mut dyn FnMut(&mut Setting, Term) -> Term,
    ) -> Option<Vec<Term>> {
        let sure = Known::new(setting, known)?;
        let Fact { view, literals: own, .. } = &self.facts[fact];
        let is_own = |term: &&Term| own.binary_search(term).is_ok();
        let news: Vec<Term> = known.iter().filter(|term| !is_own(term)).copied().collect();
        let touched = setting.touched(known, &news, &SymbolSet::default());
        let mut literals = Vec::new();
        for predicate in &self.predicates[*view] {
            let before = before(setting, *predicate);
            // What was not known, is not changed, and has nothing to do with what is new:
            // it is not known now.
            let is_news = before != *predicate
                || is_own(&predicate)
                || is_own(&&setting.terms.not(*predicate))
                || !setting.symbols(*predicate).is_disjoint(&touched);
            if is_news {
                literals.extend(sure.literal(setting, *predicate, before));
            }
        }
        Some(literals)
    }

    /// Adds a fact and its symmetric ones, unless they are known.
    pub(crate) fn add(
        &mut self,
        setting: &mut Setting,
        view: usize,
        at: Vec<LocId>,
        literals: Vec<Term>,
        origin: Origin,
    ) {
        let set = self.set(literals);
        self.add_set(setting, view, at, set, origin);
    }

    /// The same for a set that has a number.
    pub fn add_set(
        &mut self,
        setting: &mut Setting,
        view: usize,
        at: Vec<LocId>,
        set: SetId,
        origin: Origin,
    ) {
        let Some(fact) = self.add_one(view, at, set, origin) else { return };
        let shown: &View = &self.views.views[view];
        for order in shown.symmetries() {
            let members: Vec<usize> = order.iter().map(|place| shown.members[*place]).collect();
            let renaming = shown.renaming(&members);
            let set = self.renamed_set(setting, self.facts[fact].set, &renaming);
            let mut at = self.facts[fact].at.clone();
            for (place, other) in order.iter().enumerate() {
                at[*other] = self.facts[fact].at[place];
            }
            self.add_one(view, at, set, Origin::Symmetry { of: fact, order });
        }
    }

    fn add_one(
        &mut self,
        view: usize,
        at: Vec<LocId>,
        set: SetId,
        origin: Origin,
    ) -> Option<FactId> {
        let literals = self.sets.get(set).clone();
        let here = self.at.entry((view, at.clone())).or_default();
        let facts = &mut self.facts;
        let weaker = |fact: &FactId| is_subset(&facts[*fact].literals, &literals);
        if here.iter().any(weaker) {
            return None;
        }
        here.retain(|fact| {
            let implied = is_subset(&literals, &facts[*fact].literals);
            facts[*fact].counts &= !implied;
            !implied
        });
        let fact = facts.len();
        let disturbed = matches!(origin, Origin::Stranger { .. });
        here.push(fact);
        facts.push(Fact { view, at, literals, set, origin, counts: true });
        self.done.push(false);
        match self.abstracts_environment() && disturbed {
            true => self.queue.push_front(fact),
            false => self.queue.push_back(fact),
        }
        Some(fact)
    }
}

/// Are all of `some` among `all`, each as often?
fn contains<T: PartialEq>(mut all: Vec<T>, some: &[T]) -> bool {
    some.iter().all(|item| match all.iter().position(|other| other == item) {
        Some(place) => {
            all.swap_remove(place);
            true
        }
        None => false,
    })
}

/// Both are sorted.
pub(crate) fn is_subset(small: &[Term], large: &[Term]) -> bool {
    small.iter().all(|term| large.binary_search(term).is_ok())
}
