//! The program as formulas: who can be in view, and what each of them does.
//!
//! A view shows *roles*: a particular instance, or any instance of a thread that runs
//! in any number. Formulas need symbols for whoever plays a role, so each role
//! has *players*: the instance itself, or as many instances as can be in sight at once.
//! Those of one role differ in nothing but their name; [`Setting::renamed`] exchanges them.

use crate::known::Memory;
use crate::symbols::SymbolSet;
use ccfa::semantics::System;
use ccfa::{Arg, Count, EdgeId, Init, LocId, LocKind, Place, Program, SharedId, ThreadId, VarRef};
use engine::Budget;
use evidence::{Reason, Slot};
use logic::{FastMap, Symbol, Term, Terms, Vocabulary};
use solve::{Decider, Interrupt};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

/// Longer arrays are not looked at element by element.
pub(crate) const MOST_ELEMENTS: u32 = 64;

/// The largest index that an instance can have.
const LAST_INDEX: i128 = u32::MAX as i128;

/// Which player takes the place of which.
pub(crate) type Renaming = Vec<(usize, usize)>;

pub(crate) struct Setting<'p> {
    pub system: System<'p>,
    pub terms: Terms,
    pub vocabulary: Vocabulary,
    pub decider: Decider,
    pub roles: Vec<Slot>,
    /// The players of each role, as instances of the system.
    pub players: Vec<Vec<usize>>,
    /// Whose variable a symbol is; shared ones are not here.
    owners: HashMap<Symbol, (usize, VarRef)>,
    /// For each shared variable, the symbol of its value after a step of somebody else.
    pub after: BTreeMap<Symbol, Symbol>,
    /// The shared variables that nobody assigns, and what they hold.
    pub constants: Vec<(Symbol, Term)>,
    /// By instance and edge.
    actions: Vec<Vec<Action>>,
    /// By instance and location.
    leaving: Vec<Vec<Vec<EdgeId>>>,
    renamings: FastMap<Renaming, FastMap<Term, Term>>,
    changed: FastMap<BTreeSet<Symbol>, FastMap<Term, Term>>,
    symbols: FastMap<Term, Rc<SymbolSet>>,
    /// What was asked about formulas.
    pub memory: Memory,
    budget: Budget,
}

/// An edge of an instance.
pub(crate) struct Action {
    pub source: LocId,
    pub target: LocId,
    /// It can be taken if all of these hold.
    pub guards: Vec<Term>,
    pub assigns: BTreeMap<Symbol, Term>,
    /// The arbitrary values it takes.
    pub inputs: Vec<Symbol>,
    /// Does it assign a shared variable?
    pub writes_shared: bool,
    /// Terms about the state after it as terms about the state before it.
    before: FastMap<Term, Term>,
}

