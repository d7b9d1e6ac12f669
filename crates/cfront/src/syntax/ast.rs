//! The syntax tree of C11 with GNU extensions, as written: no types, no
//! conversions, no meaning. `sema` gives it those.

/// A half-open range of byte offsets into the text that was parsed.
/// `source::SourceMap` turns an offset into file, line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Range {
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
}

impl Range {
    /// The same text, if all of it stands so many bytes further on.
    pub fn moved(self, bytes: u32) -> Range {
        Range { lo: self.lo.saturating_add(bytes), hi: self.hi.saturating_add(bytes) }
    }
}

/// An identifier with its place. `$` is a letter, as in GNU C.
#[derive(Clone, Debug, PartialEq)]
pub struct Ident {
    /// The name.
    pub name: std::rc::Rc<str>,
    /// Where it stands.
    pub range: Range,
}

/// A preprocessed C file.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TranslationUnit {
    /// Top-level items in source order.
    pub items: Vec<Item>,
    /// The pragmas that are neither harmless nor part of the tree, wherever they stand.
    pub pragmas: Vec<Pragma>,
    /// The attributes that are neither known to be harmless nor modelled, wherever they stand.
    pub unknown_attributes: Vec<(String, Range)>,
}

/// `#pragma text` or `_Pragma("text")`.
#[derive(Clone, Debug, PartialEq)]
pub struct Pragma {
    /// What follows the word `pragma`.
    pub text: String,
    /// Where it stands.
    pub range: Range,
}

/// A top-level item.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Variables, types, prototypes.
    Declaration(Declaration),
    /// A function with its body.
    Function(FunctionDef),
    /// `_Static_assert(e, "…")`.
    StaticAssert(StaticAssert),
    /// `asm("…");` at file scope.
    Asm(Asm),
}

/// `_Static_assert(condition, message)`.
#[derive(Clone, Debug, PartialEq)]
pub struct StaticAssert {
    /// Must be a constant expression.
    pub condition: Expression,
    /// The message, if there is one.
    pub message: Option<String>,
    /// Where it stands.
    pub range: Range,
}

/// A function definition; old-style parameter declarations are already
/// merged into the declarator's parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDef {
    /// Return type and storage class.
    pub specifiers: Specifiers,
    /// Name and parameters.
    pub declarator: Declarator,
    /// The body.
    pub body: Block,
    /// A hash of the words from the name on: other words have another one, but for a chance of 2⁻⁶⁴.
    pub words: u64,
    /// From the first specifier to the closing brace.
    pub range: Range,
}

/// `specifiers declarator = init, …;`
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// What stands before the first declarator.
    pub specifiers: Specifiers,
    /// May be empty (`struct s { … };`).
    pub declarators: Vec<InitDeclarator>,
    /// The whole declaration.
    pub range: Range,
}

/// One declared name with its initialiser.
#[derive(Clone, Debug, PartialEq)]
pub struct InitDeclarator {
    /// The declarator.
    pub declarator: Declarator,
    /// What follows `=`.
    pub init: Option<Initializer>,
}

/// Storage classes; at most one besides `thread_local`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// `typedef`
    Typedef,
    /// `extern`
    Extern,
    /// `static`
    Static,
    /// `auto`
    Auto,
    /// `register`
    Register,
}

/// Declaration specifiers.
#[derive(Clone, Debug, PartialEq)]
pub struct Specifiers {
    /// The storage class, if one is given.
    pub storage: Option<Storage>,
    /// `_Thread_local` or `__thread`.
    pub thread_local: bool,
    /// `inline` and its spellings.
    pub inline: bool,
    /// `_Noreturn` or the attribute `noreturn`.
    pub noreturn: bool,
    /// `const`, `volatile`, `_Atomic` without parentheses.
    pub qualifiers: Qualifiers,
    /// The type.
    pub ty: TypeSpecifier,
    /// Every attribute given among the specifiers.
    pub attributes: Vec<Attribute>,
    /// Where the specifiers stand.
    pub range: Range,
}

