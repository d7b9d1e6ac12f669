//! Calls: inlined bodies, library functions and intrinsics.
//!
//! A function is lowered anew at each call; its variables are the same for all
//! calls at one recursion level, since they are never alive at once.

use super::build::{Frame, JoinPoint, set};
use super::input::Input;
use super::leaks::Moment;
use super::manner::Manner;
use super::objects::{ObjectId, Objects, Storage};
use super::order::Evaluated;
use super::place::Target;
use super::{Lowerer, Memory, fold};
use crate::hir::{Callee, Expr as CExpr, ExprKind, FuncId, Function, Type as CType, VarId};
use crate::syntax::ast::Range;
use crate::types::Types;
use crate::{Assumption, MissingFunctions, missing};
use ccfa::{
    AccessKind, BinOp, Call, CallId, ErrorKind, Expr, FailedOperation, LockOperation, Type,
    Undefined,
};
use std::collections::HashMap;

/// Programs with more steps than this are not built: calls are inlined, so steps can grow exponentially.
pub const MAX_STEPS: usize = 60_000;

/// By these a program can see that a thread's id comes back.
pub const OWN_ID: [&str; 6] = [
    "pthread_self",
    "pthread_equal",
    "thrd_current",
    "thrd_equal",
    "GetCurrentThreadId",
    "GetThreadId",
];

