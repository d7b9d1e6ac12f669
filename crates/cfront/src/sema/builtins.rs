//! gcc's builtin functions. Those about types and constants are folded; those
//! that are library functions under another name become these; the others
//! stay calls of a function of that name, with the right types.

use super::build::is_unsupported;
use super::constant::as_constant;
use super::objects::Objects;
use super::scope::{Scopes, Symbol};
use super::{FLOATING, Res, Sema, VARIABLE_ARGUMENTS, constant, error, expr, unsupported};
use crate::hir::{Callee, Expr, ExprKind, PlaceKind, Type, TypeId};
use crate::points_to::ALLOCATORS;
use crate::syntax::ast::{self, IntKind, Range};
use crate::types::Types;

impl Sema {
    /// A call of a builtin function, if the name is one.
    pub(super) fn builtin(
        &mut self,
        name: &str,
        args: &[ast::Expression],
        range: Range,
    ) -> Res<Option<Expr>> {
        if let Some(value) = self.atomic_builtin(name, args, range)? {
            return Ok(Some(value));
        }
        let Some(rest) = name.strip_prefix("__builtin_") else {
            return Ok(None);
        };
        if let Some(value) = self.folded_builtin(rest, args, range)? {
            return Ok(Some(value));
        }
        if rest.ends_with("_overflow") || rest.ends_with("_overflow_p") {
            return self.overflow_builtin(name, args, range).map(Some);
        }
        let (mut plain, kept) = plain_name(name, rest, args);
        if !is_library_function(&self.scopes, &self.objects, plain) {
            // A function that only has this name is another one.
            plain = name;
        }
        let id = self.library_function(plain, range);
        self.call_function(Callee::Direct(id), &kept, range, range).map(Some)
    }

    /// Builtins that are no calls at all.
    fn folded_builtin(
        &mut self,
        name: &str,
        args: &[ast::Expression],
        range: Range,
    ) -> Res<Option<Expr>> {
        let value = match name {
            "expect" | "expect_with_probability" | "assume_aligned" | "launder" => {
                let value = self.nth(args, 0, range)?;
                let long = self.types.int(IntKind::Long, true);
                match name.starts_with("expect") && self.types.is_integer(value.ty) {
                    true => self.build().cast_scalar(value, long),
                    false => value,
                }
            }
            "constant_p" => {
                let value = self.nth(args, 0, range)?;
                constant(i128::from(is_known(&self.objects, &value)), Types::INT, range)
            }
            "object_size" | "dynamic_object_size" => {
                let kind = self.nth(args, 1, range)?;
                let unknown = match as_constant(&kind) {
                    Some(kind) if kind & 2 != 0 => 0,
                    _ => -1,
                };
                let ty = self.types.size_t();
                constant(self.types.wrap(unknown, ty), ty, range)
            }
            "prefetch" | "assume" | "__clear_cache" => self.discarded(args, range)?,
            "va_start" | "va_end" | "va_copy" => {
                unsupported(VARIABLE_ARGUMENTS, Types::VOID, range)
            }
            "return_address" | "frame_address" | "extract_return_addr" => {
                let ty = self.types.pointer(Types::VOID);
                unsupported("addresses of stack frames", ty, range)
            }
            "classify_type" | "has_attribute" => {
                unsupported(&format!("`__builtin_{name}`"), Types::INT, range)
            }
            _ => match float_builtin(&mut self.types, name) {
                Some(ty) => unsupported(FLOATING, ty, range),
                None => return Ok(None),
            },
        };
        Ok(Some(value))
    }

    /// Evaluates the arguments for their effects.
    fn discarded(&mut self, args: &[ast::Expression], range: Range) -> Res<Expr> {
        let zero = constant(0, Types::INT, range);
        let mut whole = expr(ExprKind::Cast(zero), Types::VOID, range);
        for arg in args.iter().rev() {
            let value = self.value(arg)?;
            whole = expr(ExprKind::Comma(value, whole), Types::VOID, range);
        }
        Ok(whole)
    }

    fn nth(&mut self, args: &[ast::Expression], index: usize, range: Range) -> Res<Expr> {
        match args.get(index) {
            Some(arg) => self.value(arg),
            None => error(range, "this builtin function needs more arguments"),
        }
    }