/// Type qualifiers that carry meaning here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Qualifiers {
    /// `const`
    pub is_const: bool,
    /// `volatile`
    pub is_volatile: bool,
    /// `_Atomic`
    pub is_atomic: bool,
    /// `restrict`
    pub is_restrict: bool,
}

/// The type part of declaration specifiers.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeSpecifier {
    /// No type was given: implicit `int` (old C), or `__auto_type`'s
    /// absence. `sema` decides.
    Implicit,
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// `char`, `short`, `int`, `long`, `long long`, `__int128` with optional sign.
    Int {
        /// Which of them.
        kind: IntKind,
        /// `Some(true)` for `signed`, `Some(false)` for `unsigned`, else as C says.
        signed: Option<bool>,
    },
    /// `float`, `double`, `long double`, `_Float128`, … with the spelling.
    Float(String),
    /// `_Complex` of this type.
    Complex(Box<TypeSpecifier>),
    /// A typedef name.
    Named(Ident),
    /// `struct` or `union`.
    Record(Box<Record>),
    /// `enum`.
    Enum(Box<Enum>),
    /// `typeof(expression)`.
    TypeofExpr(Box<Expression>),
    /// `typeof(type)`.
    TypeofType(Box<TypeName>),
    /// `_Atomic(type)`.
    Atomic(Box<TypeName>),
    /// `__auto_type`.
    AutoType,
    /// `__builtin_va_list`.
    VaList,
}

/// Sizes of integers as C names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntKind {
    /// `char`
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `long long`
    LongLong,
    /// `__int128`
    Int128,
}

/// `struct tag { … }` or `union tag { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// `union` instead of `struct`.
    pub is_union: bool,
    /// The tag, if any.
    pub tag: Option<Ident>,
    /// The members, if this is a definition.
    pub members: Option<Vec<Member>>,
    /// Attributes such as `packed` and `aligned`.
    pub attributes: Vec<Attribute>,
    /// The largest alignment of a member, in bytes, if `#pragma pack` sets one where the definition ends.
    pub pack: Option<u64>,
    /// Where it stands.
    pub range: Range,
}

/// A line of a struct: `specifiers declarator : width, …;` or a static assertion.
#[derive(Clone, Debug, PartialEq)]
pub enum Member {
    /// Fields; without declarators, an anonymous struct or union.
    Fields {
        /// Their common specifiers.
        specifiers: Specifiers,
        /// The declarators (empty for an anonymous record).
        declarators: Vec<FieldDeclarator>,
    },
    /// `_Static_assert` among the members.
    StaticAssert(StaticAssert),
}

/// One field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldDeclarator {
    /// Absent for an unnamed bit-field.
    pub declarator: Option<Declarator>,
    /// The attributes of an unnamed bit-field.
    pub attributes: Vec<Attribute>,
    /// The width of a bit-field.
    pub bits: Option<Expression>,
}

/// `enum tag { A, B = 3 }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Enum {
    /// The tag, if any.
    pub tag: Option<Ident>,
    /// The constants, if this is a definition.
    pub constants: Option<Vec<(Ident, Option<Expression>)>>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Where it stands.
    pub range: Range,
}

/// A declarator: a name and what is derived around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Declarator {
    /// Absent in an abstract declarator.
    pub name: Option<Ident>,
    /// From the name outwards: `int *a[3]` is `[Array(3), Pointer]`
    /// ("a is an array of 3 pointers to int").
    pub derived: Vec<Derived>,
    /// Attributes after the declarator, and `asm("name")` labels as attribute `asm`.
    pub attributes: Vec<Attribute>,
    /// Where it stands.
    pub range: Range,
}

impl Declarator {
    /// Is there a `restrict`?
    pub fn is_restrict(&self) -> bool {
        self.derived.iter().any(|step| match step {
            Derived::Pointer(qualifiers) => qualifiers.is_restrict,
            Derived::Array(_, is_restrict) => *is_restrict,
            Derived::Function { .. } => false,
        })
    }
}

