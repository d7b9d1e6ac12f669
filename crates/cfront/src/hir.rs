//! The typed program: what `sema` makes of the syntax tree and what `lower`
//! turns into the model. Names are resolved, conversions are explicit,
//! constants are folded, layouts are fixed.
//!
//! What C says and we cannot model stands here as `Unsupported`, at its place:
//! whether that matters is decided by reachability, not by the typing.

use crate::syntax::ast::Range;
use ccfa::{AccessKind, id};
use std::collections::BTreeSet;

id!(
    /// A type in `Types`.
    TypeId
);
id!(
    /// A struct or union in `Types`.
    RecordId
);
id!(
    /// A variable in `Unit::vars`.
    VarId
);
id!(
    /// A function in `Unit::functions`.
    FuncId
);
id!(
    /// A label, unique within its function.
    LabelId
);

/// A type. Qualifiers other than `_Atomic` are gone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// Integers, also enums (as their integer type).
    Int {
        /// C's name for the size: two kinds of one width are two types.
        kind: crate::syntax::ast::IntKind,
        /// Signed?
        signed: bool,
    },
    /// What gcc computes with where a bit-field is wider than `int`: an integer of just so many bits.
    /// Only values have it, never a place.
    WideBits {
        /// In bits, from 33 to 63.
        width: u8,
        /// Signed?
        signed: bool,
    },
    /// Any floating type; values of it are not modelled.
    Float {
        /// Size in bytes.
        size: u8,
    },
    /// `_Complex` of a type; values of it are not modelled.
    Complex(TypeId),
    /// A vector of the attribute `vector_size`; values of it are not modelled.
    Vector {
        /// Size in bytes.
        size: u16,
    },
    /// A pointer.
    Pointer(TypeId),
    /// An array; `None` if the length is not known (incomplete or flexible).
    Array(TypeId, Option<u64>),
    /// An array whose length is only known at run time.
    VariableArray(TypeId),
    /// A struct or union.
    Record(RecordId),
    /// A function.
    Function {
        /// Return type.
        ret: TypeId,
        /// Parameter types.
        params: Vec<TypeId>,
        /// `...`, or no prototype.
        variadic: bool,
    },
    /// `_Atomic T`; occurs only as the type of a place or inside other types.
    Atomic(TypeId),
    /// `va_list`
    VaList,
}

/// A struct or union with its layout.
#[derive(Clone, Debug)]
pub struct Record {
    /// The tag, or "" if it has none.
    pub tag: String,
    /// `union`?
    pub is_union: bool,
    /// A union with the attribute `transparent_union`: what one of its members takes
    /// converts to it.
    pub is_transparent: bool,
    /// A type of our models in place of the user's: its initialisers are flattened.
    pub is_opaque: bool,
    /// It is larger than the type it stands for: its size is not to be seen.
    pub is_oversized: bool,
    /// `None` while incomplete.
    pub layout: Option<RecordLayout>,
}

/// Sizes and fields of a complete record.
#[derive(Clone, Debug)]
pub struct RecordLayout {
    /// Has it adjacent bit-fields, one memory location to C, in more than eight bytes?
    pub has_long_bits: bool,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// All fields in order; anonymous records keep theirs inside (name "").
    pub fields: Vec<Field>,
}

/// A field of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name, "" for an anonymous struct or union.
    pub name: String,
    /// The type of its place (for a bit-field: of its storage unit).
    pub ty: TypeId,
    /// The declared type, which for a bit-field may be another one.
    pub declared: TypeId,
    /// Byte offset (for a bit-field: of its storage unit).
    pub offset: u64,
    /// What its offset in the record is a multiple of.
    pub align: u64,
    /// Set for a bit-field.
    pub bits: Option<BitField>,
}

/// Where a bit-field lies in its storage unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitField {
    /// Lowest bit, counted from the least significant.
    pub shift: u8,
    /// How many bits.
    pub width: u8,
}

/// A whole program: every translation unit's worth of globals and functions.
#[derive(Clone, Debug)]
pub struct Unit {
    /// All types.
    pub types: crate::types::Types,
    /// All variables: globals, statics, locals, parameters, string literals.
    pub vars: Vec<Var>,
    /// All functions, declared or defined.
    pub functions: Vec<Function>,
    /// The function in which the program begins, if there is one.
    pub main: Option<FuncId>,
    /// Does it begin elsewhere than in C's `main`?
    pub has_other_entry: bool,
    /// String literals that stand at several places: whether these are one object is unspecified (C11 6.4.5, 7).
    pub repeated_strings: BTreeSet<VarId>,
    /// The functions that run before `main`, in order.
    pub constructors: Vec<FuncId>,
    /// The functions that run when the program exits, in order.
    pub destructors: Vec<FuncId>,
    /// What may change the meaning of the program as a whole and is not modelled, in plain words.
    pub limits: Vec<(String, Range)>,
    /// Is a pointer of the program, other than a parameter of a function without a body, `restrict`?
    pub has_restrict: bool,
    /// Does an attribute promise something of a function that the program defines?
    pub has_promises: bool,
    /// Has a record adjacent bit-fields in more than eight bytes?
    pub has_long_bits: bool,
}

