//! The leader: a record's first 24 bytes.

use std::fmt;

/// A record's leader: always 24 printable ASCII characters.
///
/// Lengths and addresses in it are those of the source; writers compute them anew.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Leader([u8; Leader::LENGTH]);

impl Leader {
    /// Bytes in a leader.
    pub const LENGTH: usize = 24;

    /// Makes a leader from bytes: cut or padded to 24, with a blank for what is not printable
    /// ASCII.
    pub fn from_bytes(bytes: &[u8]) -> Leader {
        let mut leader = [b' '; Leader::LENGTH];
        for (place, &byte) in leader.iter_mut().zip(bytes) {
            if byte.is_ascii_graphic() {
                *place = byte;
            }
        }
        Leader(leader)
    }

    /// The leader as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("invariant: a leader is ASCII")
    }

    /// The leader's bytes.
    pub fn as_bytes(&self) -> &[u8; Leader::LENGTH] {
        &self.0
    }

    /// The character at a position from 0 to 23; a blank beyond.
    pub fn at(&self, position: usize) -> char {
        self.0.get(position).map_or(' ', |&byte| char::from(byte))
    }

    /// Sets the character at a position. Anything but printable ASCII and any position beyond 23 is
    /// ignored.
    pub fn set(&mut self, position: usize, character: char) {
        if let Some(place) = self.0.get_mut(position)
            && (character == ' ' || character.is_ascii_graphic())
        {
            *place = character as u8;
        }
    }

    /// Position 5, the record's status: `d` is a deleted record.
    pub fn status(&self) -> char {
        self.at(5)
    }

    /// Position 6, the type of record: `a` is language material.
    pub fn record_type(&self) -> char {
        self.at(6)
    }

    /// Position 7, the bibliographic level: `m` is a monograph, `s` a serial.
    pub fn bibliographic_level(&self) -> char {
        self.at(7)
    }

    /// Whether position 9 declares Unicode.
    pub fn is_unicode(&self) -> bool {
        self.at(9) == 'a'
    }

    /// Declares Unicode in position 9.
    pub(crate) fn set_unicode(&mut self) {
        self.set(9, 'a');
    }

    /// Writes a number, zero-filled, over the digits from `position` on.
    pub(crate) fn set_number(&mut self, position: usize, digits: usize, number: usize) {
        let mut rest = number;
        for place in self.0[position..position + digits].iter_mut().rev() {
            *place = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
    }

    /// The declared length of the record, if it is a number.
    pub(crate) fn record_length(&self) -> Option<usize> {
        decimal(&self.0[..5])
    }
}

impl Default for Leader {
    /// A new monograph in Unicode, with unknown lengths.
    fn default() -> Leader {
        Leader(*b"00000nam a2200000   4500")
    }
}

impl fmt::Display for Leader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Leader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Leader({:?})", self.as_str())
    }
}

/// The number that these digits spell; callers pass five at most.
pub(crate) fn decimal(bytes: &[u8]) -> Option<usize> {
    bytes.iter().try_fold(0, |number: usize, byte| {
        byte.is_ascii_digit()
            .then(|| number * 10 + usize::from(byte - b'0'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_any_kind_make_a_leader() {
        assert_eq!(Leader::from_bytes(b"12").as_str(), format!("12{:22}", ""));
        assert_eq!(Leader::from_bytes(&[0xFF; 40]).as_str(), " ".repeat(24));
    }

    #[test]
    fn numbers_are_zero_filled() {
        let mut leader = Leader::default();
        leader.set_number(0, 5, 714);
        assert_eq!(leader.as_str(), "00714nam a2200000   4500");
        assert_eq!(leader.record_length(), Some(714));
    }
}
