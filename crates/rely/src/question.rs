//! What can be asked of a program. Each question has a verdict of its own. **Trusted**, but for the words.

mod words;

use ccfa::{Bad, Class, LocKind, Program, Span, Undefined};
use cfront::{Property, SignedOverflow};
use check::Replay;
use std::collections::BTreeSet;
use transform::DeadlocksAs;

/// A question about a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Question {
    /// Can an assertion fail, or a function be called that must not be?
    Assertions,
    /// Can memory be accessed that is no live object, or be freed wrongly?
    Memory,
    /// Can signed arithmetic overflow?
    Overflow,
    /// Can behaviour be undefined in any way that is noticed, memory and overflow among them?
    Undefined,
    /// Can two threads access memory at the same time, one of them to write it, and not both atomically?
    Races,
    /// Can it come to a state in which no thread can move though one has not ended?
    Deadlocks,
    /// Can allocated memory be lost?
    Leaks,
}

impl Question {
    /// The classes of undefined behaviour that it asks for.
    pub fn classes(self) -> &'static [Class] {
        match self {
            Question::Assertions | Question::Races | Question::Deadlocks => &[],
            Question::Memory => &[Class::Memory],
            Question::Overflow => &[Class::Overflow],
            Question::Undefined => Class::UNDEFINED,
            Question::Leaks => &[Class::Leaks],
        }
    }

    /// Does this execution of a program answer it with UNSAFE?
    pub(crate) fn is_violated_by(self, program: &Program, replay: &Replay) -> bool {
        match replay.bad {
            Bad::Error { .. } => self == Question::Assertions,
            Bad::Undefined { instance } => {
                let kind = undefined_at(program, replay, instance);
                kind.is_some_and(|kind| self.classes().contains(&kind.class()))
            }
            Bad::Race(_) => self == Question::Races,
            Bad::Deadlock => self == Question::Deadlocks,
        }
    }
}

/// In which way behaviour is undefined where an execution ends for an instance.
fn undefined_at(program: &Program, replay: &Replay, instance: usize) -> Option<Undefined> {
    let template = program.template_of(replay.instances[instance].thread);
    let at = replay.states.last()?.locations[instance];
    match template.locations[at.index()].kind {
        LocKind::Undefined(kind) => Some(kind),
        _ => None,
    }
}

/// What is asked of a C program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asked {
    /// The questions.
    pub questions: BTreeSet<Question>,
    /// What counts as a failed assertion.
    pub errors: Property,
    /// As which errors engines see deadlocks, if they do.
    pub deadlocks_as: Option<DeadlocksAs>,
    /// What is not asked for any more.
    pub known: KnownFailures,
}

/// What is known to happen: errors and undefined behaviour, by kind and place, and the places of races, the smaller first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct KnownFailures {
    pub ends: Vec<(LocKind, Span)>,
    pub races: BTreeSet<[Span; 2]>,
}

impl KnownFailures {
    /// The program that is asked for anything else. Where one of the known errors happens, or behaviour is undefined in a way that is known, the
    /// program ends (an atomic location without edges is its end), as it does where these are asked for. Races that are known end nothing.
    pub fn leave_out(&self, program: &mut Program) {
        program.property.known_races.clone_from(&self.races);
        for at in program.templates.iter_mut().flat_map(|template| &mut template.locations) {
            if self.ends.iter().any(|(kind, span)| at.kind == *kind && at.span == Some(*span)) {
                (at.kind, at.atomic) = (LocKind::Plain, true);
            }
        }
    }
}

impl Asked {
    pub fn new(questions: BTreeSet<Question>, errors: Property) -> Asked {
        Asked { questions, errors, deadlocks_as: None, known: KnownFailures::default() }
    }

    /// Whether assertions can fail.
    pub fn assertions(errors: Property) -> Asked {
        Asked::new(BTreeSet::from([Question::Assertions]), errors)
    }

    /// What is an error of the model.
    pub fn errors(&self) -> Property {
        match self.questions.contains(&Question::Assertions) {
            true => self.errors.clone(),
            false => Property::Nothing,
        }
    }

    /// The classes of undefined behaviour that are bad.
    pub fn undefined(&self) -> BTreeSet<Class> {
        self.questions.iter().flat_map(|question| question.classes()).copied().collect()
    }

    /// The questions that a model answers in which signed overflow is this.
    pub fn answered(&self, overflow: SignedOverflow) -> BTreeSet<Question> {
        let is_followed = overflow == SignedOverflow::AnyValue;
        let not_noticed = |class: &Class| matches!(class, Class::Overflow | Class::Memory);
        let is_answered =
            |question: &&Question| !is_followed || !question.classes().iter().any(not_noticed);
        self.questions.iter().filter(is_answered).copied().collect()
    }
}
