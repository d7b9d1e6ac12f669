//! Rust files taken apart: which lines are for tests, which are code, which functions and numeric
//! constants there are.
//!
//! What is for tests is cut out item by item: an item under `#[cfg(test)]` or `#[test]`, a module
//! file that is declared so, and everything in the folders `tests` and `benches`. What follows a
//! test module in a file is production code like what stands before it.

use crate::{read, relative, rust_files};
use proc_macro2::{Span, TokenTree};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A Rust file.
pub struct Source {
    /// Its path as seen from the root.
    pub path: String,
    /// Its lines, and which of them are for tests.
    lines: Vec<(String, bool)>,
    /// Functions outside tests.
    pub functions: Vec<Function>,
    /// Constants outside tests whose type is a number or a duration.
    pub numbers: Vec<Number>,
    /// Names of the structs, enums and traits outside tests.
    pub types: Vec<String>,
}

/// A function with a body.
pub struct Function {
    /// Its name, after that of the type it belongs to.
    pub name: String,
    /// Lines of code from `fn` to the last brace.
    pub lines: usize,
}

/// A constant that is a number.
#[derive(Clone)]
pub struct Number {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// Is it a duration, which has its unit with it?
    pub is_duration: bool,
}

impl Source {
    /// The lines outside tests with their numbers, from 1.
    pub fn production(&self) -> impl Iterator<Item = (usize, &str)> {
        let numbered = (1..).zip(&self.lines);
        numbered.filter(|(_, (_, test))| !test).map(|(number, (text, _))| (number, text.as_str()))
    }

    /// The lines outside tests that are neither empty nor comments.
    pub fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.production().filter(|(_, line)| is_code(line))
    }

    /// All of the text.
    pub fn text(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|(line, _)| line.as_str())
    }
}

/// All Rust files of the workspace.
pub fn sources() -> &'static [Source] {
    static SOURCES: OnceLock<Vec<Source>> = OnceLock::new();
    SOURCES.get_or_init(read_all)
}

fn read_all() -> Vec<Source> {
    let parsed: Vec<(PathBuf, String, Parts)> = rust_files().into_iter().map(parse).collect();
    let tests: BTreeSet<&PathBuf> = parsed.iter().flat_map(|(_, _, parts)| &parts.files).collect();
    parsed.iter().map(|(path, text, parts)| source(path, text, parts, &tests)).collect()
}

fn parse(path: PathBuf) -> (PathBuf, String, Parts) {
    let text = read(&path);
    let parts = parts(&path, &text);
    (path, text, parts)
}

/// What there is in a file, and what of it is for tests.
fn parts(path: &Path, text: &str) -> Parts {
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut parts = Parts { folder: folder_of_modules(path), ..Parts::default() };
    parts.visit_file(&file);
    parts
}

fn source(path: &Path, text: &str, parts: &Parts, tests: &BTreeSet<&PathBuf>) -> Source {
    let name = relative(path);
    let folders = ["/tests/", "/benches/"];
    let all = folders.iter().any(|folder| name.contains(folder))
        || tests.iter().any(|test| path == *test || path.starts_with(test.with_extension("")));
    let is_test = |number| all || parts.tests.iter().any(|lines| lines.contains(&number));
    let lines: Vec<(String, bool)> =
        (1..).zip(text.lines()).map(|(number, line)| (line.to_string(), is_test(number))).collect();
    let mut source =
        Source { path: name, lines, functions: vec![], numbers: vec![], types: vec![] };
    if all {
        return source;
    }
    let length = |lines: &RangeInclusive<usize>| {
        source.code().filter(|(number, _)| lines.contains(number)).count()
    };
    let functions = parts.functions.iter();
    source.functions = functions
        .map(|(name, lines)| Function { name: name.clone(), lines: length(lines) })
        .collect();
    source.numbers = parts.numbers.clone();
    source.types = parts.types.clone();
    source
}

/// Is there anything but space and a comment on the line?
fn is_code(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with("//")
}

/// The folder in which the modules lie that a file declares.
fn folder_of_modules(path: &Path) -> PathBuf {
    let is_root = ["lib.rs", "main.rs", "mod.rs"].iter().any(|name| path.ends_with(name));
    if is_root { path.parent().unwrap_or(path).to_path_buf() } else { path.with_extension("") }
}

/// Collects what a file consists of.
#[derive(Default)]
struct Parts {
    folder: PathBuf,
    /// The type whose items are visited.
    owner: Option<String>,
    /// Lines for tests.
    tests: Vec<RangeInclusive<usize>>,
    /// Files of modules for tests.
    files: Vec<PathBuf>,
    functions: Vec<(String, RangeInclusive<usize>)>,
    numbers: Vec<Number>,
    types: Vec<String>,
}

impl Parts {
    /// Notes what is for tests; otherwise goes on with the item's own parts.
    fn unless_test(
        &mut self,
        attributes: &[syn::Attribute],
        span: Span,
        go_on: impl FnOnce(&mut Parts),
    ) {
        if attributes.iter().any(for_tests) {
            self.tests.push(lines(span));
        } else {
            go_on(self);
        }
    }

    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let owner = self.owner.as_ref().map(|owner| format!("{owner}::")).unwrap_or_default();
        let whole = *lines(signature.span()).start()..=*lines(block.span()).end();
        self.functions.push((format!("{owner}{}", signature.ident), whole));
    }

    fn number(&mut self, name: &syn::Ident, ty: &syn::Type, attributes: &[syn::Attribute]) {
        if is_number(ty) {
            let doc = attributes.iter().filter_map(doc_line).collect::<Vec<_>>().join(" ");
            let is_duration = type_name(ty).is_some_and(|name| name == "Duration");
            self.numbers.push(Number { name: name.to_string(), doc, is_duration });
        }
    }

    fn owned_by(&mut self, owner: Option<String>, visit: impl FnOnce(&mut Parts)) {
        let before = std::mem::replace(&mut self.owner, owner);
        visit(self);
        self.owner = before;
    }
}

