//! FOLIO's form of a PDF in JSON: hexadecimal digits.

use std::fmt::Write as _;

/// The digits of bytes.
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The bytes of digits; `None` when they are invalid.
#[must_use]
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim().as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let digit = |byte: u8| (byte as char).to_digit(16);
    let pairs = digits.chunks_exact(2);
    pairs
        .map(|pair| u8::try_from(digit(pair[0])? * 16 + digit(pair[1])?).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn bytes_go_there_and_back() {
        assert_eq!(encode(b"%PDF\xff"), "25504446ff");
        assert_eq!(decode("25504446FF").as_deref(), Some(&b"%PDF\xff"[..]));
        for bad in ["2", "xy", "25é"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
