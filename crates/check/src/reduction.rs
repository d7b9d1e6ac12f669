//! Checks a reduction: a bad location that the program *before* can reach, the program *after* can
//! reach as well. So a proof about the program after is a proof about the program before.
//!
//! *Bad* are all locations that are not plain: errors, undefined behaviour and model limits. So errors must be asked for, and
//! not races, which are errors of another program (`ccfa::races`). If deadlocks are asked for, a deadlock of the program
//! before is one of the program after, too.
//!
//! # What is checked
//!
//! The certificate (`evidence::Reduction`) maps locations, variables and edges after to locations,
//! variables and *paths* before. Locations before to which one is mapped are *kept*, the others *removed*.
//!
//! - **(M)** (`shape`) Both programs have the same threads. The maps are injective, and keep entries, kinds,
//!   the atomic flag, types and lengths. Shared variables, and locals that are live at the entry (`ccfa::liveness`, of
//!   the program after), have the same initial values, and the initial condition after follows from that before.
//! - **(C)** Variables that are said to be constant have a known initial value, and every edge before that is
//!   *taken* assigns them that value only, if they have their values before. Taken are the edges from locations
//!   to which taken edges lead from the entry, except those whose guard is false if constants
//!   have their values. If the certificate says so, irrelevant steps (`ccfa::irrelevant`) are then not taken either.
//! - **(P)** From each kept location, all paths of taken edges to the next kept location are looked at, through
//!   removed ones. Each that can be taken at one go is the path of an edge after; that edge can then
//!   be taken, and leaves in every shared variable after, and in every local that is live
//!   at its target, what the path leaves there. Paths that cannot be taken may be missing. The paths pass
//!   no removed location twice, and none that is bad.
//! - **(L)** A path is cut at its removed locations that are not atomic into *runs*. A run is *visible* if it reads a shared
//!   variable that another instance writes, or writes one that another reads or writes (`ccfa::sharing`); in the second case
//!   it *writes visibly*. One that begins or ends at an atomic kept location does that, too. After a visible run
//!   there is no other on the path, unless the path cannot be taken whatever other instances do at the cuts.
//! - **(T)** After a run that writes visibly, at every further removed location of the path some edge can be taken. If deadlocks
//!   are asked for, so it is at every removed location of every path; no step is irrelevant; and
//! - **(D)** where the guards of all edges before from a kept location are defined and false, so are those of all edges after; a kept
//!   location that is left by edges before, and is not resting, is left by edges after.
//!
//! # Why that suffices
//!
//! Constants hold their values in every reachable state before, and only taken edges are taken there, by (C) and induction; and
//! `ccfa::irrelevant` argues that a bad state is also reached without irrelevant steps. So let σ be a shortest execution
//! of taken edges before that ends in a bad state; its last step leads a thread to a bad location, which is kept (P).
//! What each instance does in σ falls into paths between kept locations, the last perhaps not complete, and these into
//! runs. No other thread moves within a run, as its thread is at atomic locations there: σ is a sequence of runs. (A
//! thread that stops within a run lets no other thread move any more; then σ ends there.)
//!
//! **Claim:** there is an execution to the same bad location in which no path is interrupted and none is incomplete. An
//! invisible run commutes with every run of other instances: neither writes what the other reads
//! or writes. It begins and ends at locations that are not atomic, so it keeps no thread from moving wherever it is put, and
//! it may be put next to a run of its own thread, before which no other thread is at an atomic location. So for each path in σ:
//!
//! - The runs before its visible run (before its last one, if none is visible) are delayed until just before that.
//! - Those after it are brought forward to just behind it. There are only invisible ones (L). (If (L) was excused, because the path
//!   up to there cannot be taken whatever others do at the cuts, then it is not in σ.)
//! - If the path is not complete and nothing in it writes visibly, its runs are taken out: no other instance reads what they
//!   wrote, and their thread, which has not begun at an atomic location, keeps no thread from moving where it is now.
//! - If it is not complete and a run of it writes visibly, it is completed just behind that run: the first part is
//!   taken at one go now, so by (T) some edge can be taken; no location is passed twice, so this ends at a kept one. What is added is
//!   invisible (L): the rest of σ stays as it is.
//!
//! Where an edge cannot be taken after a path at one go, and so was not looked at further, it is not in σ either: either no visible run
//! came before on the path, then all before is delayed until the edge is taken; or one did, then the edge is invisible (L) and
//! others have not changed what it reads.
//!
//! Where does the thread of a delayed path stand for the others meanwhile? At a kept location: the first one of the path, or the
//! last one. If that were atomic, the first or last run would be the visible one, and nothing was delayed past it or brought
//! forward to it. So the same instances may move as in σ. ∎
//!
//! Now the execution after follows path by path. At each kept state both programs agree on locations, on shared variables after and on
//! live locals of each instance (M at the start, P at each path; a local that is live at the target of an edge and not
//! overwritten by it is live at its source, and an edge reads live locals only). An edge with a havoc may choose what the path
//! left in the variable. At the end the same bad location is reached. ∎
//!
//! Edges after that are the path of nothing do no harm: they can only make a bad location reachable.
//!
//! # Deadlocks
//!
//! Let a deadlock *s* be reachable before (by an execution of taken edges, as above). First, *no thread is at an atomic location in s*: so
//! all instances are blocked. Then no instance is at a removed location. For if no run of its path so far is visible, these
//! can be put at the end of the execution, at one go; if one is, the edges from where it is are invisible (L), and no thread has changed
//! what they read since: in both cases some edge can be taken, by (T). So all paths are complete, and the execution after follows
//! them, to a state with the same locations. There all instances are blocked, by (D), and an instance that has neither ended
//! nor rests in *s* does neither there, by (D) and (M): it is a deadlock. Second, *an instance is at an atomic location in s*: then it
//! is blocked there, and by (T) the location is kept. The paths of the others are completed or taken out as above, which
//! this instance does not notice: it is blocked in a state with all instances at kept locations, and so it is after. ∎

