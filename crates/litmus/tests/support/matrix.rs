//! Axioms a second time, in the plainest way: every reads-from and every coherence order is tried, relations are tables of truth values. Written
//! from the publications, apart from the product; where there are several formulations, this is the other one.

use super::States;
use super::program::{Kind, Program, Step};
use litmus::Candidate;
use litmus::test::Datum;

type Matrix = Vec<Vec<bool>>;

pub struct Graph<'p> {
    program: &'p Program,
    /// Thread, step and whether it is a write; initial writes have no thread and the location for a step.
    events: Vec<(Option<usize>, usize, bool)>,
    rf: Matrix,
    co: Matrix,
}

/// All final states of executions that are consistent.
pub fn states(program: &Program, consistent: impl Fn(&Graph) -> bool) -> States {
    let mut events: Vec<(Option<usize>, usize, bool)> =
        (0..program.locations()).map(|location| (None, location, true)).collect();
    for (thread, steps) in program.threads.iter().enumerate() {
        for (number, step) in steps.iter().enumerate() {
            if step.kind != Kind::Write {
                events.push((Some(thread), number, false));
            }
            if step.writes() {
                events.push((Some(thread), number, true));
            }
        }
    }
    let count = events.len();
    let none = vec![vec![false; count]; count];
    let mut graph = Graph { program, events, rf: none.clone(), co: none };
    let mut found = States::new();
    choose_reads(&mut graph, 0, &consistent, &mut found);
    found
}

fn choose_reads(
    graph: &mut Graph,
    event: usize,
    consistent: &dyn Fn(&Graph) -> bool,
    found: &mut States,
) {
    if event == graph.events.len() {
        return choose_orders(graph, 0, consistent, found);
    }
    if !graph.is_read(event) {
        return choose_reads(graph, event + 1, consistent, found);
    }
    for write in 0..graph.events.len() {
        if graph.is_write(write) && graph.location(write) == graph.location(event) {
            graph.rf[write][event] = true;
            choose_reads(graph, event + 1, consistent, found);
            graph.rf[write][event] = false;
        }
    }
}

/// Inserts the writes of each location into an order, everywhere.
fn choose_orders(
    graph: &mut Graph,
    location: usize,
    consistent: &dyn Fn(&Graph) -> bool,
    found: &mut States,
) {
    if location == graph.program.locations() {
        if consistent(graph) {
            found.insert(graph.state());
        }
        return;
    }
    let writes: Vec<usize> = (0..graph.events.len())
        .filter(|event| graph.is_write(*event) && graph.location(*event) == Some(location))
        .collect();
    for order in permutations(&writes[1..]) {
        let order: Vec<usize> = writes[..1].iter().copied().chain(order).collect();
        let before = graph.co.clone();
        for (position, first) in order.iter().enumerate() {
            for second in &order[position + 1..] {
                graph.co[*first][*second] = true;
            }
        }
        choose_orders(graph, location + 1, consistent, found);
        graph.co = before;
    }
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    let Some((first, rest)) = items.split_first() else { return vec![Vec::new()] };
    let mut found = Vec::new();
    for order in permutations(rest) {
        for position in 0..=order.len() {
            let mut longer = order.clone();
            longer.insert(position, *first);
            found.push(longer);
        }
    }
    found
}

