//! From the syntax tree to the typed program: names, types, conversions,
//! layouts and constants, as ISO C11 (6.2–6.9) and gcc's extensions say.
//!
//! One `Sema` walks all units. Each unit has its own file scope; what has
//! external linkage stays visible in the next unit, everything else is dropped.
//! The first error of a function ends its analysis; the next item goes on.
//! What C means and we do not model becomes `Unsupported` at its place.

mod atomics;
mod builtins;
mod call;
mod cleanup;
mod convert;
mod declare;
mod expr;
mod fold;
mod function;
mod init;
mod labels;
mod operators;
mod place;
mod query;
mod records;
mod scope;
mod specifiers;
mod stmt;
mod variable_array;

use crate::hir::{
    Expr, ExprKind, FuncId, Function, LabelId, Place, RecordId, TypeId, Unit, Var, VarId,
};
use crate::source::Diagnostic;
use crate::syntax::ast::{Item, Range, TranslationUnit};
use crate::types::{DataModel, Types};
use labels::{Labels, SwitchCases};
use scope::{Scope, Symbol, Tag};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// More diagnostics than these help nobody.
const MAX_DIAGNOSTICS: usize = 20;

/// Larger objects are refused, so that sizes in bits never overflow.
const MAX_SIZE: u64 = 1 << 40;

/// A tag of the models with this prefix replaces the typedef named by the rest.
const OVERRIDE_PREFIX: &str = "__rely_type_";

/// What is special about one of the units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitOptions {
    /// Our own library of models: the user's definitions replace its own.
    pub is_model: bool,
    /// Added to every range.
    pub offset: u32,
}

/// Types a program that consists of these units, in order.
pub fn analyse(
    units: &[(&TranslationUnit, UnitOptions)],
    model: DataModel,
) -> Result<Unit, Vec<Diagnostic>> {
    let mut sema = Sema::new(model);
    for (unit, options) in units {
        sema.unit(unit, *options);
    }
    sema.finish()
}

type Res<T> = Result<T, Diagnostic>;

/// The state of the analysis.
struct Sema {
    types: Types,
    vars: Vec<Var>,
    functions: Vec<Function>,
    scopes: Vec<Scope>,
    diagnostics: Vec<Diagnostic>,
    options: UnitOptions,
    /// The function whose body is being analysed.
    current: Option<Current>,
    /// Inside how many parameter lists we are.
    prototype_depth: u32,
    /// Types of the models that replace a typedef of the user's.
    overrides: HashMap<Rc<str>, TypeId>,
    /// The records behind `overrides`: their initialisers are flattened.
    opaque: HashSet<RecordId>,
    /// Unions with the attribute `transparent_union`.
    transparent: HashSet<RecordId>,
    /// Values of `const` integers initialised by constants.
    const_values: HashMap<VarId, i128>,
    /// Functions whose body is only for inlining: a second body replaces it.
    inline_only: HashSet<FuncId>,
    /// Variables and functions with internal linkage.
    static_vars: HashSet<VarId>,
    static_functions: HashSet<FuncId>,
    /// Variables with an initialiser of their own.
    initialised: HashSet<VarId>,
    /// How many variables and functions there were when this unit began.
    first_var: usize,
    first_function: usize,
    /// How many variables the models have.
    model_vars: usize,
    strings: HashMap<(Vec<u32>, char), VarId>,
    /// Arrays of variable length, by the pointer that stands for them.
    variable_arrays: HashMap<VarId, VariableArray>,
    /// The declared types of bit-fields (their storage units may have others).
    bit_types: HashMap<(RecordId, String), TypeId>,
}

/// An array of variable length: `T a[n]` is a pointer to memory of the frame.
#[derive(Clone, Copy)]
struct VariableArray {
    /// The type of the array.
    ty: TypeId,
    /// Holds its size in bytes.
    size: VarId,
}

/// What we know of the function whose body is being analysed.
struct Current {
    id: FuncId,
    name: String,
    ret: TypeId,
    labels: Labels,
    switches: Vec<SwitchCases>,
    /// How many loops are around, and how many loops and switches.
    loops: u32,
    breakable: u32,
}

impl Current {
    fn fresh_label(&mut self) -> LabelId {
        self.labels.fresh()
    }
}

/// What an expression denotes before it is used as a value.
enum Operand {
    Value(Expr),
    Place(Lvalue),
    Function(FuncId, Range),
}

