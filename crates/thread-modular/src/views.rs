//! Reachable component states R̄ⱼ, with the guarantees of the others as their environment.
//!
//! A [`View`] is what the paper calls R̄ⱼ: the states of the shared variables and of a process,
//! its *owner*. With auxiliary variables it also shows other processes, as far as their
//! predicates tell. Four things differ from the paper:
//! - **Predicates instead of auxiliary variables.** A predicate χ says that a variable of
//!   another process has a certain value. Instead of a new variable u_χ, the
//!   variable itself is kept and the values that no predicate names are made
//!   indistinguishable ([`View::reached`] contains all or none of them): the same
//!   sets, and they speak of the program.
//! - **A few others at a time.** A view shows its owner and `others` more processes, not all. A
//!   step of someone who is not in view is one that all views allow which show it together
//!   with those in view. So identical processes have one view, however many there are.
//! - **Guarantees of reachable states only** (Flanagan and Qadeer 2003): a process guarantees what
//!   it does from the states that its own view allows, not what it would do from any.
//! - **Early quantification.** What a process can do is computed without its own seat, before it meets a
//!   view; and what it leads to for each group of cells of which the view says something
//!   ([`Shown`]), with everything else forgotten on the way.
//!
//! All views are computed together, as the least sets that contain the initial states and are closed under
//! everybody's steps. Each contains all reachable states (as far as it shows them), for any choice
//! of processes in the places of its roles: by induction on the length of a run.

use crate::bdd::{Bdd, Maybe, Renaming, is_empty};
use crate::expose::Exposed;
use crate::relations::{Group, pairs};
use crate::sight::{Sight, all_roles, beside};
use crate::space::{Cell, Space};
use crate::step::Part;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// What is known of some processes together.
pub(crate) struct View {
    /// Who is in view: processes, the owner first. An identical process may be there twice.
    pub roles: Vec<usize>,
    /// The shared cells in view.
    pub visible: BTreeSet<Cell>,
    /// The pairs of cells, by their number among those in view, whose relations count.
    pub pairs: Vec<Group>,
    /// The states, with the first role on the first seat and so on: what is said of all groups.
    pub reached: Bdd,
    groups: Vec<Shown>,
    changed: u64,
    /// For each part of the owner's steps, what it guarantees, if nobody else is in view.
    guarantees: Option<Rc<[Bdd]>>,
}

/// What a view says of some shared cells, and of those in view: of all its cells together, or of
/// a pair.
struct Shown {
    cells: BTreeSet<Cell>,
    /// All other cells that can be in sight, and seats that are not in view.
    forget: Bdd,
    says: Bdd,
}

/// All views, and how they depend on each other.
pub(crate) struct Views<'s, 'a> {
    /// Where states are written.
    pub space: &'s Space<'a>,
    /// The views.
    pub list: Vec<View>,
    exposed: &'s Exposed,
    /// By view.
    moves: Vec<Vec<Move>>,
    /// By seat: what to forget to forget who sits there.
    cubes: Vec<Bdd>,
    clock: u64,
    renamings: HashMap<Vec<usize>, Option<Renaming>>,
}

/// Somebody moves before the eyes of a view.
#[derive(Clone)]
struct Move {
    in_sight: Vec<usize>,
    mover: usize,
    /// Who says something about it: of those in view alone, and of one who moves and is not in
    /// view.
    about_view: Vec<Told>,
    about_mover: Vec<Told>,
    /// The move was made at this time.
    made_at: u64,
}

/// A view that says something, if its roles sit on these seats.
#[derive(Clone)]
pub(crate) struct Told {
    view: usize,
    seats: Vec<usize>,
}

