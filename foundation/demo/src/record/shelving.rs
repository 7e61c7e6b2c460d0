//! The shelving order of items (`effectiveShelvingOrder`).
//!
//! Only the forms of call number that the generators produce are handled: Dewey numbers as class,
//! letters and copy number, and schemes without a shelf key.

use super::CallNumber;
use crate::reference::call_number_type;

/// The call number with the item's own parts, in sortable form.
pub(crate) fn shelving_order(call_number: CallNumber<'_>, parts: [Option<&str>; 2]) -> String {
    let mut order = call_number.number.trim().to_owned();
    for part in parts.into_iter().flatten() {
        order.push(' ');
        order.push_str(part);
    }
    if call_number.type_id == call_number_type::DEWEY {
        dewey_key(&order)
    } else {
        order
    }
}

/// Numbers are prefixed with the count of their integer digits, so that 9 sorts before 10; the
/// class keeps its decimals; words are upper-cased, and other characters are left out.
fn dewey_key(order: &str) -> String {
    let (class, rest) = order.split_once(' ').unwrap_or((order, ""));
    let mut key = String::with_capacity(order.len() + 4);
    push_sortable(&mut key, class);
    for word in rest
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        key.push(' ');
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            push_sortable(&mut key, word);
        } else {
            key.push_str(&word.to_ascii_uppercase());
        }
    }
    key
}

fn push_sortable(key: &mut String, number: &str) {
    let number = number.trim_start_matches('0');
    let whole = number.split('.').next().unwrap_or(number);
    key.push_str(&whole.len().to_string());
    key.push_str(number);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(type_id: uuid::Uuid, number: &str, copy: &str, expected: &str) {
        let call_number = CallNumber {
            prefix: None,
            number,
            type_id,
        };
        assert_eq!(shelving_order(call_number, [None, Some(copy)]), expected);
    }

    #[test]
    fn dewey_numbers_sort_by_value_and_others_by_text() {
        check(call_number_type::DEWEY, "641.5 CHI", "2", "3641.5 CHI 12");
        check(
            call_number_type::DEWEY,
            "005.133 KER",
            "10",
            "15.133 KER 210",
        );
        check(
            call_number_type::DEWEY,
            "895.6132 松尾芭",
            "1",
            "3895.6132 11",
        );
        check(call_number_type::OTHER, " FIC AUS", "2", "FIC AUS 2");
    }
}
