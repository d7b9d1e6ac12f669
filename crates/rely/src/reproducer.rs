//! From a witness to a program that fails as it says: the hooks are put into the text ([`hooks`]), the witness is told as the steps at them ([`events`]), and it is said how
//! a program that is run shows this failure. Where that cannot be, the reason is said in words. Nothing here decides anything.

mod events;
mod hooks;

use crate::decided::DecidedTask;
use crate::input::{ReadProgram, Task};
use crate::report::{SourcePlace, rests, source_text};
use ccfa::semantics::System;
use ccfa::{Bad, ErrorKind, LocKind, Program, Span, Undefined};
use cfront::CProgram;
use cfront::syntax::ast::{Range, TranslationUnit};
use cfront::syntax::parse;
use check::Replay;
use events::{END, HookEvent, HookKind, Key, Open, Recorder, keys_of};
use evidence::{Verdict, Witness};
use formats::reproducer::{ForcedStep, NativeFailure, Reproducer};
use hooks::{FailingCall, Hooked, Hooks, Needed, functions};

/// Functions with which a schedule does not say all that happens: who ends when, and what runs then.
const NOT_FORCED: [&str; 6] = [
    "pthread_cancel",
    "__pthread_register_cancel",
    "pthread_tryjoin_np",
    "pthread_timedjoin_np",
    "pthread_clockjoin_np",
    "pthread_key_create",
];

/// The program that fails as an answer says, or why there is none. (None: the answer is not UNSAFE.)
pub fn make(read: &ReadProgram, decided: &DecidedTask) -> Option<Result<Reproducer, String>> {
    let Verdict::Unsafe(witness) = decided.verdict() else { return None };
    Some(match read {
        ReadProgram::C { program, .. } => of_c(program, decided.task(), witness),
        ReadProgram::Model(_) => Err("a model in text form is no program that can be run".into()),
    })
}

fn of_c(program: &CProgram, task: &Task, witness: &Witness) -> Result<Reproducer, String> {
    let [source] = program.sources() else {
        return Err("the program has several files".to_string());
    };
    if !task.delays.visible.is_empty() || !task.delays.delayed.is_empty() {
        return Err("no schedule can delay the writes of a weak memory model".to_string());
    }
    if program.data_model() != cfront::DataModel::Lp64 {
        return Err("it is made for 64-bit machines only".to_string());
    }
    let is_called = |name: &&&str| task.as_read().calls.iter().any(|call| call.function == **name);
    if let Some(name) = NOT_FORCED.iter().find(is_called) {
        return Err(format!("what happens with {name} cannot be forced"));
    }
    let replay = check::replay(task.as_read(), witness)?;
    let unit = parse(&source.text).map_err(|error| error.message)?;
    Making { program, task, witness, replay, unit, text: &source.text }.make()
}

struct Making<'a> {
    program: &'a CProgram,
    task: &'a Task,
    witness: &'a Witness,
    replay: Replay,
    unit: TranslationUnit,
    text: &'a str,
}

