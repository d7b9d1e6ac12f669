//! Primary expressions, what may follow them, and built-in functions that take types.

use super::{Parse, Parser, fail_at, range_of};
use crate::syntax::ast::{Designator, ExprKind, Expression, TypeName};
use crate::syntax::lexer::literal;
use crate::syntax::lexer::token::TokenKind;

impl Parser<'_> {
    /// Whether an expression can start at the current token.
    pub(super) fn starts_expression(&self) -> bool {
        use TokenKind::*;
        matches!(
            self.kind(),
            Ident
                | Number
                | Char
                | Str
                | LParen
                | Plus
                | Minus
                | Star
                | Amp
                | AmpAmp
                | Tilde
                | Not
                | PlusPlus
                | MinusMinus
                | Sizeof
                | Alignof
                | Extension
                | ComplexPart
                | Generic
                | BuiltinChooseExpr
                | BuiltinOffsetof
                | BuiltinTypesCompatible
                | BuiltinVaArg
        )
    }

    pub(super) fn postfix(&mut self) -> Parse<Expression> {
        let expr = self.primary()?;
        self.postfix_operators(expr)
    }

    /// Calls, indices, members, `++` and `--` after an expression.
    pub(super) fn postfix_operators(&mut self, mut expr: Expression) -> Parse<Expression> {
        let start = expr.range.lo;
        loop {
            let kind = match self.kind() {
                TokenKind::LParen => {
                    let arguments = self.arguments()?;
                    ExprKind::Call(expr, arguments)
                }
                TokenKind::LBracket => {
                    self.bump();
                    let index = self.expr()?;
                    self.expect(TokenKind::RBracket, "after the index")?;
                    ExprKind::Index(expr, index)
                }
                TokenKind::Dot | TokenKind::Arrow => {
                    let arrow = self.bump().kind == TokenKind::Arrow;
                    let field = self.ident("of a field")?;
                    ExprKind::Member { base: expr, arrow, field }
                }
                TokenKind::PlusPlus | TokenKind::MinusMinus => ExprKind::IncDec {
                    increment: self.bump().kind == TokenKind::PlusPlus,
                    prefix: false,
                    operand: expr,
                },
                _ => return Ok(expr),
            };
            self.grow()?;
            expr = self.expr_from(start, kind);
        }
    }

    fn arguments(&mut self) -> Parse<Vec<Expression>> {
        self.bump();
        let mut arguments = Vec::new();
        if self.kind() != TokenKind::RParen {
            arguments.push(self.assignment()?);
            while self.eat(TokenKind::Comma) {
                arguments.push(self.assignment()?);
            }
        }
        self.expect(TokenKind::RParen, "after the arguments")?;
        Ok(arguments)
    }

    fn primary(&mut self) -> Parse<Expression> {
        match self.kind() {
            TokenKind::Ident => {
                let name = self.ident("")?;
                Ok(Expression { range: name.range, kind: Box::new(ExprKind::Ident(name)) })
            }
            TokenKind::Number => self.constant(literal::number),
            TokenKind::Char => self.constant(literal::character),
            TokenKind::Str => self.string_expr(""),
            TokenKind::LParen if self.kind_ahead(1) == TokenKind::LBrace => self.statement_expr(),
            TokenKind::LParen => self.parenthesised(),
            TokenKind::Generic => self.generic(),
            TokenKind::BuiltinVaArg => self.va_arg(),
            TokenKind::BuiltinOffsetof => self.offsetof(),
            TokenKind::BuiltinTypesCompatible => self.types_compatible(),
            TokenKind::BuiltinChooseExpr => self.choose_expr(),
            _ => self.expected("an expression"),
        }
    }

    fn constant(&mut self, read: fn(&str) -> Result<ExprKind, String>) -> Parse<Expression> {
        let token = self.bump();
        match read(self.tokens.literal(token)) {
            Ok(kind) => Ok(self.expr_from(token.lo, kind)),
            Err(message) => fail_at(range_of(token), message),
        }
    }

    fn statement_expr(&mut self) -> Parse<Expression> {
        let outside = self.enter()?;
        let start = self.bump().lo;
        let block = self.block()?;
        self.expect(TokenKind::RParen, "after the statement expression")?;
        self.leave(outside);
        Ok(self.expr_from(start, ExprKind::StmtExpr(block)))
    }

    /// `(e)`. The parentheses belong to the range, not to the tree.
    fn parenthesised(&mut self) -> Parse<Expression> {
        self.refuse_unknown_cast()?;
        let start = self.bump().lo;
        let mut expr = self.expr()?;
        self.expect(TokenKind::RParen, "after the expression")?;
        expr.range = self.range_from(start);
        Ok(expr)
    }

    /// `(name *)` and `(name) other` were meant to be casts.
    fn refuse_unknown_cast(&self) -> Parse<()> {
        use TokenKind::*;
        let is_cast = match (self.kind_ahead(1), self.kind_ahead(2), self.kind_ahead(3)) {
            (Ident, Star, RParen) => true,
            (Ident, RParen, next) => matches!(next, Ident | Number | Char | Str),
            _ => false,
        };
        if is_cast {
            let name = self.tokens.tokens[self.at + 1];
            let spelling = &self.tokens.names[name.data as usize];
            return fail_at(range_of(name), format!("unknown type name `{spelling}`"));
        }
        Ok(())
    }

    /// `_Generic(e, T: a, default: b)`
    fn generic(&mut self) -> Parse<Expression> {
        let start = self.bump().lo;
        self.expect(TokenKind::LParen, "after `_Generic`")?;
        let control = self.assignment()?;
        let mut choices = Vec::new();
        while self.eat(TokenKind::Comma) {
            let ty = match self.eat(TokenKind::Default) {
                true => None,
                false => Some(self.type_name()?),
            };
            self.expect(TokenKind::Colon, "after the type in `_Generic`")?;
            choices.push((ty, self.assignment()?));
        }
        self.expect(TokenKind::RParen, "after the choices of `_Generic`")?;
        Ok(self.expr_from(start, ExprKind::Generic(control, choices)))
    }

    /// `__builtin_va_arg(list, T)`
    fn va_arg(&mut self) -> Parse<Expression> {
        let start = self.builtin_start()?;
        let list = self.assignment()?;
        self.builtin_comma()?;
        let ty = self.type_name()?;
        self.builtin_end()?;
        Ok(self.expr_from(start, ExprKind::VaArg(list, ty)))
    }

    /// `__builtin_offsetof(T, a.b[3])`
    fn offsetof(&mut self) -> Parse<Expression> {
        let start = self.builtin_start()?;
        let ty = self.type_name()?;
        self.builtin_comma()?;
        let mut path = vec![Designator::Field(self.ident("of a field")?)];
        path.extend(self.designators()?);
        self.builtin_end()?;
        Ok(self.expr_from(start, ExprKind::Offsetof(ty, path)))
    }

    /// `__builtin_types_compatible_p(T, U)`
    fn types_compatible(&mut self) -> Parse<Expression> {
        let start = self.builtin_start()?;
        let left: TypeName = self.type_name()?;
        self.builtin_comma()?;
        let right = self.type_name()?;
        self.builtin_end()?;
        Ok(self.expr_from(start, ExprKind::TypesCompatible(left, right)))
    }

    /// `__builtin_choose_expr(c, a, b)`
    fn choose_expr(&mut self) -> Parse<Expression> {
        let start = self.builtin_start()?;
        let condition = self.assignment()?;
        self.builtin_comma()?;
        let first = self.assignment()?;
        self.builtin_comma()?;
        let second = self.assignment()?;
        self.builtin_end()?;
        Ok(self.expr_from(start, ExprKind::ChooseExpr(condition, first, second)))
    }

    fn builtin_start(&mut self) -> Parse<u32> {
        let start = self.bump().lo;
        self.expect(TokenKind::LParen, "after the name of the built-in function")?;
        Ok(start)
    }

    fn builtin_comma(&mut self) -> Parse<()> {
        self.expect(TokenKind::Comma, "between the arguments").map(drop)
    }

    fn builtin_end(&mut self) -> Parse<()> {
        self.expect(TokenKind::RParen, "after the arguments").map(drop)
    }
}
