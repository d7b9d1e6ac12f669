//! Expressions of threads in C. Accesses become instructions of their own, in the order that C gives them; what is left is a term over
//! local variables.

use super::order::AtomicOrder;
use super::{CThread, access_of};
use crate::test::{Modification, Operation, Register, RegisterTerm, TextPlace, WordOperator};
use crate::token::{LitmusMistake, mistake};
use axioms::{EventTag, EventTags};

/// Binary operators by growing precedence. The last part: are the operands swapped?
const OPERATORS: [&[(&str, WordOperator, bool)]; 7] = [
    &[("|", WordOperator::Or, false)],
    &[("^", WordOperator::Xor, false)],
    &[("&", WordOperator::And, false)],
    &[("==", WordOperator::Equal, false), ("!=", WordOperator::Different, false)],
    &[
        ("<", WordOperator::Less, false),
        (">", WordOperator::Less, true),
        ("<=", WordOperator::LessOrEqual, false),
        (">=", WordOperator::LessOrEqual, true),
    ],
    &[("+", WordOperator::Add, false), ("-", WordOperator::Subtract, false)],
    &[("*", WordOperator::Multiply, false)],
];

impl CThread<'_, '_> {
    /// An expression: what it is, after the instructions that were added.
    pub(super) fn expression(&mut self) -> Result<RegisterTerm, LitmusMistake> {
        self.sequenced("||", true, Self::conjunction)
    }

    fn conjunction(&mut self) -> Result<RegisterTerm, LitmusMistake> {
        self.sequenced("&&", false, |thread| thread.binary(0))
    }

    /// `a || b` and `a && b`: the second is only computed if the first does not decide.
    fn sequenced(
        &mut self,
        sign: &str,
        decides: bool,
        operand: impl Fn(&mut Self) -> Result<RegisterTerm, LitmusMistake>,
    ) -> Result<RegisterTerm, LitmusMistake> {
        let mut term = operand(self)?;
        while self.stream.peek() == sign {
            let place = self.stream.place();
            self.stream.next += 1;
            let result = self.temporary();
            self.emit(place, Operation::Set { register: result, value: truth(term) });
            let operator = if decides { WordOperator::Different } else { WordOperator::Equal };
            let known = RegisterTerm::binary(
                operator,
                RegisterTerm::Register(result),
                RegisterTerm::number(0),
            );
            let to_end = self.emit(place, Operation::Branch { condition: Some(known), target: 0 });
            let second = operand(self)?;
            self.emit(place, Operation::Set { register: result, value: truth(second) });
            self.lands_here(to_end);
            term = RegisterTerm::Register(result);
        }
        Ok(term)
    }

    fn binary(&mut self, level: usize) -> Result<RegisterTerm, LitmusMistake> {
        let Some(operators) = OPERATORS.get(level) else {
            return self.unary();
        };
        let before = self.code.instructions.len();
        let mut left = self.binary(level + 1)?;
        loop {
            let sign = self.stream.peek();
            let Some((_, operator, swapped)) = operators.iter().find(|(known, ..)| *known == sign)
            else {
                return Ok(left);
            };
            let place = self.stream.place();
            self.stream.next += 1;
            let between = self.code.instructions.len();
            let right = self.binary(level + 1)?;
            if before < between && between < self.code.instructions.len() {
                return mistake(place, "C leaves the order of the accesses on both sides open");
            }
            left = match swapped {
                true => RegisterTerm::binary(*operator, right, left),
                false => RegisterTerm::binary(*operator, left, right),
            };
        }
    }

    fn unary(&mut self) -> Result<RegisterTerm, LitmusMistake> {
        if self.stream.accept("!") {
            let operand = self.unary()?;
            return Ok(RegisterTerm::binary(WordOperator::Equal, operand, RegisterTerm::number(0)));
        }
        if self.stream.accept("-") {
            let operand = self.unary()?;
            let zero = RegisterTerm::number(0);
            return Ok(RegisterTerm::binary(WordOperator::Subtract, zero, operand));
        }
        let place = self.stream.place();
        if self.stream.accept("*") {
            let access = self.plain_access()?;
            let register = self.temporary();
            self.emit(place, Operation::Load { register, access, exclusive: false });
            return Ok(RegisterTerm::Register(register));
        }
        if self.stream.accept("(") {
            let inner = self.expression()?;
            self.stream.expect(")")?;
            return Ok(inner);
        }
        let is_number = self.stream.tokens.get(self.stream.next).is_some_and(|t| t.is_number());
        if is_number {
            return Ok(RegisterTerm::number(self.stream.number()?));
        }
        let name = self.stream.name("an expression")?;
        match self.stream.peek() {
            "(" => self.call(&name.text, place),
            _ => Ok(RegisterTerm::Register(self.local(&name.text, place)?)),
        }
    }

    /// A call of an operation of `<stdatomic.h>`. Without `_explicit`, orders are `seq_cst`.
    fn call(&mut self, name: &str, place: TextPlace) -> Result<RegisterTerm, LitmusMistake> {
        self.stream.expect("(")?;
        let (operation, explicit) = match name.strip_suffix("_explicit") {
            Some(operation) => (operation, true),
            None => (name, false),
        };
        let result = match operation {
            "atomic_thread_fence" if !explicit => {
                let order = self.order()?;
                self.emit(place, Operation::Fence(order.fence_tags()));
                RegisterTerm::number(0)
            }
            "atomic_load" => {
                let location = self.object()?;
                let order = self.order_after_comma(explicit, AtomicOrder::fits_load)?;
                let access = access_of(location, order.read_tags());
                let register = self.temporary();
                self.emit(place, Operation::Load { register, access, exclusive: false });
                RegisterTerm::Register(register)
            }
            "atomic_store" => {
                let location = self.object()?;
                self.stream.expect(",")?;
                let value = self.expression()?;
                let order = self.order_after_comma(explicit, AtomicOrder::fits_store)?;
                let access = access_of(location, order.write_tags());
                self.emit(place, Operation::Store { value, access });
                RegisterTerm::number(0)
            }
            "atomic_compare_exchange_strong" => self.compare_exchange(place, explicit, false)?,
            "atomic_compare_exchange_weak" => self.compare_exchange(place, explicit, true)?,
            _ => self.fetch(operation, explicit, name, place)?,
        };
        self.stream.expect(")")?;
        Ok(result)
    }

