//! Leaks: allocated memory that is alive though nothing leads to it any more.
//!
//! It is asked where the program ends: in one atomic section, what the roots point to is marked, then what marked memory points
//! to, until nothing is new. The roots are what lives as long as the program: variables of static lifetime, those of
//! the ending thread's own, and results of threads that were not joined; where functions have not returned (`exit`), also their variables that are in
//! scope. What is alive and has no mark is lost. An address anywhere in an object or right behind it counts, in any cell at least as wide as a pointer.
//!
//! The edges are made when all templates are there, since only then all objects are known. A template sees its own variables only:
//! while other threads run, memory without a mark may be theirs, and that is a model limit. So it is where a value of an expression that is
//! not finished leads there.
//!
//! Who asks for [`Leaks::Tracked`] also means executions that never end. There it is asked in every round of a loop, before a thread
//! waits, at its end, where `main` returns, and where the program aborts. What is lost stays lost, so that every loss is seen at one of these places: an execution that passes none of them
//! any more has ended, or can take only so many steps.

use super::alternative::width;
use super::build::{FLAG, Frame, TemplateBuilder};
use super::input::Input;
use super::locate::INDEX;
use super::objects::{Key, ObjectId, Objects, Storage};
use super::{Lowerer, fold};
use crate::Leaks;
use crate::hir::{Lifetime, VarId};
use ccfa::{
    Assign, BinOp, CallId, Edge, Expr, FailedOperation, Init, Limit, LocId, LocKind, LocalId,
    Location, Place, Program, Rhs, Span, Template, TemplateId, Type, Undefined, Var, VarRef,
};
use std::collections::HashMap;

/// More comparisons of pointers with objects than this are not made: each is a part of one step.
const MAX_TESTS: usize = 40_000;

/// Where it is asked whether memory is lost: between two atomic locations.
pub struct LeakCheck {
    from: LocId,
    to: LocId,
    span: Option<Span>,
    call: Option<CallId>,
    /// May another thread run?
    others: Expr,
    /// The results of threads that were not joined: values, each with the condition that it is one.
    results: Vec<(Expr, Expr)>,
    /// The objects of local variables that are in scope.
    in_scope: Vec<ObjectId>,
    /// Functions have not returned: what they have allocated for themselves is there.
    frames_are_open: bool,
    /// The locals that may be values of expressions that are not finished.
    pending: Vec<LocalId>,
}

/// The checks of a template, and its variables for private objects.
pub type PendingChecks = (TemplateId, Vec<LeakCheck>, HashMap<ObjectId, Vec<LocalId>>);

/// A place that may hold an address: its value, and when it counts.
struct Held {
    value: Expr,
    counts: Expr,
}

/// All of them: the roots, what is in allocated memory with a mark, or in any that is alive, and values of expressions that are not finished.
struct AllHeld {
    roots: Vec<Held>,
    in_marked: Vec<Held>,
    pending: Vec<Held>,
    in_unmarked: Vec<Held>,
}

/// A copy of an allocated object.
struct Allocated {
    start: u64,
    size: u64,
    is_alive: Expr,
    mark: Expr,
    place: Place,
}

/// Where an execution is when it is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// `main` has returned.
    Returned,
    /// `exit` or one of its relatives was called.
    Exit,
    /// It may continue, or never end.
    Between,
}

