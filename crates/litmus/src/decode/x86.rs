//! x86, as herd's `X86` tests write it (32 bits, Intel's order of operands). `XCHG` with memory locks; other instructions that read and
//! write memory do so in two steps, unless they have the prefix `LOCK`.

use super::{Assembler, immediate, operands, unknown_instruction, unknown_operand};
use crate::test::{LitmusAccess, Modification, Operation, Register, RegisterTerm, WordOperator};
use crate::token::{LitmusMistake, LitmusToken};
use axioms::{EventTag, EventTags};

const REGISTERS: [&str; 7] = ["EAX", "EBX", "ECX", "EDX", "ESI", "EDI", "EBP"];

/// The register of this name.
pub(super) fn register(name: &str) -> Option<String> {
    let name = name.to_ascii_uppercase();
    REGISTERS.contains(&name.as_str()).then_some(name)
}

/// An operand: something to compute with, or memory.
enum X86Operand {
    Register(Register),
    Number(i64),
    Memory(RegisterTerm),
}

pub(super) fn instruction(
    assembler: &mut Assembler,
    mnemonic: &LitmusToken,
    rest: &[LitmusToken],
) -> Result<(), LitmusMistake> {
    let name = mnemonic.text.to_ascii_uppercase();
    if let ("LOCK", Some((locked, rest))) = (name.as_str(), rest.split_first()) {
        return modifying(assembler, locked, rest, true);
    }
    if let Some(tag) = fence(&name) {
        let [] = operands(mnemonic, rest)?;
        assembler.fence(tag);
        return Ok(());
    }
    match name.as_str() {
        "NOP" => operands(mnemonic, rest).map(|[]| ()),
        "MOV" => moving(assembler, mnemonic, rest),
        "CMP" | "TEST" => comparing(assembler, mnemonic, rest),
        "JMP" => {
            let [label] = operands(mnemonic, rest)?;
            assembler.jump(None, label)
        }
        _ => match condition(&name) {
            Some(condition) => {
                let [label] = operands(mnemonic, rest)?;
                assembler.branch(condition, label).map(|_| ())
            }
            None => modifying(assembler, mnemonic, rest, false),
        },
    }
}

fn fence(name: &str) -> Option<EventTag> {
    Some(match name {
        "MFENCE" => EventTag::Mfence,
        "SFENCE" => EventTag::Sfence,
        "LFENCE" => EventTag::Lfence,
        _ => return None,
    })
}

fn condition(name: &str) -> Option<&'static str> {
    Some(match name {
        "JE" | "JZ" => "EQ",
        "JNE" | "JNZ" => "NE",
        "JL" => "LT",
        "JGE" => "GE",
        "JG" => "GT",
        "JLE" => "LE",
        _ => return None,
    })
}

fn moving(
    assembler: &mut Assembler,
    mnemonic: &LitmusToken,
    rest: &[LitmusToken],
) -> Result<(), LitmusMistake> {
    let [to, from] = operands(mnemonic, rest)?;
    match operand(assembler, to)? {
        X86Operand::Register(register) => match operand(assembler, from)? {
            X86Operand::Memory(address) => {
                assembler.load(register, LitmusAccess::word(address, &[]))
            }
            value => {
                let value = assembler.value(value);
                assembler.set(register, value);
            }
        },
        X86Operand::Memory(address) => match operand(assembler, from)? {
            X86Operand::Memory(_) => return unknown_operand(mnemonic.place, from),
            value => {
                let value = assembler.value(value);
                let access = LitmusAccess::word(address, &[]);
                assembler.emit(Operation::Store { value, access });
            }
        },
        X86Operand::Number(_) => return unknown_operand(mnemonic.place, to),
    }
    Ok(())
}

fn comparing(
    assembler: &mut Assembler,
    mnemonic: &LitmusToken,
    rest: &[LitmusToken],
) -> Result<(), LitmusMistake> {
    let [left, right] = operands(mnemonic, rest)?;
    let (first, second) = (operand(assembler, left)?, operand(assembler, right)?);
    if let (X86Operand::Memory(_), X86Operand::Memory(_)) = (&first, &second) {
        return unknown_operand(mnemonic.place, right);
    }
    let [left, right] = [first, second].map(|operand| assembler.value(operand));
    if mnemonic.text.eq_ignore_ascii_case("CMP") {
        assembler.compare(left, right);
    } else {
        let both = RegisterTerm::binary(WordOperator::And, left, right);
        assembler.compare(both, RegisterTerm::number(0));
    }
    Ok(())
}

