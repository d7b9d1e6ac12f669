//! Formatted text (C11, 7.21.6.1). A call of `printf` or one of its relatives whose format is written at the call
//! becomes a call of a function of its own, which does what the format says: it reads the texts, writes to
//! the buffer and counts the characters, by the functions of `library/80-format.c`.
//!
//! The characters are counted only where the number is used. Where it is not known (a format that is computed, `%p`,
//! `%f`), its use is a limit: any number would do for a proof, but an error that needs a wrong one is none.

mod conversion;

use super::build::Builder;
use super::call::library_function;
use super::objects::Objects;
use super::scope::Scopes;
use super::{Res, Sema, constant, expr, unsupported};
use crate::hir::{
    BinaryOp, Callee, Expr, ExprKind, FuncId, Lifetime, Place, PlaceKind, Stmt, StmtKind, Type,
    TypeId, VarId,
};
use crate::syntax::ast::{self, IntKind, Range};
use crate::types::Types;
use conversion::{Conversion, Extent, Form, Piece};
use std::collections::HashMap;

/// Functions with a format: which argument it is, and where the text goes.
const FORMATTED: [(&str, usize, Output); 9] = [
    ("printf", 0, Output::Stream),
    ("fprintf", 1, Output::Stream),
    ("dprintf", 1, Output::Stream),
    ("syslog", 1, Output::Stream),
    ("printk", 0, Output::Log),
    ("sprintf", 1, Output::Buffer),
    ("snprintf", 2, Output::Bounded),
    ("vprintf", 0, Output::Unknown),
    ("vfprintf", 1, Output::Unknown),
];

/// Functions that print a text as it is: which argument it is.
const TEXTS: [(&str, usize); 3] = [("puts", 0), ("fputs", 0), ("perror", 0)];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    /// Writing to it may be a cancellation point.
    Stream,
    Log,
    /// The first argument.
    Buffer,
    /// The first argument, whose size is the second.
    Bounded,
    /// The arguments are not at hand.
    Unknown,
}

/// A function that does what a format says, while it is made.
struct Printer<'f> {
    output: Output,
    /// Its parameters.
    params: &'f [VarId],
    /// Which of them is the format.
    format: usize,
    /// Where it stands: in our library.
    range: Range,
}

/// What tells such functions apart: the function that is called, its format, the types of its arguments and which of
/// them are converted.
pub(super) type PrinterKey = (FuncId, VarId, Vec<TypeId>, Vec<usize>);

impl Sema {
    /// The value of an expression that is not used.
    pub(super) fn unused_value(&mut self, expr: &ast::Expression) -> Res<Expr> {
        let called = match &*expr.kind {
            ast::ExprKind::Cast(_, inner) => inner,
            _ => expr,
        };
        self.unused_call =
            matches!(*called.kind, ast::ExprKind::Call(..)).then_some(self.at(called.range));
        self.value(expr)
    }

    /// What a call means if it is one of a function that prints.
    pub(super) fn printing(&mut self, call: Expr, is_unused: bool) -> Res<Expr> {
        let function = self.body.as_ref().map(|body| body.id);
        let Sema { types, scopes, objects, printers: known, .. } = self;
        Printers { types, scopes, objects, function, known }.printing(call, is_unused)
    }
}

/// Makes the functions that print. It knows names and types, and walks no syntax tree.
struct Printers<'r> {
    types: &'r mut Types,
    scopes: &'r mut Scopes,
    objects: &'r mut Objects,
    /// The function whose body is being analysed.
    function: Option<FuncId>,
    /// Those that were made.
    known: &'r mut HashMap<PrinterKey, FuncId>,
}

