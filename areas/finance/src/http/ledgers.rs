//! `/finance/ledgers`: ledgers, with their totals of a fiscal year where they are asked for.

use axum::body::to_bytes;
use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use octavo_records::store::fetch;
use serde_json::{Value, json};
use uuid::Uuid;

use super::lists::{UnitsOf, list as page};
use super::{id_parameter, replacement};
use crate::app::lookups::ledger_years;
use crate::app::status::replace_ledger;
use crate::records::Sums;
use crate::refusal::Refusal;
use crate::store::{totals, years};

const TABLE: &str = "ledger";
/// Bytes of a page of ledgers whose totals are computed.
const PAGE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// 200 with a page of ledgers.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let response = page(&call, call.collection(TABLE), UnitsOf::Record).await?;
    let Some(year) = id_parameter(&call, "fiscalYear")? else {
        return Ok(response);
    };
    let bytes = to_bytes(response.into_body(), PAGE_BYTES_MAX).await;
    let bytes = bytes.map_err(|error| ApiError::fault(format!("a page broke off: {error}")))?;
    let mut body: Value = serde_json::from_slice(&bytes)?;
    if let Some(ledgers) = body["ledgers"].as_array_mut() {
        add_totals(&call, ledgers, year).await?;
    }
    Ok(pretty(StatusCode::OK, &body))
}

/// 200 with a ledger.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let collection = call.collection(TABLE);
    let ledger = fetch(&call.store().database, &call.tenant, collection, id).await?;
    let mut ledgers = [ledger.ok_or(StoreError::NotFound)?];
    if let Some(year) = id_parameter(&call, "fiscalYear")? {
        add_totals(&call, &mut ledgers, year).await?;
    }
    Ok(pretty(StatusCode::OK, &ledgers[0]))
}

async fn add_totals(call: &Call, ledgers: &mut [Value], year: Uuid) -> Result<(), ApiError> {
    let (database, tables) = (&call.store().database, call.tables());
    let years = years::by_ids(database, tables, &[year]).await?;
    let year = years.get(&year).ok_or(Refusal::FiscalYearNotFound)?;
    let id = |ledger: &Value| Uuid::try_parse(ledger["id"].as_str()?).ok();
    let ids: Vec<Uuid> = ledgers.iter().filter_map(id).collect();
    let places = totals::places_in_ledgers(database, tables, &ids, year.id).await?;
    let totals = totals::of_places(database, tables, &places).await?;
    for (number, ledger) in (0..).zip(ledgers) {
        let sums: Sums = totals.get(&number).copied().unwrap_or_default();
        if let Some(ledger) = ledger.as_object_mut() {
            sums.write(ledger);
            ledger.insert("currency".to_owned(), json!(year.currency));
        }
    }
    Ok(())
}

/// 204: a ledger, whose new status reaches its funds and their current budgets.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, document) = replacement(&call, &call.collection(TABLE).shape)?;
    let transaction = call.store().database.transaction().await?;
    replace_ledger(call.context(), &transaction, id, &document).await?;
    transaction.commit().await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 200 with the ledger's current fiscal year.
pub async fn current_year(call: Call) -> Result<Response, ApiError> {
    let text = call.segment("id");
    let id = Uuid::try_parse(text).map_err(|_| StoreError::NotFound)?;
    let database = &call.store().database;
    let years = ledger_years(call.context(), database, &[id]).await?;
    let year = years.get(&id).and_then(|years| years.current.as_ref());
    let year = year.ok_or(Refusal::CurrentFiscalYearNotFound)?;
    let collection = call.collection("fiscal_year");
    let document = fetch(database, &call.tenant, collection, year.id).await?;
    Ok(pretty(
        StatusCode::OK,
        &document.ok_or(StoreError::NotFound)?,
    ))
}
