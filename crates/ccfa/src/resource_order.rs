//! Freedom from deadlocks by an order of resources, as errors: the program in which a thread that is blocked is at an error, unless
//! whatever it waits for is higher than all it holds. **Trusted.**
//!
//! Who takes resources in one order waits in no circle (J. W. Havender: Avoiding deadlock in multitasking systems. IBM Systems Journal 7(2), 1968;
//! E. G. Coffman, M. J. Elphick, A. Shoshani: System deadlocks. Computing Surveys 3(2), 1971, "Prevention"). That is a condition on
//! each thread by itself, so it is proved for any number of threads. What differs: that a thread in the circle has
//! ended, rests, or waits for something else is not assumed away, but an error, too; and the order may be that of the elements of an array.
//!
//! A *resource* is a lock or a thread. A [`ResourceOrder`] lists them, the lowest first; elements of an array of locks are ordered by their indices.
//!
//! - **Lock**: a shared variable, or each element of one, that is 0 at the start. A thread *holds* it if it is equal to the
//!   *mark* of the thread: an expression of locals that no step of its template assigns. It is *taken* if it is not 0.
//! - **Thread**: the instance with some index. It *holds* itself while its condition `runs` is true, an expression of shared variables and of
//!   parameters that no step assigns. It is *taken* if that is so with the index in the place of the parameters.
//!
//! A blocked thread is *stuck* if those that have not begun are blocked, too: of each parameterised thread whose guards at the entry read shared variables
//! only, these guards are false. There are always instances that have not begun (`crate::property`).
//!
//! Threads, variables, locations and edges keep their numbers. New are an error location in each template and edges to it:
//!
//! - **(M)** beside each edge that assigns a lock: enabled where the edge is and the value is neither 0 nor the mark;
//! - **(S)** from each location that is not atomic, has edges, and is not resting: enabled where the thread is stuck, and nothing that it waits for there
//!   (`ResourceOrder::waits`) is taken;
//! - **(H)** from each location that is not atomic, for each resource: enabled where the thread is stuck and holds it, and nothing that it waits for there is
//!   both taken and higher;
//! - **(A)** from each atomic location with edges: enabled where the thread is blocked.
//!
//! If errors were not asked for, an error location was the end of the program, and is it here (`crate::deadlocks`).
//!
//! # Why a deadlock before is an error after
//!
//! Let a deadlock *s* be reachable before, with some number of instances, and suppose that no error is reachable after. All edges are there: *s* is reachable after, too. All
//! instances are at plain locations, and those that may move are blocked. If one is at an atomic location, (A) is enabled. Else all are blocked. If more instances are added, at their
//! entries, *s* is still reachable (`check::assertions`), and those whose entry reads shared variables only are blocked: one that was at its entry is, by the
//! definition of a deadlock. So every instance is stuck in *s*, and one of them waits. By (S) something is taken for which it waits.
//!
//! Whatever is taken in *s* is held by a thread. A lock that is not 0: who assigned it last gave it its mark, by (M), and the mark is still the same. A
//! thread: the instance with this index, which exists if enough are added (a parameterised thread is only allowed if its entry reads shared variables only; otherwise the index is smaller than the
//! number of instances, which is part of being taken). The holder is stuck, so by (H) it waits for something that is taken and higher than what it
//! holds. And so on: the resources become higher for ever, but there are finitely many locks and lists of threads. (Two instances of one thread are not higher than each other.) ∎
//!
//! An expression without value disables an edge. So marks and indices have values always, and something is taken only if all it is computed from has one.

use crate::deadlocks::{blocked, end_at_errors};
use crate::definedness::{may_be_undefined, may_fail};
use crate::expr::{BinOp, Expr, Type};
use crate::program::{
    Arg, Count, Edge, ErrorKind, Init, LocId, LocKind, Location, Program, Rhs, SharedId, Template,
    ThreadId, Var, VarRef,
};
use crate::read_write::collect_reads;
use crate::wellformed::typing::type_of;
use std::collections::BTreeSet;

/// An order in which resources are taken.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceOrder {
    /// The resources, the lowest first.
    pub resources: Vec<Resource>,
    /// By template: what its threads write into locks that they take. None: they take none.
    pub marks: Vec<Option<Expr>>,
    /// By template: what a thread may wait for.
    pub waits: Vec<Vec<Wait>>,
}

