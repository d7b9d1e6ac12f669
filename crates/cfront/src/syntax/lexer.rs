//! From text to tokens.
//!
//! The whole text is cut into tokens at once; sixteen bytes each, names
//! interned. Line splices (`\` at the end of a line) are removed first, so that
//! no rule below has to know them, and the ranges of tokens are corrected
//! afterwards. The lexer stops at the first thing that is no token: a `Bad`
//! token stands there, and the parser reports the lexer's diagnostic if it
//! gets that far.
//!
//! Line markers are skipped; pragmas (`#pragma` lines and `_Pragma("…")`) stand beside the tokens, since they may
//! stand between any two; any other directive shows that the text was not preprocessed, and is an error.

use rustc_hash::FxHashMap as HashMap;
use std::borrow::Cow;
use std::rc::Rc;

use crate::source::Diagnostic;
use crate::syntax::ast::Range;

pub mod literal;
pub mod token;

use token::{KEYWORDS, Token, TokenKind};

/// The tokens of a text.
pub struct Tokens<'t> {
    /// At least one; the last is `End` or `Bad`.
    pub tokens: Vec<Token>,
    /// The words by symbol; keywords first.
    pub names: Vec<Rc<str>>,
    /// In the order of the text.
    pub pragmas: Vec<PragmaToken>,
    /// Why the last token is `Bad`.
    pub error: Option<Diagnostic>,
    symbols: HashMap<Rc<str>, u32>,
    literals: Vec<Range>,
    spliced_text: Cow<'t, str>,
}

/// A pragma between two tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PragmaToken {
    /// Index of the token after it.
    pub before: usize,
    /// What follows the word `pragma`.
    pub text: String,
    /// Where it stands.
    pub range: Range,
}

impl Tokens<'_> {
    /// The spelling of a literal, without line splices.
    pub fn literal(&self, token: Token) -> &str {
        let range = self.literals[token.data as usize];
        &self.spliced_text[range.lo as usize..range.hi as usize]
    }

    /// The symbol of a word that occurs in the text or is a keyword.
    pub fn symbol(&self, name: &str) -> Option<u32> {
        self.symbols.get(name).copied()
    }
}

/// Cuts `text`, which has less than 4 GiB, into tokens.
pub fn lex(text: &str) -> Tokens<'_> {
    let (spliced_text, splices) = without_splices(text);
    let mut lexer = Lexer::new(&spliced_text);
    lexer.run();
    let Lexer { mut tokens, names, mut pragmas, mut error, symbols, literals, .. } = lexer;
    bracketed_attributes(&mut tokens, &mut pragmas);
    if !splices.is_empty() {
        undo_splices(&mut tokens, &splices);
        let ranges = pragmas.iter_mut().map(|pragma| &mut pragma.range);
        for range in ranges.chain(error.as_mut().map(|diagnostic| &mut diagnostic.range)) {
            *range = unspliced(*range, &splices);
        }
    }
    Tokens { tokens, names, pragmas, error, symbols, literals, spliced_text }
}

/// `[[gnu::name(…)]]` becomes `__attribute__((name(…)))`: elsewhere, no bracket follows another that opens.
fn bracketed_attributes(tokens: &mut Vec<Token>, pragmas: &mut [PragmaToken]) {
    let opens = |pair: &[Token]| pair.iter().all(|token| token.kind == TokenKind::LBracket);
    if !tokens.windows(2).any(opens) {
        return;
    }
    let (mut made, mut places) = (Vec::with_capacity(tokens.len()), Vec::new());
    let mut is_inside = false;
    for (at, token) in tokens.iter().enumerate() {
        places.push(made.len());
        let kind = |ahead: isize| tokens.get(at.wrapping_add_signed(ahead)).map(|other| other.kind);
        let becomes = |kind| Token { kind, ..*token };
        match token.kind {
            TokenKind::LBracket if kind(1) == Some(TokenKind::LBracket) => {
                made.extend([becomes(TokenKind::Attribute), becomes(TokenKind::LParen)]);
                is_inside = true;
            }
            TokenKind::LBracket if is_inside => made.push(becomes(TokenKind::LParen)),
            TokenKind::RBracket if is_inside => {
                made.push(becomes(TokenKind::RParen));
                is_inside = kind(1) == Some(TokenKind::RBracket);
            }
            // The prefix and its two colons.
            _ if is_inside && kind(1) == Some(TokenKind::Colon) => {}
            TokenKind::Colon if is_inside => {}
            _ => made.push(*token),
        }
    }
    *tokens = made;
    for pragma in pragmas {
        pragma.before = places.get(pragma.before).copied().unwrap_or(tokens.len());
    }
}

