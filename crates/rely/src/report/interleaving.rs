//! A witness as the user's program sees it: which thread does what and what that changes. Consecutive
//! steps of one thread at one piece of the source, or within it, become one row, unless that would hide a
//! value.

use super::dead::tidies_up;
use super::failure::{self, Replayed, Told};
use super::{Change, Interleaving, Row, SourcePlace, names, source_text};
use crate::input::Task;
use ccfa::semantics::{State, System};
use ccfa::text::print_step;
use ccfa::{Assign, Call, Edge, Expr, LocId, LocKind, Program, Rhs, Span, Template};
use check::Replay;
use evidence::{Witness, WitnessStep};
use std::collections::HashSet;

/// How the names of our own library functions begin.
const LIBRARY: &str = "__rely_";

/// Before what a thread writes, if others do not see it yet.
const DELAYED: &str = "delayed: ";

/// What is to be said of writes that wait in store buffers, if there are some.
pub fn about_delays(interleaving: &Interleaving) -> &'static str {
    match interleaving.rows.iter().any(|row| row.text.starts_with(DELAYED)) {
        true => "\nA delayed write is seen by its own thread only, until it is visible.\n",
        false => "",
    }
}

/// Tells a witness that was replayed, and what is wrong at its end.
pub fn tell(
    task: &Task,
    witness: &Witness,
    replay: &Replay,
) -> Result<(Interleaving, Told), String> {
    let program = task.as_read();
    let system = System::new(program, witness.instances);
    let states = &replay.states;
    let run = Replayed { system: &system, witness, states, details: &task.details };
    let told = failure::tell(&run, &replay.bad).ok_or("the replay ends at no error")?;
    let interleaving = Interleaving {
        initially: names::chosen_at_start(&system, &states[0]),
        threads: system.instances.iter().map(|one| program.instance_name(*one)).collect(),
        rows: rows(task, &system, witness, states),
        failure: told.failure.clone(),
    };
    Ok((interleaving, told))
}

pub fn edge<'p>(system: &System<'p>, step: &WitnessStep) -> &'p Edge {
    &system.template(step.instance).edges[step.edge.index()]
}

fn rows(task: &Task, system: &System, witness: &Witness, states: &[State]) -> Vec<Row> {
    let mut rows: Vec<Telling> = Vec::new();
    let checking: Vec<HashSet<LocId>> = (0..system.instances.len())
        .map(|instance| checking_locations(system.template(instance)))
        .collect();
    for (step, pair) in witness.steps.iter().zip(states.windows(2)) {
        let edge = edge(system, step);
        let changes = changes(system, step.instance, edge, &pair[0], &pair[1]);
        let only_checks = || checks(edge) && checking[step.instance].contains(&edge.source);
        let is_ours = edge.span.is_none() || does_nothing(edge) || only_checks();
        if is_ours && changes.is_empty() && has_source(system.program) {
            continue;
        }
        let delay = Delay::of(task, system, step);
        let mut new =
            Telling { row: row(task, system, step, edge, changes), span: edge.span, delay };
        match rows.last_mut() {
            Some(last) if covers(last.span, new.span) && can_join(&last.row, &new.row) => {
                last.row.changes.append(&mut new.row.changes);
                last.row.is_shared |= new.row.is_shared;
                last.delay = last.delay.or(new.delay);
                continue;
            }
            _ => {}
        }
        while let Some(part) =
            rows.pop_if(|last| covers(new.span, last.span) && can_join(&last.row, &new.row))
        {
            new.row.changes.splice(0..0, part.row.changes);
            new.row.is_shared |= part.row.is_shared;
            new.delay = new.delay.or(part.delay);
        }
        rows.push(new);
    }
    let mut rows: Vec<Row> = rows.into_iter().map(Telling::told).collect();
    // What a thread does in no function of the source, at its start and its end, belongs to the function next to it.
    let first = |instance| {
        rows.iter().filter(|row| row.thread == instance).find_map(|row| row.function.clone())
    };
    let mut last: Vec<Option<String>> = (0..system.instances.len()).map(first).collect();
    for row in &mut rows {
        let last = &mut last[row.thread];
        *last = row.function.take().or(last.take());
        row.function.clone_from(last);
    }
    rows
}

/// A row, the piece of the source that it is about, and what it has to do with store buffers.
struct Telling {
    row: Row,
    span: Option<Span>,
    delay: Option<Delay>,
}

/// What a step has to do with store buffers.
#[derive(Clone, Copy, PartialEq)]
enum Delay {
    /// Its write waits.
    Waits,
    /// A write that waited becomes visible.
    Visible,
}

impl Delay {
    fn of(task: &Task, system: &System, step: &WitnessStep) -> Option<Delay> {
        let thread = system.instances[step.instance].thread;
        let edge = (system.program.threads[thread.index()].template, step.edge);
        let visible = task.delays.visible.contains(&edge).then_some(Delay::Visible);
        visible.or(task.delays.delayed.contains(&edge).then_some(Delay::Waits))
    }
}

