//! Which objects may be read in parts, or by their address, before they are written, as far as the text shows (`unwritten_cells` has flags for these).
//!
//! A local has no flags if the program's own text reads it nowhere, if it has an initialiser, or if the statements that follow its declaration write all
//! of it before any other names it. Memory for one object has none if the statements that follow the allocation write all of it by the one local pointer that knows it. A label, a
//! jump or a loop among them ends the search: only straight lines are followed.

use super::cells::{self, Padding};
use super::handles::{root, without_casts};
use super::uninitialised::identity;
use crate::hir::{
    BinaryOp, Callee, Expr as CExpr, ExprKind, InitEntry, Lifetime, Place, PlaceKind, Stmt,
    StmtKind, TypeId, UnaryOp, Unit, VarId,
};
use crate::points_to::PointsTo;
use crate::points_to::walk::{Event, walk, walk_expr};
use std::collections::{BTreeSet, HashSet};

/// What was found in the text.
#[derive(Default)]
pub struct BornUnwritten {
    /// The locals that may be read in parts, or by their address, before they are written.
    pub locals: BTreeSet<VarId>,
    /// The allocations of which all is written before anything else can see it.
    pub written: BTreeSet<(u32, u32)>,
}

/// Looks through the program's own functions.
pub fn find(unit: &Unit, points_to: &PointsTo) -> BornUnwritten {
    let mut found = BornUnwritten::default();
    let read = read_in_parts(unit);
    for function in unit.functions.iter().filter(|function| !function.is_model) {
        let body = function.body.as_deref().unwrap_or_default();
        let mut bare = BTreeSet::new();
        walk(body, &mut |event| match event {
            Event::Birth(var) => drop(bare.insert(var)),
            Event::Declare(var, _) => drop(bare.remove(&var)),
            _ => {}
        });
        bare.retain(|var| read.contains(var) && lies_in_memory(unit, points_to, *var));
        found.locals.extend(bare);
        let mut births = Births { unit, points_to, found: &mut found };
        births.list(body);
    }
    found
}

/// Is a local looked at here? (Others are `uninitialised`'s.)
fn lies_in_memory(unit: &Unit, points_to: &PointsTo, var: VarId) -> bool {
    let declared = &unit.vars[var.index()];
    matches!(declared.lifetime, Lifetime::Local(_))
        && (points_to.is_address_taken(var) || cells::scalar(&unit.types, declared.ty).is_none())
}

/// The variables whose value the program's own text may read, by their names or by their address. That the first argument of a function of the library
/// is read there is its own matter: so handles of threads are read, and only so.
fn read_in_parts(unit: &Unit) -> HashSet<VarId> {
    let mut read = HashSet::new();
    for function in unit.functions.iter().filter(|function| !function.is_model) {
        let mut handles = HashSet::new();
        walk(function.body.as_deref().unwrap_or_default(), &mut |event| {
            let Event::Expr(expr) = event else { return };
            match &*expr.kind {
                ExprKind::Call(Callee::Direct(called), args)
                    if unit.functions[called.index()].is_model
                        && !unit.types.is_pointer(expr.ty) =>
                {
                    handles.extend(args.first().map(|arg| identity(without_casts(arg))));
                }
                ExprKind::Load(place)
                | ExprKind::AddrOf(place)
                | ExprKind::AssignOp { place, .. }
                    if !handles.contains(&identity(expr)) =>
                {
                    read.extend(root(place));
                }
                _ => {}
            }
        });
    }
    read
}

/// Looks for objects that are written as soon as they are born.
struct Births<'a> {
    unit: &'a Unit,
    points_to: &'a PointsTo,
    found: &'a mut BornUnwritten,
}

/// What is followed: a variable, or what a pointer points to.
#[derive(Clone, Copy)]
enum Root {
    Var(VarId),
    Pointee(VarId),
}

