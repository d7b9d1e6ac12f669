//! What the paper reports: Table II of Wachter, Kroening and Ouaknine, "Verifying
//! multi-threaded software with Impact" (FMCAD 2013), for IMPARA 0.2 on a
//! machine of its time.

/// A program and what IMPARA did with it.
pub struct Row {
    /// The name of our version in `examples/impara`.
    pub program: &'static str,
    /// Is it safe?
    pub safe: bool,
    /// With sPOR, sPOR+FC, dPOR, dPOR+FC; nothing if it ran out of time.
    pub runs: [Option<Figures>; 4],
}

/// The figures of one run.
#[derive(Clone, Copy)]
pub struct Figures {
    /// Seconds.
    pub seconds: f64,
    /// Nodes of the tree.
    pub nodes: u64,
    /// Cover checks that a solver had to decide.
    pub implications: u64,
    /// Nodes that come from cover expansions, in percent; only dPOR has them.
    pub expansions: u64,
}

/// The nine programs for which the paper compares configurations.
pub const TABLE: [Row; 9] = [
    Row {
        program: "dekker",
        safe: true,
        runs: [ran(1.3, 7407, 9, 0), ran(0.2, 504, 8, 0), ran(0.1, 433, 3, 0), ran(0.1, 331, 2, 0)],
    },
    Row {
        program: "lamport",
        safe: true,
        runs: [
            ran(9.6, 36624, 223, 0),
            ran(1.0, 4740, 226, 0),
            ran(1.0, 7418, 149, 54),
            ran(0.3, 1700, 205, 13),
        ],
    },
    Row {
        program: "peterson",
        safe: true,
        runs: [
            ran(0.7, 3155, 55, 0),
            ran(0.1, 419, 89, 0),
            ran(0.3, 1081, 43, 0),
            ran(0.1, 199, 16, 0),
        ],
    },
    Row {
        program: "szymanski",
        safe: true,
        runs: [
            ran(2.3, 13332, 14, 0),
            ran(0.3, 1059, 5, 0),
            ran(0.2, 1264, 5, 0),
            ran(0.2, 673, 2, 0),
        ],
    },
    Row {
        program: "read_write_unsafe",
        safe: false,
        runs: [
            ran(5.4, 31786, 23, 0),
            ran(1.0, 7628, 119, 0),
            ran(1.6, 18261, 59, 0),
            ran(0.6, 4899, 53, 0),
        ],
    },
    Row {
        program: "read_write_safe",
        safe: true,
        runs: [
            ran(75.2, 109_096, 148, 0),
            ran(7.0, 12932, 1457, 0),
            ran(5.0, 36777, 129, 14),
            ran(0.9, 7065, 223, 15),
        ],
    },
    Row {
        program: "time_var_mutex",
        safe: true,
        runs: [ran(0.2, 867, 4, 0), ran(0.2, 867, 6, 0), ran(0.2, 435, 3, 0), ran(0.1, 252, 1, 0)],
    },
    Row {
        program: "stack_unsafe",
        safe: false,
        runs: [None, None, ran(3.1, 2589, 717, 0), ran(0.5, 424, 81, 0)],
    },
    Row { program: "stack_safe", safe: true, runs: [None, None, None, ran(38.8, 2037, 4420, 0)] },
];

const fn ran(seconds: f64, nodes: u64, implications: u64, expansions: u64) -> Option<Figures> {
    Some(Figures { seconds, nodes, implications, expansions })
}
