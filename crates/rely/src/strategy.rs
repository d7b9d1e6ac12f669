//! Which engine works, and what to do when a bound of the model was too small.

use crate::input::Task;
use crate::options::CheckOptions;
use ccfa::Gap;
use cfront::Bounds;
use clap::builder::PossibleValuesParser;
use engine::Engine;
use evidence::{Reason, Verdict};
use explore::{Explorer, SearchOrder};
use impact::{Configuration, Impact, Reduction};
use rely_guarantee::{RelyGuarantee, Rule};
use std::time::Duration;
use thread_modular::{Method, ThreadModular};

/// The bounds a C program is first read with.
pub const FIRST_BOUNDS: Bounds = Bounds { recursion: 4, objects: 8 };
/// The bounds we do not go beyond.
const LAST_BOUNDS: Bounds = Bounds { recursion: 32, objects: 64 };

/// An engine the user may ask for.
struct Choice {
    name: &'static str,
    make: fn(&CheckOptions) -> Box<dyn Engine>,
}

/// Every engine there is.
const ENGINES: [Choice; 4] = [
    Choice {
        name: "explore",
        make: |_| Box::new(Explorer { order: SearchOrder::BreadthFirst, reduce: true }),
    },
    Choice { name: "impact", make: |options| Box::new(impact(options)) },
    Choice {
        name: "rely-guarantee",
        make: |options| Box::new(RelyGuarantee { bias: !options.no_bias, rule: rule(options) }),
    },
    Choice {
        name: "thread-modular",
        make: |options| Box::new(ThreadModular { method: method(options) }),
    },
];

/// The configurations of `impact`.
const REDUCTIONS: [(&str, Reduction, bool); 4] = [
    ("spor", Reduction::Static, false),
    ("spor+fc", Reduction::Static, true),
    ("dpor", Reduction::Dynamic, false),
    ("dpor+fc", Reduction::Dynamic, true),
];

/// The methods of `thread-modular`.
const METHODS: [(&str, Method); 4] = [
    ("auto", Method::Auto),
    ("tmmc", Method::Tmmc),
    ("tmmcir", Method::Tmmcir),
    ("afr", Method::Afr),
];

/// The proof rules of `rely-guarantee`.
const RULES: [(&str, Rule); 3] =
    [("auto", Rule::Auto), ("reach-env", Rule::ReachEnv), ("owicki-gries", Rule::OwickiGries)];

/// What is tried when no engine is asked for, one after the other, and for how long
/// at most. What the explorer can decide it mostly decides within two seconds, and
/// `impact` within a few; threads in any number are for `rely-guarantee`, and whoever
/// depends on others in a simple way; what is hard for all, all try for longer.
const PLAN: [(&str, Option<Duration>, &str); 6] = [
    ("explore", Some(Duration::from_secs(2)), "small programs are explored quickest"),
    ("impact", Some(Duration::from_secs(5)), "exploration did not decide it quickly"),
    ("rely-guarantee", Some(Duration::from_secs(15)), "lazy abstraction did not decide it quickly"),
    ("thread-modular", Some(Duration::from_secs(5)), "no proof by predicates was found quickly"),
    (
        "explore",
        Some(Duration::from_secs(15)),
        "looking at threads by themselves did not decide it",
    ),
    ("impact", None, "exploration did not decide it"),
];

/// A part of the plan: an engine, and how long it may work.
pub struct Stage {
    pub engine: Box<dyn Engine>,
    pub slice: Option<Duration>,
    /// For the user: why it is this engine's turn.
    pub why: &'static str,
}

/// The names of the engines, for the options table.
pub fn engine_names() -> PossibleValuesParser {
    PossibleValuesParser::new(ENGINES.map(|choice| choice.name))
}

/// The names of the configurations of `impact`, for the options table.
pub fn reduction_names() -> PossibleValuesParser {
    PossibleValuesParser::new(REDUCTIONS.map(|(name, ..)| name))
}

/// The names of the methods of `thread-modular`, for the options table.
pub fn method_names() -> PossibleValuesParser {
    PossibleValuesParser::new(METHODS.map(|(name, _)| name))
}

/// The names of the rules of `rely-guarantee`, for the options table.
pub fn rule_names() -> PossibleValuesParser {
    PossibleValuesParser::new(RULES.map(|(name, _)| name))
}

/// The engine the user asked for, or the plan.
pub fn plan(options: &CheckOptions) -> Vec<Stage> {
    let stage = |name: &str, slice, why| {
        let choice = ENGINES.iter().find(|choice| choice.name == name);
        let choice = choice.expect("the plan and the options should name engines there are");
        Stage { engine: (choice.make)(options), slice, why }
    };
    match options.engine.as_deref() {
        Some(name) => vec![stage(name, None, "as asked")],
        None => PLAN.map(|(name, slice, why)| stage(name, slice, why)).into(),
    }
}

fn impact(options: &CheckOptions) -> Impact {
    let asked = REDUCTIONS.iter().find(|(name, ..)| *name == options.reduction);
    let (_, reduction, force_cover) = *asked.expect("the options should name reductions there are");
    Impact { configuration: Configuration { reduction, force_cover } }
}

fn rule(options: &CheckOptions) -> Rule {
    let asked = RULES.iter().find(|(name, _)| *name == options.rule);
    asked.expect("the options should name rules there are").1
}

fn method(options: &CheckOptions) -> Method {
    let asked = METHODS.iter().find(|(name, _)| *name == options.method);
    asked.expect("the options should name methods there are").1
}

/// Is there no point in asking the next engine before the model is larger?
pub fn needs_larger_bounds(reasons: &[(&str, Reason)]) -> bool {
    reasons.iter().any(|(_, reason)| matches!(reason, Reason::Gap { gap: Gap::Bound, .. }))
}

/// The reason that helps the user most: what stands in the way rather than what
/// ran out, and that rather than what an engine cannot do; of two of a kind the later.
pub fn best_reason(reasons: Vec<(&'static str, Reason)>) -> (&'static str, Reason) {
    let rank = |(_, reason): &(&str, Reason)| match reason {
        Reason::CheckFailed(_) => 4,
        Reason::Gap { .. } => 3,
        Reason::Interrupted => 2,
        Reason::Timeout | Reason::OutOfMemory => 1,
        Reason::Beyond(_) => 0,
    };
    let best = reasons.into_iter().max_by_key(rank);
    best.unwrap_or(("", Reason::Beyond("no engine was asked".into())))
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
