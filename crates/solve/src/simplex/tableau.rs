//! The general simplex (Dutertre and de Moura, "A fast linear-arithmetic solver
//! for DPLL(T)", CAV 2006, Section 3), without strict bounds: over integers they
//! are tightened away.
//!
//! Each column is a variable or a *slack* that stands for the linear part of
//! constraints; a constraint is then a bound of one column. Each row says that its
//! basic column is a sum of multiples of the other, nonbasic ones. Nonbasic columns
//! are always within their bounds; `check` repairs the basic ones by pivoting. It
//! takes the column that is violated most, and after a number of steps the first
//! one (Bland's rule), which ends.
//!
//! Bounds can be taken back; the rows stay, since they hold whatever the bounds are.

use logic::FastMap;
use logic::Rational;
use logic::certificate::Farkas;
use logic::constraint::{Constraint, Form, LinearVar, Relation, merged};

/// So many steps at most are taken by greatest violation, which is quick but may cycle; then Bland's rule, which ends.
const MAX_GREEDY_STEPS: u64 = 200;

/// Rows and bounds. `Tableau::new(n)` has the variables `LinearVar(0)` to `LinearVar(n - 1)`.
#[derive(Clone, Debug)]
pub struct Tableau {
    columns: Vec<Column>,
    rows: Vec<TableauRow>,
    slacks: FastMap<Vec<(LinearVar, Rational)>, usize>,
    trail: Vec<(usize, Side, Option<ColumnBound>)>,
    variables: usize,
}

/// What `check` finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feasibility {
    /// There are rational values: [`Tableau::value`].
    Feasible,
    /// There are none.
    Infeasible(Farkas),
    /// More steps than allowed.
    Unknown,
}

#[derive(Clone, Debug)]
struct Column {
    value: Rational,
    bounds: [Option<ColumnBound>; 2],
    /// The row in which it is basic.
    row: Option<usize>,
}

#[derive(Clone, Debug)]
struct TableauRow {
    basic: usize,
    /// Nonbasic columns and their coefficients, sorted.
    cells: Vec<(usize, Rational)>,
}

#[derive(Clone, Debug)]
struct ColumnBound {
    value: Rational,
    source: usize,
    /// The multiple of the source (1 or -1) that says `column <= value` or `column >= value`.
    multiple: Rational,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Lower = 0,
    Upper = 1,
}

impl Tableau {
    /// No bounds on so many variables.
    pub fn new(variables: usize) -> Tableau {
        let columns = (0..variables).map(|_| Column::free(Rational::ZERO, None)).collect();
        let (rows, slacks, trail) = Default::default();
        Tableau { columns, rows, slacks, trail, variables }
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// The value of a variable after `Feasible`.
    pub fn value(&self, var: LinearVar) -> &Rational {
        &self.columns[var.index()].value
    }

    /// The first variable whose value is not an integer.
    pub fn fractional(&self) -> Option<LinearVar> {
        let place = self.columns[..self.variables].iter().position(|c| !c.value.is_integer())?;
        Some(LinearVar(place as u32))
    }

    /// What [`Tableau::undo`] comes back to.
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back what was asserted since the mark.
    pub fn undo(&mut self, mark: usize) {
        for (column, side, bound) in self.trail.drain(mark..).rev() {
            self.columns[column].bounds[side as usize] = bound;
        }
    }

    /// Adds a constraint under a number. An error says that it contradicts earlier bounds; it is
    /// not fully added then, and the caller should undo.
    pub fn assert(&mut self, constraint: &Constraint, source: usize) -> Result<(), Farkas> {
        let form = constraint.form();
        let Some((_, first)) = form.coefficients().first() else {
            let holds = form.constant.is_zero();
            return if holds { Ok(()) } else { Err(vec![(source, Rational::ONE)]) };
        };
        // The column stands for the coefficients with a positive first one.
        let negative = first.is_negative();
        let column = self.column(form, negative);
        let (value, multiple, other) = if negative {
            (form.constant.clone(), Rational::MINUS_ONE, Rational::ONE)
        } else {
            (-&form.constant, Rational::ONE, Rational::MINUS_ONE)
        };
        let bound = |multiple| ColumnBound { value: value.clone(), source, multiple };
        if constraint.relation() == Relation::Equal || !negative {
            self.tighten(column, Side::Upper, bound(multiple.clone()))?;
        }
        if constraint.relation() == Relation::Equal || negative {
            self.tighten(column, Side::Lower, bound(other))?;
        }
        Ok(())
    }

    /// Looks for rational values, in at most `limit` steps; counts down what it takes.
    pub fn check(&mut self, limit: &mut u64) -> Feasibility {
        let mut steps = 0;
        while let Some((row, side)) = self.violated(steps < MAX_GREEDY_STEPS) {
            let greedy = steps < MAX_GREEDY_STEPS;
            if *limit == 0 {
                return Feasibility::Unknown;
            }
            *limit -= 1;
            steps += 1;
            match self.entering(row, side, greedy) {
                Some(cell) => self.pivot(row, cell, side),
                None => return Feasibility::Infeasible(self.explain(row, side)),
            }
        }
        Feasibility::Feasible
    }

    /// Multiples of constraints whose sum, tightened over the integers, excludes the present
    /// values: one for each row that gives such a cut (R. Gomory, 1958).
    ///
    /// All columns are integers, since constraints have integer coefficients. In a row
    /// `b = a1 x1 + … + an xn` each `xi` with a fractional `ai` must be at a bound, so that
    /// `xi = low + s` or `xi = high - s` with `s >= 0`. The multiples take the fractional part of
    /// each coefficient away by these bounds: what is left is an integer, `b` is not.
    pub fn cuts(&self) -> impl Iterator<Item = Farkas> + '_ {
        let is_fractional = |row: &&TableauRow| !self.columns[row.basic].value.is_integer();
        self.rows.iter().filter(is_fractional).filter_map(|row| self.cut(row))
    }

