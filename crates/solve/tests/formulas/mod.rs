//! Random small formulas, and all their valuations.

use ccfa::Type;
use ccfa::random::Rng;
use logic::{ArithOp, Sort, Symbol, Term, Terms};
use solve::evaluate::{Value, evaluate};

/// All operators.
pub const OPERATORS: [ArithOp; 10] = [
    ArithOp::Add,
    ArithOp::Sub,
    ArithOp::Mul,
    ArithOp::Div,
    ArithOp::Rem,
    ArithOp::Shl,
    ArithOp::Shr,
    ArithOp::BitAnd,
    ArithOp::BitOr,
    ArithOp::BitXor,
];

/// A value for each cell of each symbol, by the number of the symbol.
pub type Valuation = Vec<Vec<i128>>;

/// The value of a scalar term.
pub fn value(terms: &Terms, valuation: &Valuation, term: Term) -> i128 {
    let cells = |symbol: Symbol| match (terms.symbol_sort(symbol), &valuation[symbol.0 as usize]) {
        (Sort::Scalar(_), cells) => Value::Scalar(cells[0]),
        (Sort::Array { .. }, cells) => Value::Array(cells.clone()),
    };
    evaluate(terms, term, &mut { cells }).scalar()
}

/// All valuations of the symbols; there must be few.
pub fn valuations(terms: &Terms, symbols: &[Symbol]) -> Vec<Valuation> {
    let mut all: Vec<Valuation> = vec![Vec::new()];
    for symbol in symbols {
        let (ty, len) = match terms.symbol_sort(*symbol) {
            Sort::Scalar(ty) => (ty, 1),
            Sort::Array { element, len } => (element, len),
        };
        let (low, high) = ty.bounds().expect("a symbol should have few values");
        let mut cells: Vec<Vec<i128>> = vec![Vec::new()];
        for _ in 0..len {
            let longer = |cell: &Vec<i128>| {
                let cell = cell.clone();
                (low..=high).map(move |value| [cell.clone(), vec![value]].concat())
            };
            cells = cells.iter().flat_map(longer).collect();
        }
        let extended = |valuation: &Valuation| {
            let valuation = valuation.clone();
            let cells = cells.clone();
            cells.into_iter().map(move |cell| [valuation.clone(), vec![cell]].concat())
        };
        all = all.iter().flat_map(extended).collect();
    }
    all
}

/// Makes random formulas over a few small symbols.
pub struct Maker {
    /// The terms so far.
    pub terms: Terms,
    /// Two scalars, a formula and an array.
    pub symbols: Vec<Symbol>,
    rng: Rng,
}

impl Maker {
    /// Declares the symbols.
    pub fn new(seed: u64) -> Maker {
        let mut rng = Rng::new(seed);
        let mut terms = solve::random::terms(seed);
        let (first, second) = (bits(&mut rng, 4), bits(&mut rng, 3));
        let (element, len) = (bits(&mut rng, 2), 1 + rng.below(3) as u32);
        let array = if rng.one_in(2) { element } else { Type::unsigned(1) };
        let symbols = vec![
            terms.declare("x", Sort::Scalar(first)),
            terms.declare("y", Sort::Scalar(second)),
            terms.declare("p", Sort::Scalar(Type::Bool)),
            terms.declare("a", Sort::Array { element: array, len }),
        ];
        Maker { terms, symbols, rng }
    }

    /// A random number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.rng.below(bound)
    }

    /// A formula, `depth` operators deep.
    pub fn formula(&mut self, depth: usize) -> Term {
        let choice = self.rng.below(if depth == 0 { 2 } else { 9 });
        match choice {
            0 => self.terms.symbol(self.symbols[2]),
            1 | 2 => {
                let ty = self.ty();
                let (a, b) = (self.scalar(ty, 1), self.scalar(ty, depth));
                self.terms.le(a, b)
            }
            3 | 4 => {
                let ty = self.ty();
                let (a, b) = (self.scalar(ty, depth), self.scalar(ty, 1));
                self.terms.eq(a, b)
            }
            5 => {
                let inner = self.formula(depth - 1);
                self.terms.not(inner)
            }
            6 => {
                let parts = [self.formula(depth - 1), self.formula(depth - 1)];
                self.terms.and(parts)
            }
            7 => {
                let parts = [self.formula(depth - 1), self.formula(depth - 1)];
                self.terms.or(parts)
            }
            _ => {
                let ty = self.ty();
                let inner = self.scalar(ty, depth - 1);
                self.terms.cast(Type::Bool, inner)
            }
        }
    }

    fn ty(&mut self) -> Type {
        if self.rng.one_in(5) { Type::Int } else { bits(&mut self.rng, 5) }
    }

    /// A number of type `ty`, `depth` operators deep.
    pub fn scalar(&mut self, ty: Type, depth: usize) -> Term {
        let choice = self.rng.below(if depth == 0 { 3 } else { 9 });
        match choice {
            0 => {
                let value = self.rng.below(40) as i128 - 20;
                self.terms.constant(value, ty)
            }
            1 => self.leaf(ty, 0),
            2 => self.leaf(ty, 1),
            3 | 4 => {
                let ops = if ty == Type::Int { &OPERATORS[..5] } else { &OPERATORS[..] };
                let op = *self.rng.pick(ops);
                let other = match op {
                    ArithOp::Shl | ArithOp::Shr => self.ty(),
                    _ => ty,
                };
                let (a, b) = (self.scalar(ty, depth - 1), self.scalar(other, depth - 1));
                self.terms.arith(op, a, b)
            }
            5 => {
                let from = self.ty();
                let inner = self.scalar(from, depth - 1);
                self.terms.cast(ty, inner)
            }
            6 => {
                let condition = self.formula(depth - 1);
                let (a, b) = (self.scalar(ty, depth - 1), self.scalar(ty, depth - 1));
                self.terms.ite(condition, a, b)
            }
            _ => self.element(ty, depth - 1),
        }
    }

    fn leaf(&mut self, ty: Type, symbol: usize) -> Term {
        let symbol = self.terms.symbol(self.symbols[symbol]);
        self.terms.cast(ty, symbol)
    }

    fn element(&mut self, ty: Type, depth: usize) -> Term {
        let index_type = self.ty();
        let index = self.scalar(index_type, depth);
        let mut array = self.terms.symbol(self.symbols[3]);
        let Sort::Array { element, len } = self.terms.sort(array) else { unreachable!() };
        if self.rng.one_in(3) {
            let values: Vec<i128> = (0..len).map(|_| self.rng.value(element)).collect();
            array = self.terms.constant_array(&values, element, len);
        } else if self.rng.one_in(3) {
            let place = self.scalar(index_type, 0);
            let value = self.scalar(element, 0);
            array = self.terms.store(array, place, value);
        }
        let read = self.terms.select(array, index);
        self.terms.cast(ty, read)
    }
}

/// Bits of some width up to `most`.
fn bits(rng: &mut Rng, most: usize) -> Type {
    Type::Bits { width: 1 + rng.below(most) as u8, signed: rng.one_in(2) }
}
