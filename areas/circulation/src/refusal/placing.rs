//! Why a request is not placed or not moved.

use serde_json::Value;

use super::OverridableBlock;
use super::error::{Parameters, text};

/// A refusal to place or to move a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlacingRefusal {
    /// The request is neither for an item nor, where that is allowed, for a title.
    LevelNotAllowed {
        /// What was given.
        given: Option<String>,
        /// Whether requests for titles are allowed.
        titles: bool,
    },
    /// The fulfillment preference is unknown.
    FulfillmentNotAllowed {
        /// What was given.
        given: Option<String>,
    },
    /// No title is named.
    WithoutInstance {
        /// What was given.
        given: Option<String>,
    },
    /// A request for an item names none.
    WithoutItem {
        /// What was given.
        given: Option<String>,
    },
    /// An item is named, but not its holdings.
    WithoutHoldings {
        /// What was given.
        given: Option<String>,
    },
    /// A request for a title names an item or holdings.
    TitleWithItem {
        item_id: Option<String>,
        holdings_record_id: Option<String>,
    },
    /// No date is given.
    WithoutDate,
    /// The title does not exist.
    InstanceNotFound {
        /// The id given.
        id: String,
    },
    /// The item does not exist.
    ItemNotFound {
        /// The id given.
        id: String,
    },
    /// No item of the title can be fetched from the shelf.
    NothingToPage {
        /// The title.
        instance_id: String,
    },
    /// No item of the title can be fetched from the shelf of a location.
    NothingToPageAt {
        /// The location's code.
        code: String,
    },
    /// No item of the title can be called back.
    NothingToRecall,
    /// A hold shelf request has no pickup service point.
    WithoutPickupPoint { request_id: Option<String> },
    /// The service point does not exist.
    PickupPointNotFound {
        /// The id given.
        id: String,
    },
    /// The service point is not a pickup location.
    NoPickupLocation {
        /// The service point.
        id: String,
    },
    /// The requester does not exist.
    RequesterNotFound {
        /// The id given.
        id: Option<String>,
    },
    /// The requester has no patron group.
    WithoutPatronGroup,
    /// The requester is inactive or expired.
    RequesterInactive {
        requester_id: Option<String>,
        item_id: Option<String>,
    },
    /// The requester has an open request for the item.
    ItemRequested {
        item_id: Option<String>,
        requester_id: Option<String>,
        /// The request that is placed.
        request_id: Option<String>,
    },
    /// The requester has an open request for the title.
    TitleRequested {
        requester_id: Option<String>,
        /// The title.
        instance_id: Option<String>,
    },
    /// The requester has an open request for an item of the title.
    ItemOfTitleRequested {
        requester_id: Option<String>,
        /// The title.
        instance_id: Option<String>,
    },
    /// A manual block forbids requesting.
    BlockedManually {
        /// The descriptions of the patron's blocks.
        reason: String,
        /// What the operator lacks to override.
        missing_permissions: Vec<&'static str>,
    },
    /// Neither the item's status nor the policy allows such a request, or one of them does not.
    TypeNotAllowed {
        /// `Hold`, `Recall` or `Page`, or nothing.
        kind: &'static str,
    },
    /// The policies of none of the title's items allow holds.
    HoldOfTitleNotAllowed {
        requester_id: String,
        /// The title.
        instance_id: String,
    },
    /// The policy does not allow to pick it up there.
    PickupPointNotAllowed {
        service_point_id: String,
        /// `Hold`, `Recall` or `Page`.
        kind: &'static str,
        policy_id: String,
    },
    /// The requester has the item.
    ItemOnLoan {
        item_id: String,
        /// The requester.
        user_id: String,
        loan_id: String,
    },
    /// The requester has an item of the title.
    ItemOfTitleOnLoan {
        item_id: String,
        /// The requester.
        user_id: String,
    },
    /// An item of the title can be fetched from the shelf.
    PageableItemFound {
        item_id: String,
        /// The title.
        instance_id: String,
    },
    /// A title level request is to be moved while these are disabled.
    TitlesSwitchedOff { request_id: String },
    /// A hold for a title is for no item, and cannot be moved to or from one.
    HoldOfTitleMoved { request_id: String },
    /// The item is of another title, or there is none.
    ItemOfOtherTitle {
        item_id: Option<String>,
        /// Its title.
        instance_id: Option<String>,
    },
    /// The request for a title is for this item already.
    MovedToSameItem {
        requester_id: Option<String>,
        /// The title.
        instance_id: Option<String>,
    },
    /// The request is closed.
    Closed {
        /// The request.
        id: String,
    },
    /// The request has an item, which waits for the requester or is in transit.
    BeingFilled {
        /// The request.
        id: String,
    },
}

impl PlacingRefusal {
    /// Whether a referenced record is missing, so that later checks are impossible.
    #[must_use]
    pub fn is_about_names(&self) -> bool {
        matches!(
            self,
            Self::WithoutInstance { .. }
                | Self::WithoutItem { .. }
                | Self::WithoutDate
                | Self::InstanceNotFound { .. }
        )
    }

