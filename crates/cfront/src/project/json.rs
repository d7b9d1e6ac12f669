//! JSON (RFC 8259), as much as a list of commands needs: values with their places. Numbers are only skipped.

use crate::syntax::ast::Range;

/// Values in values in values: more do not occur, and reading would not end well.
const MAX_NESTED_VALUES: usize = 64;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonValue {
    pub kind: JsonKind,
    pub range: Range,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonKind {
    /// `null`, `true`, `false` or a number.
    Plain,
    Text(String),
    List(Vec<JsonValue>),
    /// Names and values, in their order.
    Object(Vec<(String, JsonValue)>),
}

/// Reads a text, which is shorter than 4 GiB. The error is what is wrong, and where.
pub fn read(text: &str) -> Result<JsonValue, (String, Range)> {
    let mut reader = JsonReader { text, at: 0 };
    let value = reader.value(0)?;
    reader.skip_space();
    if reader.at < text.len() { reader.expected("the end of the file") } else { Ok(value) }
}

type Res<T> = Result<T, (String, Range)>;

struct JsonReader<'t> {
    text: &'t str,
    at: usize,
}

impl JsonReader<'_> {
    fn value(&mut self, depth: usize) -> Res<JsonValue> {
        self.skip_space();
        let start = self.at;
        if depth > MAX_NESTED_VALUES {
            return self.expected("fewer values inside each other");
        }
        let kind = match self.peek() {
            Some('"') => JsonKind::Text(self.string()?),
            Some('[') => JsonKind::List(self.items(']', |reader| reader.value(depth + 1))?),
            Some('{') => JsonKind::Object(self.items('}', |reader| reader.member(depth + 1))?),
            Some(c) if c.is_ascii_alphanumeric() || c == '-' => self.plain()?,
            _ => return self.expected("a value"),
        };
        Ok(JsonValue { kind, range: self.since(start) })
    }

    fn member(&mut self, depth: usize) -> Res<(String, JsonValue)> {
        self.skip_space();
        let name = self.string()?;
        self.expect(':')?;
        Ok((name, self.value(depth)?))
    }

    /// What stands between brackets, with commas.
    fn items<T>(&mut self, close: char, item: impl Fn(&mut Self) -> Res<T>) -> Res<Vec<T>> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.peek() == Some(close) {
            self.at += 1;
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            self.skip_space();
            match self.peek() {
                Some(',') => self.at += 1,
                Some(c) if c == close => {
                    self.at += 1;
                    return Ok(items);
                }
                _ => return self.expected(&format!("`,` or `{close}`")),
            }
        }
    }

    fn plain(&mut self) -> Res<JsonKind> {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.');
        let word = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        if !matches!(word, "null" | "true" | "false") && word.parse::<f64>().is_err() {
            return self.expected("a value");
        }
        self.at += word.len();
        Ok(JsonKind::Plain)
    }

    fn string(&mut self) -> Res<String> {
        let start = self.at;
        self.expect('"')?;
        let mut text = String::new();
        loop {
            let Some(character) = self.peek().filter(|c| *c >= ' ') else {
                let message = "a string that does not end here: `\"` is missing".to_string();
                return Err((message, self.since(start)));
            };
            self.at += character.len_utf8();
            match character {
                '"' => return Ok(text),
                '\\' => text.push(self.escape()?),
                other => text.push(other),
            }
        }
    }

    fn escape(&mut self) -> Res<char> {
        let Some(character) = self.peek() else { return self.expected("a character") };
        self.at += character.len_utf8();
        Ok(match character {
            '"' | '\\' | '/' => character,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode(),
            _ => {
                self.at -= character.len_utf8();
                return self.expected("an escape sequence of JSON");
            }
        })
    }

    /// Four hexadecimal digits; two such groups are one character beyond 16 bits.
    fn unicode(&mut self) -> Res<char> {
        let first = self.four_digits()?;
        let mut units = vec![first];
        if (0xd800..0xdc00).contains(&first) && self.text[self.at..].starts_with("\\u") {
            self.at += 2;
            units.push(self.four_digits()?);
        }
        match char::decode_utf16(units).next() {
            Some(Ok(character)) => Ok(character),
            _ => self.expected("a character of Unicode"),
        }
    }

    fn four_digits(&mut self) -> Res<u16> {
        let digits = self.text.get(self.at..self.at + 4);
        let digits = digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        match digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
            Some(unit) => {
                self.at += 4;
                Ok(unit)
            }
            None => self.expected("four hexadecimal digits"),
        }
    }

    fn expect(&mut self, character: char) -> Res<()> {
        self.skip_space();
        if self.peek() != Some(character) {
            return self.expected(&format!("`{character}`"));
        }
        self.at += 1;
        Ok(())
    }

    fn expected<T>(&self, what: &str) -> Res<T> {
        let range = Range { lo: self.at as u32, hi: self.at as u32 + 1 };
        Err((format!("this is no JSON: {what} is expected here"), range))
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    fn since(&self, start: usize) -> Range {
        Range { lo: start as u32, hi: self.at as u32 }
    }
}
