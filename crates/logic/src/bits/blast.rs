//! Terms as circuits: "bit-blasting". **Trusted.**
//!
//! Each scalar term has a word of bits, made once. A `Bool` has one bit, bits of
//! width w have w. A mathematical integer has as many bits, in two's complement, as
//! its operands can ever need, so that nothing wraps: constants and conversions of
//! bits are bounded, and so are sums and products of those.
//!
//! A symbol of type `Int` is not bounded and has no word. What is said about it
//! (a comparison, say) is **left open**: its bits are free. So
//! `Unsat` stays right, and a caller that gets a model must look at what was left open
//! ([`Blaster::cone`]) before believing it: see [`super::integers`]. The same holds for integers
//! beyond [`MAX_INTEGER_BITS`]. If such an integer is an index or the amount of a shift, its place
//! has free bits (`place`); if it is converted to bits, its lowest ones are free (`residue`).
//!
//! Elements of long arrays are free bits too, tied together on demand: [`super`].

mod place;
mod residue;

pub use place::Clamp;

use super::arithmetic::{self, choose};
use super::circuit::{Circuit, Lit};
use super::compare;
use super::select::{self, Index};
use super::shift::{self, Direction};
use crate::term::{ArithOp, Node, Sort, Symbol, Term, Terms};
use ccfa::Type;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Integers that may need more bits are left open: products of few of them would be larger than all the rest.
const MAX_INTEGER_BITS: usize = 300;

/// The bits of a term, lowest first.
pub type Word = Rc<[Lit]>;

/// What a term became.
#[derive(Clone, Debug)]
struct Blasted {
    /// `None`: an integer without bounds.
    word: Option<Word>,
    /// Something below was left open, or is from a long array.
    special: bool,
}

/// What a formula needs beyond its gates.
#[derive(Debug, Default)]
pub struct Cone {
    /// The selects from long arrays in it.
    pub long_selects: Vec<Term>,
    /// The terms in it that are free although they should not be.
    pub open: Vec<Term>,
}

/// Makes circuits of the terms of **one** [`Terms`].
#[derive(Debug)]
pub struct Blaster {
    /// The gates.
    pub circuit: Circuit,
    words: Vec<Option<Blasted>>,
    /// The cells of array symbols that are short.
    pub cells: HashMap<Symbol, Vec<Vec<Lit>>>,
    open: HashSet<Term>,
    /// By the select or shift in which they are.
    clamps: HashMap<Term, Clamp>,
    /// The lowest bits of integers without bounds.
    residues: HashMap<Term, Vec<Lit>>,
    cones: HashMap<Term, Rc<Cone>>,
    most_cells: usize,
}

impl Blaster {
    /// Arrays with more than `most_cells` cells are long.
    pub fn new(most_cells: usize) -> Blaster {
        Blaster {
            circuit: Circuit::new(),
            words: Vec::new(),
            cells: HashMap::new(),
            open: HashSet::new(),
            clamps: HashMap::new(),
            residues: HashMap::new(),
            cones: HashMap::new(),
            most_cells,
        }
    }

    /// The literal of a formula.
    pub fn formula(&mut self, terms: &Terms, formula: Term) -> Lit {
        self.blast(terms, formula);
        self.known_word(formula).expect("a formula should have a bit")[0]
    }

    /// The word of a scalar term that was blasted before; `None` also if it is not bounded.
    pub fn known_word(&self, term: Term) -> Option<Word> {
        self.words.get(term.0 as usize)?.as_ref()?.word.clone()
    }

    /// What is special in a formula that was blasted before; `None` if nothing is.
    pub fn cone(&mut self, terms: &Terms, formula: Term) -> Option<Rc<Cone>> {
        let special = |blaster: &Blaster, term: Term| {
            blaster.words[term.0 as usize].as_ref().is_some_and(|blasted| blasted.special)
        };
        if !special(self, formula) {
            return None;
        }
        if let Some(cone) = self.cones.get(&formula) {
            return Some(cone.clone());
        }
        let mut cone = Cone::default();
        let mut seen = HashSet::from([formula]);
        let mut stack = vec![formula];
        while let Some(term) = stack.pop() {
            if self.open.contains(&term) {
                cone.open.push(term);
            }
            if self.is_long_select(terms, term) {
                cone.long_selects.push(term);
            }
            let parts = terms.operands(term).filter(|part| special(self, *part));
            stack.extend(parts.filter(|part| seen.insert(*part)));
        }
        let cone = Rc::new(cone);
        self.cones.insert(formula, cone.clone());
        Some(cone)
    }

