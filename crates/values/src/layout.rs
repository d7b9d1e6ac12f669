//! Where the cells of a thread's state lie: first all shared cells, then its own.

use ccfa::semantics::System;
use ccfa::{LocalId, Program, Type, Var, VarRef};
use std::ops::Range;

/// An array with more elements is not followed: a proof would speak of each of them.
const MAX_ELEMENTS: usize = 256;

/// The cells of the state of one instance.
pub(crate) struct CellLayout {
    /// So many belong to shared variables.
    pub shared: usize,
    /// The first cell of each variable that is followed.
    shared_starts: Vec<Option<usize>>,
    local_starts: Vec<Option<usize>>,
    /// The type of each cell.
    pub types: Vec<Type>,
    /// The variable, and the element if it is an array.
    pub places: Vec<(VarRef, Option<u32>)>,
}

impl CellLayout {
    pub fn new(program: &Program, locals: &[Var]) -> CellLayout {
        let mut layout = CellLayout {
            shared: 0,
            shared_starts: Vec::new(),
            local_starts: Vec::new(),
            types: Vec::new(),
            places: Vec::new(),
        };
        for (number, var) in program.shared.iter().enumerate() {
            let start = layout.place(VarRef::Shared(ccfa::SharedId(number as u32)), var);
            layout.shared_starts.push(start);
        }
        layout.shared = layout.types.len();
        for (number, var) in locals.iter().enumerate() {
            let start = layout.place(VarRef::Local(LocalId(number as u32)), var);
            layout.local_starts.push(start);
        }
        layout
    }

    fn place(&mut self, id: VarRef, var: &Var) -> Option<usize> {
        let start = self.types.len();
        if var.cells() > MAX_ELEMENTS {
            return None;
        }
        for element in 0..var.cells() {
            self.types.push(var.ty);
            self.places.push((id, var.len.map(|_| element as u32)));
        }
        Some(start)
    }

    /// The cells of a variable, if it is followed.
    pub fn cells(&self, system: &System, instance: usize, var: VarRef) -> Option<Range<usize>> {
        let start = match var {
            VarRef::Shared(id) => self.shared_starts[id.index()],
            VarRef::Local(id) => self.local_starts[id.index()],
        };
        start.map(|start| start..start + system.var(instance, var).cells())
    }
}
