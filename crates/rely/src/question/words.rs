//! The names of questions, and what SAFE says of them.

use super::Question;
use std::fmt;

impl Question {
    /// All of them.
    pub const ALL: [Question; 7] = [
        Question::Assertions,
        Question::Memory,
        Question::Overflow,
        Question::Undefined,
        Question::Races,
        Question::Deadlocks,
        Question::Leaks,
    ];

    /// What is asked of a C program by default: whatever an engineer means by "is it right?".
    pub const EVERYTHING: [Question; 4] =
        [Question::Assertions, Question::Undefined, Question::Races, Question::Deadlocks];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Question::Assertions => "assertions",
            Question::Memory => "memory",
            Question::Overflow => "overflow",
            Question::Undefined => "undefined",
            Question::Races => "races",
            Question::Deadlocks => "deadlocks",
            Question::Leaks => "leaks",
        }
    }

    /// The question of this name.
    pub fn named(name: &str) -> Option<Question> {
        Question::ALL.into_iter().find(|question| question.name() == name)
    }

    /// What SAFE says.
    pub(crate) fn safe(self) -> &'static str {
        match self {
            Question::Assertions => "no error can be reached",
            Question::Memory => "no memory error can happen",
            Question::Overflow => "no signed arithmetic can overflow",
            Question::Undefined => "no behaviour can be undefined",
            Question::Races => "no data race can happen",
            Question::Deadlocks => "no deadlock can happen",
            Question::Leaks => "no memory can leak",
        }
    }
}

impl fmt::Display for Question {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
