//! Lists of places that leave out what stands for another tenant's, unless a parameter asks for it.

use axum::response::Response;
use octavo_platform::records_http::{self, page_of};
use octavo_platform::{ApiError, Call};
use octavo_records::plan::{Predicate, Sql};

use super::parameters::flag;

/// A page of a table, without the records whose `hidden` is true unless `parameter` is true.
pub(super) async fn page(
    call: &Call,
    table: &'static str,
    hidden: &str,
    parameter: &str,
) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let collection = call.context().collection(table);
    let search = paging.search();
    if includes(call, parameter)? {
        return Ok(records_http::page(call, collection, search).await?);
    }
    let (store, tenant) = (call.store(), &call.tenant);
    let mut plan = store.plan(tenant, collection, search.query)?;
    let query = format!("{hidden}==true");
    let unwanted = store.plan(tenant, collection, Some(&query))?.predicate;
    plan.predicate = Predicate::Except(Box::new(plan.predicate), Box::new(unwanted));
    let sql = Sql::page(tenant.schema(), table, &plan, search.limit, search.offset);
    Ok(page_of(call, collection, &plan, sql, search).await?)
}

/// Whether a parameter asks for them; one that is given without a value does not.
fn includes(call: &Call, parameter: &str) -> Result<bool, ApiError> {
    let is_given = call
        .parameter(parameter)?
        .is_some_and(|text| !text.is_empty());
    Ok(is_given && flag(call, parameter, false)?)
}
