//! ARMv8, as herd's `AArch64` tests write it. `DSB` orders what `DMB` does, and all observers are in one shareability
//! domain, as in the published model. An atomic instruction without a result does not acquire, and its read is not ordered by `DMB LD`
//! (Arm Architecture Reference Manual, B2.3). An exclusive store says whether it has stored; that is no dependency on the
//! exclusive load.

use super::{Assembler, immediate, operands, unknown_instruction, unknown_operand};
use crate::test::{LitmusAccess, Modification, Operation, Register, RegisterTerm, WordOperator};
use crate::token::{LitmusMistake, LitmusToken, mistake};
use axioms::{EventTag, EventTags};

/// The register of this name: `W` and `X` with the same number are one; the zero register has no name.
pub(super) fn register(name: &str) -> Option<String> {
    let number: u32 = name.strip_prefix(['X', 'W'])?.parse().ok()?;
    (number < 31).then(|| format!("X{number}"))
}

pub(super) fn instruction(
    assembler: &mut Assembler,
    mnemonic: &LitmusToken,
    rest: &[LitmusToken],
) -> Result<(), LitmusMistake> {
    let name = mnemonic.text.to_ascii_uppercase();
    match name.as_str() {
        "NOP" => operands(mnemonic, rest).map(|[]| ()),
        "MOV" => {
            let [to, from] = operands(mnemonic, rest)?;
            let value = value(assembler, from)?;
            set(assembler, to, value)
        }
        "DMB" | "DSB" => {
            let [kind] = operands(mnemonic, rest)?;
            barrier(assembler, kind)
        }
        "ISB" => {
            if !rest.is_empty() && !rest.iter().map(|token| token.text.as_str()).eq(["SY"]) {
                return unknown_operand(mnemonic.place, rest);
            }
            assembler.fence(EventTag::Isb);
            Ok(())
        }
        "CMP" => {
            let [left, right] = operands(mnemonic, rest)?;
            let (left, right) = (value(assembler, left)?, value(assembler, right)?);
            assembler.compare(left, right);
            Ok(())
        }
        "CBZ" | "CBNZ" => {
            let [tested, label] = operands(mnemonic, rest)?;
            let tested = value(assembler, tested)?;
            let operator =
                if name == "CBZ" { WordOperator::Equal } else { WordOperator::Different };
            let condition = RegisterTerm::binary(operator, tested, RegisterTerm::number(0));
            assembler.jump(Some(condition), label)
        }
        "B" => {
            let [label] = operands(mnemonic, rest)?;
            assembler.jump(None, label)
        }
        _ => match name.strip_prefix("B.") {
            Some(condition) => {
                let [label] = operands(mnemonic, rest)?;
                let known = assembler.branch(condition, label)?;
                known.map_or_else(|| unknown_instruction(mnemonic), Ok)
            }
            None => memory(assembler, mnemonic, &name, rest),
        },
    }
}

fn barrier(assembler: &mut Assembler, kind: &[LitmusToken]) -> Result<(), LitmusMistake> {
    let name = kind.first().map(|token| token.text.to_ascii_uppercase());
    let tag = match name.as_deref() {
        Some("SY" | "ISH" | "OSH") => EventTag::DmbFull,
        Some("LD" | "ISHLD" | "OSHLD") => EventTag::DmbLoad,
        Some("ST" | "ISHST" | "OSHST") => EventTag::DmbStore,
        _ => return unknown_operand(assembler.place, kind),
    };
    assembler.fence(tag);
    Ok(())
}

