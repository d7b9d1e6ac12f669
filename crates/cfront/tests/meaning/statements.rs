//! Declarations and statements. An effect stands only where everything beside
//! it is frozen or belongs to another variable, so the order of evaluation does
//! not matter.

use crate::expressions::Mode;
use crate::generate::{Array, Field, Generator, Kind, Leaf, Object, Piece, Pointer, Record, Ty};
use crate::tree::{Part, Role, Tree, expr, fixed, stmt};

/// What holds of all members of an object.
#[derive(Clone, Copy)]
struct Form {
    direct: bool,
    writable: bool,
    addressable: bool,
}

impl Generator<'_> {
    pub fn add_scalar(&mut self, name: &str, ty: Ty, frozen: bool, addressable: bool) {
        let pieces = vec![Piece::Text(name.to_string())];
        self.add_leaf(Leaf {
            pieces,
            ty,
            bits: None,
            root: name.to_string(),
            direct: true,
            frozen,
            writable: !frozen,
            addressable,
        });
    }

    /// Adds a leaf, sometimes also its bytes.
    fn add_leaf(&mut self, leaf: Leaf) {
        let raw = !matches!(leaf.ty.kind, Kind::Bool | Kind::Enum);
        if raw && leaf.bits.is_none() && leaf.addressable && leaf.direct && self.random.chance(8) {
            let mut pieces = vec![Piece::Text("((unsigned char *)&".to_string())];
            pieces.extend(leaf.pieces.clone());
            pieces.extend([
                Piece::Text(")[".to_string()),
                Piece::Index(leaf.ty.bytes),
                Piece::Text("]".to_string()),
            ]);
            let ty = Ty { name: "unsigned char".to_string(), kind: Kind::Narrow, bytes: 1 };
            self.scope.leaves.push(Leaf {
                pieces,
                ty,
                direct: false,
                addressable: false,
                ..leaf.clone()
            });
        }
        self.scope.leaves.push(leaf);
    }

    pub fn add_pointer(&mut self, name: &str, ty: Ty) {
        let text = if self.random.chance(50) { format!("(*{name})") } else { format!("{name}[0]") };
        self.add_leaf(Leaf {
            pieces: vec![Piece::Text(text)],
            ty: ty.clone(),
            bits: None,
            root: name.to_string(),
            direct: false,
            frozen: false,
            writable: true,
            addressable: false,
        });
        self.scope.pointers.push(Pointer { name: name.to_string(), ty });
    }

    pub fn add_object(&mut self, text: &str, record: usize, direct: bool, writable: bool) {
        self.scope.objects.push(Object { text: text.to_string(), record, direct, writable });
        let Record { fields, is_packed, .. } = self.records[record].clone();
        let form = Form { direct, writable, addressable: !is_packed };
        self.add_fields(&[Piece::Text(text.to_string())], text, &fields, form);
        if direct && self.random.chance(25) {
            self.add_container(text, record, form);
        }
    }

    /// The record again, as what contains one of its members: `container_of` of the Linux kernel.
    fn add_container(&mut self, text: &str, record: usize, form: Form) {
        let Record { name, fields, .. } = self.records[record].clone();
        let members = fields.iter().filter_map(|field| match field {
            Field::Int(member, _, None) | Field::Array(member, ..) => Some(member),
            _ => None,
        });
        let members: Vec<&String> = members.collect();
        if members.is_empty() {
            return;
        }
        let member = *self.random.pick(&members);
        let container = format!(
            "(*({name} *)((char *)&{text}.{member} - __builtin_offsetof({name}, {member})))"
        );
        let form = Form { direct: false, addressable: false, ..form };
        self.add_fields(&[Piece::Text(container)], text, &fields, form);
    }

    fn add_fields(&mut self, base: &[Piece], root: &str, fields: &[Field], form: Form) {
        for field in fields {
            let with = |rest: &[Piece]| [base, rest].concat();
            let dot = |name: &str| Piece::Text(format!(".{name}"));
            let (pieces, ty, bits) = match field {
                Field::Int(name, ty, bits) => (with(&[dot(name)]), ty, *bits),
                Field::Array(name, ty, len) => {
                    let open = Piece::Text(format!(".{name}["));
                    (with(&[open, Piece::Index(*len), Piece::Text("]".to_string())]), ty, None)
                }
                Field::Record(name, record) => {
                    let inner = self.records[*record].fields.clone();
                    self.add_fields(&with(&[dot(name)]), root, &inner, form);
                    continue;
                }
                Field::Anonymous(inner) => {
                    self.add_fields(base, root, inner, form);
                    continue;
                }
                Field::Gap(..) => continue,
            };
            let leaf = Leaf {
                pieces,
                ty: ty.clone(),
                bits,
                root: root.to_string(),
                direct: form.direct,
                frozen: false,
                writable: form.writable,
                addressable: form.addressable,
            };
            self.add_leaf(leaf);
        }
    }

    /// A variable with its initial value: an integer, an array, a record or a
    /// pointer. That of a static variable is constant.
    pub fn declaration(&mut self, is_static: bool, is_global: bool) -> Tree {
        let mode = if is_static { Mode::Constant } else { Mode::Pure };
        let storage = match (is_global, is_static) {
            (true, _) => *self.random.pick(&["", "static ", "volatile "]),
            (_, true) => "static ",
            _ => *self.random.pick(&["", "", "", "register ", "volatile "]),
        };
        let addressable = storage != "register " && storage != "volatile ";
        let ty = self.ty();
        let (depth, plain) = (2, if storage == "static " { storage } else { "" });
        match self.random.below(12) {
            0..5 => {
                let (name, value) = (self.name("v"), self.expr(depth, mode));
                let shown = format!("{storage}{} {name} = ", ty.name);
                let braces = self.random.chance(8);
                self.add_scalar(&name, ty, false, addressable);
                if braces { stmt!(shown, "{ ", value, " };\n") } else { stmt!(shown, value, ";\n") }
            }
            5 => {
                let (name, value) = (self.name("c"), self.expr(depth, mode));
                let shown = format!("{plain}const {} {name} = ", ty.name);
                self.add_scalar(&name, ty, true, false);
                stmt!(shown, value, ";\n")
            }
            6 | 7 => self.array_declaration(plain, ty, mode),
            8 => self.matrix_declaration(plain, ty, mode),
            9 | 10 if !self.records.is_empty() => {
                let record = self.random.below(self.records.len());
                let (name, type_name) = (self.name("r"), self.records[record].name.clone());
                if !is_static && !self.has_union(record) && self.random.chance(20) {
                    return self.record_array(record);
                }
                if !is_static
                    && self.random.chance(25)
                    && let Some(value) = self.record_value(record, 1, true)
                {
                    self.add_object(&name, record, true, true);
                    return stmt!(format!("{type_name} {name} = "), value, ";\n");
                }
                let value = self.initialiser(record, is_static);
                self.add_object(&name, record, true, true);
                stmt!(format!("{plain}{type_name} {name} = "), value, ";\n")
            }
            _ => self.pointer_declaration(plain, is_static),
        }
    }

    fn array_declaration(&mut self, storage: &str, ty: Ty, mode: Mode) -> Tree {
        let (name, len) = (self.name("a"), 2 + self.random.below(3) as u32);
        let mut parts = vec![Part::from(format!("{storage}{} {name}[{len}] = {{ ", ty.name))];
        if self.random.chance(25) {
            parts.push(format!("[{}] = ", self.random.below(len as usize)).into());
            parts.push(self.expr(1, mode).into());
        } else {
            for _ in 0..self.random.below(len as usize + 1).max(1) {
                parts.push(self.expr(1, mode).into());
                parts.push(", ".into());
            }
        }
        parts.push(" };\n".into());
        let pieces =
            vec![Piece::Text(format!("{name}[")), Piece::Index(len), Piece::Text("]".to_string())];
        self.add_leaf(Leaf {
            pieces,
            ty: ty.clone(),
            bits: None,
            root: name.clone(),
            direct: true,
            frozen: false,
            writable: true,
            addressable: true,
        });
        self.scope.arrays.push(Array { name, ty, len, writable: true });
        Tree::new(Role::Stmt, parts)
    }

    fn matrix_declaration(&mut self, storage: &str, ty: Ty, mode: Mode) -> Tree {
        let name = self.name("m");
        let (a, b, c) = (self.expr(1, mode), self.expr(1, mode), self.expr(1, mode));
        let text = |text: &str| Piece::Text(text.to_string());
        let pieces = vec![
            text(&format!("{name}[")),
            Piece::Index(2),
            text("]["),
            Piece::Index(3),
            text("]"),
        ];
        let shown = format!("{storage}{} {name}[2][3] = {{ ", ty.name);
        self.add_leaf(Leaf {
            pieces,
            ty,
            bits: None,
            root: name,
            direct: true,
            frozen: false,
            writable: true,
            addressable: true,
        });
        match self.random.below(3) {
            0 => stmt!(shown, "{ ", a, ", ", b, " }, { ", c, " } };\n"),
            1 => stmt!(shown, a, ", ", b, ", ", c, ", 7 };\n"),
            _ => stmt!(shown, "[1] = { [2] = ", a, " }, [0][1] = ", b, " };\n"),
        }
    }

    fn record_array(&mut self, record: usize) -> Tree {
        let (name, type_name) = (self.name("ra"), self.records[record].name.clone());
        let (a, b) = (self.initialiser(record, false), self.initialiser(record, false));
        self.add_object(&format!("{name}[0]"), record, true, true);
        self.add_object(&format!("{name}[1]"), record, true, true);
        stmt!(format!("{type_name} {name}[2] = {{ "), a, ", ", b, " };\n")
    }

    /// Not modelled: a variable index into one of several unions.
    fn has_union(&self, record: usize) -> bool {
        let field = |field: &Field| match field {
            Field::Int(_, _, bits) => bits.is_some(),
            Field::Array(..) => false,
            Field::Record(_, inner) => self.has_union(*inner),
            Field::Anonymous(_) | Field::Gap(..) => true,
        };
        self.records[record].is_union || self.records[record].fields.iter().any(field)
    }

    fn pointer_declaration(&mut self, storage: &str, is_static: bool) -> Tree {
        let objects: Vec<Object> = self
            .scope
            .objects
            .iter()
            .filter(|object| object.direct && object.writable)
            .cloned()
            .collect();
        if !is_static && !objects.is_empty() && self.random.chance(50) {
            let object = self.random.pick(&objects).clone();
            let (name, type_name) = (self.name("rp"), self.records[object.record].name.clone());
            let text =
                if self.random.chance(50) { format!("(*{name})") } else { format!("{name}[0]") };
            self.add_object(&text, object.record, false, true);
            return stmt!(format!("{type_name} *{name} = &{};\n", object.text));
        }
        let targets: Vec<Ty> = self.scope.leaves.iter().map(|leaf| leaf.ty.clone()).collect();
        if !is_static && !targets.is_empty() {
            let ty = self.random.pick(&targets).clone();
            if let Some(address) = self.address(&ty) {
                let name = self.name("p");
                self.add_pointer(&name, ty.clone());
                if self.random.chance(20) {
                    let double = self.name("pp");
                    self.add_leaf(Leaf {
                        pieces: vec![Piece::Text(format!("(**{double})"))],
                        ty: ty.clone(),
                        bits: None,
                        root: double.clone(),
                        direct: false,
                        frozen: false,
                        writable: true,
                        addressable: false,
                    });
                    let second = format!(";\n{} **{double} = &{name};\n", ty.name);
                    return stmt!(format!("{} *{name} = ", ty.name), address, second);
                }
                return stmt!(format!("{} *{name} = ", ty.name), address, ";\n");
            }
        }
        let (name, value) =
            (self.name("v"), self.expr(2, if is_static { Mode::Constant } else { Mode::Pure }));
        let ty = self.basic_type();
        self.add_scalar(&name, ty.clone(), false, true);
        stmt!(format!("{storage}{} {name} = ", ty.name), value, ";\n")
    }

    /// `{ … }` for a record.
    pub fn initialiser(&mut self, record: usize, is_static: bool) -> Tree {
        let fields = self.records[record].fields.clone();
        let is_union = self.records[record].is_union;
        self.fields_initialiser(
            &fields,
            is_union,
            if is_static { Mode::Constant } else { Mode::Pure },
        )
    }

    fn fields_initialiser(&mut self, fields: &[Field], is_union: bool, mode: Mode) -> Tree {
        let mut parts = vec![Part::from("{ ")];
        let named = self.random.chance(40);
        let fields = if is_union { &fields[..1] } else { fields };
        for field in fields {
            let value = match field {
                Field::Int(..) => self.expr(1, mode),
                Field::Array(_, _, len) => {
                    let mut values = vec![Part::from("{ ")];
                    for _ in 0..*len {
                        values.push(self.expr(1, mode).into());
                        values.push(", ".into());
                    }
                    values.push("}".into());
                    Tree::new(Role::Fixed, values)
                }
                Field::Record(_, record) => self.initialiser(*record, mode == Mode::Constant),
                Field::Anonymous(inner) => self.fields_initialiser(inner, true, mode),
                Field::Gap(..) => continue,
            };
            match field {
                Field::Int(name, ..) | Field::Array(name, ..) | Field::Record(name, _) if named => {
                    // What is not named is zero; a union must be initialised as a whole.
                    if !is_union && self.random.chance(25) {
                        continue;
                    }
                    parts.push(format!(".{name} = ").into());
                }
                Field::Anonymous(_) if named => continue,
                _ => {}
            }
            parts.push(value.into());
            parts.push(", ".into());
        }
        if parts.len() == 1 {
            parts.push("0 ".into());
        }
        parts.push("}".into());
        Tree::new(Role::Fixed, parts)
    }

    pub fn statement(&mut self, depth: u32) -> Tree {
        match self.random.below(if depth == 0 { 12 } else { 22 }) {
            0..5 => {
                let effect = self.effect();
                stmt!(effect, ";\n")
            }
            5 | 6 => self.assignment_of_effect(),
            7 => self.pointer_statement(),
            8 | 9 => self.record_statement(),
            10 if self.impure => self.call_statement(),
            10 | 11 => {
                let (a, b, c) = (self.pure(1), self.effect(), self.effect());
                match self.random.below(3) {
                    0 => stmt!(a, " && (", b, ", 1);\n"),
                    1 => stmt!(a, " ? (void)(", b, ") : (void)(", c, ");\n"),
                    _ => stmt!(b, ", ", c, ";\n"),
                }
            }
            12..15 => self.conditional(depth - 1),
            15..18 if self.loops < 2 => self.loop_statement(depth - 1),
            18 | 19 => self.switch(depth - 1),
            20 => self.jump(depth - 1),
            _ => self.block(depth - 1),
        }
    }

    fn statements(&mut self, depth: u32) -> Vec<Tree> {
        (0..1 + self.random.below(2)).map(|_| self.statement(depth)).collect()
    }

    /// A leaf that may be written.
    fn target(&mut self, fits: impl Fn(&Leaf) -> bool) -> Option<Leaf> {
        let leaves: Vec<&Leaf> = self
            .scope
            .leaves
            .iter()
            .filter(|leaf| leaf.writable && !leaf.frozen && fits(leaf))
            .collect();
        (!leaves.is_empty()).then(|| leaves[self.random.below(leaves.len())].clone())
    }

    /// An expression with one effect; everything else in it is pure.
    fn effect(&mut self) -> Tree {
        let Some(leaf) = self.target(|_| true) else { return self.pure(2) };
        self.effect_on(&leaf, Mode::Pure)
    }

    fn effect_on(&mut self, leaf: &Leaf, mode: Mode) -> Tree {
        let place = self.lvalue(leaf, mode);
        let wide = leaf.bits.is_some() && leaf.ty.bytes > 4;
        let careful = !self.settings.signed_wraps;
        // Not modelled: `b++` for a bit-field `_Bool b : 1`.
        let choices = if leaf.bits.is_some() && leaf.ty.kind == Kind::Bool { 3 } else { 10 };
        match self.random.below(choices) {
            0..3 => {
                let depth = 2 + u32::from(self.random.chance(25));
                let value = self.expr(depth, mode);
                expr!(place, " = ", value)
            }
            3..5 if !self.is_signed_overflow_possible(leaf) => {
                let operator = *self.random.pick(&["++", "--"]);
                if self.random.chance(50) { expr!(place, operator) } else { expr!(operator, place) }
            }
            5 if !wide => {
                let (operator, value) = (*self.random.pick(&["/=", "%="]), self.divisor(1, mode));
                expr!(place, format!(" {operator} "), value)
            }
            6 if !wide && !(careful && (leaf.ty.kind != Kind::Unsigned || leaf.bits.is_some())) => {
                let (operator, value) = (*self.random.pick(&["<<=", ">>="]), self.expr(1, mode));
                expr!(place, format!(" {operator} ("), value, " & 31)")
            }
            _ => {
                let operator = *self.random.pick(&["+=", "-=", "*=", "&=", "|=", "^="]);
                let value = self.expr(2, mode);
                let cast = if careful { "(unsigned long long)" } else { "" };
                expr!(place, format!(" {operator} {cast}("), value, ")")
            }
        }
    }

    /// The value of an effect on a variable, in company of frozen operands only.
    fn value_of_effect(&mut self, not_in: Option<&str>) -> Option<Tree> {
        let leaf = match not_in {
            Some(root) => self.target(|leaf| leaf.direct && leaf.root != root)?,
            None => self.target(|_| true)?,
        };
        let mode = if not_in.is_some() { Mode::Frozen } else { Mode::Pure };
        let mut effect = expr!("(", self.effect_on(&leaf, mode), ")");
        if leaf.bits.is_some() && leaf.ty.bytes > 4 {
            effect = expr!(format!("(({})", leaf.ty.name), effect, ")");
        }
        for _ in 0..self.random.below(2) {
            effect = match self.random.below(4) {
                0 => expr!(format!("(({})", self.ty().name), effect, ")"),
                1 => expr!("(~", effect, ")"),
                2 => {
                    let other = self.expr(1, Mode::Frozen);
                    expr!(
                        "(",
                        other,
                        format!(" {} ", self.random.pick(&["<", ">=", "==", "^", "&"])),
                        effect,
                        ")"
                    )
                }
                _ => {
                    let other = self.expr(1, Mode::Frozen);
                    expr!(
                        "(",
                        effect,
                        format!(" {} ", self.random.pick(&["<", ">=", "!=", "|", "&"])),
                        other,
                        ")"
                    )
                }
            };
        }
        Some(effect)
    }

    /// `x = y += 3` and the like.
    fn assignment_of_effect(&mut self) -> Tree {
        let Some(leaf) = self.target(|leaf| leaf.direct) else { return stmt!(";\n") };
        let place = self.lvalue(&leaf, Mode::Frozen);
        match self.value_of_effect(Some(&leaf.root)) {
            Some(value) => stmt!(place, " = ", value, ";\n"),
            None => stmt!(";\n"),
        }
    }

    fn condition(&mut self) -> Tree {
        if self.random.chance(30)
            && let Some(value) = self.value_of_effect(None)
        {
            return value;
        }
        self.pure(2)
    }

    fn call_statement(&mut self) -> Tree {
        let Some(call) = self.call(false, 1) else { return stmt!(";\n") };
        match self.target(|leaf| leaf.direct) {
            Some(leaf) if self.random.chance(70) => {
                let place = self.lvalue(&leaf, Mode::Frozen);
                stmt!(place, " = ", call, ";\n")
            }
            _ => stmt!(call, ";\n"),
        }
    }

    fn pointer_statement(&mut self) -> Tree {
        if self.random.chance(40) && !self.scope.arrays.is_empty() {
            return self.walk();
        }
        if self.scope.pointers.is_empty() {
            return stmt!(self.effect(), ";\n");
        }
        let pointer = self.random.pick(&self.scope.pointers).clone();
        match self.address(&pointer.ty) {
            Some(address) => stmt!(format!("{} = ", pointer.name), address, ";\n"),
            None => stmt!(";\n"),
        }
    }

    /// A pointer that walks over an array.
    fn walk(&mut self) -> Tree {
        let array = self.random.pick(&self.scope.arrays).clone();
        let Some(target) = self.target(|leaf| leaf.direct && leaf.root != array.name) else {
            return stmt!(";\n");
        };
        let place = self.lvalue(&target, Mode::Constant);
        let (q, name, ty, len) = (self.name("q"), &array.name, &array.ty.name, array.len);
        match self.random.below(3) {
            0 => stmt!(
                format!("for ({ty} *{q} = {name}; {q} < {name} + {len}; {q}++)\n"),
                stmt!(place, format!(" ^= *{q};\n"))
            ),
            1 => stmt!(
                format!("for ({ty} *{q} = {name} + {len}; {q}-- != {name}; )\n"),
                stmt!(place, format!(" ^= {q}[0] | ({q} - {name});\n"))
            ),
            _ => stmt!(
                format!("{{ {ty} *{q} = {name}; "),
                stmt!(place.clone(), format!(" = *{q}++; ")),
                stmt!(format!("{q} += 1; ")),
                stmt!(place, format!(" ^= *--{q}; }}\n"))
            ),
        }
    }

    fn record_statement(&mut self) -> Tree {
        let objects: Vec<Object> =
            self.scope.objects.iter().filter(|object| object.writable).cloned().collect();
        if objects.is_empty() {
            return match self
                .scope
                .arrays
                .iter()
                .filter(|array| array.writable)
                .cloned()
                .collect::<Vec<_>>()
            {
                arrays if arrays.is_empty() => stmt!(self.effect(), ";\n"),
                arrays => self.array_memory(&arrays),
            };
        }
        let object = self.random.pick(&objects).clone();
        let (text, record) = (&object.text, object.record);
        let type_name = self.records[record].name.clone();
        match self.random.below(5) {
            // Not modelled: one of several elements through a pointer.
            0 if object.direct => stmt!(format!("memset(&{text}, 0, sizeof({type_name}));\n")),
            1 => {
                let sources: Vec<&Object> =
                    objects.iter().filter(|other| other.record == record && other.direct).collect();
                match sources.iter().find(|other| other.text != *text && object.direct) {
                    Some(other) => {
                        stmt!(format!("memcpy(&{text}, &{}, sizeof {text});\n", other.text))
                    }
                    None => stmt!(";\n"),
                }
            }
            _ => match self.record_value(record, 1, true) {
                Some(value) => stmt!(format!("{text} = "), value, ";\n"),
                None => stmt!(";\n"),
            },
        }
    }

    fn array_memory(&mut self, arrays: &[Array]) -> Tree {
        let array = self.random.pick(arrays).clone();
        let is_raw = !matches!(array.ty.kind, Kind::Bool | Kind::Enum);
        let byte = if is_raw { *self.random.pick(&["0", "255", "0x5a", "-2", "'a'"]) } else { "0" };
        stmt!(format!("memset({}, {byte}, sizeof {});\n", array.name, array.name))
    }

    fn conditional(&mut self, depth: u32) -> Tree {
        let condition = self.condition();
        let then = self.statements(depth);
        match self.random.chance(50) {
            true => stmt!("if (", condition, ") {\n", then, "}\n"),
            false => {
                let otherwise = self.statements(depth);
                stmt!("if (", condition, ") {\n", then, "} else {\n", otherwise, "}\n")
            }
        }
    }

    fn loop_statement(&mut self, depth: u32) -> Tree {
        let (counter, ty) = (self.name("i"), self.basic_type());
        let kind = if ty.kind == Kind::Bool { "int".to_string() } else { ty.name.clone() };
        let count = 1 + self.random.below(4);
        let outer = self.scope.clone();
        self.loops += 1;
        self.add_scalar(&counter, Ty { name: kind.clone(), ..ty }, true, false);
        let mut body = self.statements(depth);
        if self.random.chance(35) {
            let condition = self.condition();
            let leave = *self.random.pick(&["break", "continue"]);
            let at = self.random.below(body.len() + 1);
            body.insert(at, stmt!("if (", condition, format!(") {leave};\n")));
        }
        self.scope = outer;
        self.loops -= 1;
        let i = &counter;
        match self.random.below(5) {
            0 => stmt!(format!("for ({kind} {i} = 0; {i} < {count}; {i}++) {{\n"), body, "}\n"),
            1 => stmt!(format!("for ({kind} {i} = {count}; {i} > 0; {i} -= 1) {{\n"), body, "}\n"),
            2 => stmt!(format!("{{ {kind} {i} = {count};\nwhile ({i}-- > 0) {{\n"), body, "} }\n"),
            3 => stmt!(
                format!("{{ {kind} {i} = 0;\ndo {{\n"),
                body,
                format!("}} while (++{i} < {count}); }}\n")
            ),
            _ => {
                stmt!(
                    format!("{{ {kind} {i} = 0;\nfor (;;) {{\nif ({i}++ >= {count}) break;\n"),
                    body,
                    "} }\n"
                )
            }
        }
    }

    fn switch(&mut self, depth: u32) -> Tree {
        let value = match self.random.chance(60) {
            true => expr!("(", self.condition(), " & 3)"),
            false => self.condition(),
        };
        let mut cases = Vec::new();
        let first = self.random.below(3) as i64 - 1;
        let mut default = self.random.below(6);
        for number in first..first + 4 {
            if default == 0 {
                cases.push(fixed!("default:\n"));
            }
            default = default.wrapping_sub(1);
            let label = match self.random.below(6) {
                0 => format!("case (signed char){number}:\n"),
                1 => format!("case {number} + 0LL:\n"),
                _ => format!("case {number}:\n"),
            };
            let body = self.statements(depth);
            let leave = if self.random.chance(60) { stmt!("break;\n") } else { stmt!("") };
            cases.push(stmt!(label, stmt!(";\n"), body, leave));
        }
        stmt!("switch (", value, ") {\n", cases, "}\n")
    }

    /// A jump forward.
    fn jump(&mut self, depth: u32) -> Tree {
        let label = self.name("L");
        let (condition, body) = (self.condition(), self.statements(depth));
        stmt!("if (", condition, format!(") goto {label};\n"), body, format!("{label}: ;\n"))
    }

    /// A block with variables of its own, one of which may hide another.
    fn block(&mut self, depth: u32) -> Tree {
        let outer = self.scope.clone();
        let (ty, value) = (self.ty(), self.pure(2));
        let plain: Vec<String> = self
            .scope
            .leaves
            .iter()
            .filter(|leaf| leaf.direct && leaf.pieces.len() == 1)
            .map(|leaf| leaf.root.clone())
            .filter(|root| !root.contains('['))
            .collect();
        let hides = !plain.is_empty() && self.random.chance(40);
        let name = if hides { self.random.pick(&plain).clone() } else { self.name("b") };
        let mut declared = stmt!(format!("{} {name} = ", ty.name), value, ";\n");
        if hides {
            // Its own initialiser must not read it.
            let constant = self.constant();
            declared = stmt!(format!("{} {name} = ", ty.name), constant, ";\n");
            self.scope.leaves.retain(|leaf| leaf.root != name);
        }
        self.add_scalar(&name, ty, false, false);
        let body = self.statements(depth);
        self.scope = outer;
        stmt!("{\n", declared, body, "}\n")
    }
}