impl Lowerer<'_> {
    /// Asks here whether memory is lost, if that is asked for.
    pub(super) fn check_leaks(&mut self, moment: Moment) {
        let Some(leaks) = self.input.options.choices.leaks else { return };
        let is_asked = match (leaks, moment) {
            (Leaks::Tracked, moment) => moment != Moment::Returned,
            (Leaks::Lost | Leaks::NotFreed, moment) => moment != Moment::Between,
        };
        if !is_asked || self.t.dead || self.input.facts.heap.is_empty() {
            return;
        }
        let (others, results) = self.threads().others();
        let in_scope = match moment {
            Moment::Returned => vec![],
            Moment::Exit | Moment::Between => self.objects.in_scope(&self.t),
        };
        self.t.begin_atomic();
        let to = self.t.location(LocKind::Plain);
        self.t.leak_checks.push(LeakCheck {
            from: self.t.here,
            to,
            span: self.t.span,
            call: self.t.call,
            others: if self.t.routine == self.input.main { others } else { Expr::TRUE },
            results,
            pending: self.t.pending_values(),
            in_scope,
            frames_are_open: moment != Moment::Returned,
        });
        self.t.here = to;
        self.t.end_atomic();
    }

    /// Makes the edges of all checks.
    pub(super) fn finish_leak_checks(
        &mut self,
        program: &mut Program,
        pending: Vec<PendingChecks>,
    ) {
        for (number, checks, private) in pending.into_iter().filter(|(_, list, _)| !list.is_empty())
        {
            let template = &mut program.templates[number.index()];
            let is_main = number.index() == 0;
            let (input, objects) = (&self.input, &self.objects);
            let allocated = &objects.allocated(template);
            let marking = Marking { input, objects, private: &private, is_main, allocated };
            for check in checks {
                let mut failures = Vec::new();
                marking.finish_check(template, &check, &mut failures);
                for (location, operands) in failures {
                    self.details.operands.insert((number, location), operands);
                }
            }
        }
    }
}

/// What leads where in one template, when all objects are known. It only reads.
struct Marking<'r, 'a> {
    input: &'r Input<'a>,
    objects: &'r Objects,
    /// The template's variables for private objects.
    private: &'r HashMap<ObjectId, Vec<LocalId>>,
    is_main: bool,
    allocated: &'r [Allocated],
}

impl Marking<'_, '_> {
    fn finish_check(
        &self,
        template: &mut Template,
        check: &LeakCheck,
        failures: &mut Vec<(LocId, FailedOperation)>,
    ) {
        let (mut builder, allocated) = (CheckBuilder { template, check }, self.allocated);
        let alive = || allocated.iter().map(|copy| copy.is_alive.clone());
        if self.input.options.choices.leaks == Some(Leaks::NotFreed) {
            let some = any(alive());
            let kind = LocKind::Undefined(Undefined::MemoryNotFreed);
            let end = builder.fail(check.from, some.clone(), kind);
            builder.edge(check.from, check.to, Expr::negate(some), vec![]);
            let which = allocated.iter().map(|copy| (copy.start, copy.is_alive.clone()));
            return failures.push((end, FailedOperation::Allocation(which.collect())));
        }
        let cells = self.all_held(&builder);
        if cells.len() * allocated.len() > MAX_TESTS {
            let what = "so much memory to look through for what is lost".to_string();
            builder.fail(check.from, Expr::TRUE, LocKind::Limit(Limit::Unsupported, what));
            return;
        }
        let (look, done) = self.mark(&mut builder, &cells);
        let lost = any(allocated.iter().map(Allocated::is_lost));
        // Nothing at all leads there.
        let surely = |copy: &Allocated| {
            let elsewhere = Expr::or(
                self.is_pointed_to(copy, &cells.pending),
                self.is_pointed_to(copy, &cells.in_unmarked),
            );
            Expr::and(copy.is_lost(), Expr::negate(elsewhere))
        };
        let is_hidden = self.input.facts.has_strays || !self.input.facts.words.is_empty();
        let is_seen = Expr::and(Expr::negate(check.others.clone()), truth(!is_hidden));
        let certain = Expr::and(any(allocated.iter().map(surely)), is_seen);
        let kind = LocKind::Undefined(Undefined::MemoryLost);
        let end = builder.fail(look, Expr::and(done.clone(), certain.clone()), kind);
        let which = allocated.iter().map(|copy| (copy.start, surely(copy)));
        failures.push((end, FailedOperation::Allocation(which.collect())));
        let what = "memory that may be lost, or held by another thread, a local variable or bytes";
        let limit = LocKind::Limit(Limit::Unsupported, what.to_string());
        let open = Expr::and(lost.clone(), Expr::negate(certain));
        builder.fail(look, Expr::and(done.clone(), open), limit);
        let forget = marks(allocated, |_| Expr::FALSE);
        builder.edge(look, check.to, Expr::and(done, Expr::negate(lost)), forget);
    }

