//! Deadlocks as errors: the program in which a thread that cannot move may *give up*, and an error is reached once all have given up and
//! none of them can move still. **Trusted.**
//!
//! So whatever decides errors decides deadlocks, and a proof that no error is reachable here is one that there is no
//! deadlock in the program before (`check`). There are exactly *n* instances. Threads, variables, locations and edges keep their numbers; new
//! ones come behind them:
//!
//! - a shared variable that counts: from 0 to *n* who has given up, from there to 2*n* who has confirmed that it cannot move;
//! - for each location *l* where a thread may be *blocked* (all guards of edges from *l* are defined and false, or there is none), a location where a thread is
//!   that has given up at *l*, an edge from *l* to it and an edge from it to where threads are that have confirmed: both
//!   enabled where the thread is blocked at *l*, if it is the turn of its template, and both count;
//! - where threads are that have confirmed: one location for those that have ended or rest, one for those that *wait*;
//!   and from the second an edge to an error, enabled when all have confirmed;
//! - for each atomic location *l* with edges, an edge to the error, enabled where the thread is blocked: no other thread can move then.
//!
//! If errors were not asked for, an error location was the end of the program: it is an atomic location that no edge leaves now.
//!
//! # Why a deadlock before is an error after
//!
//! Let a deadlock *s* be reachable before (`crate::property`). It is reachable after: all edges are there, and no thread has given up. All
//! instances are at plain locations. If one is at an atomic location, this has edges and the instance is
//! blocked there: it takes the edge to the error. Else all instances are blocked where they are: there is
//! none of these locations of which one edge can always be taken ([`one_is_open`]). So they give up, template by template, which changes
//! no variable of the program before: they are blocked still, and confirm it in the same order. One of them waits:
//! it takes the edge to the error. ∎
//!
//! The other way round: in an execution that ends at the error of those who wait, no step of the program before comes after the last
//! one has given up, and all are blocked then. So it shows a deadlock.

use crate::expr::{BinOp, Expr, Type};
use crate::program::{
    Edge, EdgeId, ErrorKind, LocId, LocKind, Location, Program, Template, TemplateId, VarRef,
};
use crate::set;
use crate::sharing::instances;

/// The type of the counter.
const COUNT: Type = Type::unsigned(32);

/// The program in which deadlocks are errors. It is not parameterised.
pub fn as_errors(program: &Program) -> Program {
    let mut after = program.clone();
    (after.property.errors, after.property.deadlocks) = (true, false);
    let counter = after.declare(".deadlock.count", COUNT, 0);
    let all = program.instances(0).len() as u64;
    let mut first = 0;
    for (number, before) in program.templates.iter().enumerate() {
        let count = instances(program, TemplateId(number as u32));
        let template = &mut after.templates[number];
        if !program.property.errors {
            end_at_errors(template);
        }
        Waiting { before, counter, all, turn: (first, count) }.extend(template);
        first += count;
    }
    after
}

/// Makes error locations the end of the program: no edge leaves them any more.
pub(crate) fn end_at_errors(template: &mut Template) {
    for (at, location) in (0..).map(LocId).zip(&mut template.locations) {
        if matches!(location.kind, LocKind::Error(_)) && at != template.entry {
            (location.kind, location.atomic) = (LocKind::Plain, true);
            let leaving = template.edges.iter_mut().filter(|edge| edge.source == at);
            leaving.for_each(|edge| edge.guard = Expr::FALSE);
        }
    }
}

/// What is new in a template.
struct Waiting<'p> {
    before: &'p Template,
    counter: VarRef,
    /// How many instances there are, and the first of them that run this template and how many these are.
    all: u64,
    turn: (u64, u64),
}

impl Waiting<'_> {
    fn extend(&self, after: &mut Template) {
        let mut add = |kind| {
            after.locations.push(Location { kind, ..Location::default() });
            LocId(after.locations.len() as u32 - 1)
        };
        let error = LocKind::Error(ErrorKind::Assertion("there is no deadlock".to_string()));
        let (error, idle, waits) = (add(error), add(LocKind::Plain), add(LocKind::Plain));
        let edges_from = self.before.edges_from();
        let mut edges = vec![Edge::new(waits, error, self.counted(2 * self.all, 1), Vec::new())];
        for (at, here) in (0..).map(LocId).zip(&self.before.locations) {
            let leaving = &edges_from[at.index()];
            let Some(blocked) = blocked(self.before, leaving) else { continue };
            if here.kind != LocKind::Plain || here.atomic && leaving.is_empty() {
                continue;
            }
            if here.atomic {
                edges.push(Edge::new(at, error, blocked, Vec::new()));
                continue;
            }
            let gave_up = add(LocKind::Plain);
            let confirmed = if leaving.is_empty() || here.resting { idle } else { waits };
            edges.push(self.count(at, gave_up, &blocked, 0));
            edges.push(self.count(gave_up, confirmed, &blocked, self.all));
        }
        after.edges.extend(edges);
    }

    /// A step that counts, if it is the turn of this template in the round that begins with this number.
    fn count(&self, source: LocId, target: LocId, blocked: &Expr, round: u64) -> Edge {
        let (first, count) = self.turn;
        let guard = Expr::and(self.counted(round + first, count), blocked.clone());
        let next = Expr::binary(BinOp::Add, Expr::Var(self.counter), number(1));
        Edge::new(source, target, guard, vec![set(self.counter, next)])
    }

    /// Is the counter one of so many numbers from the first one on?
    fn counted(&self, first: u64, count: u64) -> Expr {
        let counter = || Expr::Var(self.counter);
        let from = Expr::binary(BinOp::Le, number(first), counter());
        Expr::and(from, Expr::binary(BinOp::Lt, counter(), number(first + count)))
    }
}

/// Where every guard of these edges is defined and false. If one of the edges can always be taken, that is nowhere.
pub(crate) fn blocked(template: &Template, edges: &[EdgeId]) -> Option<Expr> {
    let guards = || edges.iter().map(|edge| &template.edges[edge.index()].guard);
    let closed = guards().map(|guard| Expr::negate(guard.clone()));
    let is_open = one_is_open(guards().map(Expr::conjuncts).collect());
    (!is_open).then(|| closed.fold(Expr::TRUE, Expr::and))
}

/// Is in every state one of these guards, each given as its conjuncts, true or without value? By cases: a conjunct is true, or its opposite is. Where it has no
/// value, the first case says enough: a guard that would be true or without value if it were true is so, or has no value because of it.
pub fn one_is_open(guards: Vec<Vec<&Expr>>) -> bool {
    let Some(part) = guards.iter().flatten().next() else { return !guards.is_empty() };
    let opposite = Expr::negate((*part).clone());
    let is_open_if = |holds: &Expr, fails: &Expr| {
        let left = guards.iter().filter(|guard| guard.iter().all(|part| *part != fails));
        let rest = |guard: &Vec<_>| guard.iter().copied().filter(|part| *part != holds).collect();
        one_is_open(left.map(rest).collect())
    };
    guards.iter().any(Vec::is_empty) || is_open_if(part, &opposite) && is_open_if(&opposite, part)
}

fn number(value: u64) -> Expr {
    Expr::Const(i128::from(value), COUNT)
}
