//! The graph of inclusions and its least solution.
//!
//! Each node has the set of objects its values may point to. An edge from a
//! node to another includes its set in the other's. Loads, stores and calls
//! through a pointer wait at the pointer's node and become edges as its targets
//! are found.
//!
//! Solved in waves, after Pereira and Berlin, *Wave propagation and deep
//! propagation for pointer analysis*, CGO 2009: merge the nodes of each cycle
//! (they have the same targets), pass on along the edges what is new, in
//! topological order, then add the edges that the new targets ask for; again
//! until there is nothing new.

use super::Pointee;
use super::calls::{Routine, Waiting};
use super::cycles::components;
use crate::hir::{FuncId, Unit, VarId};
use crate::syntax::ast::Range;
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::rc::Rc;

/// A set of objects, by their numbers; it grows as needed.
pub(super) type PointeeSet = FixedBitSet;

/// A node: the values in an object, returned by a function, or of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ConstraintNode(pub(super) u32);

/// Inclusions between nodes.
pub(super) struct ConstraintGraph {
    /// What each function does; see `calls`.
    pub(super) routines: Rc<[Routine]>,
    /// The starts of threads so far: function and argument.
    pub(super) spawns: HashSet<(ConstraintNode, Option<ConstraintNode>)>,
    variables: usize,
    nodes: Vec<NodeData>,
    /// The node each node was merged into: itself, or one that was not merged.
    merged: Vec<ConstraintNode>,
    /// Edges there are, so that few are added twice.
    edges: HashSet<(ConstraintNode, ConstraintNode)>,
    objects: Pointees,
    /// Nodes that always hold just the address of one object.
    addresses: HashMap<Pointee, ConstraintNode>,
    results: HashMap<(u32, u32), ConstraintNode>,
    /// Calls and starts of threads through pointers.
    waiting: Vec<Waiting>,
    /// The functions found for them.
    linked: HashSet<(usize, FuncId)>,
    /// Something is new and was not passed on.
    is_stale: bool,
}

/// The solved graph.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    sets: Vec<PointeeSet>,
    merged: Vec<ConstraintNode>,
    objects: Pointees,
    results: HashMap<(u32, u32), ConstraintNode>,
    escape_roots: Vec<ConstraintNode>,
}

#[derive(Default)]
struct NodeData {
    points_to: PointeeSet,
    /// The part of `points_to` that was not passed on along the edges yet.
    fresh: PointeeSet,
    /// The part of `points_to` that loads, stores and calls have not seen yet.
    unresolved: PointeeSet,
    edges: Vec<ConstraintNode>,
    /// Includes what the targets of this node hold.
    loaded: Option<ConstraintNode>,
    /// Is included in what the targets of this node hold.
    stored: Option<ConstraintNode>,
    /// Positions in `ConstraintGraph::waiting`.
    calls: Vec<usize>,
}

/// Numbers for objects, given when they are first needed: most variables'
/// addresses are never taken, so the sets stay short.
#[derive(Clone, Debug, Default)]
struct Pointees {
    list: Vec<Pointee>,
    numbers: HashMap<Pointee, usize>,
    /// The nodes of allocations; those of variables have the variables' numbers.
    heap: HashMap<Pointee, ConstraintNode>,
}

impl ConstraintGraph {
    /// A graph with nodes for all variables and functions, and no inclusions.
    pub(super) fn new(variables: usize, routines: Vec<Routine>) -> ConstraintGraph {
        let nodes = variables + routines.len() + 2;
        ConstraintGraph {
            variables,
            nodes: (0..nodes).map(|_| NodeData::default()).collect(),
            merged: (0..nodes as u32).map(ConstraintNode).collect(),
            routines: routines.into(),
            spawns: HashSet::default(),
            edges: HashSet::default(),
            objects: Pointees::default(),
            addresses: HashMap::default(),
            results: HashMap::default(),
            waiting: Vec::new(),
            linked: HashSet::default(),
            is_stale: false,
        }
    }

    /// What a variable holds.
    pub(super) fn variable(&self, var: VarId) -> ConstraintNode {
        ConstraintNode(var.0)
    }

    /// What a function returns.
    pub(super) fn returned(&self, function: FuncId) -> ConstraintNode {
        ConstraintNode((self.variables + function.index()) as u32)
    }

    /// What is passed to threads as they start.
    pub(super) fn passed_to_threads(&self) -> ConstraintNode {
        ConstraintNode((self.variables + self.routines.len()) as u32)
    }

    /// What threads leave behind as they end.
    pub(super) fn left_by_threads(&self) -> ConstraintNode {
        ConstraintNode(self.passed_to_threads().0 + 1)
    }

    /// What the call at `range` returns.
    pub(super) fn result(&mut self, range: Range) -> ConstraintNode {
        if let Some(node) = self.results.get(&(range.lo, range.hi)) {
            return *node;
        }
        let node = self.fresh();
        self.results.insert((range.lo, range.hi), node);
        node
    }

