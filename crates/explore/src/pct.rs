//! Engine **pct**: randomised scheduling, for errors that need many steps or many threads.
//!
//! Each thread has a random priority, and of those that can move the first one does; at a few random
//! steps it falls behind all others. So few changes of threads as an error needs are
//! likely, however many threads there are (Burckhardt, Kothari, Musuvathi, Nagarakatte,
//! "A randomized scheduler with probabilistic guarantees of finding bugs", ASPLOS 2010). A thread
//! that runs for very long without others falls behind as well: it may wait for them.
//!
//! Arbitrary values are mostly constants of the program or next to one: these are what it compares with.
//!
//! The executions are the same at each run. They prove nothing; an error is UNSAFE with the way to it, which
//! `check` replays.

use crate::concretise::constants;
use ccfa::random::Rng;
use ccfa::semantics::{State, System};
use ccfa::{EdgeId, LocKind, Program, Type};
use engine::{Budget, Engine, Observer};
use evidence::{Reason, Verdict, Witness, WitnessStep};

/// Executions that are tried: what has not shown by then is left to engines that search.
const MAX_EXECUTIONS: u64 = 20_000;

/// Steps of an execution; a thread that loops for ever must not take all the time.
const MAX_STEPS: usize = 5_000;

/// Changes of priorities in an execution are fewer than this: most errors need one or two (PCT calls it the
/// depth of a bug).
const MAX_CHANGES: usize = 4;

/// Instances of each thread of a parameterised program: errors that need more are rare.
const MAX_INSTANCES: u64 = 24;

/// Steps of one thread in a row; then its priority falls, so that waiting in a loop ends.
const MAX_TURN_STEPS: usize = 500;

/// The engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pct;

impl Engine for Pct {
    fn name(&self) -> &'static str {
        "pct"
    }

    fn verify(&mut self, program: &Program, budget: &Budget, _: &mut dyn Observer) -> Verdict {
        let max_instances = if program.is_parameterised() { MAX_INSTANCES } else { 1 };
        let finite_instances: Vec<FiniteInstance> = (1..=max_instances as u32)
            .map(|instances| FiniteInstance::new(program, instances, false))
            .collect();
        let mut length = 1;
        for number in 0..MAX_EXECUTIONS {
            if let Err(stop) = budget.check() {
                return Verdict::Unknown(stop.into());
            }
            let finite = &finite_instances[(number % max_instances) as usize];
            let mut execution = RandomExecution::new(finite, Rng::new(number), length);
            if execution.run(MAX_STEPS, budget) {
                return Verdict::Unsafe(execution.witness);
            }
            length = length.max(execution.witness.steps.len());
        }
        Verdict::Unknown(Reason::Beyond("randomised scheduling found no error".into()))
    }
}

/// Executions at random. In every second one half the arbitrary values are zero: with that, calls that may fail mostly do not.
pub struct RandomExecutions<'p>([FiniteInstance<'p>; 2]);

impl<'p> RandomExecutions<'p> {
    /// With so many instances of each thread of a parameterised program.
    pub fn new(program: &'p Program, instances: u32) -> RandomExecutions<'p> {
        RandomExecutions([false, true].map(|zero| FiniteInstance::new(program, instances, zero)))
    }

    /// At most so many steps; the same ones for the same seed. They need not lead to a bad state.
    pub fn run(&self, seed: u64, max_steps: usize) -> Witness {
        let finite = &self.0[(seed % 2) as usize];
        let mut execution = RandomExecution::new(finite, Rng::new(seed), max_steps);
        execution.run(max_steps, &Budget::default());
        execution.witness
    }
}

/// A finite instance of the program, where executions take place.
struct FiniteInstance<'p> {
    instances: u32,
    system: System<'p>,
    /// By thread and location.
    leaving: Vec<Vec<Vec<EdgeId>>>,
    constants: Vec<i128>,
    /// Is every second arbitrary value zero?
    is_often_zero: bool,
}

