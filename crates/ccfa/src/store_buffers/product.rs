//! The product of a template with its store buffers: the locations that a thread can come to, each with what waits in the buffer there.
//!
//! The location with an empty buffer has the number of the old one, and so have those at which the thread moves no more (errors, limits), whatever waits.

use super::buffer::{Buffer, BufferSlot, DelayedCell, Next};
use super::steps::{Effect, Write, by_the_model};
use super::{Capacity, StoreOrder};
use crate::access::{Access, AccessKind, Cell, Direction, Mode};
use crate::expr::{BinOp, Expr, Type};
use crate::program::{
    Assign, Edge, EdgeId, Init, Limit, LocId, LocKind, LocalId, Location, Place, Program, Rhs,
    SharedId, Template, Var, VarRef,
};
use crate::set;
use std::collections::{BTreeMap, BTreeSet};

/// A template has at most so many locations with something in the buffer: engines look at each of them.
const MAX_COPIES: usize = 20_000;

/// The type of an index that waits: every index of C is a number of it.
const INDEX: Type = Type::signed(64);

/// The product under construction.
pub struct Product<'p> {
    program: &'p Program,
    before: &'p Template,
    order: StoreOrder,
    capacity: Capacity,
    effects: &'p [Effect],
    /// For variables of objects that come and go: what is assigned when they come.
    lives: &'p BTreeMap<SharedId, BTreeSet<SharedId>>,
    /// By location: may writes become visible there?
    shows: Vec<bool>,
    after: Template,
    copies: BTreeMap<(LocId, Buffer), LocId>,
    waiting: Vec<(LocId, Buffer)>,
    /// For each variable, the locals of its slots: the value, and the index.
    slots: BTreeMap<(SharedId, usize), (VarRef, VarRef)>,
    delayed: Vec<EdgeId>,
    visible: Vec<EdgeId>,
}

/// Where the model ends.
type Ends = (Limit, String);

