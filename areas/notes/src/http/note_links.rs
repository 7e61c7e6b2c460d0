//! `/note-links`: the notes of a record, and their assignment.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::page_of;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};
use serde::Deserialize;

use super::paging;
use super::refusal::in_form;
use crate::app::find_linked::{LinkedNotesFilter, Order, OrderBy};
use crate::app::link::{LinkUpdate, update_links};
use crate::store::{self, Linked};

/// Maximal size of a page, whatever the limit.
const NOTES_MAX: i64 = 1_000;

/// A page of the notes of a domain, by their link to a record.
///
/// # Errors
/// 422 for a parameter that is not understood.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let mut paging = paging(&call).map_err(in_form)?;
    paging.limit = paging.limit.min(NOTES_MAX);
    let search = call.parameter("search").map_err(in_form)?;
    let types = note_types(&call).map_err(in_form)?;
    let wanted = LinkedNotesFilter {
        domain: call.segment("domain"),
        record: record(&call),
        assigned: assigned(&call).map_err(in_form)?,
        search: search.as_deref(),
        types: &types,
        order: order(&call).map_err(in_form)?,
    };
    let plan = wanted.plan(call.tenant.schema());
    let sql = store::notes(call.tables(), &plan, paging.limit, paging.offset);
    let notes = call.collection("note");
    Ok(page_of(&call, notes, &plan, sql, paging.search()).await?)
}

#[derive(Deserialize)]
struct LinkUpdates {
    notes: Vec<LinkUpdate>,
}

/// Assigns and unassigns notes.
///
/// # Errors
/// 422 for an invalid body.
pub async fn update(call: Call) -> Result<Response, ApiError> {
    let updates: LinkUpdates = call.json_as().map_err(in_form)?;
    let database = &call.store().database;
    update_links(
        database,
        &call.tenant,
        &record(&call),
        &updates.notes,
        &call.stamp(),
    )
    .await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn record(call: &Call) -> Linked<'_> {
    Linked {
        kind: call.segment("type"),
        id: call.segment("id"),
    }
}

fn assigned(call: &Call) -> Result<Option<bool>, ApiError> {
    match call
        .parameter("status")?
        .unwrap_or_default()
        .to_ascii_lowercase()
        .as_str()
    {
        "" | "all" => Ok(None),
        "assigned" => Ok(Some(true)),
        "unassigned" => Ok(Some(false)),
        _ => Err(ApiError::bad_request(
            "status: must be assigned, unassigned or all",
        )),
    }
}

/// The parameter may be repeated or separated by commas.
fn note_types(call: &Call) -> Result<Vec<String>, ApiError> {
    let given = call.parameters("noteType")?;
    let names = given
        .iter()
        .flat_map(|value| value.split(','))
        .filter(|name| !name.is_empty());
    Ok(names.map(str::to_owned).collect())
}

fn order(call: &Call) -> Result<Option<Order>, ApiError> {
    let by = match call
        .parameter("orderBy")?
        .unwrap_or_default()
        .to_ascii_lowercase()
        .as_str()
    {
        "" => None,
        "title" => Some(OrderBy::Title),
        "content" => Some(OrderBy::Content),
        "notetype" => Some(OrderBy::NoteType),
        "updateddate" => Some(OrderBy::UpdatedDate),
        _ => {
            let expected = "orderBy: must be title, content, noteType or updatedDate";
            return Err(ApiError::bad_request(expected));
        }
    };
    let direction = match call
        .parameter("order")?
        .unwrap_or_default()
        .to_ascii_lowercase()
        .as_str()
    {
        "" => None,
        "asc" => Some(false),
        "desc" => Some(true),
        _ => return Err(ApiError::bad_request("order: must be asc or desc")),
    };
    Ok(by.map(|by| Order {
        by,
        descending: direction.unwrap_or(by.descends_by_default()),
    }))
}
