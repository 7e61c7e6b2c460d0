//! Completions of a text being typed.

use serde_json::{Value, json};

use super::Failure;
use crate::query::Fault;
use crate::store::SearchTables;
use crate::store::browse::List;

/// Suggestions for a field.
///
/// # Errors
/// For other fields.
pub async fn suggest(
    place: SearchTables<'_>,
    field: &str,
    prefix: &str,
    most: i64,
) -> Result<Value, Failure> {
    let found = match field {
        _ if prefix.trim().is_empty() => Vec::new(),
        "title" => place.titles(prefix, most).await?,
        "contributor" => place.starting(List::Contributors, prefix, most).await?,
        "subject" => place.starting(List::Subjects, prefix, most).await?,
        other => {
            let message = "field must be title, contributor or subject";
            return Err(Fault::of(message, "field", other).into());
        }
    };
    Ok(json!({"totalRecords": found.len(), "suggestions": found}))
}