impl Graph<'_> {
    /// The execution as evidence for the product.
    pub fn candidate(&self) -> Candidate {
        let all = 0..self.events.len();
        let source = |read: usize| all.clone().find(|write| self.rf[*write][read]);
        let mut choices = vec![Vec::new(); self.program.threads.len()];
        let mut reads_from = Vec::new();
        for read in all.clone().filter(|event| self.is_read(*event)) {
            let (Some(thread), Some(write)) = (self.events[read].0, source(read)) else { continue };
            choices[thread].push(Datum::Number(self.value(write)));
            reads_from.push((write, read));
        }
        let order = |location: usize| {
            let of_location =
                |event: &usize| self.is_write(*event) && self.location(*event) == Some(location);
            let mut writes: Vec<usize> = all.clone().filter(of_location).collect();
            let before =
                |write: &usize| all.clone().filter(|other| self.co[*other][*write]).count();
            writes.sort_by_key(before);
            writes
        };
        let coherence = (0..self.program.locations()).map(order).collect();
        Candidate { choices, reads_from, coherence }
    }

    fn step(&self, event: usize) -> Option<&Step> {
        let (thread, step, _) = self.events[event];
        thread.map(|thread| &self.program.threads[thread][step])
    }

    fn location(&self, event: usize) -> Option<usize> {
        match self.step(event) {
            None => Some(self.events[event].1),
            Some(step) if step.kind == Kind::Fence => None,
            Some(step) => Some(step.location),
        }
    }

    fn is_write(&self, event: usize) -> bool {
        self.events[event].2
    }

    fn is_read(&self, event: usize) -> bool {
        !self.is_write(event) && self.step(event).is_some_and(Step::reads)
    }

    fn is_fence(&self, event: usize, mark: &str) -> bool {
        self.step(event).is_some_and(|step| step.kind == Kind::Fence && step.mark == mark)
    }

    fn has_mark(&self, event: usize, marks: &[&str]) -> bool {
        self.step(event).is_some_and(|step| marks.contains(&step.mark.as_str()))
    }

    fn value(&self, event: usize) -> i64 {
        self.step(event).map_or(0, |step| step.value)
    }

    fn state(&self) -> Vec<i64> {
        let mut state = Vec::new();
        for event in (0..self.events.len()).filter(|event| self.is_read(*event)) {
            let source = (0..self.events.len()).find(|write| self.rf[*write][event]);
            state.push(source.map_or(0, |write| self.value(write)));
        }
        for location in 0..self.program.locations() {
            let last = (0..self.events.len()).find(|event| {
                self.is_write(*event)
                    && self.location(*event) == Some(location)
                    && !self.co[*event].contains(&true)
            });
            state.push(last.map_or(0, |write| self.value(write)));
        }
        state
    }

    fn table(&self, holds: impl Fn(usize, usize) -> bool) -> Matrix {
        let all = 0..self.events.len();
        all.clone().map(|from| all.clone().map(|to| holds(from, to)).collect()).collect()
    }

    fn po(&self) -> Matrix {
        let thread = |event: usize| self.events[event].0;
        self.table(|a, b| a < b && thread(a).is_some() && thread(a) == thread(b))
    }

    fn external(&self, relation: &Matrix) -> Matrix {
        self.table(|a, b| relation[a][b] && self.events[a].0 != self.events[b].0)
    }

    fn internal(&self, relation: &Matrix) -> Matrix {
        self.table(|a, b| relation[a][b] && self.events[a].0 == self.events[b].0)
    }

    fn same(&self, a: usize, b: usize) -> bool {
        self.location(a).is_some() && self.location(a) == self.location(b)
    }

    fn po_loc(&self) -> Matrix {
        let po = self.po();
        self.table(|a, b| po[a][b] && self.same(a, b))
    }

    fn fr(&self) -> Matrix {
        let all = 0..self.events.len();
        self.table(|read, write| all.clone().any(|w| self.rf[w][read] && self.co[w][write]))
    }

    fn rmw(&self) -> Matrix {
        self.table(|a, b| {
            b == a + 1
                && self.events[a].0.is_some()
                && self.events[a].0 == self.events[b].0
                && self.events[a].1 == self.events[b].1
        })
    }

    /// Dependencies: `which` says on which step a step depends.
    fn dependency(
        &self,
        which: impl Fn(&Step) -> Option<usize>,
        to: impl Fn(usize) -> bool,
    ) -> Matrix {
        self.table(|a, b| {
            let same_thread = self.events[a].0.is_some() && self.events[a].0 == self.events[b].0;
            let named = self.step(b).and_then(&which) == Some(self.events[a].1);
            same_thread && self.is_read(a) && to(b) && named && self.events[a].1 < self.events[b].1
        })
    }

    fn addr(&self) -> Matrix {
        self.dependency(|step| step.addr, |_| true)
    }

    fn data(&self) -> Matrix {
        self.dependency(|step| step.data, |event| self.is_write(event))
    }

    /// To the branch's own step and everything after it.
    fn ctrl(&self) -> Matrix {
        let branch = self.dependency(|step| step.ctrl, |_| true);
        let po = self.po();
        let all = 0..self.events.len();
        self.table(|a, b| branch[a][b] || all.clone().any(|m| branch[a][m] && po[m][b]))
    }

    fn sc_per_location(&self) -> bool {
        acyclic(&or(&[&self.po_loc(), &self.rf, &self.co, &self.fr()]))
    }

    fn atomic(&self) -> bool {
        let between = then(&self.external(&self.fr()), &self.external(&self.co));
        let rmw = self.rmw();
        !any(&self.table(|a, b| rmw[a][b] && between[a][b]))
    }

    /// From events before a fence to events after it.
    fn fenced(&self, mark: &str) -> Matrix {
        let po = self.po();
        let all = 0..self.events.len();
        self.table(|a, b| all.clone().any(|f| self.is_fence(f, mark) && po[a][f] && po[f][b]))
    }

    fn is_access(&self, event: usize) -> bool {
        self.location(event).is_some()
    }
}

