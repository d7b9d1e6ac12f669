//! Threads in C, as herd's `C` tests write them: functions whose parameters are pointers to the shared locations, local variables,
//! `if`, plain accesses through a parameter, and the operations of `<stdatomic.h>`. Statements are sequenced; where C leaves the order of two
//! accesses open (`*x + *y`), the test is refused. A plain access of an atomic object is refused, too: C takes it for `seq_cst`, herd for
//! an access that is not atomic.

mod expression;
mod order;

use crate::test::{
    Datum, Instruction, LitmusAccess, LitmusTest, Operation, Register, RegisterTerm, TextPlace,
    ThreadCode, WordOperator,
};
use crate::token::{LitmusMistake, TokenStream, mistake};
use axioms::{EventTag, EventTags};

/// Words of which types are made.
const TYPE_WORDS: [&str; 12] = [
    "int",
    "long",
    "unsigned",
    "volatile",
    "const",
    "atomic_int",
    "_Atomic",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
    "atomic_uint",
];

/// Reads the threads of a test.
pub(crate) fn threads(
    stream: &mut TokenStream,
    test: &mut LitmusTest,
) -> Result<(), LitmusMistake> {
    let mut number = 0;
    loop {
        let place = stream.place();
        let is_thread = stream.peek().starts_with('P') && stream.peek_at(1) == "(";
        if !is_thread {
            if number == 0 || test.threads.len() > number {
                return mistake(place, format!("the thread `P{number}` is expected here"));
            }
            return Ok(());
        }
        stream.expect(&format!("P{number}"))?;
        let mut code = match test.threads.get_mut(number) {
            Some(code) => std::mem::take(code),
            None => ThreadCode::default(),
        };
        let parameters = parameters(stream, test)?;
        let mut lowering = CThread { stream, parameters, code: &mut code, temporaries: 0 };
        lowering.block()?;
        match test.threads.get_mut(number) {
            Some(place) => *place = code,
            None => test.threads.push(code),
        }
        number += 1;
    }
}

/// A parameter: a pointer to a shared location.
struct CParameter {
    name: String,
    location: usize,
    is_atomic: bool,
}

fn parameters(
    stream: &mut TokenStream,
    test: &mut LitmusTest,
) -> Result<Vec<CParameter>, LitmusMistake> {
    stream.expect("(")?;
    let mut parameters = Vec::new();
    while !stream.accept(")") {
        let mut is_atomic = false;
        let place = stream.place();
        while TYPE_WORDS.contains(&stream.peek()) {
            is_atomic |= stream.peek().contains("tomic");
            stream.next += 1;
        }
        if !stream.accept("*") {
            return mistake(place, "a parameter is a pointer to `int` or to an atomic `int`");
        }
        let name = stream.name("the name of a parameter")?.text.clone();
        let location = test.location(&name);
        parameters.push(CParameter { name, location, is_atomic });
        if stream.peek() != ")" {
            stream.expect(",")?;
        }
    }
    Ok(parameters)
}

/// Lowers a thread.
struct CThread<'c, 't> {
    stream: &'c mut TokenStream<'t>,
    parameters: Vec<CParameter>,
    code: &'c mut ThreadCode,
    /// How many registers without a name there are.
    temporaries: usize,
}

impl CThread<'_, '_> {
    fn block(&mut self) -> Result<(), LitmusMistake> {
        self.stream.expect("{")?;
        while !self.stream.accept("}") {
            if self.stream.is_at_end() {
                return self.stream.expect("}");
            }
            self.statement()?;
        }
        Ok(())
    }

    fn statement(&mut self) -> Result<(), LitmusMistake> {
        let place = self.stream.place();
        match self.stream.peek() {
            "{" => return self.block(),
            "if" => return self.conditional(),
            "while" => return self.repetition(),
            "for" | "do" | "switch" | "goto" | "return" => {
                return mistake(place, format!("`{}` is not supported", self.stream.peek()));
            }
            ";" => {}
            "*" => self.plain_write()?,
            word if TYPE_WORDS.contains(&word) => self.declaration()?,
            _ if self.stream.peek_at(1) == "=" => self.assignment()?,
            _ => {
                self.expression()?;
            }
        }
        self.stream.expect(";")
    }

    /// `if (…) … else …`
    fn conditional(&mut self) -> Result<(), LitmusMistake> {
        let place = self.stream.place();
        let to_else = self.branch_unless(place)?;
        self.statement()?;
        if !self.stream.accept("else") {
            self.lands_here(to_else);
            return Ok(());
        }
        let to_end = self.emit(place, Operation::Branch { condition: None, target: 0 });
        self.lands_here(to_else);
        self.statement()?;
        self.lands_here(to_end);
        Ok(())
    }

