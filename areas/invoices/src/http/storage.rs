//! `/invoice-storage/…`: invoices, lines and documents.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::{Hooks, page_of};
use octavo_platform::respond::{created, empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::plan::{Predicate, Sql};
use serde_json::Value;
use uuid::Uuid;

use super::document_body;
use crate::app::stored_documents::{self, NotStored};
use crate::app::{exported_time, stored_invoices, voucher_number_form};

/// Vouchers: their number has a pattern.
pub const VOUCHERS: Hooks = Hooks {
    before: |_, _, document| Ok(voucher_number_form(document)?),
    ..Hooks::NONE
};

/// Configurations of exports: the time of day has a pattern.
pub const CONFIGURATIONS: Hooks = Hooks {
    before: |_, _, document| Ok(exported_time(document)?),
    ..Hooks::NONE
};

/// A new invoice.
///
/// # Errors
/// 422 when it does not fit, 400 when its batch group does not exist.
pub async fn create_invoice(call: Call) -> Result<Response, ApiError> {
    let document = call.record()?;
    let (id, stored) = stored_invoices::create_invoice(&call.context(), document).await?;
    Ok(created(
        stored,
        &call.collection("invoices").location_of(id),
    ))
}

/// A replaced invoice.
///
/// # Errors
/// 404 when there is none; as [`create_invoice`].
pub async fn replace_invoice(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let document = call.record()?;
    stored_invoices::replace_invoice(&call.context(), id, document).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A deleted invoice, with its lines and documents.
///
/// # Errors
/// 404 when there is none, 400 when a voucher belongs to it.
pub async fn delete_invoice(call: Call) -> Result<Response, ApiError> {
    stored_invoices::delete_invoice(&call.context(), call.id()?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A new line.
///
/// # Errors
/// 422 when it does not fit, 400 when its invoice does not exist.
pub async fn create_line(call: Call) -> Result<Response, ApiError> {
    let document = call.record()?;
    let (id, stored) = stored_invoices::create_line(&call.context(), document).await?;
    let location = call.collection("invoice_lines").location_of(id);
    Ok(created(stored, &location))
}

/// A replaced line.
///
/// # Errors
/// 404 when there is none; as [`create_line`].
pub async fn replace_line(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let document = call.record()?;
    stored_invoices::replace_line(&call.context(), id, document).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A deleted line.
///
/// # Errors
/// 404 when there is none.
pub async fn delete_line(call: Call) -> Result<Response, ApiError> {
    stored_invoices::delete_line(&call.context(), call.id()?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn segment(call: &Call, name: &str) -> Result<Uuid, ApiError> {
    Uuid::try_parse(call.segment(name))
        .map_err(|_| octavo_platform::incorrect(name, call.segment(name), "must be a UUID"))
}

/// The documents of an invoice, without contents.
///
/// # Errors
/// 400 when the query cannot be run.
pub async fn documents(call: Call) -> Result<Response, ApiError> {
    let invoice = segment(&call, "id")?;
    let paging = call.paging()?;
    let collection = call.collection("documents");
    let store = call.store();
    let mut plan = store.plan(&call.tenant, collection, paging.query.as_deref())?;
    let of_invoice = Predicate::IdIn("invoiceid".to_owned(), vec![invoice]);
    plan.predicate = Predicate::All(vec![plan.predicate, of_invoice]);
    let (limit, offset) = (paging.limit, paging.offset);
    let sql = Sql::page(call.tenant.schema(), "documents", &plan, limit, offset);
    Ok(page_of(&call, collection, &plan, sql, paging.search()).await?)
}

/// A new document of an invoice.
///
/// # Errors
/// 400 when it names another invoice.
pub async fn create_document(call: Call) -> Result<Response, ApiError> {
    let sent = call.record()?;
    let (location, stored) = keep_document(&call, sent, "/invoice-storage/invoices").await?;
    Ok(located(&stored, &location))
}

/// The same for mod-invoice, whose body is a stream.
///
/// # Errors
/// As [`create_document`]; 413 when it is too large.
pub async fn upload_document(call: Call) -> Result<Response, ApiError> {
    let sent = document_body::read(&call).await?;
    let (location, stored) = keep_document(&call, sent, "/invoice/invoices").await?;
    Ok(located(&stored, &location))
}

fn located(stored: &Value, location: &str) -> Response {
    created(
        octavo_platform::respond::pretty_text(stored).into(),
        location,
    )
}

async fn keep_document(call: &Call, sent: Value, base: &str) -> Result<(String, Value), ApiError> {
    let invoice = segment(call, "id")?;
    let made = stored_documents::create(&call.context(), invoice, sent).await;
    let (id, stored) = made.map_err(|error| match error {
        NotStored::InvoiceMismatch => ApiError::bad_request("Invoice id mismatch"),
        NotStored::Store(error) => error.into(),
    })?;
    Ok((format!("{base}/{invoice}/documents/{id}"), stored))
}

/// A document with its contents.
///
/// # Errors
/// 404 when the invoice has none such.
pub async fn document(call: Call) -> Result<Response, ApiError> {
    let (invoice, id) = (segment(&call, "id")?, segment(&call, "documentId")?);
    let whole = stored_documents::read(&call.context(), invoice, id).await?;
    Ok(pretty(StatusCode::OK, &whole))
}

/// A deleted document.
///
/// # Errors
/// 404 when the invoice has none such.
pub async fn delete_document(call: Call) -> Result<Response, ApiError> {
    let (invoice, id) = (segment(&call, "id")?, segment(&call, "documentId")?);
    stored_documents::delete(&call.context(), invoice, id).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Does nothing: events are written into the platform's outbox with the change itself.
///
/// # Errors
/// None.
pub async fn process_outbox(_: Call) -> Result<Response, ApiError> {
    Ok(empty(StatusCode::OK))
}
