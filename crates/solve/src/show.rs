//! Terms for people: infix as in C, with the parentheses that are needed.

use ccfa::Type;
use ccfa::text::type_name;
use logic::{ArithOp, Node, Term, Terms};

/// Of larger terms only so many parts are shown, then dots: more would not be read.
const MAX_SHOWN_PARTS: usize = 2000;

/// The term as text. Types are shown at conversions only.
pub fn show(terms: &Terms, term: Term) -> String {
    let mut shower = Shower { terms, text: String::new(), parts: 0 };
    shower.term(term, 0);
    shower.text
}

/// How tightly operators bind, as in C.
mod level {
    /// `?:`
    pub const CHOICE: u8 = 1;
    /// `||`
    pub const OR: u8 = 2;
    /// `&&`
    pub const AND: u8 = 3;
    /// `|`
    pub const BIT_OR: u8 = 4;
    /// `^`
    pub const BIT_XOR: u8 = 5;
    /// `&`
    pub const BIT_AND: u8 = 6;
    /// `==`
    pub const EQUALITY: u8 = 7;
    /// `<=`
    pub const ORDER: u8 = 8;
    /// `<<`
    pub const SHIFT: u8 = 9;
    /// `+`
    pub const SUM: u8 = 10;
    /// `*`
    pub const PRODUCT: u8 = 11;
    /// `-x`
    pub const PREFIX: u8 = 12;
    /// `x[i]`
    pub const POSTFIX: u8 = 13;
}

struct Shower<'a> {
    terms: &'a Terms,
    text: String,
    parts: usize,
}

impl Shower<'_> {
    /// Writes a term where an operator of this level stands around it.
    fn term(&mut self, term: Term, around: u8) {
        self.parts += 1;
        if self.parts > MAX_SHOWN_PARTS {
            self.text.push('…');
            return;
        }
        let own = self.level(term);
        if own < around {
            self.text.push('(');
        }
        self.node(term, own);
        if own < around {
            self.text.push(')');
        }
    }

    fn level(&self, term: Term) -> u8 {
        match self.terms.node(term) {
            Node::Const(..) | Node::ConstArray(..) | Node::Symbol(_) => level::POSTFIX,
            Node::Select(..) | Node::Store(..) => level::POSTFIX,
            Node::Not(inner) => match self.terms.node(*inner) {
                Node::Eq(..) => level::EQUALITY,
                Node::Le(..) => level::ORDER,
                _ => level::PREFIX,
            },
            Node::Cast(..) => level::PREFIX,
            Node::And(_) => level::AND,
            Node::Or(_) => level::OR,
            Node::Eq(..) => level::EQUALITY,
            Node::Le(..) => level::ORDER,
            Node::Ite(..) => level::CHOICE,
            Node::Arith(op, ..) => operator(*op).1,
        }
    }

    fn node(&mut self, term: Term, own: u8) {
        match self.terms.node(term) {
            Node::Const(value, Type::Bool) => self.text += ["false", "true"][*value as usize],
            Node::Const(value, _) => self.text += &value.to_string(),
            Node::ConstArray(values, _, len) => self.constant_array(values, *len),
            Node::Symbol(symbol) => self.text += self.terms.symbol_name(*symbol),
            Node::Not(inner) => match *self.terms.node(*inner) {
                Node::Eq(a, b) => self.infix(a, " != ", b, own),
                Node::Le(a, b) => self.infix(b, " < ", a, own),
                _ => {
                    self.text.push('!');
                    self.term(*inner, own);
                }
            },
            Node::And(parts) => self.list(parts, " && ", own + 1),
            Node::Or(parts) => self.list(parts, " || ", own + 1),
            Node::Eq(a, b) => self.infix(*a, " == ", *b, own),
            Node::Le(a, b) => self.infix(*a, " <= ", *b, own),
            Node::Arith(op, a, b) => match self.terms.constant_value(*b) {
                Some(offset) if *op == ArithOp::Add && offset < 0 => {
                    self.term(*a, own);
                    self.text += &format!(" - {}", offset.unsigned_abs());
                }
                _ => self.infix(*a, operator(*op).0, *b, own),
            },
            Node::Cast(ty, a) => {
                self.text += &format!("({})", type_name(*ty));
                self.term(*a, own);
            }
            Node::Ite(c, a, b) => {
                self.term(*c, own + 1);
                self.text += " ? ";
                self.term(*a, own + 1);
                self.text += " : ";
                self.term(*b, own);
            }
            Node::Select(array, index) => {
                self.term(*array, own);
                self.text.push('[');
                self.term(*index, 0);
                self.text.push(']');
            }
            Node::Store(array, index, value) => {
                self.term(*array, own);
                self.text.push('{');
                self.term(*index, 0);
                self.text += " := ";
                self.term(*value, 0);
                self.text.push('}');
            }
        }
    }

    fn infix(&mut self, a: Term, symbol: &str, b: Term, own: u8) {
        self.term(a, own);
        self.text += symbol;
        self.term(b, own + 1);
    }

    fn list(&mut self, parts: &[Term], symbol: &str, around: u8) {
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                self.text += symbol;
            }
            self.term(*part, around);
        }
    }

    fn constant_array(&mut self, values: &[i128], len: u32) {
        let shown: Vec<String> = values.iter().take(16).map(i128::to_string).collect();
        let dots = if shown.len() < len as usize { ", …" } else { "" };
        self.text += &format!("{{{}{dots}}}", shown.join(", "));
    }
}

fn operator(op: ArithOp) -> (&'static str, u8) {
    match op {
        ArithOp::Add => (" + ", level::SUM),
        ArithOp::Sub => (" - ", level::SUM),
        ArithOp::Mul => (" * ", level::PRODUCT),
        ArithOp::Div => (" / ", level::PRODUCT),
        ArithOp::Rem => (" % ", level::PRODUCT),
        ArithOp::Shl => (" << ", level::SHIFT),
        ArithOp::Shr => (" >> ", level::SHIFT),
        ArithOp::BitAnd => (" & ", level::BIT_AND),
        ArithOp::BitOr => (" | ", level::BIT_OR),
        ArithOp::BitXor => (" ^ ", level::BIT_XOR),
    }
}