/// One derivation step of a declarator.
#[derive(Clone, Debug, PartialEq)]
pub enum Derived {
    /// `*`, with its qualifiers.
    Pointer(Qualifiers),
    /// `[size]`, `[]`, `[static n]`, `[*]`; and is there a `restrict`?
    Array(Option<Box<Expression>>, bool),
    /// `(parameters)`.
    Function {
        /// The parameters; `(void)` gives none.
        params: Vec<Param>,
        /// `...` at the end.
        variadic: bool,
        /// `()` or an identifier list: nothing is said about the parameters.
        unprototyped: bool,
    },
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Type and storage.
    pub specifiers: Specifiers,
    /// Name and derivations (name may be absent).
    pub declarator: Declarator,
}

/// A type in a cast, `sizeof`, …
#[derive(Clone, Debug, PartialEq)]
pub struct TypeName {
    /// Specifiers and qualifiers.
    pub specifiers: Specifiers,
    /// An abstract declarator.
    pub declarator: Declarator,
}

/// `name` or `name(arguments)` inside `__attribute__((…))` or `_Alignas(…)`
/// (as attribute `aligned`). Underscores around the name are stripped.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Without leading and trailing `__`.
    pub name: String,
    /// Arguments that parse as expressions; others are dropped.
    pub args: Vec<Expression>,
    /// Where it stands.
    pub range: Range,
}

/// An initialiser.
#[derive(Clone, Debug, PartialEq)]
pub enum Initializer {
    /// `= e`
    Expr(Expression),
    /// `= { … }`
    List(Vec<InitItem>, Range),
}

/// One entry of a braced initialiser.
#[derive(Clone, Debug, PartialEq)]
pub struct InitItem {
    /// `.a[3] =`, `a:`; empty if none.
    pub designators: Vec<Designator>,
    /// The value.
    pub value: Initializer,
}

/// A designator.
#[derive(Clone, Debug, PartialEq)]
pub enum Designator {
    /// `.name`
    Field(Ident),
    /// `[index]`
    Index(Expression),
    /// `[low ... high]`
    Range(Expression, Expression),
}

/// An expression with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// What it is.
    pub kind: Box<ExprKind>,
    /// Where it stands.
    pub range: Range,
}

/// Expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A name.
    Ident(Ident),
    /// An integer constant with its suffix.
    Int {
        /// Its value.
        value: u128,
        /// `u` was given.
        unsigned: bool,
        /// How many `l`: 0, 1 or 2.
        longs: u8,
        /// Written in decimal (matters for its type).
        decimal: bool,
    },
    /// A floating constant, as written.
    Float(String),
    /// A character constant: its value and its prefix (`'\0'` for none, else `L`, `u`, `U`).
    Char(i64, char),
    /// Adjacent string literals, joined, without the final zero; the prefix as for `Char`.
    Str(Vec<u32>, char),
    /// `-e`, `!e`, …
    Unary(UnaryOp, Expression),
    /// `e++`, `--e`, …
    IncDec {
        /// `++` rather than `--`.
        increment: bool,
        /// Before rather than after.
        prefix: bool,
        /// The operand.
        operand: Expression,
    },
    /// `a + b`, …
    Binary(BinaryOp, Expression, Expression),
    /// `a = b` (`op` is `None`) or `a op= b`.
    Assign(Option<BinaryOp>, Expression, Expression),
    /// `c ? a : b`; GNU's `c ?: b` has no middle.
    Conditional(Expression, Option<Expression>, Expression),
    /// `a, b`
    Comma(Expression, Expression),
    /// `(T)e`
    Cast(TypeName, Expression),
    /// `(T){ … }`
    CompoundLiteral(TypeName, Vec<InitItem>),
    /// `f(a, b)`
    Call(Expression, Vec<Expression>),
    /// `a[i]`
    Index(Expression, Expression),
    /// `e.f` (`arrow` false) or `e->f`.
    Member {
        /// The record or the pointer to it.
        base: Expression,
        /// `->`
        arrow: bool,
        /// The field.
        field: Ident,
    },
    /// `sizeof e`
    SizeofExpr(Expression),
    /// `sizeof(T)`
    SizeofType(TypeName),
    /// `__alignof__ e`
    AlignofExpr(Expression),
    /// `_Alignof(T)`
    AlignofType(TypeName),
    /// `({ … })`
    StmtExpr(Block),
    /// `_Generic(e, T: a, default: b)`
    Generic(Expression, Vec<(Option<TypeName>, Expression)>),
    /// `__builtin_offsetof(T, path)`
    Offsetof(TypeName, Vec<Designator>),
    /// `__builtin_va_arg(list, T)`
    VaArg(Expression, TypeName),
    /// `__builtin_types_compatible_p(T, U)`
    TypesCompatible(TypeName, TypeName),
    /// `__builtin_choose_expr(c, a, b)`
    ChooseExpr(Expression, Expression, Expression),
    /// `&&label`
    LabelAddress(Ident),
    /// `__real__ e` and `__imag__ e`: parsed to be refused by name.
    ComplexPart(Expression),
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `&`
    AddressOf,
    /// `*`
    Deref,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `~`
    BitNot,
    /// `!`
    Not,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Their names are C's.
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

