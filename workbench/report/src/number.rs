//! Numbers for readers: with thousands separators, significant digits and units.

/// An integer with thousands separators.
pub fn whole(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with so many decimals and thousands separators; `–` for NaN.
pub fn fixed(number: f64, decimals: usize) -> String {
    if !number.is_finite() {
        return "–".to_owned();
    }
    let text = format!("{:.decimals$}", number.abs());
    let (integer, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let integer = integer.parse().map_or(integer.to_owned(), whole);
    let sign = match number < 0.0 && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) {
        true => "−",
        false => "",
    };
    format!("{sign}{integer}{rest}")
}

/// How many decimals times of this magnitude need, in ms: three digits in all, and two decimals at
/// most.
pub fn decimals(smallest: f64) -> usize {
    match smallest {
        small if small < 10.0 => 2,
        middle if middle < 100.0 => 1,
        _ => 0,
    }
}

/// A time in ms, in sentences: `12.3 ms`, `1.25 s`.
pub fn time(ms: f64) -> String {
    match ms {
        ms if ms >= 10_000.0 => format!("{} s", fixed(ms / 1000.0, 1)),
        ms => format!("{} ms", fixed(ms, decimals(ms))),
    }
}

/// A number of any size with three or more significant digits.
pub fn plain(number: f64) -> String {
    let decimals = match number.abs() {
        entire if entire.fract() == 0.0 => 0,
        tiny if tiny < 0.1 => 3,
        small if small < 10.0 => 2,
        middle if middle < 100.0 => 1,
        _ => 0,
    };
    fixed(number, decimals)
}

/// A change with its sign: `+12.3 %`.
pub fn change(per_cent: f64) -> String {
    if !per_cent.is_finite() {
        return "–".to_owned();
    }
    format!("{} %", signed(per_cent, 1))
}

/// A number with its sign, also when it is positive.
pub fn signed(number: f64, decimals: usize) -> String {
    let text = fixed(number, decimals);
    match number > 0.0 {
        true => format!("+{text}"),
        false => text,
    }
}

/// A share as per cent: `0.02 %`, `12 %`.
pub fn share(part: u64, of: u64) -> String {
    if part == 0 || of == 0 {
        return "0 %".to_owned();
    }
    let per_cent = 100.0 * part as f64 / of as f64;
    match per_cent {
        tiny if tiny < 0.01 => "< 0.01 %".to_owned(),
        // A part must not look like the whole.
        nearly if nearly > 99.99 && part < of => "> 99.99 %".to_owned(),
        other => format!("{} %", fixed(other, if other < 10.0 { 2 } else { 1 })),
    }
}

/// Bytes: `12.3 MB`, by thousands.
pub fn bytes(bytes: f64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"];
    let mut value = bytes;
    let mut at = 0;
    while value.abs() >= 1000.0 && at + 1 < units.len() {
        value /= 1000.0;
        at += 1;
    }
    let text = if at == 0 {
        fixed(value, 0)
    } else {
        plain(value)
    };
    format!("{text} {}", units[at])
}

/// A duration: `45 s`, `5 min`, `1 h 30 min`.
pub fn length(seconds: f64) -> String {
    if seconds < 90.0 {
        return match seconds.fract().abs() < 0.05 {
            true => format!("{} s", fixed(seconds, 0)),
            false => format!("{} s", fixed(seconds, 1)),
        };
    }
    let whole_s = seconds.round() as u64;
    let (hours, minutes, rest) = (whole_s / 3600, whole_s / 60 % 60, whole_s % 60);
    let mut parts = Vec::new();
    for (number, unit) in [(hours, "h"), (minutes, "min"), (rest, "s")] {
        // In a run of hours, seconds are left out.
        if number > 0 && !(unit == "s" && hours > 0) {
            parts.push(format!("{number} {unit}"));
        }
    }
    parts.join(" ")
}

/// A moment of a run in hours, minutes and seconds: `1:05:00`.
pub fn moment(seconds: f64) -> String {
    let whole_s = seconds.round().max(0.0) as u64;
    let (hours, minutes, rest) = (whole_s / 3600, whole_s / 60 % 60, whole_s % 60);
    format!("{hours}:{minutes:02}:{rest:02}")
}

/// "1 request", "2 requests".
pub fn counted(number: u64, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{} {what}s", whole(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(
            (whole(999), whole(1_234_567)),
            ("999".into(), "1,234,567".into())
        );
        assert_eq!(fixed(-1234.567, 1), "−1,234.6");
        assert_eq!(fixed(-0.001, 1), "0.0");
        assert_eq!(fixed(f64::NAN, 1), "–");
        assert_eq!(
            (time(3.456), time(45.67), time(456.7)),
            ("3.46 ms".into(), "45.7 ms".into(), "457 ms".into())
        );
        assert_eq!(time(12_345.0), "12.3 s");
        assert_eq!(
            (change(12.34), change(-3.0), change(0.0)),
            ("+12.3 %".into(), "−3.0 %".into(), "0.0 %".into())
        );
        assert_eq!(bytes(12_345_678.0), "12.3 MB");
        assert_eq!(bytes(999.0), "999 B");
        assert_eq!(
            (length(45.0), length(300.0), length(5_430.0)),
            ("45 s".into(), "5 min".into(), "1 h 30 min".into())
        );
        assert_eq!(
            (moment(330.0), moment(3_905.0)),
            ("0:05:30".into(), "1:05:05".into())
        );
        assert_eq!(
            (counted(1, "request"), counted(2, "request")),
            ("1 request".into(), "2 requests".into())
        );
    }

    #[test]
    fn a_share_that_is_not_nothing_and_not_all_does_not_look_so() {
        assert_eq!(share(0, 10), "0 %");
        assert_eq!(share(1, 1_000_000), "< 0.01 %");
        assert_eq!(share(999_999, 1_000_000), "> 99.99 %");
        assert_eq!(
            (share(1, 3), share(1, 1)),
            ("33.3 %".into(), "100.0 %".into())
        );
    }
}