impl Printers<'_> {
    fn build(&mut self) -> Builder<'_> {
        Builder { types: self.types, objects: self.objects, function: self.function }
    }

    fn printing(&mut self, call: Expr, is_unused: bool) -> Res<Expr> {
        let ExprKind::Call(Callee::Direct(id), args) = &*call.kind else { return Ok(call) };
        let function = self.objects.function(*id);
        if !function.is_model {
            return Ok(call);
        }
        let name = function.name.clone();
        if let Some((_, position)) = TEXTS.iter().find(|(text, _)| *text == name) {
            return self.printing_text(call, *position);
        }
        let Some(&(_, format, output)) = FORMATTED.iter().find(|row| row.0 == name) else {
            return Ok(call);
        };
        let is_unused = is_unused || call.ty == Types::VOID;
        let text = args.get(format).and_then(|format| self.text_of(format));
        let pieces = text.as_ref().and_then(|(_, text)| conversion::pieces(text));
        let (Some((literal, _)), Some(pieces)) = (text, pieces) else {
            return Ok(match is_unused {
                // What is done with its arguments is the lowering's to see.
                true => call,
                false => without_result(&name, &call),
            });
        };
        let limit = self.misfit(&name, &pieces, &args[format + 1..]);
        match (limit, output) {
            (_, Output::Unknown) if is_unused => Ok(call),
            (_, Output::Unknown) => Ok(without_result(&name, &call)),
            (Some(what), _) => Ok(unsupported(&what, call.ty, call.range)),
            (None, _) => self.print(call, (format, output, literal), pieces, is_unused),
        }
    }

    /// `puts(text)` reads the text.
    fn printing_text(&mut self, mut call: Expr, position: usize) -> Res<Expr> {
        let ExprKind::Call(_, args) = &mut *call.kind else { return Ok(call) };
        let Some(text) = args.get(position).cloned() else { return Ok(call) };
        if self.text_of(&text).is_none() {
            let range = text.range;
            args[position] = self.helper("read_text", vec![text], range)?;
        }
        Ok(call)
    }

    /// Why a format and its arguments are not modelled.
    fn misfit(&mut self, name: &str, pieces: &[Piece], args: &[Expr]) -> Option<String> {
        let mut args = args.iter();
        for piece in pieces {
            let Piece::Conversion(conversion) = piece else { continue };
            let letter = conversion.letter;
            for extent in [conversion.width, conversion.precision] {
                if extent == Extent::Argument && args.next().is_none_or(|a| a.ty != Types::INT) {
                    return Some(format!("`*` of `{name}` without an argument of type int"));
                }
            }
            if conversion.form() == Form::Other {
                return Some(format!("`%{letter}` in a format"));
            }
            match args.next() {
                None => return Some(format!("`%{letter}` of `{name}` without an argument")),
                Some(arg) if !conversion.takes(self.types, arg.ty) => {
                    let ty = self.types.name(arg.ty);
                    return Some(format!("`%{letter}` of `{name}` with an argument of type {ty}"));
                }
                Some(_) => {}
            }
        }
        None
    }

    fn print(
        &mut self,
        call: Expr,
        (format, output, literal): (usize, Output, VarId),
        pieces: Vec<Piece>,
        is_unused: bool,
    ) -> Res<Expr> {
        let Expr { kind, ty, range } = call;
        let ExprKind::Call(Callee::Direct(id), args) = *kind else { unreachable!("it is a call") };
        let name = self.objects.function(id).name.clone();
        let to_buffer = matches!(output, Output::Buffer | Output::Bounded);
        let is_opaque =
            |piece: &Piece| matches!(piece, Piece::Conversion(c) if c.form() == Form::Opaque);
        let counts = !is_unused || to_buffer;
        if counts && pieces.iter().any(is_opaque) {
            let call = expr(ExprKind::Call(Callee::Direct(id), args), ty, range);
            return Ok(without_result(&name, &call));
        }
        let texts = self.unknown_texts(&pieces, &args[format + 1..]);
        if !counts && texts.is_empty() {
            return Ok(expr(ExprKind::Call(Callee::Direct(id), args), ty, range));
        }
        let types: Vec<TypeId> = args.iter().map(|arg| arg.ty).collect();
        let key = (id, literal, types, if counts { vec![] } else { texts });
        let printer = match self.known.get(&key) {
            Some(printer) => *printer,
            None => self.printer(key, ty, (format, output), &pieces)?,
        };
        Ok(expr(ExprKind::Call(Callee::Direct(printer), args), ty, range))
    }

    /// Which pieces are texts that are not literals: these are read in any case.
    fn unknown_texts(&self, pieces: &[Piece], args: &[Expr]) -> Vec<usize> {
        let mut used = 0;
        let mut found = Vec::new();
        for (number, piece) in pieces.iter().enumerate() {
            let Piece::Conversion(conversion) = piece else { continue };
            let extents = [conversion.width, conversion.precision];
            used += extents.iter().filter(|extent| **extent == Extent::Argument).count();
            if conversion.form() == Form::Text && self.text_of(&args[used]).is_none() {
                found.push(number);
            }
            used += 1;
        }
        found
    }

    /// Makes the function that does what a format says. It counts the characters, or only reads the pieces that the key
    /// names.
    fn printer(
        &mut self,
        key: PrinterKey,
        ret: TypeId,
        (format, output): (usize, Output),
        pieces: &[Piece],
    ) -> Res<FuncId> {
        let (called, _, types, read) = &key;
        let (name, range) = {
            let called = self.objects.function(*called);
            (called.name.clone(), called.range)
        };
        let ty = self.types.intern(Type::Function { ret, params: types.clone(), variadic: false });
        let id = self.objects.add_function(&name, ty, false, range);
        let param = |(n, ty): (usize, &TypeId)| {
            self.objects.add_plain(&format!("argument{n}"), *ty, Lifetime::Local(id), range)
        };
        let params: Vec<VarId> = types.iter().enumerate().map(param).collect();
        let printer = Printer { output, params: &params, format, range };
        let mut body = Vec::new();
        if output == Output::Stream {
            let point = self.library_function("__rely_possible_cancellation_point", range);
            let call = ExprKind::Call(Callee::Direct(point), vec![]);
            body.push(StmtKind::Expr(expr(call, Types::VOID, range)));
        }
        let count = printer.text(self, pieces, read)?;
        match (ret, read.is_empty()) {
            (Types::VOID, _) => body.push(StmtKind::Expr(count)),
            (_, true) => body.push(StmtKind::Return(Some(self.build().cast_scalar(count, ret)))),
            (_, false) => {
                body.push(StmtKind::Expr(count));
                body.push(StmtKind::Return(Some(constant(0, ret, range))));
            }
        }
        let function = self.objects.function_mut(id);
        function.is_model = true;
        function.params = params;
        function.body = Some(body.into_iter().map(|kind| Stmt { kind, range }).collect());
        self.known.insert(key, id);
        Ok(id)
    }

    fn library_function(&mut self, name: &str, range: Range) -> FuncId {
        library_function(self.types, self.scopes, self.objects, (name, range))
    }

    /// A call of a function of `library/80-format.c`.
    fn helper(&mut self, name: &str, args: Vec<Expr>, range: Range) -> Res<Expr> {
        let callee = Callee::Direct(self.library_function(&format!("__rely_{name}"), range));
        let prototype = self.build().prototype(&callee).expect("the library has this function");
        self.build().call(callee, prototype, args, range)
    }

    /// The string literal that an expression is, and its text.
    fn text_of(&self, expr: &Expr) -> Option<(VarId, Vec<u8>)> {
        match &*expr.kind {
            ExprKind::Cast(inner) => self.text_of(inner),
            ExprKind::AddrOf(place) => match &place.kind {
                PlaceKind::Var(var) => self.text_in(*var),
                PlaceKind::Index(array, index, _) => match (&array.kind, &*index.kind) {
                    (PlaceKind::Var(var), ExprKind::Const(0)) => self.text_in(*var),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// The text of a string literal, up to its end.
    fn text_in(&self, var: VarId) -> Option<(VarId, Vec<u8>)> {
        let literal = self.objects.var(var);
        let is_narrow = self.types.element(literal.ty).is_some_and(|ty| ty == Types::CHAR);
        if !self.objects.is_string(var) || !is_narrow {
            return None;
        }
        let size = self.types.size_of(literal.ty)? as usize;
        let mut text = vec![0; size];
        for entry in literal.init.iter().flatten() {
            if let ExprKind::Const(value) = *entry.value.kind {
                text[entry.offset as usize] = value as u8;
            }
        }
        let end = text.iter().position(|c| *c == 0)?;
        text.truncate(end);
        Some((var, text))
    }
}

impl Printer<'_> {
    /// All pieces, or only those to `read`: how many characters there are.
    fn text(&self, maker: &mut Printers, pieces: &[Piece], read: &[usize]) -> Res<Expr> {
        let mut at = self.number(maker, 0);
        let mut args = self.params[self.format + 1..].iter().copied();
        for (number, piece) in pieces.iter().enumerate() {
            let before = at.clone();
            let after = match piece {
                Piece::Text(from, length) => self.plain(maker, at, *from, *length)?,
                Piece::Conversion(conversion) => self.convert(maker, at, conversion, &mut args)?,
            };
            at = if read.is_empty() || read.contains(&number) { after } else { before };
        }
        match self.output {
            Output::Buffer | Output::Bounded => {
                let end = vec![self.buffer(maker), self.size(maker), at];
                maker.helper("put_end", end, self.range)
            }
            _ => Ok(at),
        }
    }

    /// Characters of the format.
    fn plain(&self, maker: &mut Printers, at: Expr, from: usize, length: usize) -> Res<Expr> {
        let count = self.number(maker, length);
        if !matches!(self.output, Output::Buffer | Output::Bounded) {
            let ty = at.ty;
            return Ok(expr(ExprKind::Binary(BinaryOp::Add, at, count), ty, self.range));
        }
        let format = self.load(maker, self.params[self.format]);
        let (ty, from) = (format.ty, self.number(maker, from));
        let text = expr(ExprKind::PtrAdd(format, from, 1), ty, self.range);
        let args = [self.place(maker, at)?, vec![text, count]].concat();
        maker.helper("put_characters", args, self.range)
    }

    fn convert(
        &self,
        maker: &mut Printers,
        at: Expr,
        conversion: &Conversion,
        args: &mut impl Iterator<Item = VarId>,
    ) -> Res<Expr> {
        let mut width = self.extent(maker, conversion.width, 0, args);
        if conversion.has(b'-') {
            width = maker.helper("left", vec![width], self.range)?;
        }
        let precision = self.extent(maker, conversion.precision, -1, args);
        let argument = args.next().expect("there is an argument for each conversion");
        let value = self.load(maker, argument);
        let mut all = self.place(maker, at)?;
        let flag =
            |is: bool, value: i128| constant(if is { value } else { 0 }, Types::INT, self.range);
        let zeros = flag(conversion.has(b'0'), 1);
        let name = match conversion.form() {
            Form::Text => {
                all.extend([value, width, precision]);
                "put_text"
            }
            Form::Character => {
                all.extend([value, width]);
                "put_character"
            }
            Form::Signed => {
                let plus = match conversion.has(b'+') {
                    true => flag(true, i128::from(b'+')),
                    false => flag(conversion.has(b' '), i128::from(b' ')),
                };
                all.extend([self.printed(maker, conversion, value), plus, width, precision, zeros]);
                "put_signed"
            }
            Form::Unsigned(base) => {
                let (marked, case) = (conversion.has(b'#'), conversion.letter as i128);
                let letter = flag(true, if case == i128::from(b'X') { 65 } else { 97 });
                let x = flag(marked && base == 16, case);
                all.extend([self.printed(maker, conversion, value), flag(true, base), letter, x]);
                all.extend([flag(marked, 1), width, precision, zeros]);
                "put_unsigned"
            }
            Form::Opaque | Form::Other => return Ok(all.swap_remove(2)),
        };
        maker.helper(name, all, self.range)
    }

    /// The integer that is printed, in the widest type.
    fn printed(&self, maker: &mut Printers, conversion: &Conversion, value: Expr) -> Expr {
        let integer = conversion.integer(maker.types);
        let widest = maker.types.int(IntKind::LongLong, conversion.form() == Form::Signed);
        let value = maker.build().cast_scalar(value, integer);
        maker.build().cast_scalar(value, widest)
    }

    fn extent(
        &self,
        maker: &mut Printers,
        extent: Extent,
        absent: i128,
        args: &mut impl Iterator<Item = VarId>,
    ) -> Expr {
        match extent {
            Extent::Absent => constant(absent, Types::INT, self.range),
            Extent::Fixed(number) => constant(i128::from(number), Types::INT, self.range),
            Extent::Argument => {
                let argument = args.next().expect("there is an argument for each `*`");
                self.load(maker, argument)
            }
        }
    }

    /// The buffer, its room and how much is there: the first arguments of each helper.
    fn place(&self, maker: &mut Printers, at: Expr) -> Res<Vec<Expr>> {
        let size = self.size(maker);
        Ok(vec![self.buffer(maker), maker.helper("room", vec![size], self.range)?, at])
    }

    fn buffer(&self, maker: &mut Printers) -> Expr {
        match self.output {
            Output::Buffer | Output::Bounded => self.load(maker, self.params[0]),
            _ => constant(0, maker.types.pointer(Types::CHAR), self.range),
        }
    }

    fn size(&self, maker: &mut Printers) -> Expr {
        match self.output {
            Output::Buffer => {
                let ty = maker.types.size_t();
                constant(maker.types.wrap(-1, ty), ty, self.range)
            }
            Output::Bounded => self.load(maker, self.params[1]),
            _ => self.number(maker, 0),
        }
    }

    fn number(&self, maker: &mut Printers, number: usize) -> Expr {
        constant(number as i128, maker.types.int(IntKind::Long, false), self.range)
    }

    fn load(&self, maker: &Printers, var: VarId) -> Expr {
        let place: Place = maker.objects.place(var, self.range);
        let ty = place.ty;
        expr(ExprKind::Load(place), ty, self.range)
    }
}

/// A call whose result, or what it writes, is not known.
fn without_result(name: &str, call: &Expr) -> Expr {
    unsupported(
        &format!("what `{name}` prints, or how much, with this format"),
        call.ty,
        call.range,
    )
}
