//! `/locale`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::Value;

use super::small_body;
use crate::app::locale::Locale;
use crate::collections::LOCALE;
use crate::store::tenant;

/// 200 with what holds, set or not.
///
/// # Errors
/// When the database does not answer.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let store = call.store();
    let stored = tenant::locale(&store.database, &call.tenant, &store.catalog).await?;
    let locale = Locale::stored(stored.as_deref());
    Ok(pretty(StatusCode::OK, &locale.document()))
}

/// 201 without a body; what was sent holds from now on. Where the configuration has an entry with the
/// locale, which goes first, it says the same from now on.
///
/// # Errors
/// 400 when something is missing or wrong.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    small_body(&call)?;
    let Value::Object(document) = call.json()? else {
        return Err(ApiError::bad_request("locale missing"));
    };
    let locale = Locale::sent(&document).map_err(|wrong| ApiError::bad_request(wrong.message()))?;
    let (store, tenant) = (call.store(), &call.tenant);
    let entries = store.catalog.get("config_data");
    let entries = entries.ok_or(StoreError::NotFound)?;
    let transaction = store
        .database
        .transaction()
        .await
        .map_err(StoreError::from)?;
    tenant::keep(&transaction, tenant, LOCALE, locale.document()).await?;
    let held = tenant::held_locale_entry(&transaction, tenant, &store.catalog).await?;
    if let Some((id, mut entry)) = held {
        let before = entry.get("value").and_then(Value::as_str);
        let value = locale.written_into(before);
        entry.insert("value".to_owned(), Value::String(value));
        octavo_records::store::replace(&transaction, tenant, entries, id, &entry, &call.stamp())
            .await?;
    }
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(empty(StatusCode::CREATED))
}
