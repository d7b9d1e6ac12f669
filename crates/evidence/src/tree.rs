//! An abstract reachability tree: the proof of lazy abstraction.
//!
//! FMCAD'13, Definitions 3.1, 3.2 and 4.5: a tree whose nodes are labelled with
//! formulas, with covers. Where partial-order reduction left out steps, the tree says nothing
//! more: that the steps may be left out follows from the edge by which the node was reached.
//!
//! The tree proves that the program has its property (`ccfa::property`) if
//! 1. the label of the root holds initially; the root stands at the entry of
//!    every instance;
//! 2. **well-labelled**: the label of a node and a step from it imply the label of
//!    the child the step leads to;
//! 3. **covering**: a covered node has the locations of the node that covers it,
//!    its label implies that node's label, and that node is not itself covered;
//! 4. **safe**: a node where the property is violated or the model ends has a label that cannot hold;
//! 5. **Π-complete**: at a node that is not covered, each edge of each instance that
//!    may move there has a child, or cannot be taken under the label, or may be
//!    left out *both* at the node and at every node that it covers. It may be
//!    left out at a node that was reached by a step of another instance which comes
//!    *later* in the order of steps (`ccfa::footprint`) and with which it commutes: neither
//!    touches a shared cell that the other writes (as far as the labels tell which
//!    cells of arrays are touched), the step did not start at an atomic location
//!    and the edge does not lead to one. And where the edges of one instance are a *singleton
//!    persistent set* (they conflict with no step that another instance can ever come to) and one
//!    of them can be taken under the label, the edges of other instances need nothing.
//!
//! Only nodes that are *needed* must meet these: the root, the children of needed
//! nodes that are not covered, and what covers needed nodes. So the tree may keep
//! the subtrees of covered nodes.
//!
//! Why this suffices is argued where it is checked, in `check::tree`.

use ccfa::semantics::System;
use ccfa::{EdgeId, Expr, Template, Var};

/// An abstract reachability tree. Node 0 is the root; parents come before children.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The nodes.
    pub nodes: Vec<TreeNode>,
}

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode {
    /// How it is reached: `None` for the root.
    pub reached: Option<Reached>,
    /// What holds there: all of these. An expression is false where it is undefined.
    /// Local variable number n is the n-th of the locals of all instances, in the
    /// order of `ccfa::semantics::System`: see [`Tree::scope`].
    pub label: Vec<Expr>,
    /// The node that covers it.
    pub cover: Option<u32>,
}

/// A step from a parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// From here,
    pub parent: u32,
    /// this instance (index into `System::instances`) moved
    pub instance: usize,
    /// along this edge of its template.
    pub edge: EdgeId,
}

impl Tree {
    /// What labels can speak of, as a template with the locals of all instances: to
    /// type, print and read them.
    pub fn scope(system: &System) -> Template {
        let mut scope = Template { name: "all instances".to_string(), ..Template::default() };
        for (number, instance) in system.instances.iter().enumerate() {
            let owner = system.program.instance_name(*instance);
            let locals = system.template(number).locals.iter();
            scope.locals.extend(
                locals.map(|var| Var { name: format!("{owner}.{}", var.name), ..var.clone() }),
            );
        }
        scope
    }
}
