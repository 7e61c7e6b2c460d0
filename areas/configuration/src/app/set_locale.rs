//! Sets a tenant's locale by `PUT /locale`: in its own table, and in the configuration, which takes
//! precedence and which clients of earlier releases use.

use octavo_records::store::replace;
use octavo_records::{Stamp, Store, StoreError, Tenant};
use serde_json::{Map, Value, json};

use super::locale::Locale;
use crate::collections::LOCALE;
use crate::store::tenant;

/// Sets the locale. Other properties of the configuration entry are kept.
pub async fn set_locale(
    store: &Store,
    tenant: &Tenant,
    locale: &Locale,
    stamp: &Stamp,
) -> Result<(), StoreError> {
    let entries = store.catalog.get("config_data");
    let entries = entries.expect("invariant: configuration declares its own tables");
    let transaction = store.database.transaction().await?;
    for (id, entry) in tenant::hold_locale_entries(&transaction, tenant, &store.catalog).await? {
        let Value::Object(mut entry) = entry else {
            continue;
        };
        let before = entry.get("value").and_then(Value::as_str);
        let value = with(before, locale);
        entry.insert("value".to_owned(), json!(value));
        replace(&transaction, tenant, entries, id, &entry, stamp).await?;
    }
    tenant::keep(&transaction, tenant, LOCALE, locale.document()).await?;
    transaction.commit().await?;
    Ok(())
}

/// The text of an entry with another locale.
fn with(before: Option<&str>, locale: &Locale) -> String {
    let before = before.and_then(|text| serde_json::from_str::<Map<String, Value>>(text).ok());
    let mut value = before.unwrap_or_default();
    value.shift_remove("numberingSystem");
    if let Value::Object(document) = locale.document() {
        value.extend(document);
    }
    Value::Object(value).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_keeps_what_it_says_beside_the_locale() {
        let locale = Locale {
            locale: "de-DE".to_owned(),
            currency: "EUR".to_owned(),
            timezone: "Europe/Berlin".to_owned(),
            numbering_system: None,
        };
        let read = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
        let before = r#"{"locale": "sv", "numberingSystem": "arab", "own": 1}"#;
        assert_eq!(
            read(&with(Some(before), &locale)),
            json!({"locale": "de-DE", "currency": "EUR", "timezone": "Europe/Berlin", "own": 1})
        );
        assert_eq!(read(&with(Some("no JSON"), &locale))["locale"], "de-DE");
    }
}