    /// Marks what the roots lead to: where that is done, and the condition that it is.
    fn mark(&self, builder: &mut CheckBuilder, cells: &AllHeld) -> (LocId, Expr) {
        let allocated = self.allocated;
        let (from, look) = (builder.check.from, builder.location(LocKind::Plain));
        let root = |copy: &Allocated| {
            Expr::and(copy.is_alive.clone(), self.is_pointed_to(copy, &cells.roots))
        };
        builder.edge(from, look, Expr::TRUE, marks(allocated, root));
        let is_new = |copy: &Allocated| {
            Expr::and(copy.is_lost(), self.is_pointed_to(copy, &cells.in_marked))
        };
        let grows = any(allocated.iter().map(is_new));
        let more = |copy: &Allocated| Expr::or(copy.is_marked(), is_new(copy));
        builder.edge(look, look, grows.clone(), marks(allocated, more));
        (look, Expr::negate(grows))
    }

    /// All places that may hold an address.
    fn all_held(&self, builder: &CheckBuilder) -> AllHeld {
        let mut held = AllHeld {
            roots: self.roots(builder.check),
            in_marked: self.held_in_heap(Allocated::is_marked),
            pending: builder.held(&builder.check.pending, self.input.pointer_type()),
            in_unmarked: vec![],
        };
        if !held.pending.is_empty() {
            held.in_unmarked = self.held_in_heap(|_| Expr::TRUE);
        }
        held
    }

    /// What lives as long as the program, as the ending thread sees it.
    fn roots(&self, check: &LeakCheck) -> Vec<Held> {
        let result =
            |(counts, value): &(Expr, Expr)| Held { value: value.clone(), counts: counts.clone() };
        let mut held: Vec<Held> = check.results.iter().map(result).collect();
        for id in (0..self.objects.list.len()).map(|number| ObjectId(number as u32)) {
            let Some(Key::Global(var)) = self.objects.key(id) else { continue };
            let is_static = self.input.unit.vars[var.index()].lifetime == Lifetime::Static;
            // The first copy of what every thread has is that of `main`.
            let copies = if is_static { None } else { Some(0..u64::from(self.is_main)) };
            held.extend(self.held_in(id, copies, |_| Expr::TRUE));
        }
        for id in &check.in_scope {
            let is_each_thread_s = self.objects.get(*id).by_thread;
            let copies = is_each_thread_s.then(|| 0..u64::from(self.is_main));
            held.extend(self.held_in(*id, copies, |_| Expr::TRUE));
        }
        if check.frames_are_open {
            held.extend(self.held_in_frames());
        }
        held
    }

    /// What memory holds that functions have allocated for themselves.
    fn held_in_frames(&self) -> Vec<Held> {
        let mut held = Vec::new();
        for (number, object) in self.objects.list.iter().enumerate() {
            let Some(live) = object.live.filter(|_| object.is_automatic) else { continue };
            let ty = self.objects.shared[live.index()].ty;
            let is_alive = |copy: u64| {
                let copy = Box::new(Expr::Const(i128::from(copy), INDEX));
                Expr::eq(Expr::Index(VarRef::Shared(live), copy), Expr::Const(1, ty))
            };
            held.extend(self.held_in(ObjectId(number as u32), None, is_alive));
        }
        held
    }

