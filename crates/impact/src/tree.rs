//! The abstract reachability tree (Definition 3.1): nodes with labels, tree edges
//! and the covering relation.
//!
//! Beside the paper's label, a node has what the path to it computes exactly: the
//! value of each variable as a term over inputs, and the conditions under which
//! its last step was taken. Feasibility of a path and "does this formula hold at
//! the end of the path?" are then questions about these terms, most of which fold
//! to constants.
//!
//! A node is *closed off* if an ancestor of it is covered or has the label false:
//! nothing below such a node matters.

use crate::action::Action;
use ccfa::LocId;
use logic::{Symbol, Term};
use std::collections::HashMap;
use std::rc::Rc;

/// A node: index into the tree. Nodes are numbered as they are made: `V^{<v}` are
/// the nodes with smaller numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub u32);

/// A global control location: index into the tree's table of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PlaceId(u32);

pub(crate) struct ArtNode {
    /// Where it comes from and by which action.
    pub parent: Option<(NodeId, Rc<Action>)>,
    /// l(v)
    pub place: PlaceId,
    /// φ(v): a conjunction, sorted. If it cannot hold it is exactly `[false]`.
    pub label: Vec<Term>,
    /// v ▷ w
    pub cover: Option<NodeId>,
    /// How often it has lost its cover.
    pub losses: u32,
    /// The nodes that it covers.
    pub covers: Vec<NodeId>,
    pub children: Vec<NodeId>,
    /// For each instance, whether it has been expanded here.
    pub expanded: Vec<bool>,
    /// The only thread that need be: it is a singleton persistent set.
    pub singleton: Option<usize>,
    /// The value of each variable of the state at the end of the path.
    pub values: Rc<Vec<Term>>,
    /// What each guard of the last action was at the time, in the order of `Action::guards`.
    pub conditions: Vec<Term>,
    /// The symbols of the last action's inputs on this path.
    pub inputs: Vec<Symbol>,
    /// How many actions on the path to it close loops.
    pub rounds: usize,
    /// The label is false: nothing is here.
    pub dead: bool,
    /// Not expanded yet.
    pub open: bool,
    pub closed_off: bool,
}

pub(crate) struct ReachabilityTree {
    nodes: Vec<ArtNode>,
    places: Vec<Rc<Vec<LocId>>>,
    place_ids: HashMap<Rc<Vec<LocId>>, PlaceId>,
    /// The nodes at each place, oldest first.
    at: Vec<Vec<NodeId>>,
}

impl ArtNode {
    /// A leaf with the label true, reached without conditions and inputs.
    pub fn new(
        parent: Option<(NodeId, Rc<Action>)>,
        place: PlaceId,
        instances: usize,
        values: Rc<Vec<Term>>,
    ) -> ArtNode {
        ArtNode {
            parent,
            place,
            label: Vec::new(),
            cover: None,
            losses: 0,
            covers: Vec::new(),
            children: Vec::new(),
            expanded: vec![false; instances],
            singleton: None,
            values,
            conditions: Vec::new(),
            inputs: Vec::new(),
            rounds: 0,
            dead: false,
            open: true,
            closed_off: false,
        }
    }
}

