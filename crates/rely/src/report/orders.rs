//! Where a program has weaker memory orders than its answer takes for granted.

use crate::input::Task;
use ccfa::{Access, AccessKind, Mode, Order};
use cfront::Assumption;
use std::collections::BTreeSet;

/// So many lines are named: who wants to see more of them looks for the orders in the text.
const MAX_LINES: usize = 12;

/// Said behind the assumption that memory is sequentially consistent, if the program has weaker orders: in the first file, at which lines.
pub fn weaker_orders(task: &Task, assumption: Assumption) -> String {
    if assumption != Assumption::SequentialConsistency {
        return String::new();
    }
    let edges = task.as_read().templates.iter().flat_map(|template| &template.edges);
    let weaker = edges.flat_map(|edge| &edge.accesses).filter(|access| is_weaker(access));
    let spans = weaker.filter_map(|access| access.span);
    let lines: BTreeSet<u32> = spans.filter(|span| span.file == 0).map(|span| span.line).collect();
    let mut shown: Vec<String> = lines.iter().take(MAX_LINES).map(u32::to_string).collect();
    shown.extend((lines.len() > MAX_LINES).then(|| "…".to_string()));
    match lines.len() {
        0 => String::new(),
        1 => format!(" (weaker orders at line {})", shown.join(", ")),
        _ => format!(" (weaker orders at lines {})", shown.join(", ")),
    }
}

fn is_weaker(access: &Access) -> bool {
    match &access.kind {
        AccessKind::Memory(_, _, Mode::Atomic(order)) | AccessKind::Fence(order) => {
            *order != Order::SeqCst
        }
        _ => false,
    }
}
