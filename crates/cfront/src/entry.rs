//! Where a program begins: in `main`, or in a function that the user names. Then a `main` of ours calls that, with arguments of any value:
//!
//! ```c
//! int main(void) { entry(any_int(), any_bool()); }
//! ```
//!
//! So what is known of programs holds for this one: constructors run before it, it ends when `entry` returns, and variables hold what they are initialised with
//! (which is assumed: `Assumption::BeginsAsInitialised`). Arguments that are no numbers have no value that we could give them: they are refused.

use crate::hir::{
    Callee, Expr, ExprKind, FuncId, Function, Stmt, StmtKind, Type, TypeId, Unit, VarId,
};
use crate::lower::LIBRARY_OFFSET;
use crate::source::Diagnostic;
use crate::syntax::ast::{IntKind, Range};
use crate::types::Types;

/// The function in which C programs begin.
const MAIN: &str = "main";

/// Calls of functions of such a name have any value.
const ANY_VALUE: &str = "__VERIFIER_nondet_argument";

/// Says where the program begins: in the function of this name, which [exists], or in `main`.
pub fn begin(unit: &mut Unit, name: Option<&str>) -> Result<(), Vec<Diagnostic>> {
    let chosen = name.filter(|name| *name != MAIN);
    let Some(name) = chosen else {
        unit.main = defined(unit, MAIN).first().copied();
        return Ok(());
    };
    let entry = entry(unit, name).map_err(|complaint| vec![complaint])?;
    let complaints = parameters(unit, entry).filter_map(|param| refusal(unit, param));
    let complaints: Vec<Diagnostic> = complaints.collect();
    if !complaints.is_empty() {
        return Err(complaints);
    }
    let types: Vec<TypeId> =
        parameters(unit, entry).map(|param| unit.vars[param.index()].ty).collect();
    let range = unit.functions[entry.index()].range;
    let args = types.into_iter().map(|ty| any_value(unit, ty, range)).collect();
    let ret = match unit.types.get(unit.functions[entry.index()].ty) {
        Type::Function { ret, .. } => *ret,
        _ => Types::VOID,
    };
    let call = call(entry, args, ret, range);
    let body = vec![Stmt { kind: StmtKind::Expr(call), range }];
    unit.main = Some(add_function(unit, MAIN, Types::INT, Some(body), range));
    unit.has_other_entry = true;
    Ok(())
}

/// The function of the program's own that has this name, which exists, and a body.
fn entry(unit: &Unit, name: &str) -> Result<FuncId, Diagnostic> {
    let complain = |function: FuncId, message: String| {
        Diagnostic::new(message, unit.functions[function.index()].range)
    };
    match (&defined(unit, name)[..], &functions(unit, name)[..]) {
        ([only], _) if unit.functions[only.index()].variadic => {
            Err(complain(*only, format!("`{name}` has no fixed number of parameters")))
        }
        ([only], _) => Ok(*only),
        ([first, second, ..], _) => {
            let message =
                format!("the program should begin in `{name}`, and two functions have this name");
            let other = Some(unit.functions[first.index()].range);
            Err(Diagnostic { other, ..complain(*second, message) })
        }
        ([], declared) => {
            let message = format!("the program should begin in `{name}`, which has no body");
            let declared = declared.first().map(|function| complain(*function, message));
            Err(declared.expect("who asks for it has looked whether it is there"))
        }
    }
}

/// Has the program a function of its own with this name?
pub fn exists(unit: &Unit, name: &str) -> bool {
    !functions(unit, name).is_empty()
}

/// The functions of the program's own with this name.
fn functions(unit: &Unit, name: &str) -> Vec<FuncId> {
    let is_own = |id: &FuncId| {
        let function = &unit.functions[id.index()];
        function.name == name && !function.is_model && function.range.lo < LIBRARY_OFFSET
    };
    (0..unit.functions.len() as u32).map(FuncId).filter(is_own).collect()
}

/// Those of them that have a body.
fn defined(unit: &Unit, name: &str) -> Vec<FuncId> {
    let has_body = |id: &FuncId| unit.functions[id.index()].body.is_some();
    functions(unit, name).into_iter().filter(has_body).collect()
}

fn parameters(unit: &Unit, function: FuncId) -> impl Iterator<Item = VarId> + '_ {
    unit.functions[function.index()].params.iter().copied()
}

/// Why a parameter cannot have any value.
fn refusal(unit: &Unit, param: VarId) -> Option<Diagnostic> {
    let param = &unit.vars[param.index()];
    let what = match unit.types.get(unit.types.unatomic(param.ty)) {
        Type::Int { kind: IntKind::Int128, .. } => "a number of 128 bits",
        Type::Int { .. } | Type::Bool => return None,
        Type::Pointer(_) => "a pointer, and nobody knows what is there",
        Type::Record(_) => "a record",
        _ => "no integer",
    };
    let message = format!(
        "the parameter `{}` is {what}: let the program begin in a function that calls this one",
        param.name
    );
    Some(Diagnostic::new(message, param.range))
}

/// An expression of any value.
fn any_value(unit: &mut Unit, ty: TypeId, range: Range) -> Expr {
    let ty = unit.types.unatomic(ty);
    let function = add_function(unit, ANY_VALUE, ty, None, range);
    call(function, Vec::new(), ty, range)
}

fn call(function: FuncId, args: Vec<Expr>, ty: TypeId, range: Range) -> Expr {
    Expr { kind: Box::new(ExprKind::Call(Callee::Direct(function), args)), ty, range }
}

/// A function without parameters.
fn add_function(
    unit: &mut Unit,
    name: &str,
    ret: TypeId,
    body: Option<Vec<Stmt>>,
    range: Range,
) -> FuncId {
    let ty = unit.types.intern(Type::Function { ret, params: Vec::new(), variadic: false });
    unit.functions.push(Function {
        name: name.to_string(),
        ty,
        params: Vec::new(),
        variadic: false,
        old_style: false,
        noreturn: false,
        body,
        labels: 0,
        label_names: Vec::new(),
        is_model: false,
        limit: None,
        range,
    });
    FuncId(unit.functions.len() as u32 - 1)
}
