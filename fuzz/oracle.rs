//! What must hold of every text, whatever it is: a model that is well-formed and
//! survives being printed and parsed, or a complaint; no panic, soon.

#![allow(dead_code)] // Each user has its own part of this.

use cfront::preprocess::Source;
use cfront::{
    Bounds, CProgram, Choices, DataModel, Leaks, Loaded, LowerOptions, Property, Purpose,
    SignedOverflow,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// How a text is read.
pub type Options = (DataModel, LowerOptions);

/// What became of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A model, and nothing wrong with it.
    Model,
    /// The text was refused.
    Refused,
    /// What must not be.
    Wrong(String),
}

/// Reads C text that was preprocessed and judges what becomes of it.
pub fn judge(text: &str, options: &Options, limit: Duration) -> Outcome {
    let start = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| judge_model(text, options)));
    let elapsed = start.elapsed();
    match outcome {
        Err(panic) => Outcome::Wrong(format!("panic: {}", message(panic.as_ref()))),
        Ok(_) if elapsed > limit => Outcome::Wrong(format!("slow: {:.1} s", elapsed.as_secs_f64())),
        Ok(outcome) => outcome,
    }
}

/// The same without an eye on panics and time.
pub fn judge_model(text: &str, options: &Options) -> Outcome {
    let source = Source::from_text("mutant.i", text);
    let (data_model, lower) = options;
    match CProgram::from_source(source, *data_model).and_then(|program| program.lower(lower)) {
        Err(bad) if bad.complaints.is_empty() => Outcome::Wrong("refused without a word".into()),
        Err(_) => Outcome::Refused,
        Ok(Loaded { program, .. }) => judge_program(&program),
    }
}

fn judge_program(program: &ccfa::Program) -> Outcome {
    if let Err(complaints) = ccfa::wellformed::check(program) {
        return Outcome::Wrong(format!("not well-formed: {}", complaints.join("; ")));
    }
    match ccfa::text::parse(&ccfa::text::print(program)) {
        Err(error) => Outcome::Wrong(format!("its print does not parse: {error:?}")),
        Ok(again) if again != *program => Outcome::Wrong("print and parse change it".into()),
        Ok(_) => Outcome::Model,
    }
}

/// Options that vary with a number, so that every setting is met.
pub fn options(number: u64) -> Options {
    let data_model = if number.is_multiple_of(5) { DataModel::Ilp32 } else { DataModel::Lp64 };
    let overflows = [SignedOverflow::Wrap, SignedOverflow::Undefined, SignedOverflow::AnyValue];
    let leaks = [None, Some(Leaks::Lost), Some(Leaks::Tracked), Some(Leaks::NotFreed)];
    let choices = Choices {
        signed_overflow: overflows[number as usize % 3],
        allocation_may_fail: number.is_multiple_of(7),
        creation_may_fail: number.is_multiple_of(11),
        deadlocks: number.is_multiple_of(13),
        shifts_overflow: number.is_multiple_of(2),
        uninitialised: number.is_multiple_of(4),
        leaks: leaks[number as usize % 4],
        attempts_fail: number.is_multiple_of(3),
    };
    let lower = LowerOptions {
        purpose: Purpose::Verification,
        choices,
        property: Property::Assertions,
        bounds: Bounds { recursion: 4, objects: 8 },
    };
    (data_model, lower)
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
