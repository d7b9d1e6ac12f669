//! Reachable component states R̄ⱼ, with the guarantees of the others as their environment.
//!
//! A [`ProcessView`] is what the paper calls R̄ⱼ (Algorithm 1): the states of the shared variables and of a process,
//! its *owner*. With auxiliary variables (its Section 4) it also tracks other processes, as far as their
//! predicates tell. Four things differ from the paper:
//! - **Predicates instead of auxiliary variables.** A predicate χ says that a variable of
//!   another process has a certain value. Instead of a new variable u_χ, the
//!   variable itself is kept and the values that no predicate names are made
//!   indistinguishable ([`ProcessView::reached`] contains all or none of them): the same
//!   sets, and they speak of the program.
//! - **A few others at a time.** A view tracks its owner and `others` more processes, not all. A
//!   step of an environment process, one that is not tracked, is one that all views allow which track it together
//!   with tracked ones. So identical processes have one view, however many there are.
//! - **Guarantees of reachable states only** (Flanagan and Qadeer 2003): a process guarantees what
//!   it does from the states that its own view allows, not what it would do from any.
//! - **Early quantification.** What a process can do is computed with its own slot quantified, before it is applied to a
//!   view; and what it leads to for each group of cells of which the view says something
//!   ([`GroupStates`]), with everything else quantified on the way.
//!
//! All views are computed together, as the least sets that contain the initial states and are closed under the steps of
//! all processes. Each contains all reachable states (as far as it tracks them), for any choice
//! of processes for its slots: by induction on the length of a run.

use crate::bdd::{Bdd, Renaming, Result, is_empty};
use crate::expose::Exposed;
use crate::relations::{Group, pairs};
use crate::space::{Cell, Space};
use crate::step::EdgePart;
use crate::tracking::{Tracking, all_views, beside};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// The states of some processes that are tracked together.
pub(crate) struct ProcessView {
    /// The tracked processes, the owner first. An identical process may be there twice.
    pub tracked: Vec<usize>,
    /// The tracked shared cells.
    pub visible: BTreeSet<Cell>,
    /// The pairs of cells, by their number among the tracked ones, whose relations count.
    pub pairs: Vec<Group>,
    /// The states, with the first tracked process in the first slot and so on: the conjunction of all groups.
    pub reached: Bdd,
    groups: Vec<GroupStates>,
    changed: u64,
    /// For each part of the owner's steps, what it guarantees, if no other process is tracked.
    guarantees: Option<Rc<[Bdd]>>,
}

/// What a view says of some shared cells, and of the tracked processes: of all its cells together, or of
/// a pair.
struct GroupStates {
    cells: BTreeSet<Cell>,
    /// All other cells that can occur, and slots of processes that are not tracked.
    quantified: Bdd,
    says: Bdd,
}

/// All views, and how they depend on each other.
pub(crate) struct Views<'s, 'a> {
    /// Where states are written.
    pub space: &'s Space<'a>,
    /// The views.
    pub list: Vec<ProcessView>,
    exposed: &'s Exposed,
    /// By view.
    moves: Vec<Vec<MoverSteps>>,
    /// By slot: its bits, to be quantified.
    slot_cubes: Vec<Bdd>,
    clock: u64,
    renamings: HashMap<Vec<usize>, Option<Renaming>>,
}

/// The steps of one process, as they concern a view.
#[derive(Clone)]
struct MoverSteps {
    /// The tracked processes, and the mover if it is not one of them: one in each slot.
    present: Vec<usize>,
    /// The slot of the process that moves.
    mover: usize,
    /// The instantiated views that speak of these: of tracked processes alone, and of a mover that is not
    /// tracked.
    of_tracked: Vec<InstantiatedView>,
    of_mover: Vec<InstantiatedView>,
    /// When the move was last applied.
    applied_at: u64,
}

/// A view with its tracked processes in certain slots.
#[derive(Clone)]
pub(crate) struct InstantiatedView {
    view: usize,
    slots: Vec<usize>,
}

