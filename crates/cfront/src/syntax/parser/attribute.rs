//! `__attribute__`, `_Alignas`, `asm` and `_Static_assert`: what may stand in
//! many places.

use super::{Parse, Parser, range_of};
use crate::extensions::{self, Standing};
use crate::syntax::ast::{Asm, Attribute, ExprKind, Expression, Ident, Range, StaticAssert};
use crate::syntax::lexer::literal;
use crate::syntax::lexer::token::TokenKind;

/// The operands of one section of an `asm`.
type Operands = Vec<(String, Expression)>;

impl Parser<'_> {
    /// Any number of `__attribute__((…))`.
    pub(super) fn attributes(&mut self, attributes: &mut Vec<Attribute>) -> Parse<()> {
        while self.eat(TokenKind::Attribute) {
            self.expect(TokenKind::LParen, "after `__attribute__`")?;
            self.expect(TokenKind::LParen, "after `__attribute__(`")?;
            while self.kind() != TokenKind::RParen {
                if self.kind() != TokenKind::Comma {
                    attributes.push(self.attribute()?);
                }
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::RParen, "after the attribute")?;
            self.expect(TokenKind::RParen, "after the attribute")?;
        }
        Ok(())
    }

    /// Attributes and `asm("name")` after a declarator.
    pub(super) fn declarator_attributes(&mut self, attributes: &mut Vec<Attribute>) -> Parse<()> {
        loop {
            match self.kind() {
                TokenKind::Attribute => self.attributes(attributes)?,
                TokenKind::Asm => attributes.push(self.asm_label()?),
                _ => return Ok(()),
            }
        }
    }

    fn asm_label(&mut self) -> Parse<Attribute> {
        let start = self.bump().lo;
        self.expect(TokenKind::LParen, "after `asm`")?;
        let name = self.string_expr("as the name for the assembler")?;
        self.expect(TokenKind::RParen, "after the name for the assembler")?;
        Ok(Attribute { name: "asm".to_string(), args: vec![name], range: self.range_from(start) })
    }

    fn attribute(&mut self) -> Parse<Attribute> {
        if !self.kind().is_word() {
            return self.expected("the name of an attribute");
        }
        let token = self.bump();
        let spelling = &self.tokens.names[token.data as usize];
        let name = without_underscores(spelling).to_string();
        let mut args = Vec::new();
        if self.eat(TokenKind::LParen) {
            while self.kind() != TokenKind::RParen {
                self.attribute_argument(&mut args)?;
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::RParen, "after the arguments of the attribute")?;
        }
        let attribute = Attribute { name, args, range: self.range_from(token.lo) };
        if is_unknown(&attribute) {
            self.unknown_attributes.push((attribute.name.clone(), attribute.range));
        }
        Ok(attribute)
    }

    /// An expression is kept; anything else, such as a type, is dropped.
    fn attribute_argument(&mut self, args: &mut Vec<Expression>) -> Parse<()> {
        if !self.starts_specifiers(self.at) && self.starts_expression() {
            args.push(self.assignment()?);
            return Ok(());
        }
        loop {
            match self.kind() {
                TokenKind::Comma | TokenKind::RParen => return Ok(()),
                TokenKind::End | TokenKind::Bad => {
                    return self.expected("`)` after the arguments of the attribute");
                }
                TokenKind::LParen => self.at = self.after_parentheses(self.at),
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// `_Alignas(type)` or `_Alignas(expression)`, as attribute `aligned`.
    pub(super) fn alignas(&mut self) -> Parse<Attribute> {
        let start = self.bump().lo;
        self.expect(TokenKind::LParen, "after `_Alignas`")?;
        let argument = if self.starts_specifiers(self.at) {
            let ty = self.type_name()?;
            self.expr_from(start, ExprKind::AlignofType(ty))
        } else {
            self.assignment()?
        };
        self.expect(TokenKind::RParen, "after the argument of `_Alignas`")?;
        Ok(Attribute {
            name: "aligned".to_string(),
            args: vec![argument],
            range: self.range_from(start),
        })
    }

    /// `_Static_assert(condition, "message");`
    pub(super) fn static_assert(&mut self) -> Parse<StaticAssert> {
        let start = self.bump().lo;
        self.expect(TokenKind::LParen, "after `_Static_assert`")?;
        let condition = self.assignment()?;
        let message = match self.eat(TokenKind::Comma) {
            true => Some(self.string_text("as the message of `_Static_assert`")?),
            false => None,
        };
        self.expect(TokenKind::RParen, "after the arguments of `_Static_assert`")?;
        self.expect(TokenKind::Semicolon, "after `_Static_assert(…)`")?;
        Ok(StaticAssert { condition, message, range: self.range_from(start) })
    }

    /// `asm volatile goto ("template" : outputs : inputs : clobbers : labels);`
    pub(super) fn asm_statement(&mut self) -> Parse<Asm> {
        let start = self.bump().lo;
        while matches!(self.kind(), TokenKind::Volatile | TokenKind::Goto | TokenKind::Inline) {
            self.bump();
        }
        self.expect(TokenKind::LParen, "after `asm`")?;
        let mut asm = Asm {
            template: self.string_text("as the template of `asm`")?,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
            range: Range::default(),
        };
        self.asm_sections(&mut asm)?;
        self.expect(TokenKind::RParen, "after the operands of `asm`")?;
        self.expect(TokenKind::Semicolon, "after `asm(…)`")?;
        asm.range = self.range_from(start);
        Ok(asm)
    }

    fn asm_sections(&mut self, asm: &mut Asm) -> Parse<()> {
        if self.eat(TokenKind::Colon) {
            asm.outputs = self.asm_operands()?;
        }
        if self.eat(TokenKind::Colon) {
            asm.inputs = self.asm_operands()?;
        }
        if self.eat(TokenKind::Colon) {
            while self.kind() == TokenKind::Str {
                asm.clobbers.push(self.string_text("as a clobbered register")?);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
        }
        if self.eat(TokenKind::Colon) {
            asm.labels = self.name_list("as a label of `asm goto`")?;
        }
        Ok(())
    }

    /// `[name] "constraint" (expression), …`; may be empty.
    fn asm_operands(&mut self) -> Parse<Operands> {
        let mut operands = Vec::new();
        while matches!(self.kind(), TokenKind::LBracket | TokenKind::Str) {
            if self.eat(TokenKind::LBracket) {
                if !self.kind().is_word() {
                    return self.expected("a name for the operand of `asm`");
                }
                self.bump();
                self.expect(TokenKind::RBracket, "after the name of the operand")?;
            }
            let constraint = self.string_text("as the constraint of an operand")?;
            self.expect(TokenKind::LParen, "after the constraint")?;
            let operand = self.expr()?;
            self.expect(TokenKind::RParen, "after the operand of `asm`")?;
            operands.push((constraint, operand));
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        Ok(operands)
    }

    /// `a, b, c`: at least one name.
    pub(super) fn name_list(&mut self, place: &str) -> Parse<Vec<Ident>> {
        let mut names = vec![self.ident(place)?];
        while self.eat(TokenKind::Comma) {
            names.push(self.ident(place)?);
        }
        Ok(names)
    }

    /// Adjacent string literals as one expression.
    pub(super) fn string_expr(&mut self, place: &str) -> Parse<Expression> {
        let first = self.at;
        let start = self.expect(TokenKind::Str, place)?.lo;
        while self.eat(TokenKind::Str) {}
        let tokens = &self.tokens;
        let literals = &tokens.tokens[first..self.at];
        match literal::string(literals.iter().map(|&token| tokens.literal(token))) {
            Ok(kind) => Ok(self.expr_from(start, kind)),
            Err(message) => super::fail_at(range_of(literals[0]), message),
        }
    }

    /// Adjacent string literals as text; only the compiler or a reader looks at it.
    fn string_text(&mut self, place: &str) -> Parse<String> {
        let string = self.string_expr(place)?;
        Ok(match *string.kind {
            ExprKind::Str(units, '\0') => {
                let bytes: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
                String::from_utf8_lossy(&bytes).into_owned()
            }
            ExprKind::Str(units, _) => {
                let character = |unit| char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER);
                units.into_iter().map(character).collect()
            }
            _ => String::new(),
        })
    }
}

/// May an attribute change the meaning in a way that is not modelled?
pub fn is_unknown(attribute: &Attribute) -> bool {
    let is_harmless = |arg: &Expression| match &*arg.kind {
        ExprKind::Int { .. } => true,
        ExprKind::Str(units, _) => {
            let text: String = units.iter().filter_map(|unit| char::from_u32(*unit)).collect();
            text.split(',').all(extensions::is_harmless_optimisation)
        }
        _ => false,
    };
    match attribute.name.as_str() {
        "optimize" => !attribute.args.iter().all(is_harmless),
        name => extensions::attribute(name) == Standing::Limit,
    }
}

/// `__packed__` is `packed`.
fn without_underscores(spelling: &str) -> &str {
    spelling
        .strip_prefix("__")
        .and_then(|name| name.strip_suffix("__"))
        .filter(|name| !name.is_empty())
        .unwrap_or(spelling)
}
