//! Creates or changes a validation rule for passwords.

use bytes::Bytes;
use octavo_platform::Call;
use octavo_records::store::{fetch_locked, insert, replace};
use octavo_records::{StoreError, Violation};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::password_collections::VALIDATION_RULES;
use crate::store::rules::{RULES_MAX, is_room};
use crate::validation_rule::faults;

/// Whether the name of an existing rule may change: FOLIO's POST keeps it, PUT does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    Stays,
    Changes,
}

/// Stores a rule: that of its id, or a new one when it has none. Returns it as stored.
///
/// # Errors
/// When it does not fit, its name is another's, or there is none of its id.
pub async fn save_rule(call: &Call, mut rule: Value, name: Name) -> Result<Bytes, StoreError> {
    let store = call.writer();
    let collection = store
        .catalog
        .get(VALIDATION_RULES)
        .expect("invariant: login declares its own tables");
    collection
        .shape
        .check(&mut rule)
        .map_err(StoreError::Invalid)?;
    let Value::Object(mut rule) = rule else {
        return Err(StoreError::NotFound);
    };
    let faults = faults(&rule);
    if !faults.is_empty() {
        return Err(StoreError::Invalid(faults));
    }
    let (tenant, stamp) = (&call.tenant, call.stamp());
    let transaction = store.database.transaction().await?;
    let stored = match id_of(&rule) {
        Some(id) => {
            let before = fetch_locked(&transaction, tenant, collection, id).await?;
            let before = before.ok_or(StoreError::NotFound)?;
            if name == Name::Stays {
                rule.insert("name".to_owned(), before["name"].clone());
            }
            rule.insert("id".to_owned(), json!(id));
            let replaced = replace(&transaction, tenant, collection, id, &rule, &stamp);
            replaced.await?.new
        }
        None => {
            if !is_room(&transaction, tenant).await? {
                return Err(StoreError::Invalid(vec![too_many()]));
            }
            rule.shift_remove("id");
            let inserted = insert(&transaction, tenant, collection, rule, &stamp);
            inserted.await?.1
        }
    };
    transaction.commit().await?;
    Ok(stored)
}

fn id_of(rule: &Map<String, Value>) -> Option<Uuid> {
    let id = rule.get("id").and_then(Value::as_str)?;
    Uuid::try_parse(id).ok()
}

fn too_many() -> Violation {
    Violation {
        message: format!("is one rule too many: a tenant has at most {RULES_MAX}"),
        code: "-1",
        path: "name".to_owned(),
        value: String::new(),
    }
}
