//! Decides whether an assertion of a multi-threaded C program can fail: the library. The command `rely`
//! (`src/bin/rely`) reads arguments, prints and keeps the limits of its process; everything else is here and
//! does none of that.
//!
//! - A program comes [in](Input) as a file or as a text in memory.
//! - [`check`], [`conform`] and [`show`] work on it; [`Control`] says when to stop and hears of the progress.
//! - A [`Report`] comes out: the verdict, its evidence in words and as data.
//!
//! Every SAFE and every UNSAFE was confirmed by the checker before it is reported. `pipeline` is the story of
//! the whole tool on one screen.

mod conformance;
mod control;
mod deep_stack;
mod dot;
mod engines;
mod excerpt;
mod input;
mod options;
mod pipeline;
mod property;
mod report;
mod show;
mod strategy;

pub use cfront::{Complaint, DataModel, Property};
pub use conformance::conform;
pub use control::{Control, Phase, Progress};
pub use engine::{Budget, Descriptor, EngineOption, Event, NoSuchValue, Settings, Stop, Values};
pub use engines::{ENGINES, engine};
pub use input::{BadInput, Input};
pub use options::{CheckOptions, ConformOptions, ReadOptions, SignedOverflow};
pub use pipeline::check;
pub use property::read_property;
pub use report::{Cause, Change, Failure, Interleaving, Place, Report, Row, Verdict, grouped};
pub use show::{Format, Shown, show};
