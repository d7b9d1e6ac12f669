//! Text to tokens.
//!
//! Words may contain `$`, `.`, `#` and `::` after their first character, for
//! the names that the lowering of C makes (`main::i`, `s.next`, `x#2`).

use super::{ParseError, RESERVED, type_named};
use crate::expr::Type;

/// A token and where it starts.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub at: At,
}

/// A place in the text, both from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub line: u32,
    pub column: u32,
}

impl At {
    /// An error here.
    pub fn error(self, message: impl Into<String>) -> ParseError {
        ParseError { line: self.line, column: self.column, message: message.into() }
    }
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A plain word: a name or a keyword.
    Word(String),
    /// A name in backticks.
    Quoted(String),
    /// Text in quotes.
    Text(String),
    /// A number, perhaps with a type.
    Number(u128, Option<Type>),
    /// `#7`: a location without name.
    Nameless(u32),
    /// Operators and punctuation.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

impl Kind {
    /// In words, for messages.
    pub fn describe(&self) -> String {
        match self {
            Kind::Word(word) | Kind::Quoted(word) => format!("`{word}`"),
            Kind::Text(text) => format!("the text {text:?}"),
            Kind::Number(value, _) => format!("the number {value}"),
            Kind::Nameless(number) => format!("`#{number}`"),
            Kind::Symbol(symbol) => format!("`{symbol}`"),
            Kind::End => "the end of the text".to_string(),
        }
    }
}

/// Longer ones first, where one begins another.
const SYMBOLS: [&str; 34] = [
    "->", ":=", "::", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "{", "}", "(", ")", "[", "]",
    ",", ":", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "@", ";",
];

/// All tokens; the last one is `End`.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ParseError> {
    let mut lexer = Lexer { rest: text, at: At { line: 1, column: 1 } };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks()?;
        let at = lexer.at;
        let kind = lexer.token()?;
        let is_end = kind == Kind::End;
        tokens.push(Token { kind, at });
        if is_end {
            return Ok(tokens);
        }
    }
}

/// Can this name be written without backticks?
pub(super) fn is_plain(name: &str) -> bool {
    !name.is_empty() && word_length(name) == name.len() && !RESERVED.contains(&name)
}

/// How many bytes the word at the start of `text` has; 0 if there is none.
fn word_length(text: &str) -> usize {
    let starts = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '$';
    let goes_on = |c: char| starts(c) || c.is_ascii_digit() || c == '.' || c == '#';
    if !text.starts_with(starts) {
        return 0;
    }
    let mut length = 0;
    loop {
        let rest = &text[length..];
        length += rest.find(|c| !goes_on(c)).unwrap_or(rest.len());
        match text[length..].strip_prefix("::") {
            Some(rest) if rest.starts_with(goes_on) => length += 2,
            _ => return length,
        }
    }
}

struct Lexer<'t> {
    rest: &'t str,
    at: At,
}

impl<'t> Lexer<'t> {
    /// Takes so many bytes.
    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        for c in taken.chars() {
            if c == '\n' {
                self.at = At { line: self.at.line.saturating_add(1), column: 1 };
            } else {
                self.at.column = self.at.column.saturating_add(1);
            }
        }
        self.rest = rest;
        taken
    }

    /// Skips blanks and comments.
    fn skip_blanks(&mut self) -> Result<(), ParseError> {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            self.take(blanks);
            if self.rest.starts_with("//") {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.take(end);
            } else if self.rest.starts_with("/*") {
                let Some(end) = self.rest[2..].find("*/") else {
                    return Err(self.at.error("this comment has no end: `*/` is missing"));
                };
                self.take(end + 4);
            } else {
                return Ok(());
            }
        }
    }

    fn token(&mut self) -> Result<Kind, ParseError> {
        let Some(first) = self.rest.chars().next() else { return Ok(Kind::End) };
        let word = word_length(self.rest);
        if word > 0 {
            return Ok(Kind::Word(self.take(word).to_string()));
        }
        match first {
            '0'..='9' => self.number(),
            '#' => self.nameless(),
            '"' => self.quoted('"').map(Kind::Text),
            '`' => {
                let at = self.at;
                match self.quoted('`')? {
                    name if name.is_empty() => Err(at.error("a name cannot be empty")),
                    name => Ok(Kind::Quoted(name)),
                }
            }
            _ => match SYMBOLS.iter().find(|symbol| self.rest.starts_with(**symbol)) {
                Some(symbol) => {
                    self.take(symbol.len());
                    Ok(Kind::Symbol(symbol))
                }
                None => Err(self.at.error(format!("the character {first:?} means nothing here"))),
            },
        }
    }

    /// `12`, `1_000`, `0xff`, `12u8`.
    fn number(&mut self) -> Result<Kind, ParseError> {
        let at = self.at;
        let goes_on = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let length = self.rest.find(|c| !goes_on(c)).unwrap_or(self.rest.len());
        let written = self.take(length);
        let (radix, digits) = match written.strip_prefix("0x") {
            Some(digits) => (16, digits),
            None => (10, written),
        };
        let end = digits.find(|c: char| !c.is_digit(radix) && c != '_').unwrap_or(digits.len());
        let (digits, suffix) = digits.split_at(end);
        let digits = digits.replace('_', "");
        let suffix = match suffix {
            "" => None,
            _ => match type_named(suffix) {
                None | Some(Type::Bool) => {
                    return Err(at.error(format!("`{written}` is not a number")));
                }
                suffix => suffix,
            },
        };
        match u128::from_str_radix(&digits, radix) {
            Ok(value) => Ok(Kind::Number(value, suffix)),
            Err(_) if digits.is_empty() => Err(at.error(format!("`{written}` is not a number"))),
            Err(_) => Err(at.error("this number is too large")),
        }
    }

    /// `#7`
    fn nameless(&mut self) -> Result<Kind, ParseError> {
        let at = self.at;
        self.take(1);
        let length = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let number = self.take(length).parse();
        number.map(Kind::Nameless).map_err(|_| at.error("expected a number after `#`"))
    }

    /// What stands between two quotation marks.
    fn quoted(&mut self, mark: char) -> Result<String, ParseError> {
        let start = self.at;
        self.take(1);
        let mut text = String::new();
        loop {
            let at = self.at;
            match self.rest.chars().next() {
                None | Some('\n') => {
                    return Err(start.error(format!("the closing `{mark}` is missing")));
                }
                Some(c) if c == mark => {
                    self.take(1);
                    return Ok(text);
                }
                Some('\\') => {
                    self.take(1);
                    text.push(self.escape().ok_or_else(|| at.error("unknown escape"))?);
                }
                Some(c) => {
                    self.take(c.len_utf8());
                    text.push(c);
                }
            }
        }
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.take(c.len_utf8());
        match c {
            'n' => Some('\n'),
            't' => Some('\t'),
            '\\' | '"' | '`' => Some(c),
            'u' => {
                let digits = self.rest.strip_prefix('{')?.split_once('}')?.0;
                self.take(digits.len() + 2);
                char::from_u32(u32::from_str_radix(digits, 16).ok()?)
            }
            _ => None,
        }
    }
}