    /// `while (…) …`: that the loop is taken again is beyond us, and found out when the thread runs.
    fn repetition(&mut self) -> Result<(), LitmusMistake> {
        let place = self.stream.place();
        let target = self.code.instructions.len();
        let to_end = self.branch_unless(place)?;
        self.statement()?;
        self.emit(place, Operation::Branch { condition: None, target });
        self.lands_here(to_end);
        Ok(())
    }

    /// A branch that is taken if the condition in parentheses does not hold.
    fn branch_unless(&mut self, place: TextPlace) -> Result<usize, LitmusMistake> {
        self.stream.next += 1;
        self.stream.expect("(")?;
        let condition = self.expression()?;
        self.stream.expect(")")?;
        let is_false =
            RegisterTerm::binary(WordOperator::Equal, condition, RegisterTerm::number(0));
        Ok(self.emit(place, Operation::Branch { condition: Some(is_false), target: 0 }))
    }

    /// From now on the branch leads to the next instruction.
    fn lands_here(&mut self, branch: usize) {
        let here = self.code.instructions.len();
        if let Operation::Branch { target, .. } = &mut self.code.instructions[branch].operation {
            *target = here;
        }
    }

    /// `int r0 = …;`
    fn declaration(&mut self) -> Result<(), LitmusMistake> {
        while TYPE_WORDS.contains(&self.stream.peek()) {
            if self.stream.peek().contains("tomic") {
                return mistake(self.stream.place(), "local variables are not atomic");
            }
            self.stream.next += 1;
        }
        let name = self.stream.name("the name of a local variable")?;
        if self.code.registers.contains(&name.text) && self.is_declared(&name.text) {
            return mistake(name.place, format!("`{}` is declared twice", name.text));
        }
        if self.parameters.iter().any(|parameter| parameter.name == name.text) {
            return mistake(name.place, format!("`{}` is a parameter", name.text));
        }
        let register = self.code.register(&name.text, None);
        if self.stream.accept("=") {
            self.assign(register, name.place)?;
        }
        Ok(())
    }

    /// Has an instruction set it already? (Registers with initial values are there before the threads.)
    fn is_declared(&self, name: &str) -> bool {
        let known = self.code.registers.iter().position(|known| known == name);
        known.is_some_and(|known| self.code.start[known].is_none())
    }

    fn assignment(&mut self) -> Result<(), LitmusMistake> {
        let name = self.stream.name("a local variable")?;
        let register = self.local(&name.text, name.place)?;
        self.stream.expect("=")?;
        self.assign(register, name.place)
    }

    fn assign(&mut self, register: Register, place: TextPlace) -> Result<(), LitmusMistake> {
        let value = self.expression()?;
        self.emit(place, Operation::Set { register, value });
        Ok(())
    }

    /// `*x = …`
    fn plain_write(&mut self) -> Result<(), LitmusMistake> {
        let place = self.stream.place();
        self.stream.expect("*")?;
        let access = self.plain_access()?;
        self.stream.expect("=")?;
        let value = self.expression()?;
        self.emit(place, Operation::Store { value, access });
        Ok(())
    }

    /// What follows `*`.
    fn plain_access(&mut self) -> Result<LitmusAccess, LitmusMistake> {
        let place = self.stream.place();
        let parameter = self.parameter()?;
        if parameter.is_atomic {
            let instead = "write `atomic_load_explicit` or `atomic_store_explicit`";
            return mistake(place, format!("a plain access of an atomic object: {instead}"));
        }
        Ok(access_of(parameter.location, EventTags::of(&[EventTag::NonAtomic])))
    }

    fn parameter(&mut self) -> Result<&CParameter, LitmusMistake> {
        let name = self.stream.name("a parameter")?;
        let known = self.parameters.iter().find(|parameter| parameter.name == name.text);
        match known {
            Some(parameter) => Ok(parameter),
            None => mistake(name.place, format!("`{}` is no parameter", name.text)),
        }
    }

    fn local(&self, name: &str, place: TextPlace) -> Result<Register, LitmusMistake> {
        match self.code.registers.iter().position(|known| known == name) {
            Some(register) => Ok(Register(register)),
            None => mistake(place, format!("`{name}` is not declared")),
        }
    }

    fn temporary(&mut self) -> Register {
        self.temporaries += 1;
        self.code.register(&format!("%{}", self.temporaries), None)
    }

    fn emit(&mut self, place: TextPlace, operation: Operation) -> usize {
        self.code.instructions.push(Instruction { place, operation });
        self.code.instructions.len() - 1
    }
}

fn access_of(location: usize, tags: EventTags) -> LitmusAccess {
    let address = RegisterTerm::Constant(Datum::Address(location));
    LitmusAccess { address, bytes: 4, tags }
}