/// From `offset` of the spliced text on, `removed` bytes of the original text are missing.
struct Splice {
    offset: u32,
    removed: u32,
}

/// Joins lines that end in a backslash.
fn without_splices(text: &str) -> (Cow<'_, str>, Vec<Splice>) {
    let mut joined = String::new();
    let mut splices = Vec::new();
    let mut kept_from = 0;
    for (at, _) in text.match_indices('\\') {
        let after = text[at + 1..].trim_start_matches([' ', '\t', '\r']);
        if let Some(next_line) = after.strip_prefix('\n') {
            joined.push_str(&text[kept_from..at]);
            kept_from = text.len() - next_line.len();
            splices.push(Splice {
                offset: joined.len() as u32,
                removed: (kept_from - joined.len()) as u32,
            });
        }
    }
    if splices.is_empty() {
        return (Cow::Borrowed(text), splices);
    }
    joined.push_str(&text[kept_from..]);
    (Cow::Owned(joined), splices)
}

/// Makes tokens speak of the original text again.
fn undo_splices(tokens: &mut [Token], splices: &[Splice]) {
    for token in tokens {
        let range = unspliced(Range { lo: token.lo, hi: token.hi }, splices);
        (token.lo, token.hi) = (range.lo, range.hi);
    }
}

/// A range of the spliced text as one of the original text.
fn unspliced(range: Range, splices: &[Splice]) -> Range {
    let removed_before = |offset: u32, inclusive: bool| {
        let reaches = |splice: &Splice| splice.offset < offset + u32::from(inclusive);
        let count = splices.partition_point(reaches);
        count.checked_sub(1).map_or(0, |last| splices[last].removed)
    };
    let lo = range.lo + removed_before(range.lo, true);
    Range { lo, hi: lo.max(range.hi + removed_before(range.hi, false)) }
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// Only white space and comments precede on this line.
    line_is_fresh: bool,
    tokens: Vec<Token>,
    names: Vec<Rc<str>>,
    symbols: HashMap<Rc<str>, u32>,
    literals: Vec<Range>,
    pragmas: Vec<PragmaToken>,
    error: Option<Diagnostic>,
}

/// What is wrong, and the start of the text it is wrong with.
type Trouble = (usize, String);

impl<'t> Lexer<'t> {
    fn new(text: &'t str) -> Self {
        let names: Vec<Rc<str>> = KEYWORDS.iter().map(|&(name, _)| Rc::from(name)).collect();
        let symbols = names.iter().cloned().zip(0..).collect();
        Lexer {
            text,
            bytes: text.as_bytes(),
            at: 0,
            line_is_fresh: true,
            tokens: Vec::with_capacity(text.len() / 4),
            names,
            symbols,
            literals: Vec::new(),
            pragmas: Vec::new(),
            error: None,
        }
    }

    fn run(&mut self) {
        let kind = match self.all_tokens() {
            Ok(()) => TokenKind::End,
            Err((start, message)) => {
                self.at = start;
                let width = self.text[start..].chars().next().map_or(0, char::len_utf8);
                self.error = Some(Diagnostic::new(message, range(start, start + width)));
                TokenKind::Bad
            }
        };
        self.push(kind, self.at, 0);
    }

