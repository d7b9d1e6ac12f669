//! The models of the benchmark, as `.rely` text. Every edge is one statement of
//! Promela (see `promela.rs`), so both tools see the same states.

use std::fmt::Write;

/// A model and its name.
pub struct Model {
    /// For the table.
    pub name: String,
    /// In the text form of `ccfa::text`.
    pub text: String,
}

/// All models, at sizes that take a second or so.
pub fn all() -> Vec<Model> {
    vec![
        filter(5),
        bakery(3, 60),
        philosophers(11),
        election(13),
        counters(5, 20),
        queue(2, 2, 4),
        workers(4, 20),
    ]
}

fn model(name: String, text: String) -> Model {
    Model { name, text }
}

/// `whole` with `part(k)` for each other thread `k`.
fn every(count: u32, joint: &str, part: impl Fn(u32) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(joint)
}

/// Peterson's algorithm for `n` processes (the filter lock).
fn filter(n: u32) -> Model {
    let alone = every(n, " && ", |k| format!("(me == {k} || level[{k}] < l)"));
    let text = format!(
        "shared level: u8[{n}] = 0
         shared last: u8[{n}] = 0
         template process(me: u8) {{
           local l: u8 = 0
           idle -> climb: l := 1
           climb -> enter: when l < {n} then level[me] := l
           enter -> wait: last[l] := me
           wait -> climb: when last[l] != me || ({alone}) then l := l + 1
           climb -> critical: when l == {n}
           critical -> idle: level[me] := 0, l := 0
         }}
         thread p[{n}] = process(index)"
    );
    model(format!("filter lock {n}"), text)
}

/// Lamport's bakery; who would need a ticket above `most` waits.
fn bakery(n: u32, most: u32) -> Model {
    let text = format!(
        "shared choosing: bool[{n}] = false
         shared number: u8[{n}] = 0
         template process(me: u8) {{
           local max: u8 = 0
           local k: u8 = 0
           idle -> look: choosing[me] := true
           look -> look: when k < {n} && number[k] > max then max := number[k], k := k + 1
           look -> look: when k < {n} && number[k] <= max then k := k + 1
           look -> chosen: when k == {n} && max < {most} then number[me] := max + 1
           look -> look: when k == {n} && max == {most} then k := 0, max := 0
           chosen -> wait: choosing[me] := false, k := 0, max := 0
           wait -> compare: when k < {n} && !choosing[k]
           compare -> wait: when number[k] == 0 || number[k] > number[me] || number[k] == number[me] && k >= me then k := k + 1
           wait -> critical: when k == {n}
           critical -> idle: number[me] := 0, k := 0
         }}
         thread p[{n}] = process(index)"
    );
    model(format!("bakery {n}, tickets {most}"), text)
}

/// Dining philosophers who all take their left fork first.
fn philosophers(n: u32) -> Model {
    let mut text = format!(
        "shared fork: bool[{n}] = false
         template philosopher(left: u8, right: u8) {{
           think -> hungry: when !fork[left] then fork[left] := true
           hungry -> eat: when !fork[right] then fork[right] := true
           eat -> full: fork[right] := false
           full -> think: fork[left] := false
         }}\n"
    );
    for k in 0..n {
        let _ = writeln!(text, "thread p{k} = philosopher({k}, {})", (k + 1) % n);
    }
    model(format!("philosophers {n}"), text)
}

/// Leader election of Chang and Roberts on a ring with one place per channel.
fn election(n: u32) -> Model {
    let mut text = format!(
        "shared channel: u8[{n}] = 0
         shared leader: u8 = 0
         template node(me: u8, in: u8, out: u8) {{
           local mail: u8 = 0
           start -> ready: when channel[out] == 0 then channel[out] := me
           ready -> forward: when channel[in] > me then mail := channel[in], channel[in] := 0
           ready -> ready: when channel[in] != 0 && channel[in] < me then channel[in] := 0
           ready -> leads: when channel[in] == me then channel[in] := 0
           forward -> ready: when channel[out] == 0 then channel[out] := mail, mail := 0
           leads -> done: leader := me
         }}\n"
    );
    for k in 0..n {
        let _ = writeln!(text, "thread p{k} = node({}, {k}, {})", (k * 5) % n + 1, (k + 1) % n);
    }
    model(format!("leader election {n}"), text)
}

/// Independent counters: nothing but states.
fn counters(n: u32, most: u32) -> Model {
    let text = format!(
        "shared x: u8[{n}] = 0
         template counter(me: u8) {{
           run -> run: x[me] := (x[me] + 1) % {most}
         }}
         thread p[{n}] = counter(index)"
    );
    model(format!("counters {n} x {most}"), text)
}

/// Producers and consumers around a ring buffer under a lock.
fn queue(producers: u32, consumers: u32, size: u32) -> Model {
    let text = format!(
        "shared buffer: u8[{size}] = 0
         shared head: u8 = 0
         shared used: u8 = 0
         shared lock: bool = false
         template producer(me: u8) {{
           local item: u8 = 0
           make -> take: item := (item + 1) % 3
           take -> inside: when !lock then lock := true
           inside -> leave: when used == {size}
           inside -> put: when used < {size} then buffer[(head + used) % {size}] := item * {producers} + me
           put -> done: used := used + 1
           leave -> take: lock := false
           done -> make: lock := false
         }}
         template consumer() {{
           local item: u8 = 0
           take -> inside: when !lock then lock := true
           inside -> leave: when used == 0
           inside -> got: when used > 0 then item := buffer[head], buffer[head] := 0
           got -> leave: head := (head + 1) % {size}, used := used - 1
           leave -> take: lock := false
         }}
         thread p[{producers}] = producer(index)
         thread c[{consumers}] = consumer()"
    );
    model(format!("queue {producers}+{consumers}, {size} places"), text)
}

/// Threads that work for themselves most of the time: what reduction is for.
fn workers(n: u32, steps: u32) -> Model {
    let text = format!(
        "shared lock: bool = false
         shared sum: u8 = 0
         template worker(me: u8) {{
           local i: u8 = 0
           work -> work: when i < {steps} then i := i + 1
           work -> take: when i == {steps} then i := 0
           take -> add: when !lock then lock := true
           add -> leave: sum := (sum + me) % 4
           leave -> work: lock := false
         }}
         thread w[{n}] = worker(index)"
    );
    model(format!("workers {n} x {steps}"), text)
}
