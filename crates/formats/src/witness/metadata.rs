//! What a witness says of itself: which program it is about, when it was made, by whom.

use crate::run::RunData;

/// What was verified, as witnesses have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The SHA-256 hash of each file, in the order of the files.
    pub hashes: Vec<String>,
    /// The text of the property, if one was given.
    pub specification: Option<String>,
    /// The time of the witness, in seconds since the beginning of 1970, in UTC.
    pub created: u64,
}

/// The time as ISO 8601 has it.
pub fn time(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day of a day, counted from the beginning of 1970.
fn date(days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut left) = (1970, days);
    while left >= 365 + u64::from(is_leap(year)) {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    (year, month, left + 1)
}

/// An identifier of this witness in the form of RFC 4122: the time and the files make it one of its own.
pub fn uuid(run: &RunData, task: &Task) -> String {
    let hash = sha256(format!("{run:?}{task:?}").as_bytes());
    let variant = ["8", "9", "a", "b"][usize::from(hash.as_bytes()[16]) % 4];
    [
        &hash[..8],
        &hash[8..12],
        &format!("4{}", &hash[13..16]),
        &format!("{variant}{}", &hash[17..20]),
        &hash[20..32],
    ]
    .join("-")
}

/// The SHA-256 hash (FIPS 180-4) of some bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    let primes = || (2u128..).filter(|n| (2..*n).all(|divisor| n % divisor != 0));
    // The first 32 bits of the fractions of square and cube roots of the first primes.
    let mut state: Vec<u32> = primes().take(8).map(|prime| (prime << 64).isqrt() as u32).collect();
    let rounds: Vec<u32> = primes().take(64).map(|prime| cube_root(prime << 96) as u32).collect();
    let mut message = bytes.to_vec();
    message.push(0x80);
    message.resize((message.len() + 8).next_multiple_of(64) - 8, 0);
    message.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in message.chunks(64) {
        let word = |four: &[u8]| u32::from_be_bytes([four[0], four[1], four[2], four[3]]);
        compress(&mut state, &rounds, block.chunks(4).map(word).collect());
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

fn compress(state: &mut [u32], rounds: &[u32], mut words: Vec<u32>) {
    for n in 16..64 {
        let (early, late) = (words[n - 15], words[n - 2]);
        let first = early.rotate_right(7) ^ early.rotate_right(18) ^ (early >> 3);
        let second = late.rotate_right(17) ^ late.rotate_right(19) ^ (late >> 10);
        words.push(
            words[n - 16].wrapping_add(first).wrapping_add(words[n - 7]).wrapping_add(second),
        );
    }
    let mut now = [0; 8];
    now.copy_from_slice(state);
    for (word, round) in words.iter().zip(rounds) {
        let [a, b, c, d, e, f, g, h] = now;
        let sum = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let one = [h, sum, choice, *round, *word].into_iter().fold(0, u32::wrapping_add);
        let sum = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        now = [one.wrapping_add(sum).wrapping_add(majority), a, b, c, d.wrapping_add(one), e, f, g];
    }
    state.iter_mut().zip(now).for_each(|(word, more)| *word = word.wrapping_add(more));
}

/// The largest number whose cube is not larger.
fn cube_root(of: u128) -> u128 {
    let mut root = 0;
    for bit in (0..42).rev() {
        let larger: u128 = root | 1 << bit;
        if larger * larger * larger <= of {
            root = larger;
        }
    }
    root
}

#[cfg(test)]
mod tests {
    use super::{sha256, time};

    #[test]
    fn hashes() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let long = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
        assert_eq!(sha256(b""), empty);
        assert_eq!(sha256(b"abc"), abc);
        assert_eq!(sha256(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), long);
        let lengths: String = (0..200).map(|n| sha256(&vec![b'a'; n])).collect();
        let of_lengths = "019f2b9f1af27a53a1f046da7e98af2c179f431e4b5bebb000e74040917a4123";
        assert_eq!(sha256(lengths.as_bytes()), of_lengths);
        let million = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
        assert_eq!(sha256(&vec![b'a'; 1_000_000]), million);
    }

    #[test]
    fn times() {
        assert_eq!(time(0), "1970-01-01T00:00:00Z");
        assert_eq!(time(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(time(1_709_251_199), "2024-02-29T23:59:59Z");
        assert_eq!(time(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
