//! Numbers exactly like PostgreSQL's `numeric`: compared without rounding, printed without an
//! exponent. Knows nothing of JSON or queries.

use std::cmp::Ordering;

/// A decimal number.
#[derive(Debug, Clone)]
pub struct Decimal {
    negative: bool,
    /// All digits, without leading zeros.
    digits: Vec<u8>,
    /// How many of them stand after the decimal point; negative when trailing zeros are left out.
    scale: i64,
}

impl Decimal {
    /// Parses `-12.5e3`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Decimal> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
        if all.is_empty() || !all.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let digits: Vec<u8> = all.into_iter().skip_while(|digit| *digit == b'0').collect();
        Some(Decimal {
            negative: negative && !digits.is_empty(),
            digits,
            scale: i64::try_from(fraction.len()).ok()? - exponent,
        })
    }

    /// The significant digits, and the power of ten before the first of them.
    fn magnitude(&self) -> (i64, &[u8]) {
        let end = self.digits.iter().rposition(|digit| *digit != b'0');
        let used = &self.digits[..end.map_or(0, |at| at + 1)];
        let length = i64::try_from(self.digits.len()).unwrap();
        let power = if used.is_empty() {
            i64::MIN
        } else {
            length - self.scale
        };
        (power, used)
    }
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut digits = String::from_utf8(self.digits.clone()).unwrap();
        let behind = usize::try_from(self.scale.max(0)).unwrap();
        if !digits.is_empty() && self.scale < 0 {
            digits.push_str(&"0".repeat(usize::try_from(-self.scale).unwrap()));
        }
        while digits.len() < behind + 1 {
            digits.insert(0, '0');
        }
        let (whole, fraction) = digits.split_at(digits.len() - behind);
        let sign = if self.negative { "-" } else { "" };
        let point = if fraction.is_empty() { "" } else { "." };
        write!(out, "{sign}{whole}{point}{fraction}")
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Decimal) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Decimal {}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Decimal) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Decimal) -> Ordering {
        let larger = self.magnitude().cmp(&other.magnitude());
        match (self.negative, other.negative) {
            (false, false) => larger,
            (true, true) => larger.reverse(),
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
        }
    }
}

#[test]
fn decimals_are_compared_and_printed_exactly() {
    let read = |text: &str| Decimal::parse(text).unwrap();
    for (text, printed) in [
        ("1e2", "100"),
        ("1.5e-3", "0.0015"),
        ("1.50", "1.50"),
        ("-0.0", "0.0"),
        ("0", "0"),
        ("-12.5e3", "-12500"),
    ] {
        assert_eq!(read(text).to_string(), printed);
    }
    assert_eq!(read("3.4"), read("0.340e1"));
    assert!(read("-2") < read("-1.99") && read("0") < read("0.001"));
    assert!(read("9") < read("10") && read("-0") == read("0"));
    assert!(
        ["", "x", "1.2.3", "--1", "1e", "."]
            .map(Decimal::parse)
            .iter()
            .all(Option::is_none)
    );
}
