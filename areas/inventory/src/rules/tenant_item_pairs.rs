//! The body of a query for items of several tenants: pairs of tenant and item.

use std::collections::HashSet;

use serde_json::Value;
use uuid::Uuid;

use super::move_form::{Wrong, parse};

/// The distinct items of one tenant, in order. Invalid ids are ignored.
///
/// # Errors
/// When the body is not a list of pairs.
pub fn of_tenant(form: &Value, tenant: &str) -> Result<Vec<Uuid>, Wrong> {
    let pairs = match form.get("tenantItemPairs") {
        Some(Value::Array(pairs)) => pairs,
        None | Some(Value::Null) => return Err(("must not be null".to_owned(), "tenantItemPairs")),
        Some(_) => return Err(("must be of type array".to_owned(), "tenantItemPairs")),
    };
    let mut seen = HashSet::new();
    let mut ids = Vec::new();
    for pair in pairs {
        let text = |name: &'static str| {
            let text = pair.get(name).and_then(Value::as_str);
            text.ok_or_else(|| ("must not be null".to_owned(), name))
        };
        let (of, item) = (text("tenantId")?, text("itemId")?);
        if let Some(id) = parse(item).filter(|id| of == tenant && seen.insert(*id)) {
            ids.push(id);
        }
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_the_tenants_own_items_are_left_each_once() {
        let [a, b] = [1, 2].map(Uuid::from_u128);
        let pair = |tenant: &str, item: &str| json!({"tenantId": tenant, "itemId": item});
        let form = json!({"tenantItemPairs": [
            pair("here", &b.to_string()), pair("there", &a.to_string()), pair("here", "x"),
            pair("here", &b.to_string()), pair("here", &a.to_string()),
        ]});
        assert_eq!(of_tenant(&form, "here"), Ok(vec![b, a]));
        assert_eq!(
            of_tenant(&json!({"tenantItemPairs": []}), "here"),
            Ok(Vec::new())
        );
    }

    #[test]
    fn pairs_are_pairs() {
        for (form, key) in [
            (json!([]), "tenantItemPairs"),
            (json!({"tenantItemPairs": "x"}), "tenantItemPairs"),
            (json!({"tenantItemPairs": [7]}), "tenantId"),
            (json!({"tenantItemPairs": [{"tenantId": "a"}]}), "itemId"),
            (
                json!({"tenantItemPairs": [{"tenantId": null, "itemId": "b"}]}),
                "tenantId",
            ),
        ] {
            assert_eq!(of_tenant(&form, "here").expect_err("a refusal").1, key);
        }
    }
}
