//! From the template of an abstract thread to its state machine.
//!
//! A **state** is a place where the thread can be between two steps. A **step** is
//! an edge that touches a shared variable, or an atomic section that does. What
//! touches none (jumps, choices by an arbitrary value) is no step of its own: it
//! belongs to the step behind it. An assertion is no step either, but a property of
//! the state before it: something that changes nothing where otherwise there is an error.
//! So `X: assert(p); s;` is the node X with assertion p and the move s, as in the figures.
//!
//! Each path of a step is run symbolically. Its local variables must be known
//! numbers in the state it leads to (a node is a location *and* their values), or depend on
//! nothing but the thread's arguments (`argument.rs`).
//! An arbitrary value must go to a shared variable, whose new value it then is, or
//! be one of few, or be of no consequence; otherwise the relation would need a
//! quantifier, and we say so.
//!
//! Whatever is read here: the check of conformance and the composition use
//! the same machine, so what this module makes of the text cannot cost soundness.

mod assertion;

use crate::formula::{any, defined, total, type_of};
use crate::machine::{Machine, MachineFailure, MachineState, Move};
use crate::run::{Run, SymbolicStore};
use crate::{arbitrary, argument};
use ccfa::fold::refold;
use ccfa::{
    Assign, Edge, EdgeId, Expr, Init, LocId, LocKind, LocalId, Location, Program, Span, Template,
    Type, VarRef,
};
use std::collections::HashMap;

/// An abstract thread cannot be read as a state machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// In plain words.
    pub message: String,
    /// Where.
    pub span: Option<Span>,
    /// The local variable that is in the way, if one is.
    pub variable: Option<LocalId>,
}

/// States of an abstract thread: with more, it counts where it should remember.
const MAX_NODES: usize = 200;
/// Paths of one step that are read; they can double with each branch.
const MAX_PATHS: usize = 4000;
/// Values of a type that is split by value: each is a state of the machine.
pub(crate) const MAX_SPLIT_VALUES: i128 = 16;

/// The state machine of a template of `program`.
pub fn read_machine(program: &Program, template: &Template) -> Result<Machine, Unreadable> {
    let template = &argument::with_known(program, template);
    let mut reader = MachineReader {
        program,
        template,
        from: template.edges_from(),
        machine: Machine {
            name: template.name.clone(),
            shared: program.shared.len() as u32,
            params: params(template),
            nodes: Vec::new(),
            initial: Vec::new(),
            moves: Vec::new(),
        },
        known: HashMap::new(),
        places: Vec::new(),
        paths: 0,
        resumed: Vec::new(),
    };
    let start = reader.start()?;
    let first = reader.node(template.entry, start)?;
    reader.machine.initial.push(first);
    let mut next = 0;
    while next < reader.places.len() {
        reader.paths = 0;
        reader.leave(next)?;
        next += 1;
    }
    name_apart(&mut reader.machine.nodes);
    Ok(reader.machine)
}

/// The types of a template's parameters; those that no local holds are numbers.
pub(crate) fn params(template: &Template) -> Vec<Type> {
    let mut types = vec![Type::unsigned(32); template.params as usize];
    for local in &template.locals {
        if let Init::Param(number) = local.init {
            types[number as usize] = local.ty;
        }
    }
    types
}

struct MachineReader<'p> {
    program: &'p Program,
    template: &'p Template,
    from: Vec<Vec<EdgeId>>,
    machine: Machine,
    known: HashMap<(LocId, Vec<Expr>), usize>,
    /// Location and values of the locals of each node.
    places: Vec<(LocId, Vec<Expr>)>,
    paths: usize,
    /// The paths from the node at hand that went on behind an assertion.
    resumed: Vec<(LocId, SymbolicStore, Vec<Expr>)>,
}

/// A path from a node, as far as it has come.
#[derive(Clone)]
struct Path<'p> {
    node: usize,
    at: LocId,
    run: Run<'p>,
    conditions: Vec<Expr>,
    /// Are we inside of a step, and is it an assertion?
    section: Option<bool>,
    /// How many conditions it had before that step.
    given: usize,
    touched: bool,
    span: Option<Span>,
    /// Where it has been without a step, so that idle circles end.
    seen: Vec<(LocId, SymbolicStore)>,
}

/// Values of the locals, and the conditions under which they have them.
type Way = (Vec<Expr>, Vec<Expr>);

impl<'p> MachineReader<'p> {
    /// The values of the locals at the start.
    fn start(&self) -> Result<Vec<Expr>, Unreadable> {
        let value = |(number, local): (usize, &ccfa::Var)| match (&local.init, local.len) {
            (Init::Value(value), None) => Ok(Expr::Const(*value, local.ty)),
            (Init::Param(number), None) => Ok(Expr::Var(VarRef::Local(LocalId(*number)))),
            (Init::Any | Init::Values(_), _) | (_, Some(_)) => Err(Unreadable {
                message: format!(
                    "its variable `{}` is not a number that is known at the start",
                    local.name
                ),
                span: None,
                variable: Some(LocalId(number as u32)),
            }),
        };
        self.template.locals.iter().enumerate().map(value).collect()
    }

