//! Steps in words, for the sentences in which evidence is refused.

use ccfa::semantics::{State, System};
use ccfa::text::location_name;
use ccfa::{Bad, Edge, EdgeId, Template};

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

/// What is wrong with a state that is bad, or in which the model ends.
pub(crate) fn wrong(system: &System, state: &State) -> &'static str {
    match system.bad(state) {
        None => "is where the model ends",
        Some(Bad::Error { .. }) => "is at an error",
        Some(Bad::Undefined { .. }) => "is where behaviour is undefined",
        Some(Bad::Deadlock) => "is a deadlock",
        Some(Bad::Race(_)) => "has a race",
    }
}

/// A state that is in no closed set: an initial one, or one to which a step of an instance leads from a member.
pub(crate) fn uncovered(system: &System, from: Option<(usize, usize)>) -> String {
    let what = match from {
        None => "an initial state".to_string(),
        Some((member, instance)) => {
            let name = system.program.instance_name(system.instances[instance]);
            format!("from state {member}, a successor by {name}")
        }
    };
    format!("{what} is not in the set or its rank too high")
}