/// A place, with the type its values have.
struct Lvalue {
    place: Place,
    /// For bit-fields the declared type, else the type of the place.
    declared: TypeId,
}

impl Sema {
    fn new(model: DataModel) -> Sema {
        Sema {
            types: Types::new(model),
            vars: Vec::new(),
            functions: Vec::new(),
            scopes: vec![Scope::default()],
            diagnostics: Vec::new(),
            options: UnitOptions { is_model: false, offset: 0 },
            current: None,
            prototype_depth: 0,
            overrides: HashMap::new(),
            opaque: HashSet::new(),
            transparent: HashSet::new(),
            const_values: HashMap::new(),
            inline_only: HashSet::new(),
            static_vars: HashSet::new(),
            static_functions: HashSet::new(),
            initialised: HashSet::new(),
            first_var: 0,
            first_function: 0,
            model_vars: 0,
            strings: HashMap::new(),
            variable_arrays: HashMap::new(),
            bit_types: HashMap::new(),
        }
    }

    fn unit(&mut self, unit: &TranslationUnit, options: UnitOptions) {
        self.options = options;
        self.first_var = self.vars.len();
        self.first_function = self.functions.len();
        for item in &unit.items {
            if self.diagnostics.len() >= MAX_DIAGNOSTICS {
                return;
            }
            if let Err(diagnostic) = self.item(item) {
                self.diagnostics.push(diagnostic);
                self.scopes.truncate(1);
                self.current = None;
                self.prototype_depth = 0;
            }
        }
        self.complete_tentative();
        self.end_of_unit();
    }

    fn item(&mut self, item: &Item) -> Res<()> {
        match item {
            Item::Declaration(declaration) => self.file_declaration(declaration),
            Item::Function(function) => self.function_definition(function),
            Item::StaticAssert(assertion) => self.static_assert(assertion),
            Item::Asm(_) => Ok(()),
        }
    }

    /// Only what has external linkage outlives a unit.
    fn end_of_unit(&mut self) {
        if self.options.is_model {
            self.model_vars = self.vars.len();
        }
        let scope = std::mem::take(&mut self.scopes[0]);
        for (name, tag) in &scope.tags {
            if let (Some(rest), Tag::Record(id), true) =
                (name.strip_prefix(OVERRIDE_PREFIX), tag, self.options.is_model)
            {
                let ty = self.types.intern(crate::hir::Type::Record(*id));
                self.overrides.insert(Rc::from(rest), ty);
                self.opaque.insert(*id);
            }
        }
        for (name, symbol) in scope.symbols {
            let keep = match &symbol {
                Symbol::Var(id) => !self.static_vars.contains(id),
                Symbol::Function(id) => !self.static_functions.contains(id),
                Symbol::Constant(..) | Symbol::Typedef(..) => false,
            };
            if keep {
                self.scopes[0].symbols.insert(name, symbol);
            }
        }
    }

    fn finish(self) -> Result<Unit, Vec<Diagnostic>> {
        if !self.diagnostics.is_empty() {
            return Err(self.diagnostics);
        }
        Ok(Unit { types: self.types, vars: self.vars, functions: self.functions })
    }

    /// A range of this unit as a range of the program.
    fn at(&self, range: Range) -> Range {
        Range {
            lo: range.lo.saturating_add(self.options.offset),
            hi: range.hi.saturating_add(self.options.offset),
        }
    }
}

/// A diagnostic; the range is one of the program, not of the unit.
fn error<T>(range: Range, message: impl Into<String>) -> Res<T> {
    Err(Diagnostic { message: message.into(), range })
}

fn expr(kind: ExprKind, ty: TypeId, range: Range) -> Expr {
    Expr { kind: Box::new(kind), ty, range }
}

fn constant(value: i128, ty: TypeId, range: Range) -> Expr {
    expr(ExprKind::Const(value), ty, range)
}

fn unsupported(what: &str, ty: TypeId, range: Range) -> Expr {
    expr(ExprKind::Unsupported(what.to_string()), ty, range)
}

const FLOATING: &str = "floating-point arithmetic";
const WIDE: &str = "128-bit arithmetic";
const VARIABLE_ARRAY: &str = "variable-length array";
const VARIABLE_ARGUMENTS: &str = "variable arguments";
