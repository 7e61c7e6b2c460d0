//! A request for an instance, and the item or title requests made from it.

use octavo_library::{InstanceId, RequestType, ServicePointId, UserId, id_in, wire_time};
use serde_json::{Map, Value, json};

use super::{Candidate, TRIED};
use crate::refusal::AroundRequests;

/// The body of the request.
#[derive(Debug, Clone, PartialEq)]
pub struct Wish {
    body: Map<String, Value>,
    /// The requester.
    pub requester: UserId,
    pub instance: InstanceId,
    /// The pickup service point.
    pub pickup_point: Option<ServicePointId>,
}

impl Wish {
    /// Reads a body.
    ///
    /// # Errors
    /// The first missing property.
    pub fn read(body: Map<String, Value>) -> Result<Wish, AroundRequests> {
        let missing = |what, property| AroundRequests::PartMissing { what, property };
        let text = |name: &str| body.get(name).and_then(Value::as_str);
        if text("requestDate").and_then(wire_time::parse).is_none() {
            return Err(missing("a request date", "requestDate"));
        }
        let requester = id_in(&body, "requesterId");
        let requester = requester.ok_or(missing("a requester id", "requesterId"))?;
        let instance = id_in(&body, "instanceId");
        let instance = instance.ok_or(missing("an instance id", "instanceId"))?;
        let pickup_point = id_in(&body, "pickupServicePointId");
        Ok(Wish {
            body,
            requester,
            instance,
            pickup_point,
        })
    }

    /// The request for one of the instance's items.
    #[must_use]
    pub fn for_item(&self, candidate: &Candidate, kind: RequestType) -> Map<String, Value> {
        let mut request = Map::new();
        for name in [
            "requestDate",
            "requesterId",
            "pickupServicePointId",
            "requestExpirationDate",
            "patronComments",
            "instanceId",
        ] {
            let value = self.body.get(name).filter(|value| !value.is_null());
            if let Some(value) = value {
                request.insert(name.to_owned(), value.clone());
            }
        }
        request.insert("itemId".to_owned(), json!(candidate.item));
        request.insert("holdingsRecordId".to_owned(), json!(candidate.holdings));
        tagged(request, kind, "Item")
    }

    /// The title level requests, in the order in which they are tried.
    #[must_use]
    pub fn for_title(body: &Map<String, Value>) -> Vec<Map<String, Value>> {
        let requests = TRIED.into_iter();
        requests
            .map(|kind| tagged(body.clone(), kind, "Title"))
            .collect()
    }
}

fn tagged(mut request: Map<String, Value>, kind: RequestType, level: &str) -> Map<String, Value> {
    for (name, value) in [
        ("requestType", kind.name()),
        ("requestLevel", level),
        ("fulfillmentPreference", "Hold Shelf"),
    ] {
        request.insert(name.to_owned(), json!(value));
    }
    request
}

#[cfg(test)]
mod tests {
    use octavo_library::{HoldingsId, ItemId};
    use uuid::Uuid;

    use super::*;

    const ONE: Uuid = Uuid::from_u128(1);

    fn body() -> Map<String, Value> {
        let body = json!({"requestDate": "2026-03-01T10:00:00Z", "requesterId": ONE,
            "instanceId": ONE, "pickupServicePointId": ONE, "patronComments": "Soon",
            "requestExpirationDate": null, "itemId": "whatever"});
        body.as_object().cloned().expect("an object")
    }

    #[test]
    fn a_wish_needs_a_date_a_requester_and_an_instance() {
        let wish = Wish::read(body()).expect("a wish");
        assert_eq!((wish.requester.uuid(), wish.instance.uuid()), (ONE, ONE));
        assert_eq!(wish.pickup_point, Some(ONE.into()));
        for (property, sentence) in [
            ("requestDate", "Request must have a request date"),
            ("requesterId", "Request must have a requester id"),
            ("instanceId", "Request must have an instance id"),
        ] {
            for value in [Value::Null, json!("soon")] {
                let mut body = body();
                body.insert(property.to_owned(), value);
                let refusal = Wish::read(body).expect_err(property);
                assert_eq!(refusal.message(), sentence);
            }
        }
    }

    #[test]
    fn what_is_asked_for_is_the_wish_with_an_item_or_a_level() {
        let candidate = Candidate {
            item: ItemId::from_u128(2),
            holdings: HoldingsId::from_u128(3),
            ..Candidate::default()
        };
        let wish = Wish::read(body()).expect("a wish");
        assert_eq!(
            Value::Object(wish.for_item(&candidate, RequestType::Recall)),
            json!({"requestDate": "2026-03-01T10:00:00Z", "requesterId": ONE, "instanceId": ONE,
                "pickupServicePointId": ONE, "patronComments": "Soon", "itemId": candidate.item,
                "holdingsRecordId": candidate.holdings, "requestType": "Recall",
                "requestLevel": "Item", "fulfillmentPreference": "Hold Shelf"})
        );
        let titles = Wish::for_title(&body());
        let kinds = titles.iter().map(|one| &one["requestType"]);
        assert_eq!(kinds.collect::<Vec<_>>(), ["Page", "Recall", "Hold"]);
        assert!(titles.iter().all(|one| one["requestLevel"] == "Title"));
    }
}
