//! An execution as the steps at hooks: which thread passes which hook, in which order, with which value.
//!
//! The steps of the model that belong to one call of a library function become one step (two, if a thread waits in between and others move);
//! it stands where the call does what others notice. A step of a thread's own is none.

use crate::report::{edge, rests};
use ccfa::semantics::{State, System};
use ccfa::{
    Access, AccessKind, Assign, Bad, Direction, Edge, EdgeId, LockOperation, Place, Program, Rhs,
    Span,
};
use check::Replay;
use evidence::{Witness, WitnessStep};
use std::collections::{BTreeMap, BTreeSet};

/// What a hook stands before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HookKind {
    /// A read of shared memory.
    Read,
    /// A write.
    Write,
    /// Both at once.
    Update,
    /// What a call of a library function does; where it waits, that it begins to wait.
    Call,
    /// Where a function waits: that it goes on.
    Return,
    /// A value that comes from nowhere.
    Value,
    /// The end of a thread: at no place.
    End,
}

/// A hook: what, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub span: Span,
    pub kind: HookKind,
}

/// A thread passes a hook.
#[derive(Clone, Debug)]
pub struct HookEvent {
    /// In which step of the witness.
    pub step: usize,
    pub instance: usize,
    pub key: Key,
    pub value: i128,
}

/// The key of the end of a thread.
pub const END: Key = Key {
    span: Span { file: 0, line: 0, column: 0, end_line: 0, end_column: 0 },
    kind: HookKind::End,
};

/// The function of the library in which every thread ends.
const THREAD_END: &str = "__rely_thread_end";

/// The functions in which a thread waits for others while it has already done something.
const WAITS: [&str; 6] = [
    "pthread_cond_wait",
    "pthread_cond_timedwait",
    "pthread_cond_clockwait",
    "cnd_wait",
    "cnd_timedwait",
    "pthread_barrier_wait",
];

/// The functions that store the id of a thread which may move already.
const CREATES: [&str; 2] = ["pthread_create", "thrd_create"];

/// What a step of the model belongs to.
enum StepPart<'p> {
    /// The code of the program.
    Own,
    /// A call of a library function, at this place.
    Library { site: Span, function: &'p str },
    /// The end of a thread.
    End,
    /// Nothing that stands in the text.
    Nothing,
}

/// Functions that the program defines.
pub type Defined<'a> = BTreeSet<&'a str>;

fn part<'p>(program: &'p Program, edge: &Edge, defined: &Defined) -> StepPart<'p> {
    let Some(call) = edge.call else { return StepPart::Own };
    let path = || program.call_path(call);
    if path().any(|call| call.function == THREAD_END) {
        return StepPart::End;
    }
    let library = path().take_while(|call| !defined.contains(call.function.as_str())).last();
    match library.map(|call| (call.site, call)) {
        None => StepPart::Own,
        Some((Some(site), call)) => StepPart::Library { site, function: &call.function },
        Some((None, _)) => StepPart::Nothing,
    }
}

/// The hooks that a step of the model may need, each with the name of what is accessed.
pub fn keys_of(program: &Program, edge: &Edge, defined: &Defined) -> Vec<(Key, String)> {
    match part(program, edge, defined) {
        StepPart::Own => {
            let name = |access: &Access| {
                let var = access.cell().map(|cell| &program.shared[cell.var.index()]);
                let name = var.map(|var| program.source_name(var)).unwrap_or_default();
                name.split(['.', '[', '#']).next().unwrap_or_default().to_string()
            };
            let keys = edge.accesses.iter();
            let keys = keys.filter_map(|access| Some((access_key(edge, access)?, name(access))));
            let value = edge.span.filter(|_| is_havoc(edge));
            let value = value.map(|span| (Key { span, kind: HookKind::Value }, String::new()));
            keys.chain(value).collect()
        }
        StepPart::Library { site: span, function } => {
            let goes_on = WAITS.contains(&function) || CREATES.contains(&function);
            let kinds: &[HookKind] =
                if goes_on { &[HookKind::Call, HookKind::Return] } else { &[HookKind::Call] };
            kinds.iter().map(|kind| (Key { span, kind: *kind }, String::new())).collect()
        }
        StepPart::End | StepPart::Nothing => Vec::new(),
    }
}

fn is_havoc(edge: &Edge) -> bool {
    edge.assigns.iter().filter(|assign: &&Assign| assign.value == Rhs::Havoc).count() == 1
}

fn access_key(edge: &Edge, access: &Access) -> Option<Key> {
    let AccessKind::Memory(direction, ..) = access.kind else { return None };
    let kind = match direction {
        Direction::Read => HookKind::Read,
        Direction::Write => HookKind::Write,
        Direction::Update => HookKind::Update,
    };
    Some(Key { span: access.span.or(edge.span)?, kind })
}

