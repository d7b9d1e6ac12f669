//! C's statements.

use super::build::{Meeting, set};
use super::manner::Manner;
use super::object::ObjectId;
use super::place::Target;
use super::{Lowerer, cells, fold};
use crate::hir::{
    BinaryOp, Expr as CExpr, ExprKind, InitEntry, LabelId, Lifetime, Place, PlaceKind, Stmt,
    StmtKind, VarId,
};
use crate::types::Types;
use ccfa::{Assign, BinOp, Expr, Rhs, Type, VarRef};

impl Lowerer<'_> {
    pub(super) fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        self.at(statement.range);
        match &statement.kind {
            StmtKind::Expr(expr) => self.in_one_step(|lowerer| lowerer.effect(expr)),
            StmtKind::Declare(var, init) => {
                self.in_one_step(|lowerer| lowerer.declare(*var, init.as_deref()));
            }
            StmtKind::Block(statements) => self.statements(statements),
            StmtKind::If(condition, then, otherwise) => {
                let (mut yes, mut no, mut end) = (None, None, None);
                self.decide(condition, &mut yes, &mut no);
                self.resume(yes);
                self.statement(then);
                self.meet(&mut end);
                self.resume(no);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
                self.meet(&mut end);
                self.resume(end);
            }
            StmtKind::Loop { condition, test_first, body, step } => {
                self.repeat(condition.as_ref(), *test_first, body, step.as_ref());
            }
            StmtKind::Switch { value, cases, default, body } => {
                self.switch(value, cases, *default, body);
            }
            StmtKind::Label(label) => self.label(*label),
            StmtKind::Goto(label) => self.goto(*label),
            StmtKind::Break => self.leave(|frame| &mut frame.breaks),
            StmtKind::Continue => self.leave(|frame| &mut frame.continues),
            StmtKind::Return(value) => self.return_from(value.as_ref()),
            StmtKind::Fence => {}
            StmtKind::Unsupported(what) => self.unsupported(what.clone()),
        }
    }

    /// Are we in the text of an abstract thread? Each of its statements is one step.
    fn is_abstract(&self) -> bool {
        self.t.body != self.t.routine
            && self.t.frames.last().is_some_and(|frame| frame.function == self.t.body)
            && !self.t.dead
    }

    /// Lowers a statement, which is one step in an abstract thread.
    fn in_one_step(&mut self, lower: impl FnOnce(&mut Self)) {
        if !self.is_abstract() {
            return lower(self);
        }
        self.begin_atomic();
        lower(self);
        self.end_atomic();
    }

    /// Goes to `yes` or `no`: one step in an abstract thread.
    fn decide(&mut self, condition: &CExpr, yes: &mut Meeting, no: &mut Meeting) {
        if !self.is_abstract() {
            return self.branch(condition, yes, no);
        }
        let (mut then, mut otherwise) = (None, None);
        self.begin_atomic();
        self.branch(condition, &mut then, &mut otherwise);
        for (decided, meeting) in [(then, yes), (otherwise, no)] {
            self.resume(decided);
            if decided.is_some() {
                self.end_atomic();
                self.meet(meeting);
            }
        }
    }

    /// Goes to the innermost target of a kind.
    fn leave(&mut self, targets: impl Fn(&mut super::build::Frame) -> &mut Vec<Meeting>) {
        let Some(mut meeting) = targets(self.t.frame()).pop() else { return };
        self.meet(&mut meeting);
        targets(self.t.frame()).push(meeting);
    }

    fn label(&mut self, label: LabelId) {
        let mut meeting = self.t.frame().labels.get(&label).copied().flatten();
        self.meet(&mut meeting);
        // Only a jump back leads here: it will find the place.
        let place =
            meeting.unwrap_or_else(|| (self.t.location(ccfa::LocKind::Plain), self.t.atomic));
        self.t.frame().labels.insert(label, Some(place));
        self.t.template.locations[place.0.index()].span = self.t.span;
        self.resume(Some(place));
    }

    fn goto(&mut self, label: LabelId) {
        let mut meeting = self.t.frame().labels.get(&label).copied().flatten();
        self.meet(&mut meeting);
        self.t.frame().labels.insert(label, meeting);
    }

    fn repeat(
        &mut self,
        condition: Option<&CExpr>,
        test_first: bool,
        body: &Stmt,
        step: Option<&CExpr>,
    ) {
        let rounds = condition.and_then(|condition| self.rounds(condition));
        self.t.loops.push(rounds);
        let head = self.meeting_here();
        self.resume(head);
        let (mut inside, mut after) = (None, None);
        match condition {
            Some(condition) if test_first => self.decide(condition, &mut inside, &mut after),
            _ => self.meet(&mut inside),
        }
        self.t.frame().breaks.push(after);
        self.t.frame().continues.push(None);
        self.resume(inside);
        self.statement(body);
        let mut end = self.t.frame().continues.pop().flatten();
        let mut after = self.t.frame().breaks.pop().flatten();
        self.meet(&mut end);
        self.resume(end);
        if let Some(step) = step {
            self.in_one_step(|lowerer| lowerer.effect(step));
        }
        let mut head = head;
        match condition {
            Some(condition) if !test_first => self.decide(condition, &mut head, &mut after),
            _ => self.meet(&mut head),
        }
        self.resume(after);
        self.t.loops.pop();
    }

    /// How often a loop with this condition may run, guessed from `i < 10`. Only
    /// used to size pools: what exceeds the guess is reported.
    fn rounds(&self, condition: &CExpr) -> Option<u64> {
        let ExprKind::Binary(op, left, right) = &*condition.kind else { return None };
        let (counter, limit) = match op {
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Ne => (left, right),
            BinaryOp::Gt | BinaryOp::Ge => (right, left),
            _ => return None,
        };
        let limit = self.constant(limit)?;
        let inclusive = i128::from(matches!(op, BinaryOp::Le | BinaryOp::Ge));
        self.counter(counter)?;
        u64::try_from(limit + inclusive).ok()
    }

    /// A variable that could count rounds.
    fn counter(&self, expr: &CExpr) -> Option<VarId> {
        match &*expr.kind {
            ExprKind::Cast(inner) => self.counter(inner),
            ExprKind::Load(Place { kind: PlaceKind::Var(var), .. }) => Some(*var),
            _ => None,
        }
    }

    /// The value of an expression that is always the same.
    pub(super) fn constant(&self, expr: &CExpr) -> Option<i128> {
        match &*expr.kind {
            ExprKind::Const(value) => Some(*value),
            ExprKind::Cast(inner) if self.unit.types.unatomic(expr.ty) == Types::BOOL => {
                Some(i128::from(self.constant(inner)? != 0))
            }
            ExprKind::Cast(inner) => Some(self.scalar_type(expr.ty)?.wrap(self.constant(inner)?)),
            ExprKind::Load(Place { kind: PlaceKind::Var(var), bits: None, .. }) => {
                let bound = self.t.frames.last().and_then(|frame| frame.bound.get(var));
                if let Some(Expr::Const(value, _)) = bound {
                    return Some(*value);
                }
                let declared = &self.unit.vars[var.index()];
                let fixed = declared.lifetime == Lifetime::Static
                    && !self.points_to.is_ever_assigned(*var)
                    && !self.points_to.is_address_taken(*var);
                match declared.init.as_deref() {
                    Some([]) if fixed => Some(0),
                    Some([only]) if fixed => self.constant(&only.value),
                    _ => None,
                }
            }
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.constant(left)?, self.constant(right)?);
                let result = match op {
                    BinaryOp::Add => a.checked_add(b)?,
                    BinaryOp::Sub => a.checked_sub(b)?,
                    BinaryOp::Mul => a.checked_mul(b)?,
                    _ => return None,
                };
                match self.scalar_type(expr.ty)? {
                    ty @ Type::Bits { signed: false, .. } => Some(ty.wrap(result)),
                    ty => Some(result).filter(|result| ty.contains(*result)),
                }
            }
            _ => None,
        }
    }

    fn switch(
        &mut self,
        value: &CExpr,
        cases: &[(i128, i128, LabelId)],
        default: Option<LabelId>,
        body: &Stmt,
    ) {
        let ty = self.scalar_type(value.ty).unwrap_or(Type::signed(32));
        let value = self.expr(value);
        let mut none = Expr::TRUE;
        for (low, high, label) in cases {
            let bound = |bound: i128| Expr::constant(bound, ty);
            let hit = if low == high {
                fold::binary(BinOp::Eq, ty, value.clone(), bound(*low))
            } else {
                let above = fold::binary(BinOp::Le, ty, bound(*low), value.clone());
                Expr::and(above, fold::binary(BinOp::Le, ty, value.clone(), bound(*high)))
            };
            none = Expr::and(none, Expr::negate(hit.clone()));
            self.branch_case(hit, *label);
        }
        let mut after: Meeting = None;
        self.step(none, vec![]);
        match default {
            Some(label) => self.goto(label),
            None => self.meet(&mut after),
        }
        self.t.frame().breaks.push(after);
        self.stop();
        self.statement(body);
        let mut after = self.t.frame().breaks.pop().flatten();
        self.meet(&mut after);
        self.resume(after);
    }

    /// From here to a case label if `hit`; goes on here.
    fn branch_case(&mut self, hit: Expr, label: LabelId) {
        let (here, dead) = (self.t.here, self.t.dead);
        self.step(hit, vec![]);
        self.goto(label);
        (self.t.here, self.t.dead) = (here, dead);
    }

    fn return_from(&mut self, value: Option<&CExpr>) {
        if let Some(value) = value {
            let result = self.t.frame().result.clone();
            match result {
                Some(target) if self.is_record(value) => self.record_into(value, &target),
                Some(target) => {
                    let ty = self.scalar_type(value.ty);
                    let size = self.size_of(value.ty);
                    let value = self.expr(value);
                    if let Some(ty) = ty {
                        self.write(&target, ty, size, &value, Manner::PLAIN);
                    }
                }
                None => self.effect(value),
            }
        }
        let mut exit = self.t.frame().exit.take();
        self.meet(&mut exit);
        self.t.frame().exit = exit;
    }

    /// A local variable comes to life.
    pub(super) fn declare(&mut self, var: VarId, init: Option<&[InitEntry]>) {
        if let Some(constant) = self.constant_for_ever(var, init) {
            self.t.frame().bound.insert(var, constant);
            return;
        }
        let object = match self.object_of(var) {
            Ok(object) => object,
            Err(what) => return self.unsupported(what),
        };
        self.set_live(object, true);
        let ty = self.unit.vars[var.index()].ty;
        let place = Place {
            kind: PlaceKind::Var(var),
            ty,
            bits: None,
            range: self.unit.vars[var.index()].range,
        };
        let Some(entries) = init else {
            return self.forget(object);
        };
        let target = self.target(&place);
        let covers_all = entries.len() == 1 && entries[0].ty == ty && entries[0].bits.is_none();
        if !covers_all {
            self.clear(object);
        }
        for entry in entries {
            self.initialise(&target, entry);
        }
    }

    /// The value of a local that is only ever initialised, and with a constant.
    fn constant_for_ever(&self, var: VarId, init: Option<&[InitEntry]>) -> Option<Expr> {
        let [only] = init? else { return None };
        let ty = self.scalar_type(self.unit.vars[var.index()].ty)?;
        let changes =
            self.points_to.is_ever_reassigned(var) || self.points_to.is_address_taken(var);
        let is_whole = only.bits.is_none() && only.ty == self.unit.vars[var.index()].ty;
        if changes || !is_whole {
            return None;
        }
        Some(Expr::constant(self.constant(&only.value)?, ty))
    }

    fn initialise(&mut self, target: &Target, entry: &InitEntry) {
        let part = self.at_offset(target, entry.offset);
        if self.is_record(&entry.value) {
            return self.record_into(&entry.value, &part);
        }
        let Some(_) = self.scalar_type(entry.ty) else {
            return self
                .unsupported(format!("a value of type `{}`", self.unit.types.name(entry.ty)));
        };
        let value = self.expr(&entry.value);
        let place = Place {
            kind: PlaceKind::Temporary(entry.value.clone()),
            ty: entry.ty,
            bits: entry.bits,
            range: entry.value.range,
        };
        self.store(&place, &part, value);
    }

    /// All cells of a variable's own copy become arbitrary.
    fn forget(&mut self, object: ObjectId) {
        let assigns = self.each_cell(object, |_| Rhs::Havoc);
        self.step(Expr::TRUE, assigns);
    }

    /// All cells of a variable's own copy become zero.
    fn clear(&mut self, object: ObjectId) {
        let assigns = self.each_cell(object, |ty| Rhs::Expr(Expr::Const(0, ty)));
        self.step(Expr::TRUE, assigns);
    }

    fn each_cell(&mut self, id: ObjectId, value: impl Fn(Type) -> Rhs) -> Vec<Assign> {
        let copy = self.own_copy(id);
        let groups: Vec<cells::Group> = self.object(id).outline.groups.clone();
        let mut assigns = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            let var = self.group_var(id, number);
            let rhs = value(group.ty);
            if copy.is_none() && (group.dims.is_empty() || rhs == Rhs::Havoc) {
                assigns.push(Assign { place: ccfa::Place::Var(var), value: rhs });
                continue;
            }
            assigns.extend(self.copy_cells(var, group, copy.as_ref(), &rhs));
        }
        assigns
    }

    /// Assignments to all cells of one copy of a group.
    pub(super) fn copy_cells(
        &self,
        var: VarRef,
        group: &cells::Group,
        copy: Option<&Expr>,
        rhs: &Rhs,
    ) -> Vec<Assign> {
        let index = super::locate::INDEX;
        let first = copy.map_or(Expr::Const(0, index), |copy| {
            let per_copy = Expr::Const(i128::from(group.len()), index);
            fold::binary(BinOp::Mul, index, copy.clone(), per_copy)
        });
        let element = |cell: u64| {
            let at = fold::binary(
                BinOp::Add,
                index,
                first.clone(),
                Expr::Const(i128::from(cell), index),
            );
            Assign { place: ccfa::Place::Element(var, at), value: rhs.clone() }
        };
        (0..group.len()).map(element).collect()
    }

    /// Marks a local that other threads may see as alive or gone.
    pub(super) fn set_live(&mut self, id: ObjectId, alive: bool) {
        let Some(live) = self.object(id).live else { return };
        let var = VarRef::Shared(live);
        let value = Expr::Const(i128::from(alive), Type::unsigned(1));
        let assign = match self.own_copy(id) {
            None => set(var, value),
            Some(copy) => {
                Assign { place: ccfa::Place::Element(var, copy), value: Rhs::Expr(value) }
            }
        };
        self.step(Expr::TRUE, vec![assign]);
    }
}
