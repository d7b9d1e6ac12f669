//! Sets of states as assertions about the program.
//!
//! A set is cut along its variables, locations first. Values that lead to the same rest are
//! kept together, as a list of locations or as intervals, so that a region stands for many states. What
//! is left of the shared cells is not cut if it is just what its projections on one or two
//! cells say together. A predicate needs no translation: what others cannot tell apart is together in a region.

use crate::bdd::{Bdd, Result, beyond, is_empty};
use crate::process::Processes;
use crate::refine::safe;
use crate::relations::{Group, Projection, meet, pairs, projections};
use crate::space::Space;
use crate::variable::Variable;
use crate::views::Views;
use ccfa::{BinOp, Expr, LocId, LocalId, SharedId, Type, Var, VarRef};
use evidence::{Region, Slot, Verdict, View};

/// A proof with more regions in a view is not made: `check` would take too long.
const MAX_REGIONS: usize = 50_000;

/// The proof that views are.
pub(crate) fn of_views(views: &Views) -> Result<Verdict> {
    let processes = views.space.processes;
    let mut all = Vec::new();
    for view in &views.list {
        let slot = |process: &usize| {
            let process = &processes.list[*process];
            Slot { thread: process.thread, index: process.index }
        };
        let slots = view.tracked.iter().map(slot).collect();
        let is_visible = |cell| view.visible.contains(&cell);
        let mut writer = Writer::new(views.space, &view.tracked, is_visible);
        writer.pairs = view.pairs.clone();
        writer.write(&view.reached, 0)?;
        all.push(View { slots, regions: writer.regions });
    }
    Ok(safe(all))
}

/// The proof that a set of states of the whole system is. If it is what some `relations` say
/// together of shared cells, that is said; they may also tell where some processes are.
pub(crate) fn of_all(
    space: &Space,
    all_slots: &[usize],
    reached: &Bdd,
    relations: Vec<Projection>,
) -> Result<Verdict> {
    let mut writer = Writer::new(space, all_slots, |_| true);
    writer.relations = relations;
    writer.pairs = pairs(writer.items.len() - writer.first_shared, |_| true);
    writer.exact = true;
    writer.write(reached, 0)?;
    let slots = instances(space.processes, all_slots);
    Ok(safe(vec![View { slots, regions: writer.regions }]))
}

fn instances(processes: &Processes, all_slots: &[usize]) -> Vec<Slot> {
    let mut slots: Vec<Slot> = Vec::new();
    for number in all_slots {
        let process = &processes.list[*number];
        let before = slots.iter().filter(|slot| slot.thread == process.thread).count() as u32;
        let index = Some(process.index.unwrap_or(before));
        slots.push(Slot { thread: process.thread, index });
    }
    slots
}

/// What a variable of a set is in the program.
enum Meaning<'p> {
    /// Where the process in this slot is.
    Location(usize),
    /// A cell, of this type.
    Cell(Expr, &'p Var),
}

struct Item<'s> {
    variable: &'s Variable,
    meaning: Meaning<'s>,
    /// It belongs to the owner or is shared: its values are always told.
    owned: bool,
}

/// Writes regions.
struct Writer<'s, 'a> {
    space: &'s Space<'a>,
    items: Vec<Item<'s>>,
    /// From here on items are shared.
    first_shared: usize,
    /// Pairs of shared items whose relations may be told at once.
    pairs: Vec<Group>,
    /// What may be told of shared items, and of where processes are that write them.
    relations: Vec<Projection>,
    /// What has been told, if there are any.
    path: Bdd,
    region: Region,
    regions: Vec<Region>,
    exact: bool,
}

