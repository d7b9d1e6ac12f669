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

use crate::access::accesses;
use crate::bdd::{Bdd, Maybe, Renaming, beyond};
use crate::expose::Exposed;
use crate::process::Processes;
use crate::relations::{Group, pairs};
use crate::space::{Cell, Space};
use std::collections::{BTreeSet, HashMap};

/// More views than these are too many.
const MOST_VIEWS: usize = 4000;

/// How much a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sight {
    /// So many processes beside the owner.
    pub others: usize,
    /// Only the shared cells that those in view use, and only others that use a cell of the owner.
    pub near: bool,
    /// Only relations between two shared cells at a time: see [`crate::relations`].
    pub loose: bool,
}

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

/// The roles of all views, and the cells that each shows.
pub(crate) fn all_roles(
    processes: &Processes,
    sight: Sight,
) -> Maybe<Vec<(Vec<usize>, BTreeSet<Cell>)>> {
    let used: Vec<BTreeSet<Cell>> =
        (0..processes.list.len()).map(|number| accesses(processes, number)).collect();
    let every: BTreeSet<Cell> = used.iter().flatten().copied().collect();
    let mut all = Vec::new();
    for owner in 0..processes.list.len() {
        let mut tuples = vec![vec![owner]];
        for _ in 0..sight.others {
            tuples =
                tuples.iter().flat_map(|roles| longer(processes, sight, &used, roles)).collect();
            if all.len() + tuples.len() > MOST_VIEWS {
                return Err(beyond("too many different processes to look at them together"));
            }
        }
        let everyone = Sight { near: false, ..sight };
        if sight.others > 0 && tuples.len() < longer(processes, everyone, &used, &[owner]).len() {
            tuples.push(vec![owner]); // for those who do not see it with its neighbours
        }
        for roles in tuples {
            let near = roles.iter().flat_map(|role| used[*role].iter().copied()).collect();
            all.push((roles, if sight.near { near } else { every.clone() }));
        }
    }
    Ok(all)
}

/// The roles with one more, in all ways; others are in ascending order.
fn longer(
    processes: &Processes,
    sight: Sight,
    used: &[BTreeSet<Cell>],
    roles: &[usize],
) -> Vec<Vec<usize>> {
    let first = if roles.len() == 1 { 0 } else { roles[roles.len() - 1] };
    let fits = |other: &usize| {
        let is_there = roles.iter().filter(|role| *role == other).count();
        is_there < processes.list[*other].count as usize
            && (!sight.near || !used[roles[0]].is_disjoint(&used[*other]))
    };
    let with = |other: usize| [roles, &[other]].concat();
    let longer: Vec<Vec<usize>> = (first..processes.list.len()).filter(fits).map(with).collect();
    if longer.is_empty() && roles.len() == 1 { vec![roles.to_vec()] } else { longer }
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
            views.list.push(View { roles, visible, pairs, reached, groups, changed: 1 });
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
    ///
    /// What is not in a group is forgotten as early as possible. One who is not in view
    /// and writes no cell of a group leaves what is said of it as it is.
    fn follow(&mut self, view: usize, number: usize, seen: &mut [Bdd]) -> Maybe<()> {
        let here = &mut self.moves[view][number];
        let told_by = here.about_view.iter().chain(&here.about_mover);
        let news = told_by.map(|told| self.list[told.view].changed).max();
        if news.is_none_or(|news| news <= here.made_at) {
            return Ok(());
        }
        here.made_at = self.clock;
        let (about_view, about_mover) = (here.about_view.clone(), here.about_mover.clone());
        let (from, known) = (self.say_together(&about_view)?, self.say_together(&about_mover)?);
        let (space, here, view) = (self.space, &self.moves[view][number], &self.list[view]);
        let from = space.others_free(&from, &here.in_sight, here.mover)?;
        let in_view = here.mover < view.roles.len();
        let mover = space.seat(here.mover, here.in_sight[here.mover]);
        for part in mover.steps.plain.iter().flat_map(|step| &step.parts) {
            let condition = match in_view {
                true => part.condition.clone(),
                false if part.writes.is_disjoint(&view.visible) => continue,
                false => part.guarantee(space, &known, &self.cubes[here.mover])?,
            };
            for (group, seen) in view.groups.iter().zip(seen.iter_mut()) {
                if in_view || !part.writes.is_disjoint(&group.cells) {
                    let image = part.image_but(space, &from, &condition, &group.forget)?;
                    *seen = space.dd.or(seen, &self.blurred(&view.roles, &image)?)?;
                }
            }
        }
        Ok(())
    }

    /// Adds states to what a view says of each group.
    fn extend(&mut self, view: usize, seen: &[Bdd]) -> Maybe<()> {
        let dd = &self.space.dd;
        let View { reached, groups, changed, .. } = &mut self.list[view];
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

/// For each cell, those that are in a view with it: whoever disturbs a view is known by views
/// that show one of its cells, so no others can be in sight.
fn beside(all: &[(Vec<usize>, BTreeSet<Cell>)]) -> HashMap<Cell, BTreeSet<Cell>> {
    let mut beside: HashMap<Cell, BTreeSet<Cell>> = HashMap::new();
    for (_, visible) in all {
        for cell in visible {
            beside.entry(*cell).or_default().extend(visible);
        }
    }
    beside
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
