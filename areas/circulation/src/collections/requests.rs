//! Requests, cancellation reasons, and request preferences.

use octavo_records::{Collection, Index};

/// The name of the index of closed requests with a requester by their last change.
pub const WHEN_ENDED: &str = "endedWithRequester";
/// The condition of that partial index.
pub const CLOSED_WITH_REQUESTER: &str = "jsonb->>'status' IN ('Closed - Filled', 'Closed - Cancelled', 'Closed - Unfilled', 'Closed - Pickup expired') AND jsonb->>'requesterId' IS NOT NULL";
/// The name of the index of open requests by expiration, on the hold shelf or unfilled.
pub const WHEN_EXPIRED: &str = "openUntil";
/// The requests of that index.
pub const OPEN: &str = "jsonb->>'status' IN ('Open - Not yet filled', 'Open - Awaiting pickup', 'Open - In transit', 'Open - Awaiting delivery')";
/// The index of the open requests of an item in the order of the queue.
pub const QUEUE_OF_ITEM: &str = "queueOfItem";
/// The index of the open requests of a title in the order of the queue.
pub const QUEUE_OF_TITLE: &str = "queueOfTitle";
/// A position as zero-padded text, which sorts like the number.
const PLACE: &str = "lpad(coalesce(jsonb->>'position', '0'), 9, '0')";
const OPEN_UNTIL: &str = "CASE jsonb->>'status' WHEN 'Open - Awaiting pickup' THEN jsonb->>'holdShelfExpirationDate' ELSE jsonb->>'requestExpirationDate' END";

/// Cancellation reasons.
#[must_use]
pub fn cancellation_reasons() -> Collection {
    Collection::new(
        "cancellation_reason",
        "cancellationReasons",
        include_str!("../shapes/cancellation_reason.shape"),
    )
    .reads_cached()
    .path_id_wins()
    .index(Index::unique("name"))
}

/// The requests. Positions in the queue of an item are unique.
#[must_use]
pub fn requests() -> Collection {
    Collection::new(
        "request",
        "requests",
        include_str!("../shapes/request.shape"),
    )
    .listed_conflicts()
    .upsert()
    .events("circulation.request")
    .reference("cancellationReasonId", "cancellation_reason")
    .index(
        Index::unique("itemId")
            .keep_accents()
            .with(&["position"])
            .refusing("Cannot have more than one request with the same position in the queue"),
    )
    .index(
        Index::plain(WHEN_ENDED)
            .keep_accents()
            .expression("coalesce(jsonb->'metadata'->>'updatedDate', '')")
            .when(CLOSED_WITH_REQUESTER),
    )
    .index(
        Index::plain(WHEN_EXPIRED)
            .keep_accents()
            .expression(OPEN_UNTIL)
            .when(OPEN),
    )
    .index(waiting())
    .index(queue(QUEUE_OF_ITEM, "itemId"))
    .index(queue(QUEUE_OF_TITLE, "instanceId"))
    .index(Index::plain("itemId").keep_accents())
    .index(Index::plain("instanceId").keep_accents())
    .index(Index::plain("requesterId").keep_accents())
    .index(Index::plain("pickupServicePointId").keep_accents())
    .index(Index::plain("requestType").keep_accents().on_demand())
    .index(Index::plain("requestLevel").keep_accents().on_demand())
    .index(Index::plain("status").keep_accents())
    .index(Index::plain("searchIndex.pickupServicePointName").keep_accents())
    .index(Index::plain("searchIndex.shelvingOrder").keep_accents())
    .index(
        Index::plain("item.itemEffectiveLocationId")
            .keep_accents()
            .on_demand(),
    )
    .index(
        Index::plain("item.itemEffectiveLocationName")
            .keep_accents()
            .on_demand(),
    )
    .index(
        Index::plain("item.retrievalServicePointId")
            .keep_accents()
            .on_demand(),
    )
    .index(
        Index::plain("item.retrievalServicePointName")
            .keep_accents()
            .on_demand(),
    )
    .index(
        Index::gin("item.itemEffectiveLocationName")
            .keep_accents()
            .on_demand(),
    )
    .index(
        Index::gin("item.retrievalServicePointName")
            .keep_accents()
            .on_demand(),
    )
    .index(
        Index::gin("searchIndex.callNumberComponents.callNumber")
            .keep_accents()
            .on_demand(),
    )
    .index(
        Index::gin("fullCallNumberIndex")
            .keep_accents()
            .over(&[
                "searchIndex.callNumberComponents.prefix",
                "searchIndex.callNumberComponents.callNumber",
                "searchIndex.callNumberComponents.suffix",
            ])
            .on_demand(),
    )
}

/// Unfilled requests by type and date, for printing slips. Partial, so that filled and closed requests
/// cost nothing.
#[must_use]
pub fn waiting() -> Index {
    Index::plain("waiting")
        .case_sensitive()
        .keep_accents()
        .expression("(jsonb->>'requestType') || ' ' || (jsonb->>'requestDate')")
        .when("jsonb->>'status' = 'Open - Not yet filled'")
}

/// Open requests by queue and position: finds the last one, and those after another, however long the
/// queue is.
fn queue(name: &str, of: &str) -> Index {
    let key = format!("(jsonb->>'{of}') || ' ' || {PLACE}");
    Index::plain(name)
        .keep_accents()
        .expression(&key)
        .when(OPEN)
}

/// Request preferences, one record for each patron.
#[must_use]
pub fn request_preferences() -> Collection {
    Collection::new(
        "user_request_preference",
        "requestPreferences",
        include_str!("../shapes/user_request_preference.shape"),
    )
    .listed_conflicts()
    .index(
        Index::unique("userId")
            .keep_accents()
            .refusing("Request preference for specified user already exists"),
    )
}
