//! Functions without a body: which there are, and what the user says that they do.
//!
//! A function `rely_stub_NAME` beside the program stands for the function `NAME`, which has no body: calls of `NAME` are calls of it. So a stub is a contract in C: it may return any
//! value, write through its pointers, or never return.

use crate::hir::{
    Callee, Expr, ExprKind, FuncId, Function, Lifetime, Place, PlaceKind, Stmt, StmtKind, Type,
    Unit, Var, VarId,
};
use crate::lower::LIBRARY_OFFSET;
use crate::points_to::walk::{Event, walk};
use crate::source::Diagnostic;
use crate::syntax::ast::Range;
use std::collections::BTreeSet;

/// How the name of a stub begins; the name of the function follows.
pub const STUB_PREFIX: &str = "rely_stub_";

/// Gives each function that has a stub a body, which calls the stub.
pub fn add_stubs(unit: &mut Unit) -> Result<(), Vec<Diagnostic>> {
    let mut complaints = Vec::new();
    for number in 0..unit.functions.len() {
        let stub = FuncId(number as u32);
        match stubbed(unit, stub) {
            Ok(None) => {}
            Ok(Some(function)) => forward(unit, function, stub),
            Err(message) => {
                let stub = &unit.functions[number];
                let other = function_of(unit, stub).map(|number| unit.functions[number].range);
                let other = other.filter(|range| range.lo < LIBRARY_OFFSET);
                complaints.push(Diagnostic { other, ..Diagnostic::new(message, stub.range) });
            }
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints) }
}

/// The function that a function is a stub of, if it is one; or why there is none.
fn stubbed(unit: &Unit, stub: FuncId) -> Result<Option<FuncId>, String> {
    let own = &unit.functions[stub.index()];
    let Some(name) = own.name.strip_prefix(STUB_PREFIX).filter(|_| own.body.is_some()) else {
        return Ok(None);
    };
    let stands_for = format!("`{}` should stand for `{name}`", own.name);
    let number =
        function_of(unit, own).ok_or(format!("{stands_for}, but no such function is declared"))?;
    let function = &unit.functions[number];
    if function.body.is_some() && !function.is_model {
        return Err(format!("{stands_for}, which has a body"));
    }
    if function.is_model || function.range.lo >= LIBRARY_OFFSET {
        return Err(format!("{stands_for}, which is known: define `{name}` itself to replace it"));
    }
    let is_open = unit.types.is_unprototyped(function.ty);
    match unit.types.agree(function.ty, own.ty) || is_open && returns_the_same(unit, function, own)
    {
        true => Ok(Some(FuncId(number as u32))),
        false => Err(format!("{stands_for}, but has another type")),
    }
}

/// The function whose name is that of a stub without the prefix.
fn function_of(unit: &Unit, stub: &Function) -> Option<usize> {
    let name = stub.name.strip_prefix(STUB_PREFIX)?;
    unit.functions.iter().position(|function| function.name == name)
}

fn returns_the_same(unit: &Unit, one: &Function, other: &Function) -> bool {
    let result = |function: &Function| match unit.types.get(function.ty) {
        Type::Function { ret, .. } => Some(*ret),
        _ => None,
    };
    result(one) == result(other)
}

/// `function(a, b) { return stub(a, b); }`
fn forward(unit: &mut Unit, function: FuncId, stub: FuncId) {
    let Function { ty, params, range, .. } = unit.functions[stub.index()].clone();
    let Type::Function { ret, .. } = *unit.types.get(ty) else { return };
    let params: Vec<VarId> = params.iter().map(|param| own_param(unit, function, *param)).collect();
    let load = |param: &VarId| {
        let ty = unit.vars[param.index()].ty;
        let place = Place { kind: PlaceKind::Var(*param), ty, bits: None, range };
        Expr { kind: Box::new(ExprKind::Load(place)), ty: unit.types.unatomic(ty), range }
    };
    let args = params.iter().map(load).collect();
    let call = Expr { kind: Box::new(ExprKind::Call(Callee::Direct(stub), args)), ty: ret, range };
    let kind = match unit.types.get(ret) {
        Type::Void => StmtKind::Expr(call),
        _ => StmtKind::Return(Some(call)),
    };
    let forwarding = &mut unit.functions[function.index()];
    (forwarding.ty, forwarding.params) = (ty, params);
    forwarding.body = Some(vec![Stmt { kind, range }]);
}

/// A parameter like this one, of another function.
fn own_param(unit: &mut Unit, function: FuncId, param: VarId) -> VarId {
    let like = unit.vars[param.index()].clone();
    unit.vars.push(Var { lifetime: Lifetime::Local(function), ..like });
    VarId(unit.vars.len() as u32 - 1)
}

/// A function without a body, and where it is first called.
#[derive(Debug)]
pub struct MissingFunction {
    pub name: String,
    pub call: Range,
    /// Is it a number that it returns, or nothing, and does it return at all?
    pub may_be_arbitrary: bool,
}

/// The functions without a body that the program may call, by the text: from where it begins, whatever is called or named there, and so on.
pub fn find(unit: &Unit) -> Vec<MissingFunction> {
    let mut waiting: Vec<FuncId> = unit.main.into_iter().collect();
    waiting.extend(unit.constructors.iter().chain(&unit.destructors));
    let (mut seen, mut found) = (BTreeSet::new(), Vec::<MissingFunction>::new());
    while let Some(id) = waiting.pop() {
        let function = &unit.functions[id.index()];
        if !seen.insert(id) || function.is_model {
            continue;
        }
        walk(function.body.as_deref().unwrap_or_default(), &mut |event| {
            let Event::Expr(expr) = event else { return };
            match &*expr.kind {
                ExprKind::FunctionAddr(named) => waiting.push(*named),
                ExprKind::Call(Callee::Direct(called), _) => {
                    waiting.push(*called);
                    let called = &unit.functions[called.index()];
                    let is_new = found.iter().all(|missing| missing.name != called.name);
                    if is_missing(called) && is_new {
                        let may_be_arbitrary = may_be_arbitrary(unit, called);
                        let (name, call) = (called.name.clone(), expr.range);
                        found.push(MissingFunction { name, call, may_be_arbitrary });
                    }
                }
                _ => {}
            }
        });
    }
    found.sort_by_key(|missing| missing.call.lo);
    found
}

/// Is it unknown what a function does? (What begins with two underscores is gcc's, or that of verification tools.)
fn is_missing(function: &Function) -> bool {
    function.body.is_none()
        && function.limit.is_none()
        && function.range.lo < LIBRARY_OFFSET
        && !function.name.starts_with("__")
}

/// May a function without a body be taken for one that returns any value and does nothing else? No pointer is any value: it points to
/// what is unknown.
pub fn may_be_arbitrary(unit: &Unit, function: &Function) -> bool {
    let Type::Function { ret, .. } = unit.types.get(function.ty) else { return false };
    let result = unit.types.unatomic(*ret);
    let is_number = unit.types.is_integer(result) || *unit.types.get(result) == Type::Bool;
    (is_number || *unit.types.get(result) == Type::Void) && !function.noreturn
}
