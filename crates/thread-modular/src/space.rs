//! Where states are written: the bits of a diagram, for the shared variables and for a few
//! *slots*. A tracked process, or one that moves, occupies a slot; its location and its locals are written there.
//!
//! **Order of the bits.** In a slot the location comes first, then the locals: what a thread can
//! do depends on where it is. If every slot has its one process, a shared cell stands right above
//! the first slot that writes it: what all write is on top, a fork of a dining
//! philosopher stands between its two users, and the ticket of a customer, which all others read,
//! with that customer. If processes change slots, all shared cells are on top. There are no
//! bits for the state after a step: see [`crate::step`].

use crate::access::writes;
use crate::bdd::{Bdd, Diagrams, NodeCapacity, Renaming, Result, beyond};
use crate::cases::Cases;
use crate::process::Processes;
use crate::step::{EdgePart, Steps, SymbolicStep};
use crate::values::Domain;
use crate::variable::{Variable, bits_for};
use ccfa::{Expr, Init, LocKind, SharedId, Type, Var, VarRef};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// More bits than these are too many: the library goes down a level of the stack for each.
const MAX_BITS: u32 = 4096;

/// A shared cell: variable and element.
pub(crate) type Cell = (usize, usize);

/// A variable of a program, element by element; nothing if it does not matter.
pub(crate) type Elements = Vec<Variable>;

/// The bits and what they mean.
pub(crate) struct Space<'a> {
    /// The processes.
    pub processes: &'a Processes<'a>,
    /// The diagrams.
    pub dd: Diagrams<'a>,
    /// The shared variables.
    pub shared: Vec<Elements>,
    /// Where the shared variables have their initial values.
    pub shared_initial: Bdd,
    blocks: Vec<Range<u32>>,
    slots: HashMap<(usize, usize), Occupant>,
    /// Expressions over shared variables that have been looked at.
    pub known_cases: RefCell<HashMap<Expr, Cases>>,
}

/// A process in a slot.
pub(crate) struct Occupant {
    /// Where the process is.
    pub location: Variable,
    /// Its locals.
    pub locals: Vec<Elements>,
    /// Where it is in its initial state.
    pub initial: Bdd,
    /// Where it lets others move: it is not at an atomic location.
    pub free: Bdd,
    /// What it can do.
    pub steps: Steps,
}

/// Which bits are used for what.
struct Layout {
    shared: Vec<Vec<(Vec<i128>, u32)>>,
    blocks: Vec<Range<u32>>,
    bits: u32,
}