impl Lowerer<'_> {
    /// A call; a record that it returns goes to `target`, a scalar is the answer.
    pub(super) fn call(
        &mut self,
        call: &CExpr,
        callee: &Callee,
        args: &[CExpr],
        target: Option<&Target>,
    ) -> Expr {
        match callee {
            Callee::Direct(function) => self.call_function(call, *function, args, target),
            Callee::Pointer(pointer) => self.call_pointer(call, pointer, args, target),
        }
    }

    fn call_function(
        &mut self,
        call: &CExpr,
        function: FuncId,
        args: &[CExpr],
        target: Option<&Target>,
    ) -> Expr {
        let called = &self.input.unit.functions[function.index()];
        if self.input.options.property.ends_at_call_of(&called.name) {
            self.violate(ErrorKind::Call(called.name.clone()));
            return self.input.zero(call);
        }
        if let Some(what) = &called.limit {
            self.t.unsupported(what.clone());
            return self.input.zero(call);
        }
        if OWN_ID.contains(&called.name.as_str())
            && called.is_model
            && !self.input.is_in_model(&self.t)
        {
            self.found.observes_ids = true;
        }
        if let Some(result) = self.intrinsic(call, called, args) {
            return result;
        }
        if called.body.is_some() {
            let span = self.t.span;
            if let Some(what) = self.input.refused_format(called, args) {
                self.t.unsupported(what);
            }
            let result = self.inline(call, function, args, target);
            self.t.span = span;
            return result;
        }
        if let Some(result) = self.memory_function(call, function, args) {
            return result;
        }
        if let Some(result) = self.atomic_builtin(call, &called.name, args) {
            return result;
        }
        for arg in args {
            match self.input.is_record(arg) {
                true => self.effect(arg),
                false => drop(self.expr(arg)),
            }
        }
        self.at(call.range);
        if called.name.starts_with("__VERIFIER_nondet_") {
            return self.control().nondeterministic(call);
        }
        let is_any = self.input.options.choices.missing == MissingFunctions::AnyValue;
        if is_any && missing::may_be_arbitrary(self.input.unit, called) {
            self.t.assumed.insert(Assumption::MissingReturnAnything);
            return self.control().nondeterministic(call);
        }
        self.t.unsupported(format!("a call of `{}`, whose body is not known", called.name));
        self.input.zero(call)
    }

    /// What the lowering itself understands; see `library/10-core.c`.
    fn intrinsic(&mut self, call: &CExpr, called: &Function, args: &[CExpr]) -> Option<Expr> {
        let name = called.name.as_str();
        let ty = self.input.scalar_type(call.ty).unwrap_or(Type::signed(32));
        let (nothing, has_no_body) = (Some(Expr::Const(0, ty)), called.body.is_none());
        match (name, args) {
            ("__VERIFIER_atomic_begin", _) if has_no_body => self.control().open_section(),
            ("__VERIFIER_atomic_end", _) if has_no_body => self.control().close_section(),
            ("__rely_await", [condition]) => match self.pure(condition) {
                Some(condition) => {
                    self.check_leaks(Moment::Between);
                    self.t.begin_atomic_when(condition);
                }
                None => self.t.unsupported("waiting for this condition"),
            },
            ("__VERIFIER_assume", [condition]) if has_no_body => {
                let condition = self.truth(condition);
                self.control().assume(condition);
            }
            ("__rely_await_end", [id]) => {
                let id = self.typed(id);
                self.check_leaks(Moment::Between);
                let ended = self.threads().ended(id);
                self.t.wait(ended);
            }
            ("__rely_note_cancel", _) => self.found.cancels = true,
            ("__rely_note_destroyed_condition", _) => self.found.destroys_conditions = true,
            (
                "__rely_cancellation_point"
                | "__rely_possible_cancellation_point"
                | "__rely_cancelled_in_wait",
                [],
            ) if !self.input.facts.cancels => {}
            ("__rely_halt", _) => self.abort(),
            ("__rely_at_end", _) => self.check_leaks(Moment::Exit),
            ("__rely_at_exit", _) => self.run_hooks(&self.input.unit.destructors),
            ("__rely_undefined", [kind]) => self.memory().undefined_named(kind),
            ("__rely_lock", [operation]) => {
                self.t.lock = lock_operation(&self.input.literal(operation))
            }
            ("__rely_synchronise", []) => self.control().synchronise(),
            ("__rely_fence", [order]) => {
                let order = self.expr(order);
                self.t.fence(AccessKind::Fence(self.input.order(Some(&order))));
            }
            ("__rely_signal_fence", [order]) => {
                let order = self.expr(order);
                self.t.fence(AccessKind::SignalFence(self.input.order(Some(&order))));
            }
            ("__rely_unsupported", [what]) => self.t.unsupported(self.input.literal(what)),
            ("__rely_error", [what]) => self.fail_assertion(self.input.literal(what)),
            ("__assert_fail", [condition, ..]) if called.is_model => {
                self.fail_assertion(format!("assert({})", self.input.literal(condition)));
            }
            ("__builtin_unreachable", _) => self.t.undefined(Undefined::Unreachable),
            ("__builtin_trap", _) => self.t.undefined(Undefined::Trap),
            _ => return self.thread_intrinsic(name, ty, args),
        }
        nothing
    }

    /// An intrinsic about threads.
    fn thread_intrinsic(&mut self, name: &str, ty: Type, args: &[CExpr]) -> Option<Expr> {
        let nothing = Expr::Const(0, ty);
        let choices = &self.input.options.choices;
        match (name, args) {
            ("__rely_self", _) => Some(self.input.own_id(self.t.routine, ty)),
            ("__rely_nondet_int" | "__rely_nondet_bool", _) => Some(self.t.arbitrary(ty)),
            ("__rely_creation_may_fail", []) => Some(self.control().creation_may_fail(ty)),
            ("__rely_fails_without_cause", []) => Some(match choices.attempts_fail {
                true => self.t.arbitrary(ty),
                false => nothing,
            }),
            ("__rely_deadlocks_count", []) => Some(Expr::Const(choices.deadlocks.into(), ty)),
            ("__rely_waiters_count", []) => {
                let counts = choices.deadlocks || self.input.facts.destroys_conditions;
                Some(Expr::Const(counts.into(), ty))
            }
            ("__rely_spawn", [start, argument]) => Some(self.spawn(start, argument, ty)),
            ("__rely_join", [id]) => {
                let id = self.typed(id);
                self.check_leaks(Moment::Between);
                self.control().synchronise();
                Some(self.threads().join_thread(id, ty))
            }
            ("__rely_ended", [id]) => {
                let id = self.typed(id);
                Some(self.threads().has_ended(id, ty))
            }
            ("__rely_result_is_narrow", [id]) => {
                let id = self.typed(id);
                Some(self.threads().has_narrow_result(id, ty))
            }
            ("__rely_detach", [id]) => {
                let id = self.typed(id);
                self.threads().detach(id);
                Some(nothing)
            }
            ("__rely_end_thread", [_]) if self.control().leaves_destructors() => {
                self.t.unsupported("destructors that run when the last thread ends");
                Some(nothing)
            }
            ("__rely_end_thread", [value]) => {
                let value = self.expr(value);
                self.end_of_main_is_seen();
                self.control().synchronise();
                self.lives().end_all_lives();
                self.threads().end_thread(value);
                Some(nothing)
            }
            _ => None,
        }
    }

    /// What is lost is asked where the program ends, and that is not where `main` is the first thread to end.
    fn end_of_main_is_seen(&mut self) {
        self.check_leaks(Moment::Between);
        let is_asked = self.input.options.choices.leaks.is_some();
        if is_asked && self.t.routine == self.input.main && !self.input.facts.heap.is_empty() {
            self.t.unsupported("what is lost when the last thread ends, and not `main`");
        }
    }

    /// An assertion fails here: an error, or, if only some call counts, the end.
    fn fail_assertion(&mut self, what: String) {
        match &self.input.options.property {
            crate::Property::Unreachable(_) => self.abort(),
            _ => self.violate(ErrorKind::Assertion(what)),
        }
    }

    /// What is an error, if errors are asked for, happens here; else the program ends.
    fn violate(&mut self, kind: ErrorKind) {
        match &self.input.options.property {
            crate::Property::Nothing => self.abort(),
            _ => self.t.error(kind),
        }
    }

    /// The program ends, but not as it should.
    fn abort(&mut self) {
        self.check_leaks(Moment::Between);
        self.t.halt();
    }

    fn call_pointer(
        &mut self,
        call: &CExpr,
        pointer: &CExpr,
        args: &[CExpr],
        target: Option<&Target>,
    ) -> Expr {
        let value = self.expr(pointer);
        let functions = self.input.functions_at(pointer);
        let result = self.input.scalar_type(call.ty).map(|ty| self.t.temp(ty));
        self.dispatch(&value, functions, Undefined::InvalidCallee, |lowerer, function| {
            let answer = match lowerer.input.formatted_name(function) {
                Some(name) => {
                    lowerer.t.unsupported(format!("a call of `{name}` by its address"));
                    lowerer.input.zero(call)
                }
                None => lowerer.call_function(call, function, args, target),
            };
            if let Some(result) = result {
                lowerer.t.step(Expr::TRUE, vec![set(result, answer)]);
            }
        });
        result.map_or(Expr::Const(0, Type::signed(32)), Expr::Var)
    }

    /// Does something with the one of these functions that `pointer` points to. If it is none, behaviour is
    /// undefined.
    pub(super) fn dispatch(
        &mut self,
        pointer: &Expr,
        functions: Vec<FuncId>,
        if_none: Undefined,
        mut with: impl FnMut(&mut Self, FuncId),
    ) {
        let (ty, span) = (self.input.pointer_type(), self.t.span);
        let mut end: JoinPoint = None;
        for function in functions {
            let address = Expr::Const(i128::from(self.objects.function_address(function)), ty);
            let hit = fold::binary(BinOp::Eq, ty, pointer.clone(), address);
            if hit == Expr::FALSE {
                continue;
            }
            let no = self.t.enter_if(hit);
            with(self, function);
            self.t.join_at(&mut end);
            self.t.resume(no);
            self.t.span = span;
        }
        if !self.t.dead {
            self.t.undefined(if_none);
        }
        self.t.resume(end);
    }

    /// The body of a function in place of its call.
    fn inline(
        &mut self,
        call: &CExpr,
        function: FuncId,
        args: &[CExpr],
        target: Option<&Target>,
    ) -> Expr {
        let level = self.t.frames.iter().filter(|frame| frame.function == function).count() as u32;
        let called = &self.input.unit.functions[function.index()];
        if level >= self.input.options.bounds.recursion {
            let what = format!("`{}` calls itself more than {level} deep", called.name);
            self.t.bound(what);
            return self.input.zero(call);
        }
        if self.t.steps > MAX_STEPS {
            self.t.unsupported("a program of this size: too many steps after inlining its calls");
            return self.input.zero(call);
        }
        let values: Vec<Argument> = args.iter().map(|arg| self.argument(arg)).collect();
        if !self.input.agree(call, called, args) {
            self.t.undefined(Undefined::InvalidCallee);
            return self.input.zero(call);
        }
        if !called.name.starts_with("__VERIFIER_atomic_") {
            return self.inline_with(call, function, &values, target);
        }
        self.control().open_section();
        let result = self.inline_with(call, function, &values, target);
        self.t.end_atomic();
        result
    }

    /// From here on, steps belong to a call of this function; the call they belonged to.
    fn enter_call(&mut self, function: &str, range: Range) -> Option<CallId> {
        let caller = self.t.call;
        let site = caller.and(self.input.span_of(range).or(self.t.span));
        self.calls.push(Call { function: function.to_string(), site, caller });
        self.t.call = Some(CallId(self.calls.len() as u32 - 1));
        caller
    }

    /// Runs a function with one scalar argument.
    pub(super) fn run(&mut self, call: &CExpr, function: FuncId, argument: Expr) -> Expr {
        let argument = Argument::Scalar(argument, self.input.pointer_type());
        self.inline_with(call, function, &[argument], None)
    }

    /// Runs `main` with any number of arguments that we know nothing about.
    pub(super) fn run_main(&mut self, call: &CExpr, main: FuncId) {
        let (int, pointer) = (Type::signed(32), self.input.pointer_type());
        let mut values = Vec::new();
        if !self.input.unit.functions[main.index()].params.is_empty() {
            let count = self.t.arbitrary(int);
            self.control().assume(fold::binary(BinOp::Le, int, Expr::Const(0, int), count.clone()));
            let strings = Expr::Const(i128::from(super::objects::ARGUMENTS), pointer);
            values.extend([Argument::Scalar(count, int), Argument::Scalar(strings, pointer)]);
        }
        self.inline_with(call, main, &values, None);
    }

    /// Runs functions without parameters, one after the other: constructors and destructors.
    pub(super) fn run_hooks(&mut self, hooks: &[FuncId]) {
        for hook in hooks {
            let function = &self.input.unit.functions[hook.index()];
            let ret = match self.input.unit.types.get(function.ty) {
                CType::Function { ret, .. } => *ret,
                _ => Types::VOID,
            };
            let call = CExpr { kind: Box::new(ExprKind::Const(0)), ty: ret, range: function.range };
            match function.params.is_empty() {
                true => drop(self.call_function(&call, *hook, &[], None)),
                false => self.t.unsupported("a constructor or destructor with parameters"),
            }
        }
    }

    fn inline_with(
        &mut self,
        call: &CExpr,
        function: FuncId,
        values: &[Argument],
        target: Option<&Target>,
    ) -> Expr {
        let (result, place) = result_place(&self.input, &mut self.objects, call, function, target);
        let called = &self.input.unit.functions[function.index()];
        let caller = self.enter_call(&called.name, call.range);
        self.t.frames.push(Frame {
            function,
            bound: HashMap::new(),
            labels: HashMap::new(),
            exit: None,
            result: place.clone(),
            result_is_used: self.input.uses_result(call),
            breaks: vec![],
            continues: vec![],
            declared: vec![],
            alive: vec![],
            break_lives: vec![],
            continue_lives: vec![],
            call_site: call.range.lo,
            outer_loops: self.t.loops.len(),
            first_local: self.t.template.locals.len(),
            statement: self.t.template.locals.len(),
            outer_statement: None,
            evaluated: Evaluated::default(),
            automatic: vec![],
        });
        for (param, value) in called.params.iter().zip(values) {
            self.memory().bind(*param, value);
        }
        for param in called.params.iter().skip(values.len()) {
            self.declare(*param, None);
        }
        if let (Some(target), Some(_)) = (&place, result) {
            let size = self.input.size_of(call.ty);
            self.memory().write_arbitrary(target, size, Manner::PLAIN);
        }
        let body = called.body.as_deref().expect("only defined functions are inlined");
        self.statements(body);
        self.return_without_value();
        let exit = self.t.frame().exit;
        self.t.resume(exit);
        if called.noreturn && !called.is_model && !self.t.dead {
            self.t.unsupported(format!("`{}` returns, and is declared not to", called.name));
        }
        self.lives().bury(function);
        self.t.frames.pop();
        self.t.call = caller;
        match (result, self.input.scalar_type(call.ty)) {
            (Some(object), Some(ty)) => {
                let size = self.input.size_of(call.ty);
                self.memory().read(&spot(object), ty, size, Manner::PLAIN)
            }
            _ => Expr::Const(0, Type::signed(32)),
        }
    }

    pub(super) fn return_without_value(&mut self) {
        self.control().require_result();
        self.check_return();
        let mut exit = self.t.frame().exit.take();
        self.t.join_at(&mut exit);
        self.t.frame().exit = exit;
    }

    /// Evaluates an argument.
    fn argument(&mut self, arg: &CExpr) -> Argument {
        if !self.input.is_record(arg) {
            let ty = self.input.scalar_type(arg.ty).unwrap_or(Type::signed(32));
            return Argument::Scalar(self.expr(arg), ty);
        }
        match self.objects.temporary(&self.input.unit.types, "argument", arg.ty) {
            Ok(object) => {
                self.record_into(arg, &spot(object));
                Argument::Record(spot(object))
            }
            Err(what) => {
                self.t.unsupported(what);
                Argument::Scalar(Expr::Const(0, Type::signed(32)), Type::signed(32))
            }
        }
    }
}

