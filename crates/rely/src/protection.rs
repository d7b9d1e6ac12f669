//! What protects what? For each shared object: is there one reason why no two threads access it at the same time?
//!
//! That no race can happen is proved without such reasons, but a person wants them. So each reason that may hold is asked of the program
//! as an error of its own: an access without the lock, an access by a second thread, a write while other threads run. `strategy::decide`
//! answers, and `check` confirms it like any other verdict: what is said is certain. Where no reason is found in time, that is said.
//!
//! A thread *runs* from its first step to its last. As long as no other thread does, the first thread may do what it likes: it initialises
//! what others use, and looks at it after it has joined them.

mod hand_over;
mod monitor;

use crate::control::Control;
use crate::input::{Task, Texts};
use crate::plan::Turn;
use crate::report::{COUNT_OF_SEMAPHORE, lock_name};
use crate::strategy;
use ccfa::sharing::instances;
use ccfa::{AccessKind, Program, SharedId, Span, TemplateId};
use evidence::Verdict;
use monitor::Monitor;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How long all reasons are looked for at most, in milliseconds: who asks for them wants to read them, not to wait.
const MAX_MILLISECONDS: u64 = 5_000;
/// How long each of them is looked for at most, in milliseconds: most programs are decided in less, so that others have their turn.
const MAX_REASON_MILLISECONDS: u64 = 500;
/// How long the lock is looked for that accesses beside a race agree on, in milliseconds: the answer is there already.
const MAX_LOCK_MILLISECONDS: u64 = 1_000;

/// An access of a step.
#[derive(Clone, Debug)]
pub(crate) struct AccessSite {
    template: TemplateId,
    edge: usize,
    access: usize,
    writes: bool,
    is_atomic: bool,
    span: Option<Span>,
}

/// Why no two threads access an object at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protection {
    /// All accesses are atomic.
    Atomic,
    /// No thread writes it.
    ReadOnly,
    /// It is written only while no other thread runs.
    WrittenAlone,
    /// Who accesses it holds this lock; of an array of locks, the one with the index of the element.
    Lock(SharedId),
    /// Who accesses it has passed this semaphore, and not left it.
    Semaphore(SharedId),
    /// Each element is accessed by one thread only.
    Private,
    /// Each element is written by one thread only, and not once another one has read it.
    Published,
    /// All accesses are in atomic sections.
    Section,
    /// Who accesses it, and has not done so last, has acquired this lock or semaphore since that thread released it; without one: some semaphore.
    HandedOver(Option<SharedId>),
}

/// A line for each object that several threads access, with a heading.
pub(crate) fn lines(task: &Task, control: &mut Control) -> Vec<String> {
    let program = task.as_read();
    let time = Some(Duration::from_millis(MAX_MILLISECONDS));
    let found: Vec<String> = control.within(time, |control| {
        let shared = sites(program).into_iter().filter(|(_, sites)| is_shared(program, sites));
        shared
            .map(|(var, sites)| line(program, var, reason(program, var, &sites, control)))
            .collect()
    });
    match found.is_empty() {
        true => vec!["No object is accessed by several threads.".to_string()],
        false => {
            let heading = "What protects what, while other threads run:".to_string();
            std::iter::once(heading).chain(found.iter().map(|line| format!("  {line}"))).collect()
        }
    }
}

/// The lock that all accesses of an object hold but those at `without`, which are told for each lock by its name.
pub(crate) fn agreed_lock(
    program: &Program,
    var: SharedId,
    without: impl Fn(&str) -> Vec<Option<Span>>,
    control: &mut Control,
) -> Option<String> {
    let all = sites(program).remove(&var)?;
    let time = Some(Duration::from_millis(MAX_LOCK_MILLISECONDS));
    control.within(time, |control| {
        let mut locks =
            locks(program, var).into_iter().filter(|lock| !is_semaphore(program, *lock));
        locks.find_map(|lock| {
            let name = name_of_lock(program, lock);
            let except = without(&name);
            let others: Vec<AccessSite> =
                all.iter().filter(|site| !except.contains(&site.span)).cloned().collect();
            let is_held = !others.is_empty()
                && others.len() < all.len()
                && holds(program, var, &others, Protection::Lock(lock), control);
            is_held.then_some(name)
        })
    })
}

fn line(program: &Program, var: SharedId, reason: Option<Protection>) -> String {
    let declared = &program.shared[var.index()];
    let name = program.source_name(declared);
    let each = if declared.len.is_some() { ", element by element" } else { "" };
    match reason {
        Some(Protection::Atomic) => format!("`{name}` is only accessed atomically"),
        Some(Protection::ReadOnly) => format!("`{name}` is only read"),
        Some(Protection::WrittenAlone) => format!(
            "`{name}` is only read; it is written before they begin or after they have ended"
        ),
        Some(Protection::Lock(lock)) => {
            let each = if is_array(program, lock) { ", element by element" } else { "" };
            format!("`{name}` is protected by `{}`{each}", name_of_lock(program, lock))
        }
        Some(Protection::Semaphore(semaphore)) => format!(
            "`{name}` is accessed only by who has passed the semaphore `{}`",
            name_of_lock(program, semaphore)
        ),
        Some(Protection::Private) => format!("`{name}` is used by one thread only{each}"),
        Some(Protection::Published) => format!(
            "`{name}` is written by one thread only, and not once another one has read it{each}"
        ),
        Some(Protection::Section) => format!("`{name}` is accessed in atomic sections only"),
        Some(Protection::HandedOver(Some(object))) => {
            let object = name_of_lock(program, object);
            format!(
                "`{name}` is handed over by `{object}`: who accesses it has acquired that since the thread before released it"
            )
        }
        Some(Protection::HandedOver(None)) => format!(
            "`{name}` is handed over by semaphores: who accesses it has passed one since the thread before posted it"
        ),
        None => format!(
            "`{name}`: no single reason was found; that no two threads access it at the same time was proved"
        ),
    }
}