impl<'s, 'a> Views<'s, 'a> {
    /// All views as they are at the start.
    pub fn new(
        space: &'s Space<'a>,
        tracking: Tracking,
        exposed: &'s Exposed,
    ) -> Result<Views<'s, 'a>> {
        let mut views = Views {
            space,
            list: Vec::new(),
            exposed,
            moves: Vec::new(),
            slot_cubes: Vec::new(),
            clock: 1,
            renamings: HashMap::new(),
        };
        let slots = 0..space.slot_count();
        views.slot_cubes = slots.map(|slot| space.slot_cube(slot)).collect::<Result<Vec<Bdd>>>()?;
        let all = all_views(space.processes, tracking)?;
        let beside = beside(&all);
        for (tracked, visible) in all {
            let owner = &space.slot(0, tracked[0]).steps.plain;
            let is_own = |cell: &Cell| owner.iter().any(|step| step.writes.contains(cell));
            let cells: Vec<Cell> = visible.iter().copied().collect();
            let pairs = pairs(cells.len(), |cell| is_own(&cells[cell]));
            let in_pair = |pair: &Group| pair.iter().map(|cell| cells[*cell]).collect();
            let shown: Vec<BTreeSet<Cell>> = match tracking.pairwise && !pairs.is_empty() {
                true => pairs.iter().map(in_pair).collect(),
                false => vec![visible.clone()],
            };
            let occurring = visible.iter().flat_map(|cell| &beside[cell]).copied().collect();
            let groups =
                shown.into_iter().map(|cells| views.initial_group(&tracked, &occurring, cells));
            let groups = groups.collect::<Result<Vec<GroupStates>>>()?;
            let reached = space.dd.all_of(groups.iter().map(|group| &group.says))?;
            views.list.push(ProcessView {
                tracked,
                visible,
                pairs,
                reached,
                groups,
                changed: 1,
                guarantees: None,
            });
        }
        views.moves = (0..views.list.len()).map(|view| views.moves_of(view)).collect();
        Ok(views)
    }

