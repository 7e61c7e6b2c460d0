//! Durations as typed: `500ms`, `10s`, `2m`, `1h30m`, or plain seconds.

use std::time::Duration;

/// The longest duration accepted: a year, far beyond any run and far from overflow.
const SECONDS_MAX: u64 = 366 * 24 * 3600;

/// Why a text is not a duration.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{0}` is not a duration; write 500ms, 10s, 2m, 1h30m or plain seconds, up to a year")]
pub struct DurationError(String);

/// Parses a duration.
///
/// # Errors
/// When a number or a unit is missing or unknown, or the sum exceeds a year.
pub fn parse(text: &str) -> Result<Duration, DurationError> {
    let fail = || DurationError(text.to_owned());
    if let Ok(seconds) = text.parse::<u64>() {
        return bounded(Duration::from_secs(seconds.min(u64::MAX / 2))).ok_or_else(fail);
    }
    let mut total = Duration::ZERO;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest
            .find(|letter: char| !letter.is_ascii_digit())
            .ok_or_else(fail)?;
        let number: u32 = rest[..digits].parse().map_err(|_| fail())?;
        let after = &rest[digits..];
        let unit_end = after
            .find(|letter: char| letter.is_ascii_digit())
            .unwrap_or(after.len());
        let unit = match &after[..unit_end] {
            "ms" => Duration::from_millis(1),
            "s" => Duration::from_secs(1),
            "m" => Duration::from_secs(60),
            "h" => Duration::from_secs(3600),
            _ => return Err(fail()),
        };
        let part = unit.checked_mul(number).ok_or_else(fail)?;
        total = total.checked_add(part).and_then(bounded).ok_or_else(fail)?;
        rest = &after[unit_end..];
    }
    if text.is_empty() {
        Err(fail())
    } else {
        Ok(total)
    }
}

fn bounded(duration: Duration) -> Option<Duration> {
    (duration.as_secs() <= SECONDS_MAX).then_some(duration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_type() {
        let check =
            |text, millis| assert_eq!(parse(text), Ok(Duration::from_millis(millis)), "{text}");
        check("500ms", 500);
        check("10s", 10_000);
        check("1h30m", 5_400_000);
        check("45", 45_000);
        check("0", 0);
        for text in [
            "",
            "s",
            "10x",
            "-1s",
            "1.5s",
            "99999999999999999999",
            "4294967295h",
            "ſ",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