/// Instructions that access memory.
fn memory(
    assembler: &mut Assembler,
    mnemonic: &LitmusToken,
    name: &str,
    rest: &[LitmusToken],
) -> Result<(), LitmusMistake> {
    let load_tags: Option<&[EventTag]> = match name {
        "LDR" | "LDXR" => Some(&[]),
        "LDAR" | "LDAXR" => Some(&[EventTag::LoadAcquire]),
        "LDAPR" => Some(&[EventTag::LoadAcquirePc]),
        _ => None,
    };
    let store_tags: Option<&[EventTag]> = match name {
        "STR" | "STXR" => Some(&[]),
        "STLR" | "STLXR" => Some(&[EventTag::StoreRelease]),
        _ => None,
    };
    let exclusive = name.ends_with("XR");
    if let Some(tags) = load_tags {
        let [to, memory] = operands(mnemonic, rest)?;
        let access = access(assembler, to, memory, tags)?;
        let register = destination(assembler, to)?;
        assembler.emit(Operation::Load { register, access, exclusive });
        return Ok(());
    }
    let Some(tags) = store_tags else {
        return atomic(assembler, mnemonic, name, rest);
    };
    if !exclusive {
        let [from, memory] = operands(mnemonic, rest)?;
        let access = access(assembler, from, memory, tags)?;
        let value = value(assembler, from)?;
        assembler.emit(Operation::Store { value, access });
        return Ok(());
    }
    let [status, from, memory] = operands(mnemonic, rest)?;
    let access = access(assembler, from, memory, tags)?;
    let value = value(assembler, from)?;
    let status = destination(assembler, status)?;
    let (success, failure) = (0, 1);
    assembler.emit(Operation::StoreExclusive { status, success, failure, value, access });
    Ok(())
}

/// An atomic instruction: what its name says.
struct AtomicName {
    /// `SWP`, `CAS` or the name of an operator.
    stem: &'static str,
    operator: Option<WordOperator>,
    acquires: bool,
    releases: bool,
    /// Has it a register for the result?
    returns: bool,
}

const ATOMIC_STEMS: [(&str, Option<WordOperator>); 6] = [
    ("SWP", None),
    ("CAS", None),
    ("ADD", Some(WordOperator::Add)),
    ("EOR", Some(WordOperator::Xor)),
    ("SET", Some(WordOperator::Or)),
    ("CLR", Some(WordOperator::AndNot)),
];

/// `SWP`, `CAS`, `LDADD` and its like with a suffix for their order, and `STADD` and its like.
fn atomic_name(name: &str) -> Option<AtomicName> {
    let returns = !name.starts_with("ST");
    let rest = name.strip_prefix("LD").or(name.strip_prefix("ST")).unwrap_or(name);
    let is_prefixed = rest.len() != name.len();
    let (stem, operator) = ATOMIC_STEMS
        .into_iter()
        .find(|(stem, operator)| rest.starts_with(stem) && operator.is_some() == is_prefixed)?;
    let (acquires, releases) = match &rest[stem.len()..] {
        "" => (false, false),
        "A" if returns => (true, false),
        "L" => (false, true),
        "AL" if returns => (true, true),
        _ => return None,
    };
    Some(AtomicName { stem, operator, acquires, releases, returns })
}

fn atomic(
    assembler: &mut Assembler,
    mnemonic: &LitmusToken,
    name: &str,
    rest: &[LitmusToken],
) -> Result<(), LitmusMistake> {
    let Some(atomic) = atomic_name(name) else {
        return computing(assembler, mnemonic, name, rest);
    };
    let (source, target, memory) = if atomic.returns {
        let [source, target, memory] = operands(mnemonic, rest)?;
        (source, Some(target), memory)
    } else {
        let [source, memory] = operands(mnemonic, rest)?;
        (source, None, memory)
    };
    // `CAS` returns in its first register, the others in their second.
    let result = if atomic.stem == "CAS" { Some(source) } else { target };
    let is_zero = |operand: &[LitmusToken]| operand.iter().any(|t| t.text.ends_with("ZR"));
    let result = result.filter(|result| !is_zero(result));
    let read_tags: &[EventTag] = match result {
        None => &[EventTag::NoReturn],
        Some(_) if atomic.acquires => &[EventTag::LoadAcquire],
        Some(_) => &[],
    };
    let access = access(assembler, source, memory, read_tags)?;
    let old = assembler.register("%old");
    let (read, given) = (RegisterTerm::Register(old), value(assembler, source)?);
    let (new, when) = match (atomic.stem, atomic.operator, target) {
        ("CAS", _, Some(target)) => {
            let same = RegisterTerm::binary(WordOperator::Equal, given, read.clone());
            (value(assembler, target)?, Some(same))
        }
        (_, Some(operator), _) => (RegisterTerm::binary(operator, read.clone(), given), None),
        _ => (given, None),
    };
    let release: &[EventTag] = if atomic.releases { &[EventTag::StoreRelease] } else { &[] };
    let (write_tags, failure_tags) = (EventTags::of(release), access.tags);
    let picks = atomic.stem == "CAS";
    assembler.emit(Operation::Modify(Box::new(Modification {
        old,
        access,
        write_tags,
        new,
        when,
        failure_tags,
        may_fail: false,
        picks,
        success: None,
    })));
    result.map_or(Ok(()), |result| set(assembler, result, read))
}

