//! Threads: templates, creation, joining, ending.
//!
//! All threads exist from the start. A start routine that is used a known
//! number of times has that many instances with ids in a row; `status` says of
//! each whether it was created (1), has ended (2), is joined or gone (3), or
//! runs detached (4). Creation takes the next one.
//!
//! A routine that is started any number of times has any number of instances.
//! A creator offers the argument (`status` = 1), some instance takes it and says
//! which it is (2), the creator goes on (0). Taking the argument is invisible to
//! the program, so this neither adds nor loses a behaviour. Joining one of them
//! is such a rendezvous, too: the joiner names it (`join`; `joined` = 1), the thread, once it has
//! ended, says so (2), the joiner goes on (0). A joiner that asks early only waits; that it
//! could have asked late is another interleaving. (Whether it has ended cannot be asked this way:
//! a model limit. Nor can there be a rendezvous inside an atomic section, in which no other thread moves.)
//!
//! Which of any number of threads were joined or detached is not kept. Where the text does not say that each is only once (`handles.rs`), one of them, no matter which,
//! is remembered (`used`, once `has_used` is set): to join or detach that one again is undefined behaviour. If any thread is, there is an execution that remembers it. In the others, a
//! joiner waits for ever there, behind what is undefined.
//!
//! The id of an instance is its index among those of its routine, plus the routine's base. An index
//! has 32 bits, an id 64, and bases are so far apart that no two threads have the same
//! one. Where a program keeps ids in 32 bits, many instances have the same, and to join one is to join any
//! of these: more executions than there are, so a proof may fail, but an
//! error needs a million threads to be made up, and witnesses have fewer. Instances
//! whose id would there be that of a thread that is counted, or 0, do not start; there are others.
//!
//! POSIX lets the id of a thread that is gone (joined, or detached and ended) come back. Here it does not, which
//! a program can only tell by looking at ids: in one that does, creating a thread after another is gone is a model limit.

use super::build::{TemplateBuilder, set};
use super::leaks::Moment;
use super::locate::INDEX;
use super::{Lowerer, Threads, describe, fold, spin_loops};
use crate::Assumption;
use crate::hir::{Expr as CExpr, ExprKind, FuncId};
use ccfa::{
    Assign, BinOp, Expr, Init, Limit, LocId, LocKind, Place, Rhs, SharedId, Template, Type,
    Undefined, VarRef,
};

/// The id of the main thread.
pub const MAIN_ID: u64 = 1;
/// The distance between the ids of different unbounded routines: beyond all indices, which have 32 bits, and
/// modulo 2³² still a million.
pub const ID_DISTANCE: u64 = (1 << 32) + (1 << 20);
/// More threads of one routine than this are treated as any number: each would be an instance of its own.
const MAX_COUNTED_THREADS: u64 = 64;

/// Whether some thread is gone.
const GONE: &str = ".gone";

const STATUS: Type = Type::unsigned(3);

/// The shared variables of one start routine's threads.
struct Pool {
    base: u64,
    /// `None` = any number.
    count: Option<u64>,
    status: SharedId,
    argument: SharedId,
    result: SharedId,
    next: SharedId,
    join: SharedId,
    joined: SharedId,
    /// Of any number of threads, one that was joined or detached, if one is remembered.
    used: SharedId,
    has_used: SharedId,
}

impl Pool {
    fn cell(&self, var: SharedId, index: &Expr) -> Expr {
        match self.count {
            Some(1) | None => Expr::Var(VarRef::Shared(var)),
            Some(_) => Expr::Index(VarRef::Shared(var), Box::new(index.clone())),
        }
    }

    fn assign(&self, var: SharedId, index: &Expr, value: Expr) -> Assign {
        let var = VarRef::Shared(var);
        let place = match self.count {
            Some(1) | None => Place::Var(var),
            Some(_) => Place::Element(var, index.clone()),
        };
        Assign { place, value: Rhs::Expr(value) }
    }

    fn has_status(&self, index: &Expr, status: i128) -> Expr {
        Expr::eq(self.cell(self.status, index), Expr::Const(status, STATUS))
    }

    fn set_status(&self, index: &Expr, status: i128) -> Assign {
        self.assign(self.status, index, Expr::Const(status, STATUS))
    }

    /// How far is the rendezvous with the thread that joins?
    fn is_joined(&self, status: i128) -> Expr {
        Expr::eq(Expr::Var(VarRef::Shared(self.joined)), Expr::Const(status, STATUS))
    }

