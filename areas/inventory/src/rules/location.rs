//! Effective locations: the temporary location takes precedence over the permanent one, the item's over
//! its holdings'.

use serde_json::Value;

use super::filled;

/// The id of the location of a holdings record.
#[must_use]
pub fn of_holdings(holdings: &Value) -> Option<&str> {
    filled(holdings, "temporaryLocationId").or_else(|| filled(holdings, "permanentLocationId"))
}

/// The id of the location of an item.
#[must_use]
pub fn of_item<'a>(item: &'a Value, holdings: &'a Value) -> Option<&'a str> {
    filled(item, "temporaryLocationId")
        .or_else(|| filled(item, "permanentLocationId"))
        .or_else(|| of_holdings(holdings))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_nearest_temporary_location_wins() {
        // (item temporary, item permanent, holdings temporary, holdings permanent) -> effective
        let cases = [
            ([Some("a"), Some("b"), Some("c"), Some("d")], Some("a")),
            ([None, Some("b"), Some("c"), Some("d")], Some("b")),
            ([None, None, Some("c"), Some("d")], Some("c")),
            ([None, None, None, Some("d")], Some("d")),
            ([Some("a"), None, None, Some("d")], Some("a")),
            ([None, None, None, None], None),
        ];
        for ([item_temporary, item_permanent, temporary, permanent], effective) in cases {
            let item = json!({
                "temporaryLocationId": item_temporary,
                "permanentLocationId": item_permanent,
            });
            let holdings = json!({
                "temporaryLocationId": temporary,
                "permanentLocationId": permanent,
            });
            assert_eq!(of_item(&item, &holdings), effective);
        }
    }
}