    fn node(&mut self, at: LocId, locals: Vec<Expr>) -> Result<usize, Unreadable> {
        let at = self.settled(at);
        let place = (at, locals);
        if let Some(node) = self.known.get(&place) {
            return Ok(*node);
        }
        let location = &self.template.locations[at.index()];
        let number = self.places.len();
        if number == MAX_NODES {
            return unreadable(
                location.span,
                format!(
                    "it has more than {MAX_NODES} states; an abstract thread remembers by where it is, not by numbers"
                ),
            );
        }
        self.known.insert(place.clone(), number);
        let name = self.node_name(at, location);
        self.machine.nodes.push(MachineState { name, span: location.span, failures: Vec::new() });
        self.places.push(place);
        Ok(number)
    }

    /// Where a thread that does nothing gets to from here.
    fn settled(&self, mut at: LocId) -> LocId {
        for _ in 0..self.template.locations.len() {
            let [only] = self.from[at.index()][..] else { break };
            let edge = &self.template.edges[only.index()];
            let target = &self.template.locations[edge.target.index()];
            let named = !self.template.locations[at.index()].name.is_empty();
            let idle = edge.guard == Expr::TRUE && edge.assigns.is_empty();
            if named || !idle || target.atomic || target.kind != LocKind::Plain {
                break;
            }
            at = edge.target;
        }
        at
    }

    fn node_name(&self, at: LocId, location: &Location) -> String {
        let leaving = self.from[at.index()].iter().find_map(|edge| self.edge(*edge).span);
        match (&location.name, self.from[at.index()].is_empty(), location.span.or(leaving)) {
            (name, ..) if !name.is_empty() => name.clone(),
            _ if at == self.template.entry => "start".into(),
            (_, true, _) => "end".into(),
            (_, _, Some(span)) => format!("line {}", span.line),
            _ => format!("#{}", at.0),
        }
    }