impl Births<'_> {
    fn list(&mut self, statements: &[Stmt]) {
        for (number, statement) in statements.iter().enumerate() {
            let rest = &statements[number + 1..];
            match &statement.kind {
                StmtKind::Declare(var, None) => {
                    let ty = self.unit.vars[var.index()].ty;
                    if self.found.locals.contains(var) && self.fills(Root::Var(*var), ty, rest) {
                        self.found.locals.remove(var);
                    }
                }
                StmtKind::Declare(var, Some(entries)) => {
                    if let [InitEntry { value, .. }] = &entries[..] {
                        self.allocation(*var, value, rest);
                    }
                }
                StmtKind::Expr(expr) => {
                    if let ExprKind::Assign(place, value) = &*expr.kind
                        && let PlaceKind::Var(var) = place.kind
                    {
                        self.allocation(var, value, rest);
                    }
                }
                StmtKind::Block(inner) => self.list(inner),
                StmtKind::If(_, then, otherwise) => {
                    self.list(std::slice::from_ref(then));
                    otherwise.iter().for_each(|part| self.list(std::slice::from_ref(part)));
                }
                StmtKind::Loop { body, .. } | StmtKind::Switch { body, .. } => {
                    self.list(std::slice::from_ref(body));
                }
                _ => {}
            }
        }
    }

    /// A pointer gets what is perhaps the address of a new object.
    fn allocation(&mut self, pointer: VarId, value: &CExpr, rest: &[Stmt]) {
        let declared = &self.unit.vars[pointer.index()];
        let call = without_casts(value);
        let (Some(ty), ExprKind::Call(Callee::Direct(_), args)) =
            (self.unit.types.pointee(declared.ty), &*call.kind)
        else {
            return;
        };
        let is_own = matches!(declared.lifetime, Lifetime::Local(_))
            && !self.points_to.is_address_taken(pointer);
        let size = self.unit.types.size_of(ty).filter(|size| *size > 0);
        let is_one = matches!((&args[..], size), ([arg], Some(size))
            if matches!(*without_casts(arg).kind, ExprKind::Const(asked) if asked == i128::from(size)));
        if is_own && is_one && self.fills(Root::Pointee(pointer), ty, rest) {
            self.found.written.insert((call.range.lo, call.range.hi));
        }
    }

    /// Do these statements write all of it before anything else sees it?
    fn fills(&self, root: Root, ty: TypeId, rest: &[Stmt]) -> bool {
        let Ok(groups) = cells::flatten(&self.unit.types, ty, Padding::Without) else {
            return false;
        };
        let cells = groups.iter().filter(|group| !group.is_lock);
        let mut open: Vec<(u64, u64)> = cells
            .flat_map(|group| group.offsets().into_iter().map(|offset| (offset, group.size)))
            .collect();
        for statement in rest {
            if open.is_empty() {
                break;
            }
            if let Some((start, size)) = self.write(root, statement) {
                open.retain(|cell| cell.0 < start || cell.0 + cell.1 > start.saturating_add(size));
            } else if !self.passes(root, statement) {
                return false;
            }
        }
        open.is_empty()
    }

    /// The bytes that a statement writes, if it does nothing else with the object.
    fn write(&self, root: Root, statement: &Stmt) -> Option<(u64, u64)> {
        let StmtKind::Expr(expr) = &statement.kind else { return None };
        match &*expr.kind {
            ExprKind::Assign(place, value) if !mentions(value, root.var()) => {
                Some((root.offset_of(place)?, self.unit.types.size_of(place.ty)?))
            }
            ExprKind::Call(Callee::Direct(called), args) => {
                let [to, byte, size] = &args[..] else { return None };
                let ExprKind::Const(size) = *without_casts(size).kind else { return None };
                let called = &self.unit.functions[called.index()];
                let is_own = called.body.is_some() && !called.is_model;
                let is_memset = !is_own && called.name == "memset";
                let offset = root.offset_at(without_casts(to))?;
                (is_memset && !mentions(byte, root.var())).then_some((offset, size as u64))
            }
            _ => None,
        }
    }

    /// Does a statement have nothing to do with the object, and is what follows it next?
    fn passes(&self, root: Root, statement: &Stmt) -> bool {
        let mut sees = false;
        let alone = std::slice::from_ref(statement);
        walk(alone, &mut |event| match event {
            Event::Expr(expr) => sees |= is_mention(expr, root.var()),
            Event::Birth(var) => sees |= var == root.var(),
            _ => {}
        });
        match &statement.kind {
            StmtKind::Expr(_) | StmtKind::Declare(..) => !sees,
            // Where there is no object, anything may happen.
            StmtKind::If(condition, then, None) => {
                let mut inside = false;
                walk(std::slice::from_ref(then), &mut |event| {
                    if let Event::Expr(expr) = event {
                        inside |= is_mention(expr, root.var());
                    }
                });
                !inside && root.is_null(condition)
            }
            _ => false,
        }
    }
}

impl Root {
    fn var(self) -> VarId {
        match self {
            Root::Var(var) | Root::Pointee(var) => var,
        }
    }

    /// Where in the object a place is.
    fn offset_of(self, place: &Place) -> Option<u64> {
        match (&place.kind, self) {
            (PlaceKind::Var(var), Root::Var(root)) => (*var == root).then_some(0),
            (PlaceKind::Field(inner, offset), _) => Some(self.offset_of(inner)? + offset),
            (PlaceKind::Index(inner, index, size), _) => match *index.kind {
                ExprKind::Const(index) => {
                    self.offset_of(inner)?.checked_add(u64::try_from(index).ok()? * size)
                }
                _ => None,
            },
            (PlaceKind::Deref(pointer), _) => self.offset_at(pointer),
            _ => None,
        }
    }

    /// Where in the object a pointer points to.
    fn offset_at(self, pointer: &CExpr) -> Option<u64> {
        match (&*pointer.kind, self) {
            (ExprKind::AddrOf(place), _) => self.offset_of(place),
            (ExprKind::Load(Place { kind: PlaceKind::Var(var), .. }), Root::Pointee(root)) => {
                (*var == root).then_some(0)
            }
            _ => None,
        }
    }

    /// Does a condition say that there is no object?
    fn is_null(self, condition: &CExpr) -> bool {
        let is_pointer = |expr: &CExpr| {
            matches!((&*without_casts(expr).kind, self),
                (ExprKind::Load(Place { kind: PlaceKind::Var(var), .. }), Root::Pointee(root)) if *var == root)
        };
        match &*condition.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => is_pointer(operand),
            ExprKind::Binary(BinaryOp::Eq, left, right) => {
                let is_zero = matches!(*without_casts(right).kind, ExprKind::Const(0));
                is_zero && is_pointer(left)
            }
            _ => false,
        }
    }
}

/// May an expression see a variable? (Statements in it may even jump.)
fn is_mention(expr: &CExpr, var: VarId) -> bool {
    match &*expr.kind {
        ExprKind::Stmt(..) => true,
        ExprKind::Load(place)
        | ExprKind::AddrOf(place)
        | ExprKind::Assign(place, _)
        | ExprKind::AssignOp { place, .. } => root(place) == Some(var),
        _ => false,
    }
}

fn mentions(expr: &CExpr, var: VarId) -> bool {
    let mut found = false;
    walk_expr(expr, &mut |event| {
        if let Event::Expr(expr) = event {
            found |= is_mention(expr, var);
        }
    });
    found
}