impl<'s, 'a> Writer<'s, 'a> {
    fn new(
        space: &'s Space<'a>,
        tracked: &[usize],
        is_visible: impl Fn((usize, usize)) -> bool,
    ) -> Writer<'s, 'a> {
        let mut locations = Vec::new();
        let mut locals = Vec::new();
        let mut offset = 0;
        for (number, process) in tracked.iter().enumerate() {
            let slot = space.slot(number, *process);
            let owned = number == 0;
            let meaning = Meaning::Location(number);
            locations.push(Item { variable: &slot.location, meaning, owned });
            let vars = &space.processes.list[*process].template.locals;
            for (var, elements) in vars.iter().zip(&slot.locals) {
                let id = VarRef::Local(LocalId(offset));
                offset += 1;
                for (element, variable) in elements.iter().enumerate() {
                    let meaning = Meaning::Cell(read(id, var, element), var);
                    locals.push(Item { variable, meaning, owned });
                }
            }
        }
        let first_shared = locations.len() + locals.len();
        for (number, var) in space.processes.program.shared.iter().enumerate() {
            let id = VarRef::Shared(SharedId(number as u32));
            for (element, variable) in space.shared[number].iter().enumerate() {
                if is_visible((number, element)) {
                    let meaning = Meaning::Cell(read(id, var, element), var);
                    locals.push(Item { variable, meaning, owned: true });
                }
            }
        }
        locations.extend(locals);
        let region = Region { at: vec![None; tracked.len()], holds: Vec::new() };
        Writer {
            space,
            items: locations,
            first_shared,
            pairs: Vec::new(),
            relations: Vec::new(),
            path: space.dd.all(),
            region,
            regions: Vec::new(),
            exact: false,
        }
    }

    /// Writes the states of a set, from this item on.
    fn write(&mut self, states: &Bdd, item: usize) -> Result<()> {
        if self.regions.len() > MAX_REGIONS {
            return Err(beyond("the proof would be too large"));
        }
        if item >= self.first_shared
            && let Some(holds) = self.relations(states, item)?
        {
            let mut region = self.region.clone();
            region.holds.extend(holds);
            self.regions.push(region);
            return Ok(());
        }
        let Some(variable) = self.items.get(item).map(|item| item.variable) else {
            return Ok(()); // nothing is left, which is a relation
        };
        for (rest, values) in groups(self.space, variable, states)? {
            let before = (self.region.clone(), self.path.clone());
            let told = self.exact || self.items[item].owned || rest != *states;
            if told {
                self.tell(item, &values);
            }
            if !self.relations.is_empty() {
                let is = variable.among(&self.space.dd, |value| values.contains(&value))?;
                self.path = self.space.dd.and(&self.path, &is)?;
            }
            self.write(&rest, item + 1)?;
            (self.region, self.path) = before;
        }
        Ok(())
    }

    /// The set as relations between one or two cells, if that is all it says: what it says of cells
    /// alone, what may be told of pairs, or what it says of pairs itself.
    fn relations(&self, states: &Bdd, item: usize) -> Result<Option<Vec<Expr>>> {
        let items = &self.items[item..];
        let cells: Vec<&Variable> = items.iter().map(|item| item.variable).collect();
        let singles: Vec<Group> = (0..cells.len()).map(|cell| vec![cell]).collect();
        let singles = projections(self.space, &cells, states, &singles)?;
        if let Some(holds) = self.meeting(states, items, &singles, &[])? {
            return Ok(Some(holds));
        }
        if item == self.first_shared && !self.relations.is_empty() {
            let (singles, pairs) = self.relations_here()?;
            if let Some(holds) = self.meeting(states, items, &singles, &pairs)? {
                return Ok(Some(holds));
            }
        }
        let skipped = item - self.first_shared;
        let left = |pair: &&Group| pair.iter().all(|cell| *cell >= skipped);
        let pairs = self.pairs.iter().filter(left);
        let pairs: Vec<Group> =
            pairs.map(|pair| pair.iter().map(|cell| cell - skipped).collect()).collect();
        let pairs = projections(self.space, &cells, states, &pairs)?;
        self.meeting(states, items, &singles, &pairs)
    }

    /// What may be told of shared items alone and of pairs, after what has been told.
    fn relations_here(&self) -> Result<(Vec<Projection>, Vec<Projection>)> {
        let dd = &self.space.dd;
        let own = self.items[..self.first_shared].iter();
        let own = dd.all_of(own.map(|item| &item.variable.cube))?;
        let here = self.relations.iter().map(|Projection { group, says }| {
            let says = dd.and_exists(says, &self.path, &own)?;
            Ok(Projection { group: group.clone(), says })
        });
        let here = here.collect::<Result<Vec<Projection>>>()?;
        Ok(here.into_iter().partition(|relation| relation.group.len() == 1))
    }