    /// The literal for "if these two selects have the same index, they have the same value".
    pub fn congruence(&mut self, terms: &Terms, a: Term, b: Term) -> Lit {
        let known = "the parts of a select should have words";
        let (i, j) = (self.index_word(terms, a), self.index_word(terms, b));
        let (i, j) = aligned(&i, &j);
        let (v, w) = (self.known_word(a).expect(known), self.known_word(b).expect(known));
        let same_index = compare::equal(&mut self.circuit, &i, &j);
        let same_value = compare::equal(&mut self.circuit, &v, &w);
        self.circuit.or(!same_index, same_value)
    }

    /// The value of a blasted term as a signed number, never wrapping; `None` if not bounded.
    pub fn integer(&self, terms: &Terms, term: Term) -> Option<Vec<Lit>> {
        let mut word = self.known_word(term)?.to_vec();
        if let Type::Bool | Type::Bits { signed: false, .. } = terms.ty(term) {
            word.push(Lit::FALSE);
        }
        Some(word)
    }

    /// Gives a word to the term and to all it is made of.
    fn blast(&mut self, terms: &Terms, root: Term) {
        assert!(self.words.len() <= terms.len(), "one solver should serve one `Terms`");
        let mut stack = vec![root];
        while let Some(term) = stack.last().copied() {
            if self.is_blasted(term) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            let scalar = |part: &Term| matches!(terms.sort(*part), Sort::Scalar(_));
            let parts = terms.operands(term).filter(scalar);
            stack.extend(parts.filter(|part| !self.is_blasted(*part)));
            if stack.len() == waiting {
                let blasted = self.define(terms, term);
                if self.words.len() <= term.0 as usize {
                    self.words.resize(term.0 as usize + 1, None);
                }
                self.words[term.0 as usize] = Some(blasted);
                stack.pop();
            }
        }
    }

    fn is_blasted(&self, term: Term) -> bool {
        self.words.get(term.0 as usize).is_some_and(Option::is_some)
    }