    /// `atomic_exchange` and `atomic_fetch_…`.
    fn fetch(
        &mut self,
        operation: &str,
        explicit: bool,
        name: &str,
        place: TextPlace,
    ) -> Result<RegisterTerm, LitmusMistake> {
        let operator = match operation {
            "atomic_exchange" => None,
            "atomic_fetch_add" => Some(WordOperator::Add),
            "atomic_fetch_sub" => Some(WordOperator::Subtract),
            "atomic_fetch_or" => Some(WordOperator::Or),
            "atomic_fetch_xor" => Some(WordOperator::Xor),
            "atomic_fetch_and" => Some(WordOperator::And),
            _ => return mistake(place, format!("`{name}` is no function that rely knows here")),
        };
        let location = self.object()?;
        self.stream.expect(",")?;
        let given = self.expression()?;
        let order = self.order_after_comma(explicit, |_| true)?;
        let old = self.temporary();
        let read = RegisterTerm::Register(old);
        let new = match operator {
            Some(operator) => RegisterTerm::binary(operator, read.clone(), given),
            None => given,
        };
        let tags = order.read_tags();
        self.emit(
            place,
            Operation::Modify(Box::new(Modification {
                old,
                access: access_of(location, tags),
                write_tags: order.write_tags(),
                new,
                when: None,
                failure_tags: tags,
                may_fail: false,
                picks: false,
                success: None,
            })),
        );
        Ok(read)
    }

    /// `atomic_compare_exchange_…(object, expected, desired, success, failure)`. `expected` is a parameter, which is accessed without
    /// atomicity, or the address of a local variable.
    fn compare_exchange(
        &mut self,
        place: TextPlace,
        explicit: bool,
        may_fail: bool,
    ) -> Result<RegisterTerm, LitmusMistake> {
        let location = self.object()?;
        self.stream.expect(",")?;
        let (expected, shared) = self.expected(place)?;
        self.stream.expect(",")?;
        let before = self.code.instructions.len();
        let new = self.expression()?;
        if before < self.code.instructions.len() {
            return mistake(place, "C leaves the order of the accesses in the arguments open");
        }
        let order = self.order_after_comma(explicit, |_| true)?;
        let failure = self.order_after_comma(explicit, AtomicOrder::fits_load)?;
        let (old, success) = (self.temporary(), self.temporary());
        let [read, wanted] = [old, expected].map(RegisterTerm::Register);
        let when = RegisterTerm::binary(WordOperator::Equal, read.clone(), wanted);
        self.emit(
            place,
            Operation::Modify(Box::new(Modification {
                old,
                access: access_of(location, order.read_tags()),
                write_tags: order.write_tags(),
                new,
                when: Some(when),
                failure_tags: failure.read_tags(),
                may_fail,
                picks: false,
                success: Some(success),
            })),
        );
        let succeeded = RegisterTerm::Register(success);
        let condition = Some(succeeded.clone());
        let to_end = self.emit(place, Operation::Branch { condition, target: 0 });
        let operation = match shared {
            Some(location) => {
                let tags = EventTags::of(&[EventTag::NonAtomic]);
                Operation::Store { value: read, access: access_of(location, tags) }
            }
            None => Operation::Set { register: expected, value: read },
        };
        self.emit(place, operation);
        self.lands_here(to_end);
        Ok(succeeded)
    }

    /// The register that has what is expected, and the location that it was read from.
    fn expected(&mut self, place: TextPlace) -> Result<(Register, Option<usize>), LitmusMistake> {
        if self.stream.accept("&") {
            let name = self.stream.name("a local variable")?;
            return Ok((self.local(&name.text, name.place)?, None));
        }
        let location = self.parameter()?.location;
        let register = self.temporary();
        let access = access_of(location, EventTags::of(&[EventTag::NonAtomic]));
        self.emit(place, Operation::Load { register, access, exclusive: false });
        Ok((register, Some(location)))
    }

    /// The object of an atomic operation: a parameter.
    fn object(&mut self) -> Result<usize, LitmusMistake> {
        Ok(self.parameter()?.location)
    }

    /// The next argument, if orders are given; it must fit the operation.
    fn order_after_comma(
        &mut self,
        explicit: bool,
        fits: impl Fn(AtomicOrder) -> bool,
    ) -> Result<AtomicOrder, LitmusMistake> {
        if !explicit {
            return Ok(AtomicOrder::SeqCst);
        }
        self.stream.expect(",")?;
        let place = self.stream.place();
        let order = self.order()?;
        match fits(order) {
            true => Ok(order),
            false => mistake(place, "this operation may not have this memory order"),
        }
    }

    fn order(&mut self) -> Result<AtomicOrder, LitmusMistake> {
        let name = self.stream.name("a memory order")?;
        let known = AtomicOrder::named(&name.text);
        known.map_or_else(
            || mistake(name.place, format!("`{}` is no memory order that rely knows", name.text)),
            Ok,
        )
    }
}

/// 1 or 0.
fn truth(term: RegisterTerm) -> RegisterTerm {
    RegisterTerm::binary(WordOperator::Different, term, RegisterTerm::number(0))
}