    /// What allocated memory holds that is alive, under a condition on it.
    fn held_in_heap(&self, condition: impl Fn(&Allocated) -> Expr) -> Vec<Held> {
        let mut held = Vec::new();
        let mut first = 0;
        for (number, object) in self.objects.list.iter().enumerate() {
            let id = ObjectId(number as u32);
            if self.objects.site(id).is_none() || object.is_automatic || object.live.is_none() {
                continue;
            }
            let reaches = |copy: u64| {
                let copy = &self.allocated[first + copy as usize];
                Expr::and(copy.is_alive.clone(), condition(copy))
            };
            held.extend(self.held_in(id, None, reaches));
            first += object.copy_count() as usize;
        }
        held
    }

    /// The cells of an object, or of some of its copies, that can hold an address.
    fn held_in(
        &self,
        id: ObjectId,
        copies: Option<std::ops::Range<u64>>,
        counts: impl Fn(u64) -> Expr,
    ) -> Vec<Held> {
        let (object, pointer) = (self.objects.get(id), self.input.pointer_type());
        let mut held = Vec::new();
        for (number, group) in object.outline.groups.iter().enumerate() {
            let var = match &object.storage {
                Storage::Shared(vars) => VarRef::Shared(vars[number]),
                Storage::Private(_) => match self.private.get(&id) {
                    Some(locals) => VarRef::Local(locals[number]),
                    None => continue,
                },
            };
            if group.size < self.input.unit.types.pointer_size() || group.is_lock {
                continue;
            }
            for copy in copies.clone().unwrap_or(0..object.copy_count()) {
                for index in copy * group.len()..(copy + 1) * group.len() {
                    let index = Box::new(Expr::Const(i128::from(index), INDEX));
                    let is_scalar = group.dims.is_empty() && object.copies.is_none();
                    let value = if is_scalar { Expr::Var(var) } else { Expr::Index(var, index) };
                    let value = fold::cast(pointer, group.ty, value);
                    held.push(Held { value, counts: counts(copy) });
                }
            }
        }
        held
    }

    /// Does one of these lead into this copy, or right behind it?
    fn is_pointed_to(&self, copy: &Allocated, cells: &[Held]) -> Expr {
        let ty = self.input.pointer_type();
        let number = |value: u64| Expr::Const(i128::from(value), ty);
        any(cells.iter().map(|held| {
            let distance = fold::binary(BinOp::Sub, ty, held.value.clone(), number(copy.start));
            let is_near = fold::binary(BinOp::Le, ty, distance, number(copy.size));
            Expr::and(held.counts.clone(), is_near)
        }))
    }
}

impl Objects {
    /// The copies of all objects that live until they are freed, each with a mark in the template.
    fn allocated(&self, template: &mut Template) -> Vec<Allocated> {
        let mut all = Vec::new();
        for (number, object) in self.list.iter().enumerate() {
            let is_heap = self.site(ObjectId(number as u32)).is_some();
            let (Some(live), true) = (object.live, is_heap && !object.is_automatic) else {
                continue;
            };
            let (count, ty) = (object.copy_count(), self.shared[live.index()].ty);
            let name = format!(".reached.{number}");
            template.locals.push(Var::new(name, FLAG, Some(count as u32), Init::Value(0)));
            let marks = VarRef::Local(LocalId(template.locals.len() as u32 - 1));
            let stride = object.copies.map_or(0, |copies| copies.stride);
            for copy in 0..count {
                let index = Expr::Const(i128::from(copy), INDEX);
                let state = Expr::Index(VarRef::Shared(live), Box::new(index.clone()));
                all.push(Allocated {
                    start: object.base + copy * stride,
                    size: object.outline.size,
                    is_alive: Expr::eq(state, Expr::Const(1, ty)),
                    mark: Expr::Index(marks, Box::new(index.clone())),
                    place: Place::Element(marks, index),
                });
            }
        }
        all
    }

