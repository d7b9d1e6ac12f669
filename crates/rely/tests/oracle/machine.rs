//! Runs a program: the state of all threads, and what each of them may do next. Every access to what others can see, every
//! call and every lock operation is a step of its own; memory is sequentially consistent.
//!
//! A move that no other thread can notice is made at once ([`Machine::settle`]), unless behaviour is undefined there: something else
//! may come before that.

use crate::code::{Base, Cell, Code, Instruction, Library, Node, Op, Target};
use crate::order::{Access, Evaluation, Move, Orders, Phase, Progress};
use crate::tree::{BinOp, Kind};
use ccfa::Undefined;

/// A thread by its number; `main` is 0, the others follow.
type ThreadId = usize;

/// Addresses of globals begin here, those of locals at a multiple of it.
const ADDRESSES: i128 = 1000;
/// What is done at once takes fewer steps than this, or has no end.
const MAX_SETTLING: usize = 10_000;

/// The state of the whole program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    globals: Vec<i128>,
    /// Who holds each mutex.
    owners: Vec<Option<ThreadId>>,
    threads: Vec<Thread>,
    /// Who is between `__VERIFIER_atomic_begin` and `__VERIFIER_atomic_end`, and how deep.
    section: Option<(ThreadId, u32)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Thread {
    status: Status,
    frames: Vec<Frame>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Status {
    NotCreated,
    Running,
    /// It assumes what is not so, and waits for ever; others run.
    Blocked,
    Ended,
    Joined,
}

/// A call that has not returned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Frame {
    routine: usize,
    next: usize,
    cells: Vec<i128>,
    /// The value of the last full expression.
    value: i128,
    evaluation: Option<Evaluation>,
}

/// What a step leads to.
pub enum Outcome {
    Next(State),
    /// An assertion fails.
    Fails,
    /// Behaviour is undefined, in a step that only reads or in another.
    Undefined {
        what: Undefined,
        is_read: bool,
    },
    /// The program is over.
    Over,
    /// There are too many moves that no other thread can notice, perhaps without end.
    TooLarge,
    /// These are the values that the program is asked about.
    Observed(Vec<i128>, State),
}

/// A step that a thread may take.
#[derive(Clone, Copy, Debug)]
enum Step {
    Move(Move),
    Instruction,
}

/// What running a step can fail with.
enum Stopped {
    Undefined(Undefined),
    /// It has to wait.
    Waits,
}

impl From<Undefined> for Stopped {
    fn from(what: Undefined) -> Stopped {
        Stopped::Undefined(what)
    }
}

/// A program and which orders of evaluation are followed.
pub struct Machine<'c> {
    pub code: &'c Code,
    pub orders: Orders,
}