mod formulas;
mod shape;
mod told;

use crate::{Means, refuse};
use ccfa::sharing::{Sharing, instances};
use ccfa::{Assign, Edge, EdgeId, Expr, LocId, LocKind, Place, Program, Rhs, TemplateId, VarRef};
use evidence::{Reason, Reduction};
use formulas::{Composed, Formulas};
use logic::FastMap;

/// Does the program after a reduction reach a bad location if `program` does?
pub fn check(program: &Program, reduction: &Reduction, means: Means) -> Result<(), Reason> {
    let malformed = shape::check(program, reduction);
    malformed.or_else(|why| refuse(format!("the reduced program {why}")))?;
    let mut formulas = Formulas::new(program, reduction, means)?;
    told::beginning(&formulas);
    if !formulas.begins_alike()? {
        return refuse("the reduced program begins elsewhere");
    }
    let runs = |id: TemplateId| instances(program, id) > 0;
    let templates: Vec<TemplateId> =
        (0..program.templates.len() as u32).map(TemplateId).filter(|id| runs(*id)).collect();
    let mut taken: Vec<Vec<bool>> =
        program.templates.iter().map(|template| vec![false; template.edges.len()]).collect();
    for id in &templates {
        taken[id.index()] = taken_edges(program, reduction, *id, &mut formulas)?;
    }
    if reduction.irrelevant {
        ccfa::irrelevant::remove(program, &mut taken);
    }
    let counts = |id: TemplateId, edge: EdgeId| taken[id.index()][edge.index()];
    let sharing = Sharing::of(program, &counts);
    for id in templates {
        Paths::new(program, reduction, id, &taken[id.index()], &sharing, &mut formulas).check()?;
    }
    Ok(())
}

