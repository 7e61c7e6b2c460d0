//! Lists of joined views.

use axum::response::Response;
use octavo_platform::records_http::page_of;
use octavo_platform::{ApiError, Call, of_record};
use octavo_records::plan::Sql;
use octavo_records::{Collection, StoreError};
use uuid::Uuid;

use super::ok;
use crate::store::views::{FINANCE_DATA, GROUP_BUDGETS, ROLLOVER_LOGS, TRANSACTION_TOTALS};

/// 200 with a page of a view.
async fn list(call: &Call, view: &Collection) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let plan = call
        .store()
        .plan(&call.tenant, view, paging.query.as_deref())?;
    let schema = call.tenant.schema();
    let sql = Sql::page(schema, &view.table, &plan, paging.limit, paging.offset);
    Ok(page_of(call, view, &plan, sql, paging.search()).await?)
}

/// 200 with sums of allocations and transfers.
pub async fn transaction_totals(call: Call) -> Result<Response, ApiError> {
    list(&call, &TRANSACTION_TOTALS).await
}

/// 200 with the budgets of groups.
pub async fn group_budgets(call: Call) -> Result<Response, ApiError> {
    list(&call, &GROUP_BUDGETS).await
}

/// 200 with rollovers and how they went.
pub async fn rollover_logs(call: Call) -> Result<Response, ApiError> {
    list(&call, &ROLLOVER_LOGS).await
}

/// 200 with a rollover and how it went.
pub async fn rollover_log(call: Call) -> Result<Response, ApiError> {
    let id: Uuid = call.id()?;
    let found = call.store().read(&call.tenant, &ROLLOVER_LOGS, id).await?;
    let found = found.ok_or_else(|| of_record(StoreError::NotFound, "Not found"))?;
    Ok(ok(found))
}

/// 200 with funds and budgets, a row for each fiscal year.
pub async fn finance_data(call: Call) -> Result<Response, ApiError> {
    list(&call, &FINANCE_DATA).await
}
