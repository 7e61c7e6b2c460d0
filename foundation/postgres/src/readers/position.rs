//! Positions in a server's log (WAL): the measure of how current a replica is.

use std::fmt;
use std::str::FromStr;

/// A log sequence number: bytes from the beginning of the log; PostgreSQL writes it `16/B374D848`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lsn(pub u64);

/// A position in the log of one timeline. A promoted server begins a new timeline, whose positions
/// cannot be compared with those of servers that did not follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub timeline: u32,
    pub lsn: Lsn,
}

/// The error of a text that is not a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a position in the log, which is written 16/B374D848, or 1:16/B374D848 with its timeline"
)]
pub struct NotAPosition;

impl Lsn {
    /// Bytes from `earlier` to here; 0 when `earlier` is further.
    #[must_use]
    pub fn since(self, earlier: Lsn) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl fmt::Display for Lsn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:X}/{:X}", self.0 >> 32, self.0 & 0xFFFF_FFFF)
    }
}

impl FromStr for Lsn {
    type Err = NotAPosition;

    fn from_str(text: &str) -> Result<Lsn, NotAPosition> {
        let half = |digits: &str| {
            let fits = (1..=8).contains(&digits.len());
            // `from_str_radix` accepts a sign too.
            let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !fits || !plain {
                return Err(NotAPosition);
            }
            u64::from_str_radix(digits, 16).map_err(|_| NotAPosition)
        };
        let (high, low) = text.split_once('/').ok_or(NotAPosition)?;
        Ok(Lsn(half(high)? << 32 | half(low)?))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.timeline, self.lsn)
    }
}

impl FromStr for Position {
    type Err = NotAPosition;

    fn from_str(text: &str) -> Result<Position, NotAPosition> {
        let (timeline, lsn) = text.split_once(':').ok_or(NotAPosition)?;
        if !timeline.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NotAPosition);
        }
        Ok(Position {
            timeline: timeline.parse().map_err(|_| NotAPosition)?,
            lsn: lsn.parse()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_written_as_postgresql_writes_them() {
        for (text, bytes) in [
            ("0/0", 0),
            ("0/16B3748", 0x016B_3748),
            ("16/B374D848", 0x16_B374_D848),
            ("FFFFFFFF/FFFFFFFF", u64::MAX),
        ] {
            assert_eq!(text.parse(), Ok(Lsn(bytes)), "{text}");
            assert_eq!(Lsn(bytes).to_string(), text);
        }
        assert_eq!("0/16b3748".parse(), Ok(Lsn(0x016B_3748)));
    }

    #[test]
    fn whatever_else_a_client_sends_is_no_position() {
        for text in [
            "",
            "0",
            "1:0",
            "/",
            "1:/",
            ":0/0",
            "+1:0/0",
            "1:+0/0",
            "1:0/-1",
            "1:0/123456789",
            "1:0/0/0",
            "4294967296:0/0",
            "1:0/G",
            "1:0/0 ",
            "1:0/é",
        ] {
            assert_eq!(text.parse::<Position>(), Err(NotAPosition), "{text:?}");
        }
        let position: Position = "12:A/FF".parse().unwrap();
        assert_eq!(position.timeline, 12);
        assert_eq!(position.to_string(), "12:A/FF");
    }
}
