//! From the columns of a test to operations: what the machines' instructions mean. One file for each machine; here is what
//! they share: cells, labels, operands. An instruction, register or operand that is not known is a mistake with its place.

mod aarch64;
mod power;
mod x86;

use crate::test::{
    Architecture, Datum, Instruction, LitmusAccess, LitmusTest, Operation, Register, RegisterTerm,
    TextPlace, ThreadCode, WordOperator,
};
use crate::token::{LitmusMistake, LitmusToken, TokenStream, mistake};
use axioms::{EventTag, EventTags};

/// Decodes a thread of one architecture.
pub(crate) struct Decoder {
    machine: DecodedMachine,
    /// Labels, and the instructions that they stand before.
    labels: Vec<(String, usize)>,
    /// Branches, and where they lead to.
    jumps: Vec<(usize, LitmusToken)>,
}

#[derive(Clone, Copy)]
enum DecodedMachine {
    X86,
    Power,
    AArch64,
}

/// The decoder of an architecture with columns.
pub(crate) fn decoder(architecture: Architecture) -> Option<Decoder> {
    let machine = match architecture {
        Architecture::X86 => DecodedMachine::X86,
        Architecture::Ppc => DecodedMachine::Power,
        Architecture::AArch64 => DecodedMachine::AArch64,
        Architecture::C => return None,
    };
    Some(Decoder { machine, labels: Vec::new(), jumps: Vec::new() })
}

impl Decoder {
    /// The name of a register, as it is known.
    pub fn register(&self, name: &str) -> Option<String> {
        match self.machine {
            DecodedMachine::X86 => x86::register(name),
            DecodedMachine::Power => power::register(name),
            DecodedMachine::AArch64 => aarch64::register(name),
        }
    }

    /// Decodes a cell: labels, an instruction, or nothing.
    pub fn cell(
        &mut self,
        mut cell: &[LitmusToken],
        test: &mut LitmusTest,
        thread: usize,
    ) -> Result<(), LitmusMistake> {
        while let [label, colon, rest @ ..] = cell
            && colon.text == ":"
        {
            if !label.is_name() || self.labels.iter().any(|(name, _)| *name == label.text) {
                return mistake(label.place, format!("`{}` is no new label", label.text));
            }
            self.labels.push((label.text.clone(), test.threads[thread].instructions.len()));
            cell = rest;
        }
        let Some((mnemonic, operands)) = cell.split_first() else {
            return Ok(());
        };
        let (place, jumps) = (mnemonic.place, &mut self.jumps);
        let mut assembler = Assembler { test, thread, place, jumps };
        match self.machine {
            DecodedMachine::X86 => x86::instruction(&mut assembler, mnemonic, operands),
            DecodedMachine::Power => power::instruction(&mut assembler, mnemonic, operands),
            DecodedMachine::AArch64 => aarch64::instruction(&mut assembler, mnemonic, operands),
        }
    }

    /// Puts in where branches lead to.
    pub fn finish(self, code: &mut ThreadCode) -> Result<(), LitmusMistake> {
        for (instruction, label) in self.jumps {
            let known = self.labels.iter().find(|(name, _)| *name == label.text);
            let Some((_, destination)) = known else {
                return mistake(label.place, format!("there is no label `{}`", label.text));
            };
            if let Operation::Branch { target, .. } = &mut code.instructions[instruction].operation
            {
                *target = *destination;
            }
        }
        Ok(())
    }
}

/// Two registers that have no name hold what the last comparison compared.
const COMPARED: [&str; 2] = ["%left", "%right"];

/// Adds operations to a thread.
pub(crate) struct Assembler<'a> {
    test: &'a mut LitmusTest,
    thread: usize,
    place: TextPlace,
    jumps: &'a mut Vec<(usize, LitmusToken)>,
}

