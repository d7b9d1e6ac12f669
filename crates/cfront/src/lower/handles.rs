//! Is each thread joined or detached at most once, as the text alone says? Of parameterised threads, the model need not look then.
//!
//! The id of a thread is known to who created it, by the variable that was given to `pthread_create`, and to the thread itself. If variables are used for nothing but
//! creating, joining and detaching, each id is in one variable, or one element of an array, and nowhere else. Such a *handle* is used up by joining or detaching. It is used up once per
//! thread if
//!
//! - each time, the same handle was given to `pthread_create` before, on every path and since it was last used up (a walk over the statements of a function, with the set of handles that are
//!   *fresh*); loops begin with none. The variable belongs to the call of the function, or only `main` uses it; or
//! - it is used up at one place, at which `main` is once; or once for each value of a loop's counter, as an element of an array with that index.
//!
//! Or the only ids that are used up are those of threads that detach themselves, once, in their start routine; or none is, but by an attribute with which threads are created.
//!
//! Whatever else a program does with ids, the answer is no. Jumps by labels are not followed, either. That creation may fail is asked before: what a handle was before would be used up again.

use crate::hir::{
    BinaryOp, Callee, Expr, ExprKind, FuncId, InitEntry, Lifetime, Place, PlaceKind, Stmt,
    StmtKind, Type, Unit, VarId,
};
use crate::points_to::walk::{Event, walk, walk_entries, walk_expr};
use std::collections::{BTreeMap, BTreeSet};

/// These write an id where their first argument points.
pub const CREATE: [&str; 2] = ["pthread_create", "thrd_create"];
/// After these, the thread that their first argument names must not be named to one of them again.
const USE_UP: [&str; 7] = [
    "pthread_join",
    "pthread_tryjoin_np",
    "pthread_timedjoin_np",
    "pthread_clockjoin_np",
    "pthread_detach",
    "thrd_join",
    "thrd_detach",
];
/// These take a handle, or the memory of handles, and hand no id on.
const HARMLESS: [&str; 4] = ["pthread_cancel", "pthread_equal", "thrd_equal", "free"];
/// These give memory in which there is no id.
const NEW_MEMORY: [&str; 3] = ["malloc", "calloc", "__rely_variable_array"];
const OWN_ID: [&str; 2] = ["pthread_self", "thrd_current"];
/// Makes threads detached when they are created.
const DETACHED_ATTRIBUTE: [&str; 1] = ["pthread_attr_setdetachstate"];

/// A variable, an element of an array with a constant index, or, without that, any element.
type Handle = (VarId, Option<i128>);

/// A place that uses up a thread by its handle.
struct UseSite {
    handle: Handle,
    /// Was the handle fresh?
    is_fresh: bool,
    /// Is `main` there at most once, or once for each element?
    is_once: bool,
}

/// Is no thread of a program joined or detached twice, as the text says?
pub fn are_used_once(unit: &Unit, main: FuncId) -> bool {
    let mut uses = Uses::default();
    for (index, function) in unit.functions.iter().enumerate().filter(|f| !f.1.is_model) {
        let (id, body) = (FuncId(index as u32), function.body.as_deref().unwrap_or_default());
        walk(body, &mut |event| uses.see(unit, id, &event));
        uses.follow(unit, id, id == main, body);
    }
    for var in &unit.vars {
        let entries = var.init.as_deref().unwrap_or_default();
        walk_entries(entries, &mut |event| uses.see(unit, main, &event));
    }
    uses.suffice(unit, main)
}

/// How a program uses functions, and what may be a handle.
#[derive(Default)]
struct Uses {
    sites: Vec<UseSite>,
    /// How often each variable is mentioned, and by whom.
    mentions: BTreeMap<VarId, Vec<FuncId>>,
    /// How often as a handle, or for its memory.
    as_handle: BTreeMap<VarId, usize>,
    /// Variables that may begin with an id.
    filled: BTreeSet<VarId>,
    /// How often each function is called or its address used, and how often to start a thread with it.
    functions: BTreeMap<FuncId, usize>,
    as_start: BTreeMap<FuncId, usize>,
    /// The functions that use up the thread that runs them, outside of loops.
    own: Vec<FuncId>,
    /// How many places use up a thread.
    used_up: usize,
    has_attributes: bool,
    cannot_tell: bool,
}

