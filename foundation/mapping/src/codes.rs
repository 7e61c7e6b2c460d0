//! Sets of subfield codes, and a fast hash for short keys.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A set of subfield codes. Nearly all codes are ASCII, for which membership is one bit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Codes {
    ascii: u128,
    others: Vec<char>,
}

impl Codes {
    pub fn is_empty(&self) -> bool {
        self.ascii == 0 && self.others.is_empty()
    }

    pub fn contains(&self, code: char) -> bool {
        if code.is_ascii() {
            self.ascii & bit(code) != 0
        } else {
            self.others.contains(&code)
        }
    }

    /// The set without the unwanted codes.
    pub fn without(mut self, unwanted: impl Fn(char) -> bool) -> Codes {
        let ascii = (0..128_u8).map(char::from).filter(|code| unwanted(*code));
        for code in ascii {
            self.ascii &= !bit(code);
        }
        self.others.retain(|code| !unwanted(*code));
        self
    }

    /// The codes in the set, ASCII first.
    pub fn iter(&self) -> impl Iterator<Item = char> {
        let ascii = (0..128_u8).map(char::from);
        let ascii = ascii.filter(|code| self.ascii & bit(*code) != 0);
        ascii.chain(self.others.iter().copied())
    }
}

impl FromIterator<char> for Codes {
    fn from_iter<T: IntoIterator<Item = char>>(codes: T) -> Codes {
        let mut set = Codes::default();
        for code in codes {
            if code.is_ascii() {
                set.ascii |= bit(code);
            } else if !set.others.contains(&code) {
                set.others.push(code);
            }
        }
        set
    }
}

fn bit(ascii: char) -> u128 {
    1 << (ascii as u32 & 127)
}

/// A map for keys of fixed lists or a tenant's settings. Records are only looked up in it and never
/// inserted, so a hash without a secret cannot be attacked with collisions.
pub(crate) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;

/// Multiplies and rotates, eight bytes at a time.
#[derive(Default)]
pub(crate) struct QuickHasher(u64);

impl QuickHasher {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for QuickHasher {
    fn finish(&self) -> u64 {
        // `HashMap` uses both the highest and the lowest bits.
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.add(
                word.iter()
                    .fold(0, |word, byte| word << 8 | u64::from(*byte)),
            );
        }
        let rest = words.remainder();
        self.add(
            rest.iter()
                .fold(rest.len() as u64, |word, byte| word << 8 | u64::from(*byte)),
        );
    }

    fn write_u8(&mut self, byte: u8) {
        self.add(u64::from(byte));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_put_in() {
        let set: Codes = "a0zéa".chars().collect();
        assert_eq!(set.iter().collect::<String>(), "0azé");
        assert!(set.contains('é') && set.contains('0') && !set.contains('b') && !set.contains('ü'));
        let less = set.without(|code| code.is_ascii_digit() || code == 'é');
        assert_eq!(less.iter().collect::<String>(), "az");
        assert!(Codes::default().is_empty() && !less.is_empty());
    }
}