    /// Is it the thread that is remembered as joined or detached?
    fn is_used(&self, index: &Expr) -> Expr {
        let used = Expr::eq(Expr::Var(VarRef::Shared(self.used)), index.clone());
        Expr::and(Expr::Var(VarRef::Shared(self.has_used)), used)
    }

    fn set_joined(&self, status: i128) -> Assign {
        set(VarRef::Shared(self.joined), Expr::Const(status, STATUS))
    }
}

impl Lowerer<'_> {
    /// The template of a start routine, or of `main`. It runs `body`: the
    /// routine itself or its abstract thread, which starts and ends as the routine.
    pub(super) fn template(&mut self, routine: FuncId, body: FuncId) -> Template {
        let function = &self.input.unit.functions[body.index()];
        let (steps, assumed) = (self.t.steps, std::mem::take(&mut self.t.assumed));
        self.t = TemplateBuilder::new(&self.input.routine_name(body), routine, body);
        (self.t.steps, self.t.assumed) = (steps, assumed);
        self.t.template.params = 1;
        let id_type = self.input.id_type(routine);
        self.t.local("self", id_type, None, Init::Param(0));
        self.at(function.range);
        let void_pointer = self.input.pointer_type();
        let call = CExpr {
            kind: Box::new(ExprKind::Const(0)),
            ty: match self.input.unit.types.get(function.ty) {
                crate::hir::Type::Function { ret, .. } => *ret,
                _ => crate::types::Types::INT,
            },
            range: function.range,
        };
        if routine == self.input.main {
            self.begin_program();
            self.run_main(&call, body);
            self.run_hooks(&self.input.unit.destructors);
            self.check_leaks(Moment::Returned);
            self.t.halt();
        } else {
            // A thread that was never created waits here for ever, and that is no deadlock.
            self.t.template.locations[0].resting = true;
            let argument = self.threads().start(routine);
            let result = self.run(&call, body, argument);
            let from = self.input.scalar_type(call.ty);
            let value = from.map_or(Expr::Const(0, void_pointer), |from| {
                fold::cast(void_pointer, from, result)
            });
            self.finish(value);
        }
        describe::name_locals(&self.input, &self.objects, &mut self.t);
        let mut template = std::mem::take(&mut self.t.template);
        if self.input.options.choices.deadlocks {
            spin_loops::wait_in_loops(&self.objects.shared, &mut template);
        }
        template
    }

    /// What comes before `main`. What limits the program as a whole leaves nothing to follow.
    fn begin_program(&mut self) {
        if let Some((what, range)) = self.input.unit.limits.first() {
            self.at(*range);
            self.t.unsupported(what.clone());
        }
        self.run_hooks(&self.input.unit.constructors);
        self.at(self.input.unit.functions[self.input.main.index()].range);
    }

    /// Runs the hooks at the end of a thread.
    fn finish(&mut self, value: Expr) {
        let hook = self
            .input
            .unit
            .functions
            .iter()
            .position(|f| f.name == "__rely_thread_end" && f.body.is_some());
        match hook {
            Some(hook) => {
                let call = synthetic_call();
                self.run(&call, FuncId(hook as u32), value);
            }
            None => {
                self.control().synchronise();
                self.lives().end_thread_locals();
                self.threads().end_thread(value);
            }
        }
    }

    /// A new thread; its id.
    pub(super) fn spawn(&mut self, start: &CExpr, argument: &CExpr, ty: Type) -> Expr {
        let pointer = self.input.pointer_type();
        let start_value = self.expr(start);
        let argument_ty = self.input.scalar_type(argument.ty).unwrap_or(pointer);
        let argument = self.expr(argument);
        let argument = fold::cast(pointer, argument_ty, argument);
        let routines = self.input.functions_at(start);
        self.t.assumed.insert(Assumption::SequentialConsistency);
        let id = self.t.temp(ty);
        self.control().synchronise();
        self.dispatch(
            &start_value,
            routines,
            Undefined::InvalidStartRoutine,
            |lowerer, routine| {
                lowerer.threads().spawn_routine(routine, &argument, id, ty);
            },
        );
        Expr::Var(id)
    }
}

