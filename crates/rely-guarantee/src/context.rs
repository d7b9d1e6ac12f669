//! The program as formulas: the threads that can be tracked, and the transition relations of each (the
//! paper's Section 3: `V_G`, `V_i`, `T_i`, `φ_init`).
//!
//! The paper has `N` threads. Here a view (`view`) tracks *classes* of threads: a class is one particular
//! instance, or all instances of a parameterised thread, which are symmetric. Formulas need symbols for
//! each tracked instance, so each class has *representatives*: the instance itself, or of a
//! parameterised thread as many instances as can be tracked or interfere at once.
//! Representatives of one class differ in nothing but their name; [`Context::renamed`] exchanges them. That is sound
//! since what is proved of representatives is used for all instances of the class, and an
//! instance can be told from others of its class by the values of its variables alone.

use crate::ids::{ClassId, Id, InstanceId};
use crate::premises::EntailmentCache;
use crate::symbols::SymbolSet;
use ccfa::semantics::System;
use ccfa::{
    Arg, Count, EdgeId, Init, LocId, LocKind, LocalId, Program, SharedId, Template, ThreadId, Type,
    Var, VarRef,
};
use engine::Budget;
use evidence::{Reason, Slot};
use logic::{FastMap, Symbol, Term, Terms, Vocabulary};
use solve::Decider;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// Longer arrays are not compared element by element: each comparison would be a large formula.
pub(crate) const MAX_ELEMENTS: u32 = 64;

/// The last index that an instance can have: indices are `u32`.
const LAST_INDEX: i128 = u32::MAX as i128;

/// Instances are counted with these.
const INDEX: Type = Type::unsigned(32);

/// Which instance takes the place of which.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Renaming(Vec<(InstanceId, InstanceId)>);

impl Renaming {
    /// Each of `from` becomes the one of `to` at the same position.
    pub fn new(from: &[InstanceId], to: &[InstanceId]) -> Renaming {
        Renaming(from.iter().copied().zip(to.iter().copied()).collect())
    }

    pub fn inverse(&self) -> Renaming {
        Renaming(self.0.iter().map(|(from, to)| (*to, *from)).collect())
    }

    pub fn is_identity(&self) -> bool {
        self.0.iter().all(|(from, to)| from == to)
    }

    /// What becomes of an instance, if it is renamed.
    pub fn image(&self, instance: InstanceId) -> Option<InstanceId> {
        self.0.iter().find(|(from, _)| *from == instance).map(|(_, to)| *to)
    }

    pub fn pairs(&self) -> impl Iterator<Item = (InstanceId, InstanceId)> + '_ {
        self.0.iter().copied()
    }
}

pub(crate) struct Context<'p> {
    pub system: System<'p>,
    pub terms: Terms,
    pub vocabulary: Vocabulary,
    pub decider: Decider,
    classes: Vec<Class>,
    /// By instance.
    class_of: Vec<ClassId>,
    /// The instance to which a symbol's variable is local; shared variables are not here.
    owners: HashMap<Symbol, (InstanceId, VarRef)>,
    /// For each shared variable, the symbol of its primed copy: its value after a transition of the environment.
    pub primed: BTreeMap<Symbol, Symbol>,
    /// The shared variables that no edge assigns, and their values.
    pub constants: Vec<(Symbol, Term)>,
    /// By instance and edge.
    transitions: Vec<Vec<Transition>>,
    /// By instance and location.
    leaving: Vec<Vec<Vec<EdgeId>>>,
    renamings: FastMap<Renaming, FastMap<Term, Term>>,
    primings: FastMap<BTreeSet<Symbol>, FastMap<Term, Term>>,
    symbols: FastMap<Term, Rc<SymbolSet>>,
    pub entailments: EntailmentCache,
    budget: Budget,
}

/// A class of symmetric instances.
struct Class {
    slot: Slot,
    representatives: Vec<InstanceId>,
}

/// An edge of an instance: a transition relation `ρ ∈ T_i`.
pub(crate) struct Transition {
    pub source: LocId,
    pub target: LocId,
    /// It can be taken if all of these hold.
    pub guards: Vec<Term>,
    pub assigns: BTreeMap<Symbol, Term>,
    /// The arbitrary values it takes.
    pub inputs: Vec<Symbol>,
    /// Does it assign a shared variable?
    pub writes_shared: bool,
    /// Weakest preconditions of terms, without the guards.
    preconditions: FastMap<Term, Term>,
}