impl<'p> Setting<'p> {
    /// With `players` for each role of which there may be any number.
    pub fn new(program: &'p Program, players: u32, budget: &Budget) -> Setting<'p> {
        let system = System::new(program, players);
        let mut terms = Terms::new();
        let vocabulary = Vocabulary::new(&mut terms, &system);
        let (roles, players) = cast(&system);
        let constants = constants(&mut terms, &vocabulary, &system);
        let after = after(&mut terms, &vocabulary, program);
        let mut owners = HashMap::new();
        let (mut actions, mut leaving) = (Vec::new(), Vec::new());
        for instance in 0..system.instances.len() {
            let template = system.template(instance);
            for local in 0..template.locals.len() {
                let var = VarRef::Local(ccfa::LocalId(local as u32));
                owners.insert(vocabulary.symbol(instance, var), (instance, var));
            }
            let action = |edge| {
                let mut action = Action::new(&mut terms, &vocabulary, instance, edge);
                action.replace(&mut terms, &constants);
                action
            };
            actions.push(template.edges.iter().map(action).collect());
            leaving.push(template.edges_from());
        }
        let mut decider = Decider::new();
        let watched = budget.clone();
        decider.interrupt_when(Arc::new(move || watched.exhausted().is_some()));
        Setting {
            system,
            terms,
            vocabulary,
            decider,
            roles,
            players,
            owners,
            after,
            constants,
            actions,
            leaving,
            renamings: FastMap::default(),
            changed: FastMap::default(),
            symbols: FastMap::default(),
            memory: Memory::default(),
            budget: budget.clone(),
        }
    }

    /// The reason to stop, if there is one.
    pub fn pause(&self) -> Result<(), Reason> {
        self.budget.exhausted().map_or(Ok(()), Err)
    }

    /// May there be several of this role?
    pub fn is_many(&self, role: usize) -> bool {
        self.roles[role].index.is_none()
    }

    /// Whose variable a symbol is, if it is not shared.
    pub fn owner(&self, symbol: Symbol) -> Option<usize> {
        self.owners.get(&symbol).map(|(instance, _)| *instance)
    }

    pub fn action(&self, instance: usize, edge: EdgeId) -> &Action {
        &self.actions[instance][edge.index()]
    }

    /// The edges that leave a location.
    pub fn leaving(&self, instance: usize, at: LocId) -> &[EdgeId] {
        &self.leaving[instance][at.index()]
    }

    pub fn is_atomic(&self, instance: usize, at: LocId) -> bool {
        self.system.template(instance).locations[at.index()].atomic
    }

    /// Is an error or a gap there?
    pub fn is_bad(&self, instance: usize, at: LocId) -> bool {
        self.system.template(instance).locations[at.index()].kind != LocKind::Plain
    }

    /// A term about the state after an action as a term about the state before it.
    pub fn before(&mut self, instance: usize, edge: EdgeId, term: Term) -> Term {
        let Action { assigns, before, .. } = &mut self.actions[instance][edge.index()];
        let mut assigned = |_: &mut Terms, symbol| assigns.get(&symbol).copied();
        self.terms.substitute_memo(term, &mut assigned, before)
    }

    /// A term about the state after somebody else has written these variables.
    pub fn changed(&mut self, writes: &BTreeSet<Symbol>, term: Term) -> Term {
        if !self.changed.contains_key(writes) {
            self.changed.insert(writes.clone(), FastMap::default());
        }
        let done = self.changed.get_mut(writes).expect("it should have been inserted");
        let after = &self.after;
        let mut new = |terms: &mut Terms, symbol| {
            writes.contains(&symbol).then(|| terms.symbol(after[&symbol]))
        };
        self.terms.substitute_memo(term, &mut new, done)
    }

    /// Does it speak of shared variables alone?
    pub fn is_shared(&mut self, term: Term) -> bool {
        self.symbols(term).iter().all(|symbol| self.vocabulary.is_shared(symbol))
    }

    /// The term with other players.
    pub fn renamed(&mut self, term: Term, renaming: &Renaming) -> Term {
        if renaming.iter().all(|(from, to)| from == to) {
            return term;
        }
        let done = self.renamings.entry(renaming.clone()).or_default();
        let (owners, vocabulary) = (&self.owners, &self.vocabulary);
        let mut other = |terms: &mut Terms, symbol| {
            let (instance, var) = owners.get(&symbol)?;
            let (_, to) = renaming.iter().find(|(from, _)| from == instance)?;
            Some(terms.symbol(vocabulary.symbol(*to, *var)))
        };
        self.terms.substitute_memo(term, &mut other, done)
    }

    /// The variable of another player.
    pub fn renamed_symbol(&self, symbol: Symbol, renaming: &Renaming) -> Symbol {
        let Some((instance, var)) = self.owners.get(&symbol) else { return symbol };
        match renaming.iter().find(|(from, _)| from == instance) {
            Some((_, to)) => self.vocabulary.symbol(*to, *var),
            None => symbol,
        }
    }

    pub fn symbols(&mut self, term: Term) -> Rc<SymbolSet> {
        let terms = &self.terms;
        let new = || Rc::new(terms.symbols_of(term).into_iter().collect());
        self.symbols.entry(term).or_insert_with(new).clone()
    }

    /// The values of a symbol's cells in the last model.
    pub fn model(&mut self, symbol: Symbol) -> Vec<i128> {
        self.decider.cells(&mut self.terms, symbol)
    }

    /// Some symbols and those of some formulas, of those among all that share one with them, and so on.
    pub fn touched(&mut self, all: &[Term], some: &[Term], symbols: &SymbolSet) -> SymbolSet {
        let mut reached = symbols.clone();
        for formula in some {
            reached.add_all(&self.symbols(*formula));
        }
        let mut others: Vec<Rc<SymbolSet>> = all.iter().map(|term| self.symbols(*term)).collect();
        loop {
            let before = others.len();
            others.retain(|symbols| {
                let is_far = symbols.is_disjoint(&reached);
                if !is_far {
                    reached.add_all(symbols);
                }
                is_far
            });
            if others.len() == before {
                return reached;
            }
        }
    }

    /// The variables of an instance, and those that all see, at the start: their values, and what
    /// holds beside that. Of instances in any number we know where their numbers begin and which differ. Where
    /// numbers end is not said: that two differ would then be found in terms of ranges, with many predicates.
    pub fn initial(&mut self, members: &[usize]) -> (HashMap<Symbol, Term>, Vec<Term>) {
        let (values, condition) = self.vocabulary.initial(&mut self.terms, &self.system);
        let symbols = self.vocabulary.symbols.clone();
        let mut start: HashMap<Symbol, Term> = symbols.into_iter().zip(values).collect();
        let mut holds = Vec::new();
        let mut numbers: Vec<Number> = Vec::new();
        for member in members {
            let thread = self.system.instances[*member].thread;
            let declared = &self.system.program.threads[thread.index()];
            if declared.count != Count::Any {
                continue;
            }
            for (local, var) in self.system.template(*member).locals.iter().enumerate() {
                let Init::Param(number) = var.init else { continue };
                let Arg::Index(base) = declared.args[number as usize] else { continue };
                let var_ref = VarRef::Local(ccfa::LocalId(local as u32));
                let symbol = self.vocabulary.symbol(*member, var_ref);
                let value = self.terms.symbol(symbol);
                start.insert(symbol, value);
                let number = Number { thread, var: var_ref, base, value };
                let others =
                    numbers.iter().filter(|other| other.differs_from(&self.terms, &number));
                let others: Vec<Term> = others.map(|other| other.value).collect();
                holds.extend(others.into_iter().map(|other| self.terms.ne(other, value)));
                let first = self.terms.constant(base, var.ty);
                let in_range = self.terms.le(first, value);
                holds.extend(self.terms.conjuncts(in_range));
                numbers.push(number);
            }
        }
        let condition =
            self.terms.substitute(condition, &mut |_, symbol| start.get(&symbol).copied());
        holds.extend(self.terms.conjuncts(condition));
        (start, holds)
    }
}

/// An argument that depends on which of many an instance is.
struct Number {
    thread: ThreadId,
    var: VarRef,
    /// That of the first instance.
    base: i128,
    value: Term,
}

impl Number {
    /// Can they never be equal?
    fn differs_from(&self, terms: &Terms, other: &Number) -> bool {
        let apart = (self.base - other.base).abs() > LAST_INDEX;
        let is_same = (self.thread, self.var) == (other.thread, other.var);
        is_same || (apart && terms.ty(self.value) == terms.ty(other.value))
    }
}

impl Action {
    fn new(
        terms: &mut Terms,
        vocabulary: &Vocabulary,
        instance: usize,
        edge: &ccfa::Edge,
    ) -> Action {
        let step = vocabulary.step(terms, instance, edge);
        Action {
            source: edge.source,
            target: edge.target,
            guards: terms.conjuncts(step.enabled),
            writes_shared: step.assigns.keys().any(|symbol| vocabulary.is_shared(*symbol)),
            assigns: step.assigns,
            inputs: step.inputs,
            before: FastMap::default(),
        }
    }
}

impl Action {
    /// Puts constants in place of variables.
    fn replace(&mut self, terms: &mut Terms, constants: &[(Symbol, Term)]) {
        let mut value = |_: &mut Terms, symbol: Symbol| {
            constants.iter().find(|(other, _)| *other == symbol).map(|(_, value)| *value)
        };
        let guards: Vec<Term> =
            self.guards.iter().map(|guard| terms.substitute(*guard, &mut value)).collect();
        let all = terms.and(guards);
        self.guards = terms.conjuncts(all);
        for assigned in self.assigns.values_mut() {
            *assigned = terms.substitute(*assigned, &mut value);
        }
    }
}

/// The shared variables that hold the same all the time.
fn constants(terms: &mut Terms, vocabulary: &Vocabulary, system: &System) -> Vec<(Symbol, Term)> {
    let edges = system.program.templates.iter().flat_map(|template| &template.edges);
    let assigned: BTreeSet<VarRef> = edges
        .flat_map(|edge| &edge.assigns)
        .map(|assign| match &assign.place {
            Place::Var(var) | Place::Element(var, _) => *var,
        })
        .collect();
    let (values, _) = vocabulary.initial(terms, system);
    let mut found = Vec::new();
    for (number, (var, value)) in system.program.shared.iter().zip(values).enumerate() {
        let var_ref = VarRef::Shared(SharedId(number as u32));
        let is_short = var.len.is_none_or(|len| len <= MOST_ELEMENTS);
        if var.init != Init::Any && is_short && !assigned.contains(&var_ref) {
            found.push((vocabulary.symbol(0, var_ref), value));
        }
    }
    found
}

fn after(
    terms: &mut Terms,
    vocabulary: &Vocabulary,
    program: &Program,
) -> BTreeMap<Symbol, Symbol> {
    let mut after = BTreeMap::new();
    for number in 0..program.shared.len() {
        let symbol = vocabulary.symbol(0, VarRef::Shared(SharedId(number as u32)));
        let (name, sort) = (terms.symbol_name(symbol).to_string(), terms.symbol_sort(symbol));
        after.insert(symbol, terms.declare(format!("{name}'"), sort));
    }
    after
}

/// The roles of a program, and who plays them.
fn cast(system: &System) -> (Vec<Slot>, Vec<Vec<usize>>) {
    let mut roles: Vec<Slot> = Vec::new();
    let mut players: Vec<Vec<usize>> = Vec::new();
    for (number, instance) in system.instances.iter().enumerate() {
        let many = system.program.threads[instance.thread.index()].count == Count::Any;
        let role = Slot { thread: instance.thread, index: (!many).then_some(instance.index) };
        match roles.last() == Some(&role) {
            true => players.last_mut().expect("a role should have a player").push(number),
            false => {
                roles.push(role);
                players.push(vec![number]);
            }
        }
    }
    (roles, players)
}
