//! Which locals may be pointed to when they are gone.
//!
//! A local of a function `f` dies with its block. An address of it that is kept in a local of
//! another function `g` may be looked at later only if that call of `g` is around the one of `f`: `g`
//! calls `f`, perhaps through others. Kept in a local of `f` itself, it may if that one's
//! block is not inside. The same goes for what calls in `g` return. Addresses of locals in static variables
//! and allocations are the matter of `is_shared`; those of what is allocated in a frame (`alloca`, arrays of variable length) are looked for here.

use super::walk::{Event, walk};
use super::{Pointee, Reader, Solution};
use crate::hir::{Callee, ExprKind, FuncId, Lifetime, Unit, VarId};
use crate::points_to::flow::value;
use crate::scopes::{Block, LocalScopes};
use crate::syntax::ast::Range;
use std::collections::{BTreeSet, HashMap};

/// What may be outlived by its address.
#[derive(Clone, Debug, Default)]
pub(super) struct Outlived {
    /// By variable.
    vars: Vec<bool>,
    /// Allocations in frames, by the call.
    allocations: BTreeSet<(u32, u32)>,
}

impl Outlived {
    pub(super) fn has_var(&self, var: VarId) -> bool {
        self.vars[var.index()]
    }

    pub(super) fn has_allocation(&self, call: Range) -> bool {
        self.allocations.contains(&(call.lo, call.hi))
    }

    fn insert(&mut self, object: Pointee) {
        match object {
            Pointee::Var(var) => self.vars[var.index()] = true,
            Pointee::Heap(call) => {
                self.allocations.insert((call.lo, call.hi));
            }
            Pointee::Function(_) => {}
        }
    }
}

/// The locals, and what is allocated in frames, that may be outlived by their address.
pub(super) fn outlived(unit: &Unit, solution: &Solution, scopes: &LocalScopes) -> Outlived {
    let calls = Calls::of(unit, solution, scopes);
    let mut outlived = Outlived { vars: vec![false; unit.vars.len()], ..Outlived::default() };
    calls.keep_for_ever(unit, solution, &mut outlived);
    let mut keep = |keeper: FuncId, block: Option<&[u32]>, object: Pointee| {
        let home = match object {
            Pointee::Var(var) => match unit.vars[var.index()].lifetime {
                Lifetime::Local(owner) => Some((owner, scopes.of_var(var))),
                Lifetime::Static | Lifetime::Thread => None,
            },
            Pointee::Heap(call) => {
                let home = calls.frames.get(&(call.lo, call.hi));
                home.map(|(owner, block)| (*owner, &block[..]))
            }
            Pointee::Function(_) => None,
        };
        let Some((owner, home)) = home else { return };
        let is_inside = block.is_none_or(|block| block.starts_with(home));
        if calls.may_reach(keeper, owner) || keeper == owner && !is_inside {
            outlived.insert(object);
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
    results: Vec<(FuncId, super::ConstraintNode)>,
    /// What is allocated in frames, by the call: the function, and the block that ends it.
    frames: HashMap<(u32, u32), (FuncId, Block)>,
}

impl Calls {
    fn of(unit: &Unit, solution: &Solution, scopes: &LocalScopes) -> Calls {
        let mut direct: Vec<BTreeSet<FuncId>> = vec![BTreeSet::new(); unit.functions.len()];
        let (mut results, mut frames) = (Vec::new(), HashMap::new());
        for (index, function) in unit.functions.iter().enumerate() {
            let id = FuncId(index as u32);
            let mut declared = Block::new();
            walk(function.body.as_deref().unwrap_or_default(), &mut |event| {
                if let Event::Birth(var) = event {
                    declared = scopes.of_var(var).to_vec();
                }
                let Event::Expr(expr) = event else { return };
                let ExprKind::Call(callee, _) = &*expr.kind else { return };
                results.extend(solution.result(expr.range).map(|node| (id, node)));
                direct[index].extend(callees(solution, callee));
                let Callee::Direct(callee) = callee else { return };
                let block = match unit.functions[callee.index()].name.as_str() {
                    // It stands in the initialiser of the variable that was just declared.
                    "__rely_variable_array" => declared.clone(),
                    "alloca" | "__builtin_alloca" => Block::new(),
                    _ => return,
                };
                frames.insert((expr.range.lo, expr.range.hi), (id, block));
            });
        }
        let reached = (0..direct.len()).map(|function| closure(&direct, function)).collect();
        Calls { reached, results, frames }
    }

    /// What is allocated in a frame, and kept by what is no local.
    fn keep_for_ever(&self, unit: &Unit, solution: &Solution, outlived: &mut Outlived) {
        if self.frames.is_empty() {
            return;
        }
        let vars = unit.vars.iter().enumerate();
        let others = vars.filter(|(_, var)| !matches!(var.lifetime, Lifetime::Local(_)));
        let others =
            others.filter_map(|(index, _)| solution.content(Pointee::Var(VarId(index as u32))));
        for node in others.chain(solution.escape_roots()) {
            for object in solution.objects(solution.points_to(node)) {
                if matches!(object, Pointee::Heap(_)) {
                    outlived.insert(object);
                }
            }
        }
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
