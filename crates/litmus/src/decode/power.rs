//! Power, as herd's `PPC` tests write it. A store-conditional says in condition register 0 whether it has stored; that is no dependency
//! on the load with reservation.

use super::{Assembler, COMPARED, immediate, operands, unknown_instruction, unknown_operand};
use crate::test::{LitmusAccess, Operation, RegisterTerm, WordOperator};
use crate::token::{LitmusMistake, LitmusToken};
use axioms::EventTag;

/// The register of this name: `r0` to `r31`.
pub(super) fn register(name: &str) -> Option<String> {
    let number: u32 = name.strip_prefix('r')?.parse().ok()?;
    (number < 32).then(|| format!("r{number}"))
}

pub(super) fn instruction(
    assembler: &mut Assembler,
    mnemonic: &LitmusToken,
    rest: &[LitmusToken],
) -> Result<(), LitmusMistake> {
    if let Some(tag) = fence(&mnemonic.text) {
        let [] = operands(mnemonic, rest)?;
        assembler.fence(tag);
        return Ok(());
    }
    let bytes = if mnemonic.text.contains('d') { 8 } else { 4 };
    match mnemonic.text.as_str() {
        "nop" => operands(mnemonic, rest).map(|[]| ()),
        "li" | "mr" => {
            let [to, from] = operands(mnemonic, rest)?;
            let value = match mnemonic.text.as_str() {
                "li" => number(assembler, from)?,
                _ => value(assembler, from)?,
            };
            set(assembler, to, value)
        }
        "lwz" | "ld" | "stw" | "std" => {
            let [first, memory] = operands(mnemonic, rest)?;
            let address = displaced(assembler, memory)?;
            access(assembler, mnemonic, first, LitmusAccess { bytes, ..plain(address) })
        }
        "lwzx" | "ldx" | "stwx" | "stdx" | "lwarx" | "ldarx" | "stwcx." | "stdcx." => {
            let [first, base, index] = operands(mnemonic, rest)?;
            let (base, index) = (base_value(assembler, base)?, value(assembler, index)?);
            let address = RegisterTerm::binary(WordOperator::Add, base, index);
            access(assembler, mnemonic, first, LitmusAccess { bytes, ..plain(address) })
        }
        "cmpw" | "cmpwi" => comparing(assembler, mnemonic, rest),
        "b" => {
            let [label] = operands(mnemonic, rest)?;
            assembler.jump(None, label)
        }
        name => match name.strip_prefix('b') {
            Some(condition) if !condition.is_empty() => {
                let [label] = operands(mnemonic, rest)?;
                let known = assembler.branch(condition, label)?;
                known.map_or_else(|| unknown_instruction(mnemonic), Ok)
            }
            _ => computing(assembler, mnemonic, rest),
        },
    }
}

fn fence(name: &str) -> Option<EventTag> {
    Some(match name {
        "sync" | "hwsync" => EventTag::Sync,
        "lwsync" => EventTag::Lwsync,
        "eieio" => EventTag::Eieio,
        "isync" => EventTag::Isync,
        _ => return None,
    })
}

fn plain(address: RegisterTerm) -> LitmusAccess {
    LitmusAccess::word(address, &[])
}

/// A load or a store, of any kind.
fn access(
    assembler: &mut Assembler,
    mnemonic: &LitmusToken,
    first: &[LitmusToken],
    access: LitmusAccess,
) -> Result<(), LitmusMistake> {
    let name = named(assembler, first)?;
    let register = assembler.register(&name);
    let value = RegisterTerm::Register(register);
    match mnemonic.text.as_str() {
        "lwz" | "ld" | "lwzx" | "ldx" => assembler.load(register, access),
        "stw" | "std" | "stwx" | "stdx" => assembler.emit(Operation::Store { value, access }),
        "lwarx" | "ldarx" => {
            assembler.emit(Operation::Load { register, access, exclusive: true });
        }
        _ => {
            let [status, right] = COMPARED.map(|name| assembler.register(name));
            let (success, failure) = (0, 1);
            let store = Operation::StoreExclusive { status, success, failure, value, access };
            assembler.emit(store);
            assembler.set(right, RegisterTerm::number(0));
        }
    }
    Ok(())
}

