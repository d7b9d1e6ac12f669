//! What stands in a format: text and conversions.

use crate::hir::TypeId;
use crate::syntax::ast::IntKind;
use crate::types::Types;

/// A part of a format.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Text that is printed as it is: where it begins, how long it is.
    Text(usize, usize),
    Conversion(Conversion),
}

/// `%-08.3ld`
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Conversion {
    flags: Vec<u8>,
    pub width: Extent,
    pub precision: Extent,
    size: String,
    pub letter: char,
}

/// A width or a precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    Absent,
    Fixed(i32),
    /// `*`: an argument says it.
    Argument,
}

/// What a conversion does with its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Signed,
    /// To this base.
    Unsigned(i128),
    Character,
    Text,
    /// What is printed is not modelled, but it reads nothing and writes nothing.
    Opaque,
    /// Writes, or is not known.
    Other,
}

impl Conversion {
    pub fn has(&self, flag: u8) -> bool {
        self.flags.contains(&flag)
    }

    pub fn form(&self) -> Form {
        match (self.letter, self.size.as_str()) {
            ('c' | 's', "l") => Form::Other,
            ('d' | 'i', _) => Form::Signed,
            ('u', _) => Form::Unsigned(10),
            ('o', _) => Form::Unsigned(8),
            ('x' | 'X', _) => Form::Unsigned(16),
            ('c', _) => Form::Character,
            ('s', _) => Form::Text,
            ('p' | 'a' | 'A' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G', _) => Form::Opaque,
            _ => Form::Other,
        }
    }

    /// The integer that is printed.
    pub fn integer(&self, types: &mut Types) -> TypeId {
        let signed = self.form() == Form::Signed;
        let kind = match self.size.as_str() {
            "hh" => IntKind::Char,
            "h" => IntKind::Short,
            "l" => IntKind::Long,
            "ll" | "q" | "j" | "L" => IntKind::LongLong,
            "z" | "t" if types.pointer_size() == 8 => IntKind::Long,
            _ => IntKind::Int,
        };
        types.int(kind, signed)
    }

    /// Is an argument of this type what the conversion expects? The sign is left to the programmer: values
    /// that both types have are the same.
    pub fn takes(&self, types: &mut Types, argument: TypeId) -> bool {
        let target = types.pointee(argument);
        match self.form() {
            Form::Signed | Form::Unsigned(_) | Form::Character => {
                let integer = self.integer(types);
                let promoted = types.promoted(integer);
                types.is_integer(argument) && types.size_of(argument) == types.size_of(promoted)
            }
            Form::Text => target
                .is_some_and(|target| target == Types::VOID || types.size_of(target) == Some(1)),
            Form::Opaque if self.letter == 'p' => target.is_some(),
            Form::Opaque => types.is_float(argument),
            Form::Other => false,
        }
    }
}

/// The parts of a format; `None` if it is not well-formed.
pub(super) fn pieces(format: &[u8]) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < format.len() {
        let rest = &format[at..];
        if rest.starts_with(b"%%") {
            pieces.push(Piece::Text(at, 1));
            at += 2;
        } else if rest[0] == b'%' {
            let (conversion, length) = conversion(rest)?;
            pieces.push(Piece::Conversion(conversion));
            at += length;
        } else {
            let length = rest.iter().position(|c| *c == b'%').unwrap_or(rest.len());
            pieces.push(Piece::Text(at, length));
            at += length;
        }
    }
    Some(pieces)
}

/// The conversion that a text begins with, and its length.
fn conversion(text: &[u8]) -> Option<(Conversion, usize)> {
    let mut at = 1;
    let flags = taken(text, &mut at, |c| b"-+ #0".contains(&c)).to_vec();
    let width = extent(text, &mut at)?;
    let mut precision = Extent::Absent;
    if text.get(at) == Some(&b'.') {
        at += 1;
        precision = match extent(text, &mut at)? {
            Extent::Absent => Extent::Fixed(0),
            given => given,
        };
    }
    let size = taken(text, &mut at, |c| b"hlqjztL".contains(&c));
    let size = String::from_utf8_lossy(size).into_owned();
    let letter = char::from(*text.get(at)?);
    Some((Conversion { flags, width, precision, size, letter }, at + 1))
}

fn extent(text: &[u8], at: &mut usize) -> Option<Extent> {
    if text.get(*at) == Some(&b'*') {
        *at += 1;
        return Some(Extent::Argument);
    }
    let digits = taken(text, at, |c| c.is_ascii_digit());
    match std::str::from_utf8(digits).ok()? {
        "" => Some(Extent::Absent),
        digits => digits.parse().ok().map(Extent::Fixed),
    }
}

/// The characters from `at` on that are of a kind.
fn taken<'t>(text: &'t [u8], at: &mut usize, is: impl Fn(u8) -> bool) -> &'t [u8] {
    let rest = &text[*at..];
    let length = rest.iter().position(|c| !is(*c)).unwrap_or(rest.len());
    *at += length;
    &rest[..length]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_their_parts() {
        let found = pieces(b"a%%b%-+5.*lldz").expect("it is well-formed");
        let conversion = Conversion {
            flags: b"-+".to_vec(),
            width: Extent::Fixed(5),
            precision: Extent::Argument,
            size: "ll".to_string(),
            letter: 'd',
        };
        let text = |from, length| Piece::Text(from, length);
        let parts =
            [text(0, 1), text(1, 1), text(3, 1), Piece::Conversion(conversion), text(13, 1)];
        assert_eq!(found, parts);
        assert_eq!(pieces(b""), Some(vec![]));
    }

    #[test]
    fn a_conversion_has_an_end() {
        assert_eq!(pieces(b"%"), None);
        assert_eq!(pieces(b"%99999999999d"), None);
        let kinds = |format| {
            let found = pieces(format).expect("it is well-formed");
            found.into_iter().map(|piece| match piece {
                Piece::Conversion(conversion) => conversion.form(),
                Piece::Text(..) => Form::Other,
            })
        };
        let expected = [Form::Signed, Form::Unsigned(16), Form::Text, Form::Opaque, Form::Other];
        assert!(kinds(b"%d%hhX%.3s%p%n").eq(expected));
        assert!(kinds(b"%ls%1$d").eq([Form::Other, Form::Other, Form::Other]));
    }
}
