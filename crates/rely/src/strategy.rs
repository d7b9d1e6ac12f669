//! Which engine works, and what to do when a bound of the model was too small.

use crate::console::Console;
use crate::input::Task;
use crate::options::CheckOptions;
use ccfa::Gap;
use cfront::Bounds;
use clap::builder::PossibleValuesParser;
use engine::Engine;
use evidence::{Reason, Verdict};
use explore::{Explorer, SearchOrder};

/// The bounds a C program is first read with.
pub const FIRST_BOUNDS: Bounds = Bounds { recursion: 4, objects: 8 };
/// The bounds we do not go beyond.
const LAST_BOUNDS: Bounds = Bounds { recursion: 32, objects: 64 };

/// An engine the user may ask for.
struct Choice {
    name: &'static str,
    make: fn() -> Box<dyn Engine>,
}

/// Every engine there is; the first one is taken when none is asked for.
const ENGINES: [Choice; 1] = [Choice {
    name: "explore",
    make: || Box::new(Explorer { order: SearchOrder::BreadthFirst, reduce: true }),
}];

/// The names of the engines, for the options table.
pub fn engine_names() -> PossibleValuesParser {
    PossibleValuesParser::new(ENGINES.map(|choice| choice.name))
}

/// The engine the user asked for, or the first.
pub fn engine(options: &CheckOptions, console: &Console) -> Box<dyn Engine> {
    let asked = options.engine.as_deref();
    let choice = ENGINES.iter().find(|choice| Some(choice.name) == asked);
    let why = if choice.is_some() { "as asked" } else { "the default" };
    let choice = choice.unwrap_or(&ENGINES[0]);
    console.note(&format!("engine {}: {why}", choice.name));
    (choice.make)()
}

/// Larger bounds to read the program with, if `verdict` says that it needs them.
pub fn larger_bounds(task: &Task, verdict: &Verdict) -> Option<Bounds> {
    let bounds = task.bounds?;
    let bound_reached = matches!(verdict, Verdict::Unknown(Reason::Gap { gap: Gap::Bound, .. }));
    let larger = Bounds {
        recursion: (bounds.recursion * 2).min(LAST_BOUNDS.recursion),
        objects: (bounds.objects * 2).min(LAST_BOUNDS.objects),
    };
    (bound_reached && larger != bounds).then_some(larger)
}