fn comparing(
    assembler: &mut Assembler,
    mnemonic: &LitmusToken,
    rest: &[LitmusToken],
) -> Result<(), LitmusMistake> {
    // The field of the condition register may be named; only the first is known.
    let rest = match rest {
        [field, comma, rest @ ..] if field.text == "cr0" && comma.text == "," => rest,
        rest => rest,
    };
    let [left, right] = operands(mnemonic, rest)?;
    let left = value(assembler, left)?;
    let right = match mnemonic.text.as_str() {
        "cmpwi" => number(assembler, right)?,
        _ => value(assembler, right)?,
    };
    assembler.compare(left, right);
    Ok(())
}

/// Arithmetic. With a dot at the end, the result is compared with zero.
fn computing(
    assembler: &mut Assembler,
    mnemonic: &LitmusToken,
    rest: &[LitmusToken],
) -> Result<(), LitmusMistake> {
    let name = mnemonic.text.trim_end_matches('.');
    let (operator, is_immediate) = match name {
        "addi" => (WordOperator::Add, true),
        "add" => (WordOperator::Add, false),
        "subi" => (WordOperator::Subtract, true),
        "sub" | "subf" => (WordOperator::Subtract, false),
        "xori" => (WordOperator::Xor, true),
        "xor" => (WordOperator::Xor, false),
        "andi" => (WordOperator::And, true),
        "and" => (WordOperator::And, false),
        "ori" => (WordOperator::Or, true),
        "or" => (WordOperator::Or, false),
        "mullw" => (WordOperator::Multiply, false),
        _ => return unknown_instruction(mnemonic),
    };
    let [to, left, right] = operands(mnemonic, rest)?;
    let left = match name {
        "addi" | "subi" => base_value(assembler, left)?,
        _ => value(assembler, left)?,
    };
    let right = if is_immediate { number(assembler, right)? } else { value(assembler, right)? };
    let (left, right) = if name == "subf" { (right, left) } else { (left, right) };
    set(assembler, to, RegisterTerm::binary(operator, left, right))?;
    if mnemonic.text.ends_with('.') {
        let result = value(assembler, to)?;
        assembler.compare(result, RegisterTerm::number(0));
    }
    Ok(())
}

fn set(
    assembler: &mut Assembler,
    to: &[LitmusToken],
    value: RegisterTerm,
) -> Result<(), LitmusMistake> {
    let name = named(assembler, to)?;
    let register = assembler.register(&name);
    assembler.set(register, value);
    Ok(())
}

fn named(assembler: &Assembler, operand: &[LitmusToken]) -> Result<String, LitmusMistake> {
    let known = match operand {
        [token] => register(&token.text),
        _ => None,
    };
    known.map_or_else(|| unknown_operand(assembler.place, operand), Ok)
}

fn value(
    assembler: &mut Assembler,
    operand: &[LitmusToken],
) -> Result<RegisterTerm, LitmusMistake> {
    let name = named(assembler, operand)?;
    Ok(RegisterTerm::Register(assembler.register(&name)))
}

/// The first part of an address: register 0 stands for zero there.
fn base_value(
    assembler: &mut Assembler,
    operand: &[LitmusToken],
) -> Result<RegisterTerm, LitmusMistake> {
    match operand {
        [token] if token.text == "r0" || token.text == "0" => Ok(RegisterTerm::number(0)),
        _ => value(assembler, operand),
    }
}

fn number(assembler: &Assembler, operand: &[LitmusToken]) -> Result<RegisterTerm, LitmusMistake> {
    match immediate("", operand) {
        Some(number) => number.map(RegisterTerm::number),
        None => unknown_operand(assembler.place, operand),
    }
}

/// `0(r2)`
fn displaced(
    assembler: &mut Assembler,
    operand: &[LitmusToken],
) -> Result<RegisterTerm, LitmusMistake> {
    match operand {
        [offset @ .., open, base, close] if open.text == "(" && close.text == ")" => {
            let offset = number(assembler, offset)?;
            let base = base_value(assembler, std::slice::from_ref(base))?;
            Ok(RegisterTerm::binary(WordOperator::Add, base, offset))
        }
        _ => unknown_operand(assembler.place, operand),
    }
}
