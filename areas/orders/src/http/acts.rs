//! One act of a user: its transaction, and what the user may do.

use futures_util::future::BoxFuture;
use octavo_platform::{ApiError, Call};
use octavo_records::{Context, Last, StoreError, Violation};
use serde_json::Value;

use crate::app::terms::{Rights, terms};
use crate::app::{Act, Ending, Work};
use crate::refusal::Declined;
use crate::rules::doc::{Doc, object};
use crate::shapes;

/// What the user may do.
#[must_use]
pub fn rights(call: &Call) -> Rights {
    Rights::of(|permission| call.has_permission(permission))
}

/// Does an act in one transaction, and commits what it did, where its last statement has not.
///
/// # Errors
/// Those of the act: then nothing was done.
pub async fn act<T, F>(call: &Call, work: F) -> Result<T, ApiError>
where
    F: for<'a> FnOnce(Act<'a>) -> BoxFuture<'a, Result<T, Declined>>,
{
    let context: Context<'_> = call.writer_context();
    let transaction = context.store.database.transaction().await?;
    let terms = terms(&transaction, &context).await?;
    let act = Act {
        work: Work {
            transaction: &transaction,
            context: &context,
        },
        ending: Ending::Commits(Last(&transaction)),
        rights: rights(call),
        terms: &terms,
    };
    let done = work(act).await?;
    transaction.commit().await?;
    Ok(done)
}

/// The body, checked against its shape and further rules.
///
/// # Errors
/// 422 with what is wrong.
pub(super) fn body(
    call: &Call,
    shape: &shapes::Parsed,
    more: fn(&Doc) -> Vec<Violation>,
) -> Result<Doc, ApiError> {
    let mut document: Value = call.record()?;
    let mut wrong = shape.check(&mut document).err().unwrap_or_default();
    let document = object(document);
    wrong.extend(more(&document));
    match wrong.is_empty() {
        true => Ok(document),
        false => Err(StoreError::Invalid(wrong).into()),
    }
}

/// No further rules.
#[must_use]
pub fn nothing_more(_: &Doc) -> Vec<Violation> {
    Vec::new()
}

/// A parameter that is `true` or `false`; false without it.
///
/// # Errors
/// 400 for another value.
pub fn flag(call: &Call, name: &str) -> Result<bool, ApiError> {
    match call.parameter(name)?.as_deref() {
        None | Some("" | "false") => Ok(false),
        Some("true") => Ok(true),
        Some(other) => Err(octavo_platform::incorrect(
            name,
            other,
            "must be true or false",
        )),
    }
}
