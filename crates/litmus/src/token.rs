//! The words of a litmus test, with their places. Comments are spaces: `(* … *)`, and in C also `/* … */` and `// …`.

use crate::test::TextPlace;

/// A mistake in a test, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LitmusMistake {
    /// Where.
    pub place: TextPlace,
    /// What is wrong.
    pub message: String,
}

/// A name, a number or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LitmusToken {
    pub text: String,
    pub place: TextPlace,
    /// The number of its first letter in the text.
    pub start: usize,
}

/// Signs of several letters.
const LONG_SIGNS: [&str; 9] = ["/\\", "\\/", "=>", "==", "!=", "<=", ">=", "&&", "||"];

pub(crate) fn mistake<T>(place: TextPlace, message: impl Into<String>) -> Result<T, LitmusMistake> {
    Err(LitmusMistake { place, message: message.into() })
}

impl LitmusToken {
    pub fn is_name(&self) -> bool {
        self.text.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
    }

    pub fn is_number(&self) -> bool {
        self.text.starts_with(|letter: char| letter.is_ascii_digit())
    }
}

/// The text with its comments blanked out.
pub(crate) fn without_comments(text: &str, in_c: bool) -> Result<String, LitmusMistake> {
    let mut pairs = vec![("(*", "*)")];
    if in_c {
        pairs.extend([("/*", "*/"), ("//", "\n")]);
    }
    let mut rest = text;
    let mut clean = String::new();
    while let Some(letter) = rest.chars().next() {
        let begun = pairs.iter().find(|(begin, _)| rest.starts_with(begin));
        // In C, `(*` also begins an expression: a comment of herd's has a space or a star behind it.
        let begun = begun.filter(|(begin, _)| {
            !in_c || *begin != "(*" || rest[2..].starts_with([' ', '\n', '\t', '*'])
        });
        let Some((begin, end)) = begun else {
            clean.push(letter);
            rest = &rest[letter.len_utf8()..];
            continue;
        };
        let inside = &rest[begin.len()..];
        let length = match (inside.find(end), *end) {
            (Some(length), "\n") => begin.len() + length,
            (Some(length), _) => begin.len() + length + end.len(),
            (None, "\n") => rest.len(),
            (None, _) => return mistake(place_after(&clean), "this comment does not end"),
        };
        clean
            .extend(rest[..length].chars().map(|letter| if letter == '\n' { letter } else { ' ' }));
        rest = &rest[length..];
    }
    Ok(clean)
}

fn place_after(text: &str) -> TextPlace {
    let line = text.matches('\n').count() as u32 + 1;
    let column = text.rsplit('\n').next().unwrap_or_default().chars().count() as u32 + 1;
    TextPlace { line, column }
}

/// The words of a text without comments, from a letter on.
pub(crate) fn tokens(text: &str, from: usize) -> Result<Vec<LitmusToken>, LitmusMistake> {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '.';
    let mut tokens = Vec::new();
    let mut start = from;
    let mut place = place_after(&text[..from]);
    while let Some(letter) = text[start..].chars().next() {
        let rest = &text[start..];
        let length = match letter {
            letter if is_name(letter) => rest.find(|l| !is_name(l)).unwrap_or(rest.len()),
            letter if letter.is_whitespace() => letter.len_utf8(),
            letter if letter.is_ascii_graphic() => {
                LONG_SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(1, |s| s.len())
            }
            letter => return mistake(place, format!("`{letter}` belongs to no litmus test")),
        };
        if !letter.is_whitespace() {
            tokens.push(LitmusToken { text: rest[..length].to_string(), place, start });
        }
        match letter {
            '\n' => place = TextPlace { line: place.line + 1, column: 1 },
            _ => place.column += rest[..length].chars().count() as u32,
        }
        start += length;
    }
    Ok(tokens)
}

/// Reads words one after the other.
pub(crate) struct TokenStream<'t> {
    pub tokens: &'t [LitmusToken],
    pub next: usize,
    /// Where the text ends.
    pub end: TextPlace,
}

impl<'t> TokenStream<'t> {
    pub fn new(tokens: &'t [LitmusToken], end: TextPlace) -> TokenStream<'t> {
        TokenStream { tokens, next: 0, end }
    }

    pub fn peek(&self) -> &'t str {
        self.tokens.get(self.next).map_or("", |token| token.text.as_str())
    }

    pub fn peek_at(&self, distance: usize) -> &'t str {
        self.tokens.get(self.next + distance).map_or("", |token| token.text.as_str())
    }

    pub fn place(&self) -> TextPlace {
        self.tokens.get(self.next).map_or(self.end, |token| token.place)
    }

    pub fn is_at_end(&self) -> bool {
        self.next >= self.tokens.len()
    }

    pub fn take(&mut self) -> Option<&'t LitmusToken> {
        self.next += 1;
        self.tokens.get(self.next - 1)
    }

    pub fn accept(&mut self, text: &str) -> bool {
        let found = self.peek() == text;
        self.next += usize::from(found);
        found
    }

    pub fn expect(&mut self, text: &str) -> Result<(), LitmusMistake> {
        let place = self.place();
        match self.accept(text) {
            true => Ok(()),
            false => mistake(place, format!("`{text}` is expected here{}", self.instead())),
        }
    }

    pub fn name(&mut self, what: &str) -> Result<&'t LitmusToken, LitmusMistake> {
        let place = self.place();
        let instead = self.instead();
        let token = self.take().filter(|token| token.is_name());
        token.map_or_else(|| mistake(place, format!("{what} is expected here{instead}")), Ok)
    }

    /// A number, with a sign if it has one.
    pub fn number(&mut self) -> Result<i64, LitmusMistake> {
        let place = self.place();
        let instead = self.instead();
        let sign = if self.accept("-") { -1 } else { 1 };
        let token = self.take().filter(|token| token.is_number());
        let Some(token) = token else {
            return mistake(place, format!("a number is expected here{instead}"));
        };
        let text = token.text.trim_end_matches(['u', 'U', 'l', 'L']);
        let value = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
            Some(digits) => i64::from_str_radix(digits, 16),
            None => text.parse(),
        };
        match value {
            Ok(value) if value <= i64::from(i32::MAX) => Ok(sign * value),
            Ok(_) => mistake(place, "this number does not fit 32 bits"),
            Err(_) => mistake(place, format!("`{}` is no number", token.text)),
        }
    }

    fn instead(&self) -> String {
        match self.peek() {
            "" => ", not the end".to_string(),
            text => format!(", not `{text}`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{tokens, without_comments};

    #[test]
    fn words_have_places() {
        let text =
            without_comments("A (* b\n*) c,$1 /\\ stwcx.\n-0x1f", false).expect("it is fine");
        let found = tokens(&text, 0).expect("it is fine");
        let found: Vec<String> =
            found.iter().map(|token| format!("{}@{}", token.text, token.place)).collect();
        let expected = "A@1:1 c@2:4 ,@2:5 $@2:6 1@2:7 /\\@2:9 stwcx.@2:12 -@3:1 0x1f@3:2";
        assert_eq!(found.join(" "), expected);
    }

    #[test]
    fn comments_of_c() {
        let text = without_comments("a // b\n/* c */ *(*d) (* e *)", true).expect("it is fine");
        assert_eq!(text, "a     \n        *(*d)        ");
    }
}
