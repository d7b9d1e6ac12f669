//! The values of constants: integers, floating numbers, characters, strings.
//!
//! Values are those of gcc on x86: `char` is signed, a constant of several
//! characters packs its last four bytes into an `int`, and the text is UTF-8.

use crate::syntax::ast::ExprKind;

/// What marks an imaginary constant, which is kept as a floating one.
const IMAGINARY: [char; 2] = ['i', 'j'];

/// Reads an integer or floating constant; `Err` says what is wrong with it.
pub fn number(spelling: &str) -> Result<ExprKind, String> {
    let lower = spelling.to_ascii_lowercase();
    if let Some(at) = lower.find(IMAGINARY) {
        let real = format!("{}{}", &spelling[..at], &spelling[at + 1..]);
        return number(&real).map(|_| ExprKind::Float(spelling.to_string()));
    }
    let is_hex = lower.starts_with("0x");
    let exponent = if is_hex { 'p' } else { 'e' };
    if lower.contains('.') || lower.contains(exponent) {
        float(spelling, &lower, is_hex)
    } else {
        integer(spelling, &lower)
    }
}

fn integer(spelling: &str, lower: &str) -> Result<ExprKind, String> {
    let (radix, body) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, 2),
        [b'0', b'b', ..] => (2, 2),
        [b'0', b'0'..=b'9', ..] => (8, 1),
        _ => (10, 0),
    };
    let is_digit = |byte: &u8| byte.is_ascii_digit() || radix == 16 && byte.is_ascii_hexdigit();
    let count = lower[body..].bytes().take_while(|byte| is_digit(byte)).count();
    let (digits, suffix) = spelling[body..].split_at(count);
    let (unsigned, longs) = integer_suffix(spelling, suffix)?;
    if digits.is_empty() {
        return Err(format!("`{spelling}` has no digits"));
    }
    let mut value: u64 = 0;
    for digit in digits.chars() {
        let digit = digit.to_digit(radix).ok_or_else(|| {
            format!("`{spelling}` has the digit `{digit}`, which base {radix} lacks")
        })?;
        value = value
            .checked_mul(radix.into())
            .and_then(|value| value.checked_add(digit.into()))
            .ok_or_else(|| format!("the integer `{spelling}` does not fit into 64 bits"))?;
    }
    Ok(ExprKind::Int { value: value.into(), unsigned, longs, decimal: radix == 10 })
}

/// `u` and `l` or `ll` in either order and case: whether `u` is there, and how many `l`.
fn integer_suffix(spelling: &str, suffix: &str) -> Result<(bool, u8), String> {
    let without_u = suffix.strip_prefix(['u', 'U']).or_else(|| suffix.strip_suffix(['u', 'U']));
    let longs = match without_u.unwrap_or(suffix) {
        "" => 0,
        "l" | "L" => 1,
        "ll" | "LL" => 2,
        _ => return Err(wrong_suffix(spelling, suffix)),
    };
    Ok((without_u.is_some(), longs))
}

fn wrong_suffix(spelling: &str, suffix: &str) -> String {
    format!("`{spelling}` has the unknown suffix `{suffix}`")
}

/// Suffixes of floating constants, in lower case.
const FLOAT_SUFFIXES: &[&str] = &[
    "", "f", "l", "d", "q", "w", "df", "dd", "dl", "f16", "f32", "f64", "f128", "f32x", "f64x",
    "bf16",
];

fn float(spelling: &str, lower: &str, is_hex: bool) -> Result<ExprKind, String> {
    let skip_digits = |text: &str, hex: bool| {
        text.bytes()
            .take_while(|byte| byte.is_ascii_digit() || hex && byte.is_ascii_hexdigit())
            .count()
    };
    let malformed = || format!("`{spelling}` is not a number");
    let rest = if is_hex { &lower[2..] } else { lower };
    let whole = skip_digits(rest, is_hex);
    let mut rest = &rest[whole..];
    let mut fraction = 0;
    if let Some(after) = rest.strip_prefix('.') {
        fraction = skip_digits(after, is_hex);
        rest = &after[fraction..];
    }
    if whole + fraction == 0 {
        return Err(malformed());
    }
    match rest.strip_prefix(if is_hex { 'p' } else { 'e' }) {
        Some(after) => {
            let after = after.strip_prefix(['+', '-']).unwrap_or(after);
            let digits = skip_digits(after, false);
            if digits == 0 {
                return Err(format!("the exponent of `{spelling}` has no digits"));
            }
            rest = &after[digits..];
        }
        None if is_hex => return Err(format!("`{spelling}` needs an exponent (`p`)")),
        None => {}
    }
    if !FLOAT_SUFFIXES.contains(&rest) {
        return Err(match rest.contains('.') {
            true => malformed(),
            false => wrong_suffix(spelling, rest),
        });
    }
    Ok(ExprKind::Float(spelling.to_string()))
}

/// How a prefix encodes characters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16,
    Utf32,
}

impl Encoding {
    fn of(prefix: char) -> Self {
        match prefix {
            'u' => Encoding::Utf16,
            'L' | 'U' => Encoding::Utf32,
            _ => Encoding::Utf8,
        }
    }

    fn largest_unit(self) -> u32 {
        match self {
            Encoding::Utf8 => 0xFF,
            Encoding::Utf16 => 0xFFFF,
            Encoding::Utf32 => u32::MAX,
        }
    }

    fn encode(self, character: char, units: &mut Vec<u32>) {
        match self {
            Encoding::Utf8 => {
                let mut bytes = [0; 4];
                units.extend(character.encode_utf8(&mut bytes).bytes().map(u32::from));
            }
            Encoding::Utf16 => {
                let mut words = [0; 2];
                units
                    .extend(character.encode_utf16(&mut words).iter().map(|&word| u32::from(word)));
            }
            Encoding::Utf32 => units.push(character.into()),
        }
    }
}