    /// `__builtin_add_overflow(a, b, &r)` and its kin work on any integer type.
    fn overflow_builtin(
        &mut self,
        name: &str,
        args: &[ast::Expression],
        range: Range,
    ) -> Res<Expr> {
        let mut values = Vec::new();
        for arg in args {
            values.push(self.value(arg)?);
        }
        if values.len() != 3 {
            return error(range, format!("`{name}` takes 3 arguments"));
        }
        if let Some(bad) = values.iter().find(|v| is_unsupported(v)) {
            return self.build().convert(bad.clone(), Types::BOOL);
        }
        let id = self.library_function(name, range);
        let call = ExprKind::Call(Callee::Direct(id), values);
        Ok(expr(call, Types::BOOL, range))
    }
}

/// What gcc knows without running the program: numbers and string literals.
fn is_known(objects: &Objects, value: &Expr) -> bool {
    match &*value.kind {
        ExprKind::Const(_) => true,
        ExprKind::Unsupported(what) => what == FLOATING,
        ExprKind::AddrOf(place) => match place.kind {
            PlaceKind::Var(var) => objects.is_string(var),
            _ => false,
        },
        _ => false,
    }
}

/// The result type of a builtin on floating values.
fn float_builtin(types: &mut Types, name: &str) -> Option<TypeId> {
    const TESTS: &[&str] = &[
        "isnan",
        "isinf",
        "isinf_sign",
        "isfinite",
        "isnormal",
        "signbit",
        "signbitf",
        "signbitl",
        "isgreater",
        "isgreaterequal",
        "isless",
        "islessequal",
        "islessgreater",
        "isunordered",
        "fpclassify",
    ];
    const VALUES: &[&str] = &[
        "huge_val", "inf", "nan", "nans", "fabs", "sqrt", "floor", "ceil", "pow", "fmin", "fmax",
        "copysign", "fmod", "round", "trunc", "rint", "exp", "log", "sin", "cos", "tan",
    ];
    if TESTS.contains(&name) {
        return Some(Types::INT);
    }
    if VALUES.contains(&name) {
        return Some(types.float(8));
    }
    match name.strip_suffix(['f', 'l']) {
        Some(stem) if VALUES.contains(&stem) && name.ends_with('f') => Some(types.float(4)),
        Some(stem) if VALUES.contains(&stem) => Some(types.long_double()),
        _ => None,
    }
}

/// The type of a library function that is used without a declaration.
pub(super) fn library_type(types: &mut Types, name: &str) -> TypeId {
    let signature = LIBRARY
        .iter()
        .find(|(names, _)| names.split(' ').any(|n| n == name))
        .map_or("i(.)", |(_, signature)| signature);
    let mut codes = signature.chars().filter(|c| *c != '(' && *c != ')');
    let ret = codes.next().map_or(Types::INT, |code| coded_type(types, code));
    let mut params = Vec::new();
    let mut variadic = false;
    for code in codes {
        match code {
            '.' => variadic = true,
            _ => params.push(coded_type(types, code)),
        }
    }
    types.intern(Type::Function { ret, params, variadic })
}

fn coded_type(types: &mut Types, code: char) -> TypeId {
    match code {
        'v' => Types::VOID,
        'b' => Types::BOOL,
        'c' => types.pointer(Types::CHAR),
        'p' => types.pointer(Types::VOID),
        'z' => types.size_t(),
        'h' => types.int(IntKind::Short, false),
        'u' => Types::UINT,
        'l' => types.int(IntKind::Long, true),
        'L' => types.int(IntKind::Long, false),
        'q' => types.int(IntKind::LongLong, true),
        'Q' => types.int(IntKind::LongLong, false),
        _ => Types::INT,
    }
}