impl Threads<'_, '_> {
    fn pool(&mut self, routine: FuncId) -> Pool {
        let name = self.input.routine_name(routine);
        let count = self.input.instances_of(routine);
        let base = self.input.thread_ids[&routine];
        let pointer = self.input.pointer_type();
        let len = count.filter(|count| *count > 1).map(|count| count as u32);
        let mut var = |what: &str, ty, len| {
            let name = format!(".{name}.{what}");
            let known = self.objects.shared.iter().position(|var| var.name == name);
            match known {
                Some(number) => SharedId(number as u32),
                None => self.objects.shared_var(&name, ty, len, Init::Value(0)),
            }
        };
        Pool {
            base,
            count,
            status: var("status", STATUS, len),
            argument: var("argument", pointer, len),
            result: var("result", pointer, len),
            next: var("created", INDEX, None),
            join: var("join", INDEX, None),
            joined: var("joined", STATUS, None),
            used: var("used", INDEX, None),
            has_used: var("has_used", Type::Bool, None),
        }
    }

    /// May a thread beside `main` run now? And the results of those that have ended and were not joined, each with the condition that
    /// it is one.
    pub(super) fn others(&mut self) -> (Expr, Vec<(Expr, Expr)>) {
        let routines: Vec<FuncId> =
            self.input.facts.spawned.keys().copied().filter(|f| *f != self.input.main).collect();
        let (mut running, mut results) = (Expr::FALSE, Vec::new());
        for routine in routines {
            let pool = self.pool(routine);
            let Some(count) = pool.count else { return (Expr::TRUE, Vec::new()) };
            for index in (0..count).map(|index| Expr::Const(i128::from(index), INDEX)) {
                let runs = Expr::or(pool.has_status(&index, 1), pool.has_status(&index, 4));
                running = Expr::or(running, runs);
                results.push((pool.has_status(&index, 2), pool.cell(pool.result, &index)));
            }
        }
        (running, results)
    }

    /// Set once a thread is gone, if the program looks at ids.
    fn gone(&mut self) -> Option<VarRef> {
        if !self.input.facts.observes_ids {
            return None;
        }
        let known = self.objects.shared.iter().position(|var| var.name == GONE);
        Some(VarRef::Shared(match known {
            Some(number) => SharedId(number as u32),
            None => self.objects.shared_var(GONE, Type::Bool, None, Init::Value(0)),
        }))
    }

    /// Notes that a thread is gone, if the program could tell.
    fn note_gone(&mut self) -> Option<Assign> {
        self.gone().map(|gone| set(gone, Expr::TRUE))
    }

    /// For each routine: its pool, whether `id` is one of its threads, and which one.
    fn pools(&mut self, id: &Expr, ty: Type) -> Vec<(Pool, Expr, Expr)> {
        let routines: Vec<FuncId> =
            self.input.facts.spawned.keys().copied().filter(|f| *f != self.input.main).collect();
        let mut pools = Vec::new();
        for routine in routines {
            let pool = self.pool(routine);
            let relative =
                fold::binary(BinOp::Sub, ty, id.clone(), Expr::constant(i128::from(pool.base), ty));
            let unsigned = Type::unsigned(super::alternative::width(ty));
            let relative = fold::cast(unsigned, ty, relative);
            let mine = match pool.count {
                None if unsigned == INDEX => self.input.is_uncounted(id.clone(), ty),
                count => {
                    let count = i128::from(count.unwrap_or(1 << 32));
                    let count = Expr::constant(count, unsigned);
                    fold::binary(BinOp::Lt, unsigned, relative.clone(), count)
                }
            };
            pools.push((pool, mine, fold::cast(INDEX, unsigned, relative)));
        }
        pools
    }

    /// The first step of a thread: it was created and takes its argument.
    fn start(&mut self, routine: FuncId) -> Expr {
        let pool = self.pool(routine);
        let index = self.input.own_index(self.t.routine, pool.base);
        let argument = self.t.temp(self.input.pointer_type());
        let take = set(argument, pool.cell(pool.argument, &index));
        match pool.count {
            Some(_) => {
                let mut created = pool.has_status(&index, 1);
                if self.input.facts.detaches {
                    created = Expr::or(created, pool.has_status(&index, 4));
                }
                self.t.step(created, vec![take]);
            }
            None => {
                let taken = pool.set_status(&index, 2);
                let who = set(VarRef::Shared(pool.next), index.clone());
                let starts = match super::alternative::width(self.input.pointer_type()) {
                    32 => self.input.is_uncounted(self.input.own_id(self.t.routine, INDEX), INDEX),
                    _ => Expr::TRUE,
                };
                let offered = Expr::and(starts, pool.has_status(&index, 1));
                self.t.step(offered, vec![take, taken, who]);
            }
        }
        Expr::Var(argument)
    }

