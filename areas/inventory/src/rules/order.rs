//! The position of an item within its holdings (`order`), which only later releases of FOLIO have: it is
//! stored as sent, and not assigned.

use serde_json::Value;

/// An item's position, if FOLIO's clients cannot parse it.
#[must_use]
pub fn refused(item: &Value) -> Option<i64> {
    let place = item.get("order")?.as_i64()?;
    i32::try_from(place).is_err().then_some(place)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_place_is_a_number_that_clients_can_read() {
        let refused = |order: Value| refused(&json!({"order": order}));
        assert_eq!(refused(json!(3_000_000_000_i64)), Some(3_000_000_000));
        assert_eq!(refused(json!(-1)), None);
        assert_eq!(refused(Value::Null), None);
    }
}
