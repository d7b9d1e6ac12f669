//! Statements and blocks.
//!
//! Chains of `else if` and of labels may be long in generated code, so both
//! are read in a loop and put together from their end.

use super::declaration::Declared;
use super::{Parse, Parser};
use crate::syntax::ast::{Block, BlockItem, Expression, ForInit, Ident, Range, Stmt, StmtKind};
use crate::syntax::lexer::token::TokenKind;

/// What stands before a colon.
enum Label {
    Case(Expression, Option<Expression>),
    Default,
    Name(Ident),
}

impl Parser<'_> {
    /// `{ … }` with its scope. The caller counts the nesting.
    pub(super) fn block(&mut self) -> Parse<Block> {
        let start = self.expect(TokenKind::LBrace, "to begin the block")?.lo;
        self.scopes.open();
        let mut items = Vec::new();
        loop {
            match self.kind() {
                TokenKind::RBrace => break,
                TokenKind::End | TokenKind::Bad => return self.expected("`}` to end the block"),
                _ => items.push(self.block_item()?),
            }
        }
        self.bump();
        self.scopes.close();
        Ok(Block { items, range: self.range_from(start) })
    }

    fn block_item(&mut self) -> Parse<BlockItem> {
        match self.kind() {
            TokenKind::LocalLabel => {
                self.bump();
                let labels = self.name_list("after `__label__`")?;
                self.expect(TokenKind::Semicolon, "after the local labels")?;
                Ok(BlockItem::LocalLabels(labels))
            }
            TokenKind::StaticAssert => Ok(BlockItem::StaticAssert(self.static_assert()?)),
            _ if self.is_label() => Ok(BlockItem::Stmt(self.statement_in(true)?)),
            _ if self.is_declaration_ahead() => self.declaration_item(),
            _ => Ok(BlockItem::Stmt(self.statement_in(true)?)),
        }
    }

    fn declaration_item(&mut self) -> Parse<BlockItem> {
        let outside = self.enter()?;
        let declared = self.declaration_or_function()?;
        self.leave(outside);
        Ok(match declared {
            Declared::Declaration(declaration) => BlockItem::Declaration(declaration),
            Declared::Function(function) => BlockItem::NestedFunction(*function),
        })
    }

    fn is_label(&self) -> bool {
        match self.kind() {
            TokenKind::Case | TokenKind::Default => true,
            TokenKind::Ident => self.kind_ahead(1) == TokenKind::Colon,
            _ => false,
        }
    }

    fn statement(&mut self) -> Parse<Stmt> {
        self.statement_in(false)
    }

    /// In a block, a label may also stand before a declaration or the closing brace.
    fn statement_in(&mut self, in_block: bool) -> Parse<Stmt> {
        let outside = self.enter()?;
        // Attributes of statements (`fallthrough`) only silence warnings.
        self.attributes(&mut Vec::new())?;
        let statement = if self.is_label() { self.labelled(in_block)? } else { self.unlabelled()? };
        self.leave(outside);
        Ok(statement)
    }

    fn labelled(&mut self, in_block: bool) -> Parse<Stmt> {
        let mut labels = Vec::new();
        while self.is_label() {
            let start = self.start();
            labels.push((start, self.label()?));
        }
        let ends = self.kind() == TokenKind::RBrace
            || self.kind() == TokenKind::StaticAssert
            || self.is_declaration_ahead();
        let mut statement = if in_block && ends {
            self.empty_statement()
        } else {
            self.attributes(&mut Vec::new())?;
            self.unlabelled()?
        };
        for (start, label) in labels.into_iter().rev() {
            self.grow()?;
            let kind = match label {
                Label::Case(low, high) => StmtKind::Case(low, high, statement),
                Label::Default => StmtKind::Default(statement),
                Label::Name(name) => StmtKind::Label(name, statement),
            };
            statement = self.stmt_from(start, kind);
        }
        Ok(statement)
    }

    fn label(&mut self) -> Parse<Label> {
        let label = match self.kind() {
            TokenKind::Case => {
                self.bump();
                let low = self.assignment()?;
                let high = match self.eat(TokenKind::Ellipsis) {
                    true => Some(self.assignment()?),
                    false => None,
                };
                Label::Case(low, high)
            }
            TokenKind::Default => {
                self.bump();
                Label::Default
            }
            _ => Label::Name(self.ident("of a label")?),
        };
        self.expect(TokenKind::Colon, "after the label")?;
        if matches!(label, Label::Name(_)) && !self.is_attributed_declaration() {
            // A label's attributes (`unused`) only silence warnings.
            self.attributes(&mut Vec::new())?;
        }
        Ok(label)
    }

    fn is_attributed_declaration(&self) -> bool {
        self.kind() == TokenKind::Attribute && self.is_declaration_ahead()
    }

    fn unlabelled(&mut self) -> Parse<Stmt> {
        match self.kind() {
            TokenKind::LBrace => {
                let start = self.start();
                let block = self.block()?;
                Ok(self.stmt_from(start, StmtKind::Block(block)))
            }
            TokenKind::If => self.if_statement(),
            TokenKind::While => self.while_statement(),
            TokenKind::Do => self.do_statement(),
            TokenKind::For => self.for_statement(),
            TokenKind::Switch => self.switch_statement(),
            TokenKind::Goto | TokenKind::Continue | TokenKind::Break | TokenKind::Return => {
                self.jump_statement()
            }
            TokenKind::Asm => {
                let start = self.start();
                let asm = self.asm_statement()?;
                Ok(self.stmt_from(start, StmtKind::Asm(asm)))
            }
            _ => self.expression_statement(),
        }
    }

    fn expression_statement(&mut self) -> Parse<Stmt> {
        let start = self.start();
        let expr = match self.kind() {
            TokenKind::Semicolon => None,
            _ if self.starts_expression() => Some(self.expr()?),
            _ => return self.expected("a statement"),
        };
        self.expect(TokenKind::Semicolon, "after the expression")?;
        Ok(self.stmt_from(start, StmtKind::Expr(expr)))
    }

    /// `( e )` after a keyword.
    fn condition(&mut self, keyword: &str) -> Parse<Expression> {
        self.expect(TokenKind::LParen, &format!("after `{keyword}`"))?;
        let condition = self.expr()?;
        self.expect(TokenKind::RParen, "after the condition")?;
        Ok(condition)
    }

    fn if_statement(&mut self) -> Parse<Stmt> {
        let mut arms = Vec::new();
        let mut otherwise = None;
        loop {
            let start = self.bump().lo;
            let condition = self.condition("if")?;
            arms.push((self.range_from(start), condition, self.statement()?));
            if !self.eat(TokenKind::Else) {
                break;
            }
            if self.kind() != TokenKind::If {
                otherwise = Some(self.statement()?);
                break;
            }
        }
        let Some((head, condition, then)) = arms.pop() else {
            return self.expected("`if`");
        };
        self.grow()?;
        let mut statement = with_head(head, StmtKind::If(condition, then, otherwise));
        while let Some((head, condition, then)) = arms.pop() {
            self.grow()?;
            statement = with_head(head, StmtKind::If(condition, then, Some(statement)));
        }
        Ok(statement)
    }

    fn while_statement(&mut self) -> Parse<Stmt> {
        let start = self.bump().lo;
        let condition = self.condition("while")?;
        let head = self.range_from(start);
        let body = self.statement()?;
        Ok(with_head(head, StmtKind::While(condition, body)))
    }

    fn do_statement(&mut self) -> Parse<Stmt> {
        let start = self.bump().lo;
        let body = self.statement()?;
        self.expect(TokenKind::While, "after the body of `do`")?;
        let condition = self.condition("while")?;
        self.expect(TokenKind::Semicolon, "after `do … while (…)`")?;
        Ok(self.stmt_from(start, StmtKind::DoWhile(body, condition)))
    }

    fn switch_statement(&mut self) -> Parse<Stmt> {
        let start = self.bump().lo;
        let value = self.condition("switch")?;
        let head = self.range_from(start);
        let body = self.statement()?;
        Ok(with_head(head, StmtKind::Switch(value, body)))
    }

    /// Names that are declared in the head belong to the loop alone.
    fn for_statement(&mut self) -> Parse<Stmt> {
        let start = self.bump().lo;
        self.expect(TokenKind::LParen, "after `for`")?;
        self.scopes.open();
        let init = self.for_init()?;
        let condition = self.optional_expr(TokenKind::Semicolon)?;
        self.expect(TokenKind::Semicolon, "after the condition of `for`")?;
        let step = self.optional_expr(TokenKind::RParen)?;
        self.expect(TokenKind::RParen, "after the head of `for`")?;
        let head = self.range_from(start);
        let body = self.statement()?;
        self.scopes.close();
        Ok(with_head(head, StmtKind::For(init, condition, step, body)))
    }

    fn for_init(&mut self) -> Parse<Option<ForInit>> {
        if self.is_declaration_ahead() {
            return Ok(Some(ForInit::Declaration(self.declaration()?)));
        }
        let init = self.optional_expr(TokenKind::Semicolon)?;
        self.expect(TokenKind::Semicolon, "after the first part of `for`")?;
        Ok(init.map(ForInit::Expr))
    }

    /// Nothing if `end` stands here.
    fn optional_expr(&mut self, end: TokenKind) -> Parse<Option<Expression>> {
        match self.kind() == end {
            true => Ok(None),
            false => Ok(Some(self.expr()?)),
        }
    }

    fn jump_statement(&mut self) -> Parse<Stmt> {
        let keyword = self.bump();
        let (kind, place) = match keyword.kind {
            TokenKind::Continue => (StmtKind::Continue, "after `continue`"),
            TokenKind::Break => (StmtKind::Break, "after `break`"),
            TokenKind::Return => {
                let value = self.optional_expr(TokenKind::Semicolon)?;
                (StmtKind::Return(value), "after `return`")
            }
            _ if self.eat(TokenKind::Star) => {
                (StmtKind::ComputedGoto(self.expr()?), "after `goto`")
            }
            _ => (StmtKind::Goto(self.ident("of a label after `goto`")?), "after `goto`"),
        };
        self.expect(TokenKind::Semicolon, place)?;
        Ok(self.stmt_from(keyword.lo, kind))
    }

    /// What a label labels that stands before a declaration or a brace.
    fn empty_statement(&self) -> Stmt {
        let end = self.range_from(0).hi;
        Stmt { kind: Box::new(StmtKind::Expr(None)), range: Range { lo: end, hi: end } }
    }

    fn stmt_from(&self, start: u32, kind: StmtKind) -> Stmt {
        Stmt { kind: Box::new(kind), range: self.range_from(start) }
    }
}

/// A statement that contains others: its range is its head, what stands before them.
fn with_head(range: Range, kind: StmtKind) -> Stmt {
    Stmt { kind: Box::new(kind), range }
}
