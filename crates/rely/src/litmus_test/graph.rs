//! An execution as a graph for Graphviz: one box for each thread, one node for each event, arrows for program order, dependencies and
//! communication.

use super::words::{does, event_name};
use crate::dot::quoted;
use axioms::EventRelation;
use litmus::CandidateGraph;
use litmus::test::LitmusTest;

/// The graph.
pub(super) fn write(test: &LitmusTest, graph: &CandidateGraph) -> String {
    let initial = test.locations.len();
    let label = |event: usize| match event < initial {
        true => does(test, graph, event),
        false => format!("{}: {}", event_name(event, initial), does(test, graph, event)),
    };
    let mut text = format!("digraph {} {{\n", quoted(&test.name));
    text += "  node [shape=box, fontname=\"monospace\", fontsize=10];\n";
    text += "  edge [fontname=\"monospace\", fontsize=9];\n";
    for event in 0..initial {
        text += &format!("  e{event} [label={}, style=dashed];\n", quoted(&label(event)));
    }
    for thread in 0..test.threads.len() {
        text += &format!("  subgraph cluster_{thread} {{\n    label=\"P{thread}\";\n");
        for event in initial..graph.values.len() {
            if graph.origins[event].is_some_and(|(of, _)| of == thread) {
                text += &format!("    e{event} [label={}];\n", quoted(&label(event)));
            }
        }
        text += "  }\n";
    }
    let execution = &graph.execution;
    for (name, relation, style) in [
        ("po", &direct(&execution.po), ""),
        ("rf", &execution.rf, ", color=red"),
        ("co", &direct(&execution.co), ", color=blue"),
        ("fr", &execution.from_reads(), ", color=orange"),
        ("addr", &execution.addr, ", color=darkgreen, style=dashed"),
        ("data", &execution.data, ", color=darkgreen, style=dashed"),
        ("ctrl", &execution.ctrl, ", color=darkgreen, style=dashed"),
        ("rmw", &execution.rmw, ", color=purple"),
    ] {
        for (from, to) in relation.pairs() {
            text += &format!("  e{from} -> e{to} [label=\"{name}\"{style}];\n");
        }
    }
    text + "}\n"
}

/// A transitive order without the pairs that follow from others.
fn direct(order: &EventRelation) -> EventRelation {
    order.difference(&order.then(order))
}
