//! The queue of open requests for an item, or for its instance where title level requests are allowed,
//! and which request is served next.

use jiff::Timestamp;
use octavo_library::{
    FulfillmentPreference, InstanceId, ItemId, PatronGroupId, RequestId, RequestLevel,
    RequestStatus, RequestType, ServicePointId, UserId, wire_time,
};
use serde::Deserialize;

use super::Item;

/// An open request; reads a stored request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QueuedRequest {
    /// The request's id.
    pub id: RequestId,
    /// Hold, recall or page.
    pub request_type: RequestType,
    /// Item or title.
    #[serde(default)]
    pub request_level: RequestLevel,
    /// Its status.
    pub status: RequestStatus,
    /// The requester.
    pub requester_id: UserId,
    /// The requested instance.
    pub instance_id: Option<InstanceId>,
    /// The requested item, or the one assigned to a title level request.
    pub item_id: Option<ItemId>,
    /// Position in the queue, from 1.
    pub position: Option<u32>,
    /// How the requester gets the item.
    pub fulfillment_preference: FulfillmentPreference,
    /// Where the requester picks the item up.
    pub pickup_service_point_id: Option<ServicePointId>,
    /// Until when the item waits on the hold shelf.
    #[serde(default, with = "wire_time::optional")]
    pub hold_shelf_expiration_date: Option<Timestamp>,
    /// The requester's group, if it was read; not part of the stored record.
    #[serde(skip)]
    pub patron_group: Option<PatronGroupId>,
    /// Whether the circulation rules allow this requester both a request of this type and a loan of the
    /// item in question. Evaluated for title level requests only; not part of the stored record.
    #[serde(skip, default = "allowed")]
    pub allowed_by_rules: bool,
}

fn allowed() -> bool {
    true
}

/// Open requests in order of position. Of a long queue only the requests that the operation can depend
/// on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestQueue {
    requests: Vec<QueuedRequest>,
    size: usize,
}

impl RequestQueue {
    /// Sorts requests; closed ones are left out.
    pub fn new(requests: impl IntoIterator<Item = QueuedRequest>) -> Self {
        let mut requests: Vec<_> = requests
            .into_iter()
            .filter(|request| request.status.is_open())
            .collect();
        requests.sort_by_key(|request| request.position.unwrap_or(0));
        let size = requests.len();
        Self { requests, size }
    }

    /// Sets the size of the whole queue.
    #[must_use]
    pub fn of_size(mut self, size: usize) -> Self {
        self.size = self.size.max(size);
        self
    }

    /// How many requests wait.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether anybody waits for any item of a title.
    pub fn has_requests_of_title(&self) -> bool {
        let mut requests = self.requests.iter();
        requests.any(|request| request.request_level == RequestLevel::Title)
    }

    /// Evaluates the circulation rules for each title level request and this item.
    pub fn ask_rules(&mut self, allow: impl Fn(&QueuedRequest) -> bool) {
        for request in &mut self.requests {
            if request.request_level == RequestLevel::Title {
                request.allowed_by_rules = allow(request);
            }
        }
    }

    /// The requests in order.
    pub fn requests(&self) -> &[QueuedRequest] {
        &self.requests
    }

    /// The request that is served when the item is lent.
    pub fn first_for_check_out(&self, item: &Item) -> Option<&QueuedRequest> {
        self.requests
            .iter()
            .find(|request| match request.request_level {
                RequestLevel::Item => request.item_id == Some(item.id),
                RequestLevel::Title => {
                    request.instance_id == Some(item.instance_id)
                        && match request.request_type {
                            RequestType::Recall => request.item_id == Some(item.id),
                            _ => request.may_take(item),
                        }
                }
            })
    }

    /// The request that is served when the item is returned: here a title level recall takes any item
    /// too.
    pub fn first_for_check_in(&self, item: &Item) -> Option<&QueuedRequest> {
        self.requests
            .iter()
            .find(|request| match request.request_level {
                RequestLevel::Item => request.item_id == Some(item.id),
                RequestLevel::Title => {
                    let concerned = request.item_id == Some(item.id)
                        || request.instance_id == Some(item.instance_id);
                    let unfilled_recall = request.request_type == RequestType::Recall
                        && request.status == RequestStatus::NotYetFilled;
                    concerned
                        && if unfilled_recall {
                            request.allowed_by_rules
                        } else {
                            request.may_take(item)
                        }
                }
            })
    }

    /// Whether a hold still waits for this item or for any of the title.
    pub fn has_unfilled_hold(&self, item: &Item) -> bool {
        self.requests.iter().any(|request| {
            request.request_type == RequestType::Hold
                && request.status == RequestStatus::NotYetFilled
                && request.item_id.is_none_or(|id| id == item.id)
        })
    }

    /// Whether someone else than the request given recalls this item.
    pub fn has_other_recall(&self, item: &Item, except: Option<RequestId>) -> bool {
        self.requests.iter().any(|request| {
            request.request_type == RequestType::Recall
                && request.item_id == Some(item.id)
                && Some(request.id) != except
        })
    }
}

impl QueuedRequest {
    /// A title level request may take an item if none or this one is assigned to it and the rules allow
    /// it.
    fn may_take(&self, item: &Item) -> bool {
        self.item_id.is_none_or(|id| id == item.id) && self.allowed_by_rules
    }
}