impl Uses {
    fn see(&mut self, unit: &Unit, function: FuncId, event: &Event) {
        let expr = match event {
            Event::Declare(var, entries) => return self.see_initial(unit, *var, entries),
            Event::Expr(expr) => expr,
            _ => return,
        };
        let place = match &*expr.kind {
            ExprKind::Load(place) | ExprKind::AddrOf(place) | ExprKind::AssignOp { place, .. } => {
                place
            }
            ExprKind::Assign(place, value) => {
                let fills = is_call_of(unit, value, &NEW_MEMORY);
                self.note_handle(root(place).filter(|_| fills));
                place
            }
            ExprKind::FunctionAddr(named) => {
                *self.functions.entry(*named).or_default() += 1;
                self.cannot_tell |= is_one_of(unit, *named, &USE_UP);
                self.cannot_tell |= is_one_of(unit, *named, &CREATE);
                return;
            }
            ExprKind::Call(Callee::Direct(callee), args) => {
                return self.see_call(unit, *callee, args);
            }
            _ => return,
        };
        if let Some(var) = root(place) {
            self.mentions.entry(var).or_default().push(function);
        }
    }

    fn note_handle(&mut self, var: Option<VarId>) {
        if let Some(var) = var {
            *self.as_handle.entry(var).or_default() += 1;
        }
    }

    fn see_initial(&mut self, unit: &Unit, var: VarId, entries: &[InitEntry]) {
        let has_none = |entry: &InitEntry| {
            matches!(*entry.value.kind, ExprKind::Const(_))
                || is_call_of(unit, &entry.value, &NEW_MEMORY)
        };
        if !entries.iter().all(has_none) {
            self.filled.insert(var);
        }
    }

    fn see_call(&mut self, unit: &Unit, callee: FuncId, args: &[Expr]) {
        *self.functions.entry(callee).or_default() += 1;
        let is = |names: &[&str]| is_one_of(unit, callee, names);
        if is(&CREATE) {
            self.note_handle(args.first().and_then(pointed).map(|(var, _)| var));
            let attributes = args.get(1).filter(|_| args.len() == 4);
            let is_null = |expr: &Expr| matches!(*without_casts(expr).kind, ExprKind::Const(0));
            self.has_attributes |= attributes.is_some_and(|attributes| !is_null(attributes));
            // It stands before the argument of the thread, which is the last one.
            let start = args.iter().rev().nth(1).map(|start| &*without_casts(start).kind);
            if let Some(ExprKind::FunctionAddr(start)) = start {
                *self.as_start.entry(*start).or_default() += 1;
            }
        } else if is(&USE_UP) {
            self.used_up += 1;
            self.note_handle(args.first().and_then(loaded).map(|(var, _)| var));
        } else if is(&HARMLESS) {
            for arg in args {
                self.note_handle(loaded(without_casts(arg)).map(|(var, _)| var));
            }
        }
    }

    /// Follows the statements of a function.
    fn follow(&mut self, unit: &Unit, function: FuncId, is_main: bool, body: &[Stmt]) {
        let mut walk = Walk {
            unit,
            main: is_main.then_some(body),
            fresh: BTreeSet::new(),
            loops: Vec::new(),
            sites: Vec::new(),
            own: 0,
            has_jumps: false,
        };
        walk.statements(body);
        let (jumps, own) = (walk.has_jumps, walk.own);
        self.sites.extend(walk.sites.into_iter().map(|site| UseSite {
            is_fresh: site.is_fresh && !jumps,
            is_once: site.is_once && !jumps,
            ..site
        }));
        self.own.extend((0..own).filter(|_| !jumps).map(|_| function));
    }

    /// Does what was seen say that each thread is used up at most once?
    fn suffice(&self, unit: &Unit, main: FuncId) -> bool {
        let mentions_attribute =
            self.functions.keys().any(|f| is_one_of(unit, *f, &DETACHED_ATTRIBUTE));
        let all_known = self.used_up == self.sites.len() + self.own.len();
        let are_detached = self.has_attributes && mentions_attribute;
        if self.cannot_tell || !all_known || are_detached && self.used_up > 0 {
            return false;
        }
        if !self.own.is_empty() {
            return self.sites.is_empty() && self.own.iter().all(|f| self.is_run_once(unit, *f));
        }
        self.sites.iter().all(|site| self.is_used_once(unit, main, site))
    }

    /// Is a function only a start routine, and uses up the thread that runs it at one place?
    fn is_run_once(&self, unit: &Unit, function: FuncId) -> bool {
        let only_starts = self.functions.get(&function) == self.as_start.get(&function)
            && !unit.constructors.contains(&function)
            && !unit.destructors.contains(&function);
        only_starts && self.own.iter().filter(|f| **f == function).count() == 1
    }