/// `{ … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Declarations and statements in order.
    pub items: Vec<BlockItem>,
    /// Including the braces.
    pub range: Range,
}

/// What a block contains.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockItem {
    /// A declaration.
    Declaration(Declaration),
    /// A statement.
    Stmt(Stmt),
    /// `_Static_assert`.
    StaticAssert(StaticAssert),
    /// GNU nested function: kept to be refused by name.
    NestedFunction(FunctionDef),
    /// `__label__ a, b;`
    LocalLabels(Vec<Ident>),
}

/// A statement with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it is.
    pub kind: Box<StmtKind>,
    /// Where it stands.
    pub range: Range,
}

/// Statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `e;`, or `;` alone.
    Expr(Option<Expression>),
    /// `{ … }`
    Block(Block),
    /// `if (c) a else b`
    If(Expression, Stmt, Option<Stmt>),
    /// `while (c) s`
    While(Expression, Stmt),
    /// `do s while (c);`
    DoWhile(Stmt, Expression),
    /// `for (init; c; step) s`
    For(Option<ForInit>, Option<Expression>, Option<Expression>, Stmt),
    /// `switch (e) s`
    Switch(Expression, Stmt),
    /// `case low:` or GNU's `case low ... high:`
    Case(Expression, Option<Expression>, Stmt),
    /// `default:`
    Default(Stmt),
    /// `label: s`
    Label(Ident, Stmt),
    /// `goto label;`
    Goto(Ident),
    /// `goto *e;`
    ComputedGoto(Expression),
    /// `continue;`
    Continue,
    /// `break;`
    Break,
    /// `return e;`
    Return(Option<Expression>),
    /// Inline assembly.
    Asm(Asm),
}

/// The first part of a `for`.
#[derive(Clone, Debug, PartialEq)]
pub enum ForInit {
    /// `for (int i = 0; …`
    Declaration(Declaration),
    /// `for (i = 0; …`
    Expr(Expression),
}

/// Inline assembly: its text and what it may touch.
#[derive(Clone, Debug, PartialEq)]
pub struct Asm {
    /// The template.
    pub template: String,
    /// Output operands with their constraints.
    pub outputs: Vec<(String, Expression)>,
    /// Input operands with their constraints.
    pub inputs: Vec<(String, Expression)>,
    /// Clobbered registers, `memory`, `cc`.
    pub clobbers: Vec<String>,
    /// `asm goto` labels.
    pub labels: Vec<Ident>,
    /// Where it stands.
    pub range: Range,
}
