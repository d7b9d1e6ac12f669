//! The command line: reads arguments, asks the library, prints what it answers. Only this binary prints,
//! reads arguments, handles signals, keeps limits and chooses exit codes.

mod arguments;
mod color;
mod console;
mod engine_options;
mod export;
mod generate;
mod limits;
mod memory;
mod options;
mod proof_dir;
mod replay;
mod supervise;

use clap::Parser;
use console::{Console, Output};
use export::Exports;
use formats::explanations::{self, explanations};
use options::{CheckCommand, Cli, Command, ConformOptions, ExplainOptions, ShowOptions};
use rely::{Answers, BadInput, Budget, Cause, Control, Verdict};
use std::sync::Arc;

fn main() {
    let cli = Cli::parse_from(arguments::prepared(std::env::args_os()));
    let console = Arc::new(Console::new(cli.command.verbose(), cli.color.is_wanted()));
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
        Command::Replay(options) => supervise::shielded(&console, |_| replay::replay(&options)),
        Command::Show(options) => supervise::shielded(&console, |_| show(&options)),
        Command::Explain(options) => supervise::shielded(&console, |_| explain(&options)),
        Command::Generate(options) => supervise::shielded(&console, |_| {
            Ok(Output::of_text(generate::text(&options.product), String::new(), 0))
        }),
    }
}

fn check(command: &CheckCommand, budget: Budget, console: &Console) -> Result<Output, BadInput> {
    let mut control = Control::new(budget, |progress| console.hear(progress));
    console.export_to(Exports::open(command)?);
    let program = command.options.input.program()?;
    let answers = rely::check(&program, &command.question()?, &mut control)?;
    let violated = answers.worst().subproperty;
    let wants_program = command.exports.reproducer.is_some();
    let why = wants_program.then(|| no_reproducer(&answers)).flatten();
    let mut output = Output::of_all(answers);
    output.stderr = why.map_or(String::new(), |why| format!("note: no reproducer: {why}\n"));
    if let (Some(_), Some(name)) = (&command.options.property, violated) {
        output.stdout += &format!("\nViolated: {name}\n");
    }
    Ok(output)
}

/// Why no program is written that fails as the answer says, if none is.
fn no_reproducer(answers: &Answers) -> Option<String> {
    let mut made = answers.reports().iter().filter_map(|report| report.reproducer.as_ref());
    let reasons: Vec<&String> = made.clone().filter_map(|made| made.as_ref().err()).collect();
    match (made.any(Result::is_ok), reasons.first()) {
        (true, _) => None,
        (false, Some(why)) => Some(why.to_string()),
        (false, None) => Some("no answer is UNSAFE".to_string()),
    }
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

/// One identifier, or the list of all.
fn explain(options: &ExplainOptions) -> Result<Output, BadInput> {
    let text = match &options.id {
        None => explanations().map(|one| format!("{:32} {}\n", one.id, one.summary)).collect(),
        Some(id) => {
            let why = "nothing has this identifier; `rely explain` lists all of them";
            let one = explanations::explain(id).ok_or_else(|| export::refuse(id, why))?;
            format!("{}\n\n{}\n", one.summary, one.more)
        }
    };
    Ok(Output::of_text(text, String::new(), 0))
}

/// Complete models end with SAFE's exit code, models with a reachable limit with UNKNOWN's.
fn show(options: &ShowOptions) -> Result<Output, BadInput> {
    let input = &options.input;
    let shown = rely::show(&input.program()?, &input.options()?, options.format.format())?;
    let verdict = match shown.unsupported.is_empty() {
        true => Verdict::Safe,
        false => Verdict::Unknown(Cause::ModelLimit),
    };
    let code = verdict.exit_code();
    Ok(Output::of_text(shown.text, shown.unsupported.concat(), code))
}