    fn is_long_select(&self, terms: &Terms, term: Term) -> bool {
        match terms.node(term) {
            Node::Select(array, _) => match (terms.node(*array), terms.sort(*array)) {
                (Node::Symbol(_), Sort::Array { element, len }) => {
                    element != Type::Int && len as usize > self.most_cells
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn define(&mut self, terms: &Terms, term: Term) -> Blasted {
        let ty = terms.ty(term);
        let word = self.define_word(terms, term);
        let left_open = word.is_none() && ty != Type::Int;
        let word = match ty {
            Type::Int => word.map(trimmed),
            Type::Bool => word.or_else(|| Some(self.inputs(1))),
            Type::Bits { width, .. } => word.or_else(|| Some(self.inputs(usize::from(width)))),
        };
        if left_open {
            self.open.insert(term);
        }
        let below = |part: Term| {
            let blasted = self.words.get(part.0 as usize).and_then(Option::as_ref);
            blasted.is_some_and(|blasted| blasted.special)
        };
        let special = word.is_none()
            || left_open
            || self.is_long_select(terms, term)
            || terms.operands(term).any(below);
        Blasted { word: word.map(Word::from), special }
    }

    /// The word of a term whose parts have theirs; `None` if it depends on what has none.
    fn define_word(&mut self, terms: &Terms, term: Term) -> Option<Vec<Lit>> {
        let bit = |blaster: &Blaster, part: Term| blaster.known_word(part).map(|word| word[0]);
        match terms.node(term) {
            Node::Const(value, ty) => Some(constant(*value, *ty)),
            Node::Symbol(_) => match terms.ty(term) {
                Type::Bool => Some(self.inputs(1)),
                Type::Bits { width, .. } => Some(self.inputs(usize::from(width))),
                Type::Int => None,
            },
            Node::Not(a) => Some(vec![!bit(self, *a)?]),
            Node::And(parts) => {
                let parts: Option<Vec<Lit>> = parts.iter().map(|part| bit(self, *part)).collect();
                Some(vec![self.circuit.all(parts?)])
            }
            Node::Or(parts) => {
                let parts: Option<Vec<Lit>> = parts.iter().map(|part| bit(self, *part)).collect();
                Some(vec![self.circuit.any(parts?)])
            }
            Node::Eq(a, b) => {
                let (a, b) = self.both(terms, *a, *b)?;
                Some(vec![compare::equal(&mut self.circuit, &a, &b)])
            }
            Node::Le(left, b) => {
                let signed = is_signed(terms.ty(*left));
                let (a, b) = self.both(terms, *left, *b)?;
                Some(vec![compare::less_equal(&mut self.circuit, &a, &b, signed)])
            }
            Node::Arith(ArithOp::Shl | ArithOp::Shr, a, b) => self.shift(terms, term, *a, *b),
            Node::Arith(op, a, b) => self.arith(terms, *op, *a, *b),
            Node::Cast(ty, a) => self.cast(terms, *ty, *a),
            Node::Ite(c, a, b) => {
                let c = bit(self, *c)?;
                let (a, b) = self.both(terms, *a, *b)?;
                Some(choose(&mut self.circuit, c, &a, &b))
            }
            Node::Select(array, _) => self.select(terms, term, *array),
            Node::ConstArray(..) | Node::Store(..) => {
                unreachable!("an array should occur in a select only")
            }
        }
    }

    /// The words of two terms of one type, with one width.
    fn both(&self, terms: &Terms, a: Term, b: Term) -> Option<(Vec<Lit>, Vec<Lit>)> {
        let (x, y) = (self.known_word(a)?, self.known_word(b)?);
        Some(match terms.ty(a) {
            Type::Int => aligned(&x, &y),
            _ => (x.to_vec(), y.to_vec()),
        })
    }

    fn arith(&mut self, terms: &Terms, op: ArithOp, a: Term, b: Term) -> Option<Vec<Lit>> {
        match (op, terms.ty(a)) {
            (_, Type::Bool) => self.bool_arith(op, a, b),
            (_, ty) => {
                let (mut x, mut y) = (self.known_word(a)?.to_vec(), self.known_word(b)?.to_vec());
                if ty == Type::Int {
                    let width = integer_width(op, x.len(), y.len());
                    if width > MAX_INTEGER_BITS {
                        return None;
                    }
                    (x, y) = (extended(&x, width), extended(&y, width));
                }
                Some(self.word_arith(op, &x, &y, is_signed(ty)))
            }
        }
    }

    fn word_arith(&mut self, op: ArithOp, a: &[Lit], b: &[Lit], signed: bool) -> Vec<Lit> {
        let circuit = &mut self.circuit;
        let mut bitwise = |gate: fn(&mut Circuit, Lit, Lit) -> Lit| -> Vec<Lit> {
            a.iter().zip(b).map(|(a, b)| gate(circuit, *a, *b)).collect()
        };
        match op {
            ArithOp::BitAnd => bitwise(Circuit::and),
            ArithOp::BitOr => bitwise(Circuit::or),
            ArithOp::BitXor => bitwise(Circuit::xor),
            ArithOp::Add => arithmetic::add(circuit, a, b),
            ArithOp::Sub => arithmetic::sub(circuit, a, b),
            ArithOp::Mul => arithmetic::mul(circuit, a, b),
            ArithOp::Div => arithmetic::div_rem(circuit, a, b, signed).0,
            ArithOp::Rem => arithmetic::div_rem(circuit, a, b, signed).1,
            ArithOp::Shl | ArithOp::Shr => unreachable!("shifts should be made elsewhere"),
        }
    }

    fn shift(&mut self, terms: &Terms, term: Term, a: Term, amount: Term) -> Option<Vec<Lit>> {
        let Node::Arith(op, ..) = terms.node(term) else { unreachable!("it should be a shift") };
        let direction = match (op, terms.ty(a)) {
            (_, Type::Int) => return None,
            (_, Type::Bool) => return self.bool_shift(terms, *op, a, amount),
            (ArithOp::Shl, _) => Direction::Left,
            (_, ty) if is_signed(ty) => Direction::RightSigned,
            _ => Direction::Right,
        };
        let word = self.known_word(a)?;
        let amount = self.place(terms, term, amount, word.len() as u32);
        Some(shift::shift(&mut self.circuit, direction, &word, &amount, true))
    }

    /// On `Bool`, results are compared with zero: see [`ArithOp::apply`]. Programs have none.
    fn bool_shift(
        &mut self,
        terms: &Terms,
        op: ArithOp,
        a: Term,
        amount: Term,
    ) -> Option<Vec<Lit>> {
        let (x, amount) = (self.known_word(a)?[0], self.integer(terms, amount)?);
        let most = if op == ArithOp::Shl { 127 } else { 1 };
        let kept = Index { bits: &amount, signed: true }.in_bounds(&mut self.circuit, most);
        Some(vec![self.circuit.and(x, kept)])
    }

    /// As [`Blaster::bool_shift`].
    fn bool_arith(&mut self, op: ArithOp, a: Term, b: Term) -> Option<Vec<Lit>> {
        let (x, y) = (self.known_word(a)?[0], self.known_word(b)?[0]);
        Some(vec![match op {
            ArithOp::Add | ArithOp::BitOr => self.circuit.or(x, y),
            ArithOp::Sub | ArithOp::BitXor => self.circuit.xor(x, y),
            ArithOp::Rem => self.circuit.and(x, !y),
            _ => self.circuit.and(x, y),
        }])
    }

    fn cast(&mut self, terms: &Terms, ty: Type, a: Term) -> Option<Vec<Lit>> {
        let Some(word) = self.integer(terms, a) else {
            return match ty {
                Type::Bits { width, .. } => Some(self.residue(terms, a, usize::from(width))),
                Type::Bool | Type::Int => None,
            };
        };
        Some(match ty {
            Type::Bool => vec![self.circuit.any(word)],
            Type::Int => word,
            Type::Bits { width, .. } => {
                let mut word = extended(&word, usize::from(width));
                word.truncate(usize::from(width));
                word
            }
        })
    }

    fn select(&mut self, terms: &Terms, term: Term, array: Term) -> Option<Vec<Lit>> {
        let Sort::Array { element, len } = terms.sort(array) else {
            unreachable!("an array should be selected from")
        };
        let bits = self.index_word(terms, term);
        let index = Index { bits: &bits, signed: true };
        match terms.node(array) {
            Node::ConstArray(values, ..) if values.len() == 1 => {
                let inside = index.in_bounds(&mut self.circuit, len);
                let word = constant(values[0], element);
                Some(choose(&mut self.circuit, inside, &word, &vec![Lit::FALSE; word.len()]))
            }
            Node::ConstArray(values, ..) => {
                let words: Vec<Vec<Lit>> = values.iter().map(|v| constant(*v, element)).collect();
                let width = words.iter().map(Vec::len).max().unwrap_or(1);
                let words: Vec<Vec<Lit>> = words.iter().map(|w| extended(w, width)).collect();
                Some(select::select(&mut self.circuit, &words, index))
            }
            Node::Symbol(_) if element == Type::Int => None,
            Node::Symbol(_) if len as usize > self.most_cells => {
                let inside = index.in_bounds(&mut self.circuit, len);
                let free = self.inputs(width(element));
                Some(choose(&mut self.circuit, inside, &free, &vec![Lit::FALSE; free.len()]))
            }
            Node::Symbol(symbol) => {
                let circuit = &mut self.circuit;
                let cells = self.cells.entry(*symbol).or_insert_with(|| {
                    let mut cell = || (0..width(element)).map(|_| circuit.input()).collect();
                    (0..len).map(|_| cell()).collect()
                });
                Some(select::select(circuit, cells, index))
            }
            _ => unreachable!("a select should be from a symbol or a constant array"),
        }
    }

    fn inputs(&mut self, width: usize) -> Vec<Lit> {
        (0..width).map(|_| self.circuit.input()).collect()
    }
}

/// How many bits a result can need if the operands have `a` and `b` bits, in two's complement.
fn integer_width(op: ArithOp, a: usize, b: usize) -> usize {
    match op {
        ArithOp::Mul => a + b,
        // The least number divided by -1 needs one bit more, as sums do.
        ArithOp::Add | ArithOp::Sub | ArithOp::Div | ArithOp::Rem => a.max(b) + 1,
        _ => a.max(b),
    }
}

fn is_signed(ty: Type) -> bool {
    matches!(ty, Type::Int | Type::Bits { signed: true, .. })
}

/// How many bits a value of a bounded type has.
fn width(ty: Type) -> usize {
    match ty {
        Type::Bool => 1,
        Type::Bits { width, .. } => usize::from(width),
        Type::Int => unreachable!("an integer should have no fixed width"),
    }
}

pub(super) fn constant(value: i128, ty: Type) -> Vec<Lit> {
    let bit = |place: usize| Lit::constant(value >> place & 1 == 1);
    match ty {
        Type::Int => trimmed((0..128).map(bit).collect()),
        ty => (0..width(ty)).map(bit).collect(),
    }
}

/// Without copies of the sign bit that a signed number does not need.
fn trimmed(mut word: Vec<Lit>) -> Vec<Lit> {
    while word.len() > 1 && word[word.len() - 1] == word[word.len() - 2] {
        word.pop();
    }
    word
}

/// With copies of the sign bit, up to `width`; longer words stay as they are.
pub(super) fn extended(word: &[Lit], width: usize) -> Vec<Lit> {
    let sign = word[word.len() - 1];
    let missing = width.saturating_sub(word.len());
    word.iter().copied().chain(std::iter::repeat_n(sign, missing)).collect()
}

/// Two signed numbers with one width.
fn aligned(a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
    let width = a.len().max(b.len());
    (extended(a, width), extended(b, width))
}