    pub(super) fn message(&self) -> String {
        let fixed = match self {
            Self::LevelNotAllowed { titles, .. } => {
                let levels = match titles {
                    true => "\"Item\", \"Title\"",
                    false => "\"Item\"",
                };
                return format!("Request level must be one of the following: {levels}");
            }
            Self::TypeNotAllowed { kind } => {
                return format!(
                    "{kind} requests are not allowed for this patron and item combination"
                );
            }
            Self::FulfillmentNotAllowed { .. } => {
                "Fulfillment preference must be one of the following: Hold Shelf, Delivery"
            }
            Self::WithoutInstance { .. } => "Cannot create a request with no instance ID",
            Self::WithoutItem { .. } => "Cannot create an item level request with no item ID",
            Self::WithoutHoldings { .. } => {
                "Cannot create a request with item ID but no holdings record ID"
            }
            Self::TitleWithItem { .. } => {
                "Cannot create a title level page request for this instance ID with no item ID"
            }
            Self::WithoutDate => "Cannot create a request with no requestDate",
            Self::InstanceNotFound { .. } => "Instance does not exist",
            Self::ItemNotFound { .. } => "Item does not exist",
            Self::NothingToPage { .. } => {
                "Cannot create page TLR for this instance ID - no pageable available items found"
            }
            Self::NothingToPageAt { .. } => {
                "Cannot create page TLR for this instance ID - no pageable available items found \
                 in requested location"
            }
            Self::NothingToRecall => "Request has no loan or recallable item",
            Self::WithoutPickupPoint { .. } => {
                "Hold shelf fulfillment requests require a Pickup service point"
            }
            Self::PickupPointNotFound { .. } => "Pickup service point does not exist",
            Self::NoPickupLocation { .. } => "Service point is not a pickup location",
            Self::RequesterNotFound { .. } => {
                "A valid user and patron group are required. User is null"
            }
            Self::WithoutPatronGroup => "A valid patron group is required. PatronGroup ID is null",
            Self::RequesterInactive { .. } => "Inactive users cannot make requests",
            Self::ItemRequested { .. } => {
                "This requester already has an open request for this item"
            }
            Self::TitleRequested { .. } => {
                "This requester already has an open request for this instance"
            }
            Self::ItemOfTitleRequested { .. } => {
                "This requester already has an open request for one of the instance's items"
            }
            Self::BlockedManually { .. } => "Patron blocked from requesting",
            Self::HoldOfTitleNotAllowed { .. } => {
                "Hold requests are not allowed for this patron and title combination"
            }
            Self::PickupPointNotAllowed { .. } => {
                "One or more Pickup locations are no longer available"
            }
            Self::ItemOnLoan { .. } => "This requester already has this item on loan",
            Self::ItemOfTitleOnLoan { .. } => {
                "This requester already has a loan for one of the instance's items"
            }
            Self::PageableItemFound { .. } => {
                "Hold/Recall title level request not allowed: pageable available item found for \
                 instance"
            }
            Self::TitlesSwitchedOff { .. } => "Can not process TLR - TLR feature is disabled",
            Self::HoldOfTitleMoved { .. } => "Not allowed to move from/to Hold TLR",
            Self::ItemOfOtherTitle { .. } => {
                "Request can only be moved to an item with the same instance ID"
            }
            Self::MovedToSameItem { .. } => {
                "Not allowed to move title level page request to the same item"
            }
            Self::Closed { .. } => "The Request has already been closed",
            Self::BeingFilled { .. } => "Cannot move a request when fulfillment has begun",
        };
        fixed.to_owned()
    }

