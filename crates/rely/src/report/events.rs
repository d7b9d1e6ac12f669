//! An execution as other verifiers can follow it, for witnesses: which statements threads reach in which order, where threads are created, what functions without a
//! body return. Steps that access no memory of the program are not told, and no statement twice in a row: where it is one statement that reads and then writes, to reach it is one event.

use super::interleaving::{covers, edge, function};
use super::{SourcePlace, source_line, source_text};
use crate::input::Task;
use ccfa::semantics::{State, System};
use ccfa::{Assign, Bad, Call, Edge, EdgeId, LocId, Rhs, Span};
use check::Replay;
use evidence::{Witness, WitnessStep};
use formats::witness::{EventKind, Point, Violation, WitnessEvent};

/// How the functions begin that return any value.
const NONDETERMINISTIC: &str = "__VERIFIER_nondet_";

/// What happens in an execution, and where it goes wrong. A deadlock has no place of its own: nothing is told of it.
pub fn violation(task: &Task, witness: &Witness, replay: &Replay) -> Option<Violation> {
    let system = System::new(task.as_read(), witness.instances);
    let mut numbers = vec![None; system.instances.len()];
    let first =
        (0..numbers.len()).find(|instance| !rests(&system, *instance, &replay.states[0]))?;
    numbers[first] = Some(0);
    let mut telling = Telling {
        task,
        system: &system,
        numbers,
        last: vec![None; system.instances.len()],
        events: Vec::new(),
    };
    for (number, pair) in replay.states.windows(2).enumerate() {
        telling.step(&witness.steps[number]);
        telling.creation(&witness.steps[number..], [&pair[0], &pair[1]]);
    }
    let targets = telling.targets(witness, replay)?;
    let mut events = telling.events;
    // To reach the place of the error is the end, and no event before it.
    let is_end =
        |event: &WitnessEvent| event.kind == EventKind::Reaches && targets.contains(&event.at);
    while events.pop_if(|event| is_end(event)).is_some() {}
    Some(Violation { events, targets })
}

/// Is an instance not created yet? Then it is where it starts, and no guard lets it pass.
pub fn rests(system: &System, instance: usize, state: &State) -> bool {
    let at: LocId = state.locations[instance];
    let passes = |edge: &Edge| system.eval(state, instance, &edge.guard) == Ok(Some(1));
    system.template(instance).locations[at.index()].resting
        && !system.next(state, instance).any(|(_, edge)| passes(edge))
}

/// Is a piece of the source a part of the statement that was reached last, as far as one can see? If it begins no statement, it is that of its line.
fn at_same_statement(last: Span, span: Span, begins: bool) -> bool {
    let is_line = (last.file, last.line) == (span.file, span.line);
    covers(Some(last), Some(span)) || covers(Some(span), Some(last)) || (is_line && !begins)
}

struct Telling<'a> {
    task: &'a Task,
    system: &'a System<'a>,
    /// By instance: the number of its thread, in the order of creation.
    numbers: Vec<Option<usize>>,
    /// By instance: where it was last, and the edge with which it came to that statement. If it takes that edge again, it has come back.
    last: Vec<Option<(Span, EdgeId)>>,
    events: Vec<WitnessEvent>,
}

