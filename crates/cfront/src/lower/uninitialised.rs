//! Locals that are read before they are written: undefined behaviour, if nothing takes their address (C11 6.3.2.1, 2).
//!
//! Which locals may be read so is found by a walk over the statements of their function: a *definite assignment* analysis, with the set of those that may have no value yet. Where ways
//! meet, a local may be without value if it may be on one of them. A local that is not in the result is never read before it is written, on no path of the text. The others have a flag in the model, which
//! says whether they were written; it is asked where they are read. Where this kind of undefined behaviour is not asked for, such a read gives any value.
//!
//! The same goes for the result of a function whose end is reached without a `return`, if the caller uses it (C11 6.9.1, 12).
//!
//! Parts of arrays and records, locals whose address is taken and allocated memory are the matter of `unwritten_cells`.

use super::build::{FLAG, set};
use super::input::Input;
use super::{ControlSteps, Lives, cells, fold};
use crate::hir::{
    Callee, Expr as CExpr, ExprKind, LabelId, Lifetime, Place, PlaceKind, Stmt, StmtKind, Type,
    Unit, VarId,
};
use crate::points_to::PointsTo;
use crate::{Assumption, Purpose};
use ccfa::{Expr, FailedOperation, Init, LocalId, Undefined, VarRef};
use std::collections::{BTreeSet, HashMap, HashSet};

impl Input<'_> {
    /// The local that a place is, if it may have no value.
    pub fn may_be_unwritten(&self, place: &Place) -> Option<VarId> {
        local(place).filter(|var| self.summaries.unwritten().locals.contains(var))
    }

    /// Does a call have a result that its caller uses?
    pub fn uses_result(&self, call: &CExpr) -> bool {
        matches!(*call.kind, ExprKind::Call(..))
            && *self.unit.types.get(call.ty) != Type::Void
            && !self.summaries.unwritten().discarded.contains(&identity(call))
    }

    /// Is it asked of a local whether it was written?
    pub fn asks_if_written(&self, var: VarId) -> bool {
        self.asks_for_unwritten() && self.summaries.unwritten().locals.contains(&var)
    }

    pub fn asks_for_unwritten(&self) -> bool {
        self.options.choices.uninitialised && self.options.purpose == Purpose::Verification
    }
}

impl ControlSteps<'_, '_> {
    /// The function at hand returns without a value: does its caller use one?
    pub(super) fn require_result(&mut self) {
        let frame = self.t.frame();
        let (function, is_used) = (frame.function, frame.result_is_used);
        let called = &self.input.unit.functions[function.index()];
        let is_free = called.is_model || called.noreturn || function == self.input.main;
        if is_free || !is_used || self.t.dead {
            return;
        }
        match self.input.asks_for_unwritten() {
            true => self.t.undefined(Undefined::NoResult),
            false => drop(self.t.assumed.insert(Assumption::UnwrittenGivesValue)),
        }
    }
}

impl Lives<'_, '_> {
    /// From here on, a local has a value, or none.
    pub(super) fn note_written(&mut self, var: VarId, is_written: bool) {
        if !self.input.asks_if_written(var) {
            return;
        }
        if let Some(flag) = self.written_flag(var) {
            let value = Expr::Const(i128::from(is_written), FLAG);
            self.t.step(Expr::TRUE, vec![set(flag, value)]);
        }
    }

    /// Says whether a local of the frame at hand was written.
    fn written_flag(&mut self, var: VarId) -> Option<VarRef> {
        let object = self.resolver().object_of(var).ok()?;
        let known: Option<LocalId> = self.t.written.get(&object).copied();
        let flag = known.unwrap_or_else(|| {
            let name = format!(".{}.written", self.objects.get(object).outline.name);
            self.t.local(&name, FLAG, None, Init::Value(0))
        });
        self.t.written.insert(object, flag);
        Some(VarRef::Local(flag))
    }