impl<'p> FiniteInstance<'p> {
    fn new(program: &'p Program, instances: u32, is_often_zero: bool) -> FiniteInstance<'p> {
        let system = System::new(program, instances);
        let templates = program.threads.iter().map(|t| &program.templates[t.template.index()]);
        let leaving = templates.map(|template| template.edges_from()).collect();
        let constants = constants(&system).into_iter().collect();
        FiniteInstance { instances, leaving, constants, system, is_often_zero }
    }

    /// An arbitrary value; a mathematical integer is not a large one, which could outgrow its cell.
    fn value(&self, random: &mut Rng, ty: Type) -> i128 {
        if self.is_often_zero && random.one_in(2) {
            return 0;
        }
        if random.one_in(4) && ty.bounds().is_some() {
            return random.value(ty);
        }
        ty.wrap(random.pick(&self.constants) + random.below(3) as i128 - 1)
    }

    /// The initial state, and the values that were chosen for it, if it is one and no thread stops there.
    fn start(&self, random: &mut Rng) -> Option<(State, Vec<i128>)> {
        let mut state = self.system.initial();
        for (instance, at) in state.locations.iter().enumerate() {
            if self.system.template(instance).locations[at.index()].kind != LocKind::Plain {
                return None;
            }
        }
        let shared = self.system.program.shared.iter();
        let instances = 0..self.system.instances.len();
        let vars = shared.chain(instances.flat_map(|i| &self.system.template(i).locals));
        let types = vars.flat_map(|var| std::iter::repeat_n(var.ty, var.cells()));
        let mut chosen = Vec::new();
        for (cell, ty) in state.cells.iter_mut().zip(types).filter(|(cell, _)| cell.is_none()) {
            chosen.push(self.value(random, ty));
            *cell = chosen.last().copied();
        }
        self.system.may_be_initial(&state).then_some((state, chosen))
    }
}

/// An execution under way.
struct RandomExecution<'g, 'p> {
    finite: &'g FiniteInstance<'p>,
    random: Rng,
    /// The instances; the first one that can moves.
    order: Vec<usize>,
    /// After so many steps, the thread that moves falls behind.
    changes: Vec<usize>,
    /// How many steps the one who moves has made in a row.
    turn: usize,
    /// The way so far.
    witness: Witness,
}

/// A step that can be taken.
struct Way {
    step: WitnessStep,
    next: State,
    is_error: bool,
}

impl<'g, 'p> RandomExecution<'g, 'p> {
    /// An execution that is expected to have so many steps.
    fn new(finite: &'g FiniteInstance<'p>, mut random: Rng, length: usize) -> Self {
        let mut order: Vec<usize> = (0..finite.system.instances.len()).collect();
        for place in 1..order.len() {
            order.swap(place, random.below(place + 1));
        }
        let changes = (0..random.below(MAX_CHANGES)).map(|_| random.below(length)).collect();
        let witness =
            Witness { instances: finite.instances, initial: Vec::new(), steps: Vec::new() };
        RandomExecution { finite, random, order, changes, turn: 0, witness }
    }

    /// Does it come to an error?
    fn run(&mut self, max_steps: usize, budget: &Budget) -> bool {
        let Some((mut state, chosen)) = self.finite.start(&mut self.random) else { return false };
        self.witness.initial = chosen;
        while self.witness.steps.len() < max_steps && budget.check().is_ok() {
            let Some(way) = self.choose(&state) else { return false };
            self.witness.steps.push(way.step);
            if way.is_error {
                return true;
            }
            state = way.next;
        }
        false
    }

    /// A step of a thread that can fail here, or of the first that can move.
    fn choose(&mut self, state: &State) -> Option<Way> {
        let only = self.finite.system.atomic_instance(state);
        let may_move = |instance: &usize| only.is_none_or(|only| only == *instance);
        for instance in (0..self.order.len()).filter(may_move) {
            let mut errors = self.ways(state, instance, true);
            if let Some(error) = errors.pop() {
                return Some(error);
            }
        }
        for place in 0..self.order.len() {
            let instance = self.order[place];
            if !may_move(&instance) {
                continue;
            }
            let mut ways = self.ways(state, instance, false);
            if !ways.is_empty() {
                self.give_way(place);
                return Some(ways.swap_remove(self.random.below(ways.len())));
            }
        }
        None
    }

    /// The steps of an instance that may move to an error, or to where it goes on.
    fn ways(&mut self, state: &State, instance: usize, is_error: bool) -> Vec<Way> {
        let FiniteInstance { system, leaving, .. } = self.finite;
        let mut ways = Vec::new();
        let template = system.template(instance);
        let thread = system.instances[instance].thread;
        for edge in &leaving[thread.index()][state.locations[instance].index()] {
            let taken = &template.edges[edge.index()];
            let wanted = match template.locations[taken.target.index()].kind {
                LocKind::Plain => !is_error,
                LocKind::Error(_) => is_error,
                LocKind::Limit(..) | LocKind::Undefined(_) => false,
            };
            if !wanted {
                continue;
            }
            let mut havoc = Vec::new();
            let mut arbitrary = |ty| {
                havoc.push(self.finite.value(&mut self.random, ty));
                havoc.last().copied()
            };
            let next = system.step(state, instance, taken, &mut arbitrary);
            let is_exact = |next: &State| next.cells.iter().all(Option::is_some);
            if let Some(next) = next.filter(is_exact) {
                ways.push(Way {
                    step: WitnessStep { instance, edge: *edge, havoc },
                    next,
                    is_error,
                });
            }
        }
        ways
    }

    /// The one at this place moves; is it to fall behind afterwards?
    fn give_way(&mut self, place: usize) {
        let instance = self.order[place];
        let same = self.witness.steps.last().is_some_and(|last| last.instance == instance);
        self.turn = if same { self.turn + 1 } else { 0 };
        if self.changes.contains(&self.witness.steps.len()) || self.turn > MAX_TURN_STEPS {
            self.order.remove(place);
            self.order.push(instance);
            self.turn = 0;
        }
    }
}