impl Machine<'_> {
    /// `main` begins.
    pub fn initial(&self) -> Outcome {
        let thread = |number: ThreadId| {
            let routine = number.checked_sub(1).map_or(0, |thread| self.code.threads[thread]);
            let status = if number == 0 { Status::Running } else { Status::NotCreated };
            Thread { status, frames: vec![self.frame(routine, &[])] }
        };
        let state = State {
            globals: self.code.globals.clone(),
            owners: vec![None; self.code.mutexes],
            threads: (0..=self.code.threads.len()).map(thread).collect(),
            section: None,
        };
        self.settle(state, 0)
    }

    /// Everything that may come next.
    pub fn successors(&self, state: &State) -> Vec<Outcome> {
        let threads = match state.section {
            Some((thread, _)) => thread..thread + 1,
            None => 0..state.threads.len(),
        };
        let mut outcomes = Vec::new();
        for thread in threads {
            if state.threads[thread].status == Status::Running {
                for step in self.steps(state, thread) {
                    self.take(state, thread, step, &mut outcomes);
                }
            }
        }
        outcomes
    }

    fn frame(&self, routine: usize, arguments: &[i128]) -> Frame {
        let kinds = &self.code.routines[routine].cells;
        let mut cells = vec![0; kinds.len()];
        for (number, argument) in arguments.iter().enumerate() {
            cells[number] = kinds[number].convert(*argument);
        }
        Frame { routine, next: 0, cells, value: 0, evaluation: None }
    }

    fn steps(&self, state: &State, thread: ThreadId) -> Vec<Step> {
        match &state.top(thread).evaluation {
            None => vec![Step::Instruction],
            Some(evaluation) => {
                let moves = evaluation.moves(self.code, self.orders);
                moves.into_iter().map(Step::Move).collect()
            }
        }
    }

    /// Takes a step in every way it can be taken.
    fn take(&self, state: &State, thread: ThreadId, step: Step, outcomes: &mut Vec<Outcome>) {
        let choices = match step {
            Step::Move(next) => self.choices(next),
            Step::Instruction => 1,
        };
        for choice in 0..choices {
            let mut state = state.clone();
            let taken = match step {
                Step::Move(next) => self.perform(&mut state, thread, next, choice),
                Step::Instruction => self.execute(&mut state, thread),
            };
            match taken {
                Ok(()) => outcomes.push(self.settle(state, thread)),
                Err(Stopped::Undefined(what)) => {
                    let is_read = matches!(step, Step::Move(next) if self.only_reads(next));
                    outcomes.push(Outcome::Undefined { what, is_read });
                }
                Err(Stopped::Waits) => {}
            }
        }
    }

    /// Is a move nothing but a read?
    fn only_reads(&self, next: Move) -> bool {
        let op = &self.code.nodes[next.node].op;
        matches!(op, Op::Read(_) | Op::Library(Library::Load(_)))
    }

    /// In how many ways a move can end.
    fn choices(&self, next: Move) -> usize {
        match self.code.nodes[next.node].op {
            Op::Library(Library::Any | Library::CompareExchange { is_weak: true, .. }) => 2,
            _ => 1,
        }
    }

    /// Makes all moves that no other thread can notice.
    fn settle(&self, mut state: State, thread: ThreadId) -> Outcome {
        for _ in 0..MAX_SETTLING {
            match state.threads[thread].status {
                Status::Ended if thread == 0 => return Outcome::Over,
                Status::Ended | Status::Blocked => return Outcome::Next(state),
                _ => {}
            }
            if state.top(thread).evaluation.is_none() {
                match self.control(&mut state, thread) {
                    Control::Continues => continue,
                    Control::Waits => return Outcome::Next(state),
                    Control::Fails => return Outcome::Fails,
                    Control::Observed(values) => return Outcome::Observed(values, state),
                }
            }
            match self.quiet_move(&state, thread) {
                Some(moved) => state = moved,
                None if self.finish(&mut state, thread) => {}
                None => return Outcome::Next(state),
            }
        }
        Outcome::TooLarge
    }

    /// A full expression that is over: its value stays. Otherwise false.
    fn finish(&self, state: &mut State, thread: ThreadId) -> bool {
        let frame = state.top_mut(thread);
        let evaluation = frame.evaluation.as_ref().expect("something is being evaluated");
        let is_done = evaluation.is_done(self.code, evaluation.root);
        if is_done {
            frame.value = evaluation.value(evaluation.root).expect("it is done");
            frame.evaluation = None;
        }
        is_done
    }

    /// The state after a move that no other thread can notice and that is defined, if there is one.
    fn quiet_move(&self, state: &State, thread: ThreadId) -> Option<State> {
        let evaluation = state.top(thread).evaluation.as_ref()?;
        let moves = evaluation.moves(self.code, self.orders);
        let is_only = moves.len() == 1;
        moves.into_iter().filter(|next| self.is_quiet(*next, is_only)).find_map(|next| {
            let mut state = state.clone();
            self.perform(&mut state, thread, next, 0).is_ok().then_some(state)
        })
    }

    fn is_quiet(&self, next: Move, is_only: bool) -> bool {
        let node = &self.code.nodes[next.node];
        match (&node.op, next.phase) {
            (Op::Library(_), _) => false,
            (Op::Call(_), _) | (_, Phase::Start(_)) => is_only,
            (Op::Address(_), _) | (_, Phase::Combine) => true,
            (Op::Assign(_), Phase::Compute) => true,
            _ => node.target().is_none_or(|target| !target.is_visible),
        }
    }

    /// Jumps, assertions, returns.
    fn control(&self, state: &mut State, thread: ThreadId) -> Control {
        let is_outermost = state.threads[thread].frames.len() == 1;
        let frame = state.top_mut(thread);
        let instructions = &self.code.routines[frame.routine].instructions;
        let value = frame.value;
        frame.next += 1;
        match &instructions[frame.next - 1] {
            Instruction::Evaluate(root) => {
                frame.evaluation = Some(Evaluation::new(self.code, *root));
            }
            Instruction::Jump(to) => frame.next = *to,
            Instruction::JumpIfZero(to) if value == 0 => frame.next = *to,
            Instruction::Case(case, to) if value == *case => frame.next = *to,
            Instruction::JumpIfZero(_) | Instruction::Case(..) => {}
            // That `main` ends is noticed: others may come first.
            Instruction::Return if thread == 0 && is_outermost => {
                frame.next -= 1;
                return Control::Waits;
            }
            Instruction::Return => self.leave(state, thread, value),
            Instruction::Assert if value == 0 => return Control::Fails,
            Instruction::Assume if value == 0 => state.threads[thread].status = Status::Blocked,
            Instruction::Assert | Instruction::Assume => {}
            Instruction::Observe(cells) => {
                return Control::Observed(cells.iter().map(|cell| frame.cells[*cell]).collect());
            }
            Instruction::Begin
            | Instruction::End
            | Instruction::Create(_)
            | Instruction::Join(_) => {
                frame.next -= 1;
                return Control::Waits;
            }
        }
        Control::Continues
    }

    /// A function returns.
    fn leave(&self, state: &mut State, thread: ThreadId, value: i128) {
        let frames = &mut state.threads[thread].frames;
        let frame = frames.pop().expect("it was running");
        let value = self.code.routines[frame.routine].result.convert(value);
        let Some(caller) = frames.last_mut() else {
            state.threads[thread].status = Status::Ended;
            return;
        };
        let evaluation = caller.evaluation.as_mut().expect("calls are expressions");
        let nodes = self.code.nodes[evaluation.root].first..=evaluation.root;
        let mut called = nodes.filter(|node| *evaluation.progress(*node) == Progress::Called);
        let call = called.next().expect("it was called");
        evaluation.set(call, Progress::Value(value));
    }

    /// An instruction that others can notice.
    fn execute(&self, state: &mut State, thread: ThreadId) -> Result<(), Stopped> {
        let frame = state.top_mut(thread);
        frame.next += 1;
        match self.code.routines[frame.routine].instructions[frame.next - 1] {
            Instruction::Begin => {
                let depth = state.section.map_or(0, |(_, depth)| depth);
                state.section = Some((thread, depth + 1));
            }
            Instruction::End => {
                let depth = state.section.map_or(0, |(_, depth)| depth);
                state.section = (depth > 1).then_some((thread, depth - 1));
            }
            Instruction::Create(number) => {
                let status = &mut state.threads[number + 1].status;
                assert_eq!(*status, Status::NotCreated, "each is created once");
                *status = Status::Running;
            }
            Instruction::Join(number) => {
                let status = &mut state.threads[number + 1].status;
                match status {
                    Status::Running | Status::Blocked => return Err(Stopped::Waits),
                    Status::Ended => *status = Status::Joined,
                    _ => return Err(Undefined::InvalidJoin.into()),
                }
            }
            Instruction::Return if thread == 0 => state.threads[thread].status = Status::Ended,
            _ => state.top_mut(thread).next -= 1, // A thread that was just created begins.
        }
        Ok(())
    }

    /// Makes a move.
    fn perform(
        &self,
        state: &mut State,
        thread: ThreadId,
        next: Move,
        choice: usize,
    ) -> Result<(), Stopped> {
        let Move { node: number, phase } = next;
        let node = &self.code.nodes[number];
        match (phase, &node.op) {
            (Phase::Start(child), _) => {
                state.evaluation(thread).set(number, Progress::Active(child));
            }
            (Phase::Write, _) => return self.write(state, thread, number),
            (Phase::Combine, Op::Update(op, target)) => {
                let Progress::HasRead { address, old } = *state.evaluation(thread).progress(number)
                else {
                    unreachable!("an update that has read")
                };
                let new = self.updated(state, thread, node, *op, (target.kind, old))?;
                let pending = Progress::Pending { value: new, address, written: new };
                state.evaluation(thread).set(number, pending);
            }
            (_, Op::Call(callee)) => {
                let arguments: Vec<i128> =
                    node.children.iter().map(|child| state.value(thread, *child)).collect();
                state.evaluation(thread).set(number, Progress::Called);
                let frame = self.frame(*callee, &arguments);
                state.threads[thread].frames.push(frame);
            }
            (_, Op::Library(library)) => {
                let value = self.call(state, thread, node, library, choice)?;
                state.evaluation(thread).set(number, Progress::Value(value));
            }
            _ => self.compute(state, thread, number)?,
        }
        Ok(())
    }

    /// What is pending is written.
    fn write(&self, state: &mut State, thread: ThreadId, node: usize) -> Result<(), Stopped> {
        let evaluation = state.evaluation(thread);
        let Progress::Pending { value, address, written } = *evaluation.progress(node) else {
            unreachable!("a write that is pending")
        };
        evaluation.set(node, Progress::Value(value));
        self.note(state, thread, Access { node, address, is_write: true })?;
        state.store(address, written);
        Ok(())
    }

    fn note(&self, state: &mut State, thread: ThreadId, access: Access) -> Result<(), Undefined> {
        let conflicts = state.evaluation(thread).conflicts(self.code, access);
        if conflicts { Err(Undefined::Unsequenced) } else { Ok(()) }
    }

    /// Evaluates a node that is no call.
    fn compute(&self, state: &mut State, thread: ThreadId, number: usize) -> Result<(), Undefined> {
        let node = &self.code.nodes[number];
        let operand = |state: &mut State, child: usize| state.value(thread, node.children[child]);
        let progress = match &node.op {
            Op::Number(value) => Progress::Value(*value),
            Op::Unary(op) => {
                let kind = self.code.nodes[node.children[0]].kind;
                Progress::Value(op.apply(kind, operand(state, 0))?)
            }
            Op::Binary(op) => {
                let kind = |child: usize| self.code.nodes[node.children[child]].kind;
                let (left, right) = (operand(state, 0), operand(state, 1));
                Progress::Value(op.apply((kind(0), left), (kind(1), right))?)
            }
            Op::Convert => Progress::Value(node.kind.convert(operand(state, 0))),
            Op::Comma => Progress::Value(operand(state, 1)),
            Op::Shortcut { .. } | Op::Choice => Progress::Value(self.choose(state, thread, node)),
            Op::Address(target) => Progress::Value(self.address(state, thread, node, target)?),
            Op::Initialise(cell, kinds) => self.initialise(state, thread, number, *cell, kinds),
            _ => self.access(state, thread, number)?,
        };
        state.evaluation(thread).set(number, progress);
        Ok(())
    }

    /// The value of `&&`, `||` or `?:`.
    fn choose(&self, state: &mut State, thread: ThreadId, node: &Node) -> i128 {
        let evaluation = state.evaluation(thread);
        let chosen = evaluation.chosen(node);
        for other in node.children[1..].iter().filter(|child| Some(**child) != chosen) {
            evaluation.skip(self.code, *other);
        }
        let value = chosen.and_then(|chosen| evaluation.value(chosen));
        match node.op {
            Op::Shortcut { is_and } => {
                value.map_or(i128::from(!is_and), |value| i128::from(value != 0))
            }
            _ => node.kind.convert(value.expect("it was evaluated")),
        }
    }

    /// The child at work is done; when all are, the local gets its values.
    fn initialise(
        &self,
        state: &mut State,
        thread: ThreadId,
        number: usize,
        cell: usize,
        kinds: &[Kind],
    ) -> Progress {
        let node = &self.code.nodes[number];
        let evaluation = state.evaluation(thread);
        if !node.children.iter().all(|child| evaluation.is_done(self.code, *child)) {
            return Progress::Waiting;
        }
        for (offset, kind) in kinds.iter().enumerate() {
            let value = state.value(thread, node.children[offset]);
            state.top_mut(thread).cells[cell + offset] = kind.convert(value);
        }
        Progress::Value(0)
    }

    /// Reads, and what comes before a write.
    fn access(
        &self,
        state: &mut State,
        thread: ThreadId,
        number: usize,
    ) -> Result<Progress, Undefined> {
        let node = &self.code.nodes[number];
        let target = node.target().expect("an access");
        let address = self.address(state, thread, node, target)?;
        if let Op::Assign(_) = node.op {
            let value = target.kind.convert(state.value(thread, node.operands()[0]));
            return Ok(Progress::Pending { value, address, written: value });
        }
        let is_write = target.is_atomic && !matches!(node.op, Op::Read(_));
        self.note(state, thread, Access { node: number, address, is_write })?;
        let old = state.load(address);
        match &node.op {
            Op::Read(_) => Ok(Progress::Value(old)),
            Op::Update(op, _) if target.is_atomic => {
                let new = self.updated(state, thread, node, *op, (target.kind, old))?;
                state.store(address, new);
                Ok(Progress::Value(new))
            }
            Op::Update(..) => Ok(Progress::HasRead { address, old }),
            Op::Step { is_prefix, is_plus, .. } => {
                let op = if *is_plus { BinOp::Add } else { BinOp::Sub };
                let new = op.apply((target.kind, old), (Kind::I32, 1))?;
                let new = target.kind.convert(new);
                let value = if *is_prefix { new } else { old };
                if target.is_atomic {
                    state.store(address, new);
                    return Ok(Progress::Value(value));
                }
                Ok(Progress::Pending { value, address, written: new })
            }
            _ => unreachable!("no other node accesses memory"),
        }
    }

    /// `old op operand`, in the type of what is updated.
    fn updated(
        &self,
        state: &mut State,
        thread: ThreadId,
        node: &Node,
        op: BinOp,
        (kind, old): (Kind, i128),
    ) -> Result<i128, Undefined> {
        let operand = node.operands()[0];
        let right = (self.code.nodes[operand].kind, state.value(thread, operand));
        Ok(kind.convert(op.apply((kind, old), right)?))
    }

    fn address(
        &self,
        state: &mut State,
        thread: ThreadId,
        node: &Node,
        target: &Target,
    ) -> Result<i128, Undefined> {
        let frame = state.threads[thread].frames.len() - 1;
        let global = |cell: usize| ADDRESSES + cell as i128;
        let local = |cell: usize| ADDRESSES * (2 + 100 * frame + thread) as i128 + cell as i128;
        match target.base {
            Base::Global(cell) => Ok(global(cell)),
            Base::Local(cell) => Ok(local(cell)),
            Base::Pointee => Ok(state.value(thread, node.children[0])),
            Base::Element { array, length } => {
                let index = usize::try_from(state.value(thread, node.children[0]));
                let index = index.ok().filter(|index| *index < length);
                let index = index.ok_or(Undefined::IndexOutOfBounds)?;
                Ok(match array {
                    Cell::Global(cell) => global(cell + index),
                    Cell::Local(cell) => local(cell + index),
                })
            }
        }
    }

    /// A library function: one step.
    fn call(
        &self,
        state: &mut State,
        thread: ThreadId,
        node: &Node,
        library: &Library,
        choice: usize,
    ) -> Result<i128, Stopped> {
        match library {
            Library::Any => return Ok(choice as i128),
            Library::Signal => return Ok(0),
            Library::Lock(mutex)
            | Library::TryLock(mutex)
            | Library::Unlock(mutex)
            | Library::Wait(mutex) => {
                return lock(state, thread, library, *mutex);
            }
            _ => {}
        }
        let target = node.target().expect("an atomic object");
        let address = self.address(state, thread, node, target)?;
        let old = state.load(address);
        let operand = node.operands().last().map(|operand| state.value(thread, *operand));
        let given = target.kind.convert(operand.unwrap_or(0));
        match library {
            Library::Store(_) | Library::Exchange(_) => state.store(address, given),
            Library::Fetch(op, _) => {
                let exact = match op {
                    BinOp::Add => old + given,
                    BinOp::Sub => old - given,
                    BinOp::And => old & given,
                    BinOp::Or => old | given,
                    _ => old ^ given,
                };
                state.store(address, target.kind.convert(exact)); // It wraps: 7.17.7.5, paragraph 3.
            }
            Library::CompareExchange { expected, .. } => {
                let expects = &mut state.top_mut(thread).cells[*expected];
                if choice == 0 && *expects == old {
                    state.store(address, given);
                    return Ok(1);
                }
                *expects = old;
                return Ok(0);
            }
            _ => {}
        }
        Ok(old)
    }
}

