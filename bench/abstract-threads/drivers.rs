//! The two drivers of the paper as models in text form: one thread that unloads the
//! driver and some workers, as they are or as their abstract threads. (The C programs
//! in `examples/abstract-threads` say in words what is going on.)

/// A driver.
pub struct Driver {
    pub name: &'static str,
    shared: &'static str,
    unload: &'static str,
    worker: &'static str,
    abstract_worker: &'static str,
}

impl Driver {
    /// The program of so many threads, one of which unloads. The other template of the
    /// worker is there as well, but no thread runs it.
    pub fn text(&self, threads: usize, abstractly: bool) -> String {
        let Driver { shared, unload, worker, abstract_worker, .. } = self;
        let workers = match (threads - 1, abstractly) {
            (0, _) => String::new(),
            (count, true) => format!("thread w[{count}] = abstract_worker()"),
            (count, false) => format!("thread w[{count}] = worker()"),
        };
        format!("{shared}\n{unload}\n{worker}\n{abstract_worker}\nthread u = unload()\n{workers}\n")
    }
}

pub const DRIVERS: [Driver; 2] = [
    Driver {
        name: "bluetooth",
        shared: "shared pending: u8 = 1 shared stopping: u1 = 0 shared stop_event: u1 = 0 shared freed: u1 = 0",
        unload: "template unload() {
            loaded -> stopping_: stopping := 1
            stopping_ -> last: when pending == 1 then pending := 0
            stopping_ -> waiting: when pending != 1 then pending := pending - 1
            last -> waiting: stop_event := 1
            waiting -> free: when stop_event == 1
            free -> gone: freed := 1
        }",
        worker: "template worker() {
            local status: u1 = 0
            idle -> entered: pending := pending + 1
            entered -> checked: when stopping == 0 then status := 1
            entered -> checked: when stopping == 1 then status := 0
            checked -> bad: when status == 1 && freed == 1
            checked -> out: when status == 1 && freed == 0
            checked -> out: when status == 0
            out -> last: when pending == 1 then pending := 0
            out -> gone: when pending != 1 then pending := pending - 1
            last -> gone: stop_event := 1
            error bad: \"freed\"
        }",
        abstract_worker: "template abstract_worker() {
            Idle -> Busy: pending := pending + 1
            Busy -> Working: when stopping == 0
            Working -> bad: when freed == 1
            Working -> Busy: when freed == 0
            Busy -> Last: when pending == 1 then pending := 0
            Busy -> Gone: when pending != 1 then pending := pending - 1
            Last -> Gone: stop_event := 1
            error bad: \"freed\"
        }",
    },
    Driver {
        name: "battery",
        shared: "shared requests: u8 = 0 shared in_use: u8 = 2 shared queued: u8 = 0 \
                 shared want: u1 = 0 shared ready: u1 = 0 shared freed: u1 = 0",
        unload: "template unload() {
            plug -> wanted: want := 1
            wanted -> first: when requests == 0 then requests := 1
            wanted -> release: when requests != 0 then requests := requests + 1
            first -> release: queued := queued + 1
            first -> release: when in_use == 1 then in_use := 0, ready := 1
            first -> release: when in_use != 1 then in_use := in_use - 1
            release -> free: when in_use == 1 then in_use := 0, ready := 1
            release -> wait: when in_use != 1 then in_use := in_use - 1
            wait -> free: when ready == 1
            free -> gone: freed := 1
        }",
        worker: "template worker() {
            local i: u8 = 0
            waiting -> work: when 0 < queued then queued := queued - 1
            work -> bad: when freed == 1
            work -> leave: when freed == 0 && want == 1
            work -> choose: when freed == 0 && want == 0
            leave -> bad: when freed == 1
            leave -> gone: when freed == 0 && in_use == 1 then in_use := 0, ready := 1
            leave -> gone: when freed == 0 && in_use != 1 then in_use := in_use - 1
            choose -> done
            choose -> bad: when freed == 1
            choose -> use: when freed == 0 then in_use := in_use + 1
            use -> bad: when freed == 1
            use -> done: when freed == 0 && in_use == 1 then in_use := 0, ready := 1
            use -> done: when freed == 0 && in_use != 1 then in_use := in_use - 1
            done -> bad: when freed == 1
            done -> counted: when freed == 0 then i := requests - 1, requests := requests - 1
            counted -> gone: when i == 0
            counted -> work: when i == 1 then i := 0
            counted -> reset: when 1 < i then i := 0
            reset -> bad: when freed == 1
            reset -> work: when freed == 0 then requests := 1
            error bad: \"freed\"
        }",
        abstract_worker: "template abstract_worker() {
            Waiting -> Work: when 0 < queued then queued := queued - 1
            Work -> bad: when freed == 1
            Work -> Gone: when freed == 0 && in_use == 1 then in_use := 0, ready := 1
            Work -> Gone: when freed == 0 && in_use != 1 then in_use := in_use - 1
            Work -> Use: when freed == 0 then in_use := in_use + 1
            Use -> bad: when freed == 1
            Use -> Work: when freed == 0 && in_use == 1 then in_use := 0, ready := 1
            Use -> Work: when freed == 0 && in_use != 1 then in_use := in_use - 1
            Work -> Gone: when freed == 0 && requests == 1 then requests := 0
            Work -> Work: when freed == 0 && requests != 1 then requests := requests - 1
            Work -> Work: when freed == 0 then requests := 1
            error bad: \"freed\"
        }",
    },
];

/// The paper's seconds by number of threads (from 1), with SPIN, for the concrete and
/// for the abstract program: its tables in Section 4.
pub const PAPER: [(&str, [&str; 11], [&str; 11]); 2] = [
    (
        "bluetooth",
        [
            "0", "0", "0", "0.0225", "0.1833", "1.56", "19.26", "158.66", "memory", "memory",
            "memory",
        ],
        ["0", "0", "0", "0", "0.018", "0.12", "0.314", "1.246", "5.812", "39.04", "190.6"],
    ),
    (
        "battery",
        ["0", "0", "0.08", "1.042", "7.564", "54.28", "242.4", "929", "time", "time", "-"],
        ["0", "0", "0", "0", "0.11", "0.51", "1.3", "3.29", "7.49", "19.2", "-"],
    ),
];