    fn spawn_routine(&mut self, routine: FuncId, argument: &Expr, id: VarRef, ty: Type) {
        let function = &self.input.unit.functions[routine.index()];
        let name = function.name.clone();
        if function.body.is_none() || routine == self.input.main {
            return self.t.unsupported(format!("a thread that runs `{name}`"));
        }
        if !self.input.can_be_started(routine) {
            return self.t.undefined(Undefined::InvalidStartRoutine);
        }
        self.note_spawn(routine);
        if !self.input.facts.spawned.contains_key(&routine) {
            return self.t.bound(format!("a thread that runs `{name}`"));
        }
        if let Some(gone) = self.gone() {
            let what = "the id of a thread that is gone, which may come back";
            let limit = LocKind::Limit(Limit::Unsupported, what.into());
            self.t.require_or(Expr::negate(Expr::Var(gone)), limit);
        }
        let pool = self.pool(routine);
        let next = Expr::Var(VarRef::Shared(pool.next));
        let Some(count) = pool.count else {
            if self.t.atomic > 0 {
                let what = "creating one of any number of threads inside an atomic section";
                return self.t.unsupported(what);
            }
            return self.offer(&pool, argument, id, ty);
        };
        let limit = Expr::Const(i128::from(count), INDEX);
        let free = fold::binary(BinOp::Lt, INDEX, next.clone(), limit);
        let what = format!("more than {count} threads run `{name}`");
        self.t.end_if(Expr::negate(free.clone()), LocKind::Limit(Limit::Bound, what));
        let number = fold::binary(
            BinOp::Add,
            INDEX,
            next.clone(),
            Expr::Const(i128::from(pool.base), INDEX),
        );
        let more = fold::binary(BinOp::Add, INDEX, next.clone(), Expr::Const(1, INDEX));
        let assigns = vec![
            pool.set_status(&next, 1),
            pool.assign(pool.argument, &next, argument.clone()),
            set(VarRef::Shared(pool.next), more),
            set(id, fold::cast(ty, INDEX, number)),
        ];
        self.t.step(free, assigns);
    }

    /// Hands the argument to one of arbitrarily many threads.
    fn offer(&mut self, pool: &Pool, argument: &Expr, id: VarRef, ty: Type) {
        let here = Expr::Const(0, INDEX);
        let offer =
            vec![pool.set_status(&here, 1), pool.assign(pool.argument, &here, argument.clone())];
        self.t.step(pool.has_status(&here, 0), offer);
        let who = fold::cast(ty, INDEX, Expr::Var(VarRef::Shared(pool.next)));
        let base = Expr::constant(i128::from(pool.base), ty);
        let done = vec![
            pool.set_status(&here, 0),
            set(VarRef::Shared(pool.next), Expr::Const(0, INDEX)),
            set(id, fold::binary(BinOp::Add, ty, who, base)),
        ];
        // No instance starts twice, so the new one was not used up: said here, where a proof needs it.
        let is_new = match self.input.summaries.are_threads_used_once() {
            true => Expr::TRUE,
            false => Expr::negate(pool.is_used(&Expr::Var(VarRef::Shared(pool.next)))),
        };
        self.t.step(Expr::and(pool.has_status(&here, 2), is_new), done);
    }

    /// Remembers that the text at hand creates threads of a routine.
    fn note_spawn(&mut self, routine: FuncId) {
        let rounds = self.input.rounds_at(self.t);
        let before = self.found.spawned.get(&routine).copied().unwrap_or(Some(0));
        let total =
            before.zip(rounds).map(|(a, b)| a + b).filter(|total| *total <= MAX_COUNTED_THREADS);
        self.found.spawned.insert(routine, total);
    }

