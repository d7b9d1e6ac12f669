//! What evaluating an expression may do, as far as the order of two evaluations can depend on it:
//! which objects it reads and writes, whether other threads can tell when, and whether it may
//! come to no end or fail.
//!
//! A call has the effects of everything it may call, without the callee's own variables: they belong to
//! another activation. Through a pointer it may access whatever the pointer may point to.

use crate::LowerOptions;
use crate::hir::{
    BinaryOp, Callee, Expr, ExprKind, FuncId, Lifetime, Place, PlaceKind, Stmt, StmtKind, Type,
    UnaryOp, Unit, VarId,
};
use crate::lower::born_unwritten::BornUnwritten;
use crate::lower::ids::Ids;
use crate::lower::uninitialised::UnwrittenUses;
use crate::lower::{born_unwritten, distance, fragment, handles, uninitialised};
use crate::points_to::walk::{Event, walk, walk_expr};
use crate::points_to::{ALLOCATORS, Pointee, PointsTo};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// What an evaluation may do.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    pub reads: BTreeSet<Pointee>,
    pub writes: BTreeSet<Pointee>,
    /// It tells other threads something, or learns from them, as plain accesses cannot.
    pub synchronises: bool,
    /// It may have no end: it waits, loops, or ends the thread or the program.
    pub stops: bool,
    /// It may violate the property or behave in an undefined way.
    pub fails: bool,
    /// It may create a thread.
    pub spawns: bool,
    pub allocates: bool,
    pub frees: bool,
}

/// Why the order of two evaluations may matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rivalry {
    /// Both orders must be explored.
    Order,
    /// The second may hide that the first fails: the first has to come first once.
    FailsFirst,
    /// The first may hide that the second fails.
    FailsSecond,
}

impl Effects {
    pub fn add(&mut self, other: &Effects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.synchronises |= other.synchronises;
        self.stops |= other.stops;
        self.fails |= other.fails;
        self.spawns |= other.spawns;
        self.allocates |= other.allocates;
        self.frees |= other.frees;
    }

    /// Is there anything but reading?
    pub fn is_active(&self) -> bool {
        !self.writes.is_empty()
            || self.synchronises
            || self.stops
            || self.spawns
            || self.allocates
            || self.frees
    }

    /// May one of them write what the other accesses?
    pub fn meets(&self, other: &Effects) -> bool {
        let writes = |a: &Effects, b: &Effects| {
            b.reads.iter().chain(&b.writes).any(|object| a.writes.contains(object))
        };
        writes(self, other) || writes(other, self)
    }
}

/// The effects of functions and expressions of a program, remembered.
pub struct Summaries<'a> {
    pub unit: &'a Unit,
    pub points_to: &'a PointsTo,
    options: &'a LowerOptions,
    main: FuncId,
    own: RefCell<HashMap<FuncId, Rc<Own>>>,
    functions: RefCell<HashMap<FuncId, Rc<Effects>>>,
    written: OnceCell<BTreeSet<Pointee>>,
    moved: OnceCell<BTreeSet<Pointee>>,
    ids: OnceCell<Ids>,
    used_once: OnceCell<bool>,
    unwritten: OnceCell<UnwrittenUses>,
    born_unwritten: OnceCell<BornUnwritten>,
    copied: OnceCell<HashSet<usize>>,
    accessed: OnceCell<BTreeSet<*const ExprKind>>,
    repeated: OnceCell<Repeated>,
    /// By the address of a full expression: can orders differ in it?
    pub can_differ: RefCell<HashMap<usize, bool>>,
    /// And are there plain accesses to shared memory that C does not order?
    pub goes_left_to_right: RefCell<HashMap<usize, bool>>,
}

/// What a function does itself, and whom it calls.
struct Own {
    effects: Effects,
    callees: Vec<FuncId>,
}

/// What jumps back lead to again.
#[derive(Default)]
struct Repeated {
    /// The places of the calls that stand between a label and a jump back to it.
    calls: BTreeSet<u32>,
    /// The functions with such jumps.
    functions: BTreeSet<FuncId>,
}