/// Reads a character constant with its prefix and quotes.
pub fn character(spelling: &str) -> Result<ExprKind, String> {
    let (prefix, body) = split_literal(spelling, '\'');
    let mut units = Vec::new();
    decode(body, Encoding::of(prefix), &mut units)?;
    let Some(&last) = units.last() else {
        return Err("this character constant is empty".to_string());
    };
    let value = match prefix {
        'u' | 'U' => i64::from(last),
        'L' => i64::from(last as i32),
        '8' if units.len() > 1 || last > 0x7F => {
            return Err(format!("{spelling} is not one `u8` character"));
        }
        _ if units.len() == 1 => i64::from(last as u8 as i8),
        _ => i64::from(units.iter().fold(0, |value: u32, unit| value << 8 | unit) as i32),
    };
    Ok(ExprKind::Char(value, plain_if_utf8(prefix)))
}

/// Joins adjacent string literals, given with prefixes and quotes. A prefix of
/// one is the prefix of all; two different ones do not go together.
pub fn string<'s>(spellings: impl Iterator<Item = &'s str> + Clone) -> Result<ExprKind, String> {
    let mut prefix = '\0';
    for (own, _) in spellings.clone().map(|spelling| split_literal(spelling, '"')) {
        if own != '\0' && prefix != '\0' && own != prefix {
            return Err("these string literals have different prefixes".to_string());
        }
        prefix = if own == '\0' { prefix } else { own };
    }
    let mut units = Vec::new();
    for spelling in spellings {
        let (_, body) = split_literal(spelling, '"');
        decode(body, Encoding::of(prefix), &mut units)?;
    }
    Ok(ExprKind::Str(units, plain_if_utf8(prefix)))
}

/// The prefix (`'\0'` for none, `'8'` for `u8`) and what stands between the quotes.
fn split_literal(spelling: &str, quote: char) -> (char, &str) {
    let (prefix, rest) = spelling.split_once(quote).unwrap_or(("", spelling));
    let prefix = match prefix {
        "u8" => '8',
        other => other.chars().next().unwrap_or('\0'),
    };
    (prefix, rest.strip_suffix(quote).unwrap_or(rest))
}

fn plain_if_utf8(prefix: char) -> char {
    if prefix == '8' { '\0' } else { prefix }
}

fn decode(body: &str, encoding: Encoding, units: &mut Vec<u32>) -> Result<(), String> {
    let mut rest = body;
    while let Some(character) = rest.chars().next() {
        rest = &rest[character.len_utf8()..];
        if character == '\\' {
            rest = escape(rest, encoding, units)?;
        } else {
            encoding.encode(character, units);
        }
    }
    Ok(())
}

/// Reads what follows a backslash; returns what follows the escape sequence.
fn escape<'s>(text: &'s str, encoding: Encoding, units: &mut Vec<u32>) -> Result<&'s str, String> {
    let Some(first) = text.chars().next() else {
        return Err("nothing follows the backslash".to_string());
    };
    let rest = &text[first.len_utf8()..];
    let unit = match first {
        'n' => 0x0A,
        't' => 0x09,
        'r' => 0x0D,
        'a' => 0x07,
        'b' => 0x08,
        'f' => 0x0C,
        'v' => 0x0B,
        'e' | 'E' => 0x1B,
        'x' => return numeric_escape(rest, 16, usize::MAX, encoding, units),
        '0'..='7' => return numeric_escape(text, 8, 3, encoding, units),
        'u' | 'U' => {
            let (character, rest) = universal_character(text)?;
            encoding.encode(character, units);
            return Ok(rest);
        }
        // Including escapes that gcc merely warns of: they mean themselves.
        other => {
            encoding.encode(other, units);
            return Ok(rest);
        }
    };
    units.push(unit);
    Ok(rest)
}

fn numeric_escape<'s>(
    text: &'s str,
    radix: u32,
    most_digits: usize,
    encoding: Encoding,
    units: &mut Vec<u32>,
) -> Result<&'s str, String> {
    let is_digit = |c: &char| c.is_digit(radix);
    let count = text.chars().take(most_digits).take_while(is_digit).count();
    let (digits, rest) = text.split_at(count);
    if digits.is_empty() {
        return Err("the escape sequence `\\x` has no digits".to_string());
    }
    match u32::from_str_radix(digits, radix) {
        Ok(value) if value <= encoding.largest_unit() => units.push(value),
        _ => return Err(format!("the escape sequence with digits `{digits}` is out of range")),
    }
    Ok(rest)
}

/// Reads `u` with four or `U` with eight hexadecimal digits.
fn universal_character(text: &str) -> Result<(char, &str), String> {
    let count = if text.starts_with('u') { 4 } else { 8 };
    let digits = text.get(1..1 + count);
    let value = digits
        .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
        .and_then(|digits| u32::from_str_radix(digits, 16).ok());
    match value.map(char::from_u32) {
        Some(Some(character)) => Ok((character, &text[1 + count..])),
        Some(None) => Err("this universal character name names no character".to_string()),
        None => Err(format!("a universal character name needs {count} hexadecimal digits")),
    }
}

/// An identifier whose universal character names are replaced by the characters.
pub fn with_universal_characters(spelling: &str) -> Result<String, String> {
    let mut name = String::new();
    let mut rest = spelling;
    while let Some((before, after)) = rest.split_once('\\') {
        name.push_str(before);
        let (character, after) = universal_character(after)?;
        if !character.is_alphanumeric() {
            return Err(format!("`{character}` cannot stand in a name"));
        }
        name.push(character);
        rest = after;
    }
    name.push_str(rest);
    Ok(name)
}