    /// Re[G(P₁) ‖ … ‖ Pⱼ ‖ … ‖ G(P_N)] for all j at once.
    pub fn reach(&mut self) -> Result<()> {
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

    /// The initial states of these cells, where `occurring` cells can occur.
    fn initial_group(
        &self,
        tracked: &[usize],
        occurring: &BTreeSet<Cell>,
        cells: BTreeSet<Cell>,
    ) -> Result<GroupStates> {
        let (space, dd) = (self.space, &self.space.dd);
        let outside = dd.all_of(&self.slot_cubes[tracked.len()..])?;
        let quantified = dd.and(
            &space.cube(|cell| occurring.contains(cell) && !cells.contains(cell))?,
            &outside,
        )?;
        let others = dd.and(&space.cube(|cell| !cells.contains(cell))?, &outside)?;
        let seen = dd.exists(&space.initial(tracked)?, &others)?;
        Ok(GroupStates { cells, quantified, says: self.abstracted(tracked, &seen)? })
    }

    /// Applies all moves to a view. Tracked processes start from where the one before
    /// has led; the interference of others is added at once.
    fn advance(&mut self, view: usize) -> Result<()> {
        let mut seen = vec![self.space.dd.none(); self.list[view].groups.len()];
        for number in 0..self.moves[view].len() {
            self.follow(view, number, &mut seen)?;
            if self.moves[view][number].mover < self.list[view].tracked.len() {
                self.extend(view, &seen)?;
            }
        }
        self.extend(view, &seen)
    }

    /// Adds what a move leads to, for each group; nothing if no view that speaks of it has changed.
    fn follow(&mut self, view: usize, number: usize, seen: &mut [Bdd]) -> Result<()> {
        let here = &mut self.moves[view][number];
        let instantiated = here.of_tracked.iter().chain(&here.of_mover);
        let news = instantiated.map(|found| self.list[found.view].changed).max();
        if news.is_none_or(|news| news <= here.applied_at) {
            return Ok(());
        }
        here.applied_at = self.clock;
        let here = here.clone();
        let from = self.conjunction(&here.of_tracked)?;
        let from = self.space.others_free(&from, &here.present, here.mover)?;
        if here.mover < self.list[view].tracked.len() {
            self.follow_tracked(view, &here, &from, seen)
        } else {
            let guarantees = self.guarantees(view, &here)?;
            self.follow_environment(view, &here, &from, &guarantees, seen)
        }
    }

    /// Adds what the steps of a tracked process lead to from these states. What they overwrite is
    /// quantified once for all groups.
    fn follow_tracked(
        &self,
        view: usize,
        here: &MoverSteps,
        from: &Bdd,
        seen: &mut [Bdd],
    ) -> Result<()> {
        let (space, ProcessView { tracked, groups, .. }) = (self.space, &self.list[view]);
        for part in space.parts(here.mover, here.present[here.mover]) {
            let kept = part.kept(space, from)?;
            for (group, seen) in groups.iter().zip(seen.iter_mut()) {
                let image = part.arrive(space, &kept, &group.quantified)?;
                *seen = space.dd.or(seen, &self.abstracted(tracked, &image)?)?;
            }
        }
        Ok(())
    }

    /// Applies interference: adds what the guarantee of an environment process leads to from these
    /// states. If it writes no cell of a group, what is said of the group stays as it is.
    ///
    /// What is said of a group alone, and of its cells by the guarantee, is more than what is said
    /// of all cells together; so it leads to more. That is quick to see, and if none of it is
    /// new, nothing is.
    fn follow_environment(
        &self,
        view: usize,
        here: &MoverSteps,
        from: &Bdd,
        guarantees: &[Bdd],
        seen: &mut [Bdd],
    ) -> Result<()> {
        let (space, ProcessView { tracked, groups, .. }) = (self.space, &self.list[view]);
        let parts = space.parts(here.mover, here.present[here.mover]);
        for (part, guarantee) in parts.zip(guarantees) {
            let image = |from: &Bdd, guarantee: &Bdd, group: &GroupStates| {
                let image = part.image_but(space, from, guarantee, &group.quantified)?;
                self.abstracted(tracked, &image)
            };
            for (group, seen) in groups.iter().zip(seen.iter_mut()) {
                if part.writes.is_disjoint(&group.cells) {
                    continue;
                }
                if groups.len() > 1 {
                    let projected = space.dd.exists(guarantee, &group.quantified)?;
                    let most = image(&group.says, &projected, group)?;
                    if is_empty(&space.dd.minus(&most, &group.says)?) {
                        continue;
                    }
                }
                *seen = space.dd.or(seen, &image(from, guarantee, group)?)?;
            }
        }
        Ok(())
    }

    /// G(P) for each part of the steps of an environment process, as far as the view tracks what they
    /// write. If its own view says all that is known of it, that is the same for all views, and is computed once.
    fn guarantees(&mut self, view: usize, here: &MoverSteps) -> Result<Rc<[Bdd]>> {
        let process = here.present[here.mover];
        let own_view = match &here.of_mover[..] {
            [InstantiatedView { view, slots }] if *slots == [here.mover] => *view,
            of_mover => {
                let known = self.conjunction(of_mover)?;
                let visible = &self.list[view].visible;
                let is_visible = |part: &EdgePart| !part.writes.is_disjoint(visible);
                return self.guaranteed(&known, here.mover, process, is_visible);
            }
        };
        if let Some(known) = &self.list[own_view].guarantees {
            return Ok(known.clone());
        }
        let guarantees = self.guaranteed(&self.list[own_view].reached, 0, process, |_| true)?;
        self.list[own_view].guarantees = Some(guarantees.clone());
        Ok(guarantees)
    }

    /// What a process in this slot can do, if this is known of it; nothing for parts that are not
    /// visible.
    fn guaranteed(
        &self,
        known: &Bdd,
        slot: usize,
        process: usize,
        is_visible: impl Fn(&EdgePart) -> bool,
    ) -> Result<Rc<[Bdd]>> {
        let guarantee = |part: &EdgePart| match is_visible(part) {
            true => part.guarantee(self.space, known, &self.slot_cubes[slot]),
            false => Ok(self.space.dd.none()),
        };
        self.space.parts(slot, process).map(guarantee).collect()
    }

    /// Adds states to what a view says of each group.
    fn extend(&mut self, view: usize, seen: &[Bdd]) -> Result<()> {
        let dd = &self.space.dd;
        let ProcessView { reached, groups, changed, guarantees, .. } = &mut self.list[view];
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

    /// The states, abstracted by the predicates of the tracked processes but for the owner.
    fn abstracted(&self, tracked: &[usize], states: &Bdd) -> Result<Bdd> {
        let mut seen = states.clone();
        for (slot, process) in tracked.iter().enumerate().skip(1) {
            seen = self.exposed.abstracted(self.space, &seen, slot, *process)?;
        }
        Ok(seen)
    }

    /// What all views say together of the processes that are present: the join ⋈.
    pub fn join(&mut self, present: &[usize]) -> Result<Bdd> {
        let views = self.instantiated(present);
        self.conjunction(&views)
    }

    /// What instantiated views say together.
    fn conjunction(&mut self, instantiated: &[InstantiatedView]) -> Result<Bdd> {
        let mut known = self.space.dd.all();
        for InstantiatedView { view, slots } in instantiated {
            if !self.renamings.contains_key(slots) {
                let renaming = self.space.move_to_slots(slots)?;
                self.renamings.insert(slots.clone(), renaming);
            }
            let reached = &self.list[*view].reached;
            let said = match &self.renamings[slots] {
                None => reached.clone(),
                Some(renaming) => self.space.dd.rename(reached, renaming)?,
            };
            known = self.space.dd.and(&known, &said)?;
        }
        Ok(known)
    }

    /// All moves of tracked processes, then of environment processes that can interfere with them.
    fn moves_of(&self, view: usize) -> Vec<MoverSteps> {
        let tracked = &self.list[view].tracked;
        let list = &self.space.processes.list;
        let outside = (0..list.len()).filter(|process| {
            let shown = tracked.iter().filter(|other| *other == process).count();
            (shown as u64) < u64::from(list[*process].count)
        });
        let outside =
            outside.map(|process| ([tracked.as_slice(), &[process]].concat(), tracked.len()));
        let inside = (0..tracked.len()).map(|mover| (tracked.clone(), mover));
        let moves = inside.chain(outside.filter(|(present, mover)| {
            let writes = &self.space.slot(*mover, present[*mover]).steps.plain;
            writes.iter().any(|step| !step.writes.is_disjoint(&self.list[view].visible))
        }));
        moves
            .map(|(present, mover)| {
                let is_tracked =
                    |known: &InstantiatedView| known.slots.iter().all(|slot| *slot < tracked.len());
                let (of_tracked, of_mover) =
                    self.instantiated(&present).into_iter().partition(is_tracked);
                MoverSteps { present, mover, of_tracked, of_mover, applied_at: 0 }
            })
            .collect()
    }

    /// All views of which the tracked processes are present, and in which slots.
    fn instantiated(&self, present: &[usize]) -> Vec<InstantiatedView> {
        let mut found = Vec::new();
        for (view, ProcessView { tracked, .. }) in self.list.iter().enumerate() {
            if tracked.iter().all(|process| present.contains(process)) {
                let all = instantiations(tracked, present);
                found.extend(all.into_iter().map(|slots| InstantiatedView { view, slots }));
            }
        }
        found
    }
}

/// All ways to find different slots for the tracked processes.
fn instantiations(tracked: &[usize], present: &[usize]) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![vec![]];
    for process in tracked {
        let longer = |slots: &Vec<usize>| {
            let slots = slots.clone();
            let free = (0..present.len()).filter(|slot| present[*slot] == *process);
            let free: Vec<usize> = free.filter(|slot| !slots.contains(slot)).collect();
            free.into_iter().map(move |slot| [slots.as_slice(), &[slot]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