    /// A place is read: if it may have no value yet, that is asked.
    pub(super) fn require_written(&mut self, place: &Place) {
        let Some(var) = self.input.may_be_unwritten(place) else { return };
        if !self.input.asks_for_unwritten() {
            self.t.assumed.insert(Assumption::UnwrittenGivesValue);
            return;
        }
        let Some(flag) = self.written_flag(var) else { return };
        let name = self.input.unit.vars[var.index()].name.clone();
        let is_written = fold::truth(FLAG, Expr::Var(flag));
        self.t.require_of(FailedOperation::Unwritten(name), is_written, Undefined::Uninitialised);
    }

    /// A jump enters blocks behind declarations: what is declared there is new, and has no value.
    pub(super) fn enter_without_values(&mut self, label: LabelId) {
        let function = self.t.frame().function.index();
        for var in self.input.points_to.scopes().entered_at(function, label) {
            if self.t.frame().declared.contains(var) {
                continue;
            }
            if let Ok(object) = self.resolver().object_of(*var) {
                self.forget(object);
            }
            self.note_written(*var, false);
        }
    }
}

/// The local variable that a place is, as a whole.
fn local(place: &Place) -> Option<VarId> {
    match &place.kind {
        PlaceKind::Var(var) => Some(*var),
        PlaceKind::Deref(pointer) => match &*pointer.kind {
            ExprKind::AddrOf(inner) => local(inner),
            _ => None,
        },
        _ => None,
    }
}

/// An expression of the program, told apart from all others.
pub fn identity(expr: &CExpr) -> usize {
    std::ptr::from_ref(&*expr.kind) as usize
}

/// What may have no value, in the program's own functions.
#[derive(Default)]
pub struct UnwrittenUses {
    /// The locals that may be read before they are written.
    locals: BTreeSet<VarId>,
    /// The calls whose results are not used.
    discarded: HashSet<usize>,
}

/// Finds them.
pub fn find(unit: &Unit, points_to: &PointsTo) -> UnwrittenUses {
    let is_looked_at = |var: &VarId| {
        let declared = &unit.vars[var.index()];
        matches!(declared.lifetime, Lifetime::Local(_))
            && cells::scalar(&unit.types, declared.ty).is_some()
            && !points_to.is_address_taken(*var)
    };
    let vars = (0..unit.vars.len()).map(|index| VarId(index as u32));
    let looked_at: BTreeSet<VarId> = vars.filter(is_looked_at).collect();
    let mut found = UnwrittenUses::default();
    for (function, declared) in unit.functions.iter().enumerate().filter(|one| !one.1.is_model) {
        let body = declared.body.as_deref().unwrap_or_default();
        let mut walk = Assignments {
            unit,
            points_to,
            function,
            looked_at: &looked_at,
            unwritten: None,
            declared: Vec::new(),
            labels: HashMap::new(),
            heads: Vec::new(),
            loops: 0,
            breaks: Vec::new(),
            continues: Vec::new(),
            found: &mut found,
            has_changed: true,
        };
        while std::mem::take(&mut walk.has_changed) {
            (walk.unwritten, walk.loops) = (Some(BTreeSet::new()), 0);
            walk.statements(body);
        }
    }
    found
}

/// What may be without value; `None` where nothing leads.
type Unwritten = Option<BTreeSet<VarId>>;

/// Adds what may be without value on another way. Is anything new?
fn join(into: &mut Unwritten, other: &Unwritten) -> bool {
    match (into.as_mut(), other) {
        (_, None) => false,
        (None, Some(_)) => {
            into.clone_from(other);
            true
        }
        (Some(into), Some(other)) => {
            let before = into.len();
            into.extend(other);
            into.len() > before
        }
    }
}

/// A walk over the statements of a function, again and again until nothing is new at labels and loop heads.
struct Assignments<'a> {
    unit: &'a Unit,
    points_to: &'a PointsTo,
    function: usize,
    looked_at: &'a BTreeSet<VarId>,
    unwritten: Unwritten,
    /// What is declared in the open blocks.
    declared: Vec<VarId>,
    labels: HashMap<LabelId, Unwritten>,
    /// By the numbers of loops, in the order of the text.
    heads: Vec<Unwritten>,
    loops: usize,
    breaks: Vec<Unwritten>,
    continues: Vec<Unwritten>,
    found: &'a mut UnwrittenUses,
    has_changed: bool,
}