impl ReachabilityTree {
    pub fn new() -> ReachabilityTree {
        ReachabilityTree {
            nodes: Vec::new(),
            places: Vec::new(),
            place_ids: HashMap::new(),
            at: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn ids(&self) -> impl Iterator<Item = NodeId> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    pub fn locations(&self, place: PlaceId) -> &Rc<Vec<LocId>> {
        &self.places[place.0 as usize]
    }

    /// The place with these locations.
    pub fn place(&mut self, locations: Vec<LocId>) -> PlaceId {
        if let Some(place) = self.place_ids.get(&locations) {
            return *place;
        }
        let place = PlaceId(self.places.len() as u32);
        let locations = Rc::new(locations);
        self.places.push(Rc::clone(&locations));
        self.at.push(Vec::new());
        self.place_ids.insert(locations, place);
        place
    }

    /// The nodes at a place, oldest first.
    pub fn at(&self, place: PlaceId) -> &[NodeId] {
        &self.at[place.0 as usize]
    }

    pub fn add(&mut self, node: ArtNode) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        if let Some((parent, _)) = &node.parent {
            self.nodes[parent.0 as usize].children.push(id);
        }
        self.at[node.place.0 as usize].push(id);
        self.nodes.push(node);
        id
    }

    /// The nodes from the root to `v`.
    pub fn path(&self, v: NodeId) -> Vec<NodeId> {
        let mut path = vec![v];
        let mut node = v;
        while let Some((parent, _)) = &self[node].parent {
            node = *parent;
            path.push(node);
        }
        path.reverse();
        path
    }

    /// Neither the node nor an ancestor is covered, or has the label false.
    pub fn counts(&self, v: NodeId) -> bool {
        let node = &self[v];
        node.cover.is_none() && !node.dead && !node.closed_off
    }

    /// Adds v ▷ w. What `v` and the nodes below it cover is uncovered; returns
    /// the nodes that are to be looked at again.
    pub fn cover(&mut self, v: NodeId, w: NodeId) -> Vec<NodeId> {
        debug_assert!(self.counts(v) && self.counts(w) && w < v && self[v].place == self[w].place);
        self[v].cover = Some(w);
        self[w].covers.push(v);
        self.close_off(v)
    }

    /// The label of `v` has become false.
    pub fn kill(&mut self, v: NodeId) -> Vec<NodeId> {
        self[v].dead = true;
        self.close_off(v)
    }

    fn close_off(&mut self, v: NodeId) -> Vec<NodeId> {
        let mut again = self.uncover_all(v);
        let mut below = self[v].children.clone();
        while let Some(node) = below.pop() {
            if !self[node].closed_off {
                self[node].closed_off = true;
                below.extend(self[node].children.iter());
                again.extend(self.uncover_all(node));
            }
        }
        again
    }

    /// Removes x ▷ v for every x.
    fn uncover_all(&mut self, v: NodeId) -> Vec<NodeId> {
        let covered = self[v].covers.clone();
        covered.into_iter().flat_map(|x| self.uncover(x)).collect()
    }

    /// Removes the cover of `x`; returns the nodes below that are to be expanded.
    pub fn uncover(&mut self, x: NodeId) -> Vec<NodeId> {
        if let Some(w) = self[x].cover.take() {
            self[w].covers.retain(|covered| *covered != x);
            self[x].losses += 1;
        }
        let mut again = Vec::new();
        if self[x].closed_off || self[x].dead {
            return again;
        }
        let mut here = vec![x];
        while let Some(node) = here.pop() {
            self[node].closed_off = false;
            if self[node].open {
                again.push(node);
            }
            if self[node].cover.is_none() && !self[node].dead {
                here.extend(self[node].children.iter());
            }
        }
        again
    }

    /// What `counts` says, and the covering relation, found in the naive way.
    #[cfg(debug_assertions)]
    pub fn check(&self) {
        for v in self.ids() {
            let node = &self[v];
            let above = node.parent.as_ref().map(|(parent, _)| &self[*parent]);
            let closed =
                above.is_some_and(|above| above.closed_off || above.dead || above.cover.is_some());
            assert_eq!(node.closed_off, closed, "{v:?} should know whether it is closed off");
            if let Some(w) = node.cover {
                assert!(self[w].covers.contains(&v), "{w:?} should know that it covers {v:?}");
                assert!(node.closed_off || self.counts(w), "{w:?} should not be covered");
            }
        }
    }
}

impl std::ops::Index<NodeId> for ReachabilityTree {
    type Output = ArtNode;
    fn index(&self, id: NodeId) -> &ArtNode {
        &self.nodes[id.0 as usize]
    }
}

impl std::ops::IndexMut<NodeId> for ReachabilityTree {
    fn index_mut(&mut self, id: NodeId) -> &mut ArtNode {
        &mut self.nodes[id.0 as usize]
    }
}
