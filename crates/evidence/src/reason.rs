//! Why a verdict is UNKNOWN, in words for people.

use ccfa::{Gap, LocKind, Location, Program, Span};
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
    /// The model ends at a reachable place.
    Gap {
        /// Why it ends.
        gap: Gap,
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

impl Reason {
    /// That the model ends at this location, if it does.
    pub fn of_gap(location: &Location) -> Option<Reason> {
        let LocKind::Gap(gap, what) = &location.kind else { return None };
        Some(Reason::Gap { gap: *gap, what: what.clone(), span: location.span })
    }

    /// That the model ends at one of these locations, if none of them is an error.
    pub fn of_gaps<'l>(locations: impl Iterator<Item = &'l Location>) -> Option<Reason> {
        let mut found = None;
        for location in locations {
            if matches!(location.kind, LocKind::Error(_)) {
                return None;
            }
            found = Reason::of_gap(location).or(found);
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
            Reason::Gap { gap, what, span } => {
                match gap {
                    Gap::Unsupported => write!(f, "not supported: {what}")?,
                    Gap::Undefined => write!(f, "undefined behaviour may happen: {what}")?,
                    Gap::Bound => write!(f, "a bound of the model was reached: {what}")?,
                }
                match span {
                    Some(span) => {
                        let file = &program.files[span.file as usize];
                        write!(f, " at {file}:{}:{}", span.line, span.column)
                    }
                    None => Ok(()),
                }
            }
        })
    }
}
