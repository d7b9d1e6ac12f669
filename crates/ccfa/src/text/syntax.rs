//! Expressions as they are written, before names and types are known.
//!
//! Operators are resolved with a stack of their own (Dijkstra's shunting
//! yard), so that only brackets and prefixes nest the parser; both that
//! nesting and the height of the tree are limited to [`MAX_EXPR_LEVELS`].

use super::lex::{At, Kind, Token};
use super::{OPERATORS, ParseError, RESERVED, precedence, type_named};
use crate::expr::{BinOp, Type, UnOp};
use crate::wellformed::MAX_EXPR_LEVELS;

/// An expression as written.
#[derive(Debug)]
pub(super) struct Ast {
    pub at: At,
    pub node: AstNode,
    height: usize,
}

/// Its parts.
#[derive(Debug)]
pub(super) enum AstNode {
    Number { negative: bool, magnitude: u128, suffix: Option<Type> },
    Truth(bool),
    Name(Name),
    Index(Name, Box<Ast>),
    Unary(UnOp, Box<Ast>),
    Binary(BinOp, Box<Ast>, Box<Ast>),
    Cast(Type, Box<Ast>),
    Ite(Box<[Ast; 3]>),
}

/// A variable or constant as written.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub at: At,
    pub text: String,
    /// Written with `::`, so never a local.
    pub shared: bool,
}

/// The tokens, and how far we are.
pub(super) struct TokenReader {
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
}

impl TokenReader {
    pub fn new(tokens: Vec<Token>) -> TokenReader {
        TokenReader { tokens, next: 0, depth: 0 }
    }

    /// The next token.
    pub fn peek(&self) -> &Kind {
        self.peek_at(0)
    }