impl Telling {
    /// The row, with what is to be said of store buffers.
    fn told(self) -> Row {
        let Telling { mut row, delay, .. } = self;
        row.is_shared |= delay.is_some();
        let values: Vec<String> =
            row.changes.iter().map(|change| format!("{} = {}", change.name, change.new)).collect();
        match delay {
            Some(Delay::Waits) => row.text.insert_str(0, DELAYED),
            Some(Delay::Visible) if !values.is_empty() => {
                row.text = format!("now visible: {}", values.join(", "));
            }
            Some(Delay::Visible) | None => {}
        }
        row
    }
}

/// Does the program come from a source? Then steps that are not in the source
/// and show no value are our own business.
fn has_source(program: &Program) -> bool {
    !program.files.is_empty()
}

/// Does this step only jump, or give any value to variables?
fn does_nothing(edge: &Edge) -> bool {
    let is_havoc = |assign: &Assign| assign.value == Rhs::Havoc;
    edge.guard == Expr::TRUE && edge.accesses.is_empty() && edge.assigns.iter().all(is_havoc)
}

/// Where a thread asks whether what comes is defined.
fn checking_locations(template: &Template) -> HashSet<LocId> {
    let kind = |edge: &Edge| &template.locations[edge.target.index()].kind;
    let undefined = |edge: &&Edge| matches!(kind(edge), LocKind::Undefined(_));
    template.edges.iter().filter(undefined).map(|edge| edge.source).collect()
}

/// Does this step change nothing and touch no memory? At a location where a thread asks whether what comes is
/// defined, it is the answer that it is.
fn checks(edge: &Edge) -> bool {
    edge.assigns.is_empty() && edge.accesses.is_empty()
}

/// Is one piece of the source the other, or around it? Where an end is not known, lines count.
pub fn covers(outer: Option<Span>, inner: Option<Span>) -> bool {
    let (Some(outer), Some(inner)) = (outer, inner) else { return false };
    let start = |span: Span| (span.line, span.column);
    let end = |span: Span| (span.end_line, span.end_column);
    let has_end = |span: Span| start(span) < end(span);
    outer.file == inner.file
        && match has_end(outer) && has_end(inner) {
            true => start(outer) <= start(inner) && end(inner) <= end(outer),
            false => outer.line == inner.line,
        }
}

/// Can two rows become one without hiding a value?
fn can_join(row: &Row, next: &Row) -> bool {
    let known = |change: &Change| row.changes.iter().any(|earlier| earlier.name == change.name);
    row.thread == next.thread && !next.changes.iter().any(known)
}

fn row(task: &Task, system: &System, step: &WitnessStep, edge: &Edge, changes: Vec<Change>) -> Row {
    let (program, template) = (system.program, system.template(step.instance));
    let source = edge.span.and_then(|span| source_text(task, program, span));
    let sets = edge.read_write_sets();
    Row {
        thread: step.instance,
        function: function(program, edge),
        line: edge.span.map(|span| line_label(program, span)).unwrap_or_default(),
        place: edge.span.map(|span| SourcePlace::of(program, span)),
        text: source.unwrap_or_else(|| print_step(program, template, edge)),
        changes,
        is_shared: sets.shared_reads().chain(sets.shared_writes()).next().is_some(),
    }
}

/// The function of the source that a step belongs to: the steps of a library function belong to who calls it.
pub fn function(program: &Program, edge: &Edge) -> Option<String> {
    let of_source = |call: &&Call| call.caller.is_none() || call.site != edge.span;
    let call = program.call_path(edge.call?).find(of_source)?;
    (!call.function.starts_with(LIBRARY)).then(|| call.function.clone())
}

/// The line number; with the file's name if it is not the first file.
fn line_label(program: &Program, span: Span) -> String {
    match program.files.get(span.file as usize) {
        Some(path) if span.file != 0 => {
            let name = path.rsplit('/').next().unwrap_or(path);
            format!("{name}:{}", span.line)
        }
        _ => span.line.to_string(),
    }
}

/// The visible values that a step writes.
fn changes(
    system: &System,
    instance: usize,
    edge: &Edge,
    before: &State,
    after: &State,
) -> Vec<Change> {
    let mut changes = Vec::new();
    let template = system.template(instance);
    for assign in &edge.assigns {
        let (ccfa::Place::Var(var) | ccfa::Place::Element(var, _)) = &assign.place;
        let declared = system.var(instance, *var);
        if !system.program.is_of_source(declared) || tidies_up(template, edge, assign) {
            continue;
        }
        for number in written(system, instance, &assign.place, before) {
            let cell = system.offset(instance, *var) + number;
            let value = |state: &State| names::value(system.program, declared, state.cells[cell]);
            changes.push(Change {
                name: system.program.cell_name(declared, number as u64),
                old: value(before),
                new: value(after),
            });
        }
    }
    changes
}

/// The elements of its variable that an assignment writes.
fn written(
    system: &System,
    instance: usize,
    place: &ccfa::Place,
    before: &State,
) -> std::ops::Range<usize> {
    match place {
        ccfa::Place::Var(var) => 0..system.var(instance, *var).cells(),
        ccfa::Place::Element(_, index) => match system.eval(before, instance, index) {
            Ok(Some(index)) => index as usize..index as usize + 1,
            _ => 0..0,
        },
    }
}
