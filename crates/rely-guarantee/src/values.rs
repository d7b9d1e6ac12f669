//! Is there a modular proof at all, and if so, which one?
//!
//! Where few values occur, this can be found out by running the program as the modular rule sees it
//! (`run`). What is reached so belongs to every modular proof. If an error is reached, there is none, and
//! no time need be lost on looking for it. Otherwise what was reached is a proof; and mostly a weaker one
//! will do, in which a thread does not look at all variables. So we try to do without many at once, and if
//! that fails, without half of them, and so on. States that differ in one variable alone are said together.
//!
//! This is no step of the paper. Predicates say more with less where there are many values, so it is
//! their turn first; but where the values of several variables depend on each other, more states can be told apart by
//! predicates than there are.

use crate::run::{Reached, Run, Seen, Sights, Stop};
use crate::setting::Setting;
use ccfa::{EdgeId, LocId, LocalId, SharedId, Type, VarRef};
use logic::{FastMap, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// More states than this are not looked at,
const MOST_STATES: usize = 20_000;

/// nor states with more cells than this together.
const MOST_CELLS: usize = 4_000_000;

/// So many times it is tried to do without variables.
const MOST_TRIES: usize = 300;

/// A proof with more regions than this is not worth having.
const MOST_REGIONS: usize = 2_000;

/// What running the program says.
pub(crate) enum Modular {
    /// There is no modular proof.
    No,
    /// This is one.
    Proof(Vec<Region>),
    /// There are too many values, or some that are not known.
    Unclear,
}

/// What holds of the one in view at a location, perhaps.
pub(crate) struct Region {
    pub view: usize,
    pub at: LocId,
    pub literals: Vec<Term>,
}

/// With one in view.
pub(crate) fn modular(setting: &mut Setting) -> Modular {
    let watchers = watchers(setting);
    let mut sights = sights(setting, &watchers);
    let most = MOST_STATES.min(MOST_CELLS / setting.system.cell_count().max(1));
    let reached = loop {
        match Run::new(setting, &watchers, &sights, most).all() {
            Ok(reached) => break reached,
            Err(Stop::Vague(cell)) => look_away(setting, &watchers, &mut sights, cell),
            Err(Stop::Error { sure: true }) => return Modular::No,
            Err(Stop::Error { sure: false } | Stop::TooMany) => return Modular::Unclear,
        }
    };
    // Instances in any number are more than were looked at.
    if setting.system.program.is_parameterised() {
        return Modular::Unclear;
    }
    let reached = with_less(setting, &watchers, sights, reached);
    let cubes = cubes(&reached);
    match cubes.len() > MOST_REGIONS {
        true => Modular::Unclear,
        false => Modular::Proof(regions(setting, cubes)),
    }
}

/// One instance of each role, and a second one where there may be many.
fn watchers(setting: &Setting) -> Vec<usize> {
    setting.players.iter().flat_map(|players| players.iter().take(2).copied()).collect()
}

/// All that each watcher can look at, but for shared variables that may be anything at the start.
fn sights(setting: &Setting, watchers: &[usize]) -> Sights {
    let start = setting.system.initial();
    let mut sights = Vec::new();
    for watcher in watchers {
        let mut sight = vec![false; start.cells.len()];
        for var in variables(setting, *watcher) {
            for cell in cells(setting, *watcher, var) {
                sight[cell] = matches!(var, VarRef::Local(_)) || start.cells[cell].is_some();
            }
        }
        sights.push(sight);
    }
    sights
}

/// Nobody looks any longer at the shared variable to which a cell belongs.
fn look_away(setting: &Setting, watchers: &[usize], sights: &mut Sights, cell: usize) {
    for var in variables(setting, watchers[0]) {
        let cells = cells(setting, watchers[0], var);
        if cells.contains(&cell) {
            sights.iter_mut().for_each(|sight| sight[cells.clone()].fill(false));
        }
    }
}

/// What is reached if watchers look at less, as long as that excludes errors.
fn with_less(
    setting: &Setting,
    watchers: &[usize],
    mut sights: Sights,
    mut reached: Reached,
) -> Reached {
    let mut groups = groups(setting, watchers, &sights, &reached);
    for _ in 0..MOST_TRIES {
        let Some(group) = groups.pop().filter(|_| setting.pause().is_ok()) else { break };
        let mut fewer = sights.clone();
        for (watcher, cell) in &group {
            fewer[*watcher][*cell] = false;
        }
        match Run::new(setting, watchers, &fewer, reached.states.len()).all() {
            Ok(smaller) => (sights, reached) = (fewer, smaller),
            Err(_) if group.len() > 1 => {
                let (one, other) = group.split_at(group.len() / 2);
                groups.extend([one.to_vec(), other.to_vec()]);
            }
            Err(_) => {}
        }
    }
    reached
}

/// What to try to do without, by watcher and cell: first (they stand at the end) those that have one value
/// all the time, and those that a watcher does not use.
fn groups(
    setting: &Setting,
    watchers: &[usize],
    sights: &Sights,
    reached: &Reached,
) -> Vec<Vec<(usize, usize)>> {
    let mut values: FastMap<(usize, usize), BTreeSet<Option<i128>>> = FastMap::default();
    for seen in &reached.states {
        for (cell, value) in reached.cells(seen) {
            values.entry((seen.watcher, cell)).or_default().insert(value);
        }
    }
    let (mut used, mut unused, mut constant) = (Vec::new(), Vec::new(), Vec::new());
    for (number, watcher) in watchers.iter().enumerate() {
        let is_used = used_cells(setting, *watcher);
        let looks = (0..sights[number].len()).filter(|cell| sights[number][*cell]);
        let (fixed, others): (Vec<_>, Vec<_>) =
            looks.map(|cell| (number, cell)).partition(|place| values[place].len() == 1);
        let (own, foreign) = others.into_iter().partition(|(_, cell)| is_used.contains(cell));
        used.push(own);
        unused.push(foreign);
        constant.extend(fixed);
    }
    let mut groups = [used, unused, vec![constant]].concat();
    groups.retain(|group| !group.is_empty());
    groups
}

/// The cells of the variables that the steps of an instance mention.
fn used_cells(setting: &Setting, instance: usize) -> BTreeSet<usize> {
    let mut symbols: BTreeSet<Symbol> = BTreeSet::new();
    for edge in 0..setting.system.template(instance).edges.len() {
        let action = setting.action(instance, EdgeId(edge as u32));
        symbols.extend(action.assigns.keys());
        for term in action.guards.iter().chain(action.assigns.values()) {
            symbols.extend(setting.terms.symbols_of(*term));
        }
    }
    let mut used = variables(setting, instance);
    used.retain(|var| symbols.contains(&setting.vocabulary.symbol(instance, *var)));
    used.into_iter().flat_map(|var| cells(setting, instance, var)).collect()
}

/// The variables that an instance sees.
fn variables(setting: &Setting, instance: usize) -> Vec<VarRef> {
    let shared = 0..setting.system.program.shared.len() as u32;
    let locals = 0..setting.system.template(instance).locals.len() as u32;
    let shared = shared.map(|number| VarRef::Shared(SharedId(number)));
    shared.chain(locals.map(|number| VarRef::Local(LocalId(number)))).collect()
}

/// The cells of a variable.
fn cells(setting: &Setting, instance: usize, var: VarRef) -> std::ops::Range<usize> {
    let offset = setting.system.offset(instance, var);
    offset..offset + setting.system.var(instance, var).cells()
}

/// States at one location: each of these cells has one of these values.
#[derive(PartialEq, Eq, Hash)]
struct Cube {
    watcher: usize,
    at: LocId,
    cells: BTreeMap<usize, Vec<i128>>,
}

/// Few cubes of which the states are those reached.
fn cubes(reached: &Reached) -> Vec<Cube> {
    let cube = |seen: &Seen| {
        let known = reached.cells(seen).filter_map(|(cell, value)| Some((cell, vec![value?])));
        Cube { watcher: seen.watcher, at: seen.at, cells: known.collect() }
    };
    let mut cubes: Vec<Cube> = reached.states.iter().map(cube).collect();
    let cells: BTreeSet<usize> = cubes.iter().flat_map(|cube| cube.cells.keys().copied()).collect();
    loop {
        let before = cubes.len();
        for cell in &cells {
            cubes = merged(cubes, *cell);
        }
        if cubes.len() == before {
            return cubes;
        }
    }
}

/// Those that differ in this cell alone, together.
fn merged(cubes: Vec<Cube>, cell: usize) -> Vec<Cube> {
    let mut together: Vec<Cube> = Vec::new();
    let mut values: Vec<Vec<i128>> = Vec::new();
    let mut same: FastMap<Cube, usize> = FastMap::default();
    for mut cube in cubes {
        let Some(more) = cube.cells.remove(&cell) else {
            together.push(cube);
            continue;
        };
        let number = *same.entry(cube).or_insert(values.len());
        values.resize(values.len().max(number + 1), Vec::new());
        values[number].extend(more);
    }
    let mut same: Vec<(Cube, usize)> = same.into_iter().collect();
    same.sort_by_key(|(_, number)| *number);
    for (mut cube, number) in same {
        values[number].sort();
        values[number].dedup();
        cube.cells.insert(cell, std::mem::take(&mut values[number]));
        together.push(cube);
    }
    together
}

/// What the cubes say, of a program in which each role is played by one.
fn regions(setting: &mut Setting, cubes: Vec<Cube>) -> Vec<Region> {
    let mut regions = Vec::new();
    for Cube { watcher: view, at, cells: values } in cubes {
        let instance = setting.players[view][0];
        let mut literals = Vec::new();
        for var in variables(setting, instance) {
            let is_array = setting.system.var(instance, var).len.is_some();
            let symbol = setting.vocabulary.symbol(instance, var);
            let variable = setting.terms.symbol(symbol);
            for (place, cell) in cells(setting, instance, var).enumerate() {
                let Some(values) = values.get(&cell) else { continue };
                let index = setting.terms.constant(place as i128, Type::unsigned(32));
                let term = match is_array {
                    true => setting.terms.select(variable, index),
                    false => variable,
                };
                let ty = setting.system.var(instance, var).ty;
                literals.push(one_of(setting, term, ty, values));
            }
        }
        regions.push(Region { view, at, literals });
    }
    regions
}

/// That a term has one of some values, which are in order.
fn one_of(setting: &mut Setting, term: Term, ty: Type, values: &[i128]) -> Term {
    let terms = &mut setting.terms;
    let mut ways = Vec::new();
    for run in values.chunk_by(|one, next| one + 1 == *next) {
        let (low, high) = (terms.constant(run[0], ty), terms.constant(run[run.len() - 1], ty));
        let bounds = [terms.le(low, term), terms.le(term, high)];
        ways.push(if low == high { terms.eq(term, low) } else { terms.and(bounds) });
    }
    terms.or(ways)
}