/// The steps at hooks of an execution, in order; those of a race at its end, too.
pub struct Recorder<'a> {
    pub system: &'a System<'a>,
    pub defined: &'a Defined<'a>,
    /// The hooks, and before how many expressions each stands. If these are several, each is a step; else several accesses are one.
    pub places: &'a BTreeMap<Key, (usize, usize)>,
    pub events: Vec<HookEvent>,
    /// Where nothing can be forced, and why.
    pub refused: Option<(Span, &'static str)>,
    /// By instance: what it is in.
    pub open: Vec<Open>,
}

/// An access of an edge, by its index there.
type OneAccess = (EdgeId, usize);

/// What a thread is in.
#[derive(Clone, Default)]
pub struct Open {
    call: Option<OpenCall>,
    /// The expression whose hooks it has passed last, and the accesses that belong to that.
    last: Option<(Span, Vec<(HookKind, OneAccess)>)>,
    /// The last step of its end.
    end: Option<usize>,
    is_created: bool,
}

/// A call of a library function.
#[derive(Clone)]
struct OpenCall {
    site: Span,
    function: String,
    first: EdgeId,
    steps: Vec<(usize, EdgeId)>,
    /// The step that creates a thread, and which.
    creates: Option<(usize, usize)>,
    /// The last arbitrary value.
    value: i128,
}

impl Recorder<'_> {
    /// Follows the whole execution.
    pub fn record(&mut self, witness: &Witness, replay: &Replay) {
        for (number, step) in witness.steps.iter().enumerate() {
            self.step(number, step);
            self.open_choice(step, &replay.states[number]);
            self.creation(number, &witness.steps[number..], &replay.states[number..]);
        }
        for instance in 0..self.open.len() {
            self.close(instance, false);
            let step = self.open[instance].end;
            self.events.extend(step.map(|step| HookEvent { step, instance, key: END, value: 0 }));
        }
        if let Bad::Race(sides) = replay.bad {
            let step = witness.steps.len();
            for side in sides {
                let edge = &self.system.template(side.instance).edges[side.edge.index()];
                let key = match part(self.system.program, edge, self.defined) {
                    StepPart::Library { site: span, .. } => {
                        Some(Key { span, kind: HookKind::Call })
                    }
                    _ => edge.accesses.get(side.access).and_then(|it| access_key(edge, it)),
                };
                let event = |key| HookEvent { step, instance: side.instance, key, value: 0 };
                self.events.extend(key.map(event));
            }
        }
        self.events.sort_by_key(|event| event.step);
    }

    fn step(&mut self, number: usize, step: &WitnessStep) {
        let edge = edge(self.system, step);
        match part(self.system.program, edge, self.defined) {
            StepPart::Own => {
                self.close(step.instance, true);
                self.own(number, step, edge);
            }
            StepPart::Library { site, function } => {
                let goes_on = |call: &OpenCall| {
                    call.site == site && call.function == function && call.first != step.edge
                };
                if !self.open[step.instance].call.as_ref().is_some_and(goes_on) {
                    self.close(step.instance, true);
                    self.open[step.instance].call = Some(OpenCall {
                        site,
                        function: function.to_string(),
                        first: step.edge,
                        steps: Vec::new(),
                        creates: None,
                        value: 0,
                    });
                }
                if let Some(call) = &mut self.open[step.instance].call {
                    call.steps.push((number, step.edge));
                    if chooses(self.system, step.instance, edge) {
                        call.value = step.havoc.last().copied().unwrap_or(call.value);
                    }
                }
            }
            StepPart::End => {
                self.close(step.instance, true);
                self.open[step.instance].end = Some(number);
            }
            StepPart::Nothing => self.close(step.instance, true),
        }
    }

    /// Where several steps of a thread can be next, C leaves open what is evaluated first: a compiler has chosen.
    fn open_choice(&mut self, step: &WitnessStep, state: &State) {
        let edge = edge(self.system, step);
        let passes =
            |edge: &Edge| self.system.eval(state, step.instance, &edge.guard) == Ok(Some(1));
        let next = self.system.next(state, step.instance);
        if matches!(part(self.system.program, edge, self.defined), StepPart::Own)
            && next.filter(|(_, edge)| passes(edge)).count() > 1
            && let Some(span) = edge.span
        {
            let why = "C leaves open what is evaluated first here, and the compiler chooses";
            self.refused = self.refused.or(Some((span, why)));
        }
    }

    /// A step of the program's own code.
    fn own(&mut self, number: usize, step: &WitnessStep, edge: &Edge) {
        let instance = step.instance;
        if let (Some(span), [value]) = (edge.span, &step.havoc[..]) {
            let key = Key { span, kind: HookKind::Value };
            if self.places.contains_key(&key) {
                self.events.push(HookEvent { step: number, instance, key, value: *value });
                self.open[instance].last = None;
            } else if chooses(self.system, instance, edge) {
                self.refused = self.refused.or(Some((span, "this value cannot be forced")));
            }
        }
        for (access, of) in edge.accesses.iter().enumerate() {
            let Some(key) = access_key(edge, of) else { continue };
            self.access(number, instance, key, (step.edge, access));
        }
    }

    /// An access. Several of one expression are one step, if they are of one kind: the members of a record.
    fn access(&mut self, step: usize, instance: usize, key: Key, by: OneAccess) {
        let is_shared = self.places.get(&key).is_some_and(|(_, count)| *count > 1);
        let last = &mut self.open[instance].last;
        match last {
            Some((span, seen)) if *span == key.span && !seen.contains(&(key.kind, by)) => {
                let is_first = seen.iter().all(|(kind, _)| *kind != key.kind);
                seen.push((key.kind, by));
                if !is_first && !is_shared {
                    let is_torn = self.events.last().is_some_and(|it| it.instance != instance);
                    let why = "another thread acts in the middle of what is one step of C";
                    self.refused = self.refused.or(is_torn.then_some((key.span, why)));
                    return;
                }
            }
            _ => *last = Some((key.span, vec![(key.kind, by)])),
        }
        self.events.push(HookEvent { step, instance, key, value: 0 });
    }

    /// The thread that a step creates, if it does: one that could not move before. Where several copies of it could move now, it is the one that moves next.
    fn creation(&mut self, number: usize, steps: &[WitnessStep], states: &[State]) {
        let is_new = |instance: &usize| {
            !self.open[*instance].is_created
                && rests(self.system, *instance, &states[0])
                && !rests(self.system, *instance, &states[1])
        };
        let new: Vec<usize> = (0..self.open.len()).filter(is_new).collect();
        let next = steps.iter().map(|step| step.instance).find(|instance| new.contains(instance));
        let Some(instance) = next.or(new.first().copied()) else { return };
        self.open[instance].is_created = true;
        if let Some(call) = &mut self.open[steps[0].instance].call {
            call.creates = Some((number, instance));
        }
    }

    /// A thread leaves a library function, or the execution ends while it is there.
    fn close(&mut self, instance: usize, is_over: bool) {
        let Some(call) = self.open[instance].call.take() else { return };
        self.open[instance].last = None;
        match call.told(&self.system.template(instance).edges, is_over) {
            Some(steps) => self.events.extend(steps.into_iter().map(|(step, kind, value)| {
                let key = Key { span: call.site, kind };
                HookEvent { step, instance, key, value }
            })),
            None => {
                let why = "what the function does here cannot be forced";
                self.refused = self.refused.or(Some((call.site, why)));
            }
        }
    }
}

