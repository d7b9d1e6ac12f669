//! Random single-threaded C programs that have exactly one meaning: nothing is
//! undefined, and nothing depends on the order in which operands are evaluated.
//!
//! A program is a function `unsigned long long f_K(void)` with the types, globals
//! and functions it uses, all of whose names end in `_K`; it returns a digest of
//! all its variables. This file makes types, globals and functions;
//! `expressions.rs` and `statements.rs` what stands in them.

use crate::tree::{Tree, expr, fixed, stmt};
use ccfa::random::Rng;
use cfront::DataModel;

/// How programs are made.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub model: DataModel,
    /// Signed arithmetic may overflow (and wraps); otherwise all arithmetic that
    /// might overflow is done in unsigned types.
    pub signed_wraps: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Bool,
    /// Narrower than `int`.
    Narrow,
    Signed,
    Unsigned,
    Enum,
}

/// An integer type.
#[derive(Clone)]
pub struct Ty {
    pub name: String,
    pub kind: Kind,
    pub bytes: u32,
}

/// A part of an lvalue: text, or an index below a bound.
#[derive(Clone)]
pub enum Piece {
    Text(String),
    Index(u32),
}

/// An lvalue of integer type.
#[derive(Clone)]
pub struct Leaf {
    pub pieces: Vec<Piece>,
    pub ty: Ty,
    /// The width of a bit-field.
    pub bits: Option<u32>,
    /// The variable in which it lies.
    pub root: String,
    /// It lies in `root` for sure: no pointer is involved.
    pub direct: bool,
    /// No expression changes it.
    pub frozen: bool,
    pub writable: bool,
    /// A pointer that outlives the block may point to it.
    pub addressable: bool,
}

/// A pointer to an integer, always to a live one.
#[derive(Clone)]
pub struct Pointer {
    pub name: String,
    pub ty: Ty,
}

#[derive(Clone)]
pub enum Field {
    Int(String, Ty, Option<u32>),
    Array(String, Ty, u32),
    Record(String, usize),
    /// An anonymous union.
    Anonymous(Vec<Field>),
    /// A bit-field without a name; one without bits ends a storage unit.
    Gap(Ty, u32),
}

/// A struct or union type.
#[derive(Clone)]
pub struct Record {
    pub name: String,
    pub fields: Vec<Field>,
    pub is_union: bool,
    /// Members may lie at any address: no pointers to them are made.
    pub is_packed: bool,
}

/// An lvalue of record type.
#[derive(Clone)]
pub struct Object {
    pub text: String,
    pub record: usize,
    pub direct: bool,
    pub writable: bool,
}

/// An array of integers.
#[derive(Clone)]
pub struct Array {
    pub name: String,
    pub ty: Ty,
    pub len: u32,
    pub writable: bool,
}

/// A function, or what a function pointer points to.
#[derive(Clone)]
pub struct Function {
    pub callee: String,
    /// The callee is followed by an index below this.
    pub table: Option<u32>,
    pub params: Vec<Ty>,
    /// It changes nothing that its caller sees.
    pub pure: bool,
    /// The first argument is how deep it recurs.
    pub recursive: bool,
    /// The last argument points to an integer of this type.
    pub pointer: Option<Ty>,
    /// It takes a record first.
    pub takes: Option<usize>,
}

/// What is visible at a place.
#[derive(Clone, Default)]
pub struct Scope {
    pub leaves: Vec<Leaf>,
    pub pointers: Vec<Pointer>,
    pub objects: Vec<Object>,
    pub arrays: Vec<Array>,
}

pub struct Generator<'r> {
    pub random: &'r mut Rng,
    pub settings: Settings,
    pub tag: String,
    pub scope: Scope,
    pub records: Vec<Record>,
    pub functions: Vec<Function>,
    /// Functions that make a record of an integer.
    pub makers: Vec<(String, usize)>,
    pub enums: Vec<(Ty, Vec<String>)>,
    pub loops: u32,
    /// An index is being written; those in it are constant.
    pub in_index: bool,
    pub names: u32,
    /// The function being written may change what others see.
    pub impure: bool,
}

