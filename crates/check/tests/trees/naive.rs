//! A naive engine: unwinds the tree of interleavings with exact sets of states,
//! with or without partial-order reduction; and on purpose with defects, so that it
//! gives wrong proofs which look right.

use crate::asked;
use ccfa::footprint::AccessSummaries;
use ccfa::semantics::{State, System, Value};
use ccfa::{Edge, EdgeId, Expr, LocId, LocKind, Program, SharedId, Type, VarRef};
use engine_suite::oracle::{initial_states, steps};
use evidence::{Reached, Tree, TreeNode};
use std::collections::BTreeSet;

/// How steps are left out and nodes covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Nothing is left out.
    Full,
    /// Steps are left out as they should be.
    Reduced,
    /// The same, and threads that are singleton persistent sets go first.
    Persistent,
    /// Wrong: any order of two steps may be left out.
    IgnoresOrder,
    /// Wrong: steps are left out into and after atomic sections.
    IgnoresAtomic,
    /// Wrong: whether steps conflict does not matter.
    IgnoresConflicts,
    /// Wrong: what covered nodes would not leave out is left out. Only labels that are
    /// not exact show it, so after a step that assigns nothing it forgets one variable.
    IgnoresCovers,
    /// Wrong: any node covers another at the same locations.
    CoversAnything,
    /// Wrong: a thread is a singleton persistent set if no next step of another conflicts.
    IgnoresFuture,
    /// Wrong: a thread is a singleton persistent set also where its loops begin.
    IgnoresLoops,
    /// Wrong: singleton persistent sets go first though they may be blocked.
    IgnoresBlocking,
    /// Wrong: singleton persistent sets go first though they may end the program.
    IgnoresEnds,
}

pub const RIGHT: [Method; 3] = [Method::Full, Method::Reduced, Method::Persistent];

pub const WRONG: [Method; 9] = [
    Method::IgnoresOrder,
    Method::IgnoresAtomic,
    Method::IgnoresConflicts,
    Method::IgnoresCovers,
    Method::CoversAnything,
    Method::IgnoresFuture,
    Method::IgnoresLoops,
    Method::IgnoresBlocking,
    Method::IgnoresEnds,
];

/// What it has found.
pub struct Unwound {
    /// As if the program were safe: where an error is reached the label is `false`.
    pub tree: Tree,
    /// It is: nothing bad was reached.
    pub looks_safe: bool,
}

/// More nodes, or states in a node, than these are too many.
const MAX_NODES: usize = 100;
const MAX_STATES: usize = 12;

/// The tree of a program that is small enough.
pub fn unwind(program: &Program, method: Method) -> Option<Unwound> {
    let system = System::new(program, 0);
    let initial = initial_states(&system).filter(|states| states.len() <= MAX_STATES)?;
    let locations = system.initial().locations;
    let states = initial.into_iter().map(|state| state.cells).collect();
    let at = State { locations, cells: Vec::new() };
    let root = Node { at, states, reached: None, cover: None, done: BTreeSet::new() };
    let summaries = AccessSummaries::new(&system);
    let mut naive = Naive { system, summaries, method, nodes: vec![root] };
    let mut next = 0;
    while next < naive.nodes.len() {
        naive.process(next)?;
        next += 1;
    }
    let looks_safe = (0..next).all(|n| !naive.is_wrong(n));
    Some(Unwound { tree: naive.tree(), looks_safe })
}

struct Naive<'p> {
    system: System<'p>,
    summaries: AccessSummaries,
    method: Method,
    nodes: Vec<Node>,
}

struct Node {
    /// Locations alone.
    at: State,
    states: BTreeSet<Vec<Value>>,
    reached: Option<Reached>,
    cover: Option<usize>,
    /// The steps it has children for, or that cannot be taken.
    done: BTreeSet<(usize, EdgeId)>,
}

