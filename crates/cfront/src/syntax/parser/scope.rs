//! Which names are types at the current place.
//!
//! One table gives the present meaning of every name; a log remembers what to
//! restore when a scope ends. So a look-up is one array access, and closing a
//! scope costs as much as was declared in it.

use crate::syntax::lexer::Tokens;

/// What a name means, as far as the grammar cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A variable, function, constant, or nothing that was declared.
    Other,
    /// A typedef name.
    Typedef,
    /// A type that gcc knows without a declaration; a program may declare its
    /// name anew, as old headers do (`typedef float _Float32;`).
    Builtin(BuiltinType),
}

/// Types that are names rather than keywords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltinType {
    /// `__builtin_va_list`
    VaList,
    /// `__int128_t`
    Int128,
    /// `__uint128_t`
    Uint128,
    /// `_Float128`, `__float128`, …: their own spelling names them.
    Float,
}

/// The names of built-in types.
const BUILTINS: &[(&str, BuiltinType)] = &[
    ("__builtin_va_list", BuiltinType::VaList),
    ("__int128_t", BuiltinType::Int128),
    ("__uint128_t", BuiltinType::Uint128),
    ("__float80", BuiltinType::Float),
    ("__float128", BuiltinType::Float),
    ("__fp16", BuiltinType::Float),
    ("__bf16", BuiltinType::Float),
    ("__ibm128", BuiltinType::Float),
    ("_Float16", BuiltinType::Float),
    ("_Float32", BuiltinType::Float),
    ("_Float64", BuiltinType::Float),
    ("_Float128", BuiltinType::Float),
    ("_Float32x", BuiltinType::Float),
    ("_Float64x", BuiltinType::Float),
    ("_Decimal32", BuiltinType::Float),
    ("_Decimal64", BuiltinType::Float),
    ("_Decimal128", BuiltinType::Float),
];

/// The scopes that are open.
pub struct TypeNames {
    /// By symbol.
    meanings: Vec<Meaning>,
    /// Earlier meanings, to be restored from the end.
    log: Vec<(u32, Meaning)>,
    /// Length of the log when each scope was opened.
    opened: Vec<usize>,
}

impl TypeNames {
    /// The file scope.
    pub fn new(tokens: &Tokens<'_>) -> Self {
        let mut meanings = vec![Meaning::Other; tokens.names.len()];
        for &(name, builtin) in BUILTINS {
            if let Some(symbol) = tokens.symbol(name) {
                meanings[symbol as usize] = Meaning::Builtin(builtin);
            }
        }
        TypeNames { meanings, log: Vec::new(), opened: Vec::new() }
    }

    /// What the name means here.
    pub fn meaning(&self, symbol: u32) -> Meaning {
        self.meanings[symbol as usize]
    }

    /// Declares the name in the innermost scope.
    pub fn declare(&mut self, symbol: u32, meaning: Meaning) {
        let present = &mut self.meanings[symbol as usize];
        if *present == meaning {
            return;
        }
        if !self.opened.is_empty() {
            self.log.push((symbol, *present));
        }
        *present = meaning;
    }

    /// Opens a scope.
    pub fn open(&mut self) {
        self.opened.push(self.log.len());
    }

    /// Closes the innermost scope.
    pub fn close(&mut self) {
        let length = self.opened.pop().unwrap_or(0);
        for (symbol, meaning) in self.log.drain(length..).rev() {
            self.meanings[symbol as usize] = meaning;
        }
    }
}
