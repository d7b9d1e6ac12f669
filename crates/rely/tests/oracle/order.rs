//! The order of evaluation in one full expression, by C11, 6.5: which of its nodes may come next, and which accesses
//! have no order between them.
//!
//! The value of an assignment is known before the write, which comes at some time before the next sequence
//! point (5.1.2.3, Annex C). Everything about the arguments of a call comes before it. Calls are indeterminately
//! sequenced with the rest of the expression: nothing comes in between (6.5.2.2, paragraph 10). While `x op= y` or `x++` has read
//! `x` and not written it, no call runs (6.5.2.4, paragraph 2; 6.5.16.2, paragraph 3): those in `y` come before the read.

use crate::code::{Code, Node, Op, Touched};

/// How far an expression is evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Evaluation {
    pub root: usize,
    first: usize,
    progress: Vec<Progress>,
    /// Sorted, so that evaluations that have done the same are equal.
    accesses: Vec<Access>,
}

/// How far a node is evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Progress {
    Waiting,
    /// It is in an operand that is not evaluated.
    Skipped,
    /// An initialiser of which this child is being evaluated.
    Active(usize),
    /// An update that has read this there.
    HasRead {
        address: i128,
        old: i128,
    },
    /// The callee runs.
    Called,
    /// It has its value, and what is to be written is not yet.
    Pending {
        value: i128,
        address: i128,
        written: i128,
    },
    Value(i128),
}

/// An access to memory that took place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Access {
    pub node: usize,
    pub address: i128,
    pub is_write: bool,
}

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub node: usize,
    pub phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The node itself: it reads, computes, calls.
    Compute,
    /// An update that has read computes what is to be written.
    Combine,
    Write,
    /// An initialiser turns to this child.
    Start(usize),
}

/// Which orders are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orders {
    /// All of them.
    All,
    /// Plain accesses that other threads see go from left to right among themselves, an assignment's right side before its left one,
    /// and so do calls that do nothing else and have no conflict with the rest of the expression: only a data race could tell.
    PlainFromLeft,
}

impl Evaluation {
    pub fn new(code: &Code, root: usize) -> Evaluation {
        let first = code.nodes[root].first;
        Evaluation {
            root,
            first,
            progress: vec![Progress::Waiting; root + 1 - first],
            accesses: vec![],
        }
    }

    pub fn progress(&self, node: usize) -> &Progress {
        &self.progress[node - self.first]
    }

    pub fn set(&mut self, node: usize, progress: Progress) {
        self.progress[node - self.first] = progress;
    }

    /// The value of a node, if it has one.
    pub fn value(&self, node: usize) -> Option<i128> {
        match self.progress(node) {
            Progress::Value(value) | Progress::Pending { value, .. } => Some(*value),
            _ => None,
        }
    }

    /// An operand will not be evaluated.
    pub fn skip(&mut self, code: &Code, node: usize) {
        (code.nodes[node].first..=node).for_each(|node| self.set(node, Progress::Skipped));
    }

    /// Is everything about a node over?
    pub fn is_done(&self, code: &Code, node: usize) -> bool {
        let is_over = |node| matches!(self.progress(node), Progress::Value(_) | Progress::Skipped);
        (code.nodes[node].first..=node).all(is_over)
    }

    /// Remembers an access. Is it one of two, at least one of them a write, without an order?
    pub fn conflicts(&mut self, code: &Code, access: Access) -> bool {
        let is_rival = |other: &Access| {
            other.address == access.address
                && (other.is_write || access.is_write)
                && !are_ordered(code, *other, access)
        };
        let conflicts = self.accesses.iter().any(is_rival);
        self.accesses.push(access);
        self.accesses.sort_unstable();
        conflicts
    }

    /// Everything that may come next.
    pub fn moves(&self, code: &Code, orders: Orders) -> Vec<Move> {
        let mut moves = Vec::new();
        for node in self.first..=self.root {
            self.moves_of(code, node, &mut moves);
        }
        if orders == Orders::PlainFromLeft {
            let plain = moves.iter().filter(|next| is_plain(code, next));
            if let Some(leftmost) = plain.min_by_key(|next| position(code, next)).copied() {
                moves.retain(|next| *next == leftmost || !is_plain(code, next));
            }
        }
        moves
    }

