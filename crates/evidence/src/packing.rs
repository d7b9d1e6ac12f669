//! How states are packed: where each field lies, and how its bits are written.
//!
//! It is not believed: `check` reads the members of a set by [`Layout::unpack`], and compares whatever it finds
//! of a packed state with the state.

use crate::closed_set::{Bits, Cell, Layout, cell_types};
use ccfa::Type;
use ccfa::semantics::{State, System};

impl Bits {
    /// Writes the field.
    pub fn set(self, words: &mut [u64], value: u64) {
        if self.width > 0 {
            let word = &mut words[self.word as usize];
            *word = *word & !(self.mask() << self.shift) | (value & self.mask()) << self.shift;
        }
    }
}

impl Layout {
    /// The layout for a system. `may_be_any` says which cells may be `ANY`.
    pub fn new(system: &System, may_be_any: &impl Fn(usize) -> bool) -> Layout {
        let mut packer = Packer::default();
        let instances = 0..system.instances.len();
        let locations = instances
            .map(|instance| {
                let last = system.template(instance).locations.len().saturating_sub(1) as u64;
                packer.place((u64::BITS - last.leading_zeros()) as u8)
            })
            .collect();
        let cells = cell_types(system)
            .into_iter()
            .enumerate()
            .map(|(number, ty)| {
                let width = match ty {
                    Type::Bool => 1,
                    Type::Bits { width, .. } => width,
                    Type::Int => 64,
                };
                let any = may_be_any(number).then(|| packer.place(1));
                Cell { ty, value: packer.place(width), any }
            })
            .collect();
        Layout { words: packer.free.len().max(1), locations, cells }
    }

    /// Packs a state; `None` if a cell is `ANY` where that was not foreseen, or
    /// a mathematical integer does not fit.
    pub fn pack(&self, state: &State, words: &mut [u64]) -> Option<()> {
        words.fill(0);
        for (bits, location) in self.locations.iter().zip(&state.locations) {
            bits.set(words, u64::from(location.0));
        }
        for (cell, value) in self.cells.iter().zip(&state.cells) {
            match value {
                None => cell.any?.set(words, 1),
                Some(value) => {
                    if cell.ty == Type::Int && i64::try_from(*value).is_err() {
                        return None;
                    }
                    cell.value.set(words, *value as u64);
                }
            }
        }
        Some(())
    }
}

/// Hands out bits: first word with room wins.
#[derive(Default)]
struct Packer {
    free: Vec<u8>,
}

impl Packer {
    fn place(&mut self, width: u8) -> Bits {
        if width == 0 {
            return Bits { word: 0, shift: 0, width: 0 };
        }
        let recent = self.free.len().saturating_sub(4);
        let found = self.free[recent..].iter().position(|&free| free >= width);
        let word = found.map_or(self.free.len(), |position| position + recent);
        if word == self.free.len() {
            self.free.push(64);
        }
        let shift = 64 - self.free[word];
        self.free[word] -= width;
        Bits { word: word as u32, shift, width }
    }
}