impl<'a> Space<'a> {
    /// The bits for states with these slots: for each, the processes that may occupy it.
    pub fn new(
        processes: &'a Processes<'a>,
        occupants: &[Vec<usize>],
        capacity: &NodeCapacity<'a>,
    ) -> Result<Space<'a>> {
        let layout = Layout::new(processes, occupants)?;
        if layout.bits > MAX_BITS {
            return Err(beyond("too many threads or variables for decision diagrams"));
        }
        let dd = Diagrams::new(capacity.clone(), layout.bits);
        let elements = |cells: Vec<(Vec<i128>, u32)>| {
            cells.into_iter().map(|(values, first)| Variable::new(&dd, values, first)).collect()
        };
        let shared = layout.shared.into_iter().map(elements).collect::<Result<Vec<Elements>>>()?;
        let shared_initial = dd.all();
        let blocks = layout.blocks;
        let (slots, known_cases) = (HashMap::new(), RefCell::default());
        let mut space = Space { processes, dd, shared, shared_initial, blocks, slots, known_cases };
        space.shared_initial = space.initially_shared()?;
        for (slot, occupant) in occupants.iter().enumerate() {
            for process in occupant {
                let made = space.take(slot, *process)?;
                space.slots.insert((slot, *process), made);
            }
        }
        Ok(space)
    }

    /// The process in the slot.
    pub fn slot(&self, slot: usize, process: usize) -> &Occupant {
        &self.slots[&(slot, process)]
    }

    /// All parts of the steps of a process in a slot; the same ones, in the same order, in each.
    pub fn parts(&self, slot: usize, process: usize) -> impl Iterator<Item = &EdgePart> {
        self.slot(slot, process).steps.plain.iter().flat_map(|step| &step.parts)
    }

    /// The initial states of the processes that are present, one in each slot.
    pub fn initial(&self, present: &[usize]) -> Result<Bdd> {
        let slots = present.iter().enumerate().map(|(slot, process)| self.slot(slot, *process));
        let own = self.dd.all_of(slots.map(|slot| &slot.initial))?;
        self.dd.and(&own, &self.shared_initial)
    }

    /// Moves the first slots to those that are named.
    pub fn move_to_slots(&self, slots: &[usize]) -> Result<Option<Renaming>> {
        if slots.iter().enumerate().all(|(from, to)| from == *to) {
            return Ok(None);
        }
        let from: Vec<u32> = (0..slots.len()).flat_map(|slot| self.blocks[slot].clone()).collect();
        let to: Vec<u32> = slots.iter().flat_map(|slot| self.blocks[*slot].clone()).collect();
        self.dd.renaming(&from, &to).map(Some)
    }

    /// How many slots there are.
    pub fn slot_count(&self) -> usize {
        self.blocks.len()
    }

    /// All bits of a slot, to be quantified.
    pub fn slot_cube(&self, slot: usize) -> Result<Bdd> {
        let bits = self.blocks[slot].clone().map(|bit| self.dd.bit(bit));
        self.dd.all_of(&bits.collect::<Result<Vec<Bdd>>>()?)
    }

    /// Those states where the mover may move: no other process that is present is at an atomic location.
    pub fn others_free(&self, states: &Bdd, present: &[usize], mover: usize) -> Result<Bdd> {
        let mut free = states.clone();
        for (slot, process) in present.iter().enumerate().filter(|(slot, _)| *slot != mover) {
            free = self.dd.and(&free, &self.slot(slot, *process).free)?;
        }
        Ok(free)
    }

    fn initially_shared(&self) -> Result<Bdd> {
        let mut initial = self.dd.all();
        for (var, elements) in self.processes.program.shared.iter().zip(&self.shared) {
            initial = self.dd.and(&initial, &self.initially(var, elements, &[])?)?;
        }
        let Some(condition) = &self.processes.program.initial else { return Ok(initial) };
        self.dd.and(&initial, &self.holds(0, &[], condition)?)
    }

    /// Where a variable has its initial value.
    fn initially(
        &self,
        var: &Var,
        elements: &Elements,
        arguments: &[BTreeSet<i128>],
    ) -> Result<Bdd> {
        let mut initial = self.dd.all();
        for (number, element) in elements.iter().enumerate() {
            let here = match &var.init {
                Init::Any => element.valid.clone(),
                Init::Value(value) => element.among(&self.dd, |v| v == *value)?,
                Init::Values(values) => element.among(&self.dd, |v| v == values[number])?,
                Init::Param(param) => {
                    element.among(&self.dd, |v| arguments[*param as usize].contains(&v))?
                }
            };
            initial = self.dd.and(&initial, &here)?;
        }
        Ok(initial)
    }

    /// Puts a process into a slot.
    fn take(&self, slot: usize, number: usize) -> Result<Occupant> {
        let process = &self.processes.list[number];
        let mut next = self.blocks[slot].start;
        let mut place = |values: Vec<i128>| {
            let first = next;
            next += bits_for(values.len());
            Variable::new(&self.dd, values, first)
        };
        let location = place(locations(self.processes, number))?;
        let mut locals = Vec::new();
        for cells in local_values(self.processes, number)? {
            locals.push(cells.into_iter().map(&mut place).collect::<Result<Elements>>()?);
        }
        let entry = i128::from(process.template.entry.0);
        let mut initial = location.among(&self.dd, |value| value == entry)?;
        for (var, elements) in process.template.locals.iter().zip(&locals) {
            let own = self.initially(var, elements, &process.arguments())?;
            initial = self.dd.and(&initial, &own)?;
        }
        let atomic =
            location.among(&self.dd, |value| process.template.locations[value as usize].atomic)?;
        let free = self.dd.not(&atomic)?;
        let steps = SymbolicStep::all(self, number, &location, &locals)?;
        Ok(Occupant { location, locals, initial, free, steps })
    }

    /// All variables of a slot.
    pub fn variables_of<'s>(&self, slot: &'s Occupant) -> impl Iterator<Item = &'s Variable> {
        std::iter::once(&slot.location).chain(slot.locals.iter().flatten())
    }

    /// All shared cells that matter, in order.
    pub fn cells(&self) -> Vec<(Cell, &Variable)> {
        let vars = self.shared.iter().enumerate();
        let cells = vars.flat_map(|(var, elements)| {
            elements.iter().enumerate().map(move |(element, variable)| ((var, element), variable))
        });
        cells.collect()
    }

    /// The shared cells that are chosen, to be quantified.
    pub fn cube(&self, is_chosen: impl Fn(&Cell) -> bool) -> Result<Bdd> {
        let cells = self.cells().into_iter().rev();
        let chosen = cells.filter(|(cell, _)| is_chosen(cell)).map(|(_, variable)| &variable.cube);
        self.dd.all_of(chosen)
    }
}