impl Telling<'_> {
    fn step(&mut self, step: &WitnessStep) {
        let edge = edge(self.system, step);
        let (Some(number), Some(span)) = (self.numbers[step.instance], edge.span) else { return };
        if !edge.accesses.is_empty() {
            let at = self.point(number, edge, span);
            let same = self.last[step.instance].filter(|(last, first)| {
                *first != step.edge && at_same_statement(*last, span, at.has_column)
            });
            let is_new = same.is_none();
            self.last[step.instance] = Some((span, same.map_or(step.edge, |(_, first)| first)));
            if is_new && (at.has_column || self.begins_with_statement(span)) {
                self.events.push(WitnessEvent { kind: EventKind::Reaches, at });
            }
        }
        if let Some((function, value)) = self.returned(step, edge, span) {
            let at = self.end_of_call(number, edge, span);
            self.events.push(WitnessEvent { kind: EventKind::Returns { function, value }, at });
        }
    }

    /// The thread that a step creates, if it does: one that could not move before. Where several copies of it could move now, it is the one that moves next.
    fn creation(&mut self, steps: &[WitnessStep], [before, after]: [&State; 2]) -> Option<()> {
        let creator = edge(self.system, &steps[0]);
        let is_new = |instance: &usize| {
            self.numbers[*instance].is_none()
                && rests(self.system, *instance, before)
                && !rests(self.system, *instance, after)
        };
        let new: Vec<usize> = (0..self.numbers.len()).filter(is_new).collect();
        let next = steps.iter().map(|step| step.instance).find(|instance| new.contains(instance));
        let instance = next.or(new.first().copied())?;
        let thread = self.numbers.iter().flatten().count();
        self.numbers[instance] = Some(thread);
        let site = creator.call.and_then(|call| {
            let calls = self.system.program.call_path(call);
            calls.filter(|call| call.caller.is_some()).find_map(|call| call.site)
        });
        let number = self.numbers[steps[0].instance]?;
        let at = self.end_of_call(number, creator, site.or(creator.span)?);
        let kind = EventKind::Creates { thread, routine: self.routine(instance) };
        self.events.push(WitnessEvent { kind, at });
        Some(())
    }

    /// The function with which a thread starts.
    fn routine(&self, instance: usize) -> String {
        let template = self.system.template(instance);
        let starts = template.edges.iter().filter_map(|edge| {
            self.system.program.call_path(edge.call?).find(|call: &&Call| call.caller.is_none())
        });
        let mut names =
            starts.map(|call| &call.function).filter(|name| !name.starts_with("__rely_"));
        names.next().unwrap_or(&template.name).clone()
    }

    /// The function without a body that returns a value in this step, and the value as a constant of C.
    fn returned(&self, step: &WitnessStep, edge: &Edge, span: Span) -> Option<(String, String)> {
        let mut arbitrary =
            edge.assigns.iter().filter(|assign: &&Assign| assign.value == Rhs::Havoc);
        let (Some(_), None, [value]) = (arbitrary.next(), arbitrary.next(), &step.havoc[..]) else {
            return None;
        };
        let text = source_text(self.task, self.system.program, span)?;
        let (name, _) = text.strip_prefix(NONDETERMINISTIC)?.split_once('(')?;
        let is_large = *value > i128::from(i64::MAX);
        let value = format!("{value}{}", if is_large { "U" } else { "" });
        Some((format!("{NONDETERMINISTIC}{name}"), value))
    }

    fn point(&self, thread: usize, edge: &Edge, span: Span) -> Point {
        let program = self.system.program;
        let function = function(program, edge);
        let has_column = self.is_statement(span);
        Point { thread, function, place: SourcePlace::of(program, span), has_column }
    }

    /// The closing parenthesis of a call.
    fn end_of_call(&self, thread: usize, edge: &Edge, span: Span) -> Point {
        let has_column =
            span.end_column > 1 && (span.line, span.column) < (span.end_line, span.end_column);
        let mut point = Point { has_column, ..self.point(thread, edge, span) };
        if has_column {
            (point.place.line, point.place.column) = (span.end_line, span.end_column - 1);
        }
        point
    }

    /// Does a statement begin here, and not an expression within one? Then nothing stands before it but what ends another one or begins a block.
    fn is_statement(&self, span: Span) -> bool {
        let Some(line) = source_line(self.task, self.system.program, span) else { return false };
        let before: String = line.chars().take(span.column as usize - 1).collect();
        before.trim_end().chars().next_back().is_none_or(|last| ";{}:".contains(last))
    }

    /// Does a statement begin with the line? Then the line before ends a statement, a block, or what stands before a statement, and the line itself continues nothing.
    fn begins_with_statement(&self, span: Span) -> bool {
        let line = |number: u32| {
            let text = source_line(self.task, self.system.program, Span { line: number, ..span })?;
            Some(text.trim().split("//").next().unwrap_or_default().trim_end())
        };
        let is_code =
            |text: &&str| !text.is_empty() && !text.starts_with('#') && !text.ends_with("*/");
        let before = (1..span.line).rev().filter_map(line).find(is_code);
        let ends =
            before.is_none_or(|text| text.ends_with([';', '{', '}', ':', ')']) || text == "else");
        let first = line(span.line).and_then(|text| text.chars().next());
        ends && first.is_some_and(|first| first.is_alphanumeric() || "_*({}".contains(first))
    }

    fn targets(&self, witness: &Witness, replay: &Replay) -> Option<Vec<Point>> {
        match replay.bad {
            Bad::Error { instance } | Bad::Undefined { instance } => {
                let last = replay.states.last()?;
                let steps = witness.steps.iter().rev();
                let own = steps.into_iter().find(|step| step.instance == instance)?;
                let edge = edge(self.system, own);
                let span = self.system.location(last, instance).span.or(edge.span)?;
                Some(vec![self.point(self.numbers[instance]?, edge, span)])
            }
            Bad::Race(sides) => {
                let point = |side: &ccfa::property::Racing| {
                    let edge = &self.system.template(side.instance).edges[side.edge.index()];
                    let span = edge.accesses.get(side.access)?.span.or(edge.span)?;
                    Some(self.point(self.numbers[side.instance]?, edge, span))
                };
                sides.iter().map(point).collect()
            }
            Bad::Deadlock => None,
        }
    }
}
