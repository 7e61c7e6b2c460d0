//! What runs periodically: histories from the outbox, and the end of old entries.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use octavo_records::store::index_events;

use crate::app::expire::expire;
use crate::app::keep_history::{begin, is_behind};
use crate::app::work::{self, Histories};

/// The schemas for which this process has looked whether the database is the one whose events were read, and in
/// which the index of windows is.
pub type Begun = Arc<Mutex<HashSet<String>>>;

/// Looks whether the outbox has events that are in no history, and has them added.
///
/// # Errors
/// When the database does not answer.
pub async fn look(begun: Begun, call: Call) -> Result<Response, ApiError> {
    let context = call.writer_context();
    let schema = call.tenant.schema().to_owned();
    let known = || begun.lock().unwrap_or_else(PoisonError::into_inner);
    if !known().contains(&schema) {
        begin(&context).await?;
        // Another process may be building it: then windows are found without it until the next look.
        let indexed = index_events(&context.store.database, context.tenant);
        if indexed.await.map_err(StoreError::from)? {
            known().insert(schema);
        }
    }
    if is_behind(&context).await? {
        work::enqueue(&context).await?;
        call.begin_work(Histories::shared());
    }
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Deletes entries that are older than the settings say.
///
/// # Errors
/// When the database does not answer.
pub async fn clean_up(call: Call) -> Result<Response, ApiError> {
    expire(&call.writer_context()).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