fn repeated(unit: &Unit) -> Repeated {
    let mut found = Repeated::default();
    for (number, function) in unit.functions.iter().enumerate() {
        let (mut calls, mut labels) = (Vec::new(), HashMap::new());
        walk(function.body.as_deref().unwrap_or_default(), &mut |event| match event {
            Event::Expr(expr) if matches!(*expr.kind, ExprKind::Call(..)) => {
                calls.push(expr.range.lo);
            }
            Event::Label(label) => {
                labels.insert(label, calls.len());
            }
            Event::Goto(label) => {
                let Some(since) = labels.get(&label) else { return };
                found.calls.extend(&calls[*since..]);
                found.functions.insert(FuncId(number as u32));
            }
            _ => {}
        });
    }
    found
}

impl<'a> Summaries<'a> {
    pub fn new(
        unit: &'a Unit,
        points_to: &'a PointsTo,
        options: &'a LowerOptions,
        main: FuncId,
    ) -> Summaries<'a> {
        Summaries {
            unit,
            points_to,
            options,
            main,
            own: RefCell::default(),
            functions: RefCell::default(),
            written: OnceCell::new(),
            moved: OnceCell::new(),
            ids: OnceCell::new(),
            used_once: OnceCell::new(),
            unwritten: OnceCell::new(),
            born_unwritten: OnceCell::new(),
            copied: OnceCell::new(),
            accessed: OnceCell::new(),
            repeated: OnceCell::new(),
            can_differ: RefCell::default(),
            goes_left_to_right: RefCell::default(),
        }
    }

    /// Why the order of two evaluations may matter, if it may; `same_memory` says whether one may
    /// write what the other accesses.
    pub fn rivalry(&self, a: &Effects, b: &Effects, same_memory: bool) -> Option<Rivalry> {
        let heap = a.frees && (b.allocates || b.frees) || b.frees && a.allocates;
        if same_memory || heap || self.is_noticed(a, b) || self.is_noticed(b, a) {
            return Some(Rivalry::Order);
        }
        match (a.stops, b.stops) {
            (true, true) if a.fails || b.fails => Some(Rivalry::Order),
            (true, false) if b.fails => Some(Rivalry::FailsSecond),
            (false, true) if a.fails => Some(Rivalry::FailsFirst),
            _ => None,
        }
    }

    /// Can another thread tell whether `a` or `b` came first, by what `a` has to do with other
    /// threads? Plain accesses alone do not count: without synchronisation in between, a thread that
    /// sees their order races with one of them, which is undefined behaviour.
    fn is_noticed(&self, a: &Effects, b: &Effects) -> bool {
        if !a.synchronises && !a.stops || !self.function(self.main).spawns {
            return false;
        }
        let writes = b.writes.iter().any(|object| self.is_shared(*object));
        let learns = |object: &Pointee| self.is_shared(*object) && self.is_written(object);
        writes || b.synchronises || a.synchronises && b.reads.iter().any(learns)
    }

    /// May other threads access the object?
    fn is_shared(&self, object: Pointee) -> bool {
        match object {
            Pointee::Var(var) => match self.unit.vars[var.index()].lifetime {
                Lifetime::Static => true,
                Lifetime::Thread | Lifetime::Local(_) => {
                    self.points_to.is_address_taken(var) && self.points_to.is_shared(var)
                }
            },
            Pointee::Heap(_) => true,
            Pointee::Function(_) => false,
        }
    }

    /// Does any function write the object, its own variables among them?
    fn is_written(&self, object: &Pointee) -> bool {
        let all = || {
            let mut all = Own { effects: Effects::default(), callees: vec![] };
            for body in self.unit.functions.iter().filter_map(|function| function.body.as_deref()) {
                walk(body, &mut |event| self.see(&event, &|_| false, &mut all));
            }
            all.effects.writes
        };
        self.written.get_or_init(all).contains(object)
    }

    /// Is a call at this place between a label and a jump back to it?
    pub fn is_repeated(&self, call: u32) -> bool {
        self.repeated.get_or_init(|| repeated(self.unit)).calls.contains(&call)
    }

    /// Has a function a jump back?
    pub fn jumps_back(&self, function: FuncId) -> bool {
        self.repeated.get_or_init(|| repeated(self.unit)).functions.contains(&function)
    }

    /// Where ids of threads are kept.
    pub fn ids(&self) -> &Ids {
        self.ids.get_or_init(|| Ids::of(self.unit, self.points_to))
    }

    /// What may have no value where it is used.
    pub fn unwritten(&self) -> &UnwrittenUses {
        self.unwritten.get_or_init(|| uninitialised::find(self.unit, self.points_to))
    }

    /// Which objects may be read in parts, or by their address, before they are written.
    pub fn born_unwritten(&self) -> &BornUnwritten {
        self.born_unwritten.get_or_init(|| born_unwritten::find(self.unit, self.points_to))
    }

    /// Is it plain that no thread is joined or detached twice?
    pub fn are_threads_used_once(&self) -> bool {
        !self.options.choices.creation_may_fail
            && *self.used_once.get_or_init(|| handles::are_used_once(self.unit, self.main))
    }

    /// Is something accessed by a pointer where it is computed?
    pub fn is_accessed(&self, pointer: &Expr) -> bool {
        let accessed = self.accessed.get_or_init(|| distance::accessed(self.unit, self.points_to));
        accessed.contains(&std::ptr::from_ref(&*pointer.kind))
    }

    /// The places whose values are put elsewhere as they are.
    pub fn copied(&self) -> &HashSet<usize> {
        self.copied.get_or_init(|| fragment::copied(self.unit))
    }

    /// The objects into which the program computes pointers.
    pub fn moved(&self) -> &BTreeSet<Pointee> {
        self.moved.get_or_init(|| distance::moved(self.unit, self.points_to))
    }

    /// May it be told from other threads, or by them, when this happens, though nothing synchronises?
    pub fn is_plainly_shared(&self, effects: &Effects) -> bool {
        let learns = |object: &Pointee| self.is_shared(*object) && self.is_written(object);
        !effects.synchronises
            && (effects.reads.iter().any(learns)
                || effects.writes.iter().any(|object| self.is_shared(*object)))
    }

    /// What a call of a function may do.
    pub fn function(&self, function: FuncId) -> Rc<Effects> {
        if let Some(known) = self.functions.borrow().get(&function) {
            return known.clone();
        }
        let mut all = Effects::default();
        let (mut seen, mut pending) = (BTreeSet::from([function]), vec![function]);
        while let Some(next) = pending.pop() {
            let own = self.own(next);
            all.add(&own.effects);
            pending.extend(own.callees.iter().copied().filter(|callee| seen.insert(*callee)));
        }
        let all = Rc::new(all);
        self.functions.borrow_mut().insert(function, all.clone());
        all
    }

    fn own(&self, function: FuncId) -> Rc<Own> {
        if let Some(known) = self.own.borrow().get(&function) {
            return known.clone();
        }
        let declared = &self.unit.functions[function.index()];
        let mut own = Own { effects: self.by_name(&declared.name), callees: vec![] };
        if let Some(body) = &declared.body {
            own.effects = self.by_name_of_defined(&declared.name);
            let is_own =
                |var: VarId| self.unit.vars[var.index()].lifetime == Lifetime::Local(function);
            walk(body, &mut |event| self.see(&event, &is_own, &mut own));
        }
        let own = Rc::new(own);
        self.own.borrow_mut().insert(function, own.clone());
        own
    }

    fn see(&self, event: &Event, is_own: &dyn Fn(VarId) -> bool, own: &mut Own) {
        match event {
            Event::Expr(expr) => {
                if let ExprKind::Call(callee, args) = &*expr.kind {
                    own.callees.extend(self.callees(callee));
                    own.effects.add(&self.through_arguments(callee, args));
                } else {
                    own.effects.add(&self.direct(expr, is_own));
                }
            }
            Event::Loop(statement) => own.effects.stops |= !self.is_counted(statement),
            Event::Goto(_) => own.effects.stops = true,
            Event::Birth(_) | Event::Label(_) | Event::Declare(..) | Event::Return(_) => {}
        }
    }

    /// Does a loop plainly come to an end: it counts a variable that its body leaves alone up to a
    /// constant?
    fn is_counted(&self, statement: &Stmt) -> bool {
        let StmtKind::Loop { condition: Some(condition), step: Some(step), body, .. } =
            &statement.kind
        else {
            return false;
        };
        let ExprKind::AssignOp { place, op: BinaryOp::Add, operand, .. } = &*step.kind else {
            return false;
        };
        let PlaceKind::Var(counter) = place.kind else { return false };
        let ExprKind::Binary(BinaryOp::Lt | BinaryOp::Le, left, right) = &*condition.kind else {
            return false;
        };
        let mut is_left_alone = !self.points_to.is_address_taken(counter)
            && matches!(self.unit.vars[counter.index()].lifetime, Lifetime::Local(_));
        walk(std::slice::from_ref(&**body), &mut |event| {
            is_left_alone &= !assigns(&event, counter);
        });
        let is_constant = |expr: &Expr| matches!(*expr.kind, ExprKind::Const(_));
        let counts = matches!(*operand.kind, ExprKind::Const(1));
        is_left_alone && counts && is_constant(right) && loads(left, counter)
    }

    /// Does a part of an expression do anything but read plain variables? What the whole does
    /// comes last and has nothing beside it.
    pub fn has_active_part(&self, expr: &Expr) -> bool {
        let mut found = false;
        walk_expr(expr, &mut |event| {
            found |= match event {
                Event::Expr(part) if std::ptr::eq(part, expr) => {
                    // It reads before it writes.
                    matches!(*part.kind, ExprKind::AssignOp { .. }) && self.of(part).synchronises
                }
                Event::Expr(part) => match &*part.kind {
                    ExprKind::Call(..) | ExprKind::Assign(..) | ExprKind::AssignOp { .. } => true,
                    ExprKind::Load(_) => self.of(part).is_active(),
                    _ => false,
                },
                _ => true,
            };
        });
        found
    }

    /// What evaluating an expression does, one by one, without the variables that it declares.
    pub fn events(&self, expr: &Expr) -> Vec<(Effects, bool)> {
        let mut declared = BTreeSet::new();
        walk_expr(expr, &mut |event| {
            if let Event::Birth(var) = event {
                declared.insert(var);
            }
        });
        let is_own = |var: VarId| declared.contains(&var);
        let mut events = Vec::new();
        walk_expr(expr, &mut |event| match event {
            Event::Expr(expr) => {
                let effects = self.node(expr, &is_own);
                let is_plain = !matches!(*expr.kind, ExprKind::Call(..)) && !effects.synchronises;
                events.push((effects, is_plain));
            }
            Event::Loop(_) | Event::Goto(_) => {
                events.push((Effects { stops: true, ..Effects::default() }, true));
            }
            Event::Birth(_) | Event::Label(_) | Event::Declare(..) | Event::Return(_) => {}
        });
        events
    }

    /// What evaluating an expression does, all together.
    pub fn whole(&self, expr: &Expr) -> Effects {
        let mut all = Effects::default();
        self.events(expr).iter().for_each(|(event, _)| all.add(event));
        all
    }

    /// What an expression does itself, after its operands; a call: with all that the callee does.
    pub fn of(&self, expr: &Expr) -> Effects {
        self.node(expr, &|_| false)
    }

    fn node(&self, expr: &Expr, is_own: &dyn Fn(VarId) -> bool) -> Effects {
        let ExprKind::Call(callee, args) = &*expr.kind else { return self.direct(expr, is_own) };
        let mut all = self.through_arguments(callee, args);
        for function in self.callees(callee) {
            all.add(&self.function(function));
        }
        all
    }

    fn callees(&self, callee: &Callee) -> Vec<FuncId> {
        let pointer = match callee {
            Callee::Direct(function) => return vec![*function],
            Callee::Pointer(pointer) => pointer,
        };
        let function = |object| match object {
            Pointee::Function(function) => Some(function),
            _ => None,
        };
        self.points_to.targets(pointer).into_iter().filter_map(function).collect()
    }

    /// What an expression that is no call does itself.
    fn direct(&self, expr: &Expr, is_own: &dyn Fn(VarId) -> bool) -> Effects {
        let mut effects = Effects::default();
        match &*expr.kind {
            ExprKind::Load(place) => self.read(place, is_own, &mut effects),
            ExprKind::Assign(place, _) => self.write(place, is_own, &mut effects),
            ExprKind::AssignOp { place, .. } => {
                self.read(place, is_own, &mut effects);
                self.write(place, is_own, &mut effects);
                effects.fails = true;
            }
            ExprKind::Binary(op, ..) => effects.fails = !is_comparison(*op),
            ExprKind::Unary(UnaryOp::Neg, _) | ExprKind::Unsupported(_) => effects.fails = true,
            _ => {}
        }
        effects
    }

    /// The effects of reading a place.
    pub fn read(&self, place: &Place, is_own: &dyn Fn(VarId) -> bool, effects: &mut Effects) {
        let objects = self.objects(place, is_own);
        self.access(place, &objects, effects);
        effects.reads.extend(objects);
    }

    /// The effects of writing a place.
    pub fn write(&self, place: &Place, is_own: &dyn Fn(VarId) -> bool, effects: &mut Effects) {
        let objects = self.objects(place, is_own);
        self.access(place, &objects, effects);
        effects.writes.extend(objects);
    }

    fn access(&self, place: &Place, objects: &[Pointee], effects: &mut Effects) {
        effects.fails |= may_miss(place);
        let is_shared = objects.iter().any(|object| self.is_shared(*object));
        effects.synchronises |= is_shared && self.is_atomic(place);
    }

    fn is_atomic(&self, place: &Place) -> bool {
        matches!(self.unit.types.get(place.ty), Type::Atomic(_))
    }

    /// The objects that a place may lie in, without the variables that are `is_own`.
    fn objects(&self, place: &Place, is_own: &dyn Fn(VarId) -> bool) -> Vec<Pointee> {
        match root(place) {
            Root::Variable(var) if is_own(var) => vec![],
            Root::Variable(var) => vec![Pointee::Var(var)],
            Root::Pointer(pointer) => self.points_to.targets(pointer),
            Root::Temporary => vec![],
        }
    }

    /// What a function without a body does with what its arguments point to.
    fn through_arguments(&self, callee: &Callee, args: &[Expr]) -> Effects {
        let mut effects = Effects::default();
        let Callee::Direct(function) = callee else { return effects };
        let called = &self.unit.functions[function.index()];
        if called.body.is_some() || called.name.starts_with("__rely_") {
            return effects;
        }
        let targets = |arg: &Expr| self.points_to.targets(arg);
        let is_atomic = is_atomic_builtin(&called.name);
        for (number, arg) in args.iter().enumerate() {
            let objects = targets(arg);
            if is_atomic && number == 0 {
                effects.synchronises |= objects.iter().any(|object| self.is_shared(*object));
            }
            effects.reads.extend(objects.iter().copied());
            let only_reads = is_atomic && number == 0 && called.name.contains("_load");
            if !only_reads && (is_atomic || number == 0) {
                effects.writes.extend(objects);
            }
        }
        effects
    }

    /// What the lowering itself understands does, whether or not it has a body.
    fn by_name_of_defined(&self, name: &str) -> Effects {
        let mut effects = Effects::default();
        let is_error = self.options.property.ends_at_call_of(name);
        effects.fails = is_error;
        effects.stops = is_error || name.starts_with("__VERIFIER_atomic_");
        effects.synchronises = name.starts_with("__VERIFIER_atomic_");
        effects
    }

    /// What a function without a body does.
    fn by_name(&self, name: &str) -> Effects {
        let plain = Effects { fails: true, ..Effects::default() };
        let stopping = Effects { fails: true, stops: true, ..Effects::default() };
        match name {
            "__rely_self" | "__rely_nondet_int" | "__rely_nondet_bool" => Effects::default(),
            "__rely_spawn" => Effects { synchronises: true, spawns: true, ..stopping },
            "__rely_note_cancel" | "__rely_undefined" => plain,
            "__rely_halt" | "__VERIFIER_assume" => stopping,
            "free" | "kfree" | "cfree" => Effects { frees: true, ..plain },
            "memset" | "bzero" | "memcpy" | "memmove" => plain,
            "realloc" | "reallocarray" => Effects { frees: true, allocates: true, ..plain },
            _ if name.starts_with("__VERIFIER_nondet_") => Effects::default(),
            _ if is_atomic_builtin(name) => plain,
            _ if ALLOCATORS.contains(&name.trim_start_matches("__builtin_"))
                || name == "__rely_variable_array" =>
            {
                Effects { allocates: true, ..plain }
            }
            "__rely_error" | "__rely_unsupported" => stopping,
            // Whatever else the lowering understands has to do with other threads.
            _ if name.starts_with("__rely_") || name.starts_with("__VERIFIER_atomic_") => {
                Effects { synchronises: true, ..stopping }
            }
            // The rest is a model limit.
            _ => stopping,
        }
    }
}