fn or(parts: &[&Matrix]) -> Matrix {
    let count = parts[0].len();
    let holds = |a: usize, b: usize| parts.iter().any(|part| part[a][b]);
    (0..count).map(|a| (0..count).map(|b| holds(a, b)).collect()).collect()
}

fn then(first: &Matrix, second: &Matrix) -> Matrix {
    let count = first.len();
    let holds = |a: usize, b: usize| (0..count).any(|m| first[a][m] && second[m][b]);
    (0..count).map(|a| (0..count).map(|b| holds(a, b)).collect()).collect()
}

fn plus(relation: &Matrix) -> Matrix {
    let longer = or(&[relation, &then(relation, relation)]);
    if longer == *relation { longer } else { plus(&longer) }
}

fn optional(relation: &Matrix) -> Matrix {
    let mut result = relation.clone();
    (0..result.len()).for_each(|event| result[event][event] = true);
    result
}

fn star(relation: &Matrix) -> Matrix {
    optional(&plus(relation))
}

fn any(relation: &Matrix) -> bool {
    relation.iter().flatten().any(|holds| *holds)
}

fn irreflexive(relation: &Matrix) -> bool {
    (0..relation.len()).all(|event| !relation[event][event])
}

fn acyclic(relation: &Matrix) -> bool {
    irreflexive(&plus(relation))
}