    /// The address of an object.
    pub(super) fn address(&mut self, object: Pointee) -> ConstraintNode {
        if let Some(node) = self.addresses.get(&object) {
            return *node;
        }
        let node = self.fresh();
        let mut target = PointeeSet::default();
        target.grow_and_insert(self.objects.number(object));
        self.add_targets(node, &target);
        self.addresses.insert(object, node);
        node
    }

    /// The address of the memory allocated by the call at `range`.
    pub(super) fn allocation(&mut self, range: Range) -> ConstraintNode {
        let object = Pointee::Heap(range);
        if self.objects.content(object).is_none() {
            let content = self.fresh();
            self.objects.heap.insert(object, content);
        }
        self.address(object)
    }

    /// A new node.
    pub(super) fn fresh(&mut self) -> ConstraintNode {
        let node = ConstraintNode(self.nodes.len() as u32);
        self.nodes.push(NodeData::default());
        self.merged.push(node);
        node
    }

    /// Includes `from` in `to`.
    pub(super) fn include(&mut self, from: ConstraintNode, to: ConstraintNode) {
        let (from, to) = (self.merged(from), self.merged(to));
        if from == to || !self.edges.insert((from, to)) {
            return;
        }
        self.data(from).edges.push(to);
        let targets = std::mem::take(&mut self.data(from).points_to);
        self.add_targets(to, &targets);
        self.data(from).points_to = targets;
    }

    /// What the targets of `pointer` hold.
    pub(super) fn load(&mut self, pointer: ConstraintNode) -> ConstraintNode {
        if let Some(loaded) = self.data(pointer).loaded {
            return loaded;
        }
        let loaded = self.fresh();
        self.data(pointer).loaded = Some(loaded);
        self.reconsider(pointer);
        loaded
    }

    /// Includes `from` in what the targets of `pointer` hold.
    pub(super) fn store(&mut self, from: ConstraintNode, pointer: ConstraintNode) {
        if self.data(pointer).stored.is_none() {
            self.data(pointer).stored = Some(self.fresh());
            self.reconsider(pointer);
        }
        if let Some(stored) = self.data(pointer).stored {
            self.include(from, stored);
        }
    }

    /// Does `waiting` to all functions that `pointer` points to.
    pub(super) fn wait(&mut self, waiting: Waiting, pointer: ConstraintNode) {
        let position = self.waiting.len();
        self.waiting.push(waiting);
        self.data(pointer).calls.push(position);
        self.reconsider(pointer);
    }

    /// Makes all inclusions true.
    pub(super) fn solve(&mut self) {
        while std::mem::take(&mut self.is_stale) {
            for node in self.merge_cycles() {
                self.pass_on(node);
            }
            for index in 0..self.nodes.len() {
                self.resolve(ConstraintNode(index as u32));
            }
        }
    }

    /// The solution, once it is solved.
    pub(super) fn into_solution(mut self, unit: &Unit) -> Solution {
        debug_assert!(!self.is_stale, "the graph should be solved");
        let vars = (0..unit.vars.len()).map(|index| Pointee::Var(VarId(index as u32)));
        let functions = (0..unit.functions.len()).map(|i| Pointee::Function(FuncId(i as u32)));
        for object in vars.chain(functions) {
            self.objects.number(object);
        }
        let threads = [self.passed_to_threads(), self.left_by_threads()];
        Solution {
            escape_roots: threads.into_iter().chain(self.objects.heap.values().copied()).collect(),
            sets: self.nodes.into_iter().map(|node| node.points_to).collect(),
            merged: self.merged,
            objects: self.objects,
            results: self.results,
        }
    }

    /// Merges the nodes of each cycle; returns those that remain, in
    /// topological order as far as they have one.
    fn merge_cycles(&mut self) -> Vec<ConstraintNode> {
        for index in 0..self.nodes.len() {
            let mut edges = std::mem::take(&mut self.nodes[index].edges);
            self.refresh(&mut edges);
            self.nodes[index].edges = edges;
        }
        let edges: Vec<&[ConstraintNode]> =
            self.nodes.iter().map(|node| node.edges.as_slice()).collect();
        let components = components(&edges);
        for nodes in &components {
            nodes[1..].iter().for_each(|node| self.merge(*node, nodes[0]));
        }
        for index in 0..self.nodes.len() {
            self.merged[index] = self.find(ConstraintNode(index as u32));
        }
        components.iter().rev().map(|nodes| self.merged(nodes[0])).collect()
    }

    /// Merges two nodes that have the same targets in the solution; then what
    /// these targets hold is the same too. What one knows is new to the other's edges.
    fn merge(&mut self, node: ConstraintNode, into: ConstraintNode) {
        let (node, into) = (self.find(node), self.find(into));
        if node == into {
            return;
        }
        self.merged[node.index()] = into;
        let data = std::mem::take(&mut self.nodes[node.index()]);
        let target = &mut self.nodes[into.index()];
        target.points_to.union_with(&data.points_to);
        target.fresh = target.points_to.clone();
        target.unresolved = target.points_to.clone();
        target.edges.extend(data.edges);
        target.calls.extend(data.calls);
        let loaded = data.loaded.zip(target.loaded);
        let stored = data.stored.zip(target.stored);
        target.loaded = target.loaded.or(data.loaded);
        target.stored = target.stored.or(data.stored);
        for (node, into) in loaded.into_iter().chain(stored) {
            self.merge(node, into);
        }
    }