impl<'p> Context<'p> {
    /// With so many representatives for each parameterised thread.
    pub fn new(program: &'p Program, representatives: u32, budget: &Budget) -> Context<'p> {
        let system = System::new(program, representatives);
        let mut terms = solve::terms();
        let vocabulary = Vocabulary::new(&mut terms, &system);
        let (classes, class_of) = classes(&system);
        let constants = constants(&mut terms, &vocabulary, &system);
        let primed = primed(&mut terms, &vocabulary, program);
        let mut owners = HashMap::new();
        let (mut transitions, mut leaving) = (Vec::new(), Vec::new());
        for instance in 0..system.instances.len() {
            let template = system.template(instance);
            for var in locals(template) {
                let symbol = vocabulary.symbol(instance, var);
                owners.insert(symbol, (InstanceId(instance), var));
            }
            let transition = |edge| {
                let mut transition = Transition::new(&mut terms, &vocabulary, instance, edge);
                transition.replace_constants(&mut terms, &constants);
                transition
            };
            transitions.push(template.edges.iter().map(transition).collect());
            leaving.push(template.edges_from());
        }
        let decider = Decider::new(budget);
        Context {
            system,
            terms,
            vocabulary,
            decider,
            classes,
            class_of,
            owners,
            primed,
            constants,
            transitions,
            leaving,
            renamings: FastMap::default(),
            primings: FastMap::default(),
            symbols: FastMap::default(),
            entailments: EntailmentCache::default(),
            budget: budget.clone(),
        }
    }

    /// The reason to stop, if there is one.
    pub fn check_budget(&self) -> Result<(), Reason> {
        Ok(self.budget.check()?)
    }

    pub fn classes(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.classes.len()).map(ClassId)
    }

    /// What evidence calls a class: a slot for one of its instances.
    pub fn slot(&self, class: ClassId) -> Slot {
        self.classes[class.index()].slot
    }

    pub fn representatives(&self, class: ClassId) -> &[InstanceId] {
        &self.classes[class.index()].representatives
    }

    pub fn class_of(&self, instance: InstanceId) -> ClassId {
        self.class_of[instance.index()]
    }

    /// Does the class have an unbounded number of instances?
    pub fn is_parameterised(&self, class: ClassId) -> bool {
        self.slot(class).index.is_none()
    }