/// (C): the edges of a template that are taken.
fn taken_edges(
    program: &Program,
    reduction: &Reduction,
    id: TemplateId,
    formulas: &mut Formulas,
) -> Result<Vec<bool>, Reason> {
    let template = &program.templates[id.index()];
    told::constants(formulas, template);
    let is_constant = |var: VarRef| match var {
        VarRef::Shared(var) => reduction.constants.contains(&var),
        VarRef::Local(var) => reduction.templates[id.index()].constants.contains(&var),
    };
    let edges_from = template.edges_from();
    let mut taken = vec![false; template.edges.len()];
    let mut reached = vec![false; template.locations.len()];
    let mut waiting = vec![template.entry];
    while let Some(location) = waiting.pop() {
        if std::mem::replace(&mut reached[location.index()], true) {
            continue;
        }
        for edge in edges_from[location.index()].iter().copied() {
            if formulas.is_closed(id, edge) {
                continue;
            }
            taken[edge.index()] = true;
            waiting.push(template.edges[edge.index()].target);
            for assign in &template.edges[edge.index()].assigns {
                let (Place::Var(var) | Place::Element(var, _)) = assign.place;
                if is_constant(var) && !formulas.assigns_constant(id, edge, assign)? {
                    return refuse("the reduction takes a variable for a constant that is none");
                }
            }
        }
    }
    Ok(taken)
}

/// The paths of a template before, and what is known of them.
struct Paths<'a, 'f> {
    program: &'a Program,
    reduction: &'a Reduction,
    id: TemplateId,
    taken: &'a [bool],
    sharing: &'a Sharing,
    edges_from: Vec<Vec<EdgeId>>,
    /// By location before: is it kept?
    kept: Vec<bool>,
    /// The edges after, by their paths.
    fused: FastMap<&'a [EdgeId], EdgeId>,
    formulas: &'f mut Formulas<'a>,
}

/// A path from a kept location, and how it is seen by others.
struct Prefix {
    path: Vec<EdgeId>,
    at: LocId,
    /// What it does if it is taken at one go.
    composed: Composed,
    /// Its runs that have ended.
    before: Visible,
    /// Its run that has not.
    run: Visible,
}

/// Does it read or write visibly, and does it write?
#[derive(Clone, Copy, Default)]
struct Visible {
    at_all: bool,
    writes: bool,
}

impl Visible {
    const WRITES: Visible = Visible { at_all: true, writes: true };

    fn or(self, other: Visible) -> Visible {
        Visible { at_all: self.at_all || other.at_all, writes: self.writes || other.writes }
    }
}

impl<'a, 'f> Paths<'a, 'f> {
    fn new(
        program: &'a Program,
        reduction: &'a Reduction,
        id: TemplateId,
        taken: &'a [bool],
        sharing: &'a Sharing,
        formulas: &'f mut Formulas<'a>,
    ) -> Paths<'a, 'f> {
        let template = &program.templates[id.index()];
        let certificate = &reduction.templates[id.index()];
        let mut kept = vec![false; template.locations.len()];
        certificate.locations.iter().for_each(|location| kept[location.index()] = true);
        let paths = certificate.paths.iter().map(Vec::as_slice);
        let fused = paths.zip((0..).map(EdgeId)).collect();
        let edges_from = template.edges_from();
        Paths { program, reduction, id, taken, sharing, edges_from, kept, fused, formulas }
    }

    /// (P), (L) and (T) for all paths.
    fn check(&mut self) -> Result<(), Reason> {
        let template = &self.program.templates[self.id.index()];
        for location in &self.reduction.templates[self.id.index()].locations {
            let is_atomic = template.locations[location.index()].atomic;
            if self.program.property.deadlocks {
                self.blocked_alike(*location)?;
            }
            let composed = self.formulas.nothing_done(self.id);
            self.follow(&Prefix {
                path: Vec::new(),
                at: *location,
                composed,
                before: Visible::default(),
                run: if is_atomic { Visible::WRITES } else { Visible::default() },
            })?;
        }
        Ok(())
    }

    /// (D)
    fn blocked_alike(&mut self, location: LocId) -> Result<(), Reason> {
        let after = &self.reduction.program.templates[self.id.index()];
        let edges: Vec<_> = after.edges.iter().filter(|e| self.ends(e)[0] == location).collect();
        let before = self.edges_from[location.index()].clone();
        self.tell_blocked(location);
        let rests = self.program.templates[self.id.index()].locations[location.index()].resting;
        if edges.is_empty() && !before.is_empty() && !rests {
            return refuse("a thread that waits before the reduction has ended after it");
        }
        match self.formulas.closed_alike(self.id, &before, &edges)? {
            true => Ok(()),
            false => refuse("a thread that is blocked before the reduction is not after it"),
        }
    }

