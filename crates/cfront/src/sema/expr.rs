//! Expressions: what each node of the syntax tree denotes. Operators, calls,
//! places and queries (`sizeof` and its kin) have their own files.

use super::place::whole;
use super::scope::Symbol;
use super::{FLOATING, Operand, Res, Sema, VARIABLE_ARGUMENTS, constant, error, expr, unsupported};
use crate::hir::{Expr, InitEntry, Lifetime, Place, PlaceKind, TypeId, Var, VarId};
use crate::syntax::ast::{self, ExprKind, Ident, IntKind, Range, UnaryOp};
use crate::types::Types;

impl Sema {
    /// What an expression denotes: a value, a place or a function.
    pub(super) fn operand(&mut self, e: &ast::Expr) -> Res<Operand> {
        let range = self.at(e.range);
        match &*e.kind {
            ExprKind::Ident(name) => self.name(name),
            ExprKind::Str(units, prefix) => Ok(self.string_place(units, *prefix, range)),
            ExprKind::Unary(UnaryOp::Deref, operand) => self.deref_operand(operand, range),
            ExprKind::Index(a, i) => self.index(a, i, range),
            ExprKind::Member { base, arrow, field } => self.member(base, *arrow, field, range),
            ExprKind::CompoundLiteral(name, items) => self.compound_literal(name, items, range),
            ExprKind::Generic(control, cases) => self.generic(control, cases, range),
            ExprKind::ChooseExpr(condition, a, b) => {
                let holds = self.integer_constant(condition, "the condition")? != 0;
                self.operand(if holds { a } else { b })
            }
            _ => Ok(Operand::Value(self.plain_value(e, range)?)),
        }
    }

    /// Expressions that never denote a place.
    fn plain_value(&mut self, e: &ast::Expr, range: Range) -> Res<Expr> {
        match &*e.kind {
            ExprKind::Int { value, unsigned, longs, decimal } => {
                self.integer_literal(*value, *unsigned, *longs, *decimal, range)
            }
            ExprKind::Float(text) => Ok(self.float_literal(text, range)),
            ExprKind::Char(value, prefix) => {
                let ty = match prefix {
                    '\0' => Types::INT,
                    _ => self.character_type(*prefix),
                };
                Ok(constant(self.wrap(i128::from(*value), ty), ty, range))
            }
            ExprKind::Unary(op, operand) => self.unary_operator(*op, operand, range),
            ExprKind::IncDec { increment, prefix, operand } => {
                self.step(*increment, *prefix, operand, range)
            }
            ExprKind::Binary(op, a, b) => self.binary_operator(*op, a, b, range),
            ExprKind::Assign(None, to, from) => self.assign(to, from, range),
            ExprKind::Assign(Some(op), to, from) => self.assign_op(*op, to, from, range),
            ExprKind::Conditional(c, a, b) => self.conditional(c, a.as_ref(), b, range),
            ExprKind::Comma(a, b) => self.comma(a, b, range),
            ExprKind::Cast(name, operand) => self.cast(name, operand, range),
            ExprKind::Call(callee, args) => self.call(callee, args, range),
            ExprKind::StmtExpr(block) => self.statement_expression(block, range),
            ExprKind::VaArg(_, name) => {
                let ty = self.type_name(name)?;
                let ty = self.decayed(ty);
                Ok(unsupported(VARIABLE_ARGUMENTS, ty, range))
            }
            ExprKind::LabelAddress(_) => {
                let ty = self.types.pointer(Types::VOID);
                Ok(unsupported("address of a label", ty, range))
            }
            ExprKind::ComplexPart(operand) => {
                let ty = self.value(operand)?.ty;
                Ok(unsupported(FLOATING, ty, range))
            }
            _ => self.query(e, range),
        }
    }

    fn comma(&mut self, a: &ast::Expr, b: &ast::Expr, range: Range) -> Res<Expr> {
        let first = self.value(a)?;
        let second = self.value(b)?;
        let ty = second.ty;
        Ok(expr(crate::hir::ExprKind::Comma(first, second), ty, range))
    }

    fn deref_operand(&mut self, operand: &ast::Expr, range: Range) -> Res<Operand> {
        match self.operand(operand)? {
            Operand::Function(id, _) => Ok(Operand::Function(id, range)),
            other => {
                let pointer = self.rvalue(other)?;
                self.deref(pointer, range)
            }
        }
    }

    fn name(&mut self, name: &Ident) -> Res<Operand> {
        let range = self.at(name.range);
        match self.lookup(&name.name) {
            Some(Symbol::Var(var)) => match self.variable_arrays.get(&var) {
                Some(array) => Ok(self.variable_array_place(var, array.ty, range)),
                None => Ok(self.var_place(var, range)),
            },
            Some(Symbol::Function(id)) => Ok(Operand::Function(id, range)),
            Some(Symbol::Constant(value, ty)) => Ok(Operand::Value(constant(value, ty, range))),
            Some(Symbol::Typedef(..)) => {
                error(range, format!("`{}` is a type, not a value", name.name))
            }
            None => self.unknown_name(name, range),
        }
    }

