//! Calls: inlined bodies, library functions and intrinsics.
//!
//! A function is lowered anew at each call; its variables are the same for all
//! calls at one recursion level, since they are never alive at once.

use super::build::{Frame, Meeting, set};
use super::manner::Manner;
use super::place::Target;
use super::{Lowerer, fold};
use crate::hir::{
    Callee, Expr as CExpr, ExprKind, FuncId, Function, Lifetime, PlaceKind, Type as CType, VarId,
};
use crate::points_to;
use crate::syntax::ast::Range;
use ccfa::{AccessKind, BinOp, Call, CallId, ErrorKind, Expr, LockOperation, Type, Undefined};
use std::collections::HashMap;

/// Programs with more steps than this are not built.
pub const MAX_STEPS: usize = 60_000;

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
        let called = &self.unit.functions[function.index()];
        if self.is_error_function(&called.name) {
            self.error(ErrorKind::Call(called.name.clone()));
            return self.zero(call);
        }
        if let Some(result) = self.intrinsic(call, called, args) {
            return result;
        }
        if called.body.is_some() {
            let span = self.t.span;
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
            self.effect(arg);
        }
        self.at(call.range);
        if called.name.starts_with("__VERIFIER_nondet_") {
            return self.nondeterministic(call);
        }
        self.unsupported(format!("a call of `{}`, whose body is not known", called.name));
        self.zero(call)
    }

    /// Any value of the type of the call.
    fn nondeterministic(&mut self, call: &CExpr) -> Expr {
        match self.scalar_type(call.ty) {
            Some(ty) => self.arbitrary(ty),
            None if *self.unit.types.get(call.ty) == CType::Void => self.zero(call),
            None => {
                self.unsupported("an arbitrary record");
                self.zero(call)
            }
        }
    }

    pub(super) fn zero(&self, call: &CExpr) -> Expr {
        Expr::Const(0, self.scalar_type(call.ty).unwrap_or(Type::signed(32)))
    }

    /// What the lowering itself understands; see `library/10-core.c`.
    fn intrinsic(&mut self, call: &CExpr, called: &Function, args: &[CExpr]) -> Option<Expr> {
        let name = called.name.as_str();
        let ty = self.scalar_type(call.ty).unwrap_or(Type::signed(32));
        let nothing = Some(Expr::Const(0, ty));
        match (name, args) {
            ("__VERIFIER_atomic_begin", _) => self.begin_atomic(),
            ("__VERIFIER_atomic_end", _) => self.end_atomic(),
            ("__rely_await", [condition]) => match self.pure(condition) {
                Some(condition) => self.begin_atomic_when(condition),
                None => self.unsupported("waiting for this condition"),
            },
            ("__VERIFIER_assume", [condition]) if called.body.is_none() => {
                let condition = self.truth(condition);
                self.assume(condition);
            }
            ("__rely_note_cancel", _) => self.found.cancels = true,
            (
                "__rely_cancellation_point"
                | "__rely_possible_cancellation_point"
                | "__rely_cancelled_in_wait",
                [],
            ) if !self.facts.cancels => {}
            ("__rely_self", _) => return Some(self.own_id(ty)),
            ("__rely_nondet_int" | "__rely_nondet_bool", _) => return Some(self.arbitrary(ty)),
            ("__rely_spawn", [start, argument]) => return Some(self.spawn(start, argument, ty)),
            ("__rely_join", [id]) => return Some(self.join_thread(id, ty)),
            ("__rely_ended", [id]) => return Some(self.has_ended(id, ty)),
            ("__rely_detach", [id]) => self.detach(id),
            ("__rely_end_thread", [value]) => {
                let value = self.expr(value);
                self.end_thread(value);
            }
            ("__rely_halt", _) => self.halt(),
            ("__rely_undefined", [kind]) => self.undefined_named(&self.literal(kind)),
            ("__rely_lock", [operation]) => self.t.lock = lock_operation(&self.literal(operation)),
            ("__rely_fence", [order]) => {
                let order = self.expr(order);
                self.fence(AccessKind::Fence(self.order(Some(&order))));
            }
            ("__rely_signal_fence", [order]) => {
                let order = self.expr(order);
                self.fence(AccessKind::SignalFence(self.order(Some(&order))));
            }
            ("__rely_unsupported", [what]) => self.unsupported(self.literal(what)),
            ("__rely_error", [what]) => self.violate(self.literal(what)),
            ("__assert_fail", [condition, ..]) if called.is_model => {
                self.violate(format!("assert({})", self.literal(condition)));
            }
            ("__builtin_unreachable", _) => self.undefined(Undefined::Unreachable),
            ("__builtin_trap", _) => self.undefined(Undefined::Trap),
            _ => return None,
        }
        nothing
    }

    /// An assertion fails here: an error, or, if only some call counts, the end.
    /// A kind of undefined behaviour that our library of models names.
    fn undefined_named(&mut self, name: &str) {
        match Undefined::named(name) {
            Some(kind) => self.undefined(kind),
            None => self.unsupported(format!("undefined behaviour of the unknown kind `{name}`")),
        }
    }

    fn violate(&mut self, what: String) {
        match &self.options.property {
            crate::Property::Assertions => self.error(ErrorKind::Assertion(what)),
            crate::Property::Unreachable(_) => self.halt(),
        }
    }

    /// The text of a string literal.
    fn literal(&self, expr: &CExpr) -> String {
        match &*expr.kind {
            ExprKind::Cast(inner) => self.literal(inner),
            ExprKind::AddrOf(place) => match &place.kind {
                PlaceKind::Var(var) => self.text(*var),
                PlaceKind::Index(inner, ..) => match &inner.kind {
                    PlaceKind::Var(var) => self.text(*var),
                    _ => String::new(),
                },
                _ => String::new(),
            },
            _ => String::new(),
        }
    }

    fn text(&self, var: VarId) -> String {
        let entries = self.unit.vars[var.index()].init.iter().flatten();
        let byte = |entry: &crate::hir::InitEntry| match *entry.value.kind {
            ExprKind::Const(value) => value as u8,
            _ => b'?',
        };
        let bytes: Vec<u8> = entries.map(byte).take_while(|byte| *byte != 0).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn call_pointer(
        &mut self,
        call: &CExpr,
        pointer: &CExpr,
        args: &[CExpr],
        target: Option<&Target>,
    ) -> Expr {
        let ty = self.pointer_type();
        let value = self.expr(pointer);
        let span = self.t.span;
        let functions = self.functions_at(pointer);
        let result = self.scalar_type(call.ty).map(|ty| (self.temp(ty), ty));
        let mut end: Meeting = None;
        for function in functions {
            let address = Expr::Const(i128::from(self.function_address(function)), ty);
            let hit = fold::binary(BinOp::Eq, ty, value.clone(), address);
            if hit == Expr::FALSE {
                continue;
            }
            let (mut yes, mut no) = (None, None);
            self.branch_on(hit, &mut yes, &mut no);
            self.resume(yes);
            let answer = self.call_function(call, function, args, target);
            if let Some((temp, _)) = result {
                self.step(Expr::TRUE, vec![set(temp, answer)]);
            }
            self.meet(&mut end);
            self.resume(no);
            self.t.span = span;
        }
        if !self.t.dead {
            self.undefined(Undefined::InvalidCallee);
        }
        self.resume(end);
        match result {
            Some((temp, _)) => Expr::Var(temp),
            None => Expr::Const(0, Type::signed(32)),
        }
    }

    /// The functions a pointer may point to.
    pub(super) fn functions_at(&self, pointer: &CExpr) -> Vec<FuncId> {
        let function = |object| match object {
            points_to::Object::Function(function) => Some(function),
            _ => None,
        };
        let mut functions: Vec<FuncId> =
            self.points_to.targets(pointer).into_iter().filter_map(function).collect();
        functions.sort();
        functions
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
        let called = &self.unit.functions[function.index()];
        if level >= self.options.bounds.recursion {
            let what = format!("`{}` calls itself more than {level} deep", called.name);
            self.bound(what);
            return self.zero(call);
        }
        if self.steps > MAX_STEPS {
            self.unsupported("a program of this size: too many steps after inlining its calls");
            return self.zero(call);
        }
        let values: Vec<Argument> = args.iter().map(|arg| self.argument(arg)).collect();
        if !called.name.starts_with("__VERIFIER_atomic_") {
            return self.inline_with(call, function, &values, target);
        }
        self.begin_atomic();
        let result = self.inline_with(call, function, &values, target);
        self.end_atomic();
        result
    }

    /// From here on, steps belong to a call of this function; the call they belonged to.
    fn enter_call(&mut self, function: &str, range: Range) -> Option<CallId> {
        let caller = self.t.call;
        let site = caller.and(self.span_of(range).or(self.t.span));
        self.calls.push(Call { function: function.to_string(), site, caller });
        self.t.call = Some(CallId(self.calls.len() as u32 - 1));
        caller
    }

    /// Runs a function with one scalar argument.
    pub(super) fn run(&mut self, call: &CExpr, function: FuncId, argument: Expr) -> Expr {
        let argument = Argument::Scalar(argument, self.pointer_type());
        self.inline_with(call, function, &[argument], None)
    }

    /// Runs `main` with any number of arguments that we know nothing about.
    pub(super) fn run_main(&mut self, call: &CExpr, main: FuncId) {
        let (int, pointer) = (Type::signed(32), self.pointer_type());
        let mut values = Vec::new();
        if !self.unit.functions[main.index()].params.is_empty() {
            let count = self.arbitrary(int);
            self.assume(fold::binary(BinOp::Le, int, Expr::Const(0, int), count.clone()));
            let strings = Expr::Const(i128::from(super::object::ARGUMENTS), pointer);
            values.extend([Argument::Scalar(count, int), Argument::Scalar(strings, pointer)]);
        }
        self.inline_with(call, main, &values, None);
    }

    fn inline_with(
        &mut self,
        call: &CExpr,
        function: FuncId,
        values: &[Argument],
        target: Option<&Target>,
    ) -> Expr {
        let called = &self.unit.functions[function.index()];
        let result = match self.scalar_type(call.ty) {
            Some(_) => self.temporary(&format!("{}::return", called.name), call.ty).ok(),
            None => None,
        };
        let result_target = match (result, target) {
            (Some(object), _) => Some(spot(object)),
            (None, Some(target)) => Some(target.clone()),
            (None, None) if *self.unit.types.get(call.ty) != CType::Void => {
                self.temporary("unused", call.ty).ok().map(spot)
            }
            _ => None,
        };
        let caller = self.enter_call(&called.name, call.range);
        self.t.frames.push(Frame {
            function,
            bound: HashMap::new(),
            labels: HashMap::new(),
            exit: None,
            result: result_target.clone(),
            breaks: vec![],
            continues: vec![],
            call_site: call.range.lo,
            outer_loops: self.t.loops.len(),
            automatic: vec![],
        });
        let called = &self.unit.functions[function.index()];
        for (param, value) in called.params.iter().zip(values) {
            self.bind(*param, value);
        }
        for param in called.params.iter().skip(values.len()) {
            self.declare(*param, None);
        }
        if let (Some(target), Some(_)) = (&result_target, result) {
            self.write_arbitrary(target, self.size_of(call.ty));
        }
        let body = called.body.as_deref().expect("only defined functions are inlined");
        self.statements(body);
        self.return_without_value();
        let exit = self.t.frame().exit;
        self.resume(exit);
        self.bury(function);
        self.t.frames.pop();
        self.t.call = caller;
        match (result, self.scalar_type(call.ty)) {
            (Some(object), Some(ty)) => {
                self.read(&spot(object), ty, self.size_of(call.ty), Manner::PLAIN)
            }
            _ => Expr::Const(0, Type::signed(32)),
        }
    }

    fn return_without_value(&mut self) {
        let mut exit = self.t.frame().exit.take();
        self.meet(&mut exit);
        self.t.frame().exit = exit;
    }

    /// Evaluates an argument.
    fn argument(&mut self, arg: &CExpr) -> Argument {
        if !self.is_record(arg) {
            let ty = self.scalar_type(arg.ty).unwrap_or(Type::signed(32));
            return Argument::Scalar(self.expr(arg), ty);
        }
        match self.temporary("argument", arg.ty) {
            Ok(object) => {
                self.record_into(arg, &spot(object));
                Argument::Record(spot(object))
            }
            Err(what) => {
                self.unsupported(what);
                Argument::Scalar(Expr::Const(0, Type::signed(32)), Type::signed(32))
            }
        }
    }

    /// Gives a parameter its value.
    fn bind(&mut self, param: VarId, value: &Argument) {
        let ty = self.unit.vars[param.index()].ty;
        let fixed =
            !self.points_to.is_ever_assigned(param) && !self.points_to.is_address_taken(param);
        if let (Argument::Scalar(value @ Expr::Const(..), from), true, Some(to)) =
            (value, fixed, self.scalar_type(ty))
        {
            let constant = fold::cast(to, *from, value.clone());
            self.t.frame().bound.insert(param, constant);
            return;
        }
        let object = match self.object_of(param) {
            Ok(object) => object,
            Err(what) => return self.unsupported(what),
        };
        self.set_live(object, true);
        let target = Target::Spot(super::place::Spot {
            object,
            copy: self.own_copy(object),
            offset: 0,
            terms: vec![],
        });
        match (value, self.scalar_type(ty)) {
            (Argument::Record(source), None) => self.copy_record(ty, source, &target),
            (Argument::Scalar(value, from), Some(to)) => {
                let value = fold::cast(to, *from, value.clone());
                self.write(&target, to, self.size_of(ty), &value, Manner::PLAIN);
            }
            _ => self.unsupported("an argument of another type than the parameter"),
        }
    }

    /// The function's locals that others may see are gone.
    fn bury(&mut self, function: FuncId) {
        if self.t.dead || self.t.frames.len() == 1 && self.t.routine == self.main {
            return;
        }
        let mine = |var: &crate::hir::Var| var.lifetime == Lifetime::Local(function);
        let vars = (0..self.unit.vars.len()).filter(|var| mine(&self.unit.vars[*var]));
        let escaping: Vec<VarId> =
            vars.map(|var| VarId(var as u32)).filter(|var| self.escapes(*var)).collect();
        for var in escaping {
            if let Ok(object) = self.object_of(var) {
                self.set_live(object, false);
            }
        }
        self.end_frame();
    }
}

/// An evaluated argument.
enum Argument {
    Scalar(Expr, Type),
    Record(Target),
}

fn spot(object: super::object::ObjectId) -> Target {
    Target::Spot(super::place::Spot { object, copy: None, offset: 0, terms: vec![] })
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
