//! Races as errors: the program in which a thread may *stop* before an access, and another thread that *meets* it there, with
//! a conflicting access, is at an error. **Trusted.**
//!
//! KISS looks for races in this way (S. Qadeer, D. Wu: KISS: keep it simple and sequential. PLDI 2004, Section 5). So
//! whatever decides errors decides races, and a proof that no error is reachable here is one that there is no
//! race in the program before (`check`). Threads, variables, locations and edges keep their numbers; new ones come behind them:
//!
//! - two shared variables: which kind of access a thread has stopped before (0: none has), and to which element (-1: to any);
//! - in each template a location where a thread is that has stopped, and an error location;
//! - for each edge *e* from a location that is not atomic, and each of its accesses, an edge to the first: enabled where *e* is and no thread has
//!   stopped, or, if atomic sections write what the guard of *e* or the index reads, wherever no thread has stopped, to any element;
//! - for each edge *f* and each of its accesses an edge to the second: enabled where the guard of *f* holds and a thread has
//!   stopped before a conflicting access to that element.
//!
//! A read stops only where a conflicting write is in an atomic section: elsewhere the write stops, and the read meets it. Accesses whose races are known do
//! not conflict here; so that others at the same places still do, the kind of an access says at which of these places it is.
//!
//! # Why a race before is an error after
//!
//! Let a state *s* be reachable before in which two instances race (`crate::property`): *first*, at a location that is not
//! atomic, with an edge *e*, and *second*, which may move, with an edge *f*. If both are at locations that are not atomic, let
//! *first* be one that writes. If *second* is at an atomic location, let s₀ be the state from which it took the step into
//! this section; only its own steps lead from there to *s*. Else s₀ is *s*. In s₀ no instance is at an atomic location, so *first* may move, and it is where it is in *s*, with
//! the same locals. What the guard of *e* and the index read is the same as in *s*, or sections write it and it does
//! not matter. So *first* can stop in s₀. The steps before read neither new variable, and where *first* stands now keeps
//! no thread from moving: *second* goes on as before, and in *s* takes the edge for *f* to the error. ∎
//!
//! The other way round, *e* may be disabled again when *second* comes: an error after is a race before only if the replay shows
//! it.

use crate::access::Access;
use crate::expr::{Expr, Type};
use crate::program::{
    Edge, ErrorKind, LocId, LocKind, Location, Program, SharedId, Template, TemplateId, VarRef,
};
use crate::property::Property;
use crate::read_write::collect_reads;
use crate::set;
use crate::sharing::instances;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The type of the number for a kind of access, and that of the element.
const KIND: Type = Type::unsigned(32);
const ELEMENT: Type = Type::signed(64);

/// The program in which races are errors.
pub fn as_errors(program: &Program) -> Program {
    let mut after = program.clone();
    (after.property.errors, after.property.races) = (true, false);
    after.property.known_races.clear();
    let kind = after.declare(".race.access", KIND, 0);
    let element = after.declare(".race.element", ELEMENT, -1);
    let racing = RaceMonitor { kind, element, table: AccessTable::of(program) };
    for (number, before) in program.templates.iter().enumerate() {
        let edges = racing.edges(TemplateId(number as u32), before);
        let template = &mut after.templates[number];
        template.edges.extend(edges);
        let error = LocKind::Error(ErrorKind::Assertion("there is no data race".to_string()));
        template
            .locations
            .extend([Location::default(), Location { kind: error, ..Location::default() }]);
    }
    after
}

/// A kind of access: the variable, whether it is written, whether atomically; and where, if a race there is known.
type Kind = (SharedId, bool, bool, Option<Span>);

/// What is known of a program.
struct AccessTable<'p> {
    property: &'p Property,
    /// Who accesses memory how: by kind, the template, and whether in an atomic section.
    accesses: BTreeSet<(Kind, TemplateId, bool)>,
    /// The kinds have numbers; none is 0.
    numbers: BTreeMap<Kind, u32>,
    /// By template: are there several instances?
    several: Vec<bool>,
    /// What atomic sections write of what others see.
    written_in_sections: BTreeSet<VarRef>,
}

