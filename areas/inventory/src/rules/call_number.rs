//! The call number of an item: each component from the item if it has one there, else from the holdings,
//! independently of the others. It and the item's numbering form the text by which items are sorted as
//! on the shelf.

use serde_json::{Map, Value};

use super::{filled, set, shelf_key};

/// The components of an effective call number; none of them is blank.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallNumber {
    /// The call number proper.
    pub call_number: Option<String>,
    /// The prefix.
    pub prefix: Option<String>,
    /// The suffix.
    pub suffix: Option<String>,
    /// The id of its call number type.
    pub type_id: Option<String>,
}

impl CallNumber {
    #[must_use]
    pub fn effective(item: &Value, holdings: &Value) -> CallNumber {
        let pick = |of_item: &str, of_holdings: &str| {
            filled(item, of_item)
                .or_else(|| filled(holdings, of_holdings))
                .map(str::to_owned)
        };
        CallNumber {
            call_number: pick("itemLevelCallNumber", "callNumber"),
            prefix: pick("itemLevelCallNumberPrefix", "callNumberPrefix"),
            suffix: pick("itemLevelCallNumberSuffix", "callNumberSuffix"),
            type_id: pick("itemLevelCallNumberTypeId", "callNumberTypeId"),
        }
    }

    /// The object that is stored as `effectiveCallNumberComponents`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut components = Map::new();
        set(&mut components, "callNumber", self.call_number.clone());
        set(&mut components, "prefix", self.prefix.clone());
        set(&mut components, "suffix", self.suffix.clone());
        set(&mut components, "typeId", self.type_id.clone());
        Value::Object(components)
    }

    /// The text that sorts this item among others: the shelf key of the call number with the
    /// item's numbering, and the suffix as it is. None without a call number.
    #[must_use]
    pub fn shelving_order(&self, item: &Value) -> Option<String> {
        let numbering = ["volume", "enumeration", "chronology", "copyNumber"];
        let mut whole = self.call_number.as_deref()?.trim().to_owned();
        for part in numbering
            .iter()
            .filter_map(|property| filled(item, property))
        {
            whole.push(' ');
            whole.push_str(part.trim());
        }
        let mut order = shelf_key::of(self.type_id.as_deref(), &whole);
        if let Some(suffix) = &self.suffix {
            order.push(' ');
            order.push_str(suffix.trim());
        }
        Some(order)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_component_is_taken_on_its_own() {
        let item = json!({"itemLevelCallNumber": "PN2 .A6", "itemLevelCallNumberPrefix": " "});
        let holdings = json!({
            "callNumber": "PZ1",
            "callNumberPrefix": "Ref",
            "callNumberSuffix": "CD",
            "callNumberTypeId": shelf_key::LC,
        });
        let call_number = CallNumber::effective(&item, &holdings);
        assert_eq!(
            call_number.to_json(),
            json!({
                "callNumber": "PN2 .A6",
                "prefix": "Ref",
                "suffix": "CD",
                "typeId": shelf_key::LC,
            })
        );
        assert_eq!(
            CallNumber::effective(&json!({}), &json!({})).to_json(),
            json!({})
        );
    }

    #[test]
    fn numbering_and_suffix_follow_the_call_number() {
        let order = |item: Value| CallNumber::effective(&item, &json!({})).shelving_order(&item);
        let item = json!({
            "itemLevelCallNumberTypeId": shelf_key::LC,
            "itemLevelCallNumber": "PN2 .A69",
            "volume": "v.1",
            "enumeration": " no. 1 ",
            "chronology": "1921",
            "copyNumber": "2",
            "itemLevelCallNumberSuffix": "+",
        });
        assert_eq!(
            order(item).as_deref(),
            Some("PN 12 A69 V 11 NO 11 41921 12 +")
        );
        assert_eq!(
            order(json!({"volume": "v.1", "itemLevelCallNumberSuffix": "CD"})),
            None
        );
    }
}