    /// Waits for a thread to end; its result.
    pub(super) fn join_thread(&mut self, (id, id_ty): (Expr, Type), ty: Type) -> Expr {
        self.require_not_main(&id, id_ty);
        let result = self.t.temp(ty);
        let pointer = self.input.pointer_type();
        let target = self.t.location(LocKind::Plain);
        let mut valid = Expr::FALSE;
        for (pool, mine, index) in self.pools(&id, id_ty) {
            if let Some(what) = self.why_no_rendezvous().filter(|_| pool.count.is_none()) {
                self.t.end_if(mine.clone(), LocKind::Limit(Limit::Unsupported, what.into()));
                valid = Expr::or(valid, mine);
                continue;
            }
            if pool.count.is_none() {
                valid = Expr::or(valid, mine.clone());
                let value = fold::cast(ty, pointer, Expr::Var(VarRef::Shared(pool.result)));
                self.ask_to_join(&pool, (mine, index), set(result, value), target);
                continue;
            }
            let ended = Expr::and(mine.clone(), pool.has_status(&index, 2));
            let value = fold::cast(ty, pointer, pool.cell(pool.result, &index));
            let mut done = vec![set(result, value), pool.set_status(&index, 3)];
            done.extend(self.note_gone());
            self.t.edge(self.t.here, target, ended, done);
            let joinable = Expr::or(pool.has_status(&index, 1), pool.has_status(&index, 2));
            valid = Expr::or(valid, Expr::and(mine, joinable));
        }
        self.t.end_if(Expr::negate(valid), LocKind::Undefined(Undefined::InvalidJoin));
        self.t.here = target;
        Expr::Var(result)
    }

