//! Lists and single records of mod-invoice: what of them a user sees depends on acquisitions units.

use axum::response::Response;
use http::StatusCode;
use octavo_organizations::units;
use octavo_platform::records_http::page_of;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use octavo_records::plan::{Crossing, Predicate, Sql};
use serde_json::{Map, Value};

use super::rights;
use crate::app::guard::allow;
use crate::rules::document;
use octavo_organizations::units::Operation;

/// A record of mod-invoice: its table, and the properties and tables that lead to its invoice, whose units
/// count for all that belongs to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    pub table: &'static str,
    pub path: &'static [(&'static str, &'static str)],
}

pub(super) const INVOICES: Kind = Kind {
    table: "invoices",
    path: &[],
};
pub(super) const LINES: Kind = Kind {
    table: "invoice_lines",
    path: &[("invoiceId", "invoices")],
};
pub(super) const VOUCHERS: Kind = Kind {
    table: "vouchers",
    path: &[("invoiceId", "invoices")],
};
pub(super) const VOUCHER_LINES: Kind = Kind {
    table: "voucher_lines",
    path: &[("voucherId", "vouchers"), ("invoiceId", "invoices")],
};

/// A page of what the user may see.
pub(super) async fn page(call: &Call, kind: Kind) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let collection = call.collection(kind.table);
    let store = call.store();
    let mut plan = store.plan(&call.tenant, collection, paging.query.as_deref())?;
    if !rights(call).bypasses_units {
        let visible = units::visible(&store.database, call.tables(), call.user_id()).await?;
        let readable = units::readable(&visible);
        let across = |predicate, (property, table): &(&str, &str)| {
            Predicate::Across(Box::new(Crossing {
                column: property.to_lowercase(),
                table: (*table).to_owned(),
                other: "id".to_owned(),
                predicate,
            }))
        };
        let readable = kind.path.iter().rev().fold(readable, across);
        plan.predicate = Predicate::All(vec![plan.predicate, readable]);
    }
    let schema = call.tenant.schema();
    let sql = Sql::page(schema, kind.table, &plan, paging.limit, paging.offset);
    Ok(page_of(call, collection, &plan, sql, paging.search()).await?)
}

/// One record.
pub(super) async fn one(call: &Call, kind: Kind) -> Result<Response, ApiError> {
    let id = call.id()?;
    let store = call.store();
    let found = store
        .read(&call.tenant, call.collection(kind.table), id)
        .await?;
    let stored = found.ok_or(StoreError::NotFound)?;
    let mut record: Map<String, Value> = serde_json::from_slice(&stored)?;
    for (property, table) in kind.path {
        let owner = document::id(&record, property).unwrap_or_default();
        let found = store
            .read(&call.tenant, call.collection(table), owner)
            .await?;
        record = serde_json::from_slice(&found.ok_or(StoreError::NotFound)?)?;
    }
    let context = call.context();
    allow(
        &context,
        &store.database,
        rights(call),
        Operation::Read,
        &record,
    )
    .await?;
    Ok(json_bytes(StatusCode::OK, stored))
}