    fn all_tokens(&mut self) -> Result<(), Trouble> {
        while let Some(byte) = self.byte(0) {
            match byte {
                b'\n' => {
                    self.line_is_fresh = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0B | 0x0C => self.at += 1,
                b'/' if self.byte(1) == Some(b'/') => self.skip_line(),
                b'/' if self.byte(1) == Some(b'*') => self.skip_comment()?,
                b'#' if self.line_is_fresh => self.directive()?,
                _ => {
                    self.line_is_fresh = false;
                    self.token(byte)?;
                }
            }
        }
        Ok(())
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// Appends a token that ends here.
    fn push(&mut self, kind: TokenKind, start: usize, data: u32) {
        self.tokens.push(Token { kind, lo: start as u32, hi: self.at as u32, data });
    }

    fn push_literal(&mut self, kind: TokenKind, start: usize) {
        self.literals.push(range(start, self.at));
        self.push(kind, start, self.literals.len() as u32 - 1);
    }

    /// Moves to the end of the line.
    fn skip_line(&mut self) {
        let length = self.bytes[self.at..].iter().position(|&byte| byte == b'\n');
        self.at = length.map_or(self.bytes.len(), |length| self.at + length);
    }

    fn skip_comment(&mut self) -> Result<(), Trouble> {
        match self.text[self.at + 2..].find("*/") {
            Some(length) => self.at += length + 4,
            None => return Err((self.at, "this comment does not end".to_string())),
        }
        Ok(())
    }

    fn directive(&mut self) -> Result<(), Trouble> {
        let start = self.at;
        self.skip_line();
        let line = self.text[start + 1..self.at].trim();
        let word_end = |text: &str| text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
        let (name, rest) = line.split_at(word_end(line));
        let rest = rest.trim_start();
        match name {
            "pragma" => {
                self.pragma(rest.to_string(), start);
                Ok(())
            }
            "" | "line" | "ident" | "sccs" => Ok(()),
            _ if name.starts_with(|c: char| c.is_ascii_digit()) => Ok(()),
            _ => Err((start, format!("found `#{name}`: this text is not preprocessed"))),
        }
    }

    fn pragma(&mut self, text: String, start: usize) {
        let range = range(start, self.at);
        self.pragmas.push(PragmaToken { before: self.tokens.len(), text, range });
    }

    /// `_Pragma("text")`, whose first word was read.
    fn pragma_operator(&mut self, start: usize) -> Result<(), Trouble> {
        let needs = || (start, "`_Pragma` needs a string in parentheses".to_string());
        self.take(b'(').ok_or_else(needs)?;
        self.skip_spaces();
        if self.byte(0) != Some(b'"') {
            return Err(needs());
        }
        let opening = self.at;
        self.quoted(opening)?;
        // The string is part of the pragma, not a token.
        self.tokens.pop();
        let inner = &self.text[opening + 1..self.at - 1];
        let text = inner.replace("\\\"", "\"").replace("\\\\", "\\");
        self.take(b')').ok_or_else(needs)?;
        self.pragma(text, start);
        Ok(())
    }

    fn skip_spaces(&mut self) {
        while self.byte(0).is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Takes this byte, if it is the next after white space.
    fn take(&mut self, byte: u8) -> Option<()> {
        self.skip_spaces();
        let found = self.byte(0) == Some(byte);
        self.at += usize::from(found);
        found.then_some(())
    }

    fn token(&mut self, byte: u8) -> Result<(), Trouble> {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'\\' | 0x80.. => self.word(),
            b'0'..=b'9' => self.number(),
            b'.' if self.byte(1).is_some_and(|next| next.is_ascii_digit()) => self.number(),
            b'"' | b'\'' => self.quoted(self.at),
            _ => self.punctuator(),
        }
    }

    /// An identifier, a keyword, or a literal with a prefix (`L"…"`).
    fn word(&mut self) -> Result<(), Trouble> {
        let start = self.at;
        let is_plain = self.skip_word_characters()?;
        let spelling = &self.text[start..self.at];
        if matches!(self.byte(0), Some(b'"' | b'\'')) && matches!(spelling, "L" | "u" | "U" | "u8")
        {
            return self.quoted(start);
        }
        if spelling == "_Pragma" {
            return self.pragma_operator(start);
        }
        let symbol = if is_plain {
            self.intern(spelling)
        } else {
            self.intern(
                &literal::with_universal_characters(spelling)
                    .map_err(|message| (start, message))?,
            )
        };
        let kind = KEYWORDS.get(symbol as usize).map_or(TokenKind::Ident, |&(_, kind)| kind);
        self.push(kind, start, symbol);
        Ok(())
    }

    /// Returns whether the word has no universal characters (`\u00e9`).
    fn skip_word_characters(&mut self) -> Result<bool, Trouble> {
        let start = self.at;
        let mut is_plain = true;
        loop {
            match self.byte(0) {
                Some(b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'0'..=b'9') => self.at += 1,
                Some(b'\\') if matches!(self.byte(1), Some(b'u' | b'U')) => {
                    is_plain = false;
                    self.at += 2;
                }
                Some(0x80..) => match self.text[self.at..].chars().next() {
                    Some(letter) if letter.is_alphanumeric() => self.at += letter.len_utf8(),
                    _ => break,
                },
                _ => break,
            }
        }
        if self.at == start {
            return Err((start, self.unexpected_character()));
        }
        Ok(is_plain)
    }

    fn unexpected_character(&self) -> String {
        match self.text[self.at..].chars().next() {
            Some(character) if !character.is_control() => {
                format!("unexpected character `{character}`")
            }
            Some(character) => format!("unexpected character U+{:04X}", u32::from(character)),
            None => "unexpected end of the file".to_string(),
        }
    }

    fn intern(&mut self, spelling: &str) -> u32 {
        if let Some(&symbol) = self.symbols.get(spelling) {
            return symbol;
        }
        let name: Rc<str> = Rc::from(spelling);
        let symbol = self.names.len() as u32;
        self.names.push(name.clone());
        self.symbols.insert(name, symbol);
        symbol
    }

    /// What the standard calls a preprocessing number; `literal` reads it.
    fn number(&mut self) -> Result<(), Trouble> {
        let start = self.at;
        while let Some(byte) = self.byte(0) {
            let is_exponent = matches!(byte, b'e' | b'E' | b'p' | b'P');
            self.at += match self.byte(1) {
                Some(b'+' | b'-') if is_exponent => 2,
                _ if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.') => 1,
                _ => break,
            };
        }
        self.push_literal(TokenKind::Number, start);
        Ok(())
    }

    /// A string or character constant whose opening quote stands here.
    fn quoted(&mut self, start: usize) -> Result<(), Trouble> {
        let quote = self.bytes[self.at];
        let (kind, name) = match quote {
            b'"' => (TokenKind::Str, "string"),
            _ => (TokenKind::Char, "character constant"),
        };
        self.at += 1;
        loop {
            match self.byte(0) {
                None | Some(b'\n') => return Err((start, format!("this {name} does not end"))),
                Some(b'\\') if self.byte(1) != Some(b'\n') => self.at += 2,
                Some(byte) => {
                    self.at += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        self.push_literal(kind, start);
        Ok(())
    }

    fn punctuator(&mut self) -> Result<(), Trouble> {
        let start = self.at;
        let Some((kind, length)) = punctuator(&self.bytes[start..]) else {
            return Err((start, self.unexpected_character()));
        };
        self.at += length;
        self.push(kind, start, 0);
        Ok(())
    }
}

fn range(lo: usize, hi: usize) -> Range {
    Range { lo: lo as u32, hi: hi as u32 }
}

/// The longest punctuator at the start of `bytes`, and its length.
#[rustfmt::skip] // A table.
fn punctuator(bytes: &[u8]) -> Option<(TokenKind, usize)> {
    use TokenKind::*;
    Some(match bytes {
        [b'.', b'.', b'.', ..] => (Ellipsis, 3),
        [b'<', b'<', b'=', ..] => (ShlAssign, 3),
        [b'>', b'>', b'=', ..] => (ShrAssign, 3),
        [b'-', b'>', ..] => (Arrow, 2),
        [b'+', b'+', ..] => (PlusPlus, 2),
        [b'-', b'-', ..] => (MinusMinus, 2),
        [b'&', b'&', ..] => (AmpAmp, 2),
        [b'|', b'|', ..] => (PipePipe, 2),
        [b'<', b'<', ..] => (Shl, 2),
        [b'>', b'>', ..] => (Shr, 2),
        [b'<', b'=', ..] => (Le, 2),
        [b'>', b'=', ..] => (Ge, 2),
        [b'=', b'=', ..] => (EqEq, 2),
        [b'!', b'=', ..] => (Ne, 2),
        [b'+', b'=', ..] => (PlusAssign, 2),
        [b'-', b'=', ..] => (MinusAssign, 2),
        [b'*', b'=', ..] => (StarAssign, 2),
        [b'/', b'=', ..] => (SlashAssign, 2),
        [b'%', b'=', ..] => (PercentAssign, 2),
        [b'&', b'=', ..] => (AmpAssign, 2),
        [b'|', b'=', ..] => (PipeAssign, 2),
        [b'^', b'=', ..] => (CaretAssign, 2),
        [b'<', b':', ..] => (LBracket, 2),
        [b':', b'>', ..] => (RBracket, 2),
        [b'<', b'%', ..] => (LBrace, 2),
        [b'%', b'>', ..] => (RBrace, 2),
        [b'(', ..] => (LParen, 1), [b')', ..] => (RParen, 1),
        [b'[', ..] => (LBracket, 1), [b']', ..] => (RBracket, 1),
        [b'{', ..] => (LBrace, 1), [b'}', ..] => (RBrace, 1),
        [b';', ..] => (Semicolon, 1), [b',', ..] => (Comma, 1),
        [b':', ..] => (Colon, 1), [b'?', ..] => (Question, 1),
        [b'.', ..] => (Dot, 1), [b'=', ..] => (Assign, 1),
        [b'+', ..] => (Plus, 1), [b'-', ..] => (Minus, 1),
        [b'*', ..] => (Star, 1), [b'/', ..] => (Slash, 1),
        [b'%', ..] => (Percent, 1), [b'&', ..] => (Amp, 1),
        [b'|', ..] => (Pipe, 1), [b'^', ..] => (Caret, 1),
        [b'~', ..] => (Tilde, 1), [b'!', ..] => (Not, 1),
        [b'<', ..] => (Lt, 1), [b'>', ..] => (Gt, 1),
        _ => return None,
    })
}
