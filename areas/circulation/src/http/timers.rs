//! mod-circulation's timers for overdue and lost items and for notices.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;

use super::desk;
use crate::app::age_to_lost::age_to_lost;
use crate::app::bill_aged::bill_aged;
use crate::app::digest_notices::{self, Digest, send_digests};
use crate::app::due_notices::{self, Sending, Sent, send_due};
use crate::app::expire_actual_costs::expire_actual_costs;
use crate::app::remind::remind_borrowers;
use crate::config_cache::ConfigCache;
use crate::notice::Event;

/// Ages overdue loans to lost.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn age(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let aged = age_to_lost(desk(&call, &cache)).await?;
    if aged > 0 {
        tracing::info!(tenant = call.tenant.id(), aged, "loans aged to lost");
    }
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Bills for loans that have aged to lost.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn bill(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let billed = bill_aged(desk(&call, &cache)).await?;
    let tenant = call.tenant.id();
    if billed.charged + billed.closed > 0 {
        let (charged, closed) = (billed.charged, billed.closed);
        tracing::info!(tenant, charged, closed, "loans aged to lost were billed");
    }
    if billed.without_owner > 0 {
        let loans = billed.without_owner;
        tracing::warn!(
            tenant,
            loans,
            "loans aged to lost cannot be billed: no fee/fine owner has the primary service point \
             of the items' permanent location; add it to an owner"
        );
    }
    if billed.without_fee_type > 0 {
        let loans = billed.without_fee_type;
        tracing::warn!(
            tenant,
            loans,
            "loans aged to lost cannot be billed: no automatic fee type \"Lost item fee\" or \
             \"Lost item processing fee\" is there; load the reference data of mod-feesfines"
        );
    }
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Expires actual cost records.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn expire(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let expired = expire_actual_costs(desk(&call, &cache)).await?;
    if expired > 0 {
        tracing::info!(tenant = call.tenant.id(), expired, "actual costs expired");
    }
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Sends reminders and bills their fees.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn remind(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let done = remind_borrowers(desk(&call, &cache)).await?;
    if done.reminded > 0 {
        octavo_notices::queue::soon(&call);
    }
    let tenant = call.tenant.id();
    if done.reminded + done.dropped > 0 {
        let (reminded, charged, dropped) = (done.reminded, done.charged, done.dropped);
        tracing::info!(
            tenant,
            reminded,
            charged,
            dropped,
            "borrowers were reminded"
        );
    }
    if done.without_owner > 0 {
        let loans = done.without_owner;
        tracing::warn!(
            tenant,
            loans,
            "reminder fees cannot be billed: no fee/fine owner has the primary service point of the \
             items' effective location; add it to an owner"
        );
    }
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Sends the notices of due dates, and of loans that aged to lost.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn loan_notices(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let sent = due(&cache, &call, &due_notices::OF_LOANS).await?;
    Ok(sent_response(&call, "of loans", sent))
}

/// Sends notices about the expiration of requests.
pub async fn request_notices(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let sent = due(&cache, &call, &due_notices::OF_REQUESTS).await?;
    Ok(sent_response(&call, "of requests", sent))
}

/// Sends the notices of fees for lost items.
pub async fn fee_notices(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let sent = due(&cache, &call, &due_notices::OF_FEES).await?;
    Ok(sent_response(&call, "of fees", sent))
}

/// Sends each patron's notices of due dates of the days before this one, in one message.
pub async fn due_date_digests(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let sent = digests(&cache, &call, digest_notices::DUE_DATES).await?;
    Ok(sent_response(&call, "of due dates, gathered", sent))
}

/// Sends each patron's notices of fees for lost items of the days before this one, in one message.
pub async fn fee_digests(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let sent = digests(&cache, &call, digest_notices::LOST_ITEM_FEES).await?;
    Ok(sent_response(&call, "of fees, gathered", sent))
}

/// Sends the notices of overdue fines, those of a visit in one message.
pub async fn fine_notices(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let sent = digests(&cache, &call, digest_notices::FINES).await?;
    Ok(sent_response(&call, "of overdue fines", sent))
}

async fn due(cache: &ConfigCache, call: &Call, events: &[Event]) -> Result<Sent, StoreError> {
    let queued = || octavo_notices::queue::soon(call);
    send_due(desk(call, cache), sending(call, &queued), events).await
}

async fn digests(cache: &ConfigCache, call: &Call, digest: Digest) -> Result<Sent, StoreError> {
    let queued = || octavo_notices::queue::soon(call);
    send_digests(desk(call, cache), sending(call, &queued), digest).await
}

fn sending<'a>(call: &'a Call, queued: &'a (dyn Fn() + Sync)) -> Sending<'a> {
    Sending {
        room: call.platform.workers.room(),
        queued,
    }
}

fn sent_response(call: &Call, what: &str, done: Sent) -> Response {
    if done.sent + done.deleted > 0 {
        let tenant = call.tenant.id();
        let (sent, deleted, put_off) = (done.sent, done.deleted, done.put_off);
        tracing::info!(tenant, what, sent, deleted, put_off, "notices were sent");
    }
    empty(StatusCode::NO_CONTENT)
}
