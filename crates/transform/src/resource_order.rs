//! Finds an order in which the program takes its locks, and in which its threads wait for each other: `ccfa::resource_order` says what it is good for, and why
//! a proof about the program that it makes is one that there is no deadlock.
//!
//! Nothing here is believed. Locks are the variables that the source takes as such; what is waited for is what guards read; what may be held while something is waited for says what comes
//! first. If nothing contradicts, the resources are sorted by that.

use crate::facts::facts;
use crate::pipeline::WayBack;
use ccfa::dataflow::solve;
use ccfa::deadlocks::one_is_open;
use ccfa::fold::{refold, substitute};
use ccfa::read_write::collect_reads;
use ccfa::resource_order::{Resource, ResourceOrder, Wait, as_errors};
use ccfa::{
    AccessKind, BinOp, Count, Edge, Expr, Init, Limit, LocId, LocKind, LockOperation, Program, Rhs,
    SharedId, Template, TemplateId, ThreadId, Type, VarRef,
};
use evidence::{Proof, Reason, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A program in which it is an error to take resources out of order.
pub(crate) struct InOrder {
    order: Arc<ResourceOrder>,
    program: Program,
}

impl InOrder {
    /// The program, if there is an order.
    pub(crate) fn of(program: &Program) -> Option<InOrder> {
        let order = Arc::new(resource_order(program).ok()?);
        let program = as_errors(program, &order).ok()?;
        Some(InOrder { order, program })
    }
}

impl WayBack for InOrder {
    fn program(&self) -> &Program {
        &self.program
    }

    fn back(&self, _: &Program, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Safe(proof) => {
                Verdict::Safe(Proof::Ordered(self.order.clone(), Box::new(proof)))
            }
            Verdict::Unsafe(_) => Verdict::Unknown(Reason::Beyond(
                "no deadlock was found, and no proof by an order of locks: one may be taken out of order, or kept, or something else waited for".to_string(),
            )),
            unknown => unknown,
        }
    }
}

/// An order of the program's resources, or why there is none.
pub fn resource_order(program: &Program) -> Result<ResourceOrder, Reason> {
    let (locks, marks) = locks(program);
    let resources: Vec<Resource> =
        locks.iter().map(|lock| Resource::Lock(*lock)).chain(threads(program)).collect();
    let resources = &resources;
    let of = |template| Waits { program, template, resources }.all();
    let waits: Vec<Vec<Wait>> = program.templates.iter().map(of).collect::<Result<_, _>>()?;
    // Some ways cannot be taken: if what may be held contradicts, what is held in any case may not.
    let possible = possible(program);
    let by = |ways| sorted(resources.len(), &comes_before(&possible, resources, &waits, ways));
    let Some(sorted) = by(Ways::Some).or_else(|| by(Ways::All)) else {
        let why = "no order of the locks is known in which all threads take them";
        return Err(Reason::Beyond(why.to_string()));
    };
    let rank = |resource: usize| sorted.iter().position(|at| *at == resource).unwrap_or(0);
    let ranked = |wait: &Wait| Wait { resource: rank(wait.resource), ..wait.clone() };
    Ok(ResourceOrder {
        resources: sorted.iter().map(|at| resources[*at].clone()).collect(),
        marks,
        waits: waits.iter().map(|waits| waits.iter().map(ranked).collect()).collect(),
    })
}

/// The variables that say who holds a lock, and by template what its threads write there.
fn locks(program: &Program) -> (Vec<SharedId>, Vec<Option<Expr>>) {
    let mut marks: Vec<Option<Expr>> = vec![None; program.templates.len()];
    let acquired = acquired(program);
    let mut locks = BTreeSet::new();
    for (template, mark) in program.templates.iter().zip(&mut marks) {
        for (lock, value) in template.edges.iter().flat_map(assigned_shared) {
            let declared = &program.shared[lock.index()];
            let zero = Expr::Const(0, declared.ty);
            let is_lock = acquired.contains(&lock) && is_free(&declared.init);
            let value = value.filter(|value| is_lock && **value != zero);
            if let Some(value) = value.and_then(|value| fixed(template, value)) {
                locks.insert(lock);
                mark.get_or_insert(value);
            }
        }
    }
    (locks.into_iter().collect(), marks)
}

