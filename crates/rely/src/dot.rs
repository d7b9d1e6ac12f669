//! The program as a graph for Graphviz: one box for each template, one node for
//! each location, one arrow for each step.

use ccfa::text::{location_name, print_step};
use ccfa::{LocId, LocKind, Location, Program, Template};
use std::fmt::Write;

/// The graph of all templates.
pub fn write(program: &Program) -> String {
    let mut text = format!("digraph {} {{\n", quoted(&program.name));
    text += "  node [shape=ellipse, fontname=\"monospace\", fontsize=10];\n";
    text += "  edge [fontname=\"monospace\", fontsize=9];\n";
    for (number, template) in program.templates.iter().enumerate() {
        write_template(program, number, template, &mut text).expect("a string grows");
    }
    text + "}\n"
}

fn write_template(
    program: &Program,
    number: usize,
    template: &Template,
    text: &mut String,
) -> std::fmt::Result {
    writeln!(text, "  subgraph cluster_{number} {{")?;
    writeln!(text, "    label={};", quoted(&template.name))?;
    for (index, location) in template.locations.iter().enumerate() {
        let entry = if template.entry.index() == index { ", peripheries=2" } else { "" };
        let name = location_name(template, LocId(index as u32));
        let (label, style) = node(&name, location);
        writeln!(text, "    t{number}_{index} [label={}{style}{entry}];", quoted(&label))?;
    }
    for edge in &template.edges {
        let label = quoted(&print_step(program, template, edge));
        let (source, target) = (edge.source.index(), edge.target.index());
        writeln!(text, "    t{number}_{source} -> t{number}_{target} [label={label}];")?;
    }
    writeln!(text, "  }}")
}

/// Label and style of a location.
fn node(name: &str, location: &Location) -> (String, &'static str) {
    match &location.kind {
        LocKind::Error(what) => (format!("{name}\nerror: {what}"), ", shape=octagon, color=red"),
        LocKind::Undefined(what) => {
            (format!("{name}\nundefined: {}", what.text()), ", shape=box, color=orange")
        }
        LocKind::Limit(_, what) => (format!("{name}\nlimit: {what}"), ", shape=box, color=orange"),
        LocKind::Plain if location.atomic => {
            (name.to_string(), ", style=filled, fillcolor=lightgrey")
        }
        LocKind::Plain => (name.to_string(), ""),
    }
}

/// A string as Graphviz reads it.
pub fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}
