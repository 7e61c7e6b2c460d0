//! Titles, pieces and receiving.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_circulation::config_cache::ConfigCache;
use octavo_platform::respond::{created as created_bytes, empty, pretty};
use octavo_platform::{ApiError, Call};
use serde_json::{Value, json};
use uuid::Uuid;

use super::acts::{act, body, flag, nothing_more, rights};
use super::item;
use super::lists::{Listed, list};
use super::orders::created;
use crate::app::bind_pieces::{self, Binding};
use crate::app::change_instance::{self, Change};
use crate::app::claim_pieces::{self, Claim, more_of};
use crate::app::pieces::{self, Changing, NewStatus};
use crate::app::receive::{self, LineResult};
use crate::app::{checked, read_receiving, titles};
use crate::rules::arrival::{How, read};
use crate::rules::doc::{Doc, id as id_at, ids, list as elements, text};
use crate::rules::view_query;
use crate::shapes::{BIND, CHECK_IN, CLAIM, EXPECT, PATCH_LINE, Parsed, RECEIVE, STATUSES};
use crate::store::units::UnitsOf;
use crate::store::views;

/// A page of titles.
///
/// # Errors
/// When the query cannot be run.
pub async fn titles_page(call: Call) -> Result<Response, ApiError> {
    let listed = Listed {
        units: Some(UnitsOf::Itself),
        ..Listed::of("titles")
    };
    list(&call, listed).await
}

/// A new title.
///
/// # Errors
/// FOLIO's refusals.
pub async fn create_title(call: Call) -> Result<Response, ApiError> {
    let title = checked(&call.context(), "titles", call.record()?)?;
    let (id, stored) = act(&call, |act| Box::pin(titles::create(act, title))).await?;
    Ok(created_bytes(stored, &format!("/orders/titles/{id}")))
}

/// A title.
///
/// # Errors
/// 404 when there is none, 403 when units protect it.
pub async fn read_title(call: Call) -> Result<Response, ApiError> {
    let title = read_receiving::title(&call.context(), call.id()?, rights(&call)).await?;
    Ok(pretty(StatusCode::OK, &Value::Object(title)))
}

