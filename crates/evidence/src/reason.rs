//! Why a verdict is UNKNOWN, in words for people.

use ccfa::{Limit, LocKind, Location, Program, Span, Stop, Undefined};
use std::fmt;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time limit was reached.
    Timeout,
    /// The memory limit was reached.
    OutOfMemory,
    /// The user or the system asked us to stop.
    Interrupted,
    /// Behaviour may be undefined, at a reachable place where that was not asked for.
    Undefined {
        /// In which way.
        what: Undefined,
        /// Where.
        span: Option<Span>,
    },
    /// The model ends at a reachable place.
    Limit {
        /// Why it ends.
        limit: Limit,
        /// What is there.
        what: String,
        /// Where.
        span: Option<Span>,
    },
    /// The engine cannot decide programs of this kind; in plain words.
    Beyond(String),
    /// `check` refuted the evidence: a defect of ours.
    CheckFailed(String),
}

impl From<Stop> for Reason {
    fn from(stop: Stop) -> Reason {
        match stop {
            Stop::Timeout => Reason::Timeout,
            Stop::Memory => Reason::OutOfMemory,
            Stop::Interrupt => Reason::Interrupted,
        }
    }
}

impl Reason {
    /// That the model ends at this location, or behaviour is undefined, if so.
    pub fn of_limit(location: &Location) -> Option<Reason> {
        let span = location.span;
        match &location.kind {
            LocKind::Plain | LocKind::Error(_) => None,
            LocKind::Undefined(what) => Some(Reason::Undefined { what: *what, span }),
            LocKind::Limit(limit, what) => {
                Some(Reason::Limit { limit: *limit, what: what.clone(), span })
            }
        }
    }

    /// That the model ends at one of these locations, if none is an error.
    pub fn of_limits<'l>(locations: impl Iterator<Item = &'l Location>) -> Option<Reason> {
        let mut found = None;
        for location in locations {
            if matches!(location.kind, LocKind::Error(_)) {
                return None;
            }
            found = Reason::of_limit(location).or(found);
        }
        found
    }

    /// The reason as a sentence, with the place in the source.
    pub fn describe<'a>(&'a self, program: &'a Program) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| match self {
            Reason::Timeout => write!(f, "the time limit was reached"),
            Reason::OutOfMemory => write!(f, "the memory limit was reached"),
            Reason::Interrupted => write!(f, "interrupted"),
            Reason::Beyond(why) => write!(f, "{why}"),
            Reason::CheckFailed(why) => {
                write!(f, "the evidence did not pass the checker (a defect of rely): {why}")
            }
            Reason::Undefined { what, span } => {
                write!(f, "undefined behaviour may happen: {}{}", what.text(), at(program, *span))
            }
            Reason::Limit { limit: Limit::Unsupported, what, span } => {
                write!(f, "not supported: {what}{}", at(program, *span))
            }
            Reason::Limit { limit: Limit::Bound, what, span } => {
                write!(f, "a bound of the model was reached: {what}{}", at(program, *span))
            }
        })
    }
}

/// ` at file:line:column`, if known.
fn at(program: &Program, span: Option<Span>) -> String {
    match span {
        Some(Span { file, line, column, .. }) => {
            format!(" at {}:{line}:{column}", program.files[file as usize])
        }
        None => String::new(),
    }
}