impl<'s, 'a> Views<'s, 'a> {
    /// All views as they are at the start.
    pub fn new(space: &'s Space<'a>, sight: Sight, exposed: &'s Exposed) -> Maybe<Views<'s, 'a>> {
        let mut views = Views {
            space,
            list: Vec::new(),
            exposed,
            moves: Vec::new(),
            cubes: Vec::new(),
            clock: 1,
            renamings: HashMap::new(),
        };
        let seats = 0..space.seats_count();
        views.cubes = seats.map(|seat| space.block_cube(seat)).collect::<Maybe<Vec<Bdd>>>()?;
        let all = all_roles(space.processes, sight)?;
        let beside = beside(&all);
        for (roles, visible) in all {
            let owner = &space.seat(0, roles[0]).steps.plain;
            let is_own = |cell: &Cell| owner.iter().any(|step| step.writes.contains(cell));
            let cells: Vec<Cell> = visible.iter().copied().collect();
            let pairs = pairs(cells.len(), |cell| is_own(&cells[cell]));
            let in_pair = |pair: &Group| pair.iter().map(|cell| cells[*cell]).collect();
            let shown: Vec<BTreeSet<Cell>> = match sight.loose && !pairs.is_empty() {
                true => pairs.iter().map(in_pair).collect(),
                false => vec![visible.clone()],
            };
            let near = visible.iter().flat_map(|cell| &beside[cell]).copied().collect();
            let groups = shown.into_iter().map(|cells| views.show(&roles, &near, cells));
            let groups = groups.collect::<Maybe<Vec<Shown>>>()?;
            let reached = space.dd.all_of(groups.iter().map(|group| &group.says))?;
            views.list.push(View {
                roles,
                visible,
                pairs,
                reached,
                groups,
                changed: 1,
                guarantees: None,
            });
        }
        views.moves = (0..views.list.len()).map(|view| views.moves_before(view)).collect();
        Ok(views)
    }

    /// Re[G(P₁) ‖ … ‖ Pⱼ ‖ … ‖ G(P_N)] for all j at once.
    pub fn reach(&mut self) -> Maybe<()> {
        loop {
            let before = self.clock;
            for view in 0..self.list.len() {
                self.advance(view)?;
            }
            if self.clock == before {
                return Ok(());
            }
        }
    }

    /// What is said of these cells at the start, where those that are `near` can be in sight.
    fn show(&self, roles: &[usize], near: &BTreeSet<Cell>, cells: BTreeSet<Cell>) -> Maybe<Shown> {
        let (space, dd) = (self.space, &self.space.dd);
        let outside = dd.all_of(&self.cubes[roles.len()..])?;
        let forget =
            dd.and(&space.cube(|cell| near.contains(cell) && !cells.contains(cell))?, &outside)?;
        let others = dd.and(&space.cube(|cell| !cells.contains(cell))?, &outside)?;
        let seen = dd.exists(&space.initial(roles)?, &others)?;
        Ok(Shown { cells, forget, says: self.blurred(roles, &seen)? })
    }

    /// Adds what all moves before a view lead to. Those in view go on from where the one before
    /// has led; what the others do is added at once.
    fn advance(&mut self, view: usize) -> Maybe<()> {
        let mut seen = vec![self.space.dd.none(); self.list[view].groups.len()];
        for number in 0..self.moves[view].len() {
            self.follow(view, number, &mut seen)?;
            if self.moves[view][number].mover < self.list[view].roles.len() {
                self.extend(view, &seen)?;
            }
        }
        self.extend(view, &seen)
    }

    /// Adds what a move leads to, for each group; nothing if nobody has news of it.
    fn follow(&mut self, view: usize, number: usize, seen: &mut [Bdd]) -> Maybe<()> {
        let here = &mut self.moves[view][number];
        let told_by = here.about_view.iter().chain(&here.about_mover);
        let news = told_by.map(|told| self.list[told.view].changed).max();
        if news.is_none_or(|news| news <= here.made_at) {
            return Ok(());
        }
        here.made_at = self.clock;
        let here = here.clone();
        let from = self.say_together(&here.about_view)?;
        let from = self.space.others_free(&from, &here.in_sight, here.mover)?;
        if here.mover < self.list[view].roles.len() {
            self.follow_inside(view, &here, &from, seen)
        } else {
            let guarantees = self.guarantees(view, &here)?;
            self.follow_outside(view, &here, &from, &guarantees, seen)
        }
    }

