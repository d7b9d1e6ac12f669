//! Expressions: operators, from the comma down to unary ones.
//!
//! Binary operators are parsed with a stack of our own instead of one function
//! per level of precedence, assignments and conditionals with a list of what
//! still waits for its right side. So only parentheses and prefix operators
//! cost recursion.

use super::{Parse, Parser};
use crate::syntax::ast::{BinaryOp, ExprKind, Expression, TypeName, UnaryOp};
use crate::syntax::lexer::token::TokenKind;

/// What was read of an expression whose right side is still to come.
enum Pending {
    Assign(Option<BinaryOp>, Expression),
    Conditional(Expression, Option<Expression>),
}

/// An operand with the height of its tree.
struct Operand {
    expr: Expression,
    height: u32,
}

impl Parser<'_> {
    /// `a, b, c`
    pub(super) fn expr(&mut self) -> Parse<Expression> {
        let mut expr = self.assignment()?;
        while self.eat(TokenKind::Comma) {
            let right = self.assignment()?;
            self.grow()?;
            expr = join(expr, right, ExprKind::Comma);
        }
        Ok(expr)
    }

    /// An expression without a comma.
    pub(super) fn assignment(&mut self) -> Parse<Expression> {
        let outside = self.enter()?;
        let mut pending = Vec::new();
        let mut expr = loop {
            let operand = self.binary()?;
            if self.eat(TokenKind::Question) {
                let middle = self.conditional_middle()?;
                pending.push(Pending::Conditional(operand, middle));
            } else if let Some(op) = assignment_operator(self.kind()) {
                if let Some(Pending::Conditional(..)) = pending.last() {
                    return self.fail("a conditional expression cannot be assigned to".to_string());
                }
                self.bump();
                pending.push(Pending::Assign(op, operand));
            } else {
                break operand;
            }
        };
        while let Some(left) = pending.pop() {
            self.grow()?;
            expr = complete(left, expr);
        }
        self.leave(outside);
        Ok(expr)
    }

    /// From `?` to `:`; GNU C allows nothing between.
    fn conditional_middle(&mut self) -> Parse<Option<Expression>> {
        let middle = match self.kind() {
            TokenKind::Colon => None,
            _ => Some(self.expr()?),
        };
        self.expect(TokenKind::Colon, "in the conditional expression")?;
        Ok(middle)
    }

    /// Operands joined by binary operators; the operators that wait stand with
    /// ascending precedence on a stack.
    fn binary(&mut self) -> Parse<Expression> {
        let outside = std::mem::take(&mut self.height);
        let mut left = self.operand()?;
        let mut waiting: Vec<(Operand, BinaryOp, u8)> = Vec::new();
        while let Some((op, precedence)) = binary_operator(self.kind()) {
            self.bump();
            while let Some((first, op, _)) = waiting.pop_if(|(_, _, other)| *other >= precedence) {
                left = self.combine(first, op, left)?;
            }
            waiting.push((left, op, precedence));
            left = self.operand()?;
        }
        while let Some((first, op, _)) = waiting.pop() {
            left = self.combine(first, op, left)?;
        }
        self.height = outside.max(left.height);
        Ok(left.expr)
    }

    fn operand(&mut self) -> Parse<Operand> {
        self.height = 0;
        let expr = self.unary()?;
        Ok(Operand { expr, height: self.height })
    }

    fn combine(&mut self, left: Operand, op: BinaryOp, right: Operand) -> Parse<Operand> {
        self.height = left.height.max(right.height);
        self.grow()?;
        Ok(Operand {
            expr: join(left.expr, right.expr, |left, right| ExprKind::Binary(op, left, right)),
            height: self.height,
        })
    }

    /// Prefix operators, casts, and what binds tighter.
    fn unary(&mut self) -> Parse<Expression> {
        let kind = self.kind();
        if let Some(op) = unary_operator(kind) {
            return self.prefixed(|operand| ExprKind::Unary(op, operand));
        }
        match kind {
            TokenKind::PlusPlus | TokenKind::MinusMinus => self.prefixed(|operand| {
                ExprKind::IncDec { increment: kind == TokenKind::PlusPlus, prefix: true, operand }
            }),
            TokenKind::ComplexPart => self.prefixed(ExprKind::ComplexPart),
            TokenKind::Sizeof => self.measured(ExprKind::SizeofExpr, ExprKind::SizeofType),
            TokenKind::Alignof => self.measured(ExprKind::AlignofExpr, ExprKind::AlignofType),
            TokenKind::Extension => self.extension(),
            TokenKind::AmpAmp => self.label_address(),
            TokenKind::LParen if self.starts_specifiers(self.at + 1) => self.cast(),
            _ => self.postfix(),
        }
    }

    /// A prefix operator and its operand.
    fn prefixed(&mut self, build: impl FnOnce(Expression) -> ExprKind) -> Parse<Expression> {
        let outside = self.enter()?;
        let start = self.bump().lo;
        let operand = self.unary()?;
        self.leave(outside);
        Ok(self.expr_from(start, build(operand)))
    }

    /// `__extension__ e` is `e`.
    fn extension(&mut self) -> Parse<Expression> {
        while self.eat(TokenKind::Extension) {}
        let outside = self.enter()?;
        let expr = self.unary()?;
        self.leave(outside);
        Ok(expr)
    }

    /// `sizeof` or `_Alignof` of an expression or of a type. `sizeof (T){…}` measures
    /// a compound literal.
    fn measured(
        &mut self,
        of_expr: fn(Expression) -> ExprKind,
        of_type: fn(TypeName) -> ExprKind,
    ) -> Parse<Expression> {
        if self.kind_ahead(1) != TokenKind::LParen || !self.starts_specifiers(self.at + 2) {
            return self.prefixed(of_expr);
        }
        let outside = self.enter()?;
        let start = self.bump().lo;
        let literal_start = self.start();
        let ty = self.parenthesised_type("before the type")?;
        let kind = if self.kind() == TokenKind::LBrace {
            of_expr(self.compound_literal(literal_start, ty)?)
        } else {
            of_type(ty)
        };
        self.leave(outside);
        Ok(self.expr_from(start, kind))
    }

    fn label_address(&mut self) -> Parse<Expression> {
        let start = self.bump().lo;
        let label = self.ident("of a label after `&&`")?;
        Ok(self.expr_from(start, ExprKind::LabelAddress(label)))
    }

    /// `(T)e`, or a compound literal `(T){…}`.
    fn cast(&mut self) -> Parse<Expression> {
        let outside = self.enter()?;
        let start = self.start();
        let ty = self.parenthesised_type("before the type")?;
        let expr = if self.kind() == TokenKind::LBrace {
            self.compound_literal(start, ty)?
        } else {
            let operand = self.unary()?;
            self.expr_from(start, ExprKind::Cast(ty, operand))
        };
        self.leave(outside);
        Ok(expr)
    }

    /// `{…}` after a type in parentheses, and what is done with the object.
    fn compound_literal(&mut self, start: u32, ty: TypeName) -> Parse<Expression> {
        let items = self.initializer_list()?;
        let literal = self.expr_from(start, ExprKind::CompoundLiteral(ty, items));
        self.postfix_operators(literal)
    }

    /// An expression that starts at `start` and ends before the current token.
    pub(super) fn expr_from(&self, start: u32, kind: ExprKind) -> Expression {
        Expression { kind: Box::new(kind), range: self.range_from(start) }
    }
}