    fn moves_of(&self, code: &Code, node: usize, moves: &mut Vec<Move>) {
        let phases: Vec<Phase> = match self.progress(node) {
            Progress::Waiting if !self.is_allowed(code, node) => vec![],
            Progress::Waiting => self.first_phases(code, node),
            Progress::HasRead { .. } => {
                let operands = code.nodes[node].operands();
                let is_ready = operands.iter().all(|operand| self.value(*operand).is_some());
                is_ready.then_some(Phase::Combine).into_iter().collect()
            }
            Progress::Pending { .. } => vec![Phase::Write],
            Progress::Active(child) if self.is_done(code, *child) => vec![Phase::Compute],
            _ => vec![],
        };
        moves.extend(phases.into_iter().map(|phase| Move { node, phase }));
    }

    /// How a node may begin, all before it being over.
    fn first_phases(&self, code: &Code, node: usize) -> Vec<Phase> {
        let of = &code.nodes[node];
        let has_value = |child: &usize| self.value(*child).is_some();
        let is_ready = match &of.op {
            Op::Initialise(..) => {
                let open = of.children.iter().filter(|child| !self.is_done(code, **child));
                let open: Vec<Phase> = open.map(|child| Phase::Start(*child)).collect();
                return if open.is_empty() { vec![Phase::Compute] } else { open };
            }
            Op::Shortcut { .. } | Op::Choice => {
                self.is_done(code, of.children[0])
                    && self.chosen(of).is_none_or(|operand| has_value(&operand))
            }
            Op::Comma => has_value(&of.children[1]),
            Op::Call(_) | Op::Library(_) => {
                of.children.iter().all(|child| self.is_done(code, *child))
                    && !self.is_half_way(code)
            }
            Op::Update(..) if of.is_plain_update() => {
                let of_place = of.children.len() - of.operands().len();
                let is_call =
                    |one: &usize| matches!(code.nodes[*one].op, Op::Call(_) | Op::Library(_));
                let mut calls = (of.first..node).filter(is_call);
                of.children[..of_place].iter().all(has_value)
                    && calls.all(|call| self.is_done(code, call))
            }
            _ => of.children.iter().all(has_value),
        };
        if is_ready { vec![Phase::Compute] } else { vec![] }
    }

    /// The operand of `&&`, `||` or `?:` that is evaluated after the first one, if there is one.
    pub fn chosen(&self, node: &Node) -> Option<usize> {
        let first = self.value(node.children[0])?;
        match node.op {
            Op::Shortcut { is_and } => ((first != 0) == is_and).then_some(node.children[1]),
            _ => Some(node.children[if first == 0 { 2 } else { 1 }]),
        }
    }

    /// Do sequence points allow that a node is evaluated now?
    fn is_allowed(&self, code: &Code, node: usize) -> bool {
        let mut child = node;
        while child != self.root {
            let parent = code.nodes[child].parent.expect("only the root has none");
            let of = &code.nodes[parent];
            let is_allowed = match &of.op {
                Op::Initialise(..) => *self.progress(parent) == Progress::Active(child),
                _ if child == of.children[0] => true,
                Op::Comma => self.is_done(code, of.children[0]),
                Op::Shortcut { .. } | Op::Choice => {
                    self.is_done(code, of.children[0]) && self.chosen(of) == Some(child)
                }
                _ => true,
            };
            if !is_allowed {
                return false;
            }
            child = parent;
        }
        true
    }

    /// Is there an update that has read and not written?
    fn is_half_way(&self, code: &Code) -> bool {
        let is_begun = |node: usize| {
            matches!(self.progress(node), Progress::HasRead { .. } | Progress::Pending { .. })
        };
        (self.first..=self.root).any(|node| code.nodes[node].is_plain_update() && is_begun(node))
    }
}

