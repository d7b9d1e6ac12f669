//! Expressions. *Pure* ones change nothing; *frozen* ones moreover read only
//! what no expression changes, so they may stand beside an effect; *constant*
//! ones are constant expressions.

use crate::generate::{Field, Function, Generator, Kind, Leaf, Piece, Ty};
use crate::tree::{Part, Role, Tree, expr};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Pure,
    Frozen,
    Constant,
}

const UNSIGNED: &[&str] = &["unsigned", "unsigned long", "unsigned long long"];
const SUFFIXES: &[&str] =
    &["", "", "", "", "u", "U", "l", "L", "ul", "LU", "ll", "LL", "ull", "LLU"];
const CHARACTERS: &[&str] = &[
    "'a'", "'Z'", "'0'", "'\\n'", "'\\0'", "'\\''", "'\\\\'", "'\"'", "'\\377'", "'\\x80'",
    "'\\x7f'", "'\\e'", "L'x'",
];
/// With the number of characters that may be read.
const STRINGS: &[(&str, u32)] = &[
    ("\"rely\"", 5),
    ("\"a\\0b\\377\"", 5),
    ("\"\\x80\" \"1\"", 3),
    ("\"\\t\\\\\\\"?\"", 5),
    ("\"\"", 1),
];

impl Generator<'_> {
    pub fn pure(&mut self, depth: u32) -> Tree {
        self.expr(depth, Mode::Pure)
    }

    pub fn expr(&mut self, depth: u32, mode: Mode) -> Tree {
        if depth == 0 || self.random.chance(12) {
            return self.atom(mode);
        }
        let depth = depth - 1;
        match self.random.below(24) {
            0..3 => self.sum(depth, mode),
            3..5 => self.comparison(depth, mode),
            5..7 => self.bitwise(depth, mode),
            7..9 => self.shift(depth, mode),
            9..11 => self.division(depth, mode),
            11..14 => {
                let (ty, value) = (self.ty(), self.expr(depth, mode));
                expr!(format!("(({})", ty.name), value, ")")
            }
            14..16 => self.unary(depth, mode),
            16 => {
                let operator = *self.random.pick(&["&&", "||"]);
                let (a, b) = (self.expr(depth, mode), self.expr(depth, mode));
                expr!("(", a, format!(" {operator} "), b, ")")
            }
            17 | 18 => {
                let (a, b, c) =
                    (self.expr(depth, mode), self.expr(depth, mode), self.expr(depth, mode));
                match mode != Mode::Constant && self.random.chance(15) {
                    true => expr!("(", a, " ?: ", b, ")"),
                    false => expr!("(", a, " ? ", b, " : ", c, ")"),
                }
            }
            19 => self.flat(mode),
            20 if mode == Mode::Pure => {
                let value = match self.random.chance(40) {
                    true => self.member_of_call(),
                    false => self.call(true, depth),
                };
                value.unwrap_or_else(|| self.atom(mode))
            }
            21 if mode == Mode::Pure => self.pointer_value(depth),
            22 if mode == Mode::Pure => {
                let (a, b) = (self.expr(depth, mode), self.expr(depth, mode));
                match self.random.chance(50) {
                    true => expr!("(", a, ", ", b, ")"),
                    false => {
                        let (ty, name) = (self.ty(), self.name("t"));
                        expr!(
                            format!("({{ {} {name} = ", ty.name),
                            a,
                            format!("; {name} ^ "),
                            b,
                            "; })"
                        )
                    }
                }
            }
            _ => self.size(mode),
        }
    }

    /// A value of an unsigned type that is at least as wide as `int`.
    fn unsigned(&mut self, value: Tree) -> Tree {
        let ty = *self.random.pick(UNSIGNED);
        expr!(format!("(({ty})"), value, ")")
    }

    fn sum(&mut self, depth: u32, mode: Mode) -> Tree {
        let operator = *self.random.pick(&["+", "-", "*"]);
        let (mut a, mut b) = (self.expr(depth, mode), self.expr(depth, mode));
        if !self.settings.signed_wraps {
            match self.random.below(3) {
                0 => (a, b) = (expr!("((unsigned)", a, ")"), expr!("((unsigned)", b, ")")),
                1 => a = expr!("((unsigned long long)", a, ")"),
                _ => b = expr!("((unsigned long long)", b, ")"),
            }
        }
        expr!("(", a, format!(" {operator} "), b, ")")
    }

    fn comparison(&mut self, depth: u32, mode: Mode) -> Tree {
        let operator = *self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let (a, b) = (self.expr(depth, mode), self.expr(depth, mode));
        expr!("(", a, format!(" {operator} "), b, ")")
    }

    fn bitwise(&mut self, depth: u32, mode: Mode) -> Tree {
        let operator = *self.random.pick(&["&", "|", "^"]);
        let (a, b) = (self.expr(depth, mode), self.expr(depth, mode));
        expr!("(", a, format!(" {operator} "), b, ")")
    }

    fn shift(&mut self, depth: u32, mode: Mode) -> Tree {
        let left = self.random.chance(50);
        let mut a = self.expr(depth, mode);
        if left && !self.settings.signed_wraps {
            a = self.unsigned(a);
        }
        let operator = if left { "<<" } else { ">>" };
        if self.random.chance(25) {
            let amount = self.random.below(64);
            return expr!("((unsigned long long)", a, format!(" {operator} {amount})"));
        }
        let b = self.expr(depth, mode);
        expr!("(", a, format!(" {operator} ("), b, " & 31))")
    }

    /// The divisor is neither 0 nor -1.
    fn division(&mut self, depth: u32, mode: Mode) -> Tree {
        let operator = *self.random.pick(&["/", "%"]);
        let (a, b) = (self.expr(depth, mode), self.divisor(depth, mode));
        expr!("(", a, format!(" {operator} "), b, ")")
    }

    pub fn divisor(&mut self, depth: u32, mode: Mode) -> Tree {
        let value = self.expr(depth, mode);
        match self.random.below(4) {
            0 => expr!("(-(int)((", value, " & 7) + 2))"),
            1 => expr!("((", value, " & 0x7fff) + 3)"),
            2 => expr!("((unsigned long long)", value, " | 1)"),
            _ => expr!("((", value, " & 63) | 1)"),
        }
    }

    fn unary(&mut self, depth: u32, mode: Mode) -> Tree {
        let operator = *self.random.pick(&["-", "~", "!", "+", "!!"]);
        let mut value = self.expr(depth, mode);
        if operator == "-" && !self.settings.signed_wraps {
            value = self.unsigned(value);
        }
        expr!(format!("({operator} "), value, ")")
    }

    /// Operators without parentheses between them.
    fn flat(&mut self, mode: Mode) -> Tree {
        const OPERATORS: &[&str] = &[
            "+", "-", "*", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||", ">> 3 ^",
            "% 7 *", "/ 5 -",
        ];
        let mut parts = vec![Part::from("(")];
        for number in 0..3 + self.random.below(3) {
            if number > 0 {
                let operators =
                    if self.settings.signed_wraps { OPERATORS } else { &OPERATORS[3..14] };
                parts.push(format!(" {} ", self.random.pick(operators)).into());
            }
            let atom = self.atom(mode);
            let sign = *self.random.pick(&["", "", "", "~", "!", "- "]);
            let cast = if self.settings.signed_wraps { "" } else { "(unsigned long long)" };
            parts.push(format!("{sign}{cast}").into());
            parts.push(atom.into());
        }
        parts.push(")".into());
        Tree::new(Role::Expr, parts)
    }

    fn size(&mut self, mode: Mode) -> Tree {
        let ty = self.ty();
        match self.random.below(6) {
            0 if !self.records.is_empty() => {
                let record = self.random.pick(&self.records).clone();
                let member = record.fields.iter().find_map(|field| match field {
                    Field::Int(name, _, None) | Field::Array(name, ..) => Some(name),
                    _ => None,
                });
                match (self.random.below(3), member) {
                    (0, Some(member)) => {
                        expr!(format!("__builtin_offsetof({}, {member})", record.name))
                    }
                    (1, _) => expr!(format!("_Alignof({})", record.name)),
                    _ => expr!(format!("sizeof({})", record.name)),
                }
            }
            1 if !self.scope.arrays.is_empty() => {
                let name = self.random.pick(&self.scope.arrays).name.clone();
                expr!(format!("(sizeof {name} / sizeof {name}[0])"))
            }
            2 if mode == Mode::Pure => {
                let value = self.expr(2, mode);
                expr!("sizeof(+", value, ")")
            }
            3 => expr!(format!("sizeof({} *)", ty.name)),
            4 => expr!(format!("_Alignof({})", ty.name)),
            _ => expr!(format!("sizeof({})", ty.name)),
        }
    }

    pub fn atom(&mut self, mode: Mode) -> Tree {
        if mode != Mode::Constant && self.random.chance(70) {
            let usable = |leaf: &&Leaf| mode == Mode::Pure || leaf.frozen;
            let leaves: Vec<&Leaf> = self.scope.leaves.iter().filter(usable).collect();
            if !leaves.is_empty() {
                let leaf = leaves[self.random.below(leaves.len())].clone();
                return self.read(&leaf, mode);
            }
        }
        if mode != Mode::Constant && self.random.chance(6) {
            let (string, len) = *self.random.pick(STRINGS);
            let index = self.index(len, mode);
            return expr!(string, "[", index, "]");
        }
        self.constant()
    }

    pub fn constant(&mut self) -> Tree {
        if self.random.chance(10) {
            return expr!(*self.random.pick(CHARACTERS));
        }
        if !self.enums.is_empty() && self.random.chance(15) {
            let (_, constants) = self.random.pick(&self.enums).clone();
            return expr!(self.random.pick(&constants));
        }
        let bits = *self.random.pick(&[1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 62, 63]);
        let value = match self.random.below(4) {
            0 => 1u64 << bits,
            1 => (1 << bits) - 1,
            _ => self.random.number() % (1 << bits),
        };
        let suffix = *self.random.pick(SUFFIXES);
        match self.random.below(8) {
            0 | 1 => expr!(format!("0x{value:x}{suffix}")),
            2 => expr!(format!("0X{value:X}{suffix}")),
            3 => expr!(format!("0{value:o}{suffix}")),
            4 => expr!(format!("0b{value:b}{suffix}")),
            _ => expr!(format!("{}{suffix}", value & (u64::MAX >> 1))),
        }
    }

    /// The value of an lvalue.
    pub fn read(&mut self, leaf: &Leaf, mode: Mode) -> Tree {
        let value = self.lvalue(leaf, mode);
        match leaf.bits {
            // The type of a wide bit-field is gcc's own affair.
            Some(bits) if bits > 32 || leaf.ty.bytes > 4 => {
                expr!(format!("(({})", leaf.ty.name), value, ")")
            }
            _ => value,
        }
    }

    /// The lvalue, with indices of some mode.
    pub fn lvalue(&mut self, leaf: &Leaf, mode: Mode) -> Tree {
        let mut parts = Vec::new();
        for piece in &leaf.pieces {
            parts.push(match piece {
                Piece::Text(text) => Part::from(text),
                Piece::Index(count) => Part::from(self.index(*count, mode)),
            });
        }
        // Not an expression for the shrinker, since a constant is no lvalue.
        Tree::new(Role::Fixed, parts)
    }

    /// An index below a bound.
    pub fn index(&mut self, count: u32, mode: Mode) -> Tree {
        if mode == Mode::Constant || self.in_index || self.random.chance(50) {
            return expr!(self.random.below(count as usize).to_string());
        }
        self.in_index = true;
        let value = self.expr(1, mode);
        self.in_index = false;
        match count.is_power_of_two() {
            true => expr!("(", value, format!(" & {})", count - 1)),
            false => expr!("((unsigned)", value, format!(" % {count})")),
        }
    }

    /// A call of a function that changes nothing, or of one that does.
    pub fn call(&mut self, pure: bool, depth: u32) -> Option<Tree> {
        let functions: Vec<&Function> =
            self.functions.iter().filter(|function| function.pure == pure).collect();
        if functions.is_empty() {
            return None;
        }
        let function = functions[self.random.below(functions.len())].clone();
        let mut parts: Vec<Part> = vec![Part::from(&function.callee)];
        if let Some(count) = function.table {
            parts.push("[".into());
            parts.push(self.index(count, Mode::Pure).into());
            parts.push("]".into());
        }
        parts.push("(".into());
        let mut first = true;
        let mut separate = |parts: &mut Vec<Part>| {
            if !std::mem::take(&mut first) {
                parts.push(", ".into());
            }
        };
        if let Some(record) = function.takes {
            separate(&mut parts);
            parts.push(self.record_value(record, depth, true)?.into());
        }
        for number in 0..function.params.len() {
            separate(&mut parts);
            let value = self.pure(depth.min(1));
            parts.push(if function.recursive && number == 0 {
                expr!("(", value, " & 3)").into()
            } else {
                value.into()
            });
        }
        if let Some(ty) = &function.pointer {
            separate(&mut parts);
            parts.push(self.address(ty)?.into());
        }
        parts.push(")".into());
        Some(Tree::new(Role::Expr, parts))
    }

    /// A member of a record that a function returns.
    fn member_of_call(&mut self) -> Option<Tree> {
        if self.makers.is_empty() {
            return None;
        }
        let (maker, record) = self.random.pick(&self.makers).clone();
        let fields = self.records[record].fields.clone();
        let fields: Vec<&Field> = fields
            .iter()
            .filter(|field| matches!(field, Field::Int(..) | Field::Array(..)))
            .collect();
        if fields.is_empty() {
            return None;
        }
        let call = expr!(maker, "(", self.pure(1), ")");
        Some(match *self.random.pick(&fields) {
            Field::Array(name, _, len) => {
                expr!(call, format!(".{name}["), self.index(*len, Mode::Pure), "]")
            }
            // The type of a wide bit-field is gcc's own affair.
            Field::Int(name, ty, Some(_)) => {
                expr!(format!("(({})", ty.name), call, format!(".{name})"))
            }
            Field::Int(name, ..) => expr!(call, format!(".{name}")),
            _ => return None,
        })
    }

    /// The address of a writable integer of a type.
    pub fn address(&mut self, ty: &Ty) -> Option<Tree> {
        let fits = |leaf: &&Leaf| {
            leaf.ty.name == ty.name
                && leaf.bits.is_none()
                && leaf.addressable
                && leaf.writable
                && !leaf.frozen
        };
        let leaves: Vec<&Leaf> = self.scope.leaves.iter().filter(fits).collect();
        if leaves.is_empty() {
            return None;
        }
        let leaf = leaves[self.random.below(leaves.len())].clone();
        let place = self.lvalue(&leaf, Mode::Pure);
        Some(match self.random.chance(15) {
            true => crate::tree::fixed!(format!("({} *)(void *)&", ty.name), place),
            false => crate::tree::fixed!("&", place),
        })
    }

    /// An integer made of pointers: comparisons and differences.
    fn pointer_value(&mut self, depth: u32) -> Tree {
        if !self.scope.arrays.is_empty() && self.random.chance(60) {
            let array = self.random.pick(&self.scope.arrays).clone();
            let (a, b) = (self.index(array.len + 1, Mode::Pure), self.index(array.len, Mode::Pure));
            let name = &array.name;
            let operator = *self.random.pick(&["-", "-", "<", "<=", ">", ">=", "==", "!="]);
            return match self.random.below(3) {
                0 => expr!(format!("(&{name}["), a, format!("] {operator} &{name}["), b, "])"),
                1 => expr!(format!("(({name} + "), a, format!(") {operator} ({name} + "), b, "))"),
                _ => expr!(format!("*({name} + "), b, ")"),
            };
        }
        if self.scope.pointers.is_empty() {
            return self.atom(Mode::Pure);
        }
        let pointer = self.random.pick(&self.scope.pointers).clone();
        let name = &pointer.name;
        match (self.random.below(4), self.address(&pointer.ty)) {
            (0, Some(address)) => expr!(format!("({name} == "), address, ")"),
            (1, Some(address)) => expr!("(", address, format!(" != {name})")),
            (2, _) => expr!(format!("(!{name})")),
            _ => {
                let other = self.pure(depth);
                expr!(format!("({name} && "), other, ")")
            }
        }
    }

    /// A record of a type.
    pub fn record_value(&mut self, record: usize, depth: u32, any: bool) -> Option<Tree> {
        use crate::tree::fixed;
        let objects: Vec<String> = self
            .scope
            .objects
            .iter()
            .filter(|object| object.record == record)
            .map(|object| object.text.clone())
            .collect();
        let makers: Vec<String> = self
            .makers
            .iter()
            .filter(|maker| maker.1 == record)
            .map(|maker| maker.0.clone())
            .collect();
        match self.random.below(5) {
            0 if any && objects.len() > 1 => {
                let condition = self.pure(depth.min(1));
                let (a, b) = (self.random.pick(&objects), self.random.pick(&objects));
                Some(fixed!("(", condition, format!(" ? {a} : {b})")))
            }
            1 | 2 if !makers.is_empty() => {
                let argument = self.pure(depth.min(1));
                Some(fixed!(self.random.pick(&makers), "(", argument, ")"))
            }
            3 if any && depth > 0 => {
                let value = self.initialiser(record, false);
                Some(fixed!(format!("({})", self.records[record].name), value))
            }
            _ if objects.is_empty() => None,
            _ => Some(fixed!(self.random.pick(&objects))),
        }
    }

    pub fn is_signed_overflow_possible(&self, leaf: &Leaf) -> bool {
        !self.settings.signed_wraps && matches!(leaf.ty.kind, Kind::Signed | Kind::Enum)
    }
}