    pub(super) fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::LevelNotAllowed { .. } => "REQUEST_LEVEL_IS_NOT_ALLOWED",
            Self::FulfillmentNotAllowed { .. } => "FULFILLMENT_PREFERENCE_IS_NOT_ALLOWED",
            Self::TitleWithItem { .. } => "CANNOT_CREATE_PAGE_TLR_WITHOUT_ITEM_ID",
            Self::WithoutPickupPoint { .. } => "HOLD_SHELF_REQUESTS_REQUIRE_PICKUP_SERVICE_POINT",
            Self::NoPickupLocation { .. } => "SERVICE_POINT_IS_NOT_PICKUP_LOCATION",
            Self::ItemRequested { .. } => "ITEM_ALREADY_REQUESTED",
            Self::TitleRequested { .. } => "INSTANCE_ALREADY_REQUESTED",
            Self::ItemOfTitleRequested { .. } => "ITEM_OF_THIS_INSTANCE_ALREADY_REQUESTED",
            Self::BlockedManually { .. } => "USER_IS_BLOCKED_MANUALLY",
            Self::TypeNotAllowed { .. } => "REQUEST_NOT_ALLOWED_FOR_PATRON_ITEM_COMBINATION",
            Self::HoldOfTitleNotAllowed { .. } => {
                "REQUEST_NOT_ALLOWED_FOR_PATRON_TITLE_COMBINATION"
            }
            Self::PickupPointNotAllowed { .. } => "REQUEST_PICKUP_SERVICE_POINT_IS_NOT_ALLOWED",
            Self::ItemOnLoan { .. } => "REQUESTER_ALREADY_HAS_THIS_ITEM_ON_LOAN",
            Self::ItemOfTitleOnLoan { .. } => {
                "REQUESTER_ALREADY_HAS_LOAN_FOR_ONE_OF_INSTANCES_ITEMS"
            }
            Self::PageableItemFound { .. } => {
                "HOLD_AND_RECALL_TLR_NOT_ALLOWED_PAGEABLE_AVAILABLE_ITEM_FOUND"
            }
            Self::MovedToSameItem { .. } => "MOVING_REQUEST_TO_THE_SAME_ITEM",
            Self::Closed { .. } => "REQUEST_ALREADY_CLOSED",
            _ => return None,
        })
    }

    pub(super) fn parameters(&self) -> Parameters {
        let one = |key, value: &String| vec![(key, Value::from(value.as_str()))];
        let some = |key, value: &Option<String>| vec![(key, text(value))];
        match self {
            Self::LevelNotAllowed { given, .. } => some("requestLevel", given),
            Self::FulfillmentNotAllowed { given } => some("fulfillmentPreference", given),
            Self::WithoutInstance { given } => some("instanceId", given),
            Self::WithoutItem { given } => some("itemId", given),
            Self::WithoutHoldings { given } => some("holdingsRecordId", given),
            Self::TitleWithItem {
                item_id,
                holdings_record_id,
            } => vec![
                ("itemId", text(item_id)),
                ("holdingsRecordId", text(holdings_record_id)),
            ],
            Self::WithoutDate => vec![("requestDate", Value::Null)],
            Self::InstanceNotFound { id } => one("instanceId", id),
            Self::ItemNotFound { id } => one("itemId", id),
            Self::NothingToPage { instance_id } => one("instanceId", instance_id),
            Self::NothingToPageAt { code } => one("itemLocationCode", code),
            Self::NothingToRecall => vec![("loan", Value::Null)],
            Self::WithoutPickupPoint { request_id } => some("id", request_id),
            Self::PickupPointNotFound { id } | Self::NoPickupLocation { id } => {
                one("pickupServicePointId", id)
            }
            Self::RequesterNotFound { id } => some("userId", id),
            Self::WithoutPatronGroup => vec![("PatronGroupId", Value::Null)],
            Self::BlockedManually { reason, .. } => one("reason", reason),
            Self::TypeNotAllowed { kind } => vec![("requestType", (*kind).into())],
            Self::TitlesSwitchedOff { request_id } | Self::HoldOfTitleMoved { request_id } => {
                one("requestId", request_id)
            }
            Self::Closed { id } => one("id", id),
            Self::BeingFilled { id } => one("requestId", id),
            other => other.pairs(),
        }
    }

    fn pairs(&self) -> Parameters {
        match self {
            Self::RequesterInactive {
                requester_id,
                item_id,
            } => vec![
                ("itemId", text(item_id)),
                ("requesterId", text(requester_id)),
            ],
            Self::ItemRequested {
                item_id,
                requester_id,
                request_id,
            } => vec![
                ("itemId", text(item_id)),
                ("requesterId", text(requester_id)),
                ("requestId", text(request_id)),
            ],
            Self::TitleRequested {
                requester_id,
                instance_id,
            }
            | Self::ItemOfTitleRequested {
                requester_id,
                instance_id,
            }
            | Self::MovedToSameItem {
                requester_id,
                instance_id,
            } => vec![
                ("requesterId", text(requester_id)),
                ("instanceId", text(instance_id)),
            ],
            Self::HoldOfTitleNotAllowed {
                requester_id,
                instance_id,
            } => vec![
                ("requesterId", requester_id.as_str().into()),
                ("instanceId", instance_id.as_str().into()),
            ],
            Self::PickupPointNotAllowed {
                service_point_id,
                kind,
                policy_id,
            } => vec![
                ("pickupServicePointId", service_point_id.as_str().into()),
                ("requestType", (*kind).into()),
                ("requestPolicyId", policy_id.as_str().into()),
            ],
            Self::ItemOnLoan {
                item_id,
                user_id,
                loan_id,
            } => vec![
                ("itemId", item_id.as_str().into()),
                ("userId", user_id.as_str().into()),
                ("loanId", loan_id.as_str().into()),
            ],
            Self::ItemOfTitleOnLoan { item_id, user_id } => vec![
                ("itemId", item_id.as_str().into()),
                ("userId", user_id.as_str().into()),
            ],
            Self::PageableItemFound {
                item_id,
                instance_id,
            } => vec![
                ("itemId", item_id.as_str().into()),
                ("instanceId", instance_id.as_str().into()),
            ],
            Self::ItemOfOtherTitle {
                item_id,
                instance_id,
            } => vec![("itemId", text(item_id)), ("instanceId", text(instance_id))],
            _ => Vec::new(),
        }
    }

    pub(super) fn overridable_block(&self) -> Option<(OverridableBlock, &[&'static str])> {
        match self {
            Self::BlockedManually {
                missing_permissions,
                ..
            } => Some((OverridableBlock::Patron, missing_permissions)),
            _ => None,
        }
    }
}