impl<'p> Product<'p> {
    /// The product of a template.
    pub fn new(
        program: &'p Program,
        before: &'p Template,
        order: StoreOrder,
        capacity: Capacity,
        effects: &'p [Effect],
        lives: &'p BTreeMap<SharedId, BTreeSet<SharedId>>,
    ) -> Product<'p> {
        Product {
            program,
            before,
            order,
            capacity,
            effects,
            lives,
            shows: shows(before, program.property.deadlocks),
            after: Template { edges: Vec::new(), ..before.clone() },
            copies: BTreeMap::new(),
            waiting: Vec::new(),
            slots: BTreeMap::new(),
            delayed: Vec::new(),
            visible: Vec::new(),
        }
    }

    /// The new template, and which of its edges delay writes and which make them visible.
    pub fn make(mut self) -> (Template, Vec<EdgeId>, Vec<EdgeId>) {
        let edges_from = self.before.edges_from();
        self.waiting = vec![(self.before.entry, Buffer::default())];
        let mut seen = BTreeSet::new();
        while let Some((at, buffer)) = self.waiting.pop() {
            if !seen.insert((at, buffer.clone())) {
                continue;
            }
            for edge in &edges_from[at.index()] {
                self.step(*edge, &buffer);
            }
            if self.shows[at.index()] {
                for next in buffer.next(self.order) {
                    self.show(at, &buffer, next);
                }
                if buffer.is_abstract() {
                    buffer.vars().into_iter().for_each(|var| self.show_any(at, &buffer, var));
                }
            }
        }
        (self.after, self.delayed, self.visible)
    }

    /// The new location for an old one with this buffer.
    fn at(&mut self, at: LocId, buffer: &Buffer) -> LocId {
        let old = &self.before.locations[at.index()];
        if old.kind != LocKind::Plain {
            return at;
        }
        if buffer.is_empty() {
            self.waiting.push((at, Buffer::default()));
            return at;
        }
        if let Some(known) = self.copies.get(&(at, buffer.clone())) {
            return *known;
        }
        if self.copies.len() >= MAX_COPIES {
            let what = "so many ways in which writes can wait in a store buffer";
            return self.end((Limit::Unsupported, what.to_string()), old);
        }
        self.after.locations.push(Location { name: String::new(), ..old.clone() });
        let copy = LocId(self.after.locations.len() as u32 - 1);
        self.copies.insert((at, buffer.clone()), copy);
        self.waiting.push((at, buffer.clone()));
        copy
    }

    /// A location at which the model ends.
    fn end(&mut self, (limit, what): Ends, old: &Location) -> LocId {
        let kind = LocKind::Limit(limit, what);
        self.after.locations.push(Location { kind, span: old.span, ..Location::default() });
        LocId(self.after.locations.len() as u32 - 1)
    }

    /// An edge of the old template, taken with this buffer.
    fn step(&mut self, number: EdgeId, buffer: &Buffer) {
        let edge = &self.before.edges[number.index()];
        let is_atomic = self.before.locations[edge.source.index()].atomic;
        let taken = edge.map_exprs(&|expr| self.looked_up(expr, buffer));
        let (taken, after) = match &self.effects[number.index()] {
            Effect::Drains if !buffer.is_empty() && !is_atomic => return,
            Effect::Drains | Effect::InSection if !buffer.is_empty() => {
                let what = "an atomic section whose writes wait in a store buffer";
                return self.step_to_end(taken, buffer, (Limit::Unsupported, what.to_string()));
            }
            Effect::Drains | Effect::InSection | Effect::None => (taken, buffer.clone()),
            Effect::Orders => (taken, buffer.marked()),
            Effect::Writes(write) if buffer.is_empty() && !write.matters => (taken, buffer.clone()),
            Effect::Writes(write) => match self.delay(&taken, write, buffer) {
                Ok(delayed) => {
                    self.delayed.push(EdgeId(self.after.edges.len() as u32));
                    delayed
                }
                Err(ends) => return self.step_to_end(taken, buffer, ends),
            },
        };
        let by_the_model = by_the_model(edge);
        let comes_or_goes = |slot: BufferSlot| {
            self.lives.get(&slot.cell.var).is_some_and(|life| !life.is_disjoint(&by_the_model))
        };
        if after.cells().any(comes_or_goes) {
            let what = "an object that comes or goes while a write to it waits in a store buffer";
            return self.step_to_end(taken, buffer, (Limit::Unsupported, what.to_string()));
        }
        let (source, target) = (self.at(edge.source, buffer), self.at(edge.target, &after));
        self.after.edges.push(Edge { source, target, ..taken });
    }

    /// The model ends where this step would be taken.
    fn step_to_end(&mut self, taken: Edge, buffer: &Buffer, ends: Ends) {
        let source = self.at(taken.source, buffer);
        let old = Location { span: taken.span, ..Location::default() };
        let target = self.end(ends, &old);
        let (assigns, accesses) = (Vec::new(), Vec::new());
        self.after.edges.push(Edge { source, target, assigns, accesses, ..taken });
    }

    /// The step whose writes go into the buffer, and the buffer then.
    fn delay(
        &mut self,
        taken: &Edge,
        write: &Write,
        buffer: &Buffer,
    ) -> Result<(Edge, Buffer), Ends> {
        if buffer.is_abstract() {
            return self.abstracted(taken, write, buffer);
        }
        let buffer = if write.releases { buffer.marked() } else { buffer.clone() };
        let mut delayed = taken.clone();
        let (mut cells, mut assigns) = (Vec::new(), Vec::new());
        for assign in std::mem::take(&mut delayed.assigns) {
            match assign.place.parts() {
                (VarRef::Shared(var), index) if write.vars.contains(&var) => {
                    let used = buffer.cells().map(|slot| slot.cell).chain(cells.clone());
                    let number = used.filter(|cell| cell.var == var).count();
                    let (value, element) = self.slot(var, number);
                    assigns.push(Assign { place: Place::Var(value), value: assign.value.clone() });
                    if let Some(index) = index {
                        let index = self.number(index)?;
                        delayed.guard = Expr::and(delayed.guard, self.is_inside(var, &index));
                        assigns.push(set(element, index));
                    } else if self.program.shared[var.index()].len.is_some() {
                        return Err((Limit::Unsupported, "a whole array that is written".into()));
                    }
                    cells.push(DelayedCell { var, is_element: index.is_some() });
                }
                _ => assigns.push(assign),
            }
        }
        delayed.assigns = assigns;
        delayed.accesses.retain(|access| !access.writes());
        if cells.is_empty() {
            return Err((Limit::Unsupported, "a write that writes nothing".into()));
        }
        let after = buffer.with(cells, self.order);
        match self.capacity {
            Capacity::Abstracts(writes) if after.len() > writes as usize => {
                self.abstracted(taken, write, &buffer)
            }
            Capacity::Ends(writes) if after.len() > writes as usize => Err(self.is_full(writes)),
            _ => Ok((delayed, after)),
        }
    }

    fn is_full(&self, writes: u32) -> Ends {
        (Limit::Bound, format!("more than {writes} writes in a store buffer"))
    }

    /// The step after which only the last write to each variable is known.
    fn abstracted(
        &mut self,
        taken: &Edge,
        write: &Write,
        buffer: &Buffer,
    ) -> Result<(Edge, Buffer), Ends> {
        let vars: BTreeSet<SharedId> = buffer.vars().union(&write.vars).copied().collect();
        if vars.iter().any(|var| self.program.shared[var.index()].len.is_some()) {
            return Err(self.is_full(buffer.len() as u32));
        }
        let mut delayed = taken.clone();
        for assign in &mut delayed.assigns {
            if let Place::Var(VarRef::Shared(var)) = assign.place
                && write.vars.contains(&var)
            {
                assign.place = Place::Var(self.slot(var, 0).0);
            }
        }
        let last: BTreeMap<SharedId, usize> =
            buffer.cells().map(|slot| (slot.cell.var, slot.number)).collect();
        for (var, number) in last.into_iter().filter(|(var, _)| !write.vars.contains(var)) {
            let (to, from) = (self.slot(var, 0).0, self.slot(var, number).0);
            let value = Rhs::Expr(Expr::Var(from));
            delayed.assigns.extend((number > 0).then_some(Assign { place: Place::Var(to), value }));
        }
        delayed.accesses.retain(|access| !access.writes());
        Ok((delayed, Buffer::abstracted(&vars)))
    }

    /// A write of which nothing is known becomes visible: some value, if the template writes constants one of these.
    fn show_any(&mut self, at: LocId, buffer: &Buffer, var: SharedId) {
        let place = Place::Var(VarRef::Shared(var));
        let values = match self.constants(var) {
            Some(values) => values.into_iter().map(Rhs::Expr).collect(),
            None => vec![Rhs::Havoc],
        };
        for value in values {
            let assigns = vec![Assign { place: place.clone(), value }];
            let source = self.at(at, buffer);
            self.after.edges.push(Edge::new(source, source, Expr::TRUE, assigns));
        }
    }

    /// What the template writes to a variable, if these are constants.
    fn constants(&self, var: SharedId) -> Option<Vec<Expr>> {
        let mut constants = Vec::new();
        for (edge, effect) in self.before.edges.iter().zip(self.effects) {
            let writes = matches!(effect, Effect::Writes(write) if write.vars.contains(&var));
            let is_place = |assign: &&Assign| assign.place.parts().0 == VarRef::Shared(var);
            for assign in edge.assigns.iter().filter(|_| writes).filter(is_place) {
                let Rhs::Expr(value @ Expr::Const(..)) = &assign.value else { return None };
                if !constants.contains(value) {
                    constants.push(value.clone());
                }
            }
        }
        Some(constants)
    }

    /// A write becomes visible, and what waits behind it moves up.
    fn show(&mut self, at: LocId, buffer: &Buffer, next: Next) {
        let Next { write, older, moved, rest } = next;
        let set = |place, value| Assign { place, value: Rhs::Expr(Expr::Var(value)) };
        let (mut guard, mut assigns, mut accesses) = (Expr::TRUE, Vec::new(), Vec::new());
        for BufferSlot { cell, number } in write {
            let (value, index) = self.slot(cell.var, number);
            for other in older.iter().filter(|older| older.cell.var == cell.var) {
                let (_, other) = self.slot(cell.var, other.number);
                let is_other = Expr::negate(Expr::eq(Expr::Var(index), Expr::Var(other)));
                guard = Expr::and(guard, is_other);
            }
            let (var, index) = (cell.var, cell.is_element.then_some(Expr::Var(index)));
            let place = match &index {
                Some(index) => Place::Element(VarRef::Shared(var), index.clone()),
                None => Place::Var(VarRef::Shared(var)),
            };
            assigns.push(set(place, value));
            let kind = AccessKind::Memory(Direction::Write, Cell { var, index }, Mode::Plain);
            accesses.push(Access { kind, span: None });
        }
        for (from, to) in moved.into_iter().zip(rest.cells()).filter(|(from, to)| from != to) {
            let (from_value, from_index) = self.slot(from.cell.var, from.number);
            let (value, index) = self.slot(to.cell.var, to.number);
            assigns.push(set(Place::Var(value), from_value));
            assigns.extend(to.cell.is_element.then(|| set(Place::Var(index), from_index)));
        }
        let (source, target) = (self.at(at, buffer), self.at(at, &rest));
        self.visible.push(EdgeId(self.after.edges.len() as u32));
        self.after.edges.push(Edge { accesses, ..Edge::new(source, target, guard, assigns) });
    }

    /// An expression that looks into the buffer first.
    fn looked_up(&self, expr: &Expr, buffer: &Buffer) -> Expr {
        expr.map_reads(&mut |read| {
            let (Expr::Var(VarRef::Shared(var)) | Expr::Index(VarRef::Shared(var), _)) = read
            else {
                return read;
            };
            let slots = buffer.cells().filter(|slot| slot.cell.var == var);
            slots.fold(read.clone(), |older, slot| {
                let (value, element) = self.slots[&(var, slot.number)];
                match &read {
                    Expr::Index(_, index) => {
                        let index = Expr::Cast(INDEX, index.clone());
                        let is_same = Expr::eq(index, Expr::Var(element));
                        Expr::ite(is_same, Expr::Var(value), older)
                    }
                    _ => Expr::Var(value),
                }
            })
        })
    }

    /// The locals of a slot.
    fn slot(&mut self, var: SharedId, slot: usize) -> (VarRef, VarRef) {
        if let Some(known) = self.slots.get(&(var, slot)) {
            return *known;
        }
        let Var { name, ty, .. } = &self.program.shared[var.index()];
        let name = format!(".buffer.{name}.{slot}");
        let both = (self.local(name.clone(), *ty), self.local(format!("{name}.index"), INDEX));
        self.slots.insert((var, slot), both);
        both
    }

    fn local(&mut self, mut name: String, ty: Type) -> VarRef {
        while self.after.locals.iter().any(|var| var.name == name) {
            name.push('.');
        }
        self.after.locals.push(Var::new(name, ty, None, Init::Value(0)));
        VarRef::Local(LocalId(self.after.locals.len() as u32 - 1))
    }

    /// An index as a number.
    fn number(&self, index: &Expr) -> Result<Expr, Ends> {
        let type_of = |var| match var {
            VarRef::Shared(id) => self.program.shared[id.index()].ty,
            VarRef::Local(id) => self.after.locals[id.index()].ty,
        };
        match index.ty(&type_of) {
            Type::Int => Err((Limit::Unsupported, "an index without bounds".into())),
            _ => Ok(Expr::Cast(INDEX, Box::new(index.clone()))),
        }
    }

    /// Has the array an element with this index? If not, the step cannot be taken.
    fn is_inside(&self, var: SharedId, index: &Expr) -> Expr {
        let len = self.program.shared[var.index()].cells() as i128;
        let first = Expr::Const(0, INDEX);
        let last = Expr::constant(len - 1, INDEX);
        let is_not_before = Expr::binary(BinOp::Le, first, index.clone());
        Expr::and(is_not_before, Expr::binary(BinOp::Le, index.clone(), last))
    }
}

/// By location: may writes become visible there? (See the head of the module above.)
fn shows(template: &Template, everywhere: bool) -> Vec<bool> {
    let is_atomic = |at: LocId| template.locations[at.index()].atomic;
    let mut shows = vec![everywhere; template.locations.len()];
    for edge in &template.edges {
        if is_atomic(edge.source) || !edge.read_write_sets().is_local() {
            shows[edge.target.index()] = true;
        }
    }
    for (shows, location) in shows.iter_mut().zip(&template.locations) {
        *shows &= !location.atomic && location.kind == LocKind::Plain;
    }
    shows
}