impl<'ast> Visit<'ast> for Parts {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes = attributes(item);
        if let syn::Item::Mod(module) = item
            && module.content.is_none()
            && attributes.iter().any(for_tests)
        {
            self.files.push(self.folder.join(format!("{}.rs", module.ident)));
            self.files.push(self.folder.join(module.ident.to_string()).join("mod.rs"));
        }
        self.unless_test(attributes, item.span(), |parts| visit::visit_item(parts, item));
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        let attributes: &[syn::Attribute] = match item {
            syn::ImplItem::Fn(function) => &function.attrs,
            syn::ImplItem::Const(constant) => &constant.attrs,
            _ => &[],
        };
        self.unless_test(attributes, item.span(), |parts| visit::visit_impl_item(parts, item));
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let owner = type_name(&item.self_ty);
        self.owned_by(owner, |parts| visit::visit_item_impl(parts, item));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.types.push(item.ident.to_string());
        let owner = Some(item.ident.to_string());
        self.owned_by(owner, |parts| visit::visit_item_trait(parts, item));
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.types.push(item.ident.to_string());
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.types.push(item.ident.to_string());
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block);
        }
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.number(&item.ident, &item.ty, &item.attrs);
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.number(&item.ident, &item.ty, &item.attrs);
    }
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// `#[test]`, `#[cfg(test)]` or `#[cfg(all(test, …))]`; not `any(test, …)`, which is for others, too.
fn for_tests(attribute: &syn::Attribute) -> bool {
    match &attribute.meta {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) if list.path.is_ident("cfg") => needs_test(list.tokens.clone()),
        _ => false,
    }
}

fn needs_test(condition: proc_macro2::TokenStream) -> bool {
    let tokens: Vec<TokenTree> = condition.into_iter().collect();
    match &tokens[..] {
        [TokenTree::Ident(name)] => name == "test",
        [TokenTree::Ident(all), TokenTree::Group(group)] if all == "all" => {
            let parts: Vec<TokenTree> = group.stream().into_iter().collect();
            let is_comma =
                |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ',');
            parts.split(is_comma).any(|part| needs_test(part.iter().cloned().collect()))
        }
        _ => false,
    }
}

fn is_number(ty: &syn::Type) -> bool {
    let name = type_name(ty).unwrap_or_default();
    let is_primitive = name.starts_with(['u', 'i', 'f'])
        && (name.ends_with("size") || name[1..].parse::<u32>().is_ok());
    is_primitive || name == "Duration"
}

fn type_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    }
}

fn doc_line(attribute: &syn::Attribute) -> Option<String> {
    match &attribute.meta {
        syn::Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => {
                Some(text.value().trim().to_string())
            }
            _ => None,
        },
        _ => None,
    }
}

fn lines(span: Span) -> RangeInclusive<usize> {
    span.start().line..=span.end().line
}

#[cfg(test)]
mod tests {
    use super::{parts, source};
    use std::collections::BTreeSet;
    use std::path::Path;

    const TEXT: &str = "//! Head.\n\
        use a;\n\
        #[cfg(test)]\n\
        mod tests {\n\
            fn inside() {}\n\
        }\n\
        /// Not for tests.\n\
        fn after() -> u32 {\n\
            // why\n\
            3\n\
        }\n\
        impl A {\n\
            #[cfg(all(test, unix))]\n\
            fn probe() {}\n\
            fn kept() {}\n\
        }\n\
        #[cfg(any(test, unix))]\n\
        fn shared() {}\n\
        #[cfg(test)]\n\
        mod probes;\n\
        /// So many\n\
        /// bytes.\n\
        const MAX_BYTES: u64 = 3;\n";

    #[test]
    fn what_follows_a_test_module_is_seen() {
        let path = Path::new("x/src/lib.rs");
        let parts = parts(path, TEXT);
        let source = source(path, TEXT, &parts, &BTreeSet::new());
        let functions: Vec<(&str, usize)> = source
            .functions
            .iter()
            .map(|function| (function.name.as_str(), function.lines))
            .collect();
        assert_eq!(functions, [("after", 3), ("A::kept", 1), ("shared", 1)]);
        let code: Vec<usize> = source.code().map(|(number, _)| number).collect();
        assert_eq!(code, [2, 8, 10, 11, 12, 15, 16, 17, 18, 23]);
        let numbers: Vec<(&str, &str)> = source
            .numbers
            .iter()
            .map(|number| (number.name.as_str(), number.doc.as_str()))
            .collect();
        assert_eq!(numbers, [("MAX_BYTES", "So many bytes.")]);
    }

    #[test]
    fn a_module_file_for_tests_is_cut_with_its_folder() {
        let parts = parts(Path::new("x/src/deep.rs"), TEXT);
        assert!(parts.files.contains(&"x/src/deep/probes.rs".into()));
        let tests: BTreeSet<_> = parts.files.iter().collect();
        for path in ["x/src/deep/probes.rs", "x/src/deep/probes/more.rs", "x/tests/all.rs"] {
            let text = "fn code() {}\n";
            let source = source(Path::new(path), text, &Default::default(), &tests);
            assert_eq!(source.code().count(), 0, "{path}");
        }
    }
}