    /// The node a node was merged into, while nodes are being merged.
    fn find(&self, mut node: ConstraintNode) -> ConstraintNode {
        while self.merged(node) != node {
            node = self.merged(node);
        }
        node
    }

    /// Replaces nodes that were merged; removes duplicates.
    fn refresh(&self, list: &mut Vec<ConstraintNode>) {
        list.iter_mut().for_each(|node| *node = self.merged(*node));
        list.sort_unstable();
        list.dedup();
    }

    fn pass_on(&mut self, node: ConstraintNode) {
        let fresh = std::mem::take(&mut self.data(node).fresh);
        let edges = std::mem::take(&mut self.data(node).edges);
        if !fresh.is_clear() {
            edges.iter().for_each(|to| self.add_targets(*to, &fresh));
        }
        self.data(node).edges = edges;
    }

    /// Turns loads, stores and calls through `node` into edges, for new targets.
    fn resolve(&mut self, node: ConstraintNode) {
        let data = self.data(node);
        let targets = std::mem::take(&mut data.unresolved);
        let (loaded, stored, calls) = (data.loaded, data.stored, data.calls.clone());
        if loaded.is_some() || stored.is_some() {
            let mut contents = self.objects.contents(&targets);
            self.refresh(&mut contents);
            for content in contents {
                loaded.into_iter().for_each(|loaded| self.include(content, loaded));
                stored.into_iter().for_each(|stored| self.include(stored, content));
            }
        }
        if !calls.is_empty() {
            self.resolve_calls(&calls, &targets);
        }
    }

    fn resolve_calls(&mut self, calls: &[usize], targets: &PointeeSet) {
        for number in targets.ones() {
            let Pointee::Function(function) = self.objects.list[number] else { continue };
            for call in calls {
                if self.linked.insert((*call, function)) {
                    let waiting = self.waiting[*call].clone();
                    self.call_found(&waiting, function);
                }
            }
        }
    }

    /// Something new waits at `pointer` and has seen none of its targets.
    fn reconsider(&mut self, pointer: ConstraintNode) {
        let data = self.data(pointer);
        data.unresolved = data.points_to.clone();
        self.is_stale = true;
    }

    fn add_targets(&mut self, node: ConstraintNode, targets: &PointeeSet) {
        let data = self.data(node);
        if !targets.is_subset(&data.points_to) {
            let mut new = targets.clone();
            new.difference_with(&data.points_to);
            let NodeData { points_to, fresh, unresolved, .. } = data;
            [points_to, fresh, unresolved].into_iter().for_each(|set| set.union_with(&new));
            self.is_stale = true;
        }
    }

    fn merged(&self, node: ConstraintNode) -> ConstraintNode {
        self.merged[node.index()]
    }

    fn data(&mut self, node: ConstraintNode) -> &mut NodeData {
        let node = self.merged(node);
        &mut self.nodes[node.index()]
    }
}

impl ConstraintNode {
    /// As an index into a table of nodes.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Solution {
    /// What a node points to.
    pub(super) fn points_to(&self, node: ConstraintNode) -> &PointeeSet {
        &self.sets[self.merged[node.index()].index()]
    }

    /// The node of what an object holds.
    pub(super) fn content(&self, object: Pointee) -> Option<ConstraintNode> {
        self.objects.content(object)
    }

    /// The node of what a call returns.
    pub(super) fn result(&self, call: Range) -> Option<ConstraintNode> {
        self.results.get(&(call.lo, call.hi)).copied()
    }

    /// What other threads may get hold of, besides static variables.
    pub(super) fn escape_roots(&self) -> impl Iterator<Item = ConstraintNode> + '_ {
        self.escape_roots.iter().copied()
    }

    /// The set of just this object.
    pub(super) fn singleton(&self, object: Pointee) -> PointeeSet {
        let mut set = PointeeSet::default();
        if let Some(number) = self.objects.numbers.get(&object) {
            set.grow_and_insert(*number);
        }
        set
    }

    /// The objects in a set, in no particular order.
    pub(super) fn objects(&self, set: &PointeeSet) -> impl Iterator<Item = Pointee> {
        set.ones().map(|number| self.objects.list[number])
    }
}

impl Pointees {
    fn number(&mut self, object: Pointee) -> usize {
        *self.numbers.entry(object).or_insert_with(|| {
            self.list.push(object);
            self.list.len() - 1
        })
    }

    fn content(&self, object: Pointee) -> Option<ConstraintNode> {
        match object {
            Pointee::Var(var) => Some(ConstraintNode(var.0)),
            Pointee::Heap(_) => self.heap.get(&object).copied(),
            Pointee::Function(_) => None,
        }
    }

    fn contents(&self, set: &PointeeSet) -> Vec<ConstraintNode> {
        set.ones().filter_map(|number| self.content(self.list[number])).collect()
    }
}