/// What a thread can hold while others wait for it.
#[derive(Clone, Debug, PartialEq)]
pub enum Resource {
    /// A variable that says who holds it, or an array of such.
    Lock(SharedId),
    /// Each instance of a thread, while a condition holds.
    Thread {
        /// Which thread.
        thread: ThreadId,
        /// While this is true, as its template sees it, others may wait for it.
        runs: Expr,
    },
}

/// At a location, a thread may wait for a resource.
#[derive(Clone, Debug, PartialEq)]
pub struct Wait {
    /// The location.
    pub at: LocId,
    /// Which resource: index into `ResourceOrder::resources`.
    pub resource: usize,
    /// Which element of the array, or which instance of the thread.
    pub element: Expr,
}

/// The program in which it is an error to be blocked against the order, or why this is none.
pub fn as_errors(program: &Program, order: &ResourceOrder) -> Result<Program, String> {
    let count = program.templates.len();
    if (order.marks.len(), order.waits.len()) != (count, count) {
        return Err("it is for another number of templates".to_string());
    }
    order.resources.iter().try_for_each(|resource| exists(program, resource))?;
    let mut after = program.clone();
    (after.property.errors, after.property.deadlocks) = (true, false);
    for (number, before) in program.templates.iter().enumerate() {
        let template = &mut after.templates[number];
        if !program.property.errors {
            end_at_errors(template);
        }
        Ordered { program, order, number, before }.extend(template)?;
    }
    match crate::wellformed::check(&after) {
        Ok(()) => Ok(after),
        Err(problems) => Err(format!("it makes no program: {problems:?}")),
    }
}

/// What is new in a template.
struct Ordered<'p> {
    program: &'p Program,
    order: &'p ResourceOrder,
    number: usize,
    before: &'p Template,
}

