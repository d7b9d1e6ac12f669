//! Which locals may be pointed to when they are gone.
//!
//! A local of a function `f` dies with its block. An address of it that is kept in a local of
//! another function `g` may be looked at later only if that call of `g` is around the one of `f`: `g`
//! calls `f`, perhaps through others. Kept in a local of `f` itself, it may if that one's
//! block is not inside. The same goes for what calls in `g` return. Addresses in static variables
//! and allocations are the matter of `is_shared`.

use super::walk::{Event, walk};
use super::{Pointee, Reader, Solution};
use crate::hir::{Callee, ExprKind, FuncId, Lifetime, Unit, VarId};
use crate::points_to::flow::value;
use crate::scopes::LocalScopes;
use std::collections::BTreeSet;

/// The locals that may be outlived by their address, by variable.
pub(super) fn outlived(unit: &Unit, solution: &Solution, scopes: &LocalScopes) -> Vec<bool> {
    let calls = Calls::of(unit, solution);
    let mut outlived = vec![false; unit.vars.len()];
    let mut keep = |keeper: FuncId, block: Option<&[u32]>, object: Pointee| {
        let Pointee::Var(var) = object else { return };
        let Lifetime::Local(owner) = unit.vars[var.index()].lifetime else { return };
        let is_inside = block.is_none_or(|block| block.starts_with(scopes.of_var(var)));
        if calls.may_reach(keeper, owner) || keeper == owner && !is_inside {
            outlived[var.index()] = true;
        }
    };
    for (index, var) in unit.vars.iter().enumerate() {
        let (Lifetime::Local(keeper), id) = (var.lifetime, VarId(index as u32)) else { continue };
        let node = solution.content(Pointee::Var(id));
        for object in node.iter().flat_map(|node| solution.objects(solution.points_to(*node))) {
            keep(keeper, Some(scopes.of_var(id)), object);
        }
    }
    for (keeper, node) in &calls.results {
        for object in solution.objects(solution.points_to(*node)) {
            keep(*keeper, None, object);
        }
    }
    outlived
}

/// Who calls whom.
struct Calls {
    /// By function, directly or not.
    reached: Vec<BTreeSet<FuncId>>,
    /// The results of calls, with the function that has them.
    results: Vec<(FuncId, super::Node)>,
}

impl Calls {
    fn of(unit: &Unit, solution: &Solution) -> Calls {
        let mut direct: Vec<BTreeSet<FuncId>> = vec![BTreeSet::new(); unit.functions.len()];
        let mut results = Vec::new();
        for (index, function) in unit.functions.iter().enumerate() {
            walk(function.body.as_deref().unwrap_or_default(), &mut |event| {
                let Event::Expr(expr) = event else { return };
                let ExprKind::Call(callee, _) = &*expr.kind else { return };
                results
                    .extend(solution.result(expr.range).map(|node| (FuncId(index as u32), node)));
                direct[index].extend(callees(solution, callee));
            });
        }
        let reached = (0..direct.len()).map(|function| closure(&direct, function)).collect();
        Calls { reached, results }
    }

    fn may_reach(&self, from: FuncId, to: FuncId) -> bool {
        self.reached[from.index()].contains(&to)
    }
}

fn callees(solution: &Solution, callee: &Callee) -> Vec<FuncId> {
    let pointer = match callee {
        Callee::Direct(function) => return vec![*function],
        Callee::Pointer(pointer) => pointer,
    };
    let targets = value(&mut Reader(solution), pointer).unwrap_or_default();
    let function = |object| match object {
        Pointee::Function(function) => Some(function),
        Pointee::Var(_) | Pointee::Heap(_) => None,
    };
    solution.objects(&targets).filter_map(function).collect()
}

/// All functions that a function calls, directly or not.
fn closure(direct: &[BTreeSet<FuncId>], function: usize) -> BTreeSet<FuncId> {
    let mut reached = BTreeSet::new();
    let mut pending: Vec<FuncId> = direct[function].iter().copied().collect();
    while let Some(next) = pending.pop() {
        if reached.insert(next) {
            pending.extend(&direct[next.index()]);
        }
    }
    reached
}