    fn edge(&self, id: EdgeId) -> &'p Edge {
        &self.template.edges[id.index()]
    }

    /// All that can happen from a node.
    fn leave(&mut self, node: usize) -> Result<(), Unreadable> {
        let (at, locals) = self.places[node].clone();
        let path = Path {
            node,
            at,
            run: Run::new(self.program, self.template, &self.machine.params, locals),
            conditions: Vec::new(),
            section: None,
            given: 0,
            touched: false,
            span: None,
            seen: Vec::new(),
        };
        self.resumed.clear();
        let mut waiting = vec![path];
        while let Some(path) = waiting.pop() {
            self.paths += 1;
            if self.paths > MAX_PATHS {
                let span = self.template.locations[path.at.index()].span;
                return unreadable(
                    span,
                    "a step has too many paths (perhaps a loop in an atomic section)",
                );
            }
            waiting.extend(self.advance(path)?);
        }
        Ok(())
    }

    /// The ways to extend a path; notes what it leads to, if it is complete.
    fn advance(&mut self, mut path: Path<'p>) -> Result<Vec<Path<'p>>, Unreadable> {
        let location = &self.template.locations[path.at.index()];
        if location.kind != LocKind::Plain {
            self.fail(&path, location)?;
            return Ok(Vec::new());
        }
        if !location.atomic
            && let Some(asserts) = path.section.take()
        {
            if path.touched && !asserts {
                self.arrive(path)?;
                return Ok(Vec::new());
            }
            path.touched = false;
            if asserts && !self.resumes(&mut path) {
                return Ok(Vec::new());
            }
        }
        if path.section.is_none() {
            let here = (path.at, path.run.values().clone());
            if path.seen.contains(&here) {
                return Ok(Vec::new());
            }
            path.seen.push(here);
            path.section = Some(self.asserts(&path));
            path.given = path.conditions.len();
        }
        let edges = self.from[path.at.index()].iter();
        edges.filter_map(|edge| self.take(&path, self.edge(*edge)).transpose()).collect()
    }

    /// The path with one more edge, unless that can never be taken.
    fn take(&self, path: &Path<'p>, edge: &Edge) -> Result<Option<Path<'p>>, Unreadable> {
        let bad = |message: String| Unreadable { message, span: edge.span, variable: None };
        let mut next = path.clone();
        let guard = next.run.value(&edge.guard).map_err(bad)?;
        let symbols = next.run.symbols();
        let mut conditions = vec![total(&guard, &symbols).map_err(bad)?];
        for value in next.run.computed(edge).map_err(bad)? {
            conditions.push(defined(&value, &symbols).map_err(bad)?);
        }
        let conditions: Vec<Expr> =
            conditions.iter().map(refold).filter(|c| *c != Expr::TRUE).collect();
        if conditions.contains(&Expr::FALSE) {
            return Ok(None);
        }
        next.conditions.extend(conditions);
        let access = edge.read_write_sets();
        next.touched |= !access.is_local();
        next.run.step(edge).map_err(bad)?;
        next.span = if access.is_local() { next.span.or(edge.span) } else { edge.span };
        next.at = edge.target;
        Ok(Some(next))
    }

    /// The path goes wrong: its node fails when it can be taken.
    fn fail(&mut self, path: &Path, location: &Location) -> Result<(), Unreadable> {
        let bad = |message: String| Unreadable { message, span: path.span, variable: None };
        let cases = arbitrary::cases(
            self.program,
            &self.machine,
            &path.conditions,
            Vec::new(),
            path.run.fresh(),
        );
        let cases = cases.map_err(bad)?;
        let condition = any(cases.into_iter().map(|case| case.guard));
        if condition != Expr::FALSE {
            let failure = MachineFailure {
                condition,
                kind: location.kind.clone(),
                span: path.span.or(location.span),
            };
            self.machine.nodes[path.node].failures.push(failure);
        }
        Ok(())
    }

    /// The path has made its step: a move to where it is now.
    fn arrive(&mut self, path: Path) -> Result<(), Unreadable> {
        let bad = |message: String| Unreadable { message, span: path.span, variable: None };
        let effects: Vec<Assign> = path.run.effects().map_err(bad)?;
        for (locals, conditions) in self.split(&path)? {
            let conditions: Vec<Expr> = path.conditions.iter().cloned().chain(conditions).collect();
            let cases = arbitrary::cases(
                self.program,
                &self.machine,
                &conditions,
                effects.clone(),
                path.run.fresh(),
            );
            let cases = cases.map_err(bad)?;
            let to = if cases.is_empty() { path.node } else { self.node(path.at, locals)? };
            for case in cases {
                let step = Move {
                    from: path.node,
                    to,
                    guard: case.guard,
                    effects: case.effects,
                    ensure: case.ensure,
                    span: path.span,
                };
                if !self.machine.moves.contains(&step) {
                    self.machine.moves.push(step);
                }
            }
        }
        Ok(())
    }

    /// The values that the locals can have at the end of a path, each with when.
    fn split(&self, path: &Path) -> Result<Vec<Way>, Unreadable> {
        let mut ways: Vec<Way> = vec![Way::default()];
        let locals = self.template.locals.iter().zip(path.run.locals());
        for (number, (local, value)) in locals.enumerate() {
            let value = refold(value);
            if self.is_known(&value) {
                ways.iter_mut().for_each(|(locals, _)| locals.push(value.clone()));
                continue;
            }
            let ty = type_of(&value, &path.run.symbols());
            let few = ty.bounds().filter(|(low, high)| high - low < MAX_SPLIT_VALUES);
            let (low, high) = few.ok_or_else(|| Unreadable {
                message: self.cannot_remember(local, &value),
                span: path.span,
                variable: Some(LocalId(number as u32)),
            })?;
            let with = |(locals, conditions): &Way, constant: i128| {
                let constant = Expr::Const(constant, ty);
                let (mut locals, mut conditions) = (locals.clone(), conditions.clone());
                conditions.push(refold(&Expr::eq(value.clone(), constant.clone())));
                locals.push(constant);
                (locals, conditions)
            };
            ways = ways.iter().flat_map(|way| (low..=high).map(move |c| with(way, c))).collect();
        }
        Ok(ways)
    }

    /// Is a value the same in all states: a number, or one that depends on the
    /// thread's arguments only?
    fn is_known(&self, value: &Expr) -> bool {
        let mut known = true;
        value.walk(&mut |part| {
            known &= match part {
                Expr::Var(VarRef::Local(id)) => id.index() < self.machine.params.len(),
                Expr::Var(VarRef::Shared(_)) | Expr::Index(..) => false,
                _ => true,
            }
        });
        known
    }

    fn cannot_remember(&self, local: &ccfa::Var, value: &Expr) -> String {
        let mut is_argument = false;
        value.walk(&mut |part| {
            if let Expr::Var(var) | Expr::Index(var, _) = part {
                is_argument |= argument::is_argument(self.program, *var);
            }
        });
        match is_argument {
            true => {
                "it uses the argument of its thread, and it is not known which few values that \
                     has where threads are created"
                    .into()
            }
            false => format!(
                "its variable `{}` keeps a number from one step to the next; an abstract thread \
                 has finitely many states and remembers by where it is",
                local.name
            ),
        }
    }
}

fn unreadable<T>(span: Option<Span>, message: impl Into<String>) -> Result<T, Unreadable> {
    Err(Unreadable { message: message.into(), span, variable: None })
}

/// Nodes with the same name get numbers.
fn name_apart(nodes: &mut [MachineState]) {
    let mut used: HashMap<String, u32> = HashMap::new();
    for node in nodes {
        let count = used.entry(node.name.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            node.name = format!("{}/{count}", node.name);
        }
    }
}
