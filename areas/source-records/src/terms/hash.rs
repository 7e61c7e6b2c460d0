//! The hash of values: SipHash-2-4 with a fixed key. Hashes are stored, so the function must never
//! change.

const KEY: [u64; 2] = [0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908];

/// The term of a value; negative, so that it never equals a packed one.
pub(super) fn hashed(kind: u8, tag: &str, code: char, text: &str) -> i64 {
    let mut hasher = Sip::new();
    hasher.write(&[kind]);
    hasher.write(tag.as_bytes());
    hasher.write(code.encode_utf8(&mut [0; 4]).as_bytes());
    hasher.write(&[0]);
    hasher.write(text.as_bytes());
    hasher.finish().cast_signed() | i64::MIN
}

struct Sip {
    state: [u64; 4],
    tail: u64,
    length: usize,
}

impl Sip {
    fn new() -> Sip {
        Sip {
            state: [
                KEY[0] ^ 0x736f_6d65_7073_6575,
                KEY[1] ^ 0x646f_7261_6e64_6f6d,
                KEY[0] ^ 0x6c79_6765_6e65_7261,
                KEY[1] ^ 0x7465_6462_7974_6573,
            ],
            tail: 0,
            length: 0,
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.tail |= u64::from(*byte) << (8 * (self.length % 8));
            self.length += 1;
            if self.length.is_multiple_of(8) {
                let word = std::mem::take(&mut self.tail);
                self.word(word);
            }
        }
    }

    fn word(&mut self, word: u64) {
        self.state[3] ^= word;
        self.round();
        self.round();
        self.state[0] ^= word;
    }

    fn round(&mut self) {
        let [a, b, c, d] = &mut self.state;
        *a = a.wrapping_add(*b);
        *b = b.rotate_left(13) ^ *a;
        *a = a.rotate_left(32);
        *c = c.wrapping_add(*d);
        *d = d.rotate_left(16) ^ *c;
        *a = a.wrapping_add(*d);
        *d = d.rotate_left(21) ^ *a;
        *c = c.wrapping_add(*b);
        *b = b.rotate_left(17) ^ *c;
        *c = c.rotate_left(32);
    }

    fn finish(mut self) -> u64 {
        let last = self.tail | (self.length as u64) << 56;
        self.word(last);
        self.state[2] ^= 0xff;
        for _ in 0..4 {
            self.round();
        }
        self.state.iter().fold(0, |all, part| all ^ part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_siphash() {
        // The published vectors: this key, and the bytes 0, 1, 2 …
        let of = |length: u8| {
            let mut hasher = Sip::new();
            hasher.write(&(0..length).collect::<Vec<u8>>());
            hasher.finish()
        };
        assert_eq!(of(0), 0x726f_db47_dd0e_0e31);
        assert_eq!(of(7), 0xab02_00f5_8b01_d137);
        assert_eq!(of(8), 0x93f5_f579_9a93_2462);
        assert_eq!(of(15), 0xa129_ca61_49be_45e5);
    }
}