fn is_free(init: &Init) -> bool {
    match init {
        Init::Value(value) => *value == 0,
        Init::Values(values) => values.iter().all(|value| *value == 0),
        Init::Any | Init::Param(_) => false,
    }
}

/// The variables of locks that one thread takes for itself.
fn acquired(program: &Program) -> BTreeSet<SharedId> {
    let edges = program.templates.iter().flat_map(|template| &template.edges);
    let accesses = edges.flat_map(|edge| &edge.accesses);
    let taken = accesses.filter_map(|access| match &access.kind {
        AccessKind::Lock(LockOperation::Acquire, cell) => Some(cell.var),
        _ => None,
    });
    taken.collect()
}

/// The shared variables that a step assigns, each with its value if that is an expression.
fn assigned_shared(edge: &Edge) -> impl Iterator<Item = (SharedId, Option<&Expr>)> {
    edge.assigns.iter().filter_map(|assign| match (assign.place.parts().0, &assign.value) {
        (VarRef::Shared(var), Rhs::Expr(value)) => Some((var, Some(value))),
        (VarRef::Shared(var), Rhs::Havoc) => Some((var, None)),
        (VarRef::Local(_), _) => None,
    })
}

/// The value in terms of what no step assigns: variables that are only ever assigned one expression stand for it.
fn fixed(template: &Template, value: &Expr) -> Option<Expr> {
    let is_assigned = |var: VarRef| template.edges.iter().any(|edge| assigns(edge, var).is_some());
    let mut is_fixed = true;
    let value = value.map_reads(&mut |read| {
        let Expr::Var(var @ VarRef::Local(_)) = read else {
            is_fixed = false;
            return read;
        };
        let values: BTreeMap<String, &Expr> = template
            .edges
            .iter()
            .filter_map(|edge| assigns(edge, var)?)
            .map(|value| (format!("{value:?}"), value))
            .collect();
        match (values.len(), values.into_values().next()) {
            (0, _) if !is_assigned(var) => read,
            (1, Some(value)) if value.map_reads(&mut |read| read) == *value => value.clone(),
            _ => {
                is_fixed = false;
                read
            }
        }
    });
    let mut reads = BTreeSet::new();
    collect_reads(&value, &mut reads);
    let stays = |var: &VarRef| matches!(var, VarRef::Local(_)) && !is_assigned(*var);
    (is_fixed && reads.iter().all(stays)).then_some(value)
}

/// What a step assigns to a variable, if it does; and the value, if that is an expression.
fn assigns(edge: &Edge, var: VarRef) -> Option<Option<&Expr>> {
    let assign = edge.assigns.iter().find(|assign| assign.place.parts().0 == var)?;
    Some(match &assign.value {
        Rhs::Expr(value) => Some(value),
        Rhs::Havoc => None,
    })
}

/// The threads for which others may wait. One of a known number runs while it could begin, as its status says; one of any number, from when
/// another thread asks for it until it answers.
fn threads(program: &Program) -> Vec<Resource> {
    let mut resources = Vec::new();
    for (declared, thread) in program.threads.iter().zip((0..).map(ThreadId)) {
        let template = program.template_of(thread);
        let rests = |at: LocId| template.locations[at.index()].resting;
        let ends = |edge: &&Edge| match declared.count {
            Count::Exactly(_) => edge.source == template.entry,
            Count::Any => edge.source != template.entry,
        };
        let mut edges = template.edges.iter().filter(|edge| rests(edge.source)).filter(ends);
        if let (Some(edge), None) = (edges.next(), edges.next())
            && key(&edge.guard).is_some()
        {
            resources.push(Resource::Thread { thread, runs: edge.guard.clone() });
        }
    }
    resources
}

/// The variable by which a thread says whether it runs.
fn key(runs: &Expr) -> Option<SharedId> {
    let mut found = None;
    runs.walk(&mut |part| {
        if let Expr::Var(VarRef::Shared(var)) | Expr::Index(VarRef::Shared(var), _) = part {
            found = found.or(Some(*var));
        }
    });
    found
}

/// Where threads of a template wait, and for what.
struct Waits<'p> {
    program: &'p Program,
    template: &'p Template,
    resources: &'p [Resource],
}

