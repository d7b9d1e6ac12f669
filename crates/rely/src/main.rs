//! The command line. `check` reads as the story of the whole tool: load the
//! program, let an engine decide a simpler one, confirm the evidence, report. What a model
//! bounded too tightly is loaded again with larger bounds.
//!
//! Only this crate prints, reads arguments and chooses exit codes.

mod conform;
mod console;
mod dot;
mod excerpt;
mod input;
mod limits;
mod memory;
mod options;
mod property;
mod report;
mod show;
mod slice;
mod strategy;
mod supervise;

use clap::Parser;
use console::Console;
use engine::{Budget, Engine};
use evidence::{Reason, Verdict};
use input::{BadInput, Task};
use options::{CheckOptions, Cli, Command};
use report::Report;
use slice::Slice;
use std::sync::Arc;
use strategy::Stage;

fn main() {
    let cli = Cli::parse();
    let console = Arc::new(Console::new(cli.command.verbose()));
    match cli.command {
        Command::Check(options) => {
            let limits = options.limits();
            supervise::run(&console, limits, move |budget, console| run(&options, budget, console))
        }
        Command::Conform(options) => {
            let limits = options.check.limits();
            let work =
                move |budget: &Budget, console: &Console| conform::run(&options, budget, console);
            supervise::run(&console, limits, work)
        }
        Command::Show(options) => supervise::shielded(&console, move || show::run(&options)),
    }
}

/// From file to report. Ends early, with UNKNOWN, when the budget is exhausted.
fn run(options: &CheckOptions, budget: &Budget, console: &Console) -> Result<Report, BadInput> {
    let property = property::read(options.property.as_deref())?;
    let mut bounds = strategy::FIRST_BOUNDS;
    loop {
        let task = console.phase("reading", || input::load(&options.input, &property, bounds))?;
        task.announce(console);
        let plan = strategy::plan(options, &task.program);
        let (verdict, engine) = decide(&task, plan, budget, console);
        match strategy::larger_bounds(&task, &verdict) {
            Some(larger) if budget.exhausted().is_none() => bounds = larger,
            _ => return Ok(report::write(&task, engine, &verdict, options.proof)),
        }
    }
}

/// The first answer that an engine of the plan finds, and its name.
fn decide(
    task: &Task,
    plan: Vec<Stage>,
    budget: &Budget,
    console: &Console,
) -> (Verdict, &'static str) {
    let mut reasons: Vec<(&'static str, Reason)> = Vec::new();
    for mut stage in plan {
        let name = stage.engine.name();
        let gave_up = |(who, why): &(&str, Reason)| *who == name && *why != Reason::Timeout;
        if reasons.iter().any(gave_up) {
            continue;
        }
        console.note(&format!("engine {name}: {}", stage.why));
        let slice = Slice::of(budget, stage.slice);
        let verdict = verify(task, stage.engine.as_mut(), &slice.budget, budget, console);
        let Verdict::Unknown(reason) = verdict else { return (verdict, name) };
        console.note(&format!("engine {name}: {}", reason.describe(&task.program)));
        reasons.push((name, reason));
        if budget.exhausted().is_some() || strategy::needs_larger_bounds(&reasons) {
            break;
        }
    }
    let (name, reason) = strategy::best_reason(reasons);
    (
        Verdict::Unknown(
            budget.exhausted().filter(|_| reason == Reason::Timeout).unwrap_or(reason),
        ),
        name,
    )
}

/// The engine's verdict on its part of the budget. The engine sees what the property needs, with
/// known values in place; the checker sees its evidence and the program as it was read.
fn verify(
    task: &Task,
    engine: &mut dyn Engine,
    part: &Budget,
    budget: &Budget,
    console: &Console,
) -> Verdict {
    let program = &task.program;
    let sliced = transform::slice(program);
    let simpler = transform::simplify(&sliced.program);
    let mut observer = console.observer();
    let verdict =
        console.phase("exploring", || engine.verify(&simpler.program, part, &mut observer));
    let verdict = sliced.back(simpler.back(verdict));
    let watched = budget.clone();
    let stop = move || watched.exhausted().is_some();
    if !observer.last.is_empty() {
        console.note(&observer.last);
    }
    let verdict = console.phase("checking", || check::confirm(program, verdict, stop));
    match (verdict, budget.exhausted()) {
        (Verdict::Unknown(Reason::Timeout), Some(why)) => Verdict::Unknown(why),
        (verdict, _) => verdict,
    }
}