/// Name, kind, bytes with 64 bits, bytes with 32 bits.
const TYPES: &[(&str, Kind, u32, u32)] = &[
    ("_Bool", Kind::Bool, 1, 1),
    ("char", Kind::Narrow, 1, 1),
    ("signed char", Kind::Narrow, 1, 1),
    ("unsigned char", Kind::Narrow, 1, 1),
    ("short", Kind::Narrow, 2, 2),
    ("short unsigned", Kind::Narrow, 2, 2),
    ("int", Kind::Signed, 4, 4),
    ("signed", Kind::Signed, 4, 4),
    ("unsigned", Kind::Unsigned, 4, 4),
    ("unsigned int", Kind::Unsigned, 4, 4),
    ("long", Kind::Signed, 8, 4),
    ("long unsigned int", Kind::Unsigned, 8, 4),
    ("long long", Kind::Signed, 8, 8),
    ("unsigned long long", Kind::Unsigned, 8, 8),
];

/// The program with a number.
pub fn program(random: &mut Rng, settings: Settings, number: usize) -> Tree {
    let mut generator = Generator {
        random,
        settings,
        tag: format!("_{number}"),
        scope: Scope::default(),
        records: vec![],
        functions: vec![],
        makers: vec![],
        enums: vec![],
        loops: 0,
        in_index: false,
        names: 0,
        impure: false,
    };
    let mut parts = Vec::new();
    generator.types(&mut parts);
    generator.globals(&mut parts);
    for _ in 0..generator.random.below(3) {
        generator.pure_function(&mut parts);
    }
    if generator.random.chance(40) {
        generator.record_functions(&mut parts);
    }
    for _ in 0..generator.random.below(2) {
        generator.impure_function(&mut parts);
    }
    if generator.random.chance(30) {
        generator.recursive_function(&mut parts);
    }
    if generator.random.chance(25) {
        generator.function_table(&mut parts);
    }
    generator.entry(&mut parts);
    fixed!(parts)
}

