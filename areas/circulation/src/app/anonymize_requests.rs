//! Anonymizes closed requests: one by hand, and by a timer as the tenant's settings say.

use futures_util::try_join;
use octavo_library::{RequestId, RequestStatus};
use octavo_postgres::Transaction;
use octavo_records::store::{Locking, replace_many};
use octavo_records::{StoreError, retried};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::operation_error::OperationError;
use super::{Desk, journal};
use crate::facts::{LogEntry, LogLinks, LogRecord};
use crate::refusal::DeskRefusal;
use crate::store::closed_requests::{HeldRequest, by_id, closed_until};
use crate::store::settings::settings;

/// Requests of one transaction.
const PORTION: i64 = 500;
/// Portions of one run; the next run does the rest.
const PORTIONS_MAX: usize = 200;

/// Anonymizes a closed request.
///
/// # Errors
/// When there is no such request, it is not closed.
pub async fn one(desk: Desk<'_>, id: RequestId) -> Result<(), OperationError> {
    let transaction = desk.store.database.transaction().await?;
    let found = by_id(&transaction, desk.tables(), id).await?;
    let request = found.ok_or(OperationError::NotFound {
        what: "request",
        id: id.uuid(),
    })?;
    match RequestStatus::of(&request.document) {
        Some(status) if !status.is_open() => {}
        Some(RequestStatus::AwaitingDelivery) | None => {
            let id = id.to_string();
            return Err(OperationError::Refused(DeskRefusal::RequestNotEligible {
                id,
            }));
        }
        Some(_) => {
            let id = id.to_string();
            return Err(OperationError::Refused(DeskRefusal::RequestNotClosed {
                id,
            }));
        }
    }
    forget(desk, &transaction, vec![request], true).await?;
    transaction.commit().await?;
    Ok(())
}

/// Anonymizes closed requests by the tenant's settings; returns how many.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn as_settings_say(desk: Desk<'_>) -> Result<usize, StoreError> {
    let database = &desk.store.database;
    let setting = settings(database, desk.tables()).await?;
    let setting = setting.request_anonymization();
    let Some(until) = setting.closed_until(desk.stamp.at) else {
        return Ok(0);
    };
    let mut all = 0;
    for _ in 0..PORTIONS_MAX {
        let done = retried(|| async {
            let transaction = desk.store.database.transaction().await?;
            let found = closed_until(&transaction, desk.tables(), until, PORTION).await?;
            let number = found.len();
            forget(desk, &transaction, found, false).await?;
            transaction.commit().await?;
            Ok::<usize, StoreError>(number)
        })
        .await?;
        all += done;
        if done < PORTION as usize {
            break;
        }
    }
    Ok(all)
}

async fn forget(
    desk: Desk<'_>,
    transaction: &Transaction,
    requests: Vec<HeldRequest>,
    by_hand: bool,
) -> Result<(), StoreError> {
    let mut lines = Vec::with_capacity(requests.len());
    let mut documents: Vec<(Uuid, Map<String, Value>)> = Vec::with_capacity(requests.len());
    for HeldRequest {
        id,
        mut document,
        item,
    } in requests
    {
        scrub(&mut document);
        documents.push((id.uuid(), document));
        lines.push(LogEntry {
            object: "Request",
            action: "Anonymize",
            user_barcode: None,
            items: vec![item],
            service_point_id: None,
            description: String::new(),
            link_to_ids: LogLinks {
                request_id: Some(id),
                ..LogLinks::default()
            },
            record: LogRecord::None,
        });
    }
    let (tenant, collection) = (desk.tenant, desk.collection("request"));
    let (stamp, locking) = (&desk.stamp, Locking::Declared);
    try_join!(
        replace_many(transaction, tenant, collection, &documents, stamp, locking),
        async {
            match by_hand {
                true => journal::note_all(desk, transaction, &lines).await,
                false => journal::note_as_system(desk, transaction, &lines).await,
            }
        },
    )?;
    Ok(())
}

/// Removes requester, proxy and delivery address.
fn scrub(request: &mut Map<String, Value>) {
    for name in ["requesterId", "proxyUserId", "requester", "proxy"] {
        request.shift_remove(name);
    }
    let preference = request.get("fulfillmentPreference").and_then(Value::as_str);
    if preference == Some("Delivery") {
        for name in ["deliveryAddress", "deliveryAddressTypeId"] {
            request.shift_remove(name);
        }
    }
}
