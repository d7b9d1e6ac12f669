//! The command line: reads arguments, asks the library, prints what it answers. Only this binary prints,
//! reads arguments, handles signals, keeps limits and chooses exit codes.

mod console;
mod engine_options;
mod export;
mod limits;
mod memory;
mod options;
mod supervise;

use clap::Parser;
use console::{Console, Output};
use export::Exports;
use options::{CheckCommand, Cli, Command, ConformOptions, ShowOptions};
use rely::{BadInput, Budget, Cause, Control, Verdict};
use std::sync::Arc;

fn main() {
    let cli = Cli::parse();
    let console = Arc::new(Console::new(cli.command.verbose()));
    match cli.command {
        Command::Check(command) => {
            supervise::run(&console, command.options.limits(), |budget, console| {
                check(&command, budget, console)
            })
        }
        Command::Conform(options) => {
            supervise::run(&console, options.check.limits(), |budget, console| {
                conform(&options, budget, console)
            })
        }
        Command::Show(options) => supervise::shielded(&console, |_| show(&options)),
    }
}

fn check(command: &CheckCommand, budget: Budget, console: &Console) -> Result<Output, BadInput> {
    let mut control = Control::new(budget, |progress| console.hear(progress));
    console.export_to(Exports::open(command)?);
    let program = command.options.input.program()?;
    let answers = rely::check(&program, &command.question()?, &mut control)?;
    let violated = answers.worst().subproperty;
    let mut output = Output::of_all(answers);
    if let (Some(_), Some(name)) = (&command.options.property, violated) {
        output.stdout += &format!("\nViolated: {name}\n");
    }
    Ok(output)
}

fn conform(
    options: &ConformOptions,
    budget: Budget,
    console: &Console,
) -> Result<Output, BadInput> {
    let mut control = Control::new(budget, |progress| console.hear(progress));
    let input = options.check.input.program()?;
    let report = rely::conform(&input, &options.question()?, &mut control)?;
    Ok(Output::of(&report))
}

/// Complete models end with SAFE's exit code, models with a reachable limit with UNKNOWN's.
fn show(options: &ShowOptions) -> Result<Output, BadInput> {
    let input = &options.input;
    let shown = rely::show(&input.program()?, &input.options(), options.format.format())?;
    let verdict = match shown.unsupported.is_empty() {
        true => Verdict::Safe,
        false => Verdict::Unknown(Cause::ModelLimit),
    };
    let code = verdict.exit_code();
    Ok(Output::of_text(shown.text, shown.unsupported.concat(), code))
}