impl Generator<'_> {
    pub fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}{}", self.names, self.tag)
    }

    /// A type, without those of this program.
    pub fn basic_type(&mut self) -> Ty {
        let (name, kind, wide, small) = *self.random.pick(TYPES);
        let bytes = if self.settings.model == DataModel::Lp64 { wide } else { small };
        Ty { name: name.to_string(), kind, bytes }
    }

    pub fn ty(&mut self) -> Ty {
        match self.enums.is_empty() || !self.random.chance(6) {
            true => self.basic_type(),
            false => self.random.pick(&self.enums).0.clone(),
        }
    }

    /// A type of which every bit pattern is a value.
    fn raw_type(&mut self) -> Ty {
        loop {
            let ty = self.basic_type();
            if ty.kind != Kind::Bool {
                return ty;
            }
        }
    }

    fn types(&mut self, parts: &mut Vec<Tree>) {
        if self.random.chance(30) {
            let name = self.name("enum E");
            let constants: Vec<String> = (0..3).map(|_| self.name("C")).collect();
            let start = self.random.below(9) as i64 - 4;
            let end = self.random.pick(&["", " = 7", " = 'a'", " = 1 << 4"]).to_string();
            let text = format!(
                "{name} {{ {} = {start}, {}, {}{end} }};\n",
                constants[0], constants[1], constants[2]
            );
            parts.push(stmt!(text));
            self.enums.push((Ty { name, kind: Kind::Enum, bytes: 4 }, constants));
        }
        for _ in 0..self.random.below(4) {
            let is_union = self.random.chance(30);
            let name = self.name(if is_union { "union U" } else { "struct S" });
            let fields = if is_union { self.union_fields() } else { self.struct_fields() };
            let inner = |field: &Field| matches!(field, Field::Record(_, inner) if self.records[*inner].is_packed);
            let has_packed = fields.iter().any(inner);
            let text = format!("{name} {{\n{}}}", fields_text(&self.records, &fields));
            let (text, is_packed) = self.layout(text, is_union);
            parts.push(stmt!(text));
            self.records.push(Record {
                name,
                fields,
                is_union,
                is_packed: is_packed || has_packed,
            });
        }
    }

    /// The definition of a record, with attributes or pragmas that change how it lies in memory. Is it packed?
    fn layout(&mut self, text: String, is_union: bool) -> (String, bool) {
        let number = *self.random.pick(&[1, 2, 4, 8]);
        match self.random.below(12) {
            0 => (format!("{text} __attribute__((packed));\n"), true),
            1 if !is_union => {
                (format!("{text} __attribute__((packed, aligned({number})));\n"), true)
            }
            2 => (format!("{text} __attribute__((aligned({number})));\n"), false),
            3 => (format!("{text} __attribute__((aligned(16)));\n"), false),
            4 | 5 => (format!("#pragma pack(push, {number})\n{text};\n#pragma pack(pop)\n"), true),
            _ => (format!("{text};\n"), false),
        }
    }

    fn struct_fields(&mut self) -> Vec<Field> {
        let mut fields = Vec::new();
        for _ in 0..1 + self.random.below(4) {
            if self.random.chance(8) {
                let (ty, bits) = (self.raw_type(), self.random.below(8) as u32);
                fields.push(Field::Gap(ty, bits));
            }
            let name = self.name("m");
            let ty = self.ty();
            let choice = self.random.below(10);
            fields.push(match choice {
                0..4 => Field::Int(name, ty, None),
                4..7 => self.bit_field(name),
                7 => Field::Array(name, ty, 2 + self.random.below(3) as u32),
                8 if !self.records.is_empty() => {
                    Field::Record(name, self.random.below(self.records.len()))
                }
                _ => Field::Anonymous(self.union_fields()),
            });
        }
        fields
    }

    fn bit_field(&mut self, name: String) -> Field {
        let ty = self.ty();
        let most = if ty.kind == Kind::Bool { 1 } else { ty.bytes * 8 };
        let width = 1 + self.random.below(most as usize) as u32;
        Field::Int(name, ty, Some(width))
    }

    /// The first member covers all others.
    fn union_fields(&mut self) -> Vec<Field> {
        let name = self.name("m");
        let ty = |name: &str, bytes| Ty { name: name.to_string(), kind: Kind::Unsigned, bytes };
        let first = match self.random.below(3) {
            0 => Field::Int(name, ty("unsigned long long", 8), None),
            1 => Field::Int(name, Ty { kind: Kind::Signed, ..ty("long long", 8) }, None),
            _ => Field::Array(name, Ty { kind: Kind::Narrow, ..ty("unsigned char", 1) }, 8),
        };
        let mut fields = vec![first];
        for _ in 0..1 + self.random.below(2) {
            let name = self.name("m");
            let ty = self.raw_type();
            let most = 8 / ty.bytes as usize;
            fields.push(match self.random.chance(40) && most > 1 {
                true => Field::Array(name, ty, 1 + self.random.below(most) as u32),
                false => Field::Int(name, ty, None),
            });
        }
        fields
    }

    fn globals(&mut self, parts: &mut Vec<Tree>) {
        let count = self.random.below(4);
        for _ in 0..count {
            let declared = self.declaration(true, true);
            parts.push(declared);
        }
    }

    /// A function of its parameters and the globals.
    fn pure_function(&mut self, parts: &mut Vec<Tree>) {
        let result = self.ty();
        let name = self.name("pure");
        let params: Vec<Ty> = (0..self.random.below(4)).map(|_| self.ty()).collect();
        let function = self.function(&name, &result, &params, &[], "");
        parts.push(function);
        self.functions.push(Function { params, ..plain(&name, true) });
    }

    /// A function that changes globals, statics and what a pointer points to.
    fn impure_function(&mut self, parts: &mut Vec<Tree>) {
        let result = self.ty();
        let name = self.name("impure");
        let params: Vec<Ty> = (0..self.random.below(3)).map(|_| self.ty()).collect();
        let pointer = self.random.chance(50).then(|| self.ty());
        self.impure = true;
        let function = self.function(&name, &result, &params, pointer.as_slice(), "");
        self.impure = false;
        parts.push(function);
        self.functions.push(Function { params, pointer, ..plain(&name, false) });
    }

    fn recursive_function(&mut self, parts: &mut Vec<Tree>) {
        let result = self.ty();
        let name = self.name("recursive");
        let count = Ty { name: "unsigned char".to_string(), kind: Kind::Narrow, bytes: 1 };
        let other = self.ty();
        let outer = self.scope.clone();
        let (n, x) = (self.name("n"), self.name("x"));
        self.add_scalar(&n, count.clone(), false, false);
        self.add_scalar(&x, other.clone(), false, false);
        for leaf in &mut self.scope.leaves {
            leaf.frozen = true;
            leaf.writable = false;
        }
        let (stop, next, add) = (self.pure(2), self.pure(2), self.pure(1));
        self.scope = outer;
        let operator = *self.random.pick(&["^", "|", "&", "<", "=="]);
        parts.push(stmt!(
            format!(
                "static {} {name}({} {n}, {} {x})\n{{\nif (!{n}) return ",
                result.name, count.name, other.name
            ),
            stop,
            ";\nreturn ",
            expr!("(", add, format!(" {operator} {name}({n} - 1, "), next, "))"),
            ";\n}\n"
        ));
        self.functions.push(Function {
            params: vec![count, other],
            recursive: true,
            ..plain(&name, true)
        });
    }

    /// Functions that make, change and read records.
    fn record_functions(&mut self, parts: &mut Vec<Tree>) {
        if self.records.is_empty() {
            return;
        }
        let record = self.random.below(self.records.len());
        let (type_name, outer) = (self.records[record].name.clone(), self.scope.clone());
        let (name, argument, made) = (self.name("make"), self.name("a"), self.name("r"));
        let ty = self.ty();
        self.freeze();
        self.add_scalar(&argument, ty.clone(), false, true);
        let value = self.initialiser(record, false);
        self.add_object(&made, record, true, true);
        let change = self.statement(1);
        parts.push(stmt!(
            format!("static {type_name} {name}({} {argument})\n{{\n{type_name} {made} = ", ty.name),
            value,
            ";\n",
            change,
            format!("return {made};\n}}\n")
        ));
        self.makers.push((name, record));
        self.scope = outer.clone();
        let (name, taken) = (self.name("take"), self.name("r"));
        self.freeze();
        self.add_object(&taken, record, true, true);
        let (change, value) = (self.statement(1), self.pure(2));
        let result = self.ty();
        parts.push(stmt!(
            format!("static {} {name}({type_name} {taken})\n{{\n", result.name),
            change,
            "return ",
            value,
            ";\n}\n"
        ));
        self.functions.push(Function { takes: Some(record), ..plain(&name, true) });
        self.scope = outer;
    }

    /// Two functions with the same type, called through a table or a pointer.
    fn function_table(&mut self, parts: &mut Vec<Tree>) {
        let result = self.ty();
        let params: Vec<Ty> = (0..1 + self.random.below(2)).map(|_| self.ty()).collect();
        let names = [self.name("entry"), self.name("entry")];
        for name in &names {
            let function = self.function(name, &result, &params, &[], "");
            parts.push(function);
        }
        let table = self.name("table");
        let types: Vec<&str> = params.iter().map(|ty| ty.name.as_str()).collect();
        let text = format!(
            "static {} (*{table}[2])({}) = {{ {}, &{} }};\n",
            result.name,
            types.join(", "),
            names[0],
            names[1]
        );
        parts.push(stmt!(text));
        self.functions.push(Function { params, table: Some(2), ..plain(&table, true) });
    }

    fn function(
        &mut self,
        name: &str,
        result: &Ty,
        params: &[Ty],
        pointers: &[Ty],
        attributes: &str,
    ) -> Tree {
        let outer = self.scope.clone();
        if !self.impure {
            self.freeze();
        }
        let mut list = Vec::new();
        for ty in params {
            let param = self.name("a");
            list.push(format!("{} {param}", ty.name));
            self.add_scalar(&param, ty.clone(), false, true);
        }
        for ty in pointers {
            let param = self.name("p");
            list.push(format!("{} *{param}", ty.name));
            self.add_pointer(&param, ty.clone());
        }
        let list = if list.is_empty() { "void".to_string() } else { list.join(", ") };
        let mut body = Vec::new();
        for _ in 0..self.random.below(3) {
            let is_static = self.impure && self.random.chance(50);
            let declared = self.declaration(is_static, false);
            body.push(declared);
        }
        for _ in 0..self.random.below(3) {
            let statement = self.statement(1);
            body.push(statement);
        }
        let value = self.pure(2);
        self.scope = outer;
        stmt!(
            format!("static {attributes}{} {name}({list})\n{{\n", result.name),
            body,
            "return ",
            value,
            ";\n}\n"
        )
    }

    /// Nothing that is visible now may be changed or pointed to.
    fn freeze(&mut self) {
        for leaf in &mut self.scope.leaves {
            leaf.writable = false;
            leaf.addressable = false;
        }
        self.scope.objects.iter_mut().for_each(|object| object.writable = false);
        self.scope.arrays.iter_mut().for_each(|array| array.writable = false);
        self.scope.pointers.clear();
    }

    /// The function that is the program.
    fn entry(&mut self, parts: &mut Vec<Tree>) {
        self.impure = true;
        let mut body = Vec::new();
        // Many small programs find more than few large ones.
        let large = u32::from(self.random.chance(8));
        for _ in 0..2 + self.random.below(4) {
            let declared = self.declaration(false, false);
            body.push(declared);
        }
        for _ in 0..2 + self.random.below(3 + 4 * large as usize) {
            let statement = self.statement(2 + large);
            body.push(statement);
        }
        let digest = self.digest();
        parts.push(fixed!(
            format!("unsigned long long f{}(void)\n{{\nunsigned long long digest = 14695981039346656037ULL;\n", self.tag),
            body, digest, "return digest;\n}\n"
        ));
    }

    /// Mixes all variables into the digest.
    fn digest(&mut self) -> Vec<Tree> {
        let mut texts = Vec::new();
        for leaf in self.scope.leaves.iter().filter(|leaf| leaf.direct) {
            let mut variants = vec![String::new()];
            for piece in &leaf.pieces {
                variants = match piece {
                    Piece::Text(text) => {
                        variants.iter().map(|start| format!("{start}{text}")).collect()
                    }
                    Piece::Index(count) => {
                        let all = variants
                            .iter()
                            .flat_map(|start| (0..*count).map(move |i| format!("{start}{i}")));
                        all.collect()
                    }
                };
            }
            texts.extend(variants);
        }
        let line = |text: &String| {
            stmt!(
                "digest = (digest ^ ",
                expr!(format!("(unsigned long long){text}")),
                ") * 1099511628211ULL;\n"
            )
        };
        texts.iter().map(line).collect()
    }
}

fn plain(callee: &str, pure: bool) -> Function {
    let callee = callee.to_string();
    Function {
        callee,
        table: None,
        params: vec![],
        pure,
        recursive: false,
        pointer: None,
        takes: None,
    }
}

fn fields_text(records: &[Record], fields: &[Field]) -> String {
    let text = |field: &Field| match field {
        Field::Int(name, ty, None) => format!("{} {name};\n", ty.name),
        Field::Int(name, ty, Some(bits)) => format!("{} {name} : {bits};\n", ty.name),
        Field::Array(name, ty, len) => format!("{} {name}[{len}];\n", ty.name),
        Field::Record(name, record) => format!("{} {name};\n", records[*record].name),
        Field::Anonymous(fields) => {
            format!("union {{ {} }};\n", fields_text(records, fields).replace('\n', " "))
        }
        Field::Gap(ty, bits) => format!("{} : {bits};\n", ty.name),
    };
    fields.iter().map(text).collect()
}
