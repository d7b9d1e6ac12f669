//! Steps in words, for the sentences in which evidence is refused.

use ccfa::semantics::System;
use ccfa::text::location_name;
use ccfa::{Edge, EdgeId, Template};

/// A step, for people.
pub(crate) fn describe(system: &System, (instance, edge): (usize, EdgeId)) -> String {
    let name = system.program.instance_name(system.instances[instance]);
    format!("{name}: {}", describe_edge(system.template(instance), edge))
}

/// An edge, for people.
pub(crate) fn describe_edge(template: &Template, edge: EdgeId) -> String {
    let Edge { source, target, .. } = &template.edges[edge.index()];
    format!("{} -> {}", location_name(template, *source), location_name(template, *target))
}
