//! Declaration specifiers: storage class, qualifiers and the type, in any order.

use super::scope::{BuiltinType, Meaning};
use super::{Parse, Parser, fail_at, range_of};
use crate::syntax::ast::{
    Attribute, Ident, IntKind, Qualifiers, Range, Specifiers, Storage, TypeName, TypeSpecifier,
};
use crate::syntax::lexer::token::TokenKind;

/// The words of a built-in type (`unsigned long int`), counted.
#[derive(Default, PartialEq)]
struct TypeWords {
    /// Whether any was seen.
    any: bool,
    void: u8,
    bool_: u8,
    char_: u8,
    short: u8,
    int: u8,
    long: u8,
    int128: u8,
    float: u8,
    double: u8,
    signed: u8,
    unsigned: u8,
    complex: u8,
}

impl TypeWords {
    /// Counts the word; false if the token is none.
    fn add(&mut self, kind: TokenKind) -> bool {
        let count = match kind {
            TokenKind::Void => &mut self.void,
            TokenKind::Bool => &mut self.bool_,
            TokenKind::CharType => &mut self.char_,
            TokenKind::Short => &mut self.short,
            TokenKind::Int => &mut self.int,
            TokenKind::Long => &mut self.long,
            TokenKind::Int128 => &mut self.int128,
            TokenKind::Float => &mut self.float,
            TokenKind::Double => &mut self.double,
            TokenKind::Signed => &mut self.signed,
            TokenKind::Unsigned => &mut self.unsigned,
            TokenKind::Complex => &mut self.complex,
            _ => return false,
        };
        *count = count.saturating_add(1);
        self.any = true;
        true
    }

    /// Whether `_Complex` stands alone, to be completed by a named type.
    fn are_only_complex(&self) -> bool {
        let alone = TypeWords { any: true, complex: 1, ..TypeWords::default() };
        *self == alone
    }

    /// The type that the words name together, if they go together.
    fn resolve(&self) -> Option<TypeSpecifier> {
        let signed = match (self.signed, self.unsigned) {
            (0, 0) => None,
            (_, 0) => Some(true),
            (0, _) => Some(false),
            _ => return None,
        };
        let int = |kind| Some(TypeSpecifier::Int { kind, signed });
        let float = |name: &str| Some(TypeSpecifier::Float(name.to_string()));
        let words = [
            self.void,
            self.bool_,
            self.char_,
            self.short,
            self.int128,
            self.float,
            self.double,
            self.long,
            self.int,
        ];
        let ty = match words {
            [1, 0, 0, 0, 0, 0, 0, 0, 0] if signed.is_none() => Some(TypeSpecifier::Void),
            [0, 1, 0, 0, 0, 0, 0, 0, 0] if signed.is_none() => Some(TypeSpecifier::Bool),
            [0, 0, 1, 0, 0, 0, 0, 0, 0] => int(IntKind::Char),
            [0, 0, 0, 1, 0, 0, 0, 0, 0 | 1] => int(IntKind::Short),
            [0, 0, 0, 0, 1, 0, 0, 0, 0] => int(IntKind::Int128),
            [0, 0, 0, 0, 0, 1, 0, 0, 0] if signed.is_none() => float("float"),
            [0, 0, 0, 0, 0, 0, 1, 0, 0] if signed.is_none() => float("double"),
            [0, 0, 0, 0, 0, 0, 1, 1, 0] if signed.is_none() => float("long double"),
            [0, 0, 0, 0, 0, 0, 0, 1, 0 | 1] => int(IntKind::Long),
            [0, 0, 0, 0, 0, 0, 0, 2, 0 | 1] => int(IntKind::LongLong),
            [0, 0, 0, 0, 0, 0, 0, 0, 0 | 1] => int(IntKind::Int),
            _ => None,
        };
        match self.complex {
            0 => ty,
            _ if self.are_only_complex() => {
                Some(TypeSpecifier::Complex(Box::new(TypeSpecifier::Float("double".to_string()))))
            }
            _ => ty.map(|ty| TypeSpecifier::Complex(Box::new(ty))),
        }
    }
}

/// Specifiers while they are read.
#[derive(Default)]
struct Draft {
    storage: Option<Storage>,
    thread_local: bool,
    inline: bool,
    noreturn: bool,
    qualifiers: Qualifiers,
    words: TypeWords,
    /// A type that is not made of words.
    ty: Option<TypeSpecifier>,
    attributes: Vec<Attribute>,
}

impl Draft {
    fn has_type(&self) -> bool {
        self.ty.is_some() || self.words.any
    }
}