impl Ordered<'_> {
    fn extend(&self, after: &mut Template) -> Result<(), String> {
        let kind =
            LocKind::Error(ErrorKind::Assertion("resources are taken in an order".to_string()));
        let error = LocId(after.locations.len() as u32);
        after.locations.push(Location { kind, ..Location::default() });
        let mut to_error = |at, guard| after.edges.push(Edge::new(at, error, guard, Vec::new()));
        for edge in &self.before.edges {
            self.marks_wrongly(edge)?.into_iter().for_each(|guard| to_error(edge.source, guard));
        }
        let edges_from = self.before.edges_from();
        for (at, here) in (0..).map(LocId).zip(&self.before.locations) {
            let leaving = &edges_from[at.index()];
            match blocked(self.before, leaving) {
                Some(_) if here.kind != LocKind::Plain => {}
                Some(blocked) if here.atomic && !leaving.is_empty() => to_error(at, blocked),
                Some(blocked) if !here.atomic => {
                    let stuck = || Expr::and(blocked.clone(), self.nobody_begins());
                    let waits = !leaving.is_empty() && !here.resting;
                    for against in self.against_the_order(at, waits)? {
                        to_error(at, Expr::and(stuck(), against));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// (M)
    fn marks_wrongly(&self, edge: &Edge) -> Result<Vec<Expr>, String> {
        let mut guards = Vec::new();
        for assign in &edge.assigns {
            let (VarRef::Shared(var), _) = assign.place.parts() else { continue };
            if !self.order.resources.contains(&Resource::Lock(var)) {
                continue;
            }
            let Rhs::Expr(value) = &assign.value else {
                return Err("a lock is assigned any value".to_string());
            };
            let zero = Expr::Const(0, self.program.shared[var.index()].ty);
            let is_other = |allowed: &Expr| Expr::binary(BinOp::Ne, value.clone(), allowed.clone());
            if *value != zero && Some(value) != self.mark()? {
                let is_mark = self.mark()?.map_or(Expr::TRUE, is_other);
                let wrong = Expr::and(is_other(&zero), is_mark);
                guards.push(Expr::and(edge.guard.clone(), wrong));
            }
        }
        Ok(guards)
    }

    fn mark(&self) -> Result<Option<&Expr>, String> {
        let Some(mark) = &self.order.marks[self.number] else { return Ok(None) };
        let mut reads = BTreeSet::new();
        collect_reads(mark, &mut reads);
        let is_fixed = |var: &VarRef| self.is_fixed(self.before, *var);
        match reads.iter().all(is_fixed) && !may_be_undefined(mark, &|var| self.var(var)) {
            true => Ok(Some(mark)),
            false => Err("a mark may change, or have no value".to_string()),
        }
    }

    /// Is it a local of the template that no step assigns?
    fn is_fixed(&self, template: &Template, var: VarRef) -> bool {
        matches!(var, VarRef::Local(id) if id.index() < template.locals.len())
            && !template.assigned().contains(&var)
    }

    /// (S) if the thread waits here, and (H).
    fn against_the_order(&self, at: LocId, waits: bool) -> Result<Vec<Expr>, String> {
        let all = self.order.waits[self.number].iter().filter(|wait| wait.at == at);
        let mut taken = Vec::new();
        for wait in all {
            taken.push((wait, self.taken(wait)?));
        }
        let nothing = |is_higher: &dyn Fn(&Wait) -> Expr| {
            let higher = taken.iter().map(|(wait, taken)| match is_higher(wait) {
                Expr::FALSE => Expr::FALSE,
                is_higher => Expr::and(taken.clone(), is_higher),
            });
            Expr::negate(higher.fold(Expr::FALSE, Expr::or))
        };
        let mut against = Vec::from_iter(waits.then(|| nothing(&|_| Expr::TRUE)));
        for (rank, resource) in self.order.resources.iter().enumerate() {
            for (element, holds) in self.held(resource)? {
                let is_higher = |wait: &Wait| match wait.resource == rank {
                    true => element.map_or(Expr::FALSE, |element| self.is_larger(wait, element)),
                    false => Expr::constant((rank < wait.resource).into(), Type::Bool),
                };
                against.push(Expr::and(holds, nothing(&is_higher)));
            }
        }
        Ok(against)
    }

    /// Is the element that is waited for behind this one?
    fn is_larger(&self, wait: &Wait, element: u32) -> Expr {
        let ty = wait.element.ty(&|var| self.var(var).ty);
        match ty.contains(element.into()) {
            true => Expr::binary(BinOp::Lt, Expr::Const(element.into(), ty), wait.element.clone()),
            false => Expr::FALSE,
        }
    }

    /// When a thread of this template holds a resource: for each element of an array, and that element.
    fn held(&self, resource: &Resource) -> Result<Vec<(Option<u32>, Expr)>, String> {
        match resource {
            Resource::Lock(lock) => {
                let Some(mark) = self.mark()? else { return Ok(Vec::new()) };
                let var = &self.program.shared[lock.index()];
                let elements = (0..var.len.unwrap_or(1)).map(|n| var.len.map(|_| n));
                let holds = |element: Option<u32>| {
                    let index = element.map(|n| Expr::Const(n.into(), Type::unsigned(32)));
                    Expr::eq(cell(*lock, index), mark.clone())
                };
                Ok(elements.map(|element| (element, holds(element))).collect())
            }
            Resource::Thread { thread, runs } => {
                let template = self.program.threads[thread.index()].template;
                let is_ours = template.index() == self.number;
                Ok(Vec::from_iter(is_ours.then(|| (None, runs.clone()))))
            }
        }
    }

    /// Is what is waited for taken?
    fn taken(&self, wait: &Wait) -> Result<Expr, String> {
        let ty = type_of(self.program, Some(self.before), &wait.element)?;
        let Type::Bits { width: ..=64, signed: false } = ty else {
            return Err("which element is waited for may be negative".to_string());
        };
        let taken = match self.order.resources.get(wait.resource) {
            None => return Err("there is no such resource".to_string()),
            Some(Resource::Lock(lock)) => {
                let var = &self.program.shared[lock.index()];
                let index = var.len.map(|_| wait.element.clone());
                Expr::binary(BinOp::Ne, cell(*lock, index), Expr::Const(0, var.ty))
            }
            Some(Resource::Thread { thread, runs }) => {
                let has_instance = self.has_instance(*thread, &wait.element, ty)?;
                Expr::and(has_instance, self.instantiated(*thread, runs, &wait.element)?)
            }
        };
        let mut defined = Expr::TRUE;
        for part in [&wait.element, &taken] {
            defined = Expr::and(defined, self.defined(part)?);
        }
        Ok(Expr::and(defined, taken))
    }

    /// Is there an instance of the thread with this index?
    fn has_instance(&self, thread: ThreadId, index: &Expr, ty: Type) -> Result<Expr, String> {
        match self.program.threads[thread.index()].count {
            Count::Any if !begins_alike(self.program.template_of(thread)) => {
                Err("not all instances begin under the same condition".to_string())
            }
            Count::Any if ty.contains(u32::MAX.into()) && ty != Type::unsigned(32) => {
                Err("the index of an instance has 32 bits".to_string())
            }
            Count::Exactly(count) if ty.contains(count.into()) => {
                Ok(Expr::binary(BinOp::Lt, index.clone(), Expr::Const(count.into(), ty)))
            }
            _ => Ok(Expr::TRUE),
        }
    }

    /// The condition for the instance of a thread with this index.
    fn instantiated(&self, thread: ThreadId, runs: &Expr, index: &Expr) -> Result<Expr, String> {
        let template = self.program.template_of(thread);
        let args = &self.program.threads[thread.index()].args;
        let mut strange = false;
        let condition = runs.map_reads(&mut |read| {
            let (Expr::Var(var @ VarRef::Local(id)) | Expr::Index(var @ VarRef::Local(id), _)) =
                read
            else {
                return read;
            };
            let local = template.locals.get(id.index()).filter(|_| self.is_fixed(template, var));
            match local.map(|local| (&local.init, local.ty)) {
                Some((Init::Param(number), ty)) => match args.get(*number as usize) {
                    Some(Arg::Index(base)) => {
                        let index = Expr::Cast(ty, Box::new(index.clone()));
                        Expr::binary(BinOp::Add, Expr::constant(*base, ty), index)
                    }
                    Some(Arg::Value(value)) => Expr::constant(*value, ty),
                    None => Expr::FALSE,
                },
                _ => {
                    strange = true;
                    Expr::FALSE
                }
            }
        });
        match strange {
            true => Err("whether a thread runs depends on what it does".to_string()),
            false => Ok(condition),
        }
    }

    /// Where an expression has a value: indices are within bounds, and nothing else can go wrong.
    fn defined(&self, expr: &Expr) -> Result<Expr, String> {
        let (mut defined, mut is_known) = (Expr::TRUE, true);
        expr.walk(&mut |part| match part {
            Expr::Index(array, index) if may_fail(part, &|var| self.var(var)) => {
                let ty = index.ty(&|var| self.var(var).ty);
                let len = i128::from(self.var(*array).len.unwrap_or(0));
                is_known &= matches!(ty, Type::Bits { signed: false, .. });
                is_known &= !may_be_undefined(index, &|var| self.var(var));
                if ty.contains(len) {
                    let within = Expr::binary(BinOp::Lt, (**index).clone(), Expr::Const(len, ty));
                    defined = Expr::and(defined.clone(), within);
                }
            }
            part => is_known &= !may_fail(part, &|var| self.var(var)),
        });
        match is_known {
            true => Ok(defined),
            false => Err("what is waited for may have no value".to_string()),
        }
    }

    /// Of parameterised threads, those instances that have not begun are blocked.
    fn nobody_begins(&self) -> Expr {
        let any = self.program.threads.iter().filter(|thread| thread.count == Count::Any);
        let templates = any.map(|thread| &self.program.templates[thread.template.index()]);
        let blocked = templates.filter(|template| begins_alike(template)).map(|template| {
            let leaving = &template.edges_from()[template.entry.index()];
            blocked(template, leaving).unwrap_or(Expr::FALSE)
        });
        blocked.fold(Expr::TRUE, Expr::and)
    }

    fn var(&self, var: VarRef) -> &Var {
        self.program.var(self.before, var)
    }
}

/// Do guards at the entry read shared variables only?
fn begins_alike(template: &Template) -> bool {
    let mut reads = BTreeSet::new();
    let first = template.edges.iter().filter(|edge| edge.source == template.entry);
    first.for_each(|edge| collect_reads(&edge.guard, &mut reads));
    reads.iter().all(|var| matches!(var, VarRef::Shared(_)))
}

/// Is there such a resource, and is a lock free at the start?
fn exists(program: &Program, resource: &Resource) -> Result<(), String> {
    let is_fine = match resource {
        Resource::Lock(lock) => {
            program.shared.get(lock.index()).is_some_and(|var| match &var.init {
                Init::Value(value) => *value == 0,
                Init::Values(values) => values.iter().all(|value| *value == 0),
                Init::Any | Init::Param(_) => false,
            })
        }
        Resource::Thread { thread, runs } => match program.threads.get(thread.index()) {
            Some(_) => type_of(program, Some(program.template_of(*thread)), runs)? == Type::Bool,
            None => false,
        },
    };
    is_fine.then_some(()).ok_or_else(|| "a resource is none, or not free at the start".to_string())
}

fn cell(lock: SharedId, index: Option<Expr>) -> Expr {
    let lock = VarRef::Shared(lock);
    index.map_or(Expr::Var(lock), |index| Expr::Index(lock, Box::new(index)))
}
