//! `rely show`: the program as the engines see it, and the places where the
//! model ends because a construct is not supported.

use crate::dot;
use crate::input::{self, BadInput};
use crate::options::{Format, ShowOptions};
use crate::report::{Report, place};
use crate::strategy::FIRST_BOUNDS;
use ccfa::{Gap, LocKind, Location, Program, Template, text};
use cfront::Property;

/// Shows the program. Complete models end with SAFE's exit code, models with a
/// reachable gap with UNKNOWN's.
pub fn run(options: &ShowOptions) -> Result<Report, BadInput> {
    let task = input::load(&options.input, &Property::Assertions, FIRST_BOUNDS)?;
    let stdout = match options.format {
        Format::Text => text::print(&task.program),
        Format::Dot => dot::write(&task.program),
    };
    let gaps = unsupported(&task.program);
    let code = if gaps.is_empty() { Report::SAFE } else { Report::UNKNOWN };
    Ok(Report { stdout, stderr: gaps.concat(), code })
}

/// A line for each unsupported construct that edges lead to from the entry.
fn unsupported(program: &Program) -> Vec<String> {
    let running = program.threads.iter().map(|thread| thread.template.index());
    let mut lines = Vec::new();
    for template in running.map(|number| &program.templates[number]) {
        for location in connected(template) {
            if let LocKind::Gap(Gap::Unsupported, what) = &location.kind {
                let place = location.span.map(|span| format!("{}: ", place(program, span)));
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
    let edges_from = template.edges_from();
    let mut seen = vec![false; template.locations.len()];
    let mut waiting = vec![template.entry];
    while let Some(location) = waiting.pop() {
        if !std::mem::replace(&mut seen[location.index()], true) {
            let edges = edges_from[location.index()].iter();
            waiting.extend(edges.map(|edge| template.edges[edge.index()].target));
        }
    }
    let locations = template.locations.iter().zip(seen);
    locations.filter_map(|(location, seen)| seen.then_some(location)).collect()
}