/// Where a process can be, without the places where the search ends.
pub(crate) fn locations(processes: &Processes, number: usize) -> Vec<i128> {
    let process = &processes.list[number];
    let reached = &processes.values.reached[number];
    let plain = |location: &usize| process.template.locations[*location].kind == LocKind::Plain;
    (0..reached.len()).filter(|l| reached[*l]).filter(plain).map(|l| l as i128).collect()
}

/// For each local, the values of each element.
fn local_values(processes: &Processes, number: usize) -> Result<Vec<Vec<Vec<i128>>>> {
    let process = &processes.list[number];
    let domains = processes.values.locals[number].iter();
    let pairs = process.template.locals.iter().zip(domains).enumerate();
    pairs
        .map(|(local, (var, domain))| {
            let var_ref = VarRef::Local(ccfa::LocalId(local as u32));
            cells(var, domain, processes.relevant.matters(process.thread, var_ref))
        })
        .collect()
}

/// For each shared variable, the values of each element.
fn shared_values(processes: &Processes) -> Result<Vec<Vec<Vec<i128>>>> {
    let pairs = processes.program.shared.iter().zip(&processes.values.shared).enumerate();
    pairs
        .map(|(number, (var, domain))| {
            let var_ref = VarRef::Shared(SharedId(number as u32));
            let thread = processes.list.first().map_or_else(Default::default, |p| p.thread);
            cells(var, domain, processes.relevant.matters(thread, var_ref))
        })
        .collect()
}

/// How many bits a state has with one instance of each process.
pub(crate) fn bits(processes: &Processes) -> Result<u32> {
    let mut bits = shared_values(processes)?.iter().flatten().map(|v| bits_for(v.len())).sum();
    for process in 0..processes.list.len() {
        bits += slot_bits(processes, process)?;
    }
    Ok(bits)
}

/// How many bits a process needs in its slot.
fn slot_bits(processes: &Processes, number: usize) -> Result<u32> {
    let locals = local_values(processes, number)?;
    let locals: u32 = locals.iter().flatten().map(|values| bits_for(values.len())).sum();
    Ok(locals + bits_for(locations(processes, number).len()))
}

/// The values of each element of a variable.
fn cells(var: &Var, domain: &Domain, matters: bool) -> Result<Vec<Vec<i128>>> {
    if !matters {
        return Ok(Vec::new());
    }
    if var.ty == Type::Int {
        // However few values it has, `check` decides no formulas about it.
        return Err(beyond(format!("`{}` is a mathematical integer", var.name)));
    }
    let Some(values) = domain else {
        return Err(beyond(format!(
            "`{}` can have too many values for decision diagrams",
            var.name
        )));
    };
    Ok(vec![values.iter().copied().collect(); var.cells()])
}

impl Layout {
    fn new(processes: &Processes, occupants: &[Vec<usize>]) -> Result<Layout> {
        let shared_values = shared_values(processes)?;
        let mut layout = Layout {
            shared: shared_values.iter().map(|cells| vec![(vec![], 0); cells.len()]).collect(),
            blocks: Vec::new(),
            bits: 0,
        };
        let mut placed = BTreeSet::new();
        let fixed = occupants.iter().all(|occupant| occupant.len() == 1);
        let every: BTreeSet<Cell> = shared_values
            .iter()
            .enumerate()
            .flat_map(|(var, cells)| (0..cells.len()).map(move |element| (var, element)))
            .collect();
        for occupant in occupants {
            let used = if fixed { writes(processes, occupant[0]) } else { every.clone() };
            layout.place(&shared_values, &used, &mut placed);
            let mut width = 0;
            for process in occupant {
                width = width.max(slot_bits(processes, *process)?);
            }
            layout.blocks.push(layout.bits..layout.bits + width);
            layout.bits += width;
        }
        layout.place(&shared_values, &every, &mut placed);
        Ok(layout)
    }

    /// Gives bits to the shared cells that have none yet.
    fn place(
        &mut self,
        values: &[Vec<Vec<i128>>],
        cells: &BTreeSet<Cell>,
        placed: &mut BTreeSet<Cell>,
    ) {
        for (var, element) in cells {
            if placed.insert((*var, *element)) {
                let values = values[*var][*element].clone();
                let width = bits_for(values.len());
                self.shared[*var][*element] = (values, self.bits);
                self.bits += width;
            }
        }
    }
}
