//! A tree without its formulas: where its nodes are and how they hang together.
//!
//! Everything malformed is found here, except labels that are no formulas; so
//! the rest of the checker may use every number without a second look.

use crate::refuse;
use ccfa::LocId;
use ccfa::semantics::{State, System};
use evidence::{Reached, Reason, Tree};

/// What is known about a node beside its label.
#[derive(Clone, Debug)]
pub(crate) struct SkeletonNode {
    /// Where each instance is; there are no cells.
    pub at: State,
    /// The nodes reached from here.
    pub children: Vec<usize>,
    /// The needed nodes that are covered by this one.
    pub covers: Vec<usize>,
    /// The argument speaks of it: the root; the children of a needed node that is
    /// not covered; what covers a needed node.
    pub needed: bool,
}

/// The skeleton of a tree, by node.
pub(crate) fn skeleton(system: &System, tree: &Tree) -> Result<Vec<SkeletonNode>, Reason> {
    let mut skeleton: Vec<SkeletonNode> = Vec::new();
    for (number, node) in tree.nodes.iter().enumerate() {
        let locations = match node.reached {
            None if number == 0 => system.initial().locations,
            Some(reached) if (reached.parent as usize) < number => {
                let parent = &mut skeleton[reached.parent as usize];
                parent.children.push(number);
                follow(system, &parent.at.locations, reached)
                    .or_else(|how| refuse(format!("node {number} is reached {how}")))?
            }
            _ => return refuse(format!("node {number} has no parent before it")),
        };
        if node.cover.is_some_and(|cover| cover as usize >= tree.nodes.len()) {
            return refuse(format!("node {number} is covered by a node that does not exist"));
        }
        let at = State { locations, cells: Vec::new() };
        skeleton.push(SkeletonNode { at, children: Vec::new(), covers: Vec::new(), needed: false });
    }
    if skeleton.is_empty() {
        return refuse("the tree has no root");
    }
    mark_needed(tree, &mut skeleton)?;
    Ok(skeleton)
}

/// The locations after a step.
fn follow(system: &System, before: &[LocId], reached: Reached) -> Result<Vec<LocId>, &'static str> {
    let Reached { instance, edge, .. } = reached;
    if instance >= system.instances.len() {
        return Err("by a thread that does not exist");
    }
    match system.template(instance).edges.get(edge.index()) {
        None => Err("along an edge that does not exist"),
        Some(edge) if edge.source != before[instance] => Err("along an edge that starts elsewhere"),
        Some(edge) => {
            let mut after = before.to_vec();
            after[instance] = edge.target;
            Ok(after)
        }
    }
}

/// Finds the needed nodes, and what they cover.
fn mark_needed(tree: &Tree, skeleton: &mut [SkeletonNode]) -> Result<(), Reason> {
    let mut waiting = vec![0];
    while let Some(number) = waiting.pop() {
        if std::mem::replace(&mut skeleton[number].needed, true) {
            continue;
        }
        match tree.nodes[number].cover {
            None => waiting.extend(&skeleton[number].children),
            Some(cover) => {
                let cover = cover as usize;
                let complaint = if tree.nodes[cover].cover.is_some() {
                    "is covered itself"
                } else if skeleton[cover].at != skeleton[number].at {
                    "is at other locations"
                } else {
                    skeleton[cover].covers.push(number);
                    waiting.push(cover);
                    continue;
                };
                return refuse(format!("node {number} is covered by {cover}, which {complaint}"));
            }
        }
    }
    Ok(())
}