    pub fn template(&self, instance: InstanceId) -> &'p Template {
        self.system.template(instance.index())
    }

    pub fn thread(&self, instance: InstanceId) -> ThreadId {
        self.system.instances[instance.index()].thread
    }

    /// The variables that an instance can access: first the shared ones, then its own.
    pub fn variables(&self, instance: InstanceId) -> Vec<VarRef> {
        let shared = 0..self.system.program.shared.len() as u32;
        let shared = shared.map(|number| VarRef::Shared(SharedId(number)));
        shared.chain(locals(self.template(instance))).collect()
    }

    pub fn var(&self, instance: InstanceId, var: VarRef) -> &'p Var {
        self.system.var(instance.index(), var)
    }

    /// The symbol of a variable as an instance sees it.
    pub fn symbol(&self, instance: InstanceId, var: VarRef) -> Symbol {
        self.vocabulary.symbol(instance.index(), var)
    }

    /// The instance whose variable a symbol is, if it is not shared.
    pub fn owner(&self, symbol: Symbol) -> Option<InstanceId> {
        self.owners.get(&symbol).map(|(instance, _)| *instance)
    }

    pub fn transition(&self, instance: InstanceId, edge: EdgeId) -> &Transition {
        &self.transitions[instance.index()][edge.index()]
    }

    /// The edges that leave a location.
    pub fn leaving(&self, instance: InstanceId, at: LocId) -> &[EdgeId] {
        &self.leaving[instance.index()][at.index()]
    }

    pub fn is_atomic(&self, instance: InstanceId, at: LocId) -> bool {
        self.template(instance).locations[at.index()].atomic
    }

    /// Is the location an error or a model limit?
    pub fn is_bad(&self, instance: InstanceId, at: LocId) -> bool {
        self.template(instance).locations[at.index()].kind != LocKind::Plain
    }

    /// A term about the state after a transition as a term about the state before it. (What an assignment
    /// makes of a state is a function, so that this is a substitution.)
    pub fn precondition(&mut self, instance: InstanceId, edge: EdgeId, term: Term) -> Term {
        let Transition { assigns, preconditions, .. } =
            &mut self.transitions[instance.index()][edge.index()];
        let mut assigned = |_: &mut Terms, symbol| assigns.get(&symbol).copied();
        self.terms.substitute_memo(term, &mut assigned, preconditions)
    }

    /// The term with these variables primed.
    pub fn primed(&mut self, written: &BTreeSet<Symbol>, term: Term) -> Term {
        if !self.primings.contains_key(written) {
            self.primings.insert(written.clone(), FastMap::default());
        }
        let done = self.primings.get_mut(written).expect("it should have been inserted");
        let primed = &self.primed;
        let mut prime = |terms: &mut Terms, symbol| {
            written.contains(&symbol).then(|| terms.symbol(primed[&symbol]))
        };
        self.terms.substitute_memo(term, &mut prime, done)
    }

    /// Does it speak of shared variables alone?
    pub fn is_shared(&mut self, term: Term) -> bool {
        self.symbols(term).iter().all(|symbol| self.vocabulary.is_shared(symbol))
    }

    /// The term about other instances.
    pub fn renamed(&mut self, term: Term, renaming: &Renaming) -> Term {
        if renaming.is_identity() {
            return term;
        }
        let done = self.renamings.entry(renaming.clone()).or_default();
        let (owners, vocabulary) = (&self.owners, &self.vocabulary);
        let mut other = |terms: &mut Terms, symbol| {
            let (instance, var) = owners.get(&symbol)?;
            let image = renaming.image(*instance)?;
            Some(terms.symbol(vocabulary.symbol(image.index(), *var)))
        };
        self.terms.substitute_memo(term, &mut other, done)
    }

    /// The same variable of another instance.
    pub fn renamed_symbol(&self, symbol: Symbol, renaming: &Renaming) -> Symbol {
        let Some((instance, var)) = self.owners.get(&symbol) else { return symbol };
        renaming.image(*instance).map_or(symbol, |image| self.symbol(image, *var))
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

    /// The symbols that are connected to `symbols` and to those of `some`: two symbols are connected if a
    /// formula among `all` mentions both.
    pub fn connected(&mut self, all: &[Term], some: &[Term], symbols: &SymbolSet) -> SymbolSet {
        let mut reached = symbols.clone();
        for formula in some {
            reached.add_all(&self.symbols(*formula));
        }
        let mut others: Vec<Rc<SymbolSet>> = all.iter().map(|term| self.symbols(*term)).collect();
        loop {
            let before = others.len();
            others.retain(|symbols| {
                let is_apart = symbols.is_disjoint(&reached);
                if !is_apart {
                    reached.add_all(symbols);
                }
                is_apart
            });
            if others.len() == before {
                return reached;
            }
        }
    }

    /// `φ_init` for some tracked instances: the initial values of all variables, and what holds beside that. Of
    /// instances of parameterised threads we know where their indices begin and which differ, also as numbers of 32 bits, which is how threads are joined. Where indices end
    /// is not said: that two differ would then be found in terms of ranges, with many predicates.
    pub fn initial(&mut self, tracked: &[InstanceId]) -> (HashMap<Symbol, Term>, Vec<Term>) {
        let (values, condition) = self.vocabulary.initial(&mut self.terms, &self.system);
        let symbols = self.vocabulary.symbols.clone();
        let mut start: HashMap<Symbol, Term> = symbols.into_iter().zip(values).collect();
        let mut holds = Vec::new();
        let mut indices: Vec<IndexArgument> = Vec::new();
        for instance in tracked {
            for argument in self.index_arguments(*instance) {
                let IndexArgument { symbol, base, value, .. } = argument;
                start.insert(symbol, value);
                let others =
                    indices.iter().filter(|other| other.differs_from(&self.terms, &argument));
                let others: Vec<(Term, bool)> =
                    others.map(|other| (other.value, other.is_same(&argument))).collect();
                for (other, is_same) in others {
                    holds.push(self.terms.ne(other, value));
                    if is_same {
                        let [short, other] = [value, other].map(|it| self.terms.cast(INDEX, it));
                        holds.push(self.terms.ne(other, short));
                    }
                }
                let first = self.terms.constant(base, self.terms.ty(value));
                let in_range = self.terms.le(first, value);
                holds.extend(self.terms.conjuncts(in_range));
                indices.push(argument);
            }
        }
        let condition =
            self.terms.substitute(condition, &mut |_, symbol| start.get(&symbol).copied());
        holds.extend(self.terms.conjuncts(condition));
        (start, holds)
    }

    /// The locals of an instance of a parameterised thread that hold its index at the start.
    fn index_arguments(&mut self, instance: InstanceId) -> Vec<IndexArgument> {
        let thread = self.thread(instance);
        let declared = &self.system.program.threads[thread.index()];
        if declared.count != Count::Any {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (local, var) in self.template(instance).locals.iter().enumerate() {
            let Init::Param(number) = var.init else { continue };
            let Arg::Index(base) = declared.args[number as usize] else { continue };
            let var = VarRef::Local(LocalId(local as u32));
            let symbol = self.symbol(instance, var);
            let value = self.terms.symbol(symbol);
            found.push(IndexArgument { thread, var, symbol, base, value });
        }
        found
    }
}

/// An argument that depends on the index of an instance of a parameterised thread.
struct IndexArgument {
    thread: ThreadId,
    var: VarRef,
    symbol: Symbol,
    /// The argument of the first instance.
    base: i128,
    value: Term,
}

impl IndexArgument {
    /// Can they never be equal?
    fn differs_from(&self, terms: &Terms, other: &IndexArgument) -> bool {
        let apart = (self.base - other.base).abs() > LAST_INDEX;
        self.is_same(other) || (apart && terms.ty(self.value) == terms.ty(other.value))
    }

    /// Are they the same argument of two instances?
    fn is_same(&self, other: &IndexArgument) -> bool {
        (self.thread, self.var) == (other.thread, other.var)
    }
}

impl Transition {
    fn new(
        terms: &mut Terms,
        vocabulary: &Vocabulary,
        instance: usize,
        edge: &ccfa::Edge,
    ) -> Transition {
        let step = vocabulary.step(terms, instance, edge);
        Transition {
            source: edge.source,
            target: edge.target,
            guards: terms.conjuncts(step.enabled),
            writes_shared: step.assigns.keys().any(|symbol| vocabulary.is_shared(*symbol)),
            assigns: step.assigns,
            inputs: step.inputs,
            preconditions: FastMap::default(),
        }
    }

    fn replace_constants(&mut self, terms: &mut Terms, constants: &[(Symbol, Term)]) {
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

fn locals(template: &Template) -> impl Iterator<Item = VarRef> + use<> {
    (0..template.locals.len() as u32).map(|number| VarRef::Local(LocalId(number)))
}

/// The shared variables that no edge assigns and whose values are known and few.
fn constants(terms: &mut Terms, vocabulary: &Vocabulary, system: &System) -> Vec<(Symbol, Term)> {
    let assigned: BTreeSet<VarRef> =
        system.program.templates.iter().flat_map(|template| template.assigned()).collect();
    let (values, _) = vocabulary.initial(terms, system);
    let mut found = Vec::new();
    for (number, (var, value)) in system.program.shared.iter().zip(values).enumerate() {
        let var_ref = VarRef::Shared(SharedId(number as u32));
        let is_short = var.len.is_none_or(|len| len <= MAX_ELEMENTS);
        if var.init != Init::Any && is_short && !assigned.contains(&var_ref) {
            found.push((vocabulary.symbol(0, var_ref), value));
        }
    }
    found
}

fn primed(
    terms: &mut Terms,
    vocabulary: &Vocabulary,
    program: &Program,
) -> BTreeMap<Symbol, Symbol> {
    let mut primed = BTreeMap::new();
    for number in 0..program.shared.len() {
        let symbol = vocabulary.symbol(0, VarRef::Shared(SharedId(number as u32)));
        let (name, sort) = (terms.symbol_name(symbol).to_string(), terms.symbol_sort(symbol));
        primed.insert(symbol, terms.declare(format!("{name}'"), sort));
    }
    primed
}

/// The classes of a system, and that of each instance.
fn classes(system: &System) -> (Vec<Class>, Vec<ClassId>) {
    let mut classes: Vec<Class> = Vec::new();
    let mut class_of = Vec::new();
    for (number, instance) in system.instances.iter().enumerate() {
        let thread = &system.program.threads[instance.thread.index()];
        let index = (thread.count != Count::Any).then_some(instance.index);
        let slot = Slot { thread: instance.thread, index };
        let representative = InstanceId(number);
        match classes.last_mut() {
            Some(class) if class.slot == slot => class.representatives.push(representative),
            _ => classes.push(Class { slot, representatives: vec![representative] }),
        }
        class_of.push(ClassId(classes.len() - 1));
    }
    (classes, class_of)
}
