//! The `retrieve` routes: the lists of GET with the parameters in the body, for queries too long for a
//! URL.

use axum::response::Response;
use octavo_platform::{ApiError, Call, Paging, records_http};
use octavo_records::Totals;
use serde::Deserialize;

/// POST: items.
pub async fn items(call: Call) -> Result<Response, ApiError> {
    page(&call, "item").await
}

/// POST: holdings.
pub async fn holdings(call: Call) -> Result<Response, ApiError> {
    page(&call, "holdings_record").await
}

/// POST: instances.
pub async fn instances(call: Call) -> Result<Response, ApiError> {
    page(&call, "instance").await
}

async fn page(call: &Call, table: &'static str) -> Result<Response, ApiError> {
    let paging = paging(call)?;
    let collection = call.context().collection(table);
    Ok(records_http::page(call, collection, paging.search()).await?)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Parameters {
    query: Option<String>,
    offset: Option<i64>,
    limit: Option<i64>,
    total_records: Option<TotalRecords>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum TotalRecords {
    Exact,
    Estimated,
    None,
    Auto,
}

/// The parameters of a list from the body.
pub(super) fn paging(call: &Call) -> Result<Paging, ApiError> {
    let body: Parameters = call.json_as()?;
    let number = |name: &str, value: Option<i64>, default: i64| match value.unwrap_or(default) {
        number if (0..=i64::from(i32::MAX)).contains(&number) => Ok(number),
        other => {
            let message = "must be a whole number from 0 to 2147483647";
            Err(ApiError::invalid(message, name, other.to_string()))
        }
    };
    Ok(Paging {
        query: body.query,
        offset: number("offset", body.offset, 0)?,
        limit: number("limit", body.limit, 10)?,
        totals: match body.total_records {
            None | Some(TotalRecords::Auto) => Totals::Auto,
            Some(TotalRecords::Exact) => Totals::Exact,
            Some(TotalRecords::Estimated) => Totals::Estimated,
            Some(TotalRecords::None) => Totals::None,
        },
    })
}