    fn cut(&self, row: &TableauRow) -> Option<Farkas> {
        let fraction = |value: &Rational| value - &value.floor();
        let mut parts = Vec::new();
        for (column, coefficient) in row.cells.iter().filter(|cell| !cell.1.is_integer()) {
            let column = &self.columns[*column];
            let at_bound = |side: Side| {
                column.bounds[side as usize].as_ref().filter(|bound| bound.value == column.value)
            };
            let (bound, multiple) = match (at_bound(Side::Lower), at_bound(Side::Upper)) {
                (Some(bound), _) => (bound, fraction(&-coefficient)),
                (None, Some(bound)) => (bound, fraction(coefficient)),
                (None, None) => return None,
            };
            parts.push((bound.source, &bound.multiple * &multiple));
        }
        Some(combined(parts))
    }

    /// The column of the linear part of a form, up to its sign.
    fn column(&mut self, form: &Form, negative: bool) -> usize {
        if let [(var, _)] = form.coefficients() {
            return var.index();
        }
        let turn = |cell: &(LinearVar, Rational)| {
            (cell.0, if negative { -&cell.1 } else { cell.1.clone() })
        };
        let part: Vec<(LinearVar, Rational)> = form.coefficients().iter().map(turn).collect();
        if let Some(column) = self.slacks.get(&part) {
            return *column;
        }
        let column = self.columns.len();
        let mut value = Rational::ZERO;
        let mut cells = Vec::with_capacity(part.len());
        for (var, coefficient) in &part {
            value.add_product(coefficient, self.value(*var));
            cells = match self.columns[var.index()].row {
                Some(row) => merged(&cells, coefficient, &self.rows[row].cells),
                None => merged(&cells, coefficient, &[(var.index(), Rational::ONE)]),
            };
        }
        self.columns.push(Column::free(value, Some(self.rows.len())));
        self.rows.push(TableauRow { basic: column, cells });
        self.slacks.insert(part, column);
        column
    }

    fn tighten(&mut self, column: usize, side: Side, bound: ColumnBound) -> Result<(), Farkas> {
        let own = &self.columns[column];
        if own.bounds[side as usize]
            .as_ref()
            .is_some_and(|old| !side.beyond(&old.value, &bound.value))
        {
            return Ok(());
        }
        if let Some(opposite) = &own.bounds[side.opposite() as usize]
            && side.beyond(&opposite.value, &bound.value)
        {
            let reason = |bound: &ColumnBound| (bound.source, bound.multiple.clone());
            return Err(combined([reason(opposite), reason(&bound)]));
        }
        let escapes = own.row.is_none() && side.beyond(&own.value, &bound.value);
        let target = bound.value.clone();
        let old = self.columns[column].bounds[side as usize].replace(bound);
        self.trail.push((column, side, old));
        if escapes {
            let change = &target - &self.columns[column].value;
            self.shift(column, &change);
        }
        Ok(())
    }

    /// Changes the value of a nonbasic column.
    fn shift(&mut self, column: usize, change: &Rational) {
        for row in &self.rows {
            if let Some(coefficient) = row.coefficient(column) {
                self.columns[row.basic].value.add_product(coefficient, change);
            }
        }
        let value = &mut self.columns[column].value;
        *value = &*value + change;
    }

    /// A row whose basic column is out of bounds, and on which side.
    fn violated(&self, greedy: bool) -> Option<(usize, Side)> {
        let mut best: Option<(Rational, usize, Side)> = None;
        for (index, row) in self.rows.iter().enumerate() {
            let column = &self.columns[row.basic];
            for side in [Side::Lower, Side::Upper] {
                let Some(bound) = &column.bounds[side as usize] else { continue };
                if !side.beyond(&column.value, &bound.value) {
                    continue;
                }
                let better = match &best {
                    None => true,
                    Some((distance, ..)) if greedy => {
                        (&column.value - &bound.value).abs() > *distance
                    }
                    Some((_, other, _)) => row.basic < self.rows[*other].basic,
                };
                if better {
                    best = Some(((&column.value - &bound.value).abs(), index, side));
                }
            }
        }
        best.map(|(_, row, side)| (row, side))
    }