impl Naive<'_> {
    fn process(&mut self, number: usize) -> Option<()> {
        if self.has_ended(number) {
            return Some(());
        }
        let node = &self.nodes[number];
        let covers = |other: &usize| {
            let other = &self.nodes[*other];
            let weaker = node.states.is_subset(&other.states);
            other.cover.is_none()
                && other.at == node.at
                && (weaker || self.method == Method::CoversAnything)
        };
        let cover = (0..number).find(covers);
        self.nodes[number].cover = cover;
        let expanded = cover.unwrap_or(number);
        if cover.is_some() && self.method == Method::IgnoresCovers {
            return Some(());
        }
        let persistent = self.persistent(expanded);
        for (instance, edge) in self.moves(number) {
            if persistent.is_some_and(|only| only != instance) {
                continue;
            }
            if !self.may_skip(number, instance, edge) {
                self.expand(expanded, instance, edge)?;
            }
        }
        Some(())
    }

    /// The instance that goes first at a node, if there is one.
    fn persistent(&self, number: usize) -> Option<usize> {
        let at = &self.nodes[number].at;
        let persistent = match self.method {
            _ if self.system.atomic_instance(at).is_some() => None,
            Method::Persistent | Method::IgnoresBlocking | Method::IgnoresEnds => {
                self.summaries.first_singleton_persistent(&at.locations)
            }
            Method::IgnoresFuture | Method::IgnoresLoops => (0..at.locations.len())
                .find(|&instance| self.looks_persistent(&at.locations, instance)),
            _ => None,
        };
        let ignored = self.method == Method::IgnoresBlocking;
        persistent.filter(|&instance| ignored || self.can_move(number, instance))
    }

    /// Is it a singleton persistent set but for what is ignored?
    fn looks_persistent(&self, at: &[LocId], instance: usize) -> bool {
        let mine = self.summaries.of(instance, at[instance]);
        let conflicts = |other: usize| {
            let other = self.summaries.of(other, at[other]);
            mine.next.conflicts(match self.method {
                Method::IgnoresFuture => &other.next,
                _ => &other.future,
            })
        };
        let in_loop = mine.head && self.method != Method::IgnoresLoops;
        let admissible = !mine.edges.is_empty() && !mine.enters_atomic && !in_loop;
        admissible && !(0..at.len()).any(|other| other != instance && conflicts(other))
    }

    /// Can the instance move in each state of a node?
    fn can_move(&self, number: usize, instance: usize) -> bool {
        let Node { at, states, .. } = &self.nodes[number];
        let edges = &self.summaries.of(instance, at.locations[instance]).edges;
        states.iter().all(|cells| {
            let state = State { locations: at.locations.clone(), cells: cells.clone() };
            edges.iter().filter(|edge| self.goes_on(instance, **edge)).any(|edge| {
                let next = steps(&self.system, &state, instance, self.edge(instance, *edge));
                next.is_some_and(|next| !next.is_empty())
            })
        })
    }

    /// Does the step not end the program as if nothing were wrong?
    fn goes_on(&self, instance: usize, edge: EdgeId) -> bool {
        let target = self.edge(instance, edge).target;
        let kind = &self.system.template(instance).locations[target.index()].kind;
        let ignored = self.method == Method::IgnoresEnds;
        ignored || *kind == LocKind::Plain || self.system.program.property.forbids(kind)
    }

    /// All edges of all instances that may move.
    fn moves(&self, number: usize) -> Vec<(usize, EdgeId)> {
        let at = &self.nodes[number].at;
        let mut moves = Vec::new();
        for instance in (0..at.locations.len()).filter(|&i| self.system.may_move(at, i)) {
            for (id, edge) in self.system.template(instance).edges.iter().enumerate() {
                if edge.source == at.locations[instance] {
                    moves.push((instance, EdgeId(id as u32)));
                }
            }
        }
        moves
    }

    fn may_skip(&self, number: usize, instance: usize, edge: EdgeId) -> bool {
        let Some(last) = self.nodes[number].reached else { return false };
        let (before, after) = (self.edge(last.instance, last.edge), self.edge(instance, edge));
        let atomic = |i: usize, l: LocId| self.system.template(i).locations[l.index()].atomic;
        let at = &self.nodes[last.parent as usize].at.locations;
        let order = |edge: &Edge, instance: usize| {
            self.summaries.order(at, instance, edge.read_write_sets().is_local())
        };
        let in_order =
            instance != last.instance && order(after, instance) < order(before, last.instance);
        let in_place = atomic(last.instance, before.source) || atomic(instance, after.target);
        let conflict = conflict(before, after);
        match self.method {
            Method::Full => false,
            Method::IgnoresOrder => instance != last.instance && !in_place && !conflict,
            Method::IgnoresAtomic => in_order && !conflict,
            Method::IgnoresConflicts => in_order && !in_place,
            _ => in_order && !in_place && !conflict,
        }
    }

    fn expand(&mut self, parent: usize, instance: usize, id: EdgeId) -> Option<()> {
        if !self.nodes[parent].done.insert((instance, id)) {
            return Some(());
        }
        let edge = self.edge(instance, id);
        let mut at = self.nodes[parent].at.clone();
        let mut states = BTreeSet::new();
        for cells in &self.nodes[parent].states {
            let state = State { locations: at.locations.clone(), cells: cells.clone() };
            for (_, next) in steps(&self.system, &state, instance, edge)? {
                states.insert(next.cells);
            }
        }
        if self.method == Method::IgnoresCovers && edge.assigns.is_empty() {
            states = self.forget(states);
        }
        let unknown = states.iter().any(|cells| cells.contains(&None));
        if unknown || states.len() > MAX_STATES || self.nodes.len() > MAX_NODES {
            return None;
        }
        at.locations[instance] = edge.target;
        if !states.is_empty() {
            let reached = Some(Reached { parent: parent as u32, instance, edge: id });
            self.nodes.push(Node { at, states, reached, cover: None, done: BTreeSet::new() });
        }
        Some(())
    }

    /// The states with each value for the first shared variable.
    fn forget(&self, states: BTreeSet<Vec<Value>>) -> BTreeSet<Vec<Value>> {
        let Some((low, high)) = self.system.program.shared[0].ty.bounds() else { return states };
        let any = |cells: Vec<Value>| {
            (low..=high.min(low + 3)).map(move |value| {
                let mut cells = cells.clone();
                cells[0] = Some(value);
                cells
            })
        };
        states.into_iter().flat_map(any).collect()
    }

    fn has_ended(&self, number: usize) -> bool {
        asked::has_ended(&self.system, &self.nodes[number].at)
    }

    fn is_forbidden(&self, number: usize) -> bool {
        let at = &self.nodes[number].at;
        let forbids = |kind| self.system.program.property.forbids(kind);
        (0..at.locations.len()).any(|i| forbids(&self.system.location(at, i).kind))
    }

    /// Is a state of the node wrong?
    fn is_wrong(&self, number: usize) -> bool {
        let Node { at, states, .. } = &self.nodes[number];
        states.iter().any(|cells| {
            let state = State { locations: at.locations.clone(), cells: cells.clone() };
            asked::wrong(&self.system, &state).is_some()
        })
    }

    fn edge(&self, instance: usize, edge: EdgeId) -> &Edge {
        &self.system.template(instance).edges[edge.index()]
    }

    fn tree(&self) -> Tree {
        let cells = cells(&self.system);
        let node = |(number, node): (usize, &Node)| {
            let forbidden = self.is_forbidden(number);
            let label = if forbidden { Expr::FALSE } else { label(&cells, &node.states) };
            TreeNode {
                reached: node.reached,
                label: vec![label],
                cover: node.cover.map(|cover| cover as u32),
            }
        };
        Tree { nodes: self.nodes.iter().enumerate().map(node).collect() }
    }
}