fn join(
    left: Expression,
    right: Expression,
    build: impl FnOnce(Expression, Expression) -> ExprKind,
) -> Expression {
    let mut range = left.range;
    range.hi = right.range.hi;
    Expression { kind: Box::new(build(left, right)), range }
}

fn complete(left: Pending, right: Expression) -> Expression {
    match left {
        Pending::Assign(op, target) => {
            join(target, right, |target, value| ExprKind::Assign(op, target, value))
        }
        Pending::Conditional(condition, middle) => {
            join(condition, right, |condition, otherwise| {
                ExprKind::Conditional(condition, middle, otherwise)
            })
        }
    }
}

fn unary_operator(kind: TokenKind) -> Option<UnaryOp> {
    Some(match kind {
        TokenKind::Amp => UnaryOp::AddressOf,
        TokenKind::Star => UnaryOp::Deref,
        TokenKind::Plus => UnaryOp::Plus,
        TokenKind::Minus => UnaryOp::Minus,
        TokenKind::Tilde => UnaryOp::BitNot,
        TokenKind::Not => UnaryOp::Not,
        _ => return None,
    })
}

/// The operator and its precedence; higher binds tighter.
fn binary_operator(kind: TokenKind) -> Option<(BinaryOp, u8)> {
    Some(match kind {
        TokenKind::Star => (BinaryOp::Mul, 10),
        TokenKind::Slash => (BinaryOp::Div, 10),
        TokenKind::Percent => (BinaryOp::Rem, 10),
        TokenKind::Plus => (BinaryOp::Add, 9),
        TokenKind::Minus => (BinaryOp::Sub, 9),
        TokenKind::Shl => (BinaryOp::Shl, 8),
        TokenKind::Shr => (BinaryOp::Shr, 8),
        TokenKind::Lt => (BinaryOp::Lt, 7),
        TokenKind::Le => (BinaryOp::Le, 7),
        TokenKind::Gt => (BinaryOp::Gt, 7),
        TokenKind::Ge => (BinaryOp::Ge, 7),
        TokenKind::EqEq => (BinaryOp::Eq, 6),
        TokenKind::Ne => (BinaryOp::Ne, 6),
        TokenKind::Amp => (BinaryOp::BitAnd, 5),
        TokenKind::Caret => (BinaryOp::BitXor, 4),
        TokenKind::Pipe => (BinaryOp::BitOr, 3),
        TokenKind::AmpAmp => (BinaryOp::And, 2),
        TokenKind::PipePipe => (BinaryOp::Or, 1),
        _ => return None,
    })
}

/// `Some(None)` is the plain `=`.
fn assignment_operator(kind: TokenKind) -> Option<Option<BinaryOp>> {
    Some(match kind {
        TokenKind::Assign => None,
        TokenKind::PlusAssign => Some(BinaryOp::Add),
        TokenKind::MinusAssign => Some(BinaryOp::Sub),
        TokenKind::StarAssign => Some(BinaryOp::Mul),
        TokenKind::SlashAssign => Some(BinaryOp::Div),
        TokenKind::PercentAssign => Some(BinaryOp::Rem),
        TokenKind::AmpAssign => Some(BinaryOp::BitAnd),
        TokenKind::PipeAssign => Some(BinaryOp::BitOr),
        TokenKind::CaretAssign => Some(BinaryOp::BitXor),
        TokenKind::ShlAssign => Some(BinaryOp::Shl),
        TokenKind::ShrAssign => Some(BinaryOp::Shr),
        _ => return None,
    })
}