    fn is_used_once(&self, unit: &Unit, main: FuncId, site: &UseSite) -> bool {
        let (var, _) = site.handle;
        let mentions = self.mentions.get(&var).map_or(&[][..], Vec::as_slice);
        let is_handle = self.as_handle.get(&var) == Some(&mentions.len());
        if !is_handle || self.filled.contains(&var) {
            return false;
        }
        // Any element may be the same as one with a constant index.
        let may_be_same = |other: &&UseSite| {
            other.handle.0 == var
                && (other.handle.1 == site.handle.1
                    || [other, &site].iter().any(|site| site.handle.1.is_none()))
        };
        let mut same = self.sites.iter().filter(may_be_same);
        let main_is_called = self.functions.contains_key(&main);
        let belongs_to_a_call = match unit.vars[var.index()].lifetime {
            Lifetime::Local(_) => true,
            Lifetime::Static => !main_is_called && mentions.iter().all(|by| *by == main),
            Lifetime::Thread => false,
        };
        let is_only_one = same.clone().count() == 1;
        site.is_once && !main_is_called && is_only_one
            || belongs_to_a_call && same.all(|site| site.is_fresh)
    }
}

/// A walk over the statements of a function, in the order of their execution.
struct Walk<'a> {
    unit: &'a Unit,
    /// The statements of the function, if it is `main`.
    main: Option<&'a [Stmt]>,
    /// The handles that were given to a creation, and not used up since.
    fresh: BTreeSet<Handle>,
    /// The loops around, outermost first.
    loops: Vec<&'a Stmt>,
    sites: Vec<UseSite>,
    /// How many places outside of loops use up the thread that runs the function.
    own: usize,
    /// There are jumps, which are not followed.
    has_jumps: bool,
}

impl<'a> Walk<'a> {
    fn statements(&mut self, statements: &'a [Stmt]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &'a Stmt) {
        match &statement.kind {
            StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => self.expr(expr),
            StmtKind::Declare(_, entries) => {
                self.in_any_order(entries.iter().flatten().map(|entry| &entry.value).collect());
            }
            StmtKind::Block(inside) => self.statements(inside),
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.one_of(
                    |walk| walk.statement(then),
                    |walk| otherwise.iter().for_each(|otherwise| walk.statement(otherwise)),
                );
            }
            StmtKind::Loop { .. } => self.in_loop(statement),
            StmtKind::Switch { value, body, .. } => {
                self.has_jumps = true;
                self.expr(value);
                self.statement(body);
            }
            StmtKind::Label(_) | StmtKind::Goto(_) => self.has_jumps = true,
            StmtKind::Return(None)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Fence(_)
            | StmtKind::Unsupported(_) => {}
        }
    }

    /// In a loop nothing is fresh at first, and at the places where a round may end; behind it, what was used up in it is not.
    fn in_loop(&mut self, statement: &'a Stmt) {
        let StmtKind::Loop { condition, test_first, body, step } = &statement.kind else { return };
        let before = std::mem::take(&mut self.fresh);
        let first = self.sites.len();
        self.loops.push(statement);
        condition.iter().for_each(|condition| self.expr(condition));
        if !test_first {
            self.fresh.clear();
        }
        self.statement(body);
        self.fresh.clear();
        step.iter().for_each(|step| self.expr(step));
        self.loops.pop();
        self.fresh = before;
        self.forget(first);
    }

    /// What the sites from this one on use up is fresh no more.
    fn forget(&mut self, first: usize) {
        for site in &self.sites[first..] {
            self.fresh.retain(|handle| handle.0 != site.handle.0);
        }
    }

    /// One of two ways: what is fresh on both is fresh behind them.
    fn one_of(&mut self, one: impl FnOnce(&mut Self), other: impl FnOnce(&mut Self)) {
        let before = self.fresh.clone();
        one(self);
        let after = std::mem::replace(&mut self.fresh, before);
        other(self);
        self.fresh.retain(|handle| after.contains(handle));
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &*expr.kind {
            ExprKind::Const(_) | ExprKind::FunctionAddr(_) | ExprKind::Unsupported(_) => {}
            ExprKind::Load(place) | ExprKind::AddrOf(place) => self.in_any_order(parts(place)),
            ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => self.expr(operand),
            ExprKind::Binary(_, left, right)
            | ExprKind::PtrAdd(left, right, _)
            | ExprKind::PtrDiff(left, right, _) => self.in_any_order(vec![left, right]),
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.expr(left);
                self.one_of(|walk| walk.expr(right), |_| {});
            }
            ExprKind::Cond(condition, left, right) => {
                self.expr(condition);
                self.one_of(|walk| walk.expr(left), |walk| walk.expr(right));
            }
            ExprKind::Assign(place, value) | ExprKind::AssignOp { place, operand: value, .. } => {
                let mut all = parts(place);
                all.push(value);
                self.in_any_order(all);
            }
            ExprKind::Call(callee, args) => {
                let pointer = match callee {
                    Callee::Pointer(pointer) => Some(pointer),
                    Callee::Direct(_) => None,
                };
                self.in_any_order(pointer.into_iter().chain(args).collect());
                if let Callee::Direct(callee) = callee {
                    self.call(*callee, args);
                }
            }
            ExprKind::Comma(left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Stmt(statements, last) => {
                self.statements(statements);
                last.iter().for_each(|last| self.expr(last));
            }
        }
    }

    /// Operands: if several of them create threads or use them up, nothing in them is fresh.
    fn in_any_order(&mut self, operands: Vec<&'a Expr>) {
        let matters = |operand: &&&Expr| {
            let mut matters = false;
            walk_expr(operand, &mut |event| {
                let Event::Expr(expr) = event else { return };
                matters |= is_call_of(self.unit, expr, &CREATE);
                matters |= is_call_of(self.unit, expr, &USE_UP);
            });
            matters
        };
        let several = operands.iter().filter(matters).count() > 1;
        for operand in operands {
            if several {
                self.fresh.clear();
            }
            self.expr(operand);
        }
        if several {
            self.fresh.clear();
        }
    }

    fn call(&mut self, callee: FuncId, args: &'a [Expr]) {
        let Some(first) = args.first() else { return };
        if is_one_of(self.unit, callee, &CREATE) {
            self.fresh.extend(pointed(first).and_then(|handle| handle_of(self.unit, handle)));
        } else if is_one_of(self.unit, callee, &USE_UP) {
            match loaded(first) {
                Some((var, index)) => self.use_up(var, index),
                None if is_call_of(self.unit, first, &OWN_ID) && self.loops.is_empty() => {
                    self.own += 1;
                }
                None => {}
            }
        }
    }

    fn use_up(&mut self, var: VarId, index: Option<&'a Expr>) {
        let known = handle_of(self.unit, (var, index));
        let is_fresh = known.is_some_and(|handle| self.fresh.remove(&handle));
        let is_once = self.main.is_some_and(|main| match (&self.loops[..], index) {
            ([], _) => true,
            ([around], Some(index)) => counts(self.unit, main, around, index),
            _ => false,
        });
        let handle = known.unwrap_or((var, None));
        self.sites.push(UseSite { handle, is_fresh, is_once });
    }
}

