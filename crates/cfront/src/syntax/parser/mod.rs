//! Recursive descent over the tokens, in one pass and without trial parsing.
//!
//! Whether a name is a type is known when it is read (`scope`), so a few tokens
//! of look-ahead decide between declaration and expression, and between cast
//! and parenthesis. The first syntax error ends the parse.
//!
//! Two bounds keep every tree small enough for recursive code, here and later:
//! - `MAX_NESTED_LEVELS` bounds the recursion of the parser itself.
//! - `MAX_TREE_LEVELS` bounds the height of the tree. What may be long in generated
//!   code (sums, comma lists, `else if`, `case` labels) is parsed in loops, but
//!   the tree of such a chain is as high as the chain is long; printing,
//!   cloning or dropping it recurses. Callers give those a large stack.

mod attribute;
mod declaration;
mod declarator;
mod expr;
mod initializer;
mod mention;
mod pack;
mod primary;
mod record;
mod scope;
mod specifier;
mod stmt;

pub use attribute::is_unknown as is_unknown_attribute;
pub use mention::Mentions;

use crate::source::Diagnostic;
use crate::syntax::ast::{Ident, Range, TranslationUnit};
use crate::syntax::lexer::token::{Token, TokenKind};
use crate::syntax::lexer::{self, Tokens};

use pack::Packs;
use scope::TypeNames;

/// How deep productions may nest. Enough for any program written or generated
/// so far as we know, and little enough for a stack of 2 MiB in a debug build.
const MAX_NESTED_LEVELS: u32 = 256;

/// How high a tree may grow: it is walked recursively, and lists such as `a + b + c` grow without nesting.
const MAX_TREE_LEVELS: u32 = 5_000;

/// How much of an offending token a message shows: a string literal can be a megabyte.
const MAX_SHOWN_CHARACTERS: usize = 40;

/// Parses a preprocessed C text; `Err` is its first syntax error.
pub fn parse(text: &str) -> Result<TranslationUnit, Diagnostic> {
    parse_with_mentions(text).map(|(unit, _)| unit)
}

/// Parses a preprocessed C text, and says which names it mentions (see `mention`).
pub fn parse_with_mentions(text: &str) -> Result<(TranslationUnit, Mentions), Diagnostic> {
    if u32::try_from(text.len()).is_err() {
        return Err(Diagnostic::new("the text is longer than 4 GiB", Range::default()));
    }
    let mut parser = Parser::new(text);
    let unit = parser.translation_unit().map_err(|diagnostic| *diagnostic)?;
    let mentions = mention::mentions(&parser.tokens, &unit);
    Ok((unit, mentions))
}

/// The result of a production. Boxed, to keep frames of the recursion small.
type Parse<T> = Result<T, Box<Diagnostic>>;

struct Parser<'t> {
    text: &'t str,
    tokens: Tokens<'t>,
    /// Index of the current token.
    at: usize,
    scopes: TypeNames,
    /// What `#pragma pack` sets.
    packs: Packs,
    /// Unknown attributes.
    unknown_attributes: Vec<(String, Range)>,
    /// Productions that are being parsed.
    depth: u32,
    /// At least the height of all that was built since the last `enter`.
    height: u32,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Self {
        let tokens = lexer::lex(text);
        let scopes = TypeNames::new(&tokens);
        let packs = Packs::new(&tokens.pragmas);
        let unknown_attributes = Vec::new();
        Parser { text, tokens, at: 0, scopes, packs, unknown_attributes, depth: 0, height: 0 }
    }

    fn token(&self) -> Token {
        self.tokens.tokens[self.at]
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    /// The kind of the token `ahead` places further.
    fn kind_ahead(&self, ahead: usize) -> TokenKind {
        self.kind_at(self.at + ahead)
    }

    /// The kind of the token with this index; past the last one there is only the end.
    fn kind_at(&self, at: usize) -> TokenKind {
        self.tokens.tokens.get(at).map_or(TokenKind::End, |token| token.kind)
    }

    /// Takes the current token; the last one stays.
    fn bump(&mut self) -> Token {
        let token = self.token();
        if self.at + 1 < self.tokens.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.bump();
        }
        found
    }

    /// Takes a token of this kind; `place` says where it was expected.
    fn expect(&mut self, kind: TokenKind, place: &str) -> Parse<Token> {
        if self.kind() != kind {
            return self.expected(&format!("{} {place}", kind.expected()));
        }
        Ok(self.bump())
    }

    fn ident(&mut self, place: &str) -> Parse<Ident> {
        let token = self.expect(TokenKind::Ident, place)?;
        Ok(Ident { name: self.tokens.names[token.data as usize].clone(), range: range_of(token) })
    }

    /// First byte of the current token.
    fn start(&self) -> u32 {
        self.token().lo
    }

    /// From `lo` to the end of the last token taken.
    fn range_from(&self, lo: u32) -> Range {
        let hi = match self.at.checked_sub(1) {
            Some(last) => self.tokens.tokens[last].hi,
            None => lo,
        };
        Range { lo, hi: hi.max(lo) }
    }

    /// Fails at the current token: something else was expected.
    fn expected<T>(&self, what: &str) -> Parse<T> {
        self.fail(format!("expected {what}, found {}", self.found()))
    }

    /// Fails at the current token. If the lexer stopped there, its reason counts.
    fn fail<T>(&self, message: String) -> Parse<T> {
        match &self.tokens.error {
            Some(diagnostic) if self.kind() == TokenKind::Bad => Err(Box::new(diagnostic.clone())),
            _ => fail_at(range_of(self.token()), message),
        }
    }

    /// How messages call the current token.
    fn found(&self) -> String {
        let token = self.token();
        if token.kind == TokenKind::End {
            return "the end of the file".to_string();
        }
        let spelling = &self.text[token.lo as usize..token.hi as usize];
        let mut shown: String = spelling.chars().take(MAX_SHOWN_CHARACTERS).collect();
        if shown.len() < spelling.len() {
            shown.push('…');
        }
        format!("`{shown}`")
    }

    /// Begins a production that may contain itself; `leave` ends it.
    /// Returns what `leave` needs.
    fn enter(&mut self) -> Parse<u32> {
        self.depth += 1;
        if self.depth > MAX_NESTED_LEVELS {
            return self.fail(TOO_DEEP.to_string());
        }
        Ok(std::mem::take(&mut self.height))
    }

    /// Ends what `enter` began. After an error nothing is parsed any more, so
    /// only success needs it.
    fn leave(&mut self, height_outside: u32) {
        self.depth -= 1;
        self.height = height_outside.max(self.height + 1);
    }

    /// Notes that a node was put on top of all that was built since the last `enter`.
    fn grow(&mut self) -> Parse<()> {
        self.height += 1;
        if self.height > MAX_TREE_LEVELS {
            return self.fail(TOO_DEEP.to_string());
        }
        Ok(())
    }

    /// The index after balanced parentheses that open at token `at`.
    fn after_parentheses(&self, at: usize) -> usize {
        let last = self.tokens.tokens.len() - 1;
        let mut open = 0;
        for at in at..last {
            match self.kind_at(at) {
                TokenKind::LParen => open += 1,
                TokenKind::RParen => open -= 1,
                _ => {}
            }
            if open <= 0 {
                return at + 1;
            }
        }
        last
    }
}

const TOO_DEEP: &str = "nested too deeply";

fn range_of(token: Token) -> Range {
    Range { lo: token.lo, hi: token.hi }
}

fn fail_at<T>(range: Range, message: String) -> Parse<T> {
    Err(Box::new(Diagnostic::new(message, range)))
}