impl Assignments<'_> {
    fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Expr(expr) => self.effect(expr),
            StmtKind::Declare(var, init) => {
                self.declared.push(*var);
                self.lose(*var);
                init.iter().flatten().for_each(|entry| self.expr(&entry.value));
                if init.is_some() {
                    self.write(*var);
                }
            }
            StmtKind::Block(statements) => self.block(|walk| walk.statements(statements)),
            StmtKind::If(condition, then, otherwise) => self.block(|walk| {
                walk.expr(condition);
                walk.one_of(
                    |walk| walk.block(|walk| walk.statement(then)),
                    |walk| {
                        walk.block(|walk| otherwise.iter().for_each(|part| walk.statement(part)))
                    },
                );
            }),
            StmtKind::Loop { condition, test_first, body, step } => self.block(|walk| {
                walk.repeat(condition.as_ref(), *test_first, body, step.as_ref());
            }),
            StmtKind::Switch { value, cases, default, body } => self.block(|walk| {
                walk.expr(value);
                let labels = cases.iter().map(|(.., label)| label).chain(default);
                labels.for_each(|label| walk.jump(*label));
                let passed = if default.is_none() { walk.unwritten.clone() } else { None };
                walk.unwritten = None;
                walk.breaks.push(passed);
                walk.block(|walk| walk.statement(body));
                walk.leave_by_breaks();
            }),
            StmtKind::Label(label) => {
                let known = self.labels.entry(*label).or_default().clone();
                join(&mut self.unwritten, &known);
            }
            StmtKind::Goto(label) => {
                self.jump(*label);
                self.unwritten = None;
            }
            StmtKind::Break => {
                let here = self.unwritten.take();
                self.breaks.last_mut().map(|breaks| join(breaks, &here));
            }
            StmtKind::Continue => {
                let here = self.unwritten.take();
                self.continues.last_mut().map(|continues| join(continues, &here));
            }
            StmtKind::Return(value) => {
                value.iter().for_each(|value| self.expr(value));
                self.unwritten = None;
            }
            StmtKind::Fence(_) | StmtKind::Unsupported(_) => {}
        }
    }

    fn block(&mut self, inside: impl FnOnce(&mut Self)) {
        let outside = self.declared.len();
        inside(self);
        self.declared.truncate(outside);
    }

    fn one_of(&mut self, one: impl FnOnce(&mut Self), other: impl FnOnce(&mut Self)) {
        let before = self.unwritten.clone();
        one(self);
        let after = std::mem::replace(&mut self.unwritten, before);
        other(self);
        join(&mut self.unwritten, &after);
    }

    fn repeat(
        &mut self,
        condition: Option<&CExpr>,
        test_first: bool,
        body: &Stmt,
        step: Option<&CExpr>,
    ) {
        let number = self.loops;
        self.loops += 1;
        self.heads.resize(self.heads.len().max(self.loops), None);
        join(&mut self.unwritten, &self.heads[number]);
        let mut after = None;
        let mut decide = |walk: &mut Self| {
            if let Some(condition) = condition {
                walk.expr(condition);
                join(&mut after, &walk.unwritten);
            }
        };
        if test_first {
            decide(self);
        }
        self.breaks.push(None);
        self.continues.push(None);
        self.block(|walk| walk.statement(body));
        let continued = self.continues.pop().flatten();
        join(&mut self.unwritten, &continued);
        step.into_iter().for_each(|step| self.effect(step));
        if !test_first {
            decide(self);
        }
        self.has_changed |= join(&mut self.heads[number], &self.unwritten);
        self.unwritten = after;
        self.leave_by_breaks();
    }

    fn leave_by_breaks(&mut self) {
        let left = self.breaks.pop().flatten();
        join(&mut self.unwritten, &left);
    }

    /// What is declared in blocks that the jump enters has no value there.
    fn jump(&mut self, label: LabelId) {
        let mut here = self.unwritten.clone();
        if let Some(here) = &mut here {
            let entered = self.points_to.scopes().entered_at(self.function, label).iter();
            let is_new = |var: &&VarId| !self.declared.contains(var);
            here.extend(entered.filter(is_new).filter(|var| self.looked_at.contains(var)));
        }
        self.has_changed |= join(self.labels.entry(label).or_default(), &here);
    }

    fn lose(&mut self, var: VarId) {
        if let Some(unwritten) = self.unwritten.as_mut().filter(|_| self.looked_at.contains(&var)) {
            unwritten.insert(var);
        }
    }

    fn write(&mut self, var: VarId) {
        self.unwritten.iter_mut().for_each(|unwritten| {
            unwritten.remove(&var);
        });
    }

    fn read(&mut self, place: &Place) {
        let is_unwritten =
            |var: &VarId| self.unwritten.as_ref().is_some_and(|unwritten| unwritten.contains(var));
        self.found.locals.extend(local(place).filter(is_unwritten));
    }

    /// An expression whose value is not used: a local alone is not read then.
    fn effect(&mut self, expr: &CExpr) {
        match &*expr.kind {
            ExprKind::Load(place) if local(place).is_some() => {}
            ExprKind::Cast(inner) if *self.unit.types.get(expr.ty) == Type::Void => {
                self.effect(inner);
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.effect(second);
            }
            ExprKind::Cond(condition, then, otherwise) => {
                self.expr(condition);
                self.one_of(|walk| walk.effect(then), |walk| walk.effect(otherwise));
            }
            ExprKind::Stmt(statements, value) => self.block(|walk| {
                walk.statements(statements);
                value.iter().for_each(|value| walk.effect(value));
            }),
            ExprKind::Call(..) => {
                self.found.discarded.insert(identity(expr));
                self.expr(expr);
            }
            _ => self.expr(expr),
        }
    }

    fn expr(&mut self, expr: &CExpr) {
        match &*expr.kind {
            ExprKind::Const(_) | ExprKind::FunctionAddr(_) | ExprKind::Unsupported(_) => {}
            ExprKind::Load(place) => {
                self.place(place);
                self.read(place);
            }
            ExprKind::AddrOf(place) => self.place(place),
            ExprKind::Cast(_) if *self.unit.types.get(expr.ty) == Type::Void => self.effect(expr),
            ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => self.expr(operand),
            ExprKind::Binary(_, left, right)
            | ExprKind::PtrAdd(left, right, _)
            | ExprKind::PtrDiff(left, right, _) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.expr(second);
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.expr(left);
                self.one_of(|walk| walk.expr(right), |_| {});
            }
            ExprKind::Cond(condition, then, otherwise) => {
                self.expr(condition);
                self.one_of(|walk| walk.expr(then), |walk| walk.expr(otherwise));
            }
            ExprKind::Assign(place, value) => {
                self.expr(value);
                self.place(place);
                local(place).into_iter().for_each(|var| self.write(var));
            }
            ExprKind::AssignOp { place, operand, .. } => {
                self.expr(operand);
                self.place(place);
                self.read(place);
                local(place).into_iter().for_each(|var| self.write(var));
            }
            ExprKind::Call(callee, args) => {
                if let Callee::Pointer(pointer) = callee {
                    self.expr(pointer);
                }
                args.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::Stmt(statements, value) => self.block(|walk| {
                walk.statements(statements);
                value.iter().for_each(|value| walk.expr(value));
            }),
        }
    }

    /// What is evaluated to find a place.
    fn place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Var(_) => {}
            PlaceKind::Field(inner, _) => self.place(inner),
            PlaceKind::Index(inner, index, _) => {
                self.place(inner);
                self.expr(index);
            }
            PlaceKind::Temporary(value) => self.expr(value),
            PlaceKind::Deref(pointer) => match &*pointer.kind {
                ExprKind::AddrOf(inner) => self.place(inner),
                _ => self.expr(pointer),
            },
        }
    }
}
