//! The lives of locals: they come to life with their block and are gone with it; thread-local variables are gone with their thread.
//!
//! A local is one object of the model, whenever and however often its block is entered. A pointer that was kept from an earlier life
//! must not reach it in a later one: that it is the same memory is nothing that C promises. So a local that may be
//! looked at when it is gone, and may live again, has two places. It lies at the first in its first life, and at any of the two
//! in each life after that. Whatever two lives a program confuses, in some execution they are at different places,
//! and there the pointer leads to an object that is not alive. The cells are the same at both places: only addresses differ.

use super::Lives;
use super::build::Alive;
use super::heap::{ALIVE, ALIVE_ELSEWHERE, GONE};
use super::objects::ObjectId;
use crate::hir::{FuncId, LabelId, Lifetime, VarId};
use ccfa::{Assign, Expr, LocKind, Place, Rhs};
use std::collections::BTreeSet;

/// Where a local comes to life.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Births {
    /// The start routine and the chain of calls.
    chains: BTreeSet<(FuncId, Vec<u32>)>,
    /// In a loop.
    is_repeated: bool,
}

impl Births {
    /// May it live twice in one thread?
    pub fn are_several(&self) -> bool {
        let routines: BTreeSet<FuncId> = self.chains.iter().map(|(routine, _)| *routine).collect();
        self.is_repeated || routines.len() < self.chains.len()
    }
}

impl Lives<'_, '_> {
    /// A local comes to life, if it is not alive: a jump back does not end it.
    pub(super) fn come_to_life(&mut self, var: VarId, id: ObjectId) {
        if !self.input.has_life(var) {
            return;
        }
        self.note_birth(var);
        let ty = self.objects.life_type(id);
        let Some((place, state)) = self.own_life(id) else { return };
        let becomes = |value: i128| {
            let value = Rhs::Expr(Expr::Const(value, ty));
            vec![Assign { place: place.clone(), value }]
        };
        if self.objects.get(id).second_place.is_none() {
            return self.t.step(Expr::TRUE, becomes(ALIVE));
        }
        let is = |value: i128| Expr::eq(state.clone(), Expr::Const(value, ty));
        let alive = Expr::or(is(ALIVE), is(ALIVE_ELSEWHERE));
        let target = self.t.location(LocKind::Plain);
        self.t.edge(self.t.here, target, alive.clone(), vec![]);
        self.t.edge(self.t.here, target, Expr::negate(alive), becomes(ALIVE));
        self.t.edge(self.t.here, target, is(GONE), becomes(ALIVE_ELSEWHERE));
        self.t.here = target;
    }

    fn note_birth(&mut self, var: VarId) {
        let Lifetime::Local(function) = self.input.unit.vars[var.index()].lifetime else { return };
        let level = self.t.frames.iter().filter(|frame| frame.function == function).count();
        let births = self.found.births.entry((var, level.saturating_sub(1) as u32)).or_default();
        let chain = self.t.frames.iter().map(|frame| frame.call_site).collect();
        births.chains.insert((self.t.routine, chain));
        births.is_repeated |= self.input.is_repeated(self.t);
    }

    fn end_life(&mut self, id: ObjectId) {
        let ty = self.objects.life_type(id);
        let Some((place, _)) = self.own_life(id) else { return };
        let gone = if ty.contains(GONE) { GONE } else { 0 };
        let assign = Assign { place, value: Rhs::Expr(Expr::Const(gone, ty)) };
        self.t.step(Expr::TRUE, vec![assign]);
    }

    /// The variable that says whether the thread's own copy is alive.
    fn own_life(&mut self, id: ObjectId) -> Option<(Place, Expr)> {
        if let Some(live) = self.objects.private_life(self.t, id) {
            return Some((Place::Var(live), Expr::Var(live)));
        }
        let copy = self.resolver().own_copy(id);
        let state = self.objects.life_state(id, copy)?;
        Some(match state.clone() {
            Expr::Index(var, index) => (Place::Element(var, *index), state),
            Expr::Var(var) => (Place::Var(var), state),
            _ => unreachable!("a variable or one of its elements"),
        })
    }

    /// Locals come to life whose declarations a jump to a label has left out: they live from the start of their block.
    pub(super) fn enter_blocks_of(&mut self, label: LabelId) {
        let function = self.t.frame().function;
        let scopes = self.input.points_to.scopes();
        for var in scopes.entered_at(function.index(), label) {
            if self.input.has_life(*var)
                && let Ok(object) = self.resolver().object_of(*var)
            {
                self.come_to_life(*var, object);
            }
        }
    }

    /// The locals of all frames are gone, and the thread's own variables: the thread ends.
    pub(super) fn end_all_lives(&mut self) {
        let functions: Vec<FuncId> = self.t.frames.iter().map(|frame| frame.function).collect();
        for (depth, function) in functions.iter().enumerate() {
            let level = functions[..depth].iter().filter(|other| *other == function).count();
            for var in self.with_life(Lifetime::Local(*function)) {
                if let Ok(object) = self.resolver().local_object(var, level as u32) {
                    self.end_life(object);
                }
            }
        }
        self.end_thread_locals();
    }

    /// The thread's own variables are gone.
    pub(super) fn end_thread_locals(&mut self) {
        for var in self.with_life(Lifetime::Thread) {
            if let Ok(object) = self.resolver().object_of(var) {
                self.end_life(object);
            }
        }
    }

    /// The function's locals that may be pointed to any longer are gone.
    pub(super) fn bury(&mut self, function: FuncId) {
        if self.t.dead || self.t.frames.len() == 1 && self.t.routine == self.input.main {
            return;
        }
        for var in self.with_life(Lifetime::Local(function)) {
            self.end_local(var);
        }
        self.end_frame();
    }

    /// The variables of a lifetime that may be pointed to when they are gone.
    fn with_life(&self, lifetime: Lifetime) -> Vec<VarId> {
        let mine = |var: &VarId| {
            self.input.unit.vars[var.index()].lifetime == lifetime && self.input.has_life(*var)
        };
        (0..self.input.unit.vars.len()).map(|var| VarId(var as u32)).filter(mine).collect()
    }

    /// Locals of the frame at hand are gone.
    pub(super) fn end_lives(&mut self, gone: &[Alive]) {
        if self.t.dead {
            return;
        }
        for one in gone {
            match one.array {
                Some(array) => self.end_automatic(array),
                None => self.end_local(one.var),
            }
        }
    }

    fn end_local(&mut self, var: VarId) {
        if let Ok(object) = self.resolver().object_of(var) {
            self.end_life(object);
        }
    }

    /// The locals of blocks that are left are gone: all but the first so many.
    pub(super) fn end_lives_behind(&mut self, outside: usize) {
        let left = self.t.frame().alive[outside..].to_vec();
        self.end_lives(&left);
    }

    /// The locals are gone that a jump to a label leaves behind.
    pub(super) fn end_lives_outside(&mut self, label: LabelId) {
        let function = self.t.frame().function.index();
        let scopes = self.input.points_to.scopes();
        let mut left = self.t.frame().alive.clone();
        left.retain(|one| match one.array {
            Some(_) => !scopes.is_declared_at(one.var, function, label),
            None => !scopes.is_around(one.var, function, label),
        });
        self.end_lives(&left);
    }
}
