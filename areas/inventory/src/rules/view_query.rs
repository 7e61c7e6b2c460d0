//! Maps CQL fields of views to those of the searched record types. Pure.

/// `/inventory-view/instances`: fields are under `instance`, and the id has another name.
#[must_use]
pub fn of_inventory_view(field: &str) -> Option<String> {
    if field == "instanceId" {
        return Some("id".to_owned());
    }
    if let Some(rest) = field.strip_prefix("instance.") {
        return Some(rest.to_owned());
    }
    let rest = field.strip_prefix("items.")?;
    Some(format!("item.{rest}"))
}

/// `/record-bulk/ids`: bulk editing uses `items` for the record types' `item`.
#[must_use]
pub fn of_record_bulk(field: &str) -> Option<String> {
    (field == "items.effectiveLocationId").then(|| "item.effectiveLocationId".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_view_become_those_of_the_record_type() {
        for (sent, searched) in [
            ("instanceId", Some("id")),
            ("instance.source", Some("source")),
            ("items.barcode", Some("item.barcode")),
            ("title", None),
            ("holdingsRecords.hrid", None),
        ] {
            assert_eq!(of_inventory_view(sent).as_deref(), searched, "{sent}");
        }
    }

    #[test]
    fn bulk_editing_searches_the_items_place_and_nothing_else_changes() {
        let place = of_record_bulk("items.effectiveLocationId");
        assert_eq!(place.as_deref(), Some("item.effectiveLocationId"));
        assert_eq!(of_record_bulk("items.barcode"), None);
    }
}
