//! Inline assembly: a fence, or not supported.
//!
//! What a fence orders is said in C11's words, as far as total and partial store order tell fences apart: every access before it from every one
//! after it (`seq_cst`), all but writes from later reads (`acq_rel`), writes from later writes (`release`), reads from later accesses (`acquire`), or nothing but what the compiler does (a signal
//! fence). Where an instruction orders less than its word, the word is the weaker one: a proof stays a proof.

use crate::hir::StmtKind;
use crate::syntax::ast::Asm;
use ccfa::{AccessKind, Order};

/// Assembly that at most orders memory accesses is a fence.
pub(super) fn asm_statement(asm: &Asm) -> StmtKind {
    let template = asm.template.trim().to_ascii_lowercase();
    let no_operands = asm.outputs.is_empty() && asm.labels.is_empty();
    let is_plain = no_operands && (template.is_empty() || asm.inputs.is_empty());
    let lines = template.split([';', '\n']).map(str::trim).filter(|line| !line.is_empty());
    let ordered: Option<Vec<Option<Order>>> = lines.map(instruction).collect();
    match ordered {
        Some(ordered) if is_plain => StmtKind::Fence(together(ordered)),
        _ => StmtKind::Unsupported("inline assembly".to_string()),
    }
}

/// What an instruction orders, if it does nothing else.
fn instruction(line: &str) -> Option<Option<Order>> {
    let (is_locked, line) = match line.strip_prefix("lock") {
        Some(rest) => (true, rest.trim_start()),
        None => (false, line),
    };
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    Some(match word {
        "" => is_locked.then_some(Order::SeqCst),
        "addl" | "orl" | "addq" | "orq" if rest.starts_with("$0,") || rest.starts_with("$0x0,") => {
            is_locked.then_some(Order::SeqCst)
        }
        "mfence" | "sync" | "hwsync" => Some(Order::SeqCst),
        "dmb" | "dsb" if rest.ends_with("st") => Some(Order::Release),
        "dmb" | "dsb" if rest.ends_with("ld") => Some(Order::Acquire),
        "dmb" | "dsb" => Some(Order::SeqCst),
        "fence" => match rest.replace(' ', "").as_str() {
            "" | "rw,rw" | "iorw,iorw" => Some(Order::SeqCst),
            "rw,w" | "w,w" => Some(Order::Release),
            "r,rw" | "r,r" => Some(Order::Acquire),
            _ => return None,
        },
        "lwsync" => Some(Order::AcqRel),
        "sfence" => Some(Order::Release),
        "lfence" => Some(Order::Acquire),
        "eieio" | "isync" | "isb" | "nop" | "pause" | "yield" => None,
        "rep" if rest.is_empty() || rest == "nop" => None,
        _ => return None,
    })
}

/// What several fences order, one after the other.
fn together(ordered: Vec<Option<Order>>) -> AccessKind {
    let has = |order| ordered.contains(&Some(order));
    let releases = has(Order::Release) || has(Order::AcqRel);
    let acquires = has(Order::Acquire) || has(Order::AcqRel);
    match (has(Order::SeqCst), releases, acquires) {
        (true, ..) => AccessKind::Fence(Order::SeqCst),
        (_, true, true) => AccessKind::Fence(Order::AcqRel),
        (_, true, false) => AccessKind::Fence(Order::Release),
        (_, false, true) => AccessKind::Fence(Order::Acquire),
        (_, false, false) => AccessKind::SignalFence(Order::SeqCst),
    }
}
