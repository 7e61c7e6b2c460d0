//! `/notify` and `/patron-notice`

use std::sync::LazyLock;

use axum::response::Response;
use http::StatusCode;
use jiff::{Timestamp, ToSpan};
use octavo_platform::records_http::{Hooks, Refused, Write, page};
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call, error_item};
use octavo_records::{Search, Shape, StoreError, instant};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{fitting, refused};
use crate::app::{Failure, notify as app};
use crate::store::{lookups, notifications};

const TABLE: &str = "notify_data";
/// After this many days a user's seen notifications are deleted when others change.
const SEEN_DAYS: i64 = 365;

static PATRON_NOTICE: LazyLock<Shape> = LazyLock::new(|| {
    Shape::parse(include_str!("../shapes/patron_notice.shape"))
        .expect("invariant: the shape is well formed")
});

fn id_of(call: &Call) -> Result<Uuid, ApiError> {
    let text = call.segment("id");
    Uuid::try_parse(text)
        .ok()
        .filter(|_| text.len() == 36)
        .ok_or_else(|| ApiError::invalid("invalid input syntax for type uuid", "id", text))
}

fn with_recipient(notification: &Value) -> Result<(), ApiError> {
    match notification["recipientId"].as_str() {
        None | Some("") => Err(ApiError::invalid("Required", "recipientId", "")),
        Some(_) => Ok(()),
    }
}

async fn stored(call: &Call, notification: Value) -> Result<Response, ApiError> {
    with_recipient(&notification)?;
    let (id, body) = app::notify(call, notification).await.map_err(refused)?;
    Ok(created(body, &format!("/notify/{id}")))
}

/// A notification, which is also sent if it names an event configuration.
///
/// # Errors
/// 422 without a recipient or when it does not fit, 400 when it cannot be sent.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    stored(&call, call.record()?).await
}

/// The same for a user by name.
///
/// # Errors
/// 400 for an unknown username, else as [`create`].
pub async fn create_for(call: Call) -> Result<Response, ApiError> {
    let mut notification = call.record()?;
    let name = call.segment("uid");
    let store = call.writer();
    let found = lookups::user_named(&store.database, call.tables(), name).await?;
    let id = found.ok_or_else(|| {
        let shown: String = name.chars().take(100).collect();
        ApiError::bad_request(format!("User lookup failed. Can not find user {shown}"))
    })?;
    if let Value::Object(members) = &mut notification {
        members.insert("recipientId".to_owned(), json!(id));
    }
    stored(&call, notification).await
}

/// The recipient of a notification cannot change. Replacing one deletes the caller's notifications seen
/// a year ago.
pub const HOOKS: Hooks = Hooks {
    id: id_of,
    before: |_, write, notification| {
        if let Write::Replace(id) = write
            && let Some(other) = notification["id"].as_str()
            && other != id.to_string()
        {
            return Err(ApiError::invalid("Can not change the id", "id", other));
        }
        with_recipient(notification)
    },
    after: Some(|call, _| Box::pin(forget_seen(call))),
    wording: |refused: Refused<'_>| match (&refused.error, refused.id) {
        (StoreError::NotFound, Some(id)) => ApiError::text(StatusCode::NOT_FOUND, id.to_string()),
        _ => refused.as_stored(),
    },
    ..Hooks::NONE
};

async fn forget_seen(call: &Call) -> Result<(), ApiError> {
    if let Some(user) = call.user_id() {
        let before = Timestamp::now() - (SEEN_DAYS * 24).hours();
        let before = instant::format(before);
        let (database, user) = (&call.store().database, user.to_string());
        notifications::delete_seen(database, call.tables(), &user, Some(&before)).await?;
    }
    Ok(())
}

fn caller(call: &Call) -> Result<Uuid, ApiError> {
    call.user_id()
        .ok_or_else(|| ApiError::bad_request("No UserId"))
}

/// A page of the caller's own notifications.
///
/// # Errors
/// 400 for a query that cannot be run.
pub async fn list_own(call: Call) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let own = format!("recipientId=={}", caller(&call)?);
    let given = paging
        .query
        .as_deref()
        .filter(|query| !query.trim().is_empty());
    let query = match given {
        None => own,
        Some(given) => {
            // Each part is parsed alone first, so that a client's parenthesis cannot close ours.
            readable(&call, given)?;
            format!("{own} and ({given})")
        }
    };
    let search = Search {
        query: Some(&query),
        ..paging.search()
    };
    Ok(page(&call, call.collection(TABLE), search).await?)
}

fn readable(call: &Call, query: &str) -> Result<(), ApiError> {
    let store = call.store();
    store.plan(&call.tenant, store.catalog.declared(TABLE), Some(query))?;
    Ok(())
}

/// Deletes the caller's seen notifications; with `olderthan` only older ones.
///
/// # Errors
/// 404 when there are none.
pub async fn delete_own(call: Call) -> Result<Response, ApiError> {
    let user = caller(&call)?.to_string();
    let before = call.parameter("olderthan")?;
    let store = call.store();
    let tables = call.tables();
    match notifications::delete_seen(&store.database, tables, &user, before.as_deref()).await? {
        0 => Err(ApiError::not_found()),
        _ => Ok(empty(StatusCode::NO_CONTENT)),
    }
}

/// Sends a patron notice by a template.
///
/// # Errors
/// 422 when it does not fit, or cannot be rendered or sent.
pub async fn notify_patron(call: Call) -> Result<Response, ApiError> {
    let mut notice = call.record()?;
    if let Value::Object(members) = &mut notice {
        members.entry("outputFormat").or_insert(json!("text/html"));
    }
    let notice = fitting(notice, &PATRON_NOTICE)?;
    let outcome = app::notify_patron(&call, &notice).await;
    outcome.map_err(|failure| {
        let message = match failure {
            Failure::Unrendered(error) => error.to_string(),
            Failure::Refused(message) => message,
            other => return refused(other),
        };
        let errors = vec![error_item(&message, None, &[])];
        ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, errors)
    })?;
    Ok(empty(StatusCode::OK))
}
