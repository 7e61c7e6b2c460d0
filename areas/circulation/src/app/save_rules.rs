//! Stores a new text of the circulation rules, if it compiles.

use octavo_records::StoreError;
use octavo_records::store::replace;
use serde_json::{Map, Value, json};

use super::Desk;
use crate::rules::{CompiledRules, RuleError};
use crate::store::policy;

/// Compiles and stores a text; the next check-out on every process uses it.
///
/// # Errors
/// On a database error; the inner error is that of an invalid text.
pub async fn save_rules(desk: Desk<'_>, text: &str) -> Result<Result<(), RuleError>, StoreError> {
    let tables = desk.tables();
    let known = policy::ids(&desk.store.database, tables).await?;
    if let Err(error) = CompiledRules::compile(text, Some(&known)) {
        return Ok(Err(error));
    }
    let (id, _, _) = policy::rules_text(&desk.store.database, tables)
        .await?
        .ok_or(StoreError::NotFound)?;
    let mut document = Map::new();
    document.insert("id".to_owned(), json!(id));
    document.insert("rulesAsText".to_owned(), Value::from(text));
    let collection = desk.collection("circulation_rules");
    replace(
        &desk.store.database,
        desk.tenant,
        collection,
        id,
        &document,
        &desk.stamp,
    )
    .await?;
    Ok(Ok(()))
}