/// Instructions that change what an operand holds.
fn modifying(
    assembler: &mut Assembler,
    mnemonic: &LitmusToken,
    rest: &[LitmusToken],
    locked: bool,
) -> Result<(), LitmusMistake> {
    let name = mnemonic.text.to_ascii_uppercase();
    let operator = match name.as_str() {
        "ADD" | "INC" => WordOperator::Add,
        "SUB" | "DEC" => WordOperator::Subtract,
        "AND" => WordOperator::And,
        "OR" => WordOperator::Or,
        "XOR" => WordOperator::Xor,
        "XCHG" | "XADD" => return exchanging(assembler, mnemonic, rest, locked),
        "CMPXCHG" if locked => return compare_exchange(assembler, mnemonic, rest),
        _ => return unknown_instruction(mnemonic),
    };
    let (to, by) = match name.as_str() {
        "INC" | "DEC" => {
            let [to] = operands(mnemonic, rest)?;
            (to, X86Operand::Number(1))
        }
        _ => {
            let [to, by] = operands(mnemonic, rest)?;
            (to, operand(assembler, by)?)
        }
    };
    match operand(assembler, to)? {
        X86Operand::Register(register) if !locked => {
            let by = assembler.value(by);
            let new = RegisterTerm::binary(operator, RegisterTerm::Register(register), by);
            assembler.set(register, new);
            assembler.compare(RegisterTerm::Register(register), RegisterTerm::number(0));
        }
        X86Operand::Memory(address) if !matches!(by, X86Operand::Memory(_)) => {
            let by = assembler.value(by);
            let old = assembler.register("%old");
            let new = RegisterTerm::binary(operator, RegisterTerm::Register(old), by);
            assembler.modify(old, address, new.clone(), locked);
            assembler.compare(new, RegisterTerm::number(0));
        }
        _ => return unknown_operand(mnemonic.place, to),
    }
    Ok(())
}

/// `XCHG`, which always locks, and `XADD`.
fn exchanging(
    assembler: &mut Assembler,
    mnemonic: &LitmusToken,
    rest: &[LitmusToken],
    locked: bool,
) -> Result<(), LitmusMistake> {
    let [first, second] = operands(mnemonic, rest)?;
    let adds = mnemonic.text.eq_ignore_ascii_case("XADD");
    let (address, register) = match (operand(assembler, first)?, operand(assembler, second)?) {
        (X86Operand::Memory(address), X86Operand::Register(register)) => (address, register),
        (X86Operand::Register(register), X86Operand::Memory(address)) if !adds => {
            (address, register)
        }
        _ => return unknown_operand(mnemonic.place, first),
    };
    let old = assembler.register("%old");
    let [read, given] = [old, register].map(RegisterTerm::Register);
    let new = match adds {
        true => RegisterTerm::binary(WordOperator::Add, read.clone(), given),
        false => given,
    };
    assembler.modify(old, address, new.clone(), locked || !adds);
    if adds {
        assembler.compare(new, RegisterTerm::number(0));
    }
    assembler.set(register, read);
    Ok(())
}

/// Memory gets the register, if it holds what `EAX` does; `EAX` holds what was there.
fn compare_exchange(
    assembler: &mut Assembler,
    mnemonic: &LitmusToken,
    rest: &[LitmusToken],
) -> Result<(), LitmusMistake> {
    let [first, second] = operands(mnemonic, rest)?;
    let (X86Operand::Memory(address), X86Operand::Register(register)) =
        (operand(assembler, first)?, operand(assembler, second)?)
    else {
        return unknown_operand(mnemonic.place, first);
    };
    let (old, accumulator) = (assembler.register("%old"), assembler.register("EAX"));
    let [read, expected] = [old, accumulator].map(RegisterTerm::Register);
    let tags = EventTags::of(&[EventTag::Locked]);
    let when = RegisterTerm::binary(WordOperator::Equal, expected.clone(), read.clone());
    assembler.emit(Operation::Modify(Box::new(Modification {
        old,
        access: LitmusAccess { address, bytes: 4, tags },
        write_tags: tags,
        new: RegisterTerm::Register(register),
        when: Some(when),
        failure_tags: tags,
        may_fail: false,
        picks: false,
        success: None,
    })));
    assembler.compare(expected, read.clone());
    assembler.set(accumulator, read);
    Ok(())
}

fn operand(assembler: &mut Assembler, tokens: &[LitmusToken]) -> Result<X86Operand, LitmusMistake> {
    if let Some(number) = immediate("$", tokens) {
        return number.map(X86Operand::Number);
    }
    match tokens {
        [token] if register(&token.text).is_some() => {
            Ok(X86Operand::Register(assembler.register(&token.text.to_ascii_uppercase())))
        }
        [open, token, close] if open.text == "[" && close.text == "]" && token.is_name() => {
            Ok(X86Operand::Memory(match register(&token.text) {
                Some(name) => RegisterTerm::Register(assembler.register(&name)),
                None => RegisterTerm::Constant(crate::test::Datum::Address(
                    assembler.test.location(&token.text),
                )),
            }))
        }
        _ => unknown_operand(assembler.place, tokens),
    }
}

impl Assembler<'_> {
    /// What an operand is; memory is read.
    fn value(&mut self, operand: X86Operand) -> RegisterTerm {
        match operand {
            X86Operand::Register(register) => RegisterTerm::Register(register),
            X86Operand::Number(number) => RegisterTerm::number(number),
            X86Operand::Memory(address) => {
                let read = self.register("%read");
                self.load(read, LitmusAccess::word(address, &[]));
                RegisterTerm::Register(read)
            }
        }
    }

    /// Memory is read into `old` and gets a new value, in one step or in two.
    fn modify(&mut self, old: Register, address: RegisterTerm, new: RegisterTerm, locked: bool) {
        if !locked {
            let access = LitmusAccess::word(address, &[]);
            self.load(old, access.clone());
            self.emit(Operation::Store { value: new, access });
            return;
        }
        let tags = EventTags::of(&[EventTag::Locked]);
        self.emit(Operation::Modify(Box::new(Modification {
            old,
            access: LitmusAccess { address, bytes: 4, tags },
            write_tags: tags,
            new,
            when: None,
            failure_tags: tags,
            may_fail: false,
            picks: false,
            success: None,
        })));
    }
}