impl AccessTable<'_> {
    fn of(program: &Program) -> AccessTable<'_> {
        let (mut accesses, mut written_in_sections) = (BTreeSet::new(), BTreeSet::new());
        let (mut several, property) = (Vec::new(), &program.property);
        for (template, id) in program.templates.iter().zip((0..).map(TemplateId)) {
            several.push(instances(program, id) > 1);
            let is_atomic = |at: LocId| template.locations[at.index()].atomic;
            for edge in template.edges.iter().filter(|_| instances(program, id) > 0) {
                let kinds = edge.accesses.iter().filter_map(|access| kind_of(property, access));
                accesses.extend(kinds.map(|kind| (kind, id, is_atomic(edge.source))));
                if is_atomic(edge.source) || is_atomic(edge.target) {
                    let written = edge.read_write_sets();
                    written_in_sections.extend(written.shared_writes().map(VarRef::Shared));
                }
            }
        }
        let kinds: BTreeSet<Kind> = accesses.iter().map(|(kind, ..)| *kind).collect();
        let numbers = kinds.into_iter().zip(1..).collect();
        AccessTable { property, accesses, numbers, several, written_in_sections }
    }

    /// The numbers of the kinds of accesses of others that conflict with this one, and whether one of them is in an atomic section.
    fn conflicting(&self, id: TemplateId, access: &Access) -> (BTreeSet<u32>, bool) {
        let own = kind_of(self.property, access);
        let others = self.accesses.iter().filter(|(kind, template, _)| {
            let is_other = *template != id || self.several[id.index()];
            is_other && own.is_some_and(|own| self.conflict(own, *kind))
        });
        let numbers = others.clone().map(|(kind, ..)| self.numbers[kind]).collect();
        (numbers, others.clone().any(|other| other.2))
    }

    /// `Access::conflicts`, of kinds; and whether the race is asked for.
    fn conflict(&self, one: Kind, other: Kind) -> bool {
        let is_asked = !self.property.knows_race(one.3, other.3);
        is_asked && one.0 == other.0 && (one.1 || other.1) && !(one.2 && other.2)
    }
}

fn kind_of(property: &Property, access: &Access) -> Option<Kind> {
    let is_known = |span: &Span| property.known_races.iter().any(|pair| pair.contains(span));
    let place = access.span.filter(is_known);
    Some((access.cell()?.var, access.writes(), access.is_atomic(), place))
}

/// The new variables.
struct RaceMonitor<'p> {
    kind: VarRef,
    element: VarRef,
    table: AccessTable<'p>,
}

impl RaceMonitor<'_> {
    /// The new edges of a template.
    fn edges(&self, id: TemplateId, template: &Template) -> Vec<Edge> {
        let stopped = LocId(template.locations.len() as u32);
        let error = LocId(stopped.0 + 1);
        let mut edges = Vec::new();
        for edge in &template.edges {
            let is_atomic = template.locations[edge.source.index()].atomic;
            for access in &edge.accesses {
                let (kinds, in_section) = self.table.conflicting(id, access);
                if kinds.is_empty() {
                    continue;
                }
                let here = |new| Edge { span: access.span.or(edge.span), call: edge.call, ..new };
                if !is_atomic && (access.writes() || in_section) {
                    edges.push(here(self.stop(edge, access, stopped)));
                }
                edges.push(here(self.meet(edge, access, &kinds, error)));
            }
        }
        edges
    }

    fn stop(&self, edge: &Edge, access: &Access, stopped: LocId) -> Edge {
        let index = access.cell().and_then(|cell| cell.index.as_ref());
        let mut reads = BTreeSet::new();
        index.into_iter().chain([&edge.guard]).for_each(|expr| collect_reads(expr, &mut reads));
        let stays = reads.is_disjoint(&self.table.written_in_sections);
        let index =
            index.filter(|_| stays).map(|index| Expr::Cast(ELEMENT, Box::new(index.clone())));
        let none_has = Expr::eq(Expr::Var(self.kind), Expr::constant(0, KIND));
        let guard = if stays { Expr::and(edge.guard.clone(), none_has) } else { none_has };
        let kind = kind_of(self.table.property, access);
        let number = kind.and_then(|kind| self.table.numbers.get(&kind)).map_or(0, |it| *it);
        let kind = Expr::constant(number.into(), KIND);
        let element = index.unwrap_or(Expr::constant(-1, ELEMENT));
        let assigns = vec![set(self.kind, kind), set(self.element, element)];
        Edge::new(edge.source, stopped, guard, assigns)
    }

    fn meet(&self, edge: &Edge, access: &Access, kinds: &BTreeSet<u32>, error: LocId) -> Edge {
        let is = |kind: &u32| Expr::eq(Expr::Var(self.kind), Expr::constant((*kind).into(), KIND));
        let has_stopped = kinds.iter().map(is).fold(Expr::FALSE, Expr::or);
        let same = match access.cell().and_then(|cell| cell.index.as_ref()) {
            None => Expr::TRUE,
            Some(index) => Expr::or(
                Expr::eq(Expr::Var(self.element), Expr::constant(-1, ELEMENT)),
                Expr::eq(Expr::Var(self.element), Expr::Cast(ELEMENT, Box::new(index.clone()))),
            ),
        };
        let guard = Expr::and(edge.guard.clone(), Expr::and(has_stopped, same));
        Edge::new(edge.source, error, guard, Vec::new())
    }
}
