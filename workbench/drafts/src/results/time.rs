//! Times in the formats of the tools: numbers since 1970 in seconds to nanoseconds, or dates.

/// Milliseconds since 1970.
pub(super) fn millis(text: &str) -> Option<i64> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let number: i64 = text.parse().ok()?;
        // The number of digits shows the unit, for runs of this century.
        return Some(match text.len() {
            0..=11 => number.checked_mul(1000)?,
            12..=14 => number,
            15..=17 => number / 1000,
            _ => number / 1_000_000,
        });
    }
    if let Ok(time) = text.parse::<jiff::Timestamp>() {
        return Some(time.as_millisecond());
    }
    // JMeter's own formats have no time zone; only differences are computed from them.
    let text = text.replace('/', "-");
    let time: jiff::civil::DateTime = text.parse().ok()?;
    let time = time.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    Some(time.timestamp().as_millisecond())
}

/// Microseconds from a decimal number of milliseconds.
pub(super) fn micros(milliseconds: f64) -> Option<u64> {
    let is_time = milliseconds.is_finite() && (0.0..1e12).contains(&milliseconds);
    is_time.then(|| (milliseconds * 1000.0).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_all_their_units() {
        for text in [
            "1700000000",
            "1700000000000",
            "1700000000000000",
            "1700000000000000000",
            "2023-11-14T22:13:20Z",
            "2023-11-14T23:13:20+01:00",
            "2023/11/14 22:13:20.000",
            "2023-11-14 22:13:20",
        ] {
            assert_eq!(millis(text), Some(1_700_000_000_000), "{text}");
        }
        assert_eq!(millis("soon"), None);
        assert_eq!(micros(1.5), Some(1500));
        assert_eq!(micros(-1.0), None);
    }
}