/// Arithmetic. With an `S` at the end, the result is compared with zero.
fn computing(
    assembler: &mut Assembler,
    mnemonic: &LitmusToken,
    name: &str,
    rest: &[LitmusToken],
) -> Result<(), LitmusMistake> {
    let operator = match name {
        "ADD" | "ADDS" => WordOperator::Add,
        "SUB" | "SUBS" => WordOperator::Subtract,
        "EOR" => WordOperator::Xor,
        "AND" | "ANDS" => WordOperator::And,
        "ORR" => WordOperator::Or,
        _ => return unknown_instruction(mnemonic),
    };
    // A register of 32 bits may be extended to one of 64.
    let rest = match rest {
        [rest @ .., comma, extension]
            if comma.text == "," && ["SXTW", "UXTW"].contains(&extension.text.as_str()) =>
        {
            rest
        }
        rest => rest,
    };
    let [to, left, right] = operands(mnemonic, rest)?;
    let (left, right) = (value(assembler, left)?, value(assembler, right)?);
    set(assembler, to, RegisterTerm::binary(operator, left, right))?;
    if name.ends_with('S') {
        let result = value(assembler, to)?;
        assembler.compare(result, RegisterTerm::number(0));
    }
    Ok(())
}

/// An access through `[X1]`, `[X1,#0]`, `[X1,X2]` or `[X1,W2,SXTW]`, as wide as the register `data`.
fn access(
    assembler: &mut Assembler,
    data: &[LitmusToken],
    memory: &[LitmusToken],
    tags: &[EventTag],
) -> Result<LitmusAccess, LitmusMistake> {
    let bytes = if data.first().is_some_and(|token| token.text.starts_with('X')) { 8 } else { 4 };
    let [open, inside @ .., close] = memory else {
        return unknown_operand(assembler.place, memory);
    };
    if open.text != "[" || close.text != "]" {
        return unknown_operand(open.place, memory);
    }
    let parts: Vec<&[LitmusToken]> = inside.split(|token| token.text == ",").collect();
    let is_extension = |part: &&[LitmusToken]| {
        part.len() == 1 && ["SXTW", "UXTW"].contains(&part[0].text.as_str())
    };
    let address = match parts.as_slice() {
        [base] => value(assembler, base)?,
        [base, index] => offset(assembler, base, index)?,
        [base, index, extension] if is_extension(extension) => offset(assembler, base, index)?,
        _ => return unknown_operand(open.place, memory),
    };
    Ok(LitmusAccess { address, bytes, tags: EventTags::of(tags) })
}

fn offset(
    assembler: &mut Assembler,
    base: &[LitmusToken],
    index: &[LitmusToken],
) -> Result<RegisterTerm, LitmusMistake> {
    let (base, index) = (value(assembler, base)?, value(assembler, index)?);
    Ok(RegisterTerm::binary(WordOperator::Add, base, index))
}

fn set(
    assembler: &mut Assembler,
    to: &[LitmusToken],
    value: RegisterTerm,
) -> Result<(), LitmusMistake> {
    let register = destination(assembler, to)?;
    assembler.set(register, value);
    Ok(())
}

/// The register that is written; what the zero register gets is lost.
fn destination(
    assembler: &mut Assembler,
    operand: &[LitmusToken],
) -> Result<Register, LitmusMistake> {
    match operand {
        [token] if ["XZR", "WZR"].contains(&token.text.as_str()) => Ok(assembler.register("%lost")),
        [token] => match register(&token.text) {
            Some(name) => Ok(assembler.register(&name)),
            None => mistake(token.place, format!("`{}` is no register", token.text)),
        },
        _ => unknown_operand(assembler.place, operand),
    }
}

fn value(
    assembler: &mut Assembler,
    operand: &[LitmusToken],
) -> Result<RegisterTerm, LitmusMistake> {
    if let Some(number) = immediate("#", operand) {
        return number.map(RegisterTerm::number);
    }
    match operand {
        [token] if ["XZR", "WZR"].contains(&token.text.as_str()) => Ok(RegisterTerm::number(0)),
        _ => Ok(RegisterTerm::Register(destination(assembler, operand)?)),
    }
}
