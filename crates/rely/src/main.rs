//! The command line. `check` reads as the story of the whole tool: load the
//! program, let an engine decide it, confirm the evidence, report. What a model
//! bounded too tightly is loaded again with larger bounds.
//!
//! Only this crate prints, reads arguments and chooses exit codes.

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
mod strategy;
mod supervise;

use clap::Parser;
use console::Console;
use engine::{Budget, Engine};
use evidence::{Reason, Verdict};
use input::{BadInput, Task};
use options::{CheckOptions, Cli, Command};
use report::Report;
use std::sync::Arc;

fn main() {
    let cli = Cli::parse();
    let console = Arc::new(Console::new(cli.command.verbose()));
    match cli.command {
        Command::Check(options) => {
            let limits = options.limits();
            supervise::run(&console, limits, move |budget, console| run(&options, budget, console))
        }
        Command::Show(options) => supervise::shielded(&console, move || show::run(&options)),
    }
}

/// From file to report. Ends early, with UNKNOWN, when the budget is exhausted.
fn run(options: &CheckOptions, budget: &Budget, console: &Console) -> Result<Report, BadInput> {
    let property = property::read(options.property.as_deref())?;
    let mut engine = strategy::engine(options, console);
    let mut bounds = strategy::FIRST_BOUNDS;
    loop {
        let task = console.phase("reading", || input::load(&options.input, &property, bounds))?;
        task.announce(console);
        let verdict = verify(&task, engine.as_mut(), budget, console);
        match strategy::larger_bounds(&task, &verdict) {
            Some(larger) if budget.exhausted().is_none() => bounds = larger,
            _ => return Ok(report::write(&task, engine.name(), &verdict)),
        }
    }
}

/// The engine's verdict after the checker has seen its evidence.
fn verify(task: &Task, engine: &mut dyn Engine, budget: &Budget, console: &Console) -> Verdict {
    let program = &task.program;
    let mut observer = console.observer();
    let verdict = console.phase("exploring", || engine.verify(program, budget, &mut observer));
    let stop = || budget.exhausted().is_some();
    console.note(&format!("states seen: {}", console::grouped(console.states())));
    let verdict = console.phase("checking", || check::confirm(program, verdict, &stop));
    match (verdict, budget.exhausted()) {
        (Verdict::Unknown(Reason::Timeout), Some(why)) => Verdict::Unknown(why),
        (verdict, _) => verdict,
    }
}