    /// Follows all edges that continue a path.
    fn follow(&mut self, prefix: &Prefix) -> Result<(), Reason> {
        self.formulas.check_budget()?;
        let mut ways = Vec::new();
        for edge in self.edges_from[prefix.at.index()].clone() {
            if !self.taken[edge.index()] || prefix.path.is_empty() && self.stays(edge) {
                continue;
            }
            let next = self.continued(prefix, edge);
            ways.push(next.composed.last);
            if next.before.at_all && next.run.at_all {
                self.tell_interrupted(&next);
                let composed = self.interrupted(&next.path);
                if self.formulas.is_impossible(&composed)? {
                    continue;
                }
                return self.refuse(&next, "has two steps that others can see");
            }
            if !next.composed.is_false() {
                self.tell_path(&next);
                self.reached(&next)?;
            }
        }
        let stops = self.program.property.deadlocks && !prefix.path.is_empty();
        let noticed = stops || prefix.before_here(self.program, self.id).writes;
        self.tell_stops(prefix, noticed);
        match noticed {
            true if !self.formulas.some_holds(&prefix.composed, &ways)? => {
                self.refuse(prefix, "can stop where others can notice it")
            }
            _ => Ok(()),
        }
    }

    /// The path with one more edge.
    fn continued(&mut self, prefix: &Prefix, edge: EdgeId) -> Prefix {
        let template = &self.program.templates[self.id.index()];
        let step = &template.edges[edge.index()];
        let ends_atomic =
            self.kept[step.target.index()] && template.locations[step.target.index()].atomic;
        let starts_run = !prefix.path.is_empty() && !template.locations[prefix.at.index()].atomic;
        let run = if starts_run { Visible::default() } else { prefix.run };
        let run = if ends_atomic { Visible::WRITES } else { run.or(self.visible(step)) };
        Prefix {
            path: [&prefix.path[..], &[edge]].concat(),
            at: step.target,
            composed: self.formulas.then(self.id, &prefix.composed, edge),
            before: prefix.before_here(self.program, self.id),
            run,
        }
    }

    /// What others can see of an edge.
    fn visible(&self, edge: &Edge) -> Visible {
        let access = edge.read_write_sets();
        let others_write = |var| self.sharing.others_write(self.id, var);
        let others_read = |var| self.sharing.others_read(self.id, var);
        let writes = access.shared_writes().any(|var| others_write(var) || others_read(var));
        Visible { at_all: writes || access.shared_reads().any(others_write), writes }
    }

    /// What a path does if others write what they write wherever they can move.
    fn interrupted(&mut self, path: &[EdgeId]) -> Composed {
        let template = &self.program.templates[self.id.index()];
        let mut composed = self.formulas.nothing_done(self.id);
        for (number, edge) in path.iter().enumerate() {
            let source = template.edges[edge.index()].source;
            if number > 0 && !template.locations[source.index()].atomic {
                let shared = (0..self.program.shared.len() as u32).map(ccfa::SharedId);
                let changed = shared.filter(|var| self.sharing.others_write(self.id, *var));
                self.formulas.havoc(self.id, &mut composed, changed);
            }
            composed = self.formulas.then(self.id, &composed, *edge);
        }
        composed
    }

    /// A path that may be taken: it continues, or is that of an edge after.
    fn reached(&mut self, prefix: &Prefix) -> Result<(), Reason> {
        let template = &self.program.templates[self.id.index()];
        let is_kept = self.kept[prefix.at.index()];
        let is_plain = template.locations[prefix.at.index()].kind == LocKind::Plain;
        let comes_back = |edge: &EdgeId| template.edges[edge.index()].source == prefix.at;
        match self.fused.get(&prefix.path[..]).copied() {
            Some(after) if is_kept => self.compare(prefix, after),
            _ if !is_kept && is_plain && !prefix.path.iter().any(comes_back) => self.follow(prefix),
            _ if self.formulas.is_impossible(&prefix.composed)? => Ok(()),
            _ => self.refuse(prefix, "can be taken and is missing"),
        }
    }