/// Which of its hooks a call passes in which step of the witness, with which value.
type Told = Vec<(usize, HookKind, i128)>;

impl OpenCall {
    /// `None`, if it does one of several things that a schedule does not say.
    fn told(&self, edges: &[Edge], is_over: bool) -> Option<Told> {
        let touches = |(_, edge): &&(usize, EdgeId)| !edges[edge.index()].accesses.is_empty();
        let touched = self.steps.iter().rev().find(touches).map(|(step, _)| *step);
        let last = self.steps.last().map(|(step, _)| *step);
        if let Some((step, created)) = self.creates {
            // The id is stored later, perhaps.
            let stores = touched.filter(|stores| *stores > step);
            let stores = stores.map(|stores| (stores, HookKind::Return, 0));
            return Some(
                [(step, HookKind::Call, created as i128 + 1)].into_iter().chain(stores).collect(),
            );
        }
        if WAITS.contains(&self.function.as_str()) {
            return Some(self.waits(edges, last.filter(|_| is_over)));
        }
        let step = touched.or(last.filter(|_| is_over));
        (self.value == 0).then(|| step.map(|step| (step, HookKind::Call, 0)).into_iter().collect())
    }

    /// A thread begins to wait, and perhaps goes on. `end` is the last step, if the call is over.
    fn waits(&self, edges: &[Edge], end: Option<usize>) -> Told {
        let does = |edge: &EdgeId, wanted: LockOperation| {
            let mut accesses = edges[edge.index()].accesses.iter();
            accesses.any(|it| matches!(it.kind, AccessKind::Lock(does, _) if does == wanted))
        };
        let is_barrier = self.function.contains("barrier");
        let arrives = if is_barrier { LockOperation::Wait } else { LockOperation::Release };
        let begins = self.steps.iter().find(|(_, edge)| does(edge, arrives));
        let Some((begins, _)) = begins.copied() else { return Told::new() };
        let acquires = |(_, edge): &&(usize, EdgeId)| does(edge, LockOperation::Acquire);
        let wakes = match is_barrier {
            true => end.filter(|end| *end > begins),
            false => self.steps.iter().rev().find(acquires).map(|(step, _)| *step),
        };
        let wakes = wakes.map(|wakes| (wakes, HookKind::Return, self.value));
        [(begins, HookKind::Call, 0)].into_iter().chain(wakes).collect()
    }
}

/// How the names of the front end's own variables for values begin.
const TEMPORARY: &str = ".tmp";

/// Does a step choose what is open: does it give any value to what is no variable of the source?
fn chooses(system: &System, instance: usize, edge: &Edge) -> bool {
    edge.assigns.iter().filter(|assign| assign.value == Rhs::Havoc).any(|assign| {
        let (Place::Var(var) | Place::Element(var, _)) = assign.place;
        system.var(instance, var).name.starts_with(TEMPORARY)
    })
}