impl Memory<'_, '_> {
    /// Gives a parameter its value.
    fn bind(&mut self, param: VarId, value: &Argument) {
        let ty = self.input.unit.vars[param.index()].ty;
        let fixed = !self.input.points_to.is_ever_assigned(param)
            && !self.input.points_to.is_address_taken(param);
        if let (Argument::Scalar(value @ Expr::Const(..), from), true, Some(to)) =
            (value, fixed, self.input.scalar_type(ty))
        {
            let constant = fold::cast(to, *from, value.clone());
            self.t.frame().bound.insert(param, constant);
            return;
        }
        let object = match self.resolver().object_of(param) {
            Ok(object) => object,
            Err(what) => return self.t.unsupported(what),
        };
        self.t.frame().declared.push(param);
        self.lives().come_to_life(param, object);
        let target = Target::Spot(self.resolver().own_spot(object));
        match (value, self.input.scalar_type(ty)) {
            (Argument::Record(source), None) => self.copy_record(ty, source, &target),
            (Argument::Scalar(value, from), Some(to)) => {
                let value = fold::cast(to, *from, value.clone());
                let size = self.input.size_of(ty);
                self.write(&target, to, size, &value, Manner::PLAIN);
            }
            _ => self.t.unsupported("an argument of another type than the parameter"),
        }
    }