impl Unit {
    /// Does a variable hold a string literal?
    pub fn is_string(&self, var: VarId) -> bool {
        self.vars[var.index()].name.starts_with('"')
    }

    /// Are the statements of an expression not those of a block, but an object without a name?
    pub fn is_literal(&self, statements: &[Stmt]) -> bool {
        let is_nameless = |var: &VarId| {
            let name = &self.vars[var.index()].name;
            name.is_empty() || name.starts_with('(')
        };
        matches!(statements, [Stmt { kind: StmtKind::Declare(var, _), .. }] if is_nameless(var))
    }

    /// The characters of a string literal, with the zero at its end.
    pub fn text(&self, var: VarId) -> Vec<i128> {
        let Var { ty, init, .. } = &self.vars[var.index()];
        let size_of = |ty| self.types.size_of(ty).unwrap_or(1);
        let unit = self.types.element(*ty).map_or(1, size_of).max(1);
        let mut text = vec![0; (size_of(*ty) / unit) as usize];
        for entry in init.iter().flatten() {
            if let ExprKind::Const(value) = *entry.value.kind {
                text[(entry.offset / unit) as usize] = value;
            }
        }
        text
    }
}

/// How long a variable lives and who sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// File scope, or `static` in a function; string literals too.
    Static,
    /// `_Thread_local` / `__thread`: one per thread, static lifetime.
    Thread,
    /// A local or parameter of this function.
    Local(FuncId),
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name; string literals are called `"…"`, compound literals `(…)…`.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Its lifetime.
    pub lifetime: Lifetime,
    /// Static and thread lifetime: the initial values (what is not named is zero).
    /// A static without initialiser has an empty list. `None` for locals, and
    /// for `extern` variables that are defined nowhere.
    pub init: Option<Vec<InitEntry>>,
    /// The alignment that attributes demand, in bytes.
    pub align: Option<u64>,
    /// Why its uses are not modelled, in plain words.
    pub limit: Option<String>,
    /// Its type is `const`.
    pub is_const: bool,
    /// Where it is declared.
    pub range: Range,
}

/// One scalar (or, for locals, one whole record) of an initialiser.
#[derive(Clone, Debug)]
pub struct InitEntry {
    /// Byte offset in the variable.
    pub offset: u64,
    /// Set if a bit-field is initialised.
    pub bits: Option<BitField>,
    /// Type of what is initialised.
    pub ty: TypeId,
    /// The value, converted to `ty`; a constant expression for statics
    /// (`Const`, `AddrOf` of static places, `FunctionAddr`, casts and `PtrAdd` of these).
    pub value: Expr,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its type, a `Type::Function`.
    pub ty: TypeId,
    /// Its parameters (empty if it has no body).
    pub params: Vec<VarId>,
    /// Takes more arguments than it names.
    pub variadic: bool,
    /// Defined with names instead of types for parameters, and nowhere with types: arguments are not converted.
    pub old_style: bool,
    /// Declared `noreturn`.
    pub noreturn: bool,
    /// Its body, if it is defined.
    pub body: Option<Vec<Stmt>>,
    /// How many labels its body uses.
    pub labels: u32,
    /// The names of those that have one.
    pub label_names: Vec<(LabelId, String)>,
    /// Defined in our own library of models, not by the user.
    pub is_model: bool,
    /// Why its uses are not modelled, in plain words.
    pub limit: Option<String>,
    /// Where its name stands.
    pub range: Range,
}

/// A statement with its place.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub range: Range,
}

/// Statements. Case labels and gotos are `Label`s.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Evaluate and forget.
    Expr(Expr),
    /// A local variable comes to life: its value is arbitrary, or, if there is
    /// an initialiser, zero where the entries do not say otherwise.
    Declare(VarId, Option<Vec<InitEntry>>),
    /// In order.
    Block(Vec<Stmt>),
    /// `if`
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// All loops: `for` and `while` test before (`test_first`), `do` after.
    Loop {
        /// Holds as long as the loop goes on; `None` = forever.
        condition: Option<Expr>,
        /// Test before the first round?
        test_first: bool,
        /// The body; `continue` goes behind it.
        body: Box<Stmt>,
        /// The third part of `for`.
        step: Option<Expr>,
    },
    /// `switch`: jump to the label of the first range that contains the value.
    Switch {
        /// The promoted value.
        value: Expr,
        /// Inclusive ranges in the type of `value`.
        cases: Vec<(i128, i128, LabelId)>,
        /// `default:`
        default: Option<LabelId>,
        /// The body, which contains the labels.
        body: Box<Stmt>,
    },
    /// A target.
    Label(LabelId),
    /// `goto`
    Goto(LabelId),
    /// Leave the innermost loop or switch.
    Break,
    /// Go to the end of the innermost loop's body.
    Continue,
    /// Leave the function; the value has the function's return type.
    Return(Option<Expr>),
    /// Inline assembly without operands: a fence or a compiler barrier. Any
    /// other is `Unsupported`.
    Fence(AccessKind),
    /// Not modelled: what it is, in plain words.
    Unsupported(String),
}

