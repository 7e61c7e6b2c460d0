//! `/source-storage/stream`: lists of any length as lines of documents, in constant memory; and MARC
//! searches.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http::{HeaderName, HeaderValue, StatusCode, header};
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use octavo_records::plan::Sql;
use serde::Deserialize;

use super::parameters;
use crate::app::keep_terms::{Freshness, freshen};
use crate::app::marc_search::{MarcQuery, SearchRefusal, Total, page, total};
use crate::store;
use crate::store::marc_search::MarcSearch;

const STREAM: HeaderValue = HeaderValue::from_static("application/stream+json");
/// The header with the number of recently written records that the search does not include.
const BEHIND: HeaderName = HeaderName::from_static("x-octavo-records-waiting");
/// The header that marks the total as the planner's estimate.
const ESTIMATED: HeaderName = HeaderName::from_static("x-octavo-total-estimated");
/// Up to this many ids are sent in one piece.
const WHOLE_MAX: i64 = 1_000;
/// An id as a document: 36 characters and two quotes.
const ID_BYTES: usize = 38;

/// Records, one a line.
pub async fn records(call: Call) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let plan = parameters::records(&call)?;
    let sql = store::records(call.tenant.schema(), &plan, paging.limit, paging.offset);
    lines(&call, "records of a stream", sql).await
}

/// Source records, one a line.
pub async fn source_records(call: Call) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let plan = parameters::source_records(&call)?;
    let sql = store::source_records(call.tenant.schema(), &plan, paging.limit, paging.offset);
    lines(&call, "source records of a stream", sql).await
}

async fn lines(call: &Call, name: &'static str, sql: Sql) -> Result<Response, ApiError> {
    let documents = call.writer().documents(name, store::lines(sql)).await?;
    Ok(streamed(Body::from_stream(documents)))
}

/// A search in MARC, as FOLIO's clients ask it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Request {
    leader_search_expression: Option<String>,
    fields_search_expression: Option<String>,
    suppress_from_discovery: Option<bool>,
    deleted: Option<bool>,
    limit: Option<i64>,
    offset: Option<i64>,
}

/// The ids of the instances whose records meet the expressions.
///
/// # Errors
/// 400 for an invalid expression, with the position.
pub async fn marc_record_identifiers(call: Call) -> Result<Response, ApiError> {
    let request: Request = call.json_as()?;
    let wanted = MarcQuery {
        leader: request.leader_search_expression.as_deref(),
        fields: request.fields_search_expression.as_deref(),
        // As in FOLIO, which has no type here.
        record_type: "MARC_BIB",
        deleted: request.deleted,
        suppressed: request.suppress_from_discovery,
    };
    let search = wanted.read().map_err(refused)?;
    let natural = |name, number: Option<i64>| match number {
        Some(number) if !(0..=i64::from(i32::MAX)).contains(&number) => {
            let message = format!("must be between 0 and {}", i32::MAX);
            Err(ApiError::invalid(message, name, number.to_string()))
        }
        number => Ok(number),
    };
    let limit = natural("limit", request.limit)?;
    let offset = natural("offset", request.offset)?.unwrap_or(0);
    let (writer, tenant) = (call.writer(), &call.tenant);
    let freshness = freshen(writer, tenant).await?;
    let mut response = match limit {
        Some(limit) if limit <= WHOLE_MAX => {
            let found = page(writer, tenant, &search, limit, offset).await?;
            let ids: Vec<String> = found.ids.iter().map(|id| format!("\"{id}\"")).collect();
            let body = [opening(), ids.join(","), closing(found.total)].concat();
            mark(streamed(Body::from(body)), found.total)
        }
        limit => ids_streamed(&call, &search, limit.unwrap_or(i64::MAX), offset).await?,
    };
    if let Freshness::Behind(records) = freshness {
        response.headers_mut().insert(BEHIND, records.into());
    }
    Ok(response)
}

/// Streams a long list of ids. If it is read to its end, the total is known.
async fn ids_streamed(
    call: &Call,
    search: &MarcSearch,
    limit: i64,
    offset: i64,
) -> Result<Response, ApiError> {
    let (writer, tenant) = (call.writer(), &call.tenant);
    let all = limit == i64::MAX;
    let believed = match all && offset == 0 {
        true => Total {
            things: 0,
            estimated: false,
        },
        false => total(writer, tenant, search).await?,
    };
    let sql = search.documents(tenant, (!all).then_some(limit), offset);
    let documents = writer.documents("ids of a search in MARC", sql).await?;
    let mut bytes = 0_usize;
    let separated = documents.map(move |piece| piece.map(|piece| separate(&piece, &mut bytes)));
    // Ids are counted while they are sent; the end of the document with the total follows.
    let counted = stream::unfold(
        (Box::pin(separated), 0_usize, false),
        move |state| async move {
            let (mut pieces, sent, ended) = state;
            if ended {
                return None;
            }
            match pieces.next().await {
                Some(Ok(piece)) => {
                    let sent = sent + piece.iter().filter(|byte| **byte == b'"').count() / 2;
                    Some((Ok(piece), (pieces, sent, false)))
                }
                Some(Err(error)) => Some((Err(error), (pieces, sent, true))),
                None => {
                    let end = offset + sent as i64;
                    let whole = (sent as i64) < limit && (sent > 0 || offset == 0);
                    let total = match (whole, sent) {
                        (true, _) => Total {
                            things: end,
                            estimated: false,
                        },
                        // An offset beyond the end: nothing was sent, so the total is still unknown.
                        (false, 0) => believed,
                        (false, _) => Total {
                            things: believed.things.max(end),
                            ..believed
                        },
                    };
                    Some((Ok(Bytes::from(closing(total))), (pieces, sent, true)))
                }
            }
        },
    );
    let before = stream::once(async { Ok::<_, StoreError>(Bytes::from(opening())) });
    let response = streamed(Body::from_stream(before.chain(counted)));
    Ok(mark(response, believed))
}

/// Puts a comma before each id but the first.
fn separate(piece: &[u8], passed: &mut usize) -> Bytes {
    let mut out = Vec::with_capacity(piece.len() + piece.len() / ID_BYTES + 1);
    for byte in piece {
        if *passed > 0 && passed.is_multiple_of(ID_BYTES) {
            out.push(b',');
        }
        out.push(*byte);
        *passed += 1;
    }
    Bytes::from(out)
}

fn opening() -> String {
    "{\n  \"records\" : [".to_owned()
}

fn closing(total: Total) -> String {
    format!("],\n  \"totalCount\" : {}\n}}", total.things)
}

fn mark(mut response: Response, total: Total) -> Response {
    if total.estimated {
        let yes = HeaderValue::from_static("true");
        response.headers_mut().insert(ESTIMATED, yes);
    }
    response
}

fn streamed(body: Body) -> Response {
    let mut response = json_bytes(StatusCode::OK, body);
    response.headers_mut().insert(header::CONTENT_TYPE, STREAM);
    response
}

fn refused(refusal: SearchRefusal) -> ApiError {
    match refusal {
        SearchRefusal::Store(error) => error.into(),
        other => ApiError::bad_request(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_separated_wherever_a_piece_ends() {
        let one = format!("\"{}\"", "a".repeat(36));
        let whole = format!("{one}{one}{one}");
        for cut in [0, 1, 37, 38, 39, 76, 114] {
            let mut passed = 0;
            let (first, second) = whole.as_bytes().split_at(cut);
            let mut out = separate(first, &mut passed).to_vec();
            out.extend_from_slice(&separate(second, &mut passed));
            assert_eq!(out, format!("{one},{one},{one}").into_bytes(), "{cut}");
        }
    }
}