fn assigns(event: &Event, var: VarId) -> bool {
    let Event::Expr(expr) = event else { return false };
    match &*expr.kind {
        ExprKind::Assign(place, _) | ExprKind::AssignOp { place, .. } => {
            matches!(root(place), Root::Variable(assigned) if assigned == var)
        }
        _ => false,
    }
}

/// Is it the value of a variable, perhaps converted?
fn loads(expr: &Expr, var: VarId) -> bool {
    match &*expr.kind {
        ExprKind::Load(place) => matches!(place.kind, PlaceKind::Var(loaded) if loaded == var),
        ExprKind::Cast(inner) => loads(inner, var),
        _ => false,
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Lt | Le | Gt | Ge | Eq | Ne)
}

/// The atomic builtins of GNU.
fn is_atomic_builtin(name: &str) -> bool {
    ["__sync_", "__atomic_", "__c11_atomic_"].iter().any(|prefix| name.starts_with(prefix))
}

/// What a place is part of.
pub enum Root<'e> {
    Variable(VarId),
    /// Wherever this points.
    Pointer(&'e Expr),
    /// A value.
    Temporary,
}

/// What a place is part of.
pub fn root(place: &Place) -> Root<'_> {
    match &place.kind {
        PlaceKind::Var(var) => Root::Variable(*var),
        PlaceKind::Field(base, _) | PlaceKind::Index(base, ..) => root(base),
        PlaceKind::Temporary(_) => Root::Temporary,
        PlaceKind::Deref(pointer) => match &*pointer.kind {
            ExprKind::AddrOf(place) => root(place),
            _ => Root::Pointer(pointer),
        },
    }
}

/// May an access to the place miss its object?
fn may_miss(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Var(_) | PlaceKind::Temporary(_) => false,
        PlaceKind::Field(base, _) => may_miss(base),
        PlaceKind::Index(base, index, _) => {
            !matches!(*index.kind, ExprKind::Const(_)) || may_miss(base)
        }
        PlaceKind::Deref(pointer) => match &*pointer.kind {
            ExprKind::AddrOf(place) => may_miss(place),
            _ => true,
        },
    }
}