    /// The token `ahead` of the next one.
    pub fn peek_at(&self, ahead: usize) -> &Kind {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.next + ahead).min(last)].kind
    }

    /// Where the next token is.
    pub fn at(&self) -> At {
        self.tokens[self.next].at
    }

    /// Passes a token (never the end).
    pub fn advance(&mut self) {
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
    }

    /// Something else was expected here.
    pub fn expected<T>(&self, what: &str) -> Result<T, ParseError> {
        Err(self.at().error(format!("expected {what}, found {}", self.peek().describe())))
    }

    /// Is the next token this symbol?
    pub fn sees(&self, symbol: &str) -> bool {
        matches!(self.peek(), Kind::Symbol(other) if *other == symbol)
    }

    /// Is the next token this word?
    pub fn sees_word(&self, word: &str) -> bool {
        matches!(self.peek(), Kind::Word(other) if other == word)
    }

    /// Passes this symbol if it is next.
    pub fn accept(&mut self, symbol: &str) -> bool {
        let sees = self.sees(symbol);
        if sees {
            self.advance();
        }
        sees
    }

    /// Passes this word if it is next.
    pub fn accept_word(&mut self, word: &str) -> bool {
        let sees = self.sees_word(word);
        if sees {
            self.advance();
        }
        sees
    }

    /// Passes one of these words, if one is next, and says which.
    pub fn one_of<T: Copy>(&mut self, words: &[(&str, T)]) -> Option<T> {
        words.iter().find(|(word, _)| self.accept_word(word)).map(|(_, item)| *item)
    }

    /// Passes this word, which must be next.
    pub fn expect_word(&mut self, word: &str) -> Result<(), ParseError> {
        if self.accept_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    /// Passes this symbol, which must be next.
    pub fn expect(&mut self, symbol: &str) -> Result<(), ParseError> {
        if self.accept(symbol) { Ok(()) } else { self.expected(&format!("`{symbol}`")) }
    }

    /// A name (of anything), as `what` describes it.
    pub fn name(&mut self, what: &str) -> Result<Name, ParseError> {
        let at = self.at();
        match self.peek() {
            Kind::Word(word) if RESERVED.contains(&word.as_str()) => {
                Err(at.error(format!("expected {what}, found the reserved word `{word}`")))
            }
            Kind::Word(text) | Kind::Quoted(text) => {
                let name = Name { at, text: text.clone(), shared: false };
                self.advance();
                Ok(name)
            }
            _ => self.expected(what),
        }
    }

    /// The name of a variable, perhaps with `::`.
    pub fn variable(&mut self, what: &str) -> Result<Name, ParseError> {
        let at = self.at();
        if self.accept("::") {
            let name = self.name("the name of a shared variable")?;
            return Ok(Name { at, text: name.text, shared: true });
        }
        self.name(what)
    }

    /// An expression.
    pub fn expr(&mut self) -> Result<Ast, ParseError> {
        self.depth += 1;
        if self.depth > MAX_EXPR_LEVELS + 1 {
            return Err(self.at().error(too_deep()));
        }
        let mut operands = vec![self.operand()?];
        let mut operators: Vec<Operator> = Vec::new();
        while let Some(operator) = self.operator() {
            self.advance();
            let precedence = operator.precedence();
            while operators.last().is_some_and(|last| last.precedence() >= precedence) {
                reduce(&mut operands, &mut operators)?;
            }
            operators.push(operator);
            operands.push(self.operand()?);
        }
        while !operators.is_empty() {
            reduce(&mut operands, &mut operators)?;
        }
        self.depth -= 1;
        operands.pop().map_or_else(|| self.expected("an expression"), Ok)
    }

    /// The operator that is next, if one is.
    fn operator(&self) -> Option<Operator> {
        let Kind::Symbol(symbol) = self.peek() else { return None };
        let (symbol, swapped) = match *symbol {
            ">" => ("<", true),
            ">=" => ("<=", true),
            symbol => (symbol, false),
        };
        let (.., op) = OPERATORS.iter().find(|(other, ..)| *other == symbol)?;
        Some(Operator { op: *op, swapped, at: self.at() })
    }

    /// An operand: prefixes, then what they stand before.
    fn operand(&mut self) -> Result<Ast, ParseError> {
        let mut prefixes = Vec::new();
        loop {
            let op = match self.peek() {
                Kind::Symbol("-") if !matches!(self.peek_at(1), Kind::Number(..)) => UnOp::Neg,
                Kind::Symbol("~") => UnOp::BitNot,
                Kind::Symbol("!") => UnOp::Not,
                _ => break,
            };
            prefixes.push((op, self.at()));
            self.advance();
        }
        let mut operand = self.primary()?;
        for (op, at) in prefixes.into_iter().rev() {
            let height = above(at, &[&operand])?;
            operand = Ast { at, node: AstNode::Unary(op, Box::new(operand)), height };
        }
        Ok(operand)
    }

    fn primary(&mut self) -> Result<Ast, ParseError> {
        let at = self.at();
        let leaf = |node| Ok(Ast { at, node, height: 1 });
        match self.peek() {
            Kind::Number(..) | Kind::Symbol("-") => self.number().and_then(leaf),
            Kind::Word(word) if word == "true" || word == "false" => {
                let truth = word == "true";
                self.advance();
                leaf(AstNode::Truth(truth))
            }
            Kind::Symbol("(") => {
                self.advance();
                let inner = self.expr()?;
                self.expect(")")?;
                Ok(inner)
            }
            Kind::Word(_) if *self.peek_at(1) == Kind::Symbol("(") => self.call(),
            _ => {
                let name = self.variable("an expression")?;
                if !self.accept("[") {
                    return leaf(AstNode::Name(name));
                }
                let index = self.expr()?;
                self.expect("]")?;
                let height = above(at, &[&index])?;
                Ok(Ast { at, node: AstNode::Index(name, Box::new(index)), height })
            }
        }
    }

    /// A number with its sign.
    fn number(&mut self) -> Result<AstNode, ParseError> {
        let negative = self.accept("-");
        let Kind::Number(magnitude, suffix) = *self.peek() else {
            return self.expected("a number");
        };
        self.advance();
        Ok(AstNode::Number { negative, magnitude, suffix })
    }

    /// `ite(c, a, b)` or a cast.
    fn call(&mut self) -> Result<Ast, ParseError> {
        let at = self.at();
        let Kind::Word(word) = self.peek().clone() else { return self.expected("a cast") };
        self.advance();
        self.expect("(")?;
        if word == "ite" {
            let condition = self.expr()?;
            self.expect(",")?;
            let then = self.expr()?;
            self.expect(",")?;
            let otherwise = self.expr()?;
            self.expect(")")?;
            let height = above(at, &[&condition, &then, &otherwise])?;
            let node = AstNode::Ite(Box::new([condition, then, otherwise]));
            return Ok(Ast { at, node, height });
        }
        let Some(ty) = type_named(&word) else {
            return Err(at.error(format!("`{word}` is neither a type nor `ite`")));
        };
        let operand = self.expr()?;
        self.expect(")")?;
        let height = above(at, &[&operand])?;
        Ok(Ast { at, node: AstNode::Cast(ty, Box::new(operand)), height })
    }
}

/// A binary operator that waits for its right operand.
struct Operator {
    op: BinOp,
    /// Written `>` or `>=`: the operands change places.
    swapped: bool,
    at: At,
}

impl Operator {
    fn precedence(&self) -> u8 {
        precedence(self.op)
    }
}

/// Applies the last operator to the last two operands.
fn reduce(operands: &mut Vec<Ast>, operators: &mut Vec<Operator>) -> Result<(), ParseError> {
    if let (Some(Operator { op, swapped, at }), Some(right), Some(left)) =
        (operators.pop(), operands.pop(), operands.pop())
    {
        let height = above(at, &[&left, &right])?;
        let (left, right) = if swapped { (right, left) } else { (left, right) };
        let node = AstNode::Binary(op, Box::new(left), Box::new(right));
        operands.push(Ast { at, node, height });
    }
    Ok(())
}

/// The height of a node above these.
fn above(at: At, parts: &[&Ast]) -> Result<usize, ParseError> {
    let height = parts.iter().map(|part| part.height).max().unwrap_or(0) + 1;
    if height > MAX_EXPR_LEVELS { Err(at.error(too_deep())) } else { Ok(height) }
}

fn too_deep() -> String {
    format!("this expression is nested more than {MAX_EXPR_LEVELS} deep")
}
