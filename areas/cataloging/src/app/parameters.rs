//! FOLIO's mapping parameters: the reference lists of a tenant as one object.

use octavo_boxed::boxed;
use octavo_configuration::app::locale::Locale;
use octavo_configuration::store::tenant::locale;
use octavo_records::StoreError;
use serde_json::{Map, Value, json};

use super::Context;
use crate::store::references;

/// The parameters that records are mapped with now.
#[boxed]
pub async fn current_parameters(context: &Context<'_>) -> Result<Map<String, Value>, StoreError> {
    let database = &context.store.database;
    let (lists, locale) = tokio::try_join!(
        references::parameters(database, context.tables()),
        locale(database, context.tenant, &context.store.catalog),
    )?;
    let mut parameters = Map::new();
    parameters.insert("initialized".to_owned(), json!(true));
    parameters.extend(lists);
    let zone = Locale::stored(locale.as_deref()).timezone;
    parameters.insert("tenantConfigurationZone".to_owned(), json!(zone));
    Ok(parameters)
}