impl Parser<'_> {
    /// Whether declaration specifiers can start at token `at`.
    pub(super) fn starts_specifiers(&self, at: usize) -> bool {
        use TokenKind::*;
        let Some(token) = self.tokens.tokens.get(at) else {
            return false;
        };
        match token.kind {
            Ident => self.scopes.meaning(token.data) != Meaning::Other,
            Alignas | Atomic | Attribute | Auto | AutoType | Bool | CharType | Complex | Const
            | Double | Enum | Extern | Float | Inline | Int | Int128 | Long | Noreturn
            | Register | Restrict | Short | Signed | Static | Struct | ThreadLocal | Typedef
            | Typeof | Union | Unsigned | Void | Volatile => true,
            _ => false,
        }
    }

    /// Specifiers; none at all gives the implicit type.
    pub(super) fn specifiers(&mut self) -> Parse<Specifiers> {
        let start = self.start();
        let first = self.at;
        let mut draft = Draft::default();
        while self.specifier(&mut draft)? {}
        if !draft.has_type() {
            self.refuse_unknown_type()?;
        }
        let range =
            if self.at == first { Range { lo: start, hi: start } } else { self.range_from(start) };
        self.finish_specifiers(draft, range)
    }

    fn finish_specifiers(&self, draft: Draft, range: Range) -> Parse<Specifiers> {
        let words = &draft.words;
        let ty = match draft.ty {
            None if !words.any => Some(TypeSpecifier::Implicit),
            None => words.resolve(),
            Some(float @ TypeSpecifier::Float(_)) if words.are_only_complex() => {
                Some(TypeSpecifier::Complex(Box::new(float)))
            }
            Some(_) if words.any => None,
            Some(ty) => Some(ty),
        };
        let Some(ty) = ty else {
            return fail_at(range, "these words do not name a type together".to_string());
        };
        Ok(Specifiers {
            storage: draft.storage,
            thread_local: draft.thread_local,
            inline: draft.inline,
            noreturn: draft.noreturn || draft.attributes.iter().any(|a| a.name == "noreturn"),
            qualifiers: draft.qualifiers,
            ty,
            attributes: draft.attributes,
            range,
        })
    }

    /// Takes one specifier; false if there is none.
    fn specifier(&mut self, draft: &mut Draft) -> Parse<bool> {
        if draft.words.add(self.kind()) {
            self.bump();
            return Ok(true);
        }
        match self.kind() {
            TokenKind::Ident => return Ok(self.named_type(draft)),
            TokenKind::Typedef => self.storage(draft, Storage::Typedef)?,
            TokenKind::Extern => self.storage(draft, Storage::Extern)?,
            TokenKind::Static => self.storage(draft, Storage::Static)?,
            TokenKind::Auto => self.storage(draft, Storage::Auto)?,
            TokenKind::Register => self.storage(draft, Storage::Register)?,
            TokenKind::ThreadLocal => draft.thread_local = self.eat(TokenKind::ThreadLocal),
            TokenKind::Inline => draft.inline = self.eat(TokenKind::Inline),
            TokenKind::Noreturn => draft.noreturn = self.eat(TokenKind::Noreturn),
            TokenKind::Extension => drop(self.bump()),
            TokenKind::Attribute => self.attributes(&mut draft.attributes)?,
            TokenKind::Alignas => draft.attributes.push(self.alignas()?),
            TokenKind::Atomic if self.kind_ahead(1) == TokenKind::LParen => {
                self.bump();
                let ty = self.parenthesised_type("after `_Atomic`")?;
                self.set_type(draft, TypeSpecifier::Atomic(Box::new(ty)))?;
            }
            _ if self.qualifier(&mut draft.qualifiers) => {}
            _ => return self.composed_type(draft),
        }
        Ok(true)
    }

    fn storage(&mut self, draft: &mut Draft, storage: Storage) -> Parse<()> {
        if draft.storage.is_some() {
            return self.fail(format!("{} is a second storage class", self.found()));
        }
        self.bump();
        draft.storage = Some(storage);
        Ok(())
    }

    /// `const`, `volatile`, `restrict`, `_Atomic`; false if there is none.
    fn qualifier(&mut self, qualifiers: &mut Qualifiers) -> bool {
        match self.kind() {
            TokenKind::Const => qualifiers.is_const = true,
            TokenKind::Volatile => qualifiers.is_volatile = true,
            TokenKind::Atomic => qualifiers.is_atomic = true,
            TokenKind::Restrict => qualifiers.is_restrict = true,
            _ => return false,
        }
        self.bump();
        true
    }

    /// Qualifiers and attributes after a `*`.
    pub(super) fn pointer_qualifiers(
        &mut self,
        attributes: &mut Vec<Attribute>,
    ) -> Parse<Qualifiers> {
        let mut qualifiers = Qualifiers::default();
        loop {
            if self.kind() == TokenKind::Attribute {
                self.attributes(attributes)?;
            } else if !self.qualifier(&mut qualifiers) {
                return Ok(qualifiers);
            }
        }
    }

    /// A name is the type only if there is no other: after `int`, it is what is declared.
    fn named_type(&mut self, draft: &mut Draft) -> bool {
        let token = self.token();
        if draft.ty.is_some() {
            return false;
        }
        let name = &self.tokens.names[token.data as usize];
        let ty = match self.scopes.meaning(token.data) {
            Meaning::Builtin(BuiltinType::Float) if !draft.words.any || draft.words.complex > 0 => {
                TypeSpecifier::Float(name.to_string())
            }
            Meaning::Other => return false,
            _ if draft.words.any => return false,
            Meaning::Typedef => {
                TypeSpecifier::Named(Ident { name: name.clone(), range: range_of(token) })
            }
            Meaning::Builtin(BuiltinType::VaList) => TypeSpecifier::VaList,
            Meaning::Builtin(builtin) => TypeSpecifier::Int {
                kind: IntKind::Int128,
                signed: Some(builtin == BuiltinType::Int128),
            },
        };
        self.bump();
        draft.ty = Some(ty);
        true
    }

    /// Types with a syntax of their own.
    fn composed_type(&mut self, draft: &mut Draft) -> Parse<bool> {
        let ty = match self.kind() {
            TokenKind::Struct | TokenKind::Union => TypeSpecifier::Record(Box::new(self.record()?)),
            TokenKind::Enum => TypeSpecifier::Enum(Box::new(self.enumeration()?)),
            TokenKind::Typeof => self.typeof_specifier()?,
            TokenKind::AutoType => {
                self.bump();
                TypeSpecifier::AutoType
            }
            _ => return Ok(false),
        };
        self.set_type(draft, ty)?;
        Ok(true)
    }

    fn set_type(&self, draft: &mut Draft, ty: TypeSpecifier) -> Parse<()> {
        if draft.has_type() {
            return self.fail("there are two types in one declaration".to_string());
        }
        draft.ty = Some(ty);
        Ok(())
    }

    fn typeof_specifier(&mut self) -> Parse<TypeSpecifier> {
        self.bump();
        self.expect(TokenKind::LParen, "after `typeof`")?;
        let ty = if self.starts_type_name() {
            TypeSpecifier::TypeofType(Box::new(self.type_name()?))
        } else {
            TypeSpecifier::TypeofExpr(Box::new(self.expr()?))
        };
        self.expect(TokenKind::RParen, "after the operand of `typeof`")?;
        Ok(ty)
    }

    /// Whether what follows an opening parenthesis is a type.
    pub(super) fn starts_type_name(&self) -> bool {
        self.starts_specifiers(self.at)
    }

    /// `(type)`
    pub(super) fn parenthesised_type(&mut self, place: &str) -> Parse<TypeName> {
        self.expect(TokenKind::LParen, place)?;
        let ty = self.type_name()?;
        self.expect(TokenKind::RParen, "after the type")?;
        Ok(ty)
    }

    /// A type without a name, as in a cast.
    pub(super) fn type_name(&mut self) -> Parse<TypeName> {
        let outside = self.enter()?;
        if !self.starts_specifiers(self.at) && self.kind() != TokenKind::Extension {
            return match self.kind() {
                TokenKind::Ident => self.fail(format!("unknown type name {}", self.found())),
                _ => self.expected("a type"),
            };
        }
        let specifiers = self.specifiers()?;
        refuse_storage(&specifiers)?;
        let declarator = self.abstract_declarator()?;
        self.leave(outside);
        Ok(TypeName { specifiers, declarator })
    }

    /// Where a type is still missing, a name followed by the beginning of a
    /// declarator was meant to be one.
    pub(super) fn refuse_unknown_type(&self) -> Parse<()> {
        let is_unknown = self.kind() == TokenKind::Ident
            && match self.kind_ahead(1) {
                TokenKind::Ident | TokenKind::Star => true,
                TokenKind::Attribute => false,
                _ => self.starts_specifiers(self.at + 1),
            };
        if is_unknown {
            return self.fail(format!("unknown type name {}", self.found()));
        }
        Ok(())
    }
}

/// In a type name or a member, nothing is stored.
pub(super) fn refuse_storage(specifiers: &Specifiers) -> Parse<()> {
    if specifiers.storage.is_some() || specifiers.thread_local {
        return fail_at(specifiers.range, "a storage class cannot stand here".to_string());
    }
    Ok(())
}