/// Has a call only plain accesses, with which the rest of the expression has no conflict?
fn is_plain_call(code: &Code, call: usize) -> bool {
    let mut around = vec![];
    let mut root = call;
    while let Some(parent) = code.nodes[root].parent {
        around.push(parent);
        root = parent;
    }
    let touched = |nodes: &[usize]| {
        let mut touched = Touched::default();
        let add = |node: &usize| touched.add(&code.routines, &code.nodes[*node]);
        nodes.iter().map(add).collect::<Option<()>>().map(|()| touched)
    };
    let of_call = code.nodes[call].first..=call;
    let is_beside = |node: &usize| !of_call.contains(node) && !around.contains(node);
    let beside: Vec<usize> = (code.nodes[root].first..=root).filter(is_beside).collect();
    let inside = touched(&[call]);
    let others = [touched(&beside), touched(&around).map(Touched::reads_only)];
    // What is around the call writes after it.
    inside.is_some_and(|inside| {
        others.iter().all(|other| other.as_ref().is_some_and(|other| !inside.conflicts(other)))
    })
}

/// Is it an access to a plain object that other threads may see, or a call that does nothing else?
fn is_plain(code: &Code, next: &Move) -> bool {
    let node = &code.nodes[next.node];
    let accesses = match node.op {
        Op::Call(_) => return is_plain_call(code, next.node),
        Op::Read(_) => true,
        Op::Assign(_) => next.phase == Phase::Write,
        Op::Update(..) | Op::Step { .. } => next.phase != Phase::Combine,
        _ => false,
    };
    let target = node.target();
    accesses && target.is_some_and(|target| target.is_visible && !target.is_atomic)
}

/// Its place among the accesses of an expression, from left to right, an assignment's right side first: for each operator around it,
/// the outermost first, which operand it is in.
fn position(code: &Code, next: &Move) -> Vec<usize> {
    // The operator itself comes after its operands; an update reads, then writes.
    let mut path = vec![usize::MAX, usize::from(next.phase == Phase::Write)];
    let mut child = next.node;
    while let Some(parent) = code.nodes[child].parent {
        let of = &code.nodes[parent];
        let number = of.children.iter().position(|other| *other == child).expect("its child");
        let is_place = number < of.children.len() - of.operands().len();
        let right_first = matches!(of.op, Op::Assign(_) | Op::Update(..));
        path.insert(0, if right_first && is_place { of.children.len() } else { number });
        child = parent;
    }
    path
}

/// Does one of two accesses of an expression come before the other in every order?
fn are_ordered(code: &Code, a: Access, b: Access) -> bool {
    let is_inside = |inner: usize, outer: usize| (code.nodes[outer].first..outer).contains(&inner);
    if a.node == b.node {
        true
    } else if is_inside(a.node, b.node) {
        is_before(code, a, b)
    } else if is_inside(b.node, a.node) {
        is_before(code, b, a)
    } else {
        is_split(code, a.node, b.node)
    }
}

/// Does an access in an operand come before that of the operator?
fn is_before(code: &Code, inner: Access, outer: Access) -> bool {
    if !inner.is_write || code.nodes[inner.node].is_atomic_update() {
        return true; // Values of operands are computed before, and an atomic update is one operation.
    }
    let operands = code.nodes[outer.node].operands();
    let is_operand = operands
        .iter()
        .any(|operand| (code.nodes[*operand].first..=*operand).contains(&inner.node));
    if !outer.is_write && is_operand {
        return false; // `x op= y` may read `x` at any time before it writes.
    }
    let mut child = inner.node;
    loop {
        let parent = code.nodes[child].parent.expect("the outer one is above");
        if parent == outer.node {
            return false;
        }
        let is_first = code.nodes[parent].children[0] == child;
        match &code.nodes[parent].op {
            Op::Call(_) | Op::Library(_) => return true,
            Op::Comma | Op::Shortcut { .. } | Op::Choice if is_first => return true,
            _ => child = parent,
        }
    }
}

/// Is there a sequence point between two nodes in different operands?
fn is_split(code: &Code, a: usize, b: usize) -> bool {
    let mut child = a;
    loop {
        let parent = code.nodes[child].parent.expect("they have an operator in common");
        let of = &code.nodes[parent];
        if (of.first..parent).contains(&b) {
            let is_first = |node: usize| node <= of.children[0];
            return match &of.op {
                Op::Comma | Op::Shortcut { .. } | Op::Choice => is_first(a) || is_first(b),
                Op::Initialise(..) => true,
                _ => false,
            };
        }
        child = parent;
    }
}