/// What is computed in a place.
fn parts(place: &Place) -> Vec<&Expr> {
    match &place.kind {
        PlaceKind::Var(_) => vec![],
        PlaceKind::Deref(pointer) | PlaceKind::Temporary(pointer) => vec![pointer],
        PlaceKind::Field(record, _) => parts(record),
        PlaceKind::Index(array, index, _) => {
            let mut all = parts(array);
            all.push(index);
            all
        }
    }
}

/// The variable that a place is a part of.
pub fn root(place: &Place) -> Option<VarId> {
    match &place.kind {
        PlaceKind::Var(var) => Some(*var),
        PlaceKind::Field(inner, _) | PlaceKind::Index(inner, ..) => root(inner),
        PlaceKind::Deref(pointer) => match &*pointer.kind {
            ExprKind::AddrOf(place) => root(place),
            _ => None,
        },
        PlaceKind::Temporary(_) => None,
    }
}

/// A variable, or an element of an array or behind a pointer.
type Element<'a> = (VarId, Option<&'a Expr>);

/// What is loaded, if that is all.
fn loaded(expr: &Expr) -> Option<Element<'_>> {
    match &*expr.kind {
        ExprKind::Load(place) => element(place),
        _ => None,
    }
}

fn element(place: &Place) -> Option<Element<'_>> {
    match &place.kind {
        PlaceKind::Var(var) => Some((*var, None)),
        PlaceKind::Index(array, index, _) => Some((array_of(array)?, Some(index))),
        PlaceKind::Deref(pointer) => pointed(pointer),
        PlaceKind::Field(..) | PlaceKind::Temporary(_) => None,
    }
}

/// An array with a name, of fixed length or not.
fn array_of(place: &Place) -> Option<VarId> {
    match &place.kind {
        PlaceKind::Var(var) => Some(*var),
        PlaceKind::Deref(pointer) => variable(pointer),
        _ => None,
    }
}

