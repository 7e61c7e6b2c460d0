//! The functions of templates: values generated at every rendering.

use std::time::Duration;

use jiff::Timestamp;
use rand::Rng;
use rand::rngs::SmallRng;

use super::template::{Encoding, encode};
use crate::duration;

/// The most letters of one call.
const LETTERS_MAX: usize = 10_000;
/// The most texts to pick from.
const PICKS_MAX: usize = 1_000;

/// A value generated at every rendering.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Function {
    /// A random UUID.
    Uuid,
    /// The time in UTC with milliseconds, shifted.
    Time { shift: i64 },
    /// The time in UTC on a twelve-hour clock without AM or PM, as some JMeter plans write it.
    TwelveHourTime,
    /// A whole number, both ends included.
    Random { low: i64, high: i64 },
    /// Random lower-case letters.
    Letters(usize),
    /// One of several texts, already encoded.
    Pick(Vec<Vec<u8>>),
}

/// The functions, for messages.
pub(super) const KNOWN: &str = "uuid(), time(), time(+60s), time_12h(), random(1,100), letters(5), \
                                pick(a,b,c), and in bodies raw(variable), times(100) … end()";

impl Function {
    /// Parses `name(arguments)`; `None` when there is no such function or its arguments are wrong.
    pub(super) fn parse(text: &str, encoding: Encoding) -> Option<Self> {
        let (name, rest) = text.split_once('(')?;
        let arguments = rest.strip_suffix(')')?;
        match (name, arguments) {
            ("uuid", "") => Some(Function::Uuid),
            ("time", "") => Some(Function::Time { shift: 0 }),
            ("time", shift) => time(shift),
            ("time_12h", "") => Some(Function::TwelveHourTime),
            ("random", range) => {
                let (low, high) = range.split_once(',')?;
                let (low, high) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
                (low <= high).then_some(Function::Random { low, high })
            }
            ("letters", count) => {
                let count = count.trim().parse().ok()?;
                (1..=LETTERS_MAX)
                    .contains(&count)
                    .then_some(Function::Letters(count))
            }
            ("pick", "") => None,
            ("pick", texts) => {
                let texts = texts.split(',').map(|text| {
                    let mut bytes = Vec::new();
                    encode(text.trim(), encoding, &mut bytes);
                    bytes
                });
                let texts: Vec<_> = texts.take(PICKS_MAX + 1).collect();
                (texts.len() <= PICKS_MAX).then_some(Function::Pick(texts))
            }
            _ => None,
        }
    }

    /// Appends a new value to `out`.
    pub(super) fn write(&self, random: &mut SmallRng, out: &mut Vec<u8>) {
        match self {
            Function::Uuid => {
                let id = uuid::Builder::from_random_bytes(random.random()).into_uuid();
                let mut text = uuid::Uuid::encode_buffer();
                out.extend_from_slice(id.hyphenated().encode_lower(&mut text).as_bytes());
            }
            Function::Time { shift } => {
                let shift = jiff::SignedDuration::from_millis(*shift);
                let now = Timestamp::now();
                let time = now.checked_add(shift).unwrap_or(now);
                write_time(time, "%Y-%m-%dT%H:%M:%S%.3fZ", out);
            }
            Function::TwelveHourTime => write_time(Timestamp::now(), "%Y-%m-%dT%I:%M:%SZ", out),
            Function::Random { low, high } => {
                let number = random.random_range(*low..=*high);
                out.extend_from_slice(number.to_string().as_bytes());
            }
            Function::Letters(count) => {
                out.extend((0..*count).map(|_| random.random_range(b'a'..=b'z')));
            }
            Function::Pick(texts) => {
                let text = &texts[random.random_range(0..texts.len())];
                out.extend_from_slice(text);
            }
        }
    }
}

fn time(shift: &str) -> Option<Function> {
    let (sign, length) = match (shift.strip_prefix('+'), shift.strip_prefix('-')) {
        (Some(length), _) => (1, length),
        (_, Some(length)) => (-1, length),
        _ => return None,
    };
    let length: Duration = duration::parse(length).ok()?;
    let millis = i64::try_from(length.as_millis()).ok()?;
    Some(Function::Time {
        shift: sign * millis,
    })
}

fn write_time(time: Timestamp, format: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(time.strftime(format).to_string().as_bytes());
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::SeedableRng;

    use super::*;

    fn values(text: &str, encoding: Encoding) -> BTreeSet<String> {
        let function = Function::parse(text, encoding).unwrap();
        let mut random = SmallRng::seed_from_u64(3);
        let value = |_| {
            let mut out = Vec::new();
            function.write(&mut random, &mut out);
            String::from_utf8(out).unwrap()
        };
        (0..200).map(value).collect()
    }

    #[test]
    fn random_values_stay_in_their_bounds_and_reach_them() {
        let numbers = values("random(-1, 2)", Encoding::Json);
        assert_eq!(numbers.into_iter().collect::<Vec<_>>().len(), 4);
        assert_eq!(values("random(7,7)", Encoding::Json).len(), 1);
        let words = values("letters(5)", Encoding::Json);
        assert!(words.len() > 190);
        assert!(words.iter().all(|word| word.len() == 5));
        let picked = values("pick(a b, \"c\")", Encoding::Query);
        assert_eq!(picked.into_iter().collect::<Vec<_>>(), ["%22c%22", "a+b"]);
    }

    #[test]
    fn what_takes_other_arguments_is_no_function() {
        for text in [
            "random(5)",
            "random(9,1)",
            "random(a,b)",
            "letters(0)",
            "letters(99999)",
            "letters(-1)",
            "pick()",
            "uuid(1)",
            "time(60s)",
            "nothing()",
            "uuid(",
        ] {
            assert_eq!(Function::parse(text, Encoding::Json), None, "{text}");
        }
    }
}
