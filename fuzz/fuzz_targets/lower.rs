//! The whole front end: any text gives a complaint or a good model. Half of the
//! mutations are those of `mutate.rs`, half are libFuzzer's own.
#![no_main]

#[path = "../mutate.rs"]
mod mutate;
#[path = "../oracle.rs"]
mod oracle;

use ccfa::random::Rng;
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use oracle::Outcome;

fuzz_target!(|text: &str| {
    if let Outcome::Wrong(what) = oracle::judge_model(text, &oracle::options(text.len() as u64)) {
        panic!("{what}");
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut rng = Rng::new(u64::from(seed));
    let mut tokens = mutate::tokens(&String::from_utf8_lossy(&data[..size]));
    if tokens.is_empty() || rng.one_in(2) {
        return fuzzer_mutate(data, size, max_size);
    }
    let seeds = [tokens.clone()];
    mutate::change(&mut tokens, &seeds, &mut rng);
    let text = mutate::text(&tokens);
    let size = text.len().min(max_size);
    data[..size].copy_from_slice(&text.as_bytes()[..size]);
    size
});
