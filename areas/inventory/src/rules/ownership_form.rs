//! The body of a change of ownership to another tenant of a consortium.

use serde_json::Value;

/// Required properties for items.
pub const ITEMS: &[&str] = &["toHoldingsRecordId", "itemIds", "targetTenantId"];
/// Required properties for holdings.
pub const HOLDINGS: &[&str] = &[
    "toInstanceId",
    "holdingsRecordIds",
    "targetTenantId",
    "targetLocationId",
];

/// A message, its property, and the value.
pub type Wrong = (String, &'static str, String);

/// FOLIO's refusal of a body that needs no look-up.
///
/// # Errors
/// The first error.
pub fn accept(form: &Value, required: &[&'static str], source: &str) -> Result<(), Wrong> {
    let Value::Object(form) = form else {
        return Err(("must be of type object".to_owned(), "", String::new()));
    };
    for name in required {
        match form.get(*name) {
            None | Some(Value::Null) => {}
            Some(Value::Array(list)) if list.is_empty() => {}
            Some(Value::Array(_)) if name.ends_with("Ids") => continue,
            Some(Value::String(_)) if !name.ends_with("Ids") => continue,
            Some(_) => {
                let kind = if name.ends_with("Ids") {
                    "array"
                } else {
                    "string"
                };
                return Err((format!("must be of type {kind}"), *name, String::new()));
            }
        }
        let sentence = format!("{name} is a required field");
        return Err((sentence, *name, "null".to_owned()));
    }
    if form.get("targetTenantId").and_then(Value::as_str) == Some(source) {
        let sentence = "targetTenantId field cannot be equal to source tenant id";
        return Err((sentence.to_owned(), "targetTenantId", source.to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_missing_is_named_in_order_and_the_target_is_another_tenant() {
        let mut form = json!({});
        for (name, value) in [
            ("toInstanceId", json!("i")),
            ("holdingsRecordIds", json!(["h"])),
            ("targetTenantId", json!("there")),
            ("targetLocationId", json!("l")),
        ] {
            let (sentence, key, _) = accept(&form, HOLDINGS, "here").expect_err("a refusal");
            assert_eq!(sentence, format!("{name} is a required field"));
            assert_eq!(key, name);
            form[name] = value;
        }
        assert_eq!(accept(&form, HOLDINGS, "here"), Ok(()));
        let (_, key, value) = accept(&form, HOLDINGS, "there").expect_err("a refusal");
        assert_eq!((key, value.as_str()), ("targetTenantId", "there"));
        form["holdingsRecordIds"] = json!([]);
        let (sentence, ..) = accept(&form, HOLDINGS, "here").expect_err("a refusal");
        assert_eq!(sentence, "holdingsRecordIds is a required field");
        form["holdingsRecordIds"] = json!("h");
        let (sentence, ..) = accept(&form, HOLDINGS, "here").expect_err("a refusal");
        assert_eq!(sentence, "must be of type array");
        assert_eq!(
            accept(&json!([]), ITEMS, "here").expect_err("a refusal").1,
            ""
        );
    }
}
