//! Requests as tables: what is decided, and what prevents it in which order.

mod choice;
mod moving;
mod placed;
mod record;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use octavo_library::{
    DatedStatus, HoldingsId, InstanceId, ItemId, ItemStatus, LoanId, LoanTypeId, LocationId,
    MaterialTypeId, Patron, Place, RequestId, RequestLevel, RequestPolicyId, RequestStatus,
    RequestType, ServicePointId, UserId,
};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::*;
use crate::facts::Item;
use crate::refusal::Refusal;
use crate::request_policy::RequestPolicy;
use crate::settings::TitleLevelRequests;

const ITEM: ItemId = ItemId::from_u128(1);
const OTHER: ItemId = ItemId::from_u128(2);
const INSTANCE: InstanceId = InstanceId::from_u128(3);
const PATRON: UserId = UserId::from_u128(4);
const DESK: ServicePointId = ServicePointId::from_u128(5);
const LOAN: LoanId = LoanId::from_u128(6);
const REQUEST: RequestId = RequestId::from_u128(7);

fn now() -> Timestamp {
    "2026-02-02T10:00:00Z".parse().expect("an instant")
}

fn item(id: ItemId, status: ItemStatus) -> Item {
    Item {
        id,
        barcode: Some("i-1".into()),
        status: DatedStatus {
            name: status,
            date: None,
        },
        material_type_id: Some(MaterialTypeId::from_u128(20)),
        material_type_name: Some("book".into()),
        loan_type_id: Some(LoanTypeId::from_u128(21)),
        effective_location_id: Some(LocationId::from_u128(22)),
        place: Some(Place::default()),
        holdings_record_id: HoldingsId::from_u128(23),
        instance_id: INSTANCE,
        title: Some("Middlemarch".into()),
    }
}

fn patron() -> Patron {
    serde_json::from_value(json!({"id": PATRON, "active": true, "barcode": "p-1",
                                  "patronGroup": Uuid::from_u128(30)}))
    .expect("a patron")
}

fn policy(kinds: &[RequestType]) -> RequestPolicy {
    RequestPolicy {
        id: RequestPolicyId::from_u128(40),
        request_types: kinds.to_vec(),
        allowed_service_points: None,
    }
}

const ALL: [RequestType; 3] = [RequestType::Hold, RequestType::Recall, RequestType::Page];

fn copy(id: ItemId, status: ItemStatus) -> Copy {
    Copy {
        item: item(id, status),
        policy: Some(policy(&ALL)),
        loan: None,
        recalls: 0,
    }
}

fn request(kind: &str, more: Value) -> PlaceRequest {
    let mut body = json!({"requestLevel": "Item", "requestType": kind, "requesterId": PATRON,
        "requestDate": "2026-02-02T10:00:00Z", "instanceId": INSTANCE, "itemId": ITEM,
        "holdingsRecordId": Uuid::from_u128(23), "fulfillmentPreference": "Hold Shelf",
        "pickupServicePointId": DESK, "id": REQUEST});
    for (name, value) in more.as_object().expect("an object") {
        body[name] = value.clone();
    }
    let Value::Object(body) = body else {
        unreachable!("an object")
    };
    let body: Map<String, Value> = body.into_iter().filter(|(_, one)| !one.is_null()).collect();
    PlaceRequest::new(body)
}

fn facts(status: ItemStatus) -> PlaceFacts {
    PlaceFacts {
        titles: TitleLevelRequests::default(),
        instance_exists: true,
        requester: Some(patron()),
        proxy_relationships: Vec::new(),
        manual_blocks: Vec::new(),
        automated_blocks: Vec::new(),
        pickup_location: Some(true),
        item: Some(item(ITEM, status)),
        loan: None,
        title_loan: None,
        own: Vec::new(),
        policy: Some(policy(&ALL)),
        copies: Vec::new(),
        nothing_to_recall: false,
        last_position: 4,
        zone: TimeZone::UTC,
        operator_permissions: Default::default(),
    }
}

fn own(level: RequestLevel, item_id: Option<ItemId>, status: RequestStatus) -> OwnRequest {
    OwnRequest {
        id: RequestId::from_u128(50),
        level,
        item_id,
        instance_id: Some(INSTANCE),
        status,
    }
}

fn decided(request: &PlaceRequest, facts: &PlaceFacts) -> Result<PlacePlan, Vec<String>> {
    let form = Form::of(request, facts.titles.enabled).expect("a form");
    let plan = decide(request, &form, facts, now());
    plan.map_err(|refusals| refusals.iter().map(Refusal::message).collect())
}