impl Waits<'_> {
    fn all(&self) -> Result<Vec<Wait>, Reason> {
        let mut waits = Vec::new();
        for (at, leaving) in (0..).map(LocId).zip(self.template.edges_from()) {
            let here = &self.template.locations[at.index()];
            let guards = leaving.iter().map(|edge| &self.template.edges[edge.index()].guard);
            let guards: Vec<&Expr> = guards.collect();
            let may_wait = here.kind == LocKind::Plain && !here.atomic && !here.resting;
            let is_open = one_is_open(guards.iter().map(|guard| guard.conjuncts()).collect());
            if guards.is_empty() || !may_wait || is_open {
                continue;
            }
            let read: Vec<_> = guards.iter().flat_map(|guard| self.read(guard)).collect();
            if read.is_empty() && !guards.iter().all(|guard| self.is_creation(guard)) {
                let what = "deadlocks of threads in any number that wait for anything but static mutexes and each other's end";
                let (limit, what, span) = (Limit::Unsupported, what.to_string(), here.span);
                return Err(Reason::Limit { limit, what, span });
            }
            for (resource, element) in read {
                let wait = Wait { at, resource, element };
                if !waits.contains(&wait) {
                    waits.push(wait);
                }
            }
        }
        Ok(waits)
    }

    /// Is what the guard reads of others only whether one of any number of threads may begin?
    fn is_creation(&self, guard: &Expr) -> bool {
        let any = self.program.threads.iter().filter(|thread| thread.count == Count::Any);
        let templates = any.map(|thread| &self.program.templates[thread.template.index()]);
        let mut begins = BTreeSet::new();
        for template in templates {
            let first = template.edges.iter().filter(|edge| edge.source == template.entry);
            first.for_each(|edge| collect_reads(&edge.guard, &mut begins));
        }
        let mut reads = BTreeSet::new();
        collect_reads(guard, &mut reads);
        reads.iter().all(|var| matches!(var, VarRef::Local(_)) || begins.contains(var))
    }

    /// The resources that a guard asks about.
    fn read(&self, guard: &Expr) -> Vec<(usize, Expr)> {
        let mut found = Vec::new();
        guard.walk(&mut |part| {
            let (var, index) = match part {
                Expr::Var(VarRef::Shared(var)) => (*var, None),
                Expr::Index(VarRef::Shared(var), index) => (*var, Some(&**index)),
                _ => return,
            };
            for (number, resource) in self.resources.iter().enumerate() {
                let element = match resource {
                    Resource::Lock(lock) if *lock == var => Some(index.cloned()),
                    Resource::Thread { thread, runs } if key(runs) == Some(var) => {
                        let is_any = self.program.threads[thread.index()].count == Count::Any;
                        Some(if is_any { named(runs) } else { index.cloned() })
                    }
                    _ => None,
                };
                let first = Expr::Const(0, Type::unsigned(32));
                found.extend(element.map(|element| (number, element.unwrap_or(first))));
            }
        });
        found
    }
}

/// The variable in which a thread that ends, of any number, looks for its own name.
fn named(runs: &Expr) -> Option<Expr> {
    let mut found = None;
    runs.walk(&mut |part| {
        if let Expr::Binary(BinOp::Eq, one, other) = part {
            let is_shared = |side: &Expr| matches!(side, Expr::Var(VarRef::Shared(_)));
            let is_const = |side: &Expr| matches!(side, Expr::Const(..));
            for (one, other) in [(one, other), (other, one)] {
                if is_shared(one) && !is_const(other) {
                    found = found.take().or(Some((**one).clone()));
                }
            }
        }
    });
    found
}

/// Which resource is held, on such ways, while a thread waits for which.
fn comes_before(
    program: &Program,
    resources: &[Resource],
    waits: &[Vec<Wait>],
    ways: Ways,
) -> BTreeSet<(usize, usize)> {
    let mut before = BTreeSet::new();
    for (number, template) in program.templates.iter().enumerate() {
        let holds = held(template, resources, ways);
        let is_own = |resource: &Resource| match resource {
            Resource::Thread { thread, .. } => {
                program.threads[thread.index()].template == TemplateId(number as u32)
            }
            Resource::Lock(_) => false,
        };
        let own: Vec<usize> = (0..resources.len()).filter(|at| is_own(&resources[*at])).collect();
        for wait in &waits[number] {
            let held = holds[wait.at.index()].iter().chain(&own);
            before.extend(held.map(|held| (*held, wait.resource)));
        }
    }
    let is_array = |at: usize| match &resources[at] {
        Resource::Lock(lock) => program.shared[lock.index()].len.is_some(),
        Resource::Thread { .. } => false,
    };
    before.retain(|(low, high)| low != high || !is_array(*low));
    before
}

