//! Which abstract thread belongs to which thread: functions of the program, state
//! machines of a file, suggestions.

use crate::bad_input::{BadInput, refuse};
use crate::input::{Input, Task, read_text};
use crate::report::source_line;
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
    /// It was not written.
    pub suggested: bool,
}

/// A file with state machines. It is read once: it may be a pipe.
pub struct MachineFile {
    name: String,
    text: String,
}

impl MachineFile {
    pub fn read(path: &Path) -> Result<MachineFile, BadInput> {
        Ok(MachineFile { name: path.display().to_string(), text: read_text(path)? })
    }
}

/// The threads that have an abstract thread. A thread-modular specification gives
/// its thread errors that it did not have.
pub fn all(
    input: &Input,
    suggest_missing: bool,
    file: Option<&MachineFile>,
    task: &mut Task,
) -> Result<Vec<Pair>, BadInput> {
    let program_name = input.name();
    let written = match file {
        Some(file) => machines(file, &mut task.program)?,
        None => Vec::new(),
    };
    let task = &*task;
    let program = &task.program;
    no_orphans(program_name, program)?;
    let mut pairs = Vec::new();
    for (number, declared) in program.threads.iter().enumerate() {
        let thread = ThreadId(number as u32);
        let template = &program.templates[declared.template.index()];
        let name = format!("{ABSTRACT_PREFIX}{}", template.name);
        let own = program.templates.iter().find(|template| template.name == name);
        let machine = match (written.iter().find(|(of, _)| *of == template.name), own) {
            (Some((_, machine)), _) => Some((machine.clone(), false)),
            (None, Some(own)) => Some((read(program_name, task, own)?, false)),
            (None, None) if suggest_missing && template.name != "main" => {
                let suggested = suggest(program, template);
                Some((
                    suggested.map_err(|error| unreadable(program_name, task, template, &error))?,
                    true,
                ))
            }
            (None, None) => None,
        };
        let pair = machine.map(|(machine, suggested)| Pair { thread, machine, suggested });
        pairs.extend(pair);
    }
    match pairs.is_empty() {
        true => Err(refuse(program_name, none())),
        false => Ok(pairs),
    }
}

fn none() -> String {
    format!(
        "no thread has an abstract thread; write a function `{ABSTRACT_PREFIX}NAME` for a start \
         routine NAME, or see --suggest"
    )
}

/// In a model, too, the template of an abstract thread must be of a thread. (C programs are
/// asked when they are read.)
fn no_orphans(file: &str, program: &Program) -> Result<(), BadInput> {
    let running = |name: &str| {
        let templates = program.threads.iter().map(|thread| thread.template.index());
        templates.into_iter().any(|number| program.templates[number].name == name)
    };
    for template in &program.templates {
        let routine = template.name.strip_prefix(ABSTRACT_PREFIX);
        if let Some(routine) = routine.filter(|routine| !running(routine)) {
            let message =
                format!("`{}` specifies no thread: no thread runs `{routine}`", template.name);
            return Err(refuse(file, message));
        }
    }
    Ok(())
}

fn read(file: &str, task: &Task, template: &Template) -> Result<Machine, BadInput> {
    read_machine(&task.program, template).map_err(|error| unreadable(file, task, template, &error))
}

fn unreadable(file: &str, task: &Task, template: &Template, error: &Unreadable) -> BadInput {
    let message = format!("`{}` is no abstract thread: {}", template.name, error.message);
    let Some(span) = error.span else { return refuse(file, message) };
    let excerpt = source_line(task, &task.program, span).map(str::to_string);
    let included = task.program.files.get(span.file as usize).cloned();
    BadInput {
        complaints: vec![Complaint {
            message,
            file: included.unwrap_or_else(|| file.to_string()),
            place: Some((span.line, span.column, 1)),
            excerpt,
        }],
    }
}

/// The state machines of a file.
fn machines(file: &MachineFile, program: &mut Program) -> Result<Vec<(String, Machine)>, BadInput> {
    let mut machines = Vec::new();
    for (name, spec) in specs(file, program)? {
        let machine = match spec {
            Spec::Machine(machine) => machine,
            Spec::Modular(modular) => {
                let found = program.templates.iter().position(|template| template.name == name);
                let number = found.expect("the text form has looked for the template");
                let translated = translate(program, &program.templates[number], &modular);
                let (template, machine) = translated.map_err(|why| refuse(&file.name, why))?;
                program.templates[number] = template;
                machine
            }
        };
        machines.push((name, machine));
    }
    Ok(machines)
}

fn specs(file: &MachineFile, program: &Program) -> Result<Vec<(String, Spec)>, BadInput> {
    let specs = text::parse(program, &file.text).map_err(|error| BadInput {
        complaints: vec![Complaint {
            message: error.message,
            file: file.name.clone(),
            place: Some((error.line, 1, 1)),
            excerpt: file.text.lines().nth(error.line as usize - 1).map(str::to_string),
        }],
    })?;
    match specs.is_empty() {
        true => Err(refuse(&file.name, "there is no abstract thread in this file")),
        false => Ok(specs),
    }
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