/// A title replaced.
///
/// # Errors
/// FOLIO's refusals.
pub async fn replace_title(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let title = checked(&call.context(), "titles", call.record()?)?;
    act(&call, |act| Box::pin(titles::change(act, id, title))).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A title deleted.
///
/// # Errors
/// 400 when it has pieces.
pub async fn delete_title(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    act(&call, |act| Box::pin(titles::delete(act, id))).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn piece(call: &Call) -> Result<Doc, ApiError> {
    Ok(checked(&call.context(), "pieces", call.record()?)?)
}

/// A new piece.
///
/// # Errors
/// FOLIO's refusals.
pub async fn create_piece(call: Call) -> Result<Response, ApiError> {
    let makes_item = flag(&call, "createItem")?;
    let new = vec![piece(&call)?];
    let stored = act(&call, |act| Box::pin(pieces::create(act, new, makes_item))).await?;
    let stored = stored.into_iter().next().unwrap_or_default();
    let id = id_at(&stored, "id").unwrap_or_default();
    Ok(created(&stored, &format!("/orders/pieces/{id}")))
}

/// Pieces that one request may have.
const PIECES_MAX: usize = 1_000;

/// New pieces of one title.
///
/// # Errors
/// FOLIO's refusals.
pub async fn create_pieces(call: Call) -> Result<Response, ApiError> {
    let makes_items = flag(&call, "createItem")?;
    let sent = crate::rules::doc::object(call.json()?);
    let sent = elements(&sent, "pieces");
    if sent.len() > PIECES_MAX {
        let message = format!("pieces: at most {PIECES_MAX} at a time");
        return Err(ApiError::bad_request(message));
    }
    let context = call.context();
    let new = sent
        .iter()
        .map(|piece| checked(&context, "pieces", piece.clone()));
    let new = new.collect::<Result<Vec<_>, _>>()?;
    let stored = act(&call, |act| Box::pin(pieces::create(act, new, makes_items))).await?;
    let total = stored.len();
    let body = json!({"pieces": stored, "totalRecords": total});
    Ok(pretty(StatusCode::OK, &body))
}

/// A piece replaced.
///
/// # Errors
/// FOLIO's refusals.
pub async fn replace_piece(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let how = Changing {
        makes_item: flag(&call, "createItem")?,
        deletes_holdings: flag(&call, "deleteHolding")?,
    };
    let piece = piece(&call)?;
    act(&call, |act| Box::pin(pieces::change(act, id, piece, how))).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A piece deleted.
///
/// # Errors
/// FOLIO's refusals.
pub async fn delete_piece(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let deletes_holdings = flag(&call, "deleteHolding")?;
    act(&call, |act| {
        Box::pin(pieces::delete(act, id, deletes_holdings))
    })
    .await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A status for many pieces.
///
/// # Errors
/// 400 for unknown pieces.
pub async fn set_statuses(call: Call) -> Result<Response, ApiError> {
    let sent = body(&call, &STATUSES, nothing_more)?;
    let wanted = NewStatus {
        ids: ids(&sent, "pieceIds"),
        status: text(&sent, "receivingStatus")
            .unwrap_or_default()
            .to_owned(),
        more: more_of(&sent),
    };
    act(&call, |act| {
        Box::pin(async move { pieces::set_statuses(act, &wanted).await })
    })
    .await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The requests on the items of pieces.
///
/// # Errors
/// 400 for an id that is none.
pub async fn requests(call: Call) -> Result<Response, ApiError> {
    let given = call.parameters("pieceIds")?;
    let mut pieces: Vec<Uuid> = Vec::new();
    for id in given
        .iter()
        .flat_map(|ids| ids.split(','))
        .filter(|id| !id.is_empty())
    {
        let parsed = Uuid::try_parse(id.trim());
        pieces
            .push(parsed.map_err(|_| octavo_platform::incorrect("pieceIds", id, "must be UUIDs"))?);
    }
    let status = call.parameter("status")?;
    let found = read_receiving::requests(&call.context(), &pieces, status.as_deref()).await?;
    let total = found.len();
    let body = json!({"circulationRequests": found, "totalRecords": total});
    Ok(pretty(StatusCode::OK, &body))
}

/// Pieces that are received.
///
/// # Errors
/// When the body is none.
pub async fn receive(call: Call) -> Result<Response, ApiError> {
    arrived(&call, How::Receive, &RECEIVE).await
}

/// Pieces that arrive.
///
/// # Errors
/// When the body is none.
pub async fn check_in(call: Call) -> Result<Response, ApiError> {
    arrived(&call, How::CheckIn, &CHECK_IN).await
}

/// Pieces that are expected again.
///
/// # Errors
/// When the body is none.
pub async fn expect(call: Call) -> Result<Response, ApiError> {
    arrived(&call, How::Expect, &EXPECT).await
}

async fn arrived(call: &Call, how: How, shape: &Parsed) -> Result<Response, ApiError> {
    let lines = read(&body(call, shape, nothing_more)?, how);
    let results = act(call, |act| Box::pin(receive::handle(act, how, lines))).await?;
    let results: Vec<Value> = results.iter().map(shown).collect();
    let total = results.len();
    let body = json!({"receivingResults": results, "totalRecords": total});
    Ok(pretty(StatusCode::OK, &body))
}

fn shown(result: &LineResult) -> Value {
    let failed = result
        .pieces
        .iter()
        .filter(|(_, wrong)| wrong.is_some())
        .count();
    let pieces: Vec<Value> = result
        .pieces
        .iter()
        .map(|(id, wrong)| {
            let status = match wrong {
                None => json!({"type": "success"}),
                Some(wrong) => json!({"type": "failure", "error": item(wrong)}),
            };
            json!({"pieceId": id, "processingStatus": status})
        })
        .collect();
    json!({"poLineId": result.line_id, "processedSuccessfully": result.pieces.len() - failed,
           "processedWithError": failed, "receivingItemResults": pieces})
}

/// Pieces bound together.
///
/// # Errors
/// FOLIO's refusals.
pub async fn bind(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let binding = Binding::read(&body(&call, &BIND, nothing_more)?);
    let (line_id, piece_ids) = (binding.line_id, binding.piece_ids.clone());
    let item = act(&call, |act| {
        Box::pin(async move { bind_pieces::bind(act, &binding, &cache).await })
    })
    .await?;
    let body = json!({"poLineId": line_id, "boundPieceIds": piece_ids, "itemId": item});
    Ok(pretty(StatusCode::OK, &body))
}

/// A piece taken out of its binding.
///
/// # Errors
/// 404 when there is none.
pub async fn unbind(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    act(&call, |act| Box::pin(bind_pieces::unbind(act, id))).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Late pieces claimed.
///
/// # Errors
/// FOLIO's refusals.
pub async fn claim(call: Call) -> Result<Response, ApiError> {
    let sent = body(&call, &CLAIM, nothing_more)?;
    let claim = Claim {
        piece_ids: ids(&sent, "claimingPieceIds"),
        more: more_of(&sent),
    };
    let claimed = act(&call, |act| Box::pin(claim_pieces::claim(act, claim))).await?;
    Ok(pretty(StatusCode::OK, &claim_pieces::results(&claimed)))
}

/// Another instance for a line.
///
/// # Errors
/// 404 without line or instance.
pub async fn patch_line(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let change = Change::read(&body(&call, &PATCH_LINE, nothing_more)?);
    let change = change.map_err(octavo_platform::Answer::answer)?;
    act(&call, |act| {
        Box::pin(change_instance::change(act, id, change))
    })
    .await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The receiving history of what the user may read.
///
/// # Errors
/// When the query cannot be run.
pub async fn receiving_history(call: Call) -> Result<Response, ApiError> {
    let listed = Listed {
        list_key: Some("receivingHistory"),
        fields: Some(view_query::of_receiving_history),
        view: Some(views::receiving_history),
        units: Some(UnitsOf::OrderOfLine),
        ..Listed::of("pieces")
    };
    list(&call, listed).await
}

/// The lines that ordered holdings.
///
/// # Errors
/// On a database error.
pub async fn holding_summary(call: Call) -> Result<Response, ApiError> {
    let summaries = read_receiving::holding_summary(&call.context(), call.id()?).await?;
    let total = summaries.len();
    let body = json!({"holdingSummaries": summaries, "totalRecords": total});
    Ok(pretty(StatusCode::OK, &body))
}