fn is_array(program: &Program, var: SharedId) -> bool {
    program.shared[var.index()].len.is_some()
}

fn name_of_lock(program: &Program, lock: SharedId) -> String {
    lock_name(&program.source_name(&program.shared[lock.index()]))
}

/// The accesses to memory, by variable. What is a lock is none.
fn sites(program: &Program) -> BTreeMap<SharedId, Vec<AccessSite>> {
    let (mut found, mut locks) = (BTreeMap::<SharedId, Vec<AccessSite>>::new(), BTreeSet::new());
    for (template, id) in program.templates.iter().zip((0..).map(TemplateId)) {
        for (number, edge) in
            template.edges.iter().enumerate().filter(|_| instances(program, id) > 0)
        {
            for (position, access) in edge.accesses.iter().enumerate() {
                match &access.kind {
                    AccessKind::Memory(_, cell, _) => {
                        found.entry(cell.var).or_default().push(AccessSite {
                            template: id,
                            edge: number,
                            access: position,
                            writes: access.writes(),
                            is_atomic: access.is_atomic(),
                            span: access.span,
                        })
                    }
                    AccessKind::Lock(_, cell) => drop(locks.insert(cell.var)),
                    AccessKind::Fence(_) | AccessKind::SignalFence(_) => {}
                }
            }
        }
    }
    found.retain(|var, _| !locks.contains(var) && program.shared[var.index()].origin.is_some());
    found
}

/// Can more than one thread come to one of these accesses?
fn is_shared(program: &Program, sites: &[AccessSite]) -> bool {
    let templates: BTreeSet<TemplateId> = sites.iter().map(|site| site.template).collect();
    templates.iter().map(|template| instances(program, *template)).sum::<u64>() > 1
}

/// The locks that may protect a variable: those that one can hold, and of arrays those that have as many elements.
fn locks(program: &Program, var: SharedId) -> BTreeSet<SharedId> {
    let edges = program.templates.iter().flat_map(|template| &template.edges);
    let accesses = edges.flat_map(|edge| &edge.accesses);
    let lock = |access: &ccfa::Access| match &access.kind {
        AccessKind::Lock(ccfa::LockOperation::Acquire, cell) => Some(cell.var),
        _ => None,
    };
    let len = |var: SharedId| program.shared[var.index()].len;
    let may_protect = |lock: &SharedId| len(*lock).is_none() || len(*lock) == len(var);
    accesses.filter_map(lock).filter(may_protect).collect()
}

/// Is it a semaphore? These have no owner.
fn is_semaphore(program: &Program, lock: SharedId) -> bool {
    program.source_name(&program.shared[lock.index()]).ends_with(COUNT_OF_SEMAPHORE)
}

/// A reason, if one is found.
fn reason(
    program: &Program,
    var: SharedId,
    sites: &[AccessSite],
    control: &mut Control,
) -> Option<Protection> {
    if sites.iter().all(|site| site.is_atomic) {
        return Some(Protection::Atomic);
    }
    if !sites.iter().any(|site| site.writes) {
        return Some(Protection::ReadOnly);
    }
    let locks = locks(program, var).into_iter().map(|lock| match is_semaphore(program, lock) {
        true => Protection::Semaphore(lock),
        false => Protection::Lock(lock),
    });
    let candidates = std::iter::once(Protection::WrittenAlone).chain(locks).chain([
        Protection::Private,
        Protection::Published,
        Protection::Section,
    ]);
    let candidates = candidates.chain(hand_over::candidates(program));
    candidates.into_iter().find(|candidate| holds(program, var, sites, *candidate, control))
}

/// Is it certain that these accesses are protected so?
fn holds(
    program: &Program,
    var: SharedId,
    sites: &[AccessSite],
    protection: Protection,
    control: &mut Control,
) -> bool {
    let Some(mut monitor) = Monitor::new(program) else { return false };
    if monitor.watch(var, sites, protection).is_none() {
        return false;
    }
    let task = Task::reduced(monitor.program, &transform::reductions(), Texts::new());
    let engine = match program.is_parameterised() {
        true => &rely_guarantee::RELY_GUARANTEE,
        false => &explore::EXPLORE,
    };
    let engine = (engine.make)(&engine::Settings::default());
    let turn = Turn { engine, time: None, why: "what protects this object?" };
    let time = Some(Duration::from_millis(MAX_REASON_MILLISECONDS));
    control.within(time, |control| {
        let confirmed = strategy::decide(&task, vec![turn], control).0;
        matches!(confirmed.verdict(), Verdict::Safe(_))
    })
}
