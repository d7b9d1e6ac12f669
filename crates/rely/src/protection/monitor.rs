//! A reason as a program: an access that it does not explain is an error.
//!
//! Nothing else is one: where an assertion fails or behaviour is undefined the program ends. New variables note what a reason is about: how many
//! threads run beside the first one, which locks a thread holds, which elements it has accessed. They are written by the steps of the program and read only
//! by the new steps to errors, so the program does what it did before.

use super::{AccessSite, Protection, is_semaphore};
use ccfa::sharing::instances;
use ccfa::{
    AccessKind, Assign, BinOp, Cell, Edge, ErrorKind, Expr, Init, LocId, LocKind, LocalId,
    Location, LockOperation, Place, Program, Rhs, SharedId, TemplateId, Type, Var, VarRef, set,
};
use std::collections::BTreeSet;

/// The type of the number of threads that run.
const COUNT: Type = Type::unsigned(32);
/// The type of a [`Hold`].
const HOLD: Type = Type::unsigned(2);

/// How a thread holds a lock.
#[derive(Clone, Copy)]
enum Hold {
    Not,
    Shared,
    Exclusive,
}

impl Hold {
    fn constant(self) -> Expr {
        Expr::constant(self as i128, HOLD)
    }
}

pub struct Monitor {
    pub program: Program,
    /// The template of the first thread, which creates the others.
    first: TemplateId,
    /// How many others run.
    running: VarRef,
    /// By template: the error.
    errors: Vec<LocId>,
}

impl Monitor {
    /// The program without its errors, and with a count of the threads that run. `None` if it is not plain which thread is the first.
    pub fn new(before: &Program) -> Option<Monitor> {
        let ids = || (0..before.templates.len() as u32).map(TemplateId);
        let template = |id: TemplateId| &before.templates[id.index()];
        let is_created = |id: TemplateId| {
            let template = template(id);
            template.locations[template.entry.index()].resting
        };
        let mut firsts = ids().filter(|id| instances(before, *id) > 0 && !is_created(*id));
        let (first, None) = (firsts.next()?, firsts.next()) else { return None };
        if instances(before, first) > 1 {
            return None;
        }
        let mut program = before.clone();
        program.property = ccfa::Property::default();
        let running = program.declare(".explain.running", COUNT, 0);
        let mut errors = Vec::new();
        for (template, id) in program.templates.iter_mut().zip(ids()) {
            for at in &mut template.locations {
                if matches!(at.kind, LocKind::Error(_) | LocKind::Undefined(_)) {
                    (at.kind, at.atomic) = (LocKind::Plain, true);
                }
            }
            if id != first {
                count(template, running);
            }
            errors.push(LocId(template.locations.len() as u32));
            let kind = LocKind::Error(ErrorKind::Assertion("it is protected".to_string()));
            template.locations.push(Location { kind, ..Location::default() });
        }
        Some(Monitor { program, first, running, errors })
    }

    /// Accesses that the reason does not explain become errors; `None` if it cannot be asked.
    pub fn watch(
        &mut self,
        var: SharedId,
        sites: &[AccessSite],
        protection: Protection,
    ) -> Option<()> {
        match protection {
            Protection::Atomic | Protection::ReadOnly => return None,
            Protection::WrittenAlone => {
                if sites.iter().any(|site| site.writes && site.template != self.first) {
                    return None;
                }
                sites
                    .iter()
                    .filter(|site| site.writes)
                    .for_each(|site| self.forbid(site, Expr::TRUE));
            }
            Protection::Section => {
                for site in sites {
                    let template = &self.program.templates[site.template.index()];
                    let source = template.edges[site.edge].source;
                    if !template.locations[source.index()].atomic {
                        self.forbid(site, Expr::TRUE);
                    }
                }
            }
            Protection::Lock(lock) | Protection::Semaphore(lock) => self.watch_lock(lock, sites)?,
            Protection::Private => self.watch_owner(var, sites, false)?,
            Protection::Published => self.watch_owner(var, sites, true)?,
            Protection::HandedOver(object) => {
                let program = &self.program;
                let all = (0..program.shared.len() as u32).map(SharedId);
                let objects = match object {
                    Some(object) => vec![parts_of_lock(program, object)],
                    None => {
                        all.filter(|var| is_semaphore(program, *var)).map(|var| vec![var]).collect()
                    }
                };
                self.watch_hand_over(objects, sites)?
            }
        }
        Some(())
    }

