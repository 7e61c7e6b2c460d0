//! `/finance/fiscal-years`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::store::fetch;
use octavo_records::{StoreError, instant};
use serde_json::{Map, Value, json};

use super::{checked, replacement};
use crate::app::lookups::system_currency;
use crate::refusal::Refusal;
use crate::rules::fiscal_years::series;
use crate::store::accounts::object;
use crate::store::totals;

const TABLE: &str = "fiscal_year";

/// Checks a year's period and code; its series and currency are the server's.
async fn complete(call: &Call, year: &mut Map<String, Value>) -> Result<(), ApiError> {
    let text = |year: &Map<String, Value>, name: &str| {
        year.get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let (start, end) = (text(year, "periodStart"), text(year, "periodEnd"));
    if instant::parse(&end) < instant::parse(&start) {
        return Err(Refusal::FiscalYearInvalidPeriod.into());
    }
    let code = text(year, "code");
    let Some(series) = series(&code) else {
        return Err(Refusal::FiscalYearInvalidCode.into());
    };
    let currency = system_currency(call.context(), &call.store().database).await?;
    year.insert("series".to_owned(), json!(series));
    year.insert("currency".to_owned(), json!(currency));
    Ok(())
}

/// 201 with the fiscal year.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let collection = call.collection(TABLE);
    let mut year = checked(&call, &collection.shape)?;
    complete(&call, &mut year).await?;
    let document = Value::Object(year);
    let store = call.store();
    let (id, stored) = store
        .create(&call.tenant, collection, document, &call.stamp())
        .await?;
    Ok(created(stored, &format!("/finance/fiscal-years/{id}")))
}

/// 204.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let collection = call.collection(TABLE);
    let (id, mut year) = replacement(&call, &collection.shape)?;
    complete(&call, &mut year).await?;
    let document = Value::Object(year);
    let store = call.store();
    store
        .replace(&call.tenant, collection, id, document, &call.stamp())
        .await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 200 with the fiscal year; with its sums where they are asked for.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let database = &call.store().database;
    let year = fetch(database, &call.tenant, call.collection(TABLE), id).await?;
    let mut year = object(year.ok_or(StoreError::NotFound)?);
    if call.parameter("withFinancialSummary")?.as_deref() == Some("true") {
        let sums = totals::of_year(database, call.tables(), id).await?;
        let mut summary = Map::new();
        sums.write(&mut summary);
        // FOLIO's summary of a year has no transfers.
        summary.shift_remove("netTransfers");
        year.insert("financialSummary".to_owned(), Value::Object(summary));
    }
    Ok(pretty(StatusCode::OK, &Value::Object(year)))
}
