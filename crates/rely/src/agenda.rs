//! Which questions are asked when, and for how long: together first, then one by one. Who runs out of time is asked again, for
//! longer, as long as there is time.

use crate::question::Question;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Where there is no limit of time and several questions are open, the first turn of one is so long: most are decided in it.
const FIRST_TURN: Duration = Duration::from_secs(60);

/// The open questions.
pub struct Agenda {
    /// The next one first.
    open: Vec<Question>,
    together: bool,
    /// How long a question was asked last, by itself.
    last: BTreeMap<Question, Duration>,
}

/// What is asked next, and for how long at most.
#[derive(Debug, PartialEq, Eq)]
pub struct Next {
    pub questions: BTreeSet<Question>,
    pub time: Option<Duration>,
}

impl Agenda {
    /// All of them are open.
    pub fn new(questions: &BTreeSet<Question>) -> Agenda {
        // Deadlocks first: they are not asked together with others.
        let open = questions.iter().rev().copied().collect();
        Agenda { open, together: true, last: BTreeMap::new() }
    }

    /// What to ask if so much time remains; nothing if no question is open.
    ///
    /// Whether there is a deadlock, a model of its own answers: there threads wait as long as no other wakes them, and
    /// none stops before an access. So it is not asked together with the rest, which has half of the time.
    pub fn next(&self, remaining: Option<Duration>) -> Option<Next> {
        let first = *self.open.first()?;
        let others: BTreeSet<Question> =
            self.open.iter().copied().filter(|one| *one != Question::Deadlocks).collect();
        if self.together && !others.is_empty() {
            let is_all = self.open.len() == 1;
            let time = remaining.map(|time| if is_all { time } else { time / 2 });
            return Some(Next { questions: others, time });
        }
        let time = match remaining {
            _ if self.open.len() == 1 => remaining,
            Some(remaining) => Some(remaining / self.open.len() as u32),
            None => Some(self.last.get(&first).map_or(FIRST_TURN, |last| *last * 2)),
        };
        Some(Next { questions: BTreeSet::from([first]), time })
    }

    /// These are answered.
    pub fn close(&mut self, answered: &[Question]) {
        self.open.retain(|question| !answered.contains(question));
    }

    /// What was asked together is not answered so.
    pub fn ask_one_by_one(&mut self) {
        self.together = false;
    }

    /// A question ran out of time. Is it worth asking again, after the others?
    pub fn postpone(&mut self, asked: &Next, remaining: Option<Duration>) -> bool {
        let (Some(question), Some(time)) = (asked.questions.first(), asked.time) else {
            return false;
        };
        let share = remaining.map(|remaining| remaining / self.open.len().max(1) as u32);
        let is_worth =
            asked.questions.len() == 1 && share.is_none_or(|share| share >= time * 3 / 2);
        if is_worth {
            self.open.retain(|open| open != question);
            self.open.push(*question);
            self.last.insert(*question, time);
        }
        is_worth
    }

    /// What is open.
    pub fn open(&self) -> &[Question] {
        &self.open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn asked(agenda: &Agenda, seconds: Option<u32>) -> (Vec<Question>, Option<u32>) {
        let next = agenda.next(seconds.map(|seconds| SECOND * seconds)).expect("one is open");
        let time = next.time.map(|time| time.as_secs() as u32);
        (next.questions.into_iter().collect(), time)
    }

    #[test]
    fn a_single_question_has_all_the_time() {
        for question in Question::ALL {
            let agenda = Agenda::new(&[question].into());
            assert_eq!(asked(&agenda, Some(10)), (vec![question], Some(10)));
            assert_eq!(asked(&agenda, None), (vec![question], None));
        }
    }

    #[test]
    fn deadlocks_are_asked_by_themselves() {
        let mut agenda = Agenda::new(&Question::EVERYTHING.into());
        let others = vec![Question::Assertions, Question::Undefined, Question::Races];
        assert_eq!(asked(&agenda, Some(10)), (others.clone(), Some(5)));
        agenda.close(&others);
        assert_eq!(asked(&agenda, Some(10)), (vec![Question::Deadlocks], Some(10)));
        agenda.close(&[Question::Deadlocks]);
        assert_eq!(agenda.next(None), None);
    }

    #[test]
    fn who_runs_out_of_time_comes_again_for_longer() {
        let mut agenda = Agenda::new(&[Question::Assertions, Question::Deadlocks].into());
        agenda.ask_one_by_one();
        let next = agenda.next(None).expect("two are open");
        assert_eq!(asked(&agenda, None), (vec![Question::Deadlocks], Some(60)));
        assert!(agenda.postpone(&next, None));
        let next = agenda.next(None).expect("two are open");
        assert_eq!(asked(&agenda, None), (vec![Question::Assertions], Some(60)));
        assert!(agenda.postpone(&next, None));
        assert_eq!(asked(&agenda, None), (vec![Question::Deadlocks], Some(120)));
    }

    #[test]
    fn with_a_limit_it_comes_again_if_it_gets_more_time() {
        let mut agenda = Agenda::new(&[Question::Assertions, Question::Deadlocks].into());
        agenda.ask_one_by_one();
        let next = agenda.next(Some(SECOND * 20)).expect("two are open");
        assert_eq!(next.time, Some(SECOND * 10));
        assert!(!agenda.postpone(&next, Some(SECOND * 10)));
        assert!(agenda.postpone(&next, Some(SECOND * 40)));
        agenda.close(&[Question::Assertions]);
        assert_eq!(asked(&agenda, Some(9)), (vec![Question::Deadlocks], Some(9)));
    }
}
