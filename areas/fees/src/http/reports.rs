//! `/feefine-reports`: refunds, cash drawer reconciliation, and financial transactions.

use std::sync::LazyLock;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use http::StatusCode;
use octavo_configuration::app::locale::{Locale, zone};
use octavo_platform::respond::{json_bytes, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::plan::Sql;
use octavo_records::{Shape, StoreError};
use serde_json::json;

use super::body;
use crate::reports::{
    CashDrawer, Commas, Financial, Group, Period, PeriodError, Refunds, Sources, Style, Total,
    stats,
};
use crate::store::reports::{self, ReportFilter, tenant_locale};

macro_rules! shape {
    ($name:ident, $file:literal) => {
        static $name: LazyLock<Shape> = LazyLock::new(|| {
            Shape::parse(include_str!(concat!("../shapes/", $file)))
                .expect("invariant: the shape is well formed")
        });
    };
}

shape!(REFUNDS, "refund_report.shape");
shape!(CASH_DRAWER, "cash_drawer_report.shape");
shape!(SOURCES, "cash_drawer_sources.shape");
shape!(FINANCIAL, "financial_report.shape");

/// 200 with a row for each refund.
///
/// # Errors
/// 422 when the dates are invalid.
pub async fn refunds(call: Call) -> Result<Response, ApiError> {
    let request: Refunds = body(&call, &REFUNDS)?;
    if request.start_date.is_none() && request.end_date.is_some() {
        return Err(refused(PeriodError::NoStart));
    }
    let locale = locale(&call).await?;
    let wanted = ReportFilter {
        period: period(&request.start_date, &request.end_date, &locale)?,
        owners: request.fee_fine_owners,
        ..ReportFilter::default()
    };
    let sql = reports::refunds(call.context().tables(), wanted, &style(&locale));
    answer(&call, "refund report", sql, None).await
}

/// 200 with a row for each payment at a service point, and their sums.
///
/// # Errors
/// 422 when the days are none.
pub async fn cash_drawer(call: Call) -> Result<Response, ApiError> {
    let request: CashDrawer = body(&call, &CASH_DRAWER)?;
    let locale = locale(&call).await?;
    let wanted = ReportFilter {
        period: period(&request.start_date, &request.end_date, &locale)?,
        created_at: vec![request.created_at],
        sources: request.sources,
        ..ReportFilter::default()
    };
    let context = call.context();
    let database = &context.store.database;
    let (sql, sums) =
        reports::cash_drawer(database, context.tables(), wanted, &style(&locale)).await?;
    let sums = Some((&reports::CASH_DRAWER_GROUPS[..], sums.as_slice()));
    answer(&call, "cash drawer report", sql, sums).await
}

/// 200 with the users who took payments at a service point.
///
/// # Errors
/// 422 when none is named.
pub async fn sources(call: Call) -> Result<Response, ApiError> {
    let request: Sources = body(&call, &SOURCES)?;
    let context = call.context();
    let database = &context.store.database;
    let sources = reports::sources(database, context.tables(), request.created_at).await?;
    Ok(pretty(StatusCode::OK, &json!({"sources": sources})))
}

/// 200 with a row for each action on accounts of an owner, and their sums.
///
/// # Errors
/// 422 when the days are none.
pub async fn financial(call: Call) -> Result<Response, ApiError> {
    let request: Financial = body(&call, &FINANCIAL)?;
    let locale = locale(&call).await?;
    let wanted = ReportFilter {
        period: period(&request.start_date, &request.end_date, &locale)?,
        created_at: request.created_at,
        owners: vec![request.fee_fine_owner],
        ..ReportFilter::default()
    };
    let context = call.context();
    let database = &context.store.database;
    let (sql, sums) =
        reports::financial(database, context.tables(), wanted, &style(&locale)).await?;
    let sums = Some((&reports::FINANCIAL_GROUPS[..], sums.as_slice()));
    answer(&call, "financial report", sql, sums).await
}

async fn locale(call: &Call) -> Result<Locale, ApiError> {
    let context = call.context();
    Ok(tenant_locale(&context.store.database, context.tables()).await?)
}

fn style(locale: &Locale) -> Style {
    Style::new(&locale.locale, &locale.currency, &locale.timezone)
}

fn period(
    start: &Option<String>,
    end: &Option<String>,
    locale: &Locale,
) -> Result<Period, ApiError> {
    let settings = locale.document().to_string();
    let zone = zone(Some(&settings));
    Period::new(start.as_deref(), end.as_deref(), &zone).map_err(refused)
}

fn refused(error: PeriodError) -> ApiError {
    ApiError::text(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
}

/// Streams the report as its rows are read, so that only a small buffer is held.
async fn answer(
    call: &Call,
    name: &'static str,
    rows: Sql,
    sums: Option<(&[Group], &[Total])>,
) -> Result<Response, ApiError> {
    // From the primary: a replica may cancel a long statement, and a response that has begun cannot be
    // retried.
    let rows = call.writer().documents(name, rows).await?;
    let mut commas = Commas::default();
    let rows = rows.map_ok(move |piece| Bytes::from(commas.between(&piece)));
    let end = match sums {
        Some((groups, totals)) => format!("],\"reportStats\":{}}}", stats(groups, totals)),
        None => "]}".to_owned(),
    };
    let before =
        stream::once(async { Ok::<_, StoreError>(Bytes::from_static(b"{\"reportData\":[")) });
    let behind = stream::once(async { Ok::<_, StoreError>(Bytes::from(end)) });
    let body = before.chain(rows).chain(behind);
    Ok(json_bytes(StatusCode::OK, Body::from_stream(body)))
}