/// An expression with its type and place. Its type is never an array or a
/// function (they decay), nor `Atomic`.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: Box<ExprKind>,
    /// Its type.
    pub ty: TypeId,
    /// Where it stands.
    pub range: Range,
}

/// Expressions; both operands of a binary operator have one type.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer, or a pointer given as a number. In range for its type.
    Const(i128),
    /// The value of a place: a scalar, or a whole record.
    Load(Place),
    /// The address of a place; also an array that decays.
    AddrOf(Place),
    /// The address of a function.
    FunctionAddr(FuncId),
    /// Arithmetic on one operand.
    Unary(UnaryOp, Expr),
    /// Arithmetic or comparison (which gives `int`) on operands of one type.
    /// Shifts: the right operand keeps its own promoted type.
    Binary(BinaryOp, Expr, Expr),
    /// `pointer + index * size`; the index is an integer of any type.
    PtrAdd(Expr, Expr, u64),
    /// `(a - b) / size`, as `ptrdiff_t`.
    PtrDiff(Expr, Expr, u64),
    /// `a && b`, of type `int`; operands are scalars, compared with zero.
    And(Expr, Expr),
    /// `a || b`
    Or(Expr, Expr),
    /// `c ? a : b`; both branches have the type of the whole.
    Cond(Expr, Expr, Expr),
    /// Conversion to the type of this expression (to `void` too).
    Cast(Expr),
    /// Store; the value of the expression is what was stored.
    Assign(Place, Expr),
    /// `place = (T)((C)place op operand)`, computed in the operand's type `C`
    /// (for shifts: in `compute`). One atomic step if the place is `_Atomic`.
    AssignOp {
        /// The left side, evaluated once.
        place: Place,
        /// The operator; `Add`/`Sub` on a pointer place scale by `scale`.
        op: BinaryOp,
        /// The right side, already converted to `compute` (shifts and pointers: promoted).
        operand: Expr,
        /// The type in which the operation is done.
        compute: TypeId,
        /// Element size for pointers, else 1.
        scale: u64,
        /// The value is the old one (`x++`), not the new one.
        result_is_old: bool,
    },
    /// A call.
    Call(Callee, Vec<Expr>),
    /// `a, b`
    Comma(Expr, Expr),
    /// `({ … })`; the value of the last expression if there is one.
    Stmt(Vec<Stmt>, Option<Expr>),
    /// Not modelled: what it is, in plain words.
    Unsupported(String),
}

/// Whom a call calls.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A named function, library functions and intrinsics included.
    Direct(FuncId),
    /// Through a pointer.
    Pointer(Expr),
}

/// Arithmetic on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `~`
    BitNot,
    /// `!`, of type `int`; the operand is any scalar.
    Not,
}

/// Arithmetic and comparison on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Their names are C's.
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

impl BinaryOp {
    /// Is it defined for all operands, of every type?
    pub fn is_always_defined(self) -> bool {
        use BinaryOp::*;
        !matches!(self, Add | Sub | Mul | Div | Rem | Shl | Shr)
    }
}

/// An lvalue.
#[derive(Clone, Debug)]
pub struct Place {
    /// What it is.
    pub kind: PlaceKind,
    /// Its type, possibly `Atomic`, an array or a record.
    pub ty: TypeId,
    /// Set if it is a bit-field; then `ty` is the type of the storage unit.
    pub bits: Option<BitField>,
    /// Where it stands.
    pub range: Range,
}

/// How a place is reached.
#[derive(Clone, Debug)]
pub enum PlaceKind {
    /// A variable.
    Var(VarId),
    /// `*e`; the type of `e` is a pointer to the type of the place.
    Deref(Expr),
    /// A field (flattened: through anonymous records too) at a byte offset of its record.
    Field(Box<Place>, u64),
    /// An element of an array *place* (`a[i]` where `a` is an array, not a
    /// pointer); index of any integer type; element size in bytes.
    Index(Box<Place>, Expr, u64),
    /// A record that is a value (`f().x`): evaluate, then it has this place.
    Temporary(Expr),
}