impl Making<'_> {
    fn make(&self) -> Result<Reproducer, String> {
        let model = self.task.as_read();
        let system = System::new(model, self.witness.instances);
        let defined = functions(&self.unit);
        if !defined.contains("main") {
            return Err("the program has no `main`".to_string());
        }
        let mut needed = Needed::new();
        for edge in model.templates.iter().flat_map(|template| &template.edges) {
            for (key, name) in keys_of(model, edge, &defined) {
                needed.entry(key).or_default().insert(name);
            }
        }
        let fails = self.failing_call(&system);
        let span = |range: Range| self.span_of(model, range);
        let hooks = Hooks::new(self.text, &self.unit, &span, &needed, fails.as_ref());
        let mut hooked = hooks.put(&self.unit).ok_or("there is nothing to force")?;
        let events = self.events(&system, &hooked, &defined)?;
        let failure = self.failure(&system, fails.as_ref())?;
        let number = |key: &Key| match key.kind {
            HookKind::End => hooked.places.len(),
            _ => hooked.places[key].0,
        };
        let step = |event: &HookEvent| ForcedStep {
            thread: event.instance,
            place: number(&event.key),
            value: event.value,
        };
        let first = |instance: &usize| !rests(&system, *instance, &self.replay.states[0]);
        Ok(Reproducer {
            threads: system.instances.iter().map(|one| model.instance_name(*one)).collect(),
            main: (0..system.instances.len()).find(first).unwrap_or_default(),
            fails: self.who_fails(),
            places: self.places(model, &hooked),
            steps: events.iter().map(step).collect(),
            parts: self.parts(&hooked),
            text: std::mem::take(&mut hooked.text),
            failure,
        })
    }

    /// The place of a piece of the text, as the model has it.
    fn span_of(&self, model: &Program, range: Range) -> Option<Span> {
        let map = self.program.map();
        let (place, end) = (map.place(range.lo), map.end(range.hi));
        let name = map.files().get(place.file as usize)?;
        let file = model.files.iter().position(|file| file == name)? as u32;
        let start = Span::at(file, place.line, place.column);
        let has_end =
            place.file == end.file && (place.line, place.column) <= (end.line, end.column);
        Some(match has_end {
            true => Span { end_line: end.line, end_column: end.column, ..start },
            false => start,
        })
    }

    /// The steps at hooks.
    fn events(
        &self,
        system: &System,
        hooked: &Hooked,
        defined: &events::Defined,
    ) -> Result<Vec<HookEvent>, String> {
        let mut recorder = Recorder {
            system,
            defined,
            places: &hooked.places,
            events: Vec::new(),
            refused: None,
            open: vec![Open::default(); system.instances.len()],
        };
        recorder.record(self.witness, &self.replay);
        if let Some((span, why)) = recorder.refused {
            return Err(format!("{}: {why}", SourcePlace::of(system.program, span)));
        }
        let is_hooked =
            |event: &HookEvent| event.key == END || hooked.places.contains_key(&event.key);
        let lost = recorder
            .events
            .iter()
            .find(|event| !is_hooked(event) && event.key.kind != HookKind::Call);
        if let Some(event) = lost {
            let place = SourcePlace::of(system.program, event.key.span);
            return Err(format!("the step at {place} cannot be held up in C"));
        }
        recorder.events.retain(is_hooked);
        Ok(recorder.events)
    }

    /// Where hooks stand, for people.
    fn places(&self, model: &Program, hooked: &Hooked) -> Vec<String> {
        let mut places = vec![String::new(); hooked.places.len()];
        for (key, (number, _)) in &hooked.places {
            let text = source_text(self.task, model, key.span).unwrap_or_default();
            let verb = match key.kind {
                HookKind::Read => "read in ",
                HookKind::Write => "write in ",
                HookKind::Return => "the end of ",
                HookKind::Update | HookKind::Call | HookKind::Value | HookKind::End => "",
            };
            places[*number] = format!("{}: {verb}{text}", SourcePlace::of(model, key.span));
        }
        places.push("the end of the thread".to_string());
        places
    }

    /// The parts of the scheduler that are needed.
    fn parts(&self, hooked: &Hooked) -> Vec<&'static str> {
        let is_posix = hooked.text[0].contains("pthread_mutex_t");
        hooked.parts.iter().copied().chain(is_posix.then_some("RELY_POSIX")).collect()
    }

    /// The thread that fails; of a race, the one whose access comes last.
    fn who_fails(&self) -> usize {
        match &self.replay.bad {
            Bad::Error { instance } | Bad::Undefined { instance } => *instance,
            Bad::Race([_, last]) => last.instance,
            Bad::Deadlock => 0,
        }
    }

    /// Where a thread stands at the end, and of what kind that is.
    fn end<'p>(&self, system: &System<'p>, instance: usize) -> Option<(&'p LocKind, Option<Span>)> {
        let at = self.replay.states.last()?.locations[instance];
        let location = &system.template(instance).locations[at.index()];
        let own = |step: &&evidence::WitnessStep| step.instance == instance;
        let last = self.witness.steps.iter().rev().find(own);
        let span = last.and_then(|step| system.template(instance).edges[step.edge.index()].span);
        Some((&location.kind, location.span.or(span)))
    }

    /// The call that is the error, if it is one.
    fn failing_call(&self, system: &System) -> Option<FailingCall> {
        let Bad::Error { instance } = self.replay.bad else { return None };
        let (LocKind::Error(ErrorKind::Call(function)), span) = self.end(system, instance)? else {
            return None;
        };
        let span = span?;
        let place = SourcePlace::of(system.program, span);
        let what = format!("a call of {function} at {}:{}", place.file, place.line);
        Some(FailingCall { function: function.clone(), span, what })
    }

    /// How the failure shows when the program is run.
    fn failure(
        &self,
        system: &System,
        call: Option<&FailingCall>,
    ) -> Result<NativeFailure, String> {
        let says = |all: &[&str]| all.iter().map(|one| one.to_string()).collect();
        let plain = NativeFailure::default();
        match &self.replay.bad {
            Bad::Error { instance } => {
                let place = self.end(system, *instance).and_then(|(_, span)| span);
                let place = place.map(|span| SourcePlace::of(system.program, span));
                let line = place.map_or(String::new(), |place| format!(":{}: ", place.line));
                let what = call.map_or(line, |call| call.what.clone());
                Ok(NativeFailure { says: vec![what], ..plain })
            }
            Bad::Race(_) => {
                let says = says(&["ThreadSanitizer: data race"]);
                Ok(NativeFailure { flags: "-fsanitize=thread", says, is_race: true, ..plain })
            }
            Bad::Deadlock => {
                let waiting = (0..system.instances.len()).filter(|one| self.waits(system, *one));
                let says = says(&["rely: deadlock: these threads wait for ever"]);
                Ok(NativeFailure { says, waiting: waiting.count(), ..plain })
            }
            Bad::Undefined { instance } => match self.end(system, *instance) {
                Some((LocKind::Undefined(kind), _)) => undefined(*kind),
                _ => Err("the end of the interleaving has no place".to_string()),
            },
        }
    }

    /// Does a thread wait at the end?
    fn waits(&self, system: &System, instance: usize) -> bool {
        let Some(last) = self.replay.states.last() else { return false };
        system.next(last, instance).next().is_some() && !rests(system, instance, last)
    }
}