enum Control {
    Continues,
    Waits,
    Fails,
    Observed(Vec<i128>),
}

/// Operations on a plain mutex: who holds it and locks it again waits for ever.
fn lock(
    state: &mut State,
    thread: ThreadId,
    library: &Library,
    mutex: usize,
) -> Result<i128, Stopped> {
    const EBUSY: i128 = 16;
    let owner = &mut state.owners[mutex];
    match library {
        Library::TryLock(_) if owner.is_some() => return Ok(EBUSY),
        Library::Lock(_) if owner.is_some() => return Err(Stopped::Waits),
        Library::Lock(_) | Library::TryLock(_) => *owner = Some(thread),
        Library::Unlock(_) if *owner == Some(thread) => *owner = None,
        Library::Wait(_) if *owner == Some(thread) => *owner = None,
        Library::Wait(_) => return Err(Undefined::WaitNotOwned.into()),
        _ => return Err(Undefined::MutexNotOwned.into()),
    }
    Ok(0)
}

impl State {
    fn top(&self, thread: ThreadId) -> &Frame {
        self.threads[thread].frames.last().expect("it runs")
    }

    fn top_mut(&mut self, thread: ThreadId) -> &mut Frame {
        self.threads[thread].frames.last_mut().expect("it runs")
    }

    fn evaluation(&mut self, thread: ThreadId) -> &mut Evaluation {
        self.top_mut(thread).evaluation.as_mut().expect("it evaluates something")
    }

    fn value(&mut self, thread: ThreadId, node: usize) -> i128 {
        self.evaluation(thread).value(node).expect("operands come first")
    }

    fn cell(&mut self, address: i128) -> &mut i128 {
        let (object, cell) = (address / ADDRESSES, (address % ADDRESSES) as usize);
        match object as usize {
            0 => unreachable!("no null pointers are made"),
            1 => &mut self.globals[cell],
            local => {
                let (frame, thread) = ((local - 2) / 100, (local - 2) % 100);
                &mut self.threads[thread].frames[frame].cells[cell]
            }
        }
    }

    fn load(&mut self, address: i128) -> i128 {
        *self.cell(address)
    }

    fn store(&mut self, address: i128, value: i128) {
        *self.cell(address) = value;
    }
}