/// Power: Alglave, Maranget, Tautschnig 2014.
pub fn power(graph: &Graph) -> bool {
    let (rf, co, fr) = (&graph.rf, &graph.co, &graph.fr());
    if !graph.sc_per_location() || !graph.atomic() {
        return false;
    }
    let (po, po_loc) = (graph.po(), graph.po_loc());
    let (rfe, fre, coe) = (graph.external(rf), graph.external(fr), graph.external(co));
    let (addr, data, ctrl) = (graph.addr(), graph.data(), graph.ctrl());
    let meet = |a: &Matrix, b: &Matrix| graph.table(|x, y| a[x][y] && b[x][y]);
    let to_isync = graph.table(|a, b| ctrl[a][b] && graph.is_fence(b, "isync"));
    let control_fence = then(&to_isync, &po);
    let ii0 = or(&[&addr, &data, &meet(&po_loc, &then(&fre, &rfe)), &graph.internal(rf)]);
    let ci0 = or(&[&control_fence, &meet(&po_loc, &then(&coe, &rfe))]);
    let cc0 = or(&[&addr, &data, &po_loc, &ctrl, &then(&addr, &po)]);
    let (mut ii, mut ci, mut cc) = (ii0.clone(), ci0.clone(), cc0.clone());
    let mut ic = vec![vec![false; po.len()]; po.len()];
    loop {
        let next = (
            or(&[&ii, &ci, &then(&ic, &ci), &then(&ii, &ii)]),
            or(&[&ic, &ii, &cc, &then(&ic, &cc), &then(&ii, &ic)]),
            or(&[&ci, &then(&ci, &ii), &then(&cc, &ci)]),
            or(&[&cc, &ci, &then(&ci, &ic), &then(&cc, &cc)]),
        );
        if next == (ii.clone(), ic.clone(), ci.clone(), cc.clone()) {
            break;
        }
        (ii, ic, ci, cc) = next;
    }
    let ppo = graph.table(|a, b| {
        graph.is_read(a) && ((graph.is_read(b) && ii[a][b]) || (graph.is_write(b) && ic[a][b]))
    });
    let (sync, lwsync, eieio) =
        (graph.fenced("sync"), graph.fenced("lwsync"), graph.fenced("eieio"));
    let strong = graph.table(|a, b| graph.is_access(a) && graph.is_access(b) && sync[a][b]);
    let weak = graph.table(|a, b| {
        let writes = graph.is_write(a) && graph.is_write(b);
        let not_write_read = graph.is_read(a) && graph.is_access(b);
        (lwsync[a][b] && (writes || not_write_read)) || (eieio[a][b] && writes)
    });
    let fences = or(&[&strong, &weak]);
    let hb = or(&[&ppo, &fences, &rfe]);
    let base = then(&or(&[&fences, &then(&rfe, &fences)]), &star(&hb));
    let communication = star(&or(&[rf, co, fr]));
    let cumulative = then(&then(&communication, &star(&base)), &then(&strong, &star(&hb)));
    let prop = graph
        .table(|a, b| (graph.is_write(a) && graph.is_write(b) && base[a][b]) || cumulative[a][b]);
    acyclic(&hb) && irreflexive(&then(&then(&fre, &prop), &star(&hb))) && acyclic(&or(&[co, &prop]))
}

/// ARMv8, in the later formulation with local successors (Arm Architecture Reference Manual, B2.3).
pub fn armv8(graph: &Graph) -> bool {
    let (rf, co, fr) = (&graph.rf, &graph.co, &graph.fr());
    if !graph.sc_per_location() || !graph.atomic() {
        return false;
    }
    let (po, po_loc, rmw) = (graph.po(), graph.po_loc(), graph.rmw());
    let all = 0..po.len();
    let acquires = |event: usize| graph.is_read(event) && graph.has_mark(event, &["A", "AL"]);
    let acquires_pc = |event: usize| graph.is_read(event) && graph.has_mark(event, &["Q"]);
    let releases = |event: usize| graph.is_write(event) && graph.has_mark(event, &["L", "AL"]);
    let (addr, data, ctrl) = (graph.addr(), graph.data(), graph.ctrl());
    let observed = or(&[&graph.external(rf), &graph.external(fr), &graph.external(co)]);
    let local_write = graph.table(|a, b| po_loc[a][b] && graph.is_write(b));
    let local_read = graph.table(|a, b| {
        let overwritten = all.clone().any(|w| graph.is_write(w) && po_loc[a][w] && po_loc[w][b]);
        graph.is_write(a) && graph.is_read(b) && po_loc[a][b] && !overwritten
    });
    let address_then = then(&addr, &po);
    let before_isb = graph.table(|a, b| {
        all.clone()
            .any(|i| graph.is_fence(i, "ISB") && (ctrl[a][i] || address_then[a][i]) && po[i][b])
    });
    let dependency = graph.table(|a, b| {
        addr[a][b]
            || data[a][b]
            || (graph.is_write(b) && (ctrl[a][b] || address_then[a][b]))
            || (graph.is_read(b) && before_isb[a][b])
    });
    let forwarded = then(&or(&[&addr, &data]), &local_read);
    let of_swap = graph.table(|a, b| {
        all.clone().any(|r| rmw[r][a]) && local_read[a][b] && (acquires(b) || acquires_pc(b))
    });
    let [full, load, store] = ["DMB SY", "DMB LD", "DMB ST"].map(|mark| graph.fenced(mark));
    let barrier = graph.table(|a, b| {
        let through_swap = all.clone().any(|r| {
            all.clone().any(|w| rmw[r][w] && acquires(r) && releases(w) && po[a][r] && po[w][b])
        });
        full[a][b]
            || through_swap
            || (po[a][b] && releases(a) && acquires(b))
            || (graph.is_read(a) && load[a][b])
            || (po[a][b] && (acquires(a) || acquires_pc(a)))
            || (graph.is_write(a) && graph.is_write(b) && store[a][b])
            || (po[a][b] && releases(b))
    });
    acyclic(&or(&[&observed, &local_write, &dependency, &forwarded, &rmw, &of_swap, &barrier]))
}