fn conflict(a: &Edge, b: &Edge) -> bool {
    let (a, b) = (a.read_write_sets(), b.read_write_sets());
    let writes = |a: &ccfa::read_write::ReadWriteSets, b: &ccfa::read_write::ReadWriteSets| {
        let touched: BTreeSet<SharedId> = b.shared_reads().chain(b.shared_writes()).collect();
        a.shared_writes().any(|id| touched.contains(&id))
    };
    writes(&a, &b) || writes(&b, &a)
}

/// The cells of a state as labels speak of them, with their types.
fn cells(system: &System) -> Vec<(Expr, Type)> {
    let shared = system.program.shared.iter().enumerate();
    let shared = shared.map(|(n, var)| (VarRef::Shared(SharedId(n as u32)), var.clone()));
    let locals = Tree::scope(system).locals.into_iter().enumerate();
    let locals = locals.map(|(n, var)| (VarRef::Local(ccfa::LocalId(n as u32)), var));
    let mut cells = Vec::new();
    for (id, var) in shared.chain(locals) {
        for number in 0..var.cells() {
            let index = Box::new(Expr::constant(number as i128, Type::signed(32)));
            let read = if var.len.is_some() { Expr::Index(id, index) } else { Expr::Var(id) };
            cells.push((read, var.ty));
        }
    }
    cells
}

/// One of these states.
fn label(cells: &[(Expr, Type)], states: &BTreeSet<Vec<Value>>) -> Expr {
    let state = |values: &Vec<Value>| {
        let is = |((cell, ty), value): (&(Expr, Type), &Value)| {
            Expr::eq(cell.clone(), Expr::constant(value.unwrap_or(0), *ty))
        };
        cells.iter().zip(values).map(is).fold(Expr::TRUE, Expr::and)
    };
    states.iter().map(state).fold(Expr::FALSE, Expr::or)
}
