//! Ownership that is handed over: who accesses an object, and is not the one who did so last, has acquired a lock or semaphore since that one released it.
//!
//! That is happens-before (L. Lamport: Time, clocks, and the ordering of events in a distributed system. CACM 21(7), 1978) between accesses, by way of some
//! synchronisation objects. New variables note who accessed the object last, whether this thread has released one of them since, and in which *epoch* a thread
//! has acquired one after that. An epoch ends with an access of another thread, or of the same one after it has released.

use super::monitor::{Monitor, local};
use super::{AccessSite, Protection, is_semaphore};
use ccfa::{
    AccessKind, Arg, Assign, BinOp, Count, Edge, Expr, Init, LockOperation, Program, SharedId,
    Type, Var, VarRef, set,
};
use std::collections::BTreeSet;

/// The type of what tells threads apart, and of epochs.
const NUMBER: Type = Type::unsigned(32);

/// By what an object may be handed over: each lock and semaphore by itself, and all semaphores together.
pub(super) fn candidates(program: &Program) -> Vec<Protection> {
    let edges = program.templates.iter().flat_map(|template| &template.edges);
    let acquired = edges.flat_map(|edge| &edge.accesses).filter_map(|access| match &access.kind {
        AccessKind::Lock(LockOperation::Acquire, cell) => Some(cell.var),
        _ => None,
    });
    let acquired: BTreeSet<SharedId> = acquired.collect();
    let semaphores = acquired.iter().filter(|lock| is_semaphore(program, **lock)).count();
    let alone = acquired.iter().map(|lock| Protection::HandedOver(Some(*lock)));
    alone.chain((semaphores > 1).then_some(Protection::HandedOver(None))).collect()
}

/// What is noted.
struct Notes {
    /// Which thread accessed the object last; 0: none.
    last: VarRef,
    /// Which epoch it is.
    epoch: VarRef,
    /// By synchronisation object: has that thread released it since?
    given: Vec<(Vec<SharedId>, VarRef)>,
    /// By template: what tells its threads apart, and the epoch after the one in which a thread was given the object.
    own: Vec<(VarRef, VarRef)>,
}

impl Monitor {
    /// An access is an error if the object was not handed over by these; `None` if that cannot be asked.
    pub(super) fn watch_hand_over(
        &mut self,
        objects: Vec<Vec<SharedId>>,
        sites: &[AccessSite],
    ) -> Option<()> {
        if self.program.is_parameterised() {
            return None;
        }
        let program = &mut self.program;
        let (last, epoch) = (number(program, ".explain.last"), number(program, ".explain.epoch"));
        let note = |object| (object, program.declare(".explain.given", Type::Bool, 0));
        let given = objects.into_iter().map(note).collect();
        let notes = Notes { last, epoch, given, own: identities(program) };
        for (template, own) in program.templates.iter_mut().zip(&notes.own) {
            template.edges.iter_mut().try_for_each(|edge| notes.synchronise(*own, edge))?;
        }
        let mut seen = BTreeSet::new();
        for site in sites {
            let own = notes.own[site.template.index()];
            self.forbid(site, notes.is_another(own));
            if seen.insert((site.template, site.edge)) {
                let counts = self.others_run(site);
                let edge = &mut self.program.templates[site.template.index()].edges[site.edge];
                edge.assigns.extend(notes.access(own, &counts));
            }
        }
        Some(())
    }
}

impl Notes {
    /// Notes what a step releases and acquires; `None` if it does both.
    fn synchronise(&self, (id, got): (VarRef, VarRef), edge: &mut Edge) -> Option<()> {
        let mut added = Vec::new();
        for access in &edge.accesses {
            let AccessKind::Lock(operation, cell) = &access.kind else { continue };
            let given = self.given.iter().find(|(parts, _)| parts.contains(&cell.var));
            let Some((_, given)) = given else { continue };
            added.push(match operation {
                LockOperation::Release => {
                    let is_last = Expr::eq(Expr::Var(self.last), Expr::Var(id));
                    set(*given, Expr::or(Expr::Var(*given), is_last))
                }
                LockOperation::Acquire | LockOperation::AcquireShared => {
                    let next = Expr::ite(Expr::Var(*given), self.next(), Expr::Var(got));
                    set(got, next)
                }
                _ => continue,
            });
        }
        let is_clear = added.len() <= 1;
        edge.assigns.extend(added);
        is_clear.then_some(())
    }

    /// Has another thread accessed it last, which has not handed it over to this one?
    fn is_another(&self, (id, got): (VarRef, VarRef)) -> Expr {
        let differs = |one, other| Expr::binary(BinOp::Ne, one, other);
        let last = || Expr::Var(self.last);
        let is_other = Expr::and(differs(last(), constant(0)), differs(last(), Expr::Var(id)));
        Expr::and(is_other, differs(Expr::Var(got), self.next()))
    }

    /// Notes an access, if it counts.
    fn access(&self, (id, got): (VarRef, VarRef), counts: &Expr) -> Vec<Assign> {
        let if_counts = |var, value| set(var, Expr::ite(counts.clone(), value, Expr::Var(var)));
        let is_given = self.given.iter().map(|(_, given)| Expr::Var(*given));
        let is_other = Expr::binary(BinOp::Ne, Expr::Var(self.last), Expr::Var(id));
        let ends = is_given.fold(is_other, Expr::or);
        let epoch = Expr::ite(ends, self.next(), Expr::Var(self.epoch));
        let noted = [
            if_counts(self.last, Expr::Var(id)),
            if_counts(self.epoch, epoch),
            if_counts(got, constant(0)),
        ];
        let given = self.given.iter().map(|(_, given)| if_counts(*given, Expr::FALSE));
        noted.into_iter().chain(given).collect()
    }

    fn next(&self) -> Expr {
        Expr::binary(BinOp::Add, Expr::Var(self.epoch), constant(1))
    }
}

/// Gives each thread a number of its own, from 1; by template, the local that has it, and one for an epoch.
fn identities(program: &mut Program) -> Vec<(VarRef, VarRef)> {
    let mut next = 1;
    for thread in &mut program.threads {
        thread.args.push(Arg::Index(next));
        next += match thread.count {
            Count::Exactly(count) => i128::from(count),
            Count::Any => 0,
        };
    }
    let templates = program.templates.iter_mut().map(|template| {
        let got = local(template, ".explain.got", NUMBER, None);
        template.params += 1;
        let init = Init::Param(template.params - 1);
        let id = local(template, ".explain.id", NUMBER, None);
        if let Some(last) = template.locals.last_mut() {
            *last = Var { init, ..last.clone() };
        }
        (id, got)
    });
    templates.collect()
}

fn number(program: &mut Program, name: &str) -> VarRef {
    program.declare(name, NUMBER, 0)
}

fn constant(value: i128) -> Expr {
    Expr::Const(value, NUMBER)
}