    /// Adds what a move of one in view leads to from these states. What its steps overwrite is
    /// forgotten once for all groups.
    fn follow_inside(&self, view: usize, here: &Move, from: &Bdd, seen: &mut [Bdd]) -> Maybe<()> {
        let (space, View { roles, groups, .. }) = (self.space, &self.list[view]);
        for part in space.parts(here.mover, here.in_sight[here.mover]) {
            let kept = part.kept(space, from)?;
            for (group, seen) in groups.iter().zip(seen.iter_mut()) {
                let image = part.arrive(space, &kept, &group.forget)?;
                *seen = space.dd.or(seen, &self.blurred(roles, &image)?)?;
            }
        }
        Ok(())
    }

    /// Adds what a move of one who is not in view leads to from these states, with what it
    /// guarantees. If it writes no cell of a group, what is said of the group stays as it is.
    ///
    /// What is said of a group alone, and of its cells by the guarantee, is more than what is said
    /// of all cells together; so it leads to more. That is quick to see, and if none of it is
    /// new, nothing is.
    fn follow_outside(
        &self,
        view: usize,
        here: &Move,
        from: &Bdd,
        guarantees: &[Bdd],
        seen: &mut [Bdd],
    ) -> Maybe<()> {
        let (space, View { roles, groups, .. }) = (self.space, &self.list[view]);
        let parts = space.parts(here.mover, here.in_sight[here.mover]);
        for (part, guarantee) in parts.zip(guarantees) {
            let image = |from: &Bdd, guarantee: &Bdd, group: &Shown| {
                let image = part.image_but(space, from, guarantee, &group.forget)?;
                self.blurred(roles, &image)
            };
            for (group, seen) in groups.iter().zip(seen.iter_mut()) {
                if part.writes.is_disjoint(&group.cells) {
                    continue;
                }
                if groups.len() > 1 {
                    let near = space.dd.exists(guarantee, &group.forget)?;
                    let most = image(&group.says, &near, group)?;
                    if is_empty(&space.dd.minus(&most, &group.says)?) {
                        continue;
                    }
                }
                *seen = space.dd.or(seen, &image(from, guarantee, group)?)?;
            }
        }
        Ok(())
    }

    /// G(P) for each part of the steps of one who moves and is not in view, as far as the view can
    /// tell. If its own view tells all that is known of it, that is the same for all who see
    /// it, and is computed once.
    fn guarantees(&mut self, view: usize, here: &Move) -> Maybe<Rc<[Bdd]>> {
        let process = here.in_sight[here.mover];
        let own_view = match &here.about_mover[..] {
            [Told { view, seats }] if *seats == [here.mover] => *view,
            about_mover => {
                let known = self.say_together(about_mover)?;
                let visible = &self.list[view].visible;
                let is_seen = |part: &Part| !part.writes.is_disjoint(visible);
                return self.guaranteed(&known, here.mover, process, is_seen);
            }
        };
        if let Some(known) = &self.list[own_view].guarantees {
            return Ok(known.clone());
        }
        let guarantees = self.guaranteed(&self.list[own_view].reached, 0, process, |_| true)?;
        self.list[own_view].guarantees = Some(guarantees.clone());
        Ok(guarantees)
    }

    /// What a process on this seat can do, if this is known of it; nothing for parts that are not
    /// seen.
    fn guaranteed(
        &self,
        known: &Bdd,
        seat: usize,
        process: usize,
        is_seen: impl Fn(&Part) -> bool,
    ) -> Maybe<Rc<[Bdd]>> {
        let guarantee = |part: &Part| match is_seen(part) {
            true => part.guarantee(self.space, known, &self.cubes[seat]),
            false => Ok(self.space.dd.none()),
        };
        self.space.parts(seat, process).map(guarantee).collect()
    }