    /// What is said of all cells alone and of pairs, if that is what the set says.
    fn meeting(
        &self,
        states: &Bdd,
        items: &[Item],
        singles: &[Projection],
        pairs: &[Projection],
    ) -> Result<Option<Vec<Expr>>> {
        let apart = meet(self.space, &self.space.dd.all(), singles)?;
        if meet(self.space, &apart, pairs)? != *states {
            return Ok(None);
        }
        let mut holds = Vec::new();
        for one in singles {
            holds.extend(self.formula(&[&items[one.group[0]]], &one.says)?);
        }
        for Projection { group, says } in pairs {
            let apart = group.iter().map(|cell| &singles[*cell].says);
            if *says != self.space.dd.all_of(apart)? {
                let group: Vec<&Item> = group.iter().map(|cell| &items[*cell]).collect();
                holds.extend(self.formula(&group, says)?);
            }
        }
        Ok(Some(holds))
    }

    /// What a set says of these cells; `None` if nothing.
    fn formula(&self, items: &[&Item], set: &Bdd) -> Result<Option<Expr>> {
        let [Item { variable, meaning: Meaning::Cell(read, var), .. }, others @ ..] = items else {
            return Ok(None);
        };
        let mut either: Option<Expr> = None;
        for (rest, values) in groups(self.space, variable, set)? {
            let here = among(read, var.ty, &values);
            let there = self.formula(others, &rest)?;
            let both = match (here, there) {
                (None, None) => return Ok(None),
                (Some(one), None) | (None, Some(one)) => one,
                (Some(here), Some(there)) => Expr::and(here, there),
            };
            either = Some(either.map_or(both.clone(), |either| Expr::or(either, both)));
        }
        Ok(either)
    }

    /// The variable has one of these values.
    fn tell(&mut self, item: usize, values: &[i128]) {
        match &self.items[item].meaning {
            Meaning::Location(slot) => {
                let locations = values.iter().map(|value| LocId(*value as u32)).collect();
                self.region.at[*slot] = Some(locations);
            }
            Meaning::Cell(read, var) => self.region.holds.extend(among(read, var.ty, values)),
        }
    }
}

/// The values of a variable in a set, those together that leave the same rest.
fn groups(space: &Space, variable: &Variable, states: &Bdd) -> Result<Vec<(Bdd, Vec<i128>)>> {
    let mut groups: Vec<(Bdd, Vec<i128>)> = Vec::new();
    for (value, is) in variable.values.iter().zip(&variable.is) {
        let rest = space.dd.and_exists(states, is, &variable.cube)?;
        match groups.iter_mut().find(|(other, _)| *other == rest) {
            Some((_, values)) => values.push(*value),
            None if is_empty(&rest) => {}
            None => groups.push((rest, vec![*value])),
        }
    }
    Ok(groups)
}

fn read(id: VarRef, var: &Var, element: usize) -> Expr {
    match var.len {
        None => Expr::Var(id),
        Some(_) => Expr::Index(id, Box::new(Expr::constant(element as i128, Type::signed(32)))),
    }
}

/// `read` has one of the values, which are in order; `None` if it always does.
fn among(read: &Expr, ty: Type, values: &[i128]) -> Option<Expr> {
    let mut runs: Vec<(i128, i128)> = Vec::new();
    for value in values {
        match runs.last_mut() {
            Some((_, high)) if *high + 1 == *value => *high = *value,
            _ => runs.push((*value, *value)),
        }
    }
    if ty.bounds().is_some_and(|bounds| runs == [bounds]) {
        return None;
    }
    let runs = runs.into_iter().map(|(low, high)| within(read, ty, low, high));
    runs.reduce(Expr::or)
}

fn within(read: &Expr, ty: Type, low: i128, high: i128) -> Expr {
    let constant = |value| Expr::Const(value, ty);
    let at_most = |left, right| Expr::binary(BinOp::Le, left, right);
    let (least, most) = ty.bounds().map_or((None, None), |(a, b)| (Some(a), Some(b)));
    if ty == Type::Bool {
        return if low == 1 { read.clone() } else { Expr::negate(read.clone()) };
    }
    if low == high {
        return Expr::eq(read.clone(), constant(low));
    }
    let above = if least == Some(low) { Expr::TRUE } else { at_most(constant(low), read.clone()) };
    let below = if most == Some(high) { Expr::TRUE } else { at_most(read.clone(), constant(high)) };
    Expr::and(above, below)
}