    /// (P): the edge after does what its path does.
    fn compare(&mut self, prefix: &Prefix, after: EdgeId) -> Result<(), Reason> {
        let edge = &self.reduction.program.templates[self.id.index()].edges[after.index()];
        let start = self.program.templates[self.id.index()].edges[prefix.path[0].index()].source;
        if self.ends(edge) != [start, prefix.at] {
            return self.refuse(prefix, "is that of an edge elsewhere");
        }
        match self.formulas.simulates(self.id, edge, &prefix.composed)? {
            true => Ok(()),
            false => self.refuse(prefix, "does something else than its edge"),
        }
    }

    /// (P), (L) and (T) at sight: between kept locations, is an edge the path of one after that says the same?
    fn stays(&self, id: EdgeId) -> bool {
        let Some(after) = self.fused.get(&[id][..]) else { return false };
        let after = &self.reduction.program.templates[self.id.index()].edges[after.index()];
        let before = &self.program.templates[self.id.index()].edges[id.index()];
        let place = |assign: &Assign| match &assign.place {
            Place::Var(var) => Expr::Var(*var),
            Place::Element(var, index) => Expr::Index(*var, Box::new(index.clone())),
        };
        let says_same = |(one, other): (&Assign, &Assign)| {
            let same_value = match (&one.value, &other.value) {
                (Rhs::Expr(a), Rhs::Expr(b)) => self.same(a, b),
                (a, b) => a == b,
            };
            same_value && self.same(&place(one), &place(other))
        };
        self.ends(after) == [before.source, before.target]
            && self.same(&after.guard, &before.guard)
            && after.assigns.len() == before.assigns.len()
            && after.assigns.iter().zip(&before.assigns).all(says_same)
    }

    /// Do an expression after and one before say the same?
    fn same(&self, after: &Expr, before: &Expr) -> bool {
        use Expr::{Binary, Cast, Const, Index, Ite, Unary, Var};
        match (after, before) {
            (Const(..), _) => after == before,
            (Var(a), Var(b)) => self.is(*a, *b),
            (Index(a, i), Index(b, j)) => self.is(*a, *b) && self.same(i, j),
            (Unary(o, a), Unary(p, b)) => o == p && self.same(a, b),
            (Binary(o, a, c), Binary(p, b, d)) => o == p && self.same(a, b) && self.same(c, d),
            (Cast(t, a), Cast(u, b)) => t == u && self.same(a, b),
            (Ite(a, c, e), Ite(b, d, f)) => self.same(a, b) && self.same(c, d) && self.same(e, f),
            _ => false,
        }
    }

    /// Is a variable after this one before?
    fn is(&self, after: VarRef, before: VarRef) -> bool {
        let locals = &self.reduction.templates[self.id.index()].locals;
        match (after, before) {
            (VarRef::Shared(a), VarRef::Shared(b)) => self.reduction.shared[a.index()] == b,
            (VarRef::Local(a), VarRef::Local(b)) => locals[a.index()] == b,
            _ => false,
        }
    }

    /// The locations before of an edge after.
    fn ends(&self, edge: &Edge) -> [LocId; 2] {
        let kept = &self.reduction.templates[self.id.index()].locations;
        [kept[edge.source.index()], kept[edge.target.index()]]
    }

    fn refuse<T>(&self, prefix: &Prefix, why: &str) -> Result<T, Reason> {
        let name = &self.program.templates[self.id.index()].name;
        let path: Vec<u32> = prefix.path.iter().map(|edge| edge.0).collect();
        refuse(format!("in `{name}`, the path {path:?} before the reduction {why}"))
    }
}

impl Prefix {
    /// How the runs are seen that have ended where the path is now.
    fn before_here(&self, program: &Program, id: TemplateId) -> Visible {
        let is_atomic = program.templates[id.index()].locations[self.at.index()].atomic;
        match self.path.is_empty() || is_atomic {
            true => self.before,
            false => self.before.or(self.run),
        }
    }
}