    /// The objects of local variables in scope, in all frames.
    fn in_scope(&self, t: &TemplateBuilder) -> Vec<ObjectId> {
        let mut found = Vec::new();
        for (depth, frame) in t.frames.iter().enumerate() {
            let outer = t.frames[..depth].iter();
            let level = outer.filter(|other| other.function == frame.function).count() as u32;
            let object = |var: &VarId| self.find(&Key::Local(*var, level));
            found.extend(frame.declared.iter().filter_map(object));
        }
        found
    }
}

impl Allocated {
    fn is_marked(&self) -> Expr {
        fold::truth(FLAG, self.mark.clone())
    }

    /// Is it alive without a mark?
    fn is_lost(&self) -> Expr {
        Expr::and(self.is_alive.clone(), Expr::negate(self.is_marked()))
    }
}

impl AllHeld {
    fn len(&self) -> usize {
        let AllHeld { roots, in_marked, pending, in_unmarked } = self;
        [roots, in_marked, pending, in_unmarked].into_iter().map(Vec::len).sum()
    }
}

/// Assignments that mark copies, each as a condition says.
fn marks(allocated: &[Allocated], by: impl Fn(&Allocated) -> Expr) -> Vec<Assign> {
    let mark = |copy: &Allocated| Assign {
        place: copy.place.clone(),
        value: Rhs::Expr(fold::number(FLAG, by(copy))),
    };
    allocated.iter().map(mark).collect()
}

/// Adds the edges of a check to a template that is finished otherwise.
struct CheckBuilder<'t> {
    template: &'t mut Template,
    check: &'t LeakCheck,
}

impl TemplateBuilder {
    /// The locals that came since the statements began that are being lowered, in all frames.
    fn pending_values(&self) -> Vec<LocalId> {
        let inner = self.frames.iter().skip(1).map(|frame| frame.first_local);
        let ends = inner.chain([self.template.locals.len()]);
        let start = |frame: &Frame| frame.outer_statement.unwrap_or(frame.statement);
        let ranges = self.frames.iter().zip(ends).map(|(frame, end)| start(frame)..end);
        ranges.flatten().map(|number| LocalId(number as u32)).collect()
    }
}

impl CheckBuilder<'_> {
    /// What these locals hold that are wide enough for an address.
    fn held(&self, locals: &[LocalId], pointer: Type) -> Vec<Held> {
        let held = |local: &LocalId| {
            let Var { ty, len: None, .. } = &self.template.locals[local.index()] else {
                return None;
            };
            let is_wide = matches!(ty, Type::Bits { width: found, .. } if *found >= width(pointer));
            let value = fold::cast(pointer, *ty, Expr::Var(VarRef::Local(*local)));
            is_wide.then_some(Held { value, counts: Expr::TRUE })
        };
        locals.iter().filter_map(held).collect()
    }

    fn location(&mut self, kind: LocKind) -> LocId {
        let (atomic, span) = (kind == LocKind::Plain, self.check.span);
        self.template.locations.push(Location { kind, atomic, span, ..Location::default() });
        LocId(self.template.locations.len() as u32 - 1)
    }

    fn edge(&mut self, source: LocId, target: LocId, guard: Expr, assigns: Vec<Assign>) {
        let LeakCheck { span, call, .. } = *self.check;
        let edge = Edge { span, call, ..Edge::new(source, target, guard, assigns) };
        if edge.guard != Expr::FALSE {
            self.template.edges.push(edge);
        }
    }

    fn fail(&mut self, source: LocId, guard: Expr, kind: LocKind) -> LocId {
        let end = self.location(kind);
        self.edge(source, end, guard, vec![]);
        end
    }
}

fn any(conditions: impl Iterator<Item = Expr>) -> Expr {
    fold::any(conditions.filter(|condition| *condition != Expr::FALSE))
}

fn truth(value: bool) -> Expr {
    if value { Expr::TRUE } else { Expr::FALSE }
}
