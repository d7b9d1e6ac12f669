//! The tokens of C11 with GNU extensions, and the spellings of keywords.

/// A token: what it is and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
    /// For a word, its symbol; for a literal, the index of its spelling; else 0.
    pub data: u32,
}

/// Kinds of tokens. Alternative spellings (`__const__`, `<:`) are the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names are those of the C standard.
#[rustfmt::skip] // A table.
pub enum TokenKind {
    /// The end of the text.
    End,
    /// What is no token; the lexer stopped here.
    Bad,
    Ident, Number, Char, Str,
    // Punctuation.
    LParen, RParen, LBracket, RBracket, LBrace, RBrace,
    Semicolon, Comma, Colon, Question, Dot, Arrow, Ellipsis,
    Plus, Minus, Star, Slash, Percent, PlusPlus, MinusMinus,
    Amp, Pipe, Caret, Tilde, Not, AmpAmp, PipePipe, Shl, Shr,
    Lt, Gt, Le, Ge, EqEq, Ne,
    Assign, PlusAssign, MinusAssign, StarAssign, SlashAssign, PercentAssign,
    AmpAssign, PipeAssign, CaretAssign, ShlAssign, ShrAssign,
    // Keywords.
    Alignas, Alignof, Asm, Atomic, Attribute, Auto, AutoType, Bool, Break,
    BuiltinChooseExpr, BuiltinOffsetof, BuiltinTypesCompatible, BuiltinVaArg,
    Case, CharType, Complex, ComplexPart, Const, Continue, Default, Do, Double,
    Else, Enum, Extension, Extern, Float, For, Generic, Goto, If, Inline, Int,
    Int128, LocalLabel, Long, Noreturn, Register, Restrict, Return, Short,
    Signed, Sizeof, Static, StaticAssert, Struct, Switch, ThreadLocal, Typedef,
    Typeof, Union, Unsigned, Void, Volatile, While,
}

/// Every spelling of every keyword. Symbols of words start with these.
#[rustfmt::skip] // A table.
pub const KEYWORDS: &[(&str, TokenKind)] = {
    use TokenKind::*;
    &[
        ("_Alignas", Alignas),
        ("_Alignof", Alignof), ("__alignof", Alignof), ("__alignof__", Alignof),
        ("asm", Asm), ("__asm", Asm), ("__asm__", Asm),
        ("_Atomic", Atomic),
        ("__attribute", Attribute), ("__attribute__", Attribute),
        ("auto", Auto), ("__auto_type", AutoType), ("_Bool", Bool), ("break", Break),
        ("__builtin_choose_expr", BuiltinChooseExpr),
        ("__builtin_offsetof", BuiltinOffsetof),
        ("__builtin_types_compatible_p", BuiltinTypesCompatible),
        ("__builtin_va_arg", BuiltinVaArg),
        ("case", Case), ("char", CharType),
        ("_Complex", Complex), ("__complex", Complex), ("__complex__", Complex),
        ("__real", ComplexPart), ("__real__", ComplexPart),
        ("__imag", ComplexPart), ("__imag__", ComplexPart),
        ("const", Const), ("__const", Const), ("__const__", Const),
        ("continue", Continue), ("default", Default), ("do", Do), ("double", Double),
        ("else", Else), ("enum", Enum), ("__extension__", Extension), ("extern", Extern),
        ("float", Float), ("for", For), ("_Generic", Generic), ("goto", Goto), ("if", If),
        ("inline", Inline), ("__inline", Inline), ("__inline__", Inline),
        ("int", Int), ("__int128", Int128), ("__label__", LocalLabel), ("long", Long),
        ("_Noreturn", Noreturn), ("register", Register),
        ("restrict", Restrict), ("__restrict", Restrict), ("__restrict__", Restrict),
        ("return", Return), ("short", Short),
        ("signed", Signed), ("__signed", Signed), ("__signed__", Signed),
        ("sizeof", Sizeof), ("static", Static), ("_Static_assert", StaticAssert),
        ("struct", Struct), ("switch", Switch),
        ("_Thread_local", ThreadLocal), ("__thread", ThreadLocal),
        ("typedef", Typedef),
        ("typeof", Typeof), ("__typeof", Typeof), ("__typeof__", Typeof),
        ("__typeof_unqual", Typeof), ("__typeof_unqual__", Typeof),
        ("union", Union), ("unsigned", Unsigned), ("void", Void),
        ("volatile", Volatile), ("__volatile", Volatile), ("__volatile__", Volatile),
        ("while", While),
    ]
};

impl TokenKind {
    /// How messages call a token that the grammar demands.
    pub fn expected(self) -> &'static str {
        match self {
            TokenKind::LParen => "`(`",
            TokenKind::RParen => "`)`",
            TokenKind::LBrace => "`{`",
            TokenKind::RBrace => "`}`",
            TokenKind::RBracket => "`]`",
            TokenKind::Semicolon => "`;`",
            TokenKind::Comma => "`,`",
            TokenKind::Colon => "`:`",
            TokenKind::Assign => "`=`",
            TokenKind::While => "`while`",
            TokenKind::Str => "a string",
            TokenKind::Ident => "a name",
            _ => "another token",
        }
    }

    /// Whether the token is a word: an identifier or a keyword.
    pub fn is_word(self) -> bool {
        self == TokenKind::Ident || self as u8 >= TokenKind::Alignas as u8
    }
}