/// RC11 (Lahav et al. 2017), with its own words for communication (`eco` without a closure).
pub fn c11(graph: &Graph) -> bool {
    let (rf, mo, rb) = (&graph.rf, &graph.co, &graph.fr());
    let sb = graph.po();
    let all = 0..sb.len();
    let is_fence = |event: usize| graph.step(event).is_some_and(|step| step.kind == Kind::Fence);
    let acquires = |event: usize| {
        (graph.is_read(event) || is_fence(event))
            && graph.has_mark(event, &["acquire", "acq_rel", "seq_cst"])
    };
    let releases = |event: usize| {
        (graph.is_write(event) || is_fence(event))
            && graph.has_mark(event, &["release", "acq_rel", "seq_cst"])
    };
    let is_sc = |event: usize| graph.has_mark(event, &["seq_cst"]);
    let is_atomic = |event: usize| graph.step(event).is_some();
    // The release sequence: writes of the same thread and location, then read-modify-writes.
    let own = graph.table(|a, b| {
        graph.is_write(a)
            && graph.is_write(b)
            && is_atomic(b)
            && (a == b || (sb[a][b] && graph.same(a, b)))
    });
    let sequence = then(&own, &star(&then(rf, &graph.rmw())));
    let read_from = then(&sequence, rf);
    let synchronises = graph.table(|a, b| {
        let from = |w: usize| releases(a) && (a == w || (is_fence(a) && sb[a][w]));
        let to = |r: usize| acquires(b) && (b == r || (is_fence(b) && sb[r][b]));
        all.clone()
            .any(|w| from(w) && all.clone().any(|r| read_from[w][r] && is_atomic(r) && to(r)))
    });
    let hb = plus(&or(&[&sb, &synchronises]));
    let eco = or(&[rf, mo, rb, &then(mo, rf), &then(rb, rf)]);
    let between = then(rb, mo);
    let rmw = graph.rmw();
    let coherent = irreflexive(&hb) && irreflexive(&then(&hb, &eco));
    let atomic = !any(&graph.table(|a, b| rmw[a][b] && between[a][b]));
    let elsewhere = graph.table(|a, b| sb[a][b] && !graph.same(a, b));
    let around = then(&then(&elsewhere, &hb), &elsewhere);
    let scb = graph.table(|a, b| {
        sb[a][b] || around[a][b] || (hb[a][b] && graph.same(a, b)) || mo[a][b] || rb[a][b]
    });
    let hb_maybe = optional(&hb);
    let sc_fence = |event: usize| is_fence(event) && is_sc(event);
    let left = graph.table(|a, b| (is_sc(a) && a == b) || (sc_fence(a) && hb_maybe[a][b]));
    let right = graph.table(|a, b| (is_sc(b) && a == b) || (sc_fence(b) && hb_maybe[a][b]));
    let base = then(&then(&left, &scb), &right);
    let through = or(&[&hb, &then(&then(&hb, &eco), &hb)]);
    let fences = graph.table(|a, b| sc_fence(a) && sc_fence(b) && through[a][b]);
    coherent && atomic && acyclic(&or(&[&base, &fences])) && acyclic(&or(&[&sb, rf]))
}