impl Assembler<'_> {
    fn emit(&mut self, operation: Operation) {
        let instruction = Instruction { place: self.place, operation };
        self.test.threads[self.thread].instructions.push(instruction);
    }

    /// A register. Those that have no value at first hold zero.
    fn register(&mut self, name: &str) -> Register {
        self.test.threads[self.thread].register(name, Some(Datum::Number(0)))
    }

    fn set(&mut self, register: Register, value: RegisterTerm) {
        self.emit(Operation::Set { register, value });
    }

    fn load(&mut self, register: Register, access: LitmusAccess) {
        self.emit(Operation::Load { register, access, exclusive: false });
    }

    fn fence(&mut self, tag: EventTag) {
        self.emit(Operation::Fence(EventTags::of(&[tag])));
    }

    fn compare(&mut self, left: RegisterTerm, right: RegisterTerm) {
        let [first, second] = COMPARED.map(|name| self.register(name));
        self.set(first, left);
        self.set(second, right);
    }

    /// What the last comparison says.
    fn compared(&mut self, operator: WordOperator, swapped: bool) -> RegisterTerm {
        let [left, right] = COMPARED.map(|name| RegisterTerm::Register(self.register(name)));
        let (left, right) = if swapped { (right, left) } else { (left, right) };
        RegisterTerm::binary(operator, left, right)
    }

    fn jump(
        &mut self,
        condition: Option<RegisterTerm>,
        label: &[LitmusToken],
    ) -> Result<(), LitmusMistake> {
        match label {
            [label] if label.is_name() => {
                self.jumps.push((self.test.threads[self.thread].instructions.len(), label.clone()));
                self.emit(Operation::Branch { condition, target: 0 });
                Ok(())
            }
            _ => mistake(self.place, "a branch leads to a label"),
        }
    }

    /// A branch on the last comparison: `EQ`, `NE`, `LT`, `GE`, `GT`, `LE`, of signed numbers.
    fn branch(
        &mut self,
        condition: &str,
        label: &[LitmusToken],
    ) -> Result<Option<()>, LitmusMistake> {
        use WordOperator::{Different, Equal, Less, LessOrEqual};
        let (operator, swapped) = match condition.to_ascii_uppercase().as_str() {
            "EQ" => (Equal, false),
            "NE" => (Different, false),
            "LT" => (Less, false),
            "GT" => (Less, true),
            "LE" => (LessOrEqual, false),
            "GE" => (LessOrEqual, true),
            _ => return Ok(None),
        };
        let condition = self.compared(operator, swapped);
        self.jump(Some(condition), label).map(Some)
    }
}

/// The operands of an instruction, which commas outside brackets separate. There are as many as wanted.
fn operands<'t, const N: usize>(
    mnemonic: &LitmusToken,
    tokens: &'t [LitmusToken],
) -> Result<[&'t [LitmusToken]; N], LitmusMistake> {
    let mut depth = 0;
    let mut separates = |token: &LitmusToken| {
        match token.text.as_str() {
            "[" | "(" => depth += 1,
            "]" | ")" => depth -= 1,
            _ => {}
        }
        depth == 0 && token.text == ","
    };
    let list: Vec<&[LitmusToken]> = match tokens.is_empty() {
        true => Vec::new(),
        false => tokens.split(|token| separates(token)).collect(),
    };
    let found = list.len();
    list.try_into().or_else(|_| {
        let name = &mnemonic.text;
        mistake(mnemonic.place, format!("`{name}` has {N} operands here, not {found}"))
    })
}

/// A number among operands, after the sign that marks it.
fn immediate(mark: &str, operand: &[LitmusToken]) -> Option<Result<i64, LitmusMistake>> {
    let mut stream = TokenStream::new(operand, operand.first()?.place);
    let marked = mark.is_empty() || stream.accept(mark);
    if !marked && !operand[0].is_number() {
        return None;
    }
    if mark.is_empty() && !operand[0].is_number() && operand[0].text != "-" {
        return None;
    }
    let number = stream.number();
    match stream.is_at_end() {
        true => Some(number),
        false => Some(mistake(stream.place(), "the operand ends before this")),
    }
}

fn unknown_instruction<T>(mnemonic: &LitmusToken) -> Result<T, LitmusMistake> {
    mistake(mnemonic.place, format!("`{}` is no instruction that rely knows", mnemonic.text))
}

fn unknown_operand<T>(place: TextPlace, operand: &[LitmusToken]) -> Result<T, LitmusMistake> {
    let text: String = operand.iter().map(|token| token.text.as_str()).collect();
    let place = operand.first().map_or(place, |token| token.place);
    mistake(place, format!("`{text}` is no operand that rely knows"))
}