/// To what a pointer points, if it says so.
fn pointed(pointer: &Expr) -> Option<Element<'_>> {
    match &*pointer.kind {
        ExprKind::AddrOf(place) => element(place),
        ExprKind::PtrAdd(base, index, _) => match &*base.kind {
            ExprKind::AddrOf(array) => Some((array_of(array)?, Some(index))),
            _ => Some((variable(base)?, Some(index))),
        },
        _ => None,
    }
}

fn variable(expr: &Expr) -> Option<VarId> {
    match &*expr.kind {
        ExprKind::Load(Place { kind: PlaceKind::Var(var), bits: None, .. }) => Some(*var),
        _ => None,
    }
}

/// An element whose index is known.
fn handle_of(unit: &Unit, (var, index): Element) -> Option<Handle> {
    match index.map(|index| &*index.kind) {
        None if is_scalar(unit, var) => Some((var, Some(0))),
        Some(ExprKind::Const(value)) => Some((var, Some(*value))),
        _ => None,
    }
}

fn is_scalar(unit: &Unit, var: VarId) -> bool {
    matches!(unit.types.get(unit.vars[var.index()].ty), Type::Int { .. })
}

fn is_one_of(unit: &Unit, function: FuncId, names: &[&str]) -> bool {
    let function = &unit.functions[function.index()];
    // Not the user's own.
    (function.is_model || function.body.is_none()) && names.contains(&function.name.as_str())
}

fn is_call_of(unit: &Unit, expr: &Expr, names: &[&str]) -> bool {
    match &*without_casts(expr).kind {
        ExprKind::Call(Callee::Direct(callee), _) => is_one_of(unit, *callee, names),
        _ => false,
    }
}

/// What is converted.
pub fn without_casts(expr: &Expr) -> &Expr {
    match &*expr.kind {
        ExprKind::Cast(inner) => without_casts(inner),
        _ => expr,
    }
}

/// Has an index another value in each round of a loop? It is a variable of `main` that only `i++`, the loop's step, changes; and before each step there is a larger value, since
/// the condition `i < n` holds. (With `i != n`, every other value comes before one comes again.)
fn counts(unit: &Unit, main: &[Stmt], around: &Stmt, index: &Expr) -> bool {
    let StmtKind::Loop { condition: Some(condition), test_first: true, step: Some(step), .. } =
        &around.kind
    else {
        return false;
    };
    let Some(counter) = variable(widened(unit, index)) else { return false };
    let ExprKind::AssignOp { place, op: BinaryOp::Add, operand, .. } = &*step.kind else {
        return false;
    };
    let is_step = matches!(place.kind, PlaceKind::Var(var) if var == counter)
        && matches!(*operand.kind, ExprKind::Const(1));
    let is_own = matches!(unit.vars[counter.index()].lifetime, Lifetime::Local(_))
        && is_scalar(unit, counter);
    let ExprKind::Binary(op, left, right) = &*condition.kind else { return false };
    let is_compared = variable(left) == Some(counter)
        || variable(without_casts(left)) == Some(counter) && is_small(right);
    is_step
        && is_own
        && is_compared
        && matches!(op, BinaryOp::Lt | BinaryOp::Ne)
        && changes(main, counter, true) == 0
        && changes(std::slice::from_ref(around), counter, false) == 1
}

/// What is converted to a type that is no smaller: different values stay different.
fn widened<'a>(unit: &Unit, expr: &'a Expr) -> &'a Expr {
    match &*expr.kind {
        ExprKind::Cast(inner) if unit.types.size_of(inner.ty) <= unit.types.size_of(expr.ty) => {
            widened(unit, inner)
        }
        _ => expr,
    }
}

/// A constant that every integer type has: conversions do not change it, nor what is below it.
fn is_small(expr: &Expr) -> bool {
    matches!(*expr.kind, ExprKind::Const(value) if (0..128).contains(&value))
}

/// How often a variable is assigned in a text, or its address taken.
fn changes(statements: &[Stmt], var: VarId, by_address: bool) -> usize {
    let mut count = 0;
    walk(statements, &mut |event| {
        let Event::Expr(expr) = event else { return };
        let place = match &*expr.kind {
            ExprKind::AddrOf(place) if by_address => place,
            ExprKind::Assign(place, _) | ExprKind::AssignOp { place, .. } if !by_address => place,
            _ => return,
        };
        count += usize::from(root(place) == Some(var));
    });
    count
}
