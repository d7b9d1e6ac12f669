//! `rely show`: the program as the engines see it, and the places where the
//! model ends because a construct is not supported.

use crate::bad_input::BadInput;
use crate::deep_stack;
use crate::dot;
use crate::input::Input;
use crate::litmus_test;
use crate::options::ReadOptions;
use crate::question::Asked;
use crate::report::SourcePlace;
use crate::strategy::FIRST_BOUNDS;
use ccfa::{Limit, LocKind, Location, Program, Template, text};
use cfront::{Property, Purpose};
use std::panic::resume_unwind;

/// How a program is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The model's text form: a `.rely` file.
    Text,
    /// A graph for Graphviz.
    Dot,
}

/// A program as the engines see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The program.
    pub text: String,
    /// A line for each construct that is not supported and that control flow leads to.
    pub unsupported: Vec<String>,
}

/// Shows the program.
///
/// # Panics
///
/// If something in rely is wrong.
pub fn show(input: &Input, options: &ReadOptions, format: Format) -> Result<Shown, BadInput> {
    deep_stack::run(|| {
        if let Some(text) = litmus_test::text_of(input)? {
            return litmus_test::show(input, &text, options, format);
        }
        let read = input.read(options)?;
        let task = read.lower(
            Purpose::Verification,
            &Asked::assertions(Property::default()),
            FIRST_BOUNDS,
        )?;
        let text = match format {
            Format::Text => text::print(&task.program),
            Format::Dot => dot::write(&task.program),
        };
        Ok(Shown { text, unsupported: unsupported(&task.program) })
    })
    .unwrap_or_else(|panic| resume_unwind(Box::new(panic)))
}

/// A line for each unsupported construct that edges lead to from the entry.
fn unsupported(program: &Program) -> Vec<String> {
    let running = program.threads.iter().map(|thread| thread.template.index());
    let mut lines = Vec::new();
    for template in running.map(|number| &program.templates[number]) {
        for location in connected(template) {
            if let LocKind::Limit(Limit::Unsupported, what) = &location.kind {
                let place =
                    location.span.map(|span| format!("{}: ", SourcePlace::of(program, span)));
                lines.push(format!("{}not supported: {what}\n", place.unwrap_or_default()));
            }
        }
    }
    lines.sort();
    lines.dedup();
    lines
}

/// The locations that edges lead to from the entry, whatever the guards say.
fn connected(template: &Template) -> Vec<&Location> {
    let locations = template.locations.iter().zip(template.reachable([template.entry]));
    locations.filter_map(|(location, is_reachable)| is_reachable.then_some(location)).collect()
}
