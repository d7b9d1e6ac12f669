//! The accesses of a step, read and written: `{ read x; write v[i] atomic release; fence seq_cst }`.

use super::ParseError;
use super::parse::Parser;
use super::print::Printer;
use super::words::{DIRECTIONS, LOCK_OPERATIONS, ORDERS, word};
use crate::access::{Access, AccessKind, Cell, Mode, Order};
use crate::program::VarRef;

impl Parser {
    /// Accesses in braces, or nothing.
    pub(super) fn accesses(&mut self) -> Result<Vec<Access>, ParseError> {
        let mut accesses = Vec::new();
        if !self.reader.accept("{") {
            return Ok(accesses);
        }
        loop {
            let kind = self.access()?;
            accesses.push(Access { kind, span: self.span()? });
            if !self.reader.accept(";") {
                self.reader.expect("}")?;
                return Ok(accesses);
            }
        }
    }

    fn access(&mut self) -> Result<AccessKind, ParseError> {
        if self.reader.accept_word("fence") {
            return self.order().map(AccessKind::Fence);
        }
        if self.reader.accept_word("signal_fence") {
            return self.order().map(AccessKind::SignalFence);
        }
        if let Some(operation) = self.reader.one_of(&LOCK_OPERATIONS) {
            return Ok(AccessKind::Lock(operation, self.cell()?));
        }
        let Some(direction) = self.reader.one_of(&DIRECTIONS) else {
            return self
                .reader
                .expected("an access: `read`, `write`, `update`, `fence`, `acquire`, …");
        };
        let cell = self.cell()?;
        let mode = if self.reader.accept_word("volatile") {
            Mode::Volatile
        } else if self.reader.accept_word("atomic") {
            Mode::Atomic(self.order()?)
        } else {
            Mode::Plain
        };
        Ok(AccessKind::Memory(direction, cell, mode))
    }

    fn order(&mut self) -> Result<Order, ParseError> {
        match self.reader.one_of(&ORDERS) {
            Some(order) => Ok(order),
            None => self.reader.expected("a memory order"),
        }
    }

    /// `x` or `x[e]`, a shared variable.
    fn cell(&mut self) -> Result<Cell, ParseError> {
        let name = self.reader.variable("a shared variable")?;
        let VarRef::Shared(var) = self.scope.variable(&name)?.0 else {
            return Err(name.at.error(format!("`{}` is not shared", name.text)));
        };
        let mut index = None;
        if self.reader.accept("[") {
            let written = self.reader.expr()?;
            self.reader.expect("]")?;
            self.scope.array(&name)?;
            index = Some(self.scope.index(&written)?);
        }
        Ok(Cell { var, index })
    }
}

impl Printer<'_> {
    pub(super) fn accesses(&mut self, accesses: &[Access]) {
        for (number, access) in accesses.iter().enumerate() {
            self.put(if number == 0 { " { " } else { "; " });
            self.access(access);
            self.span(access.span);
        }
        self.put(if accesses.is_empty() { "" } else { " }" });
    }

    fn access(&mut self, access: &Access) {
        match &access.kind {
            AccessKind::Memory(direction, cell, mode) => {
                self.cell(word(&DIRECTIONS, direction), cell);
                match mode {
                    Mode::Plain => {}
                    Mode::Volatile => self.put(" volatile"),
                    Mode::Atomic(order) => {
                        self.put(format_args!(" atomic {}", word(&ORDERS, order)))
                    }
                }
            }
            AccessKind::Fence(order) => self.put(format_args!("fence {}", word(&ORDERS, order))),
            AccessKind::SignalFence(order) => {
                self.put(format_args!("signal_fence {}", word(&ORDERS, order)));
            }
            AccessKind::Lock(operation, cell) => self.cell(word(&LOCK_OPERATIONS, operation), cell),
        }
    }

    fn cell(&mut self, what: &str, cell: &Cell) {
        self.put(format_args!("{what} {}", self.var_name(VarRef::Shared(cell.var))));
        if let Some(index) = &cell.index {
            self.index(index);
        }
    }
}
