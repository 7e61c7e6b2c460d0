//! The numbers of orders and of their lines.

use serde_json::json;

use super::doc::{Doc, filled, set, text, whole};
use crate::refusal::{Code, Refusal};

/// The number of a new order: the next one between its prefix and its suffix.
#[must_use]
pub fn of_order(order: &Doc, next: i64) -> String {
    let around = |name| filled(order, name).unwrap_or_default();
    format!(
        "{}{next}{}",
        around("poNumberPrefix"),
        around("poNumberSuffix")
    )
}

/// Checks the number of an order that exists.
///
/// # Errors
/// When there is none, or it has not the order's prefix or suffix.
pub fn check(order: &Doc) -> Result<(), Refusal> {
    let Some(number) = filled(order, "poNumber") else {
        return Err(Refusal::invalid(Code::PoNumberRequired));
    };
    let prefix = filled(order, "poNumberPrefix");
    if prefix.is_some_and(|prefix| !number.starts_with(prefix)) {
        return Err(Refusal::bad(Code::PoNumberPrefixRequired));
    }
    let suffix = filled(order, "poNumberSuffix");
    if suffix.is_some_and(|suffix| !number.ends_with(suffix)) {
        return Err(Refusal::bad(Code::PoNumberSuffixRequired));
    }
    Ok(())
}

/// Takes numbers for this many new lines from an order; returns the first. One that does not know its next
/// number begins after the highest that is used.
pub fn take<'n>(order: &mut Doc, used: impl Iterator<Item = &'n str>, wanted: i64) -> i64 {
    let first = whole(order, "nextPolNumber")
        .unwrap_or_else(|| 1 + used.filter_map(place).max().unwrap_or(0));
    set(order, "nextPolNumber", json!(first + wanted));
    first
}

/// The place of a line in its order: the number behind the last hyphen.
#[must_use]
pub fn place(line_number: &str) -> Option<i64> {
    line_number.rsplit_once('-')?.1.parse().ok()
}

/// The number of a line.
#[must_use]
pub fn of_line(order: &Doc, place: i64) -> String {
    let number = text(order, "poNumber").unwrap_or_default();
    format!("{number}-{place}")
}

/// The number of a line whose order has another number now: its place stays.
#[must_use]
pub fn renumbered(order: &Doc, line_number: &str) -> Option<String> {
    place(line_number).map(|place| of_line(order, place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::doc::object;

    #[test]
    fn a_number_stands_between_prefix_and_suffix() {
        let mut order = object(json!({"poNumberPrefix": "PRE", "poNumberSuffix": "S"}));
        let number = of_order(&order, 10000);
        assert_eq!(number, "PRE10000S");
        for (number, code) in [
            ("PRE10000S", None),
            ("10000S", Some(Code::PoNumberPrefixRequired)),
            ("PRE10000", Some(Code::PoNumberSuffixRequired)),
            ("", Some(Code::PoNumberRequired)),
        ] {
            set(&mut order, "poNumber", number);
            assert_eq!(check(&order).err().and_then(|one| one.code()), code);
        }
    }

    #[test]
    fn no_number_of_a_line_is_given_twice() {
        let mut order = object(json!({"poNumber": "PRE10000S", "nextPolNumber": 3}));
        assert_eq!(take(&mut order, ["PRE10000S-1"].into_iter(), 2), 3);
        assert_eq!(take(&mut order, std::iter::empty(), 1), 5);
        assert_eq!(of_line(&order, 5), "PRE10000S-5");
        let mut unknown = object(json!({"poNumber": "7"}));
        assert_eq!(take(&mut unknown, ["7-1", "7-12", "x"].into_iter(), 1), 13);
        assert_eq!(take(&mut object(json!({})), std::iter::empty(), 1), 1);
        assert_eq!(
            renumbered(&object(json!({"poNumber": "A"})), "B-7").as_deref(),
            Some("A-7")
        );
    }
}
