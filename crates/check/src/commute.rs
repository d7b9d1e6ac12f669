//! When may two consecutive steps of different threads be swapped?
//!
//! A step of T' leads from a state *s* to *s'*, then a step of T from *s'*. They
//! can be taken in the other order, with the same result, if no shared cell that
//! the first writes (in *s*) is read or written by the second (in *s'*), and none
//! that the first reads is written by the second. For then every expression that
//! the second evaluates in *s'* has the same value in *s*, by induction on how it
//! is evaluated: each cell it reads holds the same. So the second step is enabled
//! in *s* and writes the same values to the same cells there; it changes nothing
//! that the first reads, so the first is enabled after it and does the same; and
//! no cell is written by both. No thread reads or writes the locals of another. (Atomic
//! locations are treated in `tree`.)
//!
//! A cell is a shared variable, or an element of one that is an array.

use ccfa::{Edge, Expr, SharedId, VarRef};

/// The shared cells a step reads and writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellFootprint<'p> {
    reads: Vec<Cell<'p>>,
    writes: Vec<Cell<'p>>,
}

/// The element of an array with this index; with none, all the variable.
type Cell<'p> = (SharedId, Option<&'p Expr>);

impl<'p> CellFootprint<'p> {
    /// What an edge touches.
    pub fn of(edge: &'p Edge) -> CellFootprint<'p> {
        let mut footprint = CellFootprint::default();
        edge.for_each_access(|var, index, is_write| {
            if let VarRef::Shared(id) = var {
                let cells = if is_write { &mut footprint.writes } else { &mut footprint.reads };
                cells.push((id, index));
            }
        });
        footprint
    }

    /// Does it touch no shared cell?
    pub fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty()
    }

    /// A step conflicts with the one that follows it if for one of these pairs the first index (before the first step)
    /// equals the second (between the steps); `None` if it conflicts anyway, since both touch a variable and one of them writes it.
    pub fn conflicts(&self, next: &CellFootprint<'p>) -> Option<Vec<(&'p Expr, &'p Expr)>> {
        let touched_next = || next.reads.iter().chain(&next.writes);
        let after_write = self.writes.iter().flat_map(|a| touched_next().map(move |b| (a, b)));
        let after_read = self.reads.iter().flat_map(|a| next.writes.iter().map(move |b| (a, b)));
        let same = after_write.chain(after_read).filter(|(a, b)| a.0 == b.0);
        same.map(|((_, first), (_, second))| Some(((*first)?, (*second)?))).collect()
    }
}