/// Types of functions that may be used without a declaration: the result,
/// then the parameters, each by the letters of `coded_type`.
const LIBRARY: &[(&str, &str)] = &[
    ("malloc valloc alloca __builtin_alloca", "p(z)"),
    ("calloc", "p(zz)"),
    ("realloc", "p(pz)"),
    ("aligned_alloc memalign", "p(zz)"),
    ("free", "v(p)"),
    ("memcpy memmove mempcpy", "p(ppz)"),
    ("memset", "p(piz)"),
    ("memchr", "p(piz)"),
    ("memcmp bcmp", "i(ppz)"),
    ("bzero", "v(pz)"),
    ("strlen", "z(c)"),
    ("strnlen", "z(cz)"),
    ("strcmp strcasecmp", "i(cc)"),
    ("strncmp strncasecmp", "i(ccz)"),
    ("strcpy strcat stpcpy strstr strpbrk", "c(cc)"),
    ("strncpy strncat stpncpy", "c(ccz)"),
    ("strchr strrchr index rindex", "c(ci)"),
    ("strdup", "c(c)"),
    ("strndup", "c(cz)"),
    ("strspn strcspn", "z(cc)"),
    ("abort __builtin_unreachable __builtin_trap", "v()"),
    ("exit _exit quick_exit", "v(i)"),
    ("printf", "i(c.)"),
    ("fprintf sprintf", "i(pc.)"),
    ("snprintf", "i(czc.)"),
    ("puts", "i(c)"),
    ("putchar", "i(i)"),
    ("abs", "i(i)"),
    ("labs", "l(l)"),
    ("llabs", "q(q)"),
    ("__builtin_bswap16", "h(h)"),
    ("__builtin_bswap32", "u(u)"),
    ("__builtin_bswap64", "Q(Q)"),
    ("__builtin_clz __builtin_ctz __builtin_popcount __builtin_parity", "i(u)"),
    ("__builtin_clzl __builtin_ctzl __builtin_popcountl __builtin_parityl", "i(L)"),
    ("__builtin_clzll __builtin_ctzll __builtin_popcountll __builtin_parityll", "i(Q)"),
    ("ffs __builtin_ffs __builtin_clrsb", "i(i)"),
    ("ffsl __builtin_ffsl __builtin_clrsbl", "i(l)"),
    ("ffsll __builtin_ffsll __builtin_clrsbll", "i(q)"),
    ("__builtin_ia32_pause", "v()"),
];

/// Builtins that keep their name because no library function does the same.
fn keeps_its_name(rest: &str) -> bool {
    const STEMS: &[&str] = &[
        "bswap",
        "clz",
        "ctz",
        "popcount",
        "parity",
        "ffs",
        "clrsb",
        "ia32",
        "unreachable",
        "trap",
        "setjmp",
        "longjmp",
        "apply",
        "cpu_",
        "thread_pointer",
        "speculation",
        "shuffle",
        "convertvector",
    ];
    STEMS.iter().any(|stem| rest.starts_with(stem))
}

/// The library function a builtin stands for, and the arguments it takes:
/// `__builtin___memcpy_chk(d, s, n, size)` is `memcpy(d, s, n)`.
fn plain_name<'a>(
    name: &'a str,
    rest: &'a str,
    args: &[ast::Expression],
) -> (&'a str, Vec<ast::Expression>) {
    let checked = rest.strip_prefix("__").and_then(|r| r.strip_suffix("_chk"));
    if let Some(plain) = checked {
        let dropped: &[usize] = match plain {
            "printf" | "vprintf" => &[0],
            "fprintf" | "vfprintf" => &[1],
            "sprintf" | "vsprintf" => &[1, 2],
            "snprintf" | "vsnprintf" => &[2, 3],
            _ => &[usize::MAX],
        };
        let last = args.len().saturating_sub(1);
        let kept = args.iter().enumerate().filter(|(index, _)| match dropped {
            [usize::MAX] => *index != last,
            _ => !dropped.contains(index),
        });
        return (plain, kept.map(|(_, arg)| arg.clone()).collect());
    }
    let plain = if keeps_its_name(rest) { name } else { rest };
    (plain, args.to_vec())
}

fn is_library_function(scopes: &Scopes, objects: &Objects, name: &str) -> bool {
    let is_model = match scopes.file().symbols.get(name) {
        Some(Symbol::Function(id)) => objects.function(*id).is_model,
        _ => false,
    };
    let is_typed = LIBRARY.iter().any(|(names, _)| names.split(' ').any(|n| n == name));
    is_model || is_typed || ALLOCATORS.contains(&name)
}
