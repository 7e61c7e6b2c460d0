//! How far a server's log has come: the measure by which a replica is old or new enough.

use std::fmt;
use std::str::FromStr;

/// A place in the write-ahead log, in bytes from its beginning; PostgreSQL writes it `16/B374D848`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lsn(pub u64);

/// A place in the log of one timeline. A server that was promoted begins a new timeline: from
/// there on its places say nothing about those of servers that did not follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The timeline's number.
    pub timeline: u32,
    /// The place.
    pub lsn: Lsn,
}

/// A text is no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a position in the log, which is written 16/B374D848, or 1:16/B374D848 with its timeline"
)]
pub struct NotAPosition;

impl Lsn {
    /// Bytes from `earlier` to here; none when that one is further.
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
            // `from_str_radix` takes a sign too.
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
