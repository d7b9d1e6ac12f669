//! Each function that we model has a SAFE and an UNSAFE program in
//! `tests/regression` that names it: one that is right only because the function
//! does not do more than the standard allows, and one that is wrong because it
//! does no less.
//!
//! A program that only names a function proves little; that the answer depends
//! on it is for the reader of the program to see. This test sees to it that no
//! function is forgotten.

use cfront::syntax::ast::{BlockItem, ExprKind, FunctionDef, Item, StmtKind, Storage};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Functions of the library that programs use under another name: a macro's.
const MACROS: [(&str, &str); 3] = [
    ("__errno_location", "errno"),
    ("__sigsetjmp_cancel", "pthread_cleanup_push"),
    ("__pthread_unregister_cancel", "pthread_cleanup_pop"),
];

/// Functions that no program can name, and why.
const EXCEPTED: [(&str, &str); 2] = [
    ("vprintf", "its va_list comes from va_start, which is not modelled"),
    ("vfprintf", "its va_list comes from va_start, which is not modelled"),
];

/// What the lowering does itself, without a body in the library.
const BUILT_IN: &str = "
    __VERIFIER_assume __VERIFIER_atomic_begin __VERIFIER_atomic_end
    malloc calloc valloc kmalloc kzalloc __kmalloc realloc reallocarray alloca __builtin_alloca
    free kfree cfree memset memcpy memmove bzero
    __atomic_load_n __atomic_load __atomic_store_n __atomic_store __atomic_exchange_n __atomic_exchange
    __atomic_compare_exchange_n __atomic_compare_exchange __atomic_test_and_set __atomic_clear
    __atomic_fetch_add __atomic_fetch_sub __atomic_fetch_and __atomic_fetch_or __atomic_fetch_xor
    __atomic_fetch_nand __atomic_add_fetch __atomic_sub_fetch __atomic_and_fetch __atomic_or_fetch
    __atomic_xor_fetch __atomic_nand_fetch
    __sync_fetch_and_add __sync_fetch_and_sub __sync_fetch_and_and __sync_fetch_and_or
    __sync_fetch_and_xor __sync_fetch_and_nand __sync_add_and_fetch __sync_sub_and_fetch
    __sync_and_and_fetch __sync_or_and_fetch __sync_xor_and_fetch __sync_nand_and_fetch
    __sync_bool_compare_and_swap __sync_val_compare_and_swap __sync_lock_test_and_set
    __sync_lock_release";

#[test]
fn every_modelled_function_has_a_safe_and_an_unsafe_program() {
    let (safe, unsafe_) = (names_in_programs("SAFE"), names_in_programs("UNSAFE"));
    let mut functions = modelled_functions();
    assert!(functions.len() > 200, "the library has many functions: {functions:?}");
    functions.extend(BUILT_IN.split_whitespace().map(str::to_string));
    let mut missing = Vec::new();
    for function in &functions {
        let macros = MACROS.iter().filter(|(name, _)| name == function).map(|(_, user)| *user);
        let names: Vec<&str> = macros.chain([function.as_str()]).collect();
        let excepted = EXCEPTED.iter().any(|(name, _)| name == function);
        for (side, programs) in [("SAFE", &safe), ("UNSAFE", &unsafe_)] {
            let named = names.iter().any(|name| programs.contains(*name));
            if named == excepted {
                missing.push(format!("{function}: {side}"));
            }
        }
    }
    assert!(missing.is_empty(), "without a program (or excepted though it has one): {missing:#?}");
}

#[test]
fn lists_name_functions_of_the_library() {
    let functions = modelled_functions();
    let listed = MACROS.iter().chain(&EXCEPTED).map(|(name, _)| *name);
    let unknown: Vec<&str> = listed.filter(|name| !functions.contains(*name)).collect();
    assert!(unknown.is_empty(), "not in the library: {unknown:?}");
}

/// The functions of the library that programs can call and that do something:
/// not those whose whole body is a named model limit.
fn modelled_functions() -> BTreeSet<String> {
    let mut files: Vec<PathBuf> = files_below(&root().join("crates/cfront/library"));
    files.sort();
    let text: String = files.iter().map(|file| read(file)).collect();
    let unit = cfront::syntax::parse(&text).expect("the library parses");
    let definitions = unit.items.iter().filter_map(|item| match item {
        Item::Function(definition) => Some(definition),
        _ => None,
    });
    definitions.filter(|f| is_public(f) && !is_gap(f)).map(name_of).collect()
}

fn name_of(function: &FunctionDef) -> String {
    function.declarator.name.as_ref().map(|name| name.name.to_string()).unwrap_or_default()
}

fn is_public(function: &FunctionDef) -> bool {
    function.specifiers.storage != Some(Storage::Static)
        && !name_of(function).starts_with("__rely_")
}

/// Is the body nothing but `__rely_unsupported("…");`?
fn is_gap(function: &FunctionDef) -> bool {
    let [BlockItem::Stmt(only)] = &function.body.items[..] else { return false };
    let StmtKind::Expr(Some(call)) = &*only.kind else { return false };
    let ExprKind::Call(callee, _) = &*call.kind else { return false };
    matches!(&*callee.kind, ExprKind::Ident(name) if &*name.name == "__rely_unsupported")
}

/// All names in the regression programs for which this answer is expected.
fn names_in_programs(answer: &str) -> BTreeSet<String> {
    let header = format!("//EXPECT: {answer}");
    let texts = files_below(&root().join("tests/regression")).into_iter().map(|file| read(&file));
    let mut names = BTreeSet::new();
    for text in texts.filter(|text| text.lines().any(|line| line.trim() == header)) {
        let code = text.lines().map(|line| line.split("//").next().unwrap_or(""));
        for line in code {
            let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            names.extend(words.map(str::to_string));
        }
    }
    names
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder exists") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else if path.extension().is_some_and(|end| end == "c") {
            files.push(path);
        }
    }
    files
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).expect("the file can be read")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
