//! `/voucher/…`: vouchers and their lines.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::{Hooks, Write};
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};
use octavo_records::OperationError;

use super::pages::{VOUCHER_LINES, VOUCHERS, one, page};
use super::refusal::listed;
use crate::app::change_invoice::settle_id;
use crate::app::change_voucher::change_voucher;
use crate::app::exported_time;

/// Generic records of mod-invoice: errors are listed, and the id in the body is that of the path.
pub const LISTED: Hooks = Hooks {
    before: |_, write, document| match write {
        Write::Create => Ok(()),
        Write::Replace(id) => {
            settle_id(id, document).map_err(|refusal| ApiError::from(OperationError::from(refusal)))
        }
    },
    wording: |refused| listed(refused.as_stored()),
    form: listed,
    ..Hooks::NONE
};

/// Configurations of exports: the time of day has a pattern too.
pub const CONFIGURATIONS: Hooks = Hooks {
    before: |call, write, document| {
        (LISTED.before)(call, write, document)?;
        Ok(exported_time(document)?)
    },
    ..LISTED
};

/// A page of the vouchers that the user may see.
///
/// # Errors
/// 400 when the query cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    page(&call, VOUCHERS).await.map_err(listed)
}

/// One voucher.
///
/// # Errors
/// 404 when there is none, 403 when its units hide it.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    one(&call, VOUCHERS).await.map_err(listed)
}

/// A changed voucher.
///
/// # Errors
/// 400 when a property changes that may not.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = call.id().map_err(listed)?;
    let sent = call.record().map_err(listed)?;
    let done = change_voucher(&call.context(), id, sent).await;
    done.map_err(|declined| listed(declined.into()))?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A page of the voucher lines that the user may see.
///
/// # Errors
/// 400 when the query cannot be run.
pub async fn list_lines(call: Call) -> Result<Response, ApiError> {
    page(&call, VOUCHER_LINES).await.map_err(listed)
}

/// One voucher line.
///
/// # Errors
/// 404 when there is none, 403 when its voucher's units hide it.
pub async fn read_line(call: Call) -> Result<Response, ApiError> {
    one(&call, VOUCHER_LINES).await.map_err(listed)
}