/// The program without edges that cannot be taken because of what no step writes (kinds of mutexes, which say whether one is taken twice).
fn possible(program: &Program) -> Program {
    let mut program = program.clone();
    loop {
        let all = || program.templates.iter().flat_map(|template| &template.edges);
        let is_change = |(var, value): &(SharedId, Option<&Expr>)| {
            let init = &program.shared[var.index()].init;
            !matches!((init, value), (Init::Value(init), Some(Expr::Const(value, _))) if init == value)
        };
        let written: BTreeSet<SharedId> =
            all().flat_map(assigned_shared).filter(is_change).map(|(var, _)| var).collect();
        let value = |read: Expr| match read {
            Expr::Var(VarRef::Shared(var)) | Expr::Index(VarRef::Shared(var), _) => {
                let declared = &program.shared[var.index()];
                match declared.init {
                    Init::Value(value) if !written.contains(&var) => {
                        Expr::Const(value, declared.ty)
                    }
                    _ => read,
                }
            }
            read => read,
        };
        let put_in = |expr: &Expr| refold(&expr.map_reads(&mut |read| value(read)));
        let mut next = program.clone();
        for template in &mut next.templates {
            template.edges = template.edges.iter().map(|edge| edge.map_exprs(&put_in)).collect();
            let known = facts(&program, template, &|var| matches!(var, VarRef::Local(_)));
            let locals = &template.locals;
            template.edges.retain(|edge| {
                let Some(known) = &known[edge.source.index()] else { return false };
                let constant = |var: VarRef| match var {
                    VarRef::Local(id) => {
                        let ty = locals[id.index()].ty;
                        known.get(&var).map(|value| Expr::Const(*value, ty))
                    }
                    VarRef::Shared(_) => None,
                };
                substitute(&edge.guard, &constant) != Expr::FALSE
            });
        }
        if next == program {
            return program;
        }
        program = next;
    }
}

/// By location: the locks that a thread holds there, on some ways to it or on all.
fn held(template: &Template, resources: &[Resource], ways: Ways) -> Vec<BTreeSet<usize>> {
    let number = |var: SharedId| resources.iter().position(|other| *other == Resource::Lock(var));
    let mut facts: Vec<Option<BTreeSet<usize>>> = vec![None; template.locations.len()];
    facts[template.entry.index()] = Some(BTreeSet::new());
    let forward = |edge: &Edge| (edge.source, edge.target);
    let facts = solve(template, forward, facts, |edge, here, there| {
        let Some(mut held) = here.clone() else { return false };
        for (var, value) in assigned_shared(&template.edges[edge.index()]) {
            let Some(lock) = number(var) else { continue };
            match value {
                Some(Expr::Const(0, _)) => held.remove(&lock),
                _ => held.insert(lock),
            };
        }
        let joined = match (&there, ways) {
            (None, _) => held,
            (Some(known), Ways::Some) => held.union(known).copied().collect(),
            (Some(known), Ways::All) => held.intersection(known).copied().collect(),
        };
        there.replace(joined.clone()) != Some(joined)
    });
    facts.into_iter().map(Option::unwrap_or_default).collect()
}

/// On which ways to a location something is so.
#[derive(Clone, Copy, PartialEq)]
enum Ways {
    Some,
    All,
}

/// All numbers below `count`, those that come before others first.
fn sorted(count: usize, before: &BTreeSet<(usize, usize)>) -> Option<Vec<usize>> {
    let mut sorted: Vec<usize> = Vec::new();
    while sorted.len() < count {
        let is_next = |at: &usize| {
            let mut lower = before.iter().filter(|(_, high)| high == at);
            !sorted.contains(at) && lower.all(|(low, _)| sorted.contains(low))
        };
        let next = (0..count).find(is_next)?;
        sorted.push(next);
    }
    Some(sorted)
}
