//! `/browse/…`: lists of headings.

use axum::response::Response;
use octavo_platform::{ApiError, Call};

use super::{bounded, flag, ok, place, refusal, required};
use crate::app::browse::{Page, browse, option};
use crate::store::browse::List;

/// Numbers of a page.
const NUMBERS_MAX: i64 = 100;
/// Subjects and contributors of a page.
const HEADINGS_MAX: i64 = 500;

pub async fn subjects(call: Call) -> Result<Response, ApiError> {
    page(&call, List::Subjects, "default", HEADINGS_MAX).await
}

pub async fn contributors(call: Call) -> Result<Response, ApiError> {
    page(&call, List::Contributors, "default", HEADINGS_MAX).await
}

/// Classification numbers of an option.
pub async fn classifications(call: Call) -> Result<Response, ApiError> {
    let (kind, algorithm) = chosen(&call, "instance-classification").await?;
    page(&call, List::Classifications(kind), &algorithm, NUMBERS_MAX).await
}

/// Call numbers of an option.
pub async fn call_numbers(call: Call) -> Result<Response, ApiError> {
    let (kind, algorithm) = chosen(&call, "instance-call-number").await?;
    page(&call, List::CallNumbers(kind), &algorithm, NUMBERS_MAX).await
}

async fn chosen(call: &Call, list: &str) -> Result<(i16, String), ApiError> {
    let found = option(place(call), list, call.segment("browseOptionId")).await;
    found.map_err(refusal::of)
}

async fn page(call: &Call, list: List, algorithm: &str, most: i64) -> Result<Response, ApiError> {
    let query = required(call, "query")?;
    let found = browse(place(call), list, algorithm, part(call, &query, most)?).await;
    Ok(ok(&found.map_err(refusal::of)?))
}

/// Headings before a value.
const PRECEDING_MAX: i64 = 100;

/// The wanted page of a list, with at most `most` headings.
pub(super) fn part<'a>(call: &Call, query: &'a str, most: i64) -> Result<Page<'a>, ApiError> {
    let preceding = match call.parameter("precedingRecordsCount")? {
        None => None,
        Some(_) => Some(bounded(
            call,
            "precedingRecordsCount",
            0,
            (1, PRECEDING_MAX),
        )?),
    };
    Ok(Page {
        query,
        limit: bounded(call, "limit", 100, (0, most))?,
        preceding,
        highlight: flag(call, "highlightMatch", true)?,
    })
}