    /// An access is an error if `bad` holds; one of the first thread only while others run.
    pub(super) fn forbid(&mut self, site: &AccessSite, bad: Expr) {
        let others_run = self.others_run(site);
        let template = &mut self.program.templates[site.template.index()];
        let edge = &template.edges[site.edge];
        let guard = Expr::and(edge.guard.clone(), Expr::and(others_run, bad));
        let error = self.errors[site.template.index()];
        template.edges.push(Edge::new(edge.source, error, guard, Vec::new()));
    }

    pub(super) fn others_run(&self, site: &AccessSite) -> Expr {
        match site.template == self.first {
            true => Expr::binary(BinOp::Ne, Expr::Var(self.running), Expr::constant(0, COUNT)),
            false => Expr::TRUE,
        }
    }

    fn index(&self, site: &AccessSite) -> Option<Expr> {
        let edge = &self.program.templates[site.template.index()].edges[site.edge];
        edge.accesses[site.access].cell()?.index.clone()
    }

    fn watch_lock(&mut self, lock: SharedId, sites: &[AccessSite]) -> Option<()> {
        let len = self.program.shared[lock.index()].len;
        let parts = parts_of_lock(&self.program, lock);
        if parts.iter().any(|part| self.program.shared[part.index()].len != len) {
            return None;
        }
        let mut held = Vec::new();
        for template in &mut self.program.templates {
            let var = local(template, ".explain.held", HOLD, len);
            held.push(var);
            for edge in &mut template.edges {
                let effects = edge.accesses.iter().filter_map(|access| match &access.kind {
                    AccessKind::Lock(operation, cell) if parts.contains(&cell.var) => {
                        Some((effect(*operation)?, cell.clone()))
                    }
                    _ => None,
                });
                let effects: Vec<(Hold, Cell)> = effects.collect();
                let [(value, cell)] = &effects[..] else {
                    if effects.is_empty() {
                        continue;
                    }
                    return None;
                };
                if !is_used(edge, cell) {
                    return None;
                }
                let (value, place) = (value.constant(), place(var, cell.index.clone()));
                edge.assigns.push(Assign { place, value: Rhs::Expr(value) });
            }
        }
        for site in sites {
            let index = self.index(site);
            let index = match len {
                Some(_) => Some(index?),
                None => None,
            };
            let own = read(held[site.template.index()], index);
            let bad = match site.writes {
                true => Expr::binary(BinOp::Ne, own, Hold::Exclusive.constant()),
                false => Expr::eq(own, Hold::Not.constant()),
            };
            self.forbid(site, bad);
        }
        Some(())
    }

    /// Notes who has accessed which element, and whether several have. That is forbidden to all but the first, or, if it is published, to write then.
    fn watch_owner(&mut self, var: SharedId, sites: &[AccessSite], published: bool) -> Option<()> {
        let len = self.program.shared[var.index()].len;
        let taken = self.shared_notes(".explain.taken", len)?;
        let several = self.shared_notes(".explain.several", len)?;
        let templates = self.program.templates.iter_mut();
        let mine: Vec<VarRef> =
            templates.map(|template| local(template, ".explain.mine", Type::Bool, len)).collect();
        let mut seen = BTreeSet::new();
        for site in sites {
            let index = self.index(site);
            if index.is_some() != len.is_some() || self.other_index(site, sites) {
                return None;
            }
            let own = mine[site.template.index()];
            let now = |var: VarRef| read(var, index.clone());
            let is_other = Expr::and(now(taken), Expr::negate(now(own)));
            match published {
                false => self.forbid(site, is_other.clone()),
                true if site.writes => self.forbid(site, Expr::or(is_other.clone(), now(several))),
                true => {}
            }
            if !seen.insert((site.template, site.edge)) {
                continue;
            }
            let counts = self.others_run(site);
            let noted = [
                (taken, counts.clone()),
                (own, counts.clone()),
                (several, Expr::and(counts, is_other)),
            ];
            let edge = &mut self.program.templates[site.template.index()].edges[site.edge];
            edge.assigns.extend(noted.map(|(var, also)| Assign {
                place: place(var, index.clone()),
                value: Rhs::Expr(Expr::or(now(var), also)),
            }));
        }
        Some(())
    }

