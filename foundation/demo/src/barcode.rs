//! Library barcodes: 14 digits. The first distinguishes patrons (2) from items (3), the last is a
//! check digit.
//!
//! The rule is the Codabar mod-10 scheme that libraries use: digits at odd positions (from the
//! left, starting at 1) count double, the sums of digits are added, and the check digit completes
//! the next ten.

/// The barcode of an item: `3`, the serial in 12 digits, the check digit.
///
/// Serials of 10^12 and more keep their last 12 digits.
pub fn item_barcode(serial: u64) -> String {
    barcode(3, serial)
}

/// The barcode of a patron: `2`, the serial in 12 digits, the check digit.
///
/// Serials of 10^12 and more keep their last 12 digits.
pub fn patron_barcode(serial: u64) -> String {
    barcode(2, serial)
}

fn barcode(holder: u64, serial: u64) -> String {
    let payload = holder * 1_000_000_000_000 + serial % 1_000_000_000_000;
    (payload * 10 + check_digit(payload)).to_string()
}

/// The check digit of a 13-digit payload.
fn check_digit(payload: u64) -> u64 {
    let mut rest = payload;
    let mut doubled = true;
    let mut sum = 0;
    while rest > 0 {
        let digit = rest % 10;
        sum += match (doubled, digit) {
            (true, 5..) => digit * 2 - 9,
            (true, _) => digit * 2,
            (false, _) => digit,
        };
        doubled = !doubled;
        rest /= 10;
    }
    (10 - sum % 10) % 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_check_digits() {
        // Odd places of 3 1221 1234 5678 doubled: 6 4 2 4 8 1+2 1+6, the others 1 2 1 3 5 7: 53.
        assert_eq!(item_barcode(122_112_345_678), "31221123456787");
        assert_eq!(item_barcode(0), "30000000000004");
        assert_eq!(patron_barcode(0), "20000000000006");
    }

    #[test]
    fn a_mistyped_digit_is_noticed() {
        let good = item_barcode(118_400_000_123);
        let payload: u64 = good[..13].parse().unwrap();
        assert_eq!(good.len(), 14);
        assert_ne!(check_digit(payload + 1), check_digit(payload));
    }
}