    /// A cell of a row that can bring its basic column back from `side`: the first one, or that
    /// with the greatest coefficient, which keeps numbers small.
    fn entering(&self, row: usize, side: Side, greedy: bool) -> Option<usize> {
        let can = |(column, coefficient): &(usize, Rational)| {
            let column = &self.columns[*column];
            match &column.bounds[side.blocking(coefficient) as usize] {
                None => true,
                Some(bound) => column.value != bound.value,
            }
        };
        let mut cells = self.rows[row].cells.iter().enumerate().filter(|(_, cell)| can(cell));
        let cell = if greedy { cells.max_by_key(|(_, cell)| cell.1.abs()) } else { cells.next() };
        cell.map(|(place, _)| place)
    }

    /// Brings the basic column of `row` to its bound on `side` by the column of `cell`, which
    /// becomes basic in its place.
    fn pivot(&mut self, row: usize, cell: usize, side: Side) {
        let leaving = self.rows[row].basic;
        let (entering, coefficient) = self.rows[row].cells[cell].clone();
        let bound = self.columns[leaving].bounds[side as usize].as_ref();
        let target = &bound.expect("a violated bound should exist").value;
        let change = &(target - &self.columns[leaving].value) / &coefficient;
        self.shift(entering, &change);
        self.solve_for(row, cell);
        let cells = std::mem::take(&mut self.rows[row].cells);
        for (index, other) in self.rows.iter_mut().enumerate() {
            if index != row
                && let Some(place) = other.place(entering)
            {
                let factor = other.cells.remove(place).1;
                other.cells = merged(&other.cells, &factor, &cells);
            }
        }
        self.rows[row].cells = cells;
        self.columns[leaving].row = None;
        self.columns[entering].row = Some(row);
    }

    /// Writes `b = a x + rest` as `x = b / a - rest / a`.
    fn solve_for(&mut self, row: usize, cell: usize) {
        let row = &mut self.rows[row];
        let (entering, coefficient) = row.cells.remove(cell);
        let inverse = coefficient.reciprocal();
        let minus = -&inverse;
        for (_, other) in &mut row.cells {
            *other = &*other * &minus;
        }
        let leaving = std::mem::replace(&mut row.basic, entering);
        let place = row.cells.partition_point(|(column, _)| *column < leaving);
        row.cells.insert(place, (leaving, inverse));
    }

    /// Why the basic column of `row` cannot be brought back from `side`: its own bound and those
    /// that block each column of the row.
    fn explain(&self, row: usize, side: Side) -> Farkas {
        let row = &self.rows[row];
        let reason = |column: usize, side: Side, factor: &Rational| {
            let bound = self.columns[column].bounds[side as usize].as_ref();
            let bound = bound.expect("a column that blocks should have a bound");
            (bound.source, &bound.multiple * factor)
        };
        let own = reason(row.basic, side, &Rational::ONE);
        let others = row.cells.iter().map(|(column, coefficient)| {
            reason(*column, side.blocking(coefficient), &coefficient.abs())
        });
        combined(std::iter::once(own).chain(others))
    }
}

/// Multiples of the same constraint together, sorted.
fn combined(parts: impl IntoIterator<Item = (usize, Rational)>) -> Farkas {
    let mut parts: Farkas = parts.into_iter().collect();
    parts.sort_by_key(|part| part.0);
    let mut sum: Farkas = Vec::with_capacity(parts.len());
    for (source, multiple) in parts {
        match sum.last_mut() {
            Some(last) if last.0 == source => last.1 = &last.1 + &multiple,
            _ => sum.push((source, multiple)),
        }
    }
    sum.retain(|(_, multiple)| !multiple.is_zero());
    sum
}

impl Column {
    fn free(value: Rational, row: Option<usize>) -> Column {
        Column { value, bounds: [None, None], row }
    }
}

impl TableauRow {
    fn place(&self, column: usize) -> Option<usize> {
        self.cells.binary_search_by_key(&column, |cell| cell.0).ok()
    }

    fn coefficient(&self, column: usize) -> Option<&Rational> {
        self.place(column).map(|place| &self.cells[place].1)
    }
}

impl Side {
    fn opposite(self) -> Side {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }

    /// Is `value` outside a bound on this side?
    fn beyond(self, value: &Rational, bound: &Rational) -> bool {
        match self {
            Side::Lower => value < bound,
            Side::Upper => value > bound,
        }
    }

    /// The bound that stops a column with this coefficient from bringing a sum back from here.
    fn blocking(self, coefficient: &Rational) -> Side {
        if coefficient.is_positive() { self.opposite() } else { self }
    }
}