    /// Adds states to what a view says of each group.
    fn extend(&mut self, view: usize, seen: &[Bdd]) -> Maybe<()> {
        let dd = &self.space.dd;
        let View { reached, groups, changed, guarantees, .. } = &mut self.list[view];
        let mut grown = false;
        for (group, seen) in groups.iter_mut().zip(seen) {
            let larger = dd.or(&group.says, seen)?;
            grown |= larger != group.says;
            group.says = larger;
        }
        if grown {
            *reached = dd.all_of(groups.iter().map(|group| &group.says))?;
            self.clock += 1;
            *changed = self.clock;
            *guarantees = None;
        }
        Ok(())
    }

    /// The states as far as predicates of those in view tell, but for the owner.
    fn blurred(&self, roles: &[usize], states: &Bdd) -> Maybe<Bdd> {
        let mut seen = states.clone();
        for (seat, role) in roles.iter().enumerate().skip(1) {
            seen = self.exposed.blur(self.space, &seen, seat, *role)?;
        }
        Ok(seen)
    }

    /// What all views say together of those in sight: the join ⋈.
    pub fn join(&mut self, in_sight: &[usize]) -> Maybe<Bdd> {
        let told_by = self.told_by(in_sight);
        self.say_together(&told_by)
    }

    fn say_together(&mut self, told_by: &[Told]) -> Maybe<Bdd> {
        let mut known = self.space.dd.all();
        for Told { view, seats } in told_by {
            if !self.renamings.contains_key(seats) {
                let renaming = self.space.reseat(seats)?;
                self.renamings.insert(seats.clone(), renaming);
            }
            let reached = &self.list[*view].reached;
            let said = match &self.renamings[seats] {
                None => reached.clone(),
                Some(renaming) => self.space.dd.rename(reached, renaming)?,
            };
            known = self.space.dd.and(&known, &said)?;
        }
        Ok(known)
    }

    /// All moves of those in view, then of others who can disturb them.
    fn moves_before(&self, view: usize) -> Vec<Move> {
        let roles = &self.list[view].roles;
        let list = &self.space.processes.list;
        let outside = (0..list.len()).filter(|process| {
            let shown = roles.iter().filter(|role| *role == process).count();
            (shown as u64) < u64::from(list[*process].count)
        });
        let outside = outside.map(|process| ([roles.as_slice(), &[process]].concat(), roles.len()));
        let inside = (0..roles.len()).map(|mover| (roles.clone(), mover));
        let moves = inside.chain(outside.filter(|(in_sight, mover)| {
            let writes = &self.space.seat(*mover, in_sight[*mover]).steps.plain;
            writes.iter().any(|step| !step.writes.is_disjoint(&self.list[view].visible))
        }));
        moves
            .map(|(in_sight, mover)| {
                let in_view = |told: &Told| told.seats.iter().all(|seat| *seat < roles.len());
                let (about_view, about_mover) =
                    self.told_by(&in_sight).into_iter().partition(in_view);
                Move { in_sight, mover, about_view, about_mover, made_at: 0 }
            })
            .collect()
    }

    /// All views of those in sight, and on which seats.
    fn told_by(&self, in_sight: &[usize]) -> Vec<Told> {
        let mut told = Vec::new();
        for (view, View { roles, .. }) in self.list.iter().enumerate() {
            if roles.iter().all(|role| in_sight.contains(role)) {
                let all = seatings(roles, in_sight);
                told.extend(all.into_iter().map(|seats| Told { view, seats }));
            }
        }
        told
    }
}

/// All ways to find different seats for the roles.
fn seatings(roles: &[usize], in_sight: &[usize]) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![vec![]];
    for role in roles {
        let longer = |seats: &Vec<usize>| {
            let seats = seats.clone();
            let free = (0..in_sight.len()).filter(|seat| in_sight[*seat] == *role);
            let free: Vec<usize> = free.filter(|seat| !seats.contains(seat)).collect();
            free.into_iter().map(move |seat| [seats.as_slice(), &[seat]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
