//! The places of items within their holdings (`order`): what a record says of its own, and how the
//! numbers that are given go to those that have none.

use serde_json::{Value, json};

/// The place that an item brings.
#[must_use]
pub fn given(item: &Value) -> Option<i64> {
    item.get("order")?.as_i64()
}

/// The place that an item brings, if it is none that FOLIO's clients can read.
#[must_use]
pub fn refused(item: &Value) -> Option<i64> {
    given(item).filter(|place| i32::try_from(*place).is_err())
}

/// What a numbering needs to know of the items that come to one holdings record: how many have no
/// place, and the highest place that one brings.
#[must_use]
pub fn wanted<'a>(items: impl Iterator<Item = &'a Value>) -> (i64, i64) {
    items.fold((0, 0), |(without, highest), item| match given(item) {
        Some(place) => (without, highest.max(place)),
        None => (without + 1, highest),
    })
}

/// Gives the items without a place those that end at `last`, in their order.
pub fn number<'a>(items: impl Iterator<Item = &'a mut Value>, last: i64, without: i64) {
    let mut place = last.saturating_sub(without);
    for item in items.filter(|item| given(item).is_none()) {
        place = place.saturating_add(1);
        if let Value::Object(item) = item {
            item.insert("order".to_owned(), json!(place));
        }
    }
}

/// Lets an item that is replaced without a place keep the one it has, if it stays with its holdings.
pub fn keep(item: &mut Value, old: &Value) {
    if given(item).is_some() || item.get("holdingsRecordId") != old.get("holdingsRecordId") {
        return;
    }
    if let (Value::Object(item), Some(place)) = (item, given(old)) {
        item.insert("order".to_owned(), json!(place));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_without_a_place_get_one_in_their_order() {
        let mut items = [
            json!({}),
            json!({"order": 7}),
            json!({"order": null}),
            json!({}),
        ];
        assert_eq!(wanted(items.iter()), (3, 7));
        number(items.iter_mut(), 10, 3);
        let places: Vec<_> = items.iter().map(given).collect();
        assert_eq!(places, [Some(8), Some(7), Some(9), Some(10)]);
        assert_eq!(wanted(items.iter()), (0, 10));
    }

    #[test]
    fn a_place_is_kept_on_the_same_holdings() {
        let old = json!({"holdingsRecordId": "a", "order": 3});
        for (mut item, place) in [
            (json!({"holdingsRecordId": "a"}), Some(3)),
            (json!({"holdingsRecordId": "a", "order": 9}), Some(9)),
            (json!({"holdingsRecordId": "b"}), None),
        ] {
            keep(&mut item, &old);
            assert_eq!(given(&item), place);
        }
        assert_eq!(
            refused(&json!({"order": 3_000_000_000_i64})),
            Some(3_000_000_000)
        );
        assert_eq!(refused(&json!({"order": -1})), None);
    }
}