/// How undefined behaviour shows with the sanitizers of gcc and clang.
fn undefined(kind: Undefined) -> Result<NativeFailure, String> {
    use Undefined::*;
    let (flags, says): (_, &[&str]) = match kind {
        NullPointer | UseAfterFree | DeadObject | OutOfBounds | NotAnObject | ConstWritten
        | InvalidFree | DoubleFree | IndexOutOfBounds | Misaligned | Overlap => (
            "-fsanitize=address,undefined -fno-sanitize-recover=all",
            &["ERROR: AddressSanitizer", "runtime error: "],
        ),
        MemoryLost | MemoryNotFreed => ("-fsanitize=address", &["ERROR: LeakSanitizer"]),
        DivisionByZero | SignedOverflow | ShiftAmount | Unreachable | EmptyArray => {
            ("-fsanitize=undefined -fno-sanitize-recover=all", &["runtime error: "])
        }
        Trap => ("-fsanitize=undefined -fsanitize-undefined-trap-on-error", &["rely: trap"]),
        MutexNotOwned
        | MutexDestroyedLocked
        | MutexDestroyedTwice
        | MutexRelocked
        | RwlockNotHeld
        | RwlockDestroyedLocked
        | SpinNotHeld => ("-fsanitize=thread", &["WARNING: ThreadSanitizer: "]),
        _ => return Err(format!("no sanitizer of a C compiler shows that {}", kind.text())),
    };
    let is_at_end = matches!(kind, MemoryLost | MemoryNotFreed);
    let says = says.iter().map(|one| one.to_string()).collect();
    Ok(NativeFailure { flags, says, is_at_end, ..NativeFailure::default() })
}