    /// A kind of undefined behaviour that our library of models names.
    fn undefined_named(&mut self, name: &CExpr) {
        let name = self.input.literal(name);
        self.t.operands = self.first_parameter().map(FailedOperation::Lock);
        match Undefined::named(&name) {
            Some(kind) => self.t.undefined(kind),
            None => self.t.unsupported(format!("undefined behaviour of the unknown kind `{name}`")),
        }
        self.t.operands = None;
    }

    /// The first parameter of the function at hand, if it is a pointer and needs no step to be read.
    fn first_parameter(&mut self) -> Option<Expr> {
        let frame = self.t.frames.last()?;
        let param = *self.input.unit.functions[frame.function.index()].params.first()?;
        if !self.input.is_pointer(self.input.unit.vars[param.index()].ty) {
            return None;
        }
        if let Some(value) = frame.bound.get(&param) {
            return Some(value.clone());
        }
        let object = self.resolver().object_of(param).ok()?;
        let is_own = matches!(self.objects.get(object).storage, Storage::Private(_));
        is_own.then(|| Expr::Var(self.objects.group_var(self.t, object, 0)))
    }
}

/// Where the result of a call goes: a scalar to a temporary of its own, which is named; a
/// record to the target, if the caller has one.
fn result_place(
    input: &Input,
    objects: &mut Objects,
    call: &CExpr,
    function: FuncId,
    target: Option<&Target>,
) -> (Option<ObjectId>, Option<Target>) {
    let types = &input.unit.types;
    if input.scalar_type(call.ty).is_some() {
        let name = &input.unit.functions[function.index()].name;
        let made = objects.temporary(types, &format!("{name}::return"), call.ty);
        if let Ok(object) = made {
            return (Some(object), Some(spot(object)));
        }
    }
    let place = match target {
        Some(target) => Some(target.clone()),
        None if *types.get(call.ty) != CType::Void => {
            objects.temporary(types, "unused", call.ty).ok().map(spot)
        }
        None => None,
    };
    (None, place)
}

/// An evaluated argument.
enum Argument {
    Scalar(Expr, Type),
    Record(Target),
}

fn spot(object: ObjectId) -> Target {
    Target::Spot(super::place::Spot::start(object))
}

/// The operation of a lock that our library of models names.
fn lock_operation(name: &str) -> Option<LockOperation> {
    match name {
        "acquire" => Some(LockOperation::Acquire),
        "acquire_shared" => Some(LockOperation::AcquireShared),
        "release" => Some(LockOperation::Release),
        "wait" => Some(LockOperation::Wait),
        "signal" => Some(LockOperation::Signal),
        "broadcast" => Some(LockOperation::Broadcast),
        _ => None,
    }
}
