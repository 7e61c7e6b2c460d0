//! Options of browsing call numbers and classification numbers.

use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Failure;
use crate::query::Fault;
use crate::store::SearchTables;

/// The algorithms of sort keys.
const ALGORITHMS: [&str; 5] = ["lc", "dewey", "nlm", "sudoc", "default"];
/// Maximal number of types of an option.
const TYPES_MAX: usize = 1_000;

/// The body of an option.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OptionForm {
    id: String,
    shelving_algorithm: String,
    #[serde(default)]
    type_ids: Vec<Uuid>,
}

/// The options of a list.
///
/// # Errors
/// When there is no such list.
pub async fn options(place: SearchTables<'_>, list: &str) -> Result<Value, Failure> {
    let options = place.options(list).await?;
    if options.is_empty() {
        return Err(unexpected("browseType", list));
    }
    let configs: Vec<Value> = options
        .iter()
        .map(|one| {
            json!({"id": one.id, "shelvingAlgorithm": one.shelving_algorithm,
                   "typeIds": one.type_ids})
        })
        .collect();
    Ok(json!({"totalRecords": configs.len(), "configs": configs}))
}

/// Changes an option.
///
/// # Errors
/// For unknown options, algorithms and types.
pub async fn set_option(
    place: SearchTables<'_>,
    list: &str,
    id: &str,
    form: &OptionForm,
) -> Result<(), Failure> {
    if form.id != id {
        let message = format!("Body doesn't match path parameter: {id}");
        return Err(Fault::of(message, "id", form.id.clone()).into());
    }
    let algorithm = form.shelving_algorithm.as_str();
    if !ALGORITHMS.contains(&algorithm) {
        return Err(unexpected("shelvingAlgorithm", algorithm));
    }
    let unknown = match form.type_ids.len() {
        0 => Vec::new(),
        1..=TYPES_MAX => place.unknown_types(list, &form.type_ids).await?,
        _ => form.type_ids.clone(),
    };
    if !unknown.is_empty() {
        let ids: Vec<String> = unknown.iter().take(20).map(Uuid::to_string).collect();
        let message = format!("{list} type IDs don't exist");
        return Err(Fault::of(message, "typeIds", format!("[{}]", ids.join(", "))).into());
    }
    if !place
        .set_option(list, id, algorithm, &form.type_ids)
        .await?
    {
        return Err(unexpected("browseConfigId", id));
    }
    Ok(())
}

fn unexpected(key: &'static str, value: &str) -> Failure {
    Fault::of(format!("Unexpected value '{value}'"), key, value).into()
}
