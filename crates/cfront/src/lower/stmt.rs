//! C's statements.

use super::build::{Alive, JoinPoint};
use super::leaks::Moment;
use super::manner::Manner;
use super::place::Target;
use super::{Lowerer, fold};
use crate::hir::{Expr as CExpr, InitEntry, LabelId, Place, PlaceKind, Stmt, StmtKind, VarId};
use ccfa::{BinOp, Expr, Type};

impl Lowerer<'_> {
    pub(super) fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        self.at(statement.range);
        self.t.frame().statement = self.t.template.locals.len();
        match &statement.kind {
            StmtKind::Expr(expr) => self.in_one_step(|lowerer| {
                lowerer.in_any_order(expr, |lowerer| lowerer.effect(expr));
            }),
            StmtKind::Declare(var, init) => {
                self.in_one_step(|lowerer| lowerer.declare(*var, init.as_deref()));
            }
            StmtKind::Block(statements) => self.block(|lowerer| lowerer.statements(statements)),
            StmtKind::If(condition, then, otherwise) => self.block(|lowerer| {
                lowerer.choose(condition, then, otherwise.as_deref());
            }),
            StmtKind::Loop { condition, test_first, body, step } => self.block(|lowerer| {
                lowerer.repeat(condition.as_ref(), *test_first, body, step.as_ref());
            }),
            StmtKind::Switch { value, cases, default, body } => self.block(|lowerer| {
                lowerer.switch(value, cases, *default, body);
            }),
            StmtKind::Label(label) => {
                self.t.label(*label);
                self.lives().enter_blocks_of(*label);
                self.control().name_label(*label);
                self.check_round();
            }
            StmtKind::Goto(label) => {
                self.lives().end_lives_outside(*label);
                self.lives().enter_without_values(*label);
                self.t.goto(*label);
            }
            StmtKind::Break => {
                let outside = self.t.frame().break_lives.last().copied();
                self.lives().end_lives_behind(outside.unwrap_or(0));
                self.t.leave(|frame| &mut frame.breaks);
            }
            StmtKind::Continue => {
                let outside = self.t.frame().continue_lives.last().copied();
                self.lives().end_lives_behind(outside.unwrap_or(0));
                self.t.leave(|frame| &mut frame.continues);
            }
            StmtKind::Return(value) => self.return_from(value.as_ref()),
            StmtKind::Fence(kind) if self.input.options.choices.weak_memory => {
                self.t.fence(kind.clone());
            }
            StmtKind::Fence(_) => {}
            StmtKind::Unsupported(what) => self.t.unsupported(what.clone()),
        }
    }

    /// What comes to life in a block is gone behind it.
    fn block<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let (outside, declared) = (self.t.frame().alive.len(), self.t.frame().declared.len());
        let result = lower(self);
        self.lives().end_lives_behind(outside);
        self.t.frame().alive.truncate(outside);
        self.t.frame().declared.truncate(declared);
        result
    }

    /// Statements inside an expression: a block, but for objects without a name, which live as long as the block around.
    pub(super) fn statement_expression<T>(
        &mut self,
        statements: &[Stmt],
        value: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let lower = |lowerer: &mut Self| {
            let frame = lowerer.t.frame();
            let (outer, before) = (frame.outer_statement, frame.statement);
            frame.outer_statement = outer.or(Some(before));
            lowerer.statements(statements);
            let result = value(lowerer);
            let frame = lowerer.t.frame();
            (frame.outer_statement, frame.statement) = (outer, before);
            result
        };
        match self.input.unit.is_literal(statements) {
            true => lower(self),
            false => self.block(lower),
        }
    }

    fn choose(&mut self, condition: &CExpr, then: &Stmt, otherwise: Option<&Stmt>) {
        let (mut yes, mut no, mut end) = (None, None, None);
        self.decide(condition, &mut yes, &mut no);
        self.t.resume(yes);
        self.block(|lowerer| lowerer.statement(then));
        self.t.join_at(&mut end);
        self.t.resume(no);
        if let Some(otherwise) = otherwise {
            self.block(|lowerer| lowerer.statement(otherwise));
        }
        self.t.join_at(&mut end);
        self.t.resume(end);
    }

    /// Lowers a statement, which is one step in an abstract thread.
    fn in_one_step(&mut self, lower: impl FnOnce(&mut Self)) {
        if !self.t.is_abstract() {
            return lower(self);
        }
        self.t.begin_atomic();
        lower(self);
        self.t.end_atomic();
    }

    /// Goes to `yes` or `no`: one step in an abstract thread.
    fn decide(&mut self, condition: &CExpr, yes: &mut JoinPoint, no: &mut JoinPoint) {
        if !self.t.is_abstract() {
            return self.in_any_order(condition, |lowerer| lowerer.branch(condition, yes, no));
        }
        let (mut then, mut otherwise) = (None, None);
        self.t.begin_atomic();
        self.in_any_order(condition, |lowerer| {
            lowerer.branch(condition, &mut then, &mut otherwise);
        });
        for (decided, point) in [(then, yes), (otherwise, no)] {
            self.t.resume(decided);
            if decided.is_some() {
                self.t.end_atomic();
                self.t.join_at(point);
            }
        }
    }

    fn repeat(
        &mut self,
        condition: Option<&CExpr>,
        test_first: bool,
        body: &Stmt,
        step: Option<&CExpr>,
    ) {
        let rounds =
            condition.and_then(|condition| self.input.rounds(self.t.frames.last(), condition));
        let is_recounted =
            condition.is_some_and(|one| self.input.is_recounted(one, body, step.is_some()));
        let rounds = rounds.map(|rounds| match is_recounted {
            true => rounds.max(self.input.guess()),
            false => rounds,
        });
        self.t.loops.push(rounds);
        let head = self.t.join_point_here();
        self.t.resume(head);
        let (mut inside, mut after) = (None, None);
        match condition {
            Some(condition) if test_first => {
                // The head of a `for` says more than what is decided here.
                if step.is_some() {
                    self.at(condition.range);
                }
                self.decide(condition, &mut inside, &mut after);
            }
            _ => self.t.join_at(&mut inside),
        }
        let lives = self.t.frame().alive.len();
        self.t.frame().breaks.push(after);
        self.t.frame().break_lives.push(lives);
        self.t.frame().continues.push(None);
        self.t.frame().continue_lives.push(lives);
        self.t.resume(inside);
        self.block(|lowerer| lowerer.statement(body));
        self.t.frame().break_lives.pop();
        self.t.frame().continue_lives.pop();
        let mut end = self.t.frame().continues.pop().flatten();
        let mut after = self.t.frame().breaks.pop().flatten();
        self.t.join_at(&mut end);
        self.t.resume(end);
        if let Some(step) = step {
            self.in_one_step(|lowerer| {
                lowerer.in_any_order(step, |lowerer| lowerer.effect(step));
            });
        }
        self.check_round();
        let mut head = head;
        match condition {
            Some(condition) if !test_first => {
                self.at(condition.range);
                self.decide(condition, &mut head, &mut after);
            }
            _ => self.t.join_at(&mut head),
        }
        self.t.resume(after);
        self.t.loops.pop();
    }

    /// A round of a loop may be over, and there may be no last one.
    fn check_round(&mut self) {
        if !self.input.is_in_model(&self.t) {
            self.check_leaks(Moment::Between);
        }
    }

    /// `main` returns, and its variables are there for the last time.
    pub(super) fn check_return(&mut self) {
        let is_main = self.t.routine == self.input.main && self.t.frames.len() == 1;
        if is_main && self.t.frame().function == self.input.main {
            self.check_leaks(Moment::Between);
        }
    }

    fn switch(
        &mut self,
        value: &CExpr,
        cases: &[(i128, i128, LabelId)],
        default: Option<LabelId>,
        body: &Stmt,
    ) {
        self.in_any_order(value, |lowerer| lowerer.jump_to_case(value, cases, default));
        self.block(|lowerer| lowerer.statement(body));
        self.t.frame().break_lives.pop();
        let mut after = self.t.frame().breaks.pop().flatten();
        self.t.join_at(&mut after);
        self.t.resume(after);
    }

    /// Goes to the case of a value; where no case is, behind the `switch`.
    fn jump_to_case(
        &mut self,
        value: &CExpr,
        cases: &[(i128, i128, LabelId)],
        default: Option<LabelId>,
    ) {
        let ty = self.input.scalar_type(value.ty).unwrap_or(Type::signed(32));
        let number = self.expr(value);
        self.observations().observe_number(value, &number);
        let value = number;
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
            let before = (self.t.here, self.t.dead);
            self.t.step(hit, vec![]);
            self.lives().enter_without_values(*label);
            self.t.goto(*label);
            (self.t.here, self.t.dead) = before;
        }
        let mut after: JoinPoint = None;
        self.t.step(none, vec![]);
        match default {
            Some(label) => {
                self.lives().enter_without_values(label);
                self.t.goto(label);
            }
            None => self.t.join_at(&mut after),
        }
        let lives = self.t.frame().alive.len();
        self.t.frame().breaks.push(after);
        self.t.frame().break_lives.push(lives);
        self.t.stop();
    }

    fn return_from(&mut self, value: Option<&CExpr>) {
        let Some(value) = value else { return self.return_without_value() };
        self.in_any_order(value, |lowerer| lowerer.return_value(value));
        self.check_return();
        let mut exit = self.t.frame().exit.take();
        self.t.join_at(&mut exit);
        self.t.frame().exit = exit;
    }

    fn return_value(&mut self, value: &CExpr) {
        let result = self.t.frame().result.clone();
        match result {
            Some(target) if self.input.is_record(value) => self.record_into(value, &target),
            Some(target) => {
                let ty = self.input.scalar_type(value.ty);
                let size = self.input.size_of(value.ty);
                let value = self.expr(value);
                if let Some(ty) = ty {
                    self.memory().write(&target, ty, size, &value, Manner::PLAIN);
                }
            }
            None => self.effect(value),
        }
    }

    /// A local variable comes to life.
    pub(super) fn declare(&mut self, var: VarId, init: Option<&[InitEntry]>) {
        if let Some(constant) = self.input.constant_for_ever(self.t.frames.last(), var, init) {
            self.t.frame().bound.insert(var, constant);
            return;
        }
        let object = match self.resolver().object_of(var) {
            Ok(object) => object,
            Err(what) => return self.t.unsupported(what),
        };
        self.lives().come_to_life(var, object);
        self.t.frame().declared.push(var);
        if self.input.has_life(var) {
            self.t.frame().alive.push(Alive { var, array: None });
        }
        let allocated = self.t.frame().automatic.len();
        let ty = self.input.unit.vars[var.index()].ty;
        let place = Place {
            kind: PlaceKind::Var(var),
            ty,
            bits: None,
            range: self.input.unit.vars[var.index()].range,
        };
        self.lives().note_written(var, false);
        let Some(entries) = init else {
            return self.lives().forget(object);
        };
        let target = self.target(&place);
        let covers_all = entries.len() == 1 && entries[0].ty == ty && entries[0].bits.is_none();
        if !covers_all {
            self.lives().clear(object);
        }
        self.elements_in_any_order(&target, entries);
        self.lives().note_written(var, true);
        let arrays = self.t.frame().automatic[allocated..].to_vec();
        let arrays = arrays.into_iter().filter(|array| array.is_array);
        let alive = arrays.map(|array| Alive { var, array: Some(array) });
        self.t.frame().alive.extend(alive);
    }

    /// Gives an element of an initialiser its value.
    pub(super) fn initialise(&mut self, target: &Target, entry: &InitEntry) {
        self.in_any_order(&entry.value, |lowerer| lowerer.initialise_with(target, entry));
    }

    fn initialise_with(&mut self, target: &Target, entry: &InitEntry) {
        let part = target.clone().at_offset(entry.offset, self.input.pointer_type());
        if self.input.is_record(&entry.value) {
            return self.record_into(&entry.value, &part);
        }
        let Some(_) = self.input.scalar_type(entry.ty) else {
            return self.t.unsupported(format!(
                "a value of type `{}`",
                self.input.unit.types.name(entry.ty)
            ));
        };
        let value = self.expr(&entry.value);
        let copied = self.input.copied_part(&self.t, &entry.value);
        let place = Place {
            kind: PlaceKind::Temporary(entry.value.clone()),
            ty: entry.ty,
            bits: entry.bits,
            range: entry.value.range,
        };
        self.memory().store(&place, &part, value, copied);
    }
}
