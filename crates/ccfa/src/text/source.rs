//! What is kept of the source, read and written: spans, origins of variables, objects, calls.
//!
//! Objects and calls are numbered in order and spoken of by number, so they may stand anywhere;
//! they are written last.

use super::ParseError;
use super::lex::Kind;
use super::parse::Parser;
use super::print::{Printer, quote};
use crate::source::{Call, CallId, Dim, Object, ObjectId, Origin, Part, PartOf, Span};

impl Parser {
    /// `@file:line:column-line:column`, or nothing.
    pub(super) fn span(&mut self) -> Result<Option<Span>, ParseError> {
        if !self.reader.accept("@") {
            return Ok(None);
        }
        let at = self.reader.at();
        let file = self.plain_number("the number of a file")?;
        if file as usize >= self.program.files.len() {
            return Err(at.error(format!("there is no file {file}")));
        }
        self.reader.expect(":")?;
        let (line, column) = self.line_and_column()?;
        let mut span = Span::at(file, line, column);
        if self.reader.accept("-") {
            (span.end_line, span.end_column) = self.line_and_column()?;
        }
        Ok(Some(span))
    }

    fn line_and_column(&mut self) -> Result<(u32, u32), ParseError> {
        let line = self.plain_number("a line")?;
        self.reader.expect(":")?;
        Ok((line, self.plain_number("a column")?))
    }

    /// `call 3`, or nothing.
    pub(super) fn call_id(&mut self) -> Result<Option<CallId>, ParseError> {
        if !(self.reader.sees_word("call") && matches!(self.reader.peek_at(1), Kind::Number(..))) {
            return Ok(None);
        }
        self.reader.advance();
        self.plain_number("the number of a call").map(|number| Some(CallId(number)))
    }

    /// `source "name" "type" pointer in "function" part 2 of 5`, or nothing.
    pub(super) fn origin(&mut self) -> Result<Option<Origin>, ParseError> {
        if !(self.reader.sees_word("source") && matches!(self.reader.peek_at(1), Kind::Text(_))) {
            return Ok(None);
        }
        self.reader.advance();
        let (name, ty) = (self.text()?, self.text()?);
        let mut origin = Origin { name, ty, ..Origin::default() };
        origin.pointer = self.reader.accept_word("pointer");
        if self.reader.sees_word("in") && matches!(self.reader.peek_at(1), Kind::Text(_)) {
            self.reader.advance();
            origin.function = Some(self.text()?);
        }
        if self.reader.sees_word("part") && matches!(self.reader.peek_at(1), Kind::Number(..)) {
            self.reader.advance();
            let part = self.plain_number("the number of a part")?;
            self.reader.expect_word("of")?;
            let object = ObjectId(self.plain_number("the number of an object")?);
            origin.part = Some(PartOf { object, part });
        }
        Ok(Some(origin))
    }

    /// `call 1 "worker" from 0 @0:3:5`, after the first word.
    pub(super) fn call(&mut self) -> Result<(), ParseError> {
        self.numbered("calls", self.program.calls.len())?;
        let function = self.text()?;
        let caller = match self.reader.accept_word("from") {
            true => Some(CallId(self.plain_number("the number of a call")?)),
            false => None,
        };
        let site = self.span()?;
        self.program.calls.push(Call { function, site, caller });
        Ok(())
    }

    /// `object 0 "items" at 4096 size 24 copies 2 stride 48 { … }`, after the first word.
    pub(super) fn object(&mut self) -> Result<(), ParseError> {
        self.numbered("objects", self.program.objects.len())?;
        let mut object = Object { name: self.text()?, copies: 1, ..Object::default() };
        self.reader.expect_word("at")?;
        object.base = self.long_number("an address")?;
        self.reader.expect_word("size")?;
        object.size = self.long_number("a size")?;
        if self.reader.accept_word("copies") {
            object.copies = self.plain_number("a number of copies")?;
            self.reader.expect_word("stride")?;
            object.stride = self.long_number("a distance")?;
        }
        self.reader.expect("{")?;
        while !self.reader.accept("}") {
            object.parts.push(self.part()?);
        }
        self.program.objects.push(object);
        Ok(())
    }

    /// `"[].next" at 8 size 8 [3 by 16]`
    fn part(&mut self) -> Result<Part, ParseError> {
        let mut part = Part { path: self.text()?, ..Part::default() };
        self.reader.expect_word("at")?;
        part.offset = self.long_number("an offset")?;
        self.reader.expect_word("size")?;
        part.size = self.long_number("a size")?;
        while self.reader.accept("[") {
            let count = self.long_number("a number of elements")?;
            self.reader.expect_word("by")?;
            part.dims.push(Dim { count, stride: self.long_number("a distance")? });
            self.reader.expect("]")?;
        }
        Ok(part)
    }
}

impl Printer<'_> {
    pub(super) fn span(&mut self, span: Option<Span>) {
        let Some(Span { file, line, column, end_line, end_column }) = span else { return };
        self.put(format_args!(" @{file}:{line}:{column}"));
        if (line, column) != (end_line, end_column) {
            self.put(format_args!("-{end_line}:{end_column}"));
        }
    }

    pub(super) fn origin(&mut self, origin: &Option<Origin>) {
        let Some(origin) = origin else { return };
        self.put(format_args!(" source {} {}", quote(&origin.name, '"'), quote(&origin.ty, '"')));
        self.put(if origin.pointer { " pointer" } else { "" });
        if let Some(function) = &origin.function {
            self.put(format_args!(" in {}", quote(function, '"')));
        }
        if let Some(PartOf { object, part }) = origin.part {
            self.put(format_args!(" part {part} of {}", object.0));
        }
    }

    pub(super) fn object(&mut self, number: usize, object: &Object) {
        let Object { name, base, size, copies, stride, parts } = object;
        self.put(format_args!("object {number} {} at {base} size {size}", quote(name, '"')));
        if (*copies, *stride) != (1, 0) {
            self.put(format_args!(" copies {copies} stride {stride}"));
        }
        self.put(" {");
        for Part { path, offset, size, dims } in parts {
            self.put(format_args!(" {} at {offset} size {size}", quote(path, '"')));
            for Dim { count, stride } in dims {
                self.put(format_args!(" [{count} by {stride}]"));
            }
        }
        self.put(" }\n");
    }

    pub(super) fn call(&mut self, number: usize, call: &Call) {
        self.put(format_args!("call {number} {}", quote(&call.function, '"')));
        if let Some(caller) = call.caller {
            self.put(format_args!(" from {}", caller.0));
        }
        self.span(call.site);
        self.put("\n");
    }
}