    pub(super) fn var_place(&self, var: VarId, range: Range) -> Operand {
        Operand::Place(whole(Place {
            kind: PlaceKind::Var(var),
            ty: self.vars[var.index()].ty,
            bits: None,
            range,
        }))
    }

    fn unknown_name(&mut self, name: &Ident, range: Range) -> Res<Operand> {
        let is_function_name =
            matches!(&*name.name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__");
        if is_function_name && let Some(current) = &self.current {
            let units: Vec<u32> = current.name.bytes().map(u32::from).collect();
            return Ok(self.string_place(&units, '\0', range));
        }
        if name.name.starts_with("__builtin_") {
            let id = self.library_function(&name.name, range);
            return Ok(Operand::Function(id, range));
        }
        let hint = match self.similar_name(&name.name) {
            Some(similar) => format!("did you mean `{similar}`?"),
            None => "declare it first, or include the header that does".to_string(),
        };
        error(range, format!("`{}` is not declared: {hint}", name.name))
    }

    /// A declared name that differs only a little.
    fn similar_name(&self, name: &str) -> Option<String> {
        let mut names: Vec<&str> = self
            .scopes
            .iter()
            .flat_map(|scope| scope.symbols.keys())
            .map(|key| &**key)
            .filter(|key| is_similar(key, name))
            .collect();
        names.sort_unstable();
        names.first().map(|key| (*key).to_string())
    }

    fn integer_literal(
        &mut self,
        value: u128,
        unsigned: bool,
        longs: u8,
        decimal: bool,
        range: Range,
    ) -> Res<Expr> {
        let Ok(number) = i128::try_from(value) else {
            return error(range, "this number is too large");
        };
        let kinds = [IntKind::Int, IntKind::Long, IntKind::LongLong];
        for kind in kinds.into_iter().skip(usize::from(longs.min(2))) {
            for signed in [true, false] {
                let allowed = if signed { !unsigned } else { unsigned || !decimal };
                let ty = self.types.int(kind, signed);
                if allowed && self.wrap(number, ty) == number {
                    return Ok(constant(number, ty, range));
                }
            }
        }
        let ty = self.types.int(IntKind::LongLong, false);
        if self.wrap(number, ty) != number {
            return error(range, "this number is too large");
        }
        let signed = self.types.int(IntKind::Int128, true);
        Ok(constant(number, if unsigned { ty } else { signed }, range))
    }

    fn float_literal(&mut self, text: &str, range: Range) -> Expr {
        let is_hex = text.starts_with("0x") || text.starts_with("0X");
        let size = match text.chars().last() {
            Some('f' | 'F') if !is_hex || text.contains(['p', 'P']) => 4,
            Some('l' | 'L') => match self.types.pointer_size() {
                4 => 12,
                _ => 16,
            },
            _ => 8,
        };
        let ty = self.types.float(size);
        unsupported(FLOATING, ty, range)
    }

    /// The type of the characters of a literal with this prefix.
    pub(super) fn character_type(&mut self, prefix: char) -> TypeId {
        match prefix {
            'L' => self.types.wchar_t(),
            'u' => self.types.int(IntKind::Short, false),
            'U' => Types::UINT,
            _ => Types::CHAR,
        }
    }

    /// A string literal: an array that lives as long as the program.
    pub(super) fn string_place(&mut self, units: &[u32], prefix: char, range: Range) -> Operand {
        let key = (units.to_vec(), prefix);
        if let Some(&var) = self.strings.get(&key) {
            return self.var_place(var, range);
        }
        let element = self.character_type(prefix);
        let ty = self.types.array(element, Some(units.len() as u64 + 1));
        let init = self.string_entries(units, element, 0, u64::MAX, range);
        let var = self.new_var(Var {
            name: "\"…\"".to_string(),
            ty,
            lifetime: Lifetime::Static,
            init: Some(init),
            range,
        });
        self.strings.insert(key, var);
        self.var_place(var, range)
    }

    /// The characters of a literal that are not zero, at most `limit` of them.
    pub(super) fn string_entries(
        &self,
        units: &[u32],
        element: TypeId,
        offset: u64,
        limit: u64,
        range: Range,
    ) -> Vec<InitEntry> {
        let size = self.types.size_of(element).unwrap_or(1);
        let characters = units.iter().zip(0..limit).filter(|(unit, _)| **unit != 0);
        characters
            .map(|(unit, index)| InitEntry {
                offset: offset.saturating_add(index * size),
                bits: None,
                ty: element,
                value: constant(self.wrap(i128::from(*unit), element), element, range),
            })
            .collect()
    }
}

/// Equal but for case, or for one character.
fn is_similar(a: &str, b: &str) -> bool {
    if a.eq_ignore_ascii_case(b) {
        return true;
    }
    if b.len() < 3 || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let prefix = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let suffix = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    prefix + suffix + 1 >= a.len().max(b.len())
}