    /// Why one of any number of threads cannot be joined here. Two joiners would wait for each other's rendezvous to be over: no deadlock of the program.
    fn why_no_rendezvous(&self) -> Option<&'static str> {
        let is_main = self.t.routine == self.input.main;
        match self.input.options.choices.deadlocks {
            _ if self.t.atomic > 0 => {
                Some("joining one of any number of threads inside an atomic section")
            }
            true if !is_main => Some(
                "joining one of any number of threads in another than the main thread, where deadlocks are asked for",
            ),
            _ => None,
        }
    }

    /// When the main thread ends is not known here, though it may be waited for like any other.
    fn require_not_main(&mut self, id: &Expr, ty: Type) {
        let limit = LocKind::Limit(Limit::Unsupported, "waiting for the main thread to end".into());
        self.t.require_or(Expr::negate(is_main(id, ty)), limit);
    }

    /// From here to `target` by a rendezvous with one of any number of threads, if it is `mine`.
    fn ask_to_join(
        &mut self,
        pool: &Pool,
        (mine, index): (Expr, Expr),
        keep: Assign,
        target: LocId,
    ) {
        let asked = self.t.location(LocKind::Plain);
        let free = Expr::and(mine.clone(), pool.is_joined(0));
        let ask = vec![set(VarRef::Shared(pool.join), index.clone()), pool.set_joined(1)];
        self.use_up(pool, (mine, index), Undefined::InvalidJoin, (free, ask), asked);
        let forget = set(VarRef::Shared(pool.join), Expr::Const(0, INDEX));
        let mut done = vec![keep, forget, pool.set_joined(0)];
        done.extend(self.note_gone());
        self.t.edge(asked, target, pool.is_joined(2), done);
    }

    /// From here to `target` by a step after which one of any number of threads is used up, if it is `mine`.
    fn use_up(
        &mut self,
        pool: &Pool,
        (mine, index): (Expr, Expr),
        again: Undefined,
        (guard, assigns): (Expr, Vec<Assign>),
        target: LocId,
    ) {
        if self.input.summaries.are_threads_used_once() {
            return self.t.edge(self.t.here, target, guard, assigns);
        }
        let (used, has_used) = (VarRef::Shared(pool.used), VarRef::Shared(pool.has_used));
        let is_used = pool.is_used(&index);
        self.t.end_if(Expr::and(mine, is_used.clone()), LocKind::Undefined(again));
        let remember = [set(used, index), set(has_used, Expr::TRUE)];
        let first = Expr::and(guard.clone(), Expr::negate(Expr::Var(has_used)));
        let remembered = assigns.iter().cloned().chain(remember).collect();
        self.t.edge(self.t.here, target, first, remembered);
        let other = Expr::and(guard, Expr::negate(is_used));
        self.t.edge(self.t.here, target, other, assigns);
    }

    /// Has a thread ended?
    pub(super) fn has_ended(&mut self, id: (Expr, Type), ty: Type) -> Expr {
        let ended = self.ended(id);
        self.t.keep(fold::number(ty, ended), ty)
    }

    /// That a thread has ended.
    pub(super) fn ended(&mut self, (id, id_ty): (Expr, Type)) -> Expr {
        self.require_not_main(&id, id_ty);
        let mut ended = Expr::FALSE;
        for (pool, mine, index) in self.pools(&id, id_ty) {
            if pool.count.is_none() {
                let what = "whether one of any number of threads has ended";
                let limit = LocKind::Limit(Limit::Unsupported, what.into());
                self.t.require_or(Expr::negate(mine), limit);
                continue;
            }
            let state = Expr::or(pool.has_status(&index, 2), pool.has_status(&index, 3));
            ended = Expr::or(ended, Expr::and(mine, state));
        }
        ended
    }

    /// Does the routine of a thread return less than a pointer? The rest of what is joined was never written.
    pub(super) fn has_narrow_result(&mut self, (id, id_ty): (Expr, Type), ty: Type) -> Expr {
        let routines = self.input.facts.spawned.keys().filter(|f| **f != self.input.main);
        let narrow: Vec<bool> = routines.map(|f| self.input.has_narrow_result(*f)).collect();
        let pools = self.pools(&id, id_ty).into_iter().zip(narrow);
        let any = pools
            .filter(|(_, narrow)| *narrow)
            .fold(Expr::FALSE, |any, ((_, mine, _), _)| Expr::or(any, mine));
        fold::number(ty, any)
    }

    pub(super) fn detach(&mut self, (id, id_ty): (Expr, Type)) {
        let target = self.t.location(LocKind::Plain);
        let main = is_main(&id, id_ty);
        self.t.edge(self.t.here, target, main.clone(), vec![]);
        let mut valid = main;
        for (pool, mine, index) in self.pools(&id, id_ty) {
            if pool.count.is_none() {
                let gone = self.note_gone().into_iter().collect();
                let step = (mine.clone(), gone);
                self.use_up(&pool, (mine.clone(), index), Undefined::InvalidDetach, step, target);
                valid = Expr::or(valid, mine);
                continue;
            }
            self.found.detaches = true;
            for (from, to) in [(1, 4), (2, 3)] {
                let guard = Expr::and(mine.clone(), pool.has_status(&index, from));
                let mut done = vec![pool.set_status(&index, to)];
                done.extend(self.note_gone().filter(|_| to == 3));
                self.t.edge(self.t.here, target, guard.clone(), done);
                valid = Expr::or(valid, guard);
            }
        }
        self.t.end_if(Expr::negate(valid), LocKind::Undefined(Undefined::InvalidDetach));
        self.t.here = target;
    }

    /// A thread that waits here for ever is in no deadlock.
    fn rest(&mut self) {
        if self.input.options.choices.deadlocks && self.t.atomic == 0 && !self.t.dead {
            let here = self.t.join_point_here();
            self.t.resume(here);
            self.t.template.locations[self.t.here.index()].resting = true;
        }
    }

    /// The current thread ends.
    pub(super) fn end_thread(&mut self, value: Expr) {
        let routine = self.t.routine;
        if routine != self.input.main && self.input.instances_of(routine).is_none() {
            let pool = self.pool(routine);
            let named = Expr::eq(
                Expr::Var(VarRef::Shared(pool.join)),
                self.input.own_index(self.t.routine, pool.base),
            );
            let result = set(VarRef::Shared(pool.result), value);
            self.rest();
            self.t.step(Expr::and(pool.is_joined(1), named), vec![result, pool.set_joined(2)]);
        } else if routine != self.input.main {
            let pool = self.pool(routine);
            let index = self.input.own_index(self.t.routine, pool.base);
            let status = pool.cell(pool.status, &index);
            let detached = Expr::eq(status, Expr::Const(4, STATUS));
            let after = Expr::ite(detached.clone(), Expr::Const(3, STATUS), Expr::Const(2, STATUS));
            let mut assigns = vec![
                pool.assign(pool.result, &index, value),
                pool.assign(pool.status, &index, after),
            ];
            if let Some(gone) = self.gone() {
                assigns.push(set(gone, Expr::or(Expr::Var(gone), detached)));
            }
            self.t.step(Expr::TRUE, assigns);
        }
        let open = std::mem::take(&mut self.t.atomic);
        let end = self.t.location(LocKind::Plain);
        self.t.atomic = open;
        self.t.jump(end);
    }
}

/// Is this the id of the main thread?
fn is_main(id: &Expr, ty: Type) -> Expr {
    fold::binary(BinOp::Eq, ty, id.clone(), Expr::constant(i128::from(MAIN_ID), ty))
}

/// A call that stands nowhere in the text.
fn synthetic_call() -> CExpr {
    CExpr {
        kind: Box::new(ExprKind::Const(0)),
        ty: crate::types::Types::VOID,
        range: crate::syntax::ast::Range { lo: super::LIBRARY_OFFSET, hi: super::LIBRARY_OFFSET },
    }
}
