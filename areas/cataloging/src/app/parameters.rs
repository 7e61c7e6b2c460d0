//! FOLIO's mapping parameters: the reference lists of a tenant as one object.

use octavo_configuration::app::locale::zone_name;
use octavo_records::StoreError;
use serde_json::{Map, Value, json};

use super::Context;
use crate::store::references;

/// The parameters that records are mapped with now.
///
/// # Errors
/// When the database does not answer.
pub async fn current_parameters(context: &Context<'_>) -> Result<Map<String, Value>, StoreError> {
    let mut parameters = Map::new();
    parameters.insert("initialized".to_owned(), json!(true));
    parameters.extend(references::parameters(&context.store.database, context.tables()).await?);
    Ok(parameters)
}
