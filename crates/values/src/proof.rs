//! The proof: for each instance, what may hold at each of its locations.

use crate::fixpoint::{Fixpoint, Partition, Threads};
use crate::ranges::Ranges;
use ccfa::{BinOp, Expr, Type};
use evidence::{Assertions, Region, Slot, View};

/// The states of each thread, as assertions.
pub(crate) fn proof(fixpoint: &Fixpoint, threads: &Threads) -> Assertions {
    let view = |thread: usize| {
        let instance = threads.system.instances[thread];
        let own = fixpoint.partitions.iter().filter(|partition| partition.thread == thread);
        View {
            slots: vec![Slot { thread: instance.thread, index: Some(instance.index) }],
            regions: own.map(|partition| region(fixpoint, threads, partition)).collect(),
        }
    };
    Assertions { views: (0..threads.count()).map(view).collect() }
}

fn region(fixpoint: &Fixpoint, threads: &Threads, partition: &Partition) -> Region {
    let layout = &threads.layouts[partition.thread];
    let mut holds = Vec::new();
    for (cell, values) in partition.cells.iter().enumerate() {
        let Some(values) = fixpoint.table.get(*values) else { continue };
        let ty = layout.types[cell];
        let (var, element) = layout.places[cell];
        let place = match element {
            None => Expr::Var(var),
            Some(element) => {
                let index = Expr::Const(i128::from(element), Type::unsigned(32));
                Expr::Index(var, Box::new(index))
            }
        };
        let one_of = values.ranges().iter().map(|range| between(&place, *range, ty));
        let one_of = one_of.reduce(Expr::or).expect("a state that is possible has values");
        if one_of != Expr::TRUE {
            holds.push(one_of);
        }
    }
    Region { at: vec![Some(vec![partition.at])], holds }
}

/// That a cell is in a range; what its type says anyway is left out.
fn between(place: &Expr, (low, high): (i128, i128), ty: Type) -> Expr {
    if low == high {
        return Expr::eq(place.clone(), Expr::Const(low, ty));
    }
    let whole = Ranges::of_type(ty);
    let at_least = Expr::binary(BinOp::Le, Expr::Const(low, ty), place.clone());
    let at_most = Expr::binary(BinOp::Le, place.clone(), Expr::Const(high, ty));
    match (whole.low() == Some(low), whole.high() == Some(high)) {
        (true, true) => Expr::TRUE,
        (true, false) => at_most,
        (false, true) => at_least,
        (false, false) => Expr::and(at_least, at_most),
    }
}
