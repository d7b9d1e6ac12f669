//! Which abstract thread belongs to which thread: functions of the program, state
//! machines of a file, suggestions.

use crate::input::{BadInput, read_text, refuse};
use crate::options::ConformOptions;
use crate::report::place;
use ::conform::modular::translate;
use ::conform::text::{self, Spec};
use ::conform::{Machine, Unreadable, read_machine, suggest};
use ccfa::{Program, Template, ThreadId};
use cfront::{ABSTRACT_PREFIX, Complaint};
use std::path::Path;

/// A thread and its abstract thread.
pub struct Pair {
    pub thread: ThreadId,
    pub machine: Machine,
    /// Nobody has written it.
    pub suggested: bool,
}

/// The threads that have an abstract thread. A thread-modular specification gives
/// its thread errors that it did not have.
pub fn all(options: &ConformOptions, program: &mut Program) -> Result<Vec<Pair>, BadInput> {
    let path = &options.check.input.file;
    let written = match &options.machines {
        Some(file) => machines(file, program)?,
        None => Vec::new(),
    };
    let program = &*program;
    let mut pairs = Vec::new();
    for (number, declared) in program.threads.iter().enumerate() {
        let thread = ThreadId(number as u32);
        let template = &program.templates[declared.template.index()];
        let name = format!("{ABSTRACT_PREFIX}{}", template.name);
        let own = program.templates.iter().find(|template| template.name == name);
        let machine = match (written.iter().find(|(of, _)| *of == template.name), own) {
            (Some((_, machine)), _) => Some((machine.clone(), false)),
            (None, Some(own)) => Some((read(path, program, own)?, false)),
            (None, None) if options.suggest && template.name != "main" => {
                let suggested = suggest(program, template);
                Some((
                    suggested.map_err(|error| unreadable(path, program, template, &error))?,
                    true,
                ))
            }
            (None, None) => None,
        };
        let pair = machine.map(|(machine, suggested)| Pair { thread, machine, suggested });
        pairs.extend(pair);
    }
    match pairs.is_empty() {
        true => Err(refuse(path, none())),
        false => Ok(pairs),
    }
}

fn none() -> String {
    format!(
        "no thread has an abstract thread; write a function `{ABSTRACT_PREFIX}NAME` for a start \
         routine NAME, or see --suggest"
    )
}

fn read(path: &Path, program: &Program, template: &Template) -> Result<Machine, BadInput> {
    read_machine(program, template).map_err(|error| unreadable(path, program, template, &error))
}

fn unreadable(path: &Path, program: &Program, template: &Template, error: &Unreadable) -> BadInput {
    let at = error.span.map(|span| format!(" at {}", place(program, span)));
    let at = at.unwrap_or_default();
    refuse(path, format!("`{}` is no abstract thread{at}: {}", template.name, error.message))
}

/// The state machines of a file.
fn machines(file: &Path, program: &mut Program) -> Result<Vec<(String, Machine)>, BadInput> {
    let mut machines = Vec::new();
    for (name, spec) in specs(file, program)? {
        let machine = match spec {
            Spec::Machine(machine) => machine,
            Spec::Modular(modular) => {
                let found = program.templates.iter().position(|template| template.name == name);
                let number = found.expect("the text form has looked for the template");
                let translated = translate(program, &program.templates[number], &modular);
                let (template, machine) = translated.map_err(|why| refuse(file, why))?;
                program.templates[number] = template;
                machine
            }
        };
        machines.push((name, machine));
    }
    Ok(machines)
}

fn specs(file: &Path, program: &Program) -> Result<Vec<(String, Spec)>, BadInput> {
    let source = read_text(file)?;
    text::parse(program, &source).map_err(|error| BadInput {
        complaints: vec![Complaint {
            message: error.message,
            file: file.display().to_string(),
            place: Some((error.line, 1, 1)),
            excerpt: source.lines().nth(error.line as usize - 1).map(str::to_string),
        }],
    })
}

/// The abstract threads that were suggested, as text.
pub fn suggestions(program: &Program, pairs: &[Pair]) -> String {
    let suggested = pairs.iter().filter(|pair| pair.suggested);
    let texts: Vec<String> = suggested
        .map(|pair| text::print(program, &pair.machine, &program.template_of(pair.thread).name))
        .collect();
    match texts.is_empty() {
        true => String::new(),
        false => {
            format!("\nSuggested (to be kept in a file for --machines):\n\n{}", texts.join("\n"))
        }
    }
}