    /// A new shared variable for each element, or one.
    fn shared_notes(&mut self, name: &str, len: Option<u32>) -> Option<VarRef> {
        let var = self.program.declare(name, Type::Bool, 0);
        let VarRef::Shared(id) = var else { return None };
        self.program.shared[id.index()].len = len;
        Some(var)
    }

    /// Does a step access two elements, this one among them?
    fn other_index(&self, site: &AccessSite, sites: &[AccessSite]) -> bool {
        let is_same_step =
            |other: &&AccessSite| (other.template, other.edge) == (site.template, site.edge);
        sites.iter().filter(is_same_step).any(|other| self.index(other) != self.index(site))
    }
}

/// Counts the threads of a template from their first step to the last one by which they do anything that others can see, such as to end.
fn count(template: &mut ccfa::Template, running: VarRef) {
    let is_seen = |edge: &&Edge| {
        !edge.accesses.is_empty() || edge.read_write_sets().shared_writes().next().is_some()
    };
    let busy = template.leading_to(template.edges.iter().filter(is_seen).map(|edge| edge.source));
    let is_busy = |at: LocId| at != template.entry && busy[at.index()];
    for edge in &mut template.edges {
        let op = match (is_busy(edge.source), is_busy(edge.target)) {
            (false, true) => BinOp::Add,
            (true, false) => BinOp::Sub,
            _ => continue,
        };
        let value = Expr::binary(op, Expr::Var(running), Expr::constant(1, COUNT));
        edge.assigns.push(set(running, value));
    }
}

/// Does a step read or write this cell, whatever else it does? Then it is not taken where the index has no value.
fn is_used(edge: &Edge, cell: &Cell) -> bool {
    let written = place(VarRef::Shared(cell.var), cell.index.clone());
    let value = Rhs::Expr(read(VarRef::Shared(cell.var), cell.index.clone()));
    let uses = |assign: &Assign| assign.place == written || assign.value == value;
    cell.index.is_none() || edge.assigns.iter().any(uses)
}

/// The variables that make up a lock: who reads and who writes is noted apart.
fn parts_of_lock(program: &Program, lock: SharedId) -> Vec<SharedId> {
    let object = |var: SharedId| Some(program.shared[var.index()].origin.as_ref()?.part?.object);
    let is_part = |var: &SharedId| {
        super::name_of_lock(program, *var) == super::name_of_lock(program, lock)
            && object(*var) == object(lock)
    };
    (0..program.shared.len() as u32).map(SharedId).filter(is_part).collect()
}

/// What an operation makes of how a thread holds a lock, if anything.
fn effect(operation: LockOperation) -> Option<Hold> {
    match operation {
        LockOperation::Acquire => Some(Hold::Exclusive),
        LockOperation::AcquireShared => Some(Hold::Shared),
        LockOperation::Release => Some(Hold::Not),
        LockOperation::Wait | LockOperation::Signal | LockOperation::Broadcast => None,
    }
}

/// A new local variable.
pub(super) fn local(
    template: &mut ccfa::Template,
    name: &str,
    ty: Type,
    len: Option<u32>,
) -> VarRef {
    template.locals.push(Var::new(name.to_string(), ty, len, Init::Value(0)));
    VarRef::Local(LocalId(template.locals.len() as u32 - 1))
}

fn read(var: VarRef, index: Option<Expr>) -> Expr {
    match index {
        Some(index) => Expr::Index(var, Box::new(index)),
        None => Expr::Var(var),
    }
}

fn place(var: VarRef, index: Option<Expr>) -> Place {
    match index {
        Some(index) => Place::Element(var, index),
        None => Place::Var(var),
    }
}
