//! Refusals of small operations on a loan: changed due date, added information, use at the location, a
//! loan written as a record.

use octavo_library::{ItemId, ItemStatus, LoanId, UserId};
use serde_json::Value;

use super::ItemReference;
use super::error::{Parameters, or_null};

/// Why such an operation is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoanRefusal {
    /// The loan has ended.
    Closed { loan_id: LoanId },
    /// No due date is given.
    WithoutDueDate,
    /// The item's status keeps its loan's due date as it is.
    ItemStatus { status: ItemStatus, item_id: ItemId },
    /// Information for staff or patron lacks its kind or its text.
    InformationIncomplete,
    /// An item is to be put on hold for use at the location, and none is named.
    HoldWithoutItemBarcode,
    /// An item is to be picked up for use at the location, and none is named.
    PickupWithoutItemBarcode,
    /// An item is to be picked up for use at the location, but no user is named.
    PickupWithoutUserBarcode,
    /// A loan is neither open nor closed.
    StatusNotRecognised {
        /// What was given.
        status: Option<String>,
    },
    /// An open loan has no borrower.
    OpenWithoutUser,
    /// A closed loan lacks the check-in service point.
    ClosedWithoutServicePoint,
    /// The service point of the check-in does not exist.
    CheckInServicePointNotFound {
        /// The id given.
        id: String,
    },
    /// The service point of the check-out does not exist.
    CheckOutServicePointNotFound {
        /// The id given.
        id: String,
    },
    /// The item does not exist.
    ItemNotFound {
        /// The id given.
        id: String,
    },
    /// The item is checked out.
    AlreadyCheckedOut { item_id: ItemId },
    /// The item's status forbids a loan.
    ItemStatusForbidsLoan {
        item: ItemReference,
        status: ItemStatus,
        /// The item's id.
        item_id: ItemId,
    },
    /// The borrower has no active relationship with the proxy.
    ProxyNotValid {
        /// The proxy's user id.
        proxy_user_id: UserId,
    },
    /// The borrower does not exist.
    UserNotFound {
        /// The id given.
        id: Option<String>,
    },
    /// Someone else's request comes first.
    RequestedByAnotherPatron {
        item: ItemReference,
        /// The borrower: `Last, First` or the user name.
        user_name: Option<String>,
        /// The borrower's id.
        user_id: UserId,
    },
}

impl LoanRefusal {
    pub(super) fn message(&self) -> String {
        let fixed = match self {
            Self::ItemStatus { status, .. } => return format!("item is {status}"),
            Self::ItemNotFound { id } => return format!("No item with ID {id} could be found"),
            Self::ItemStatusForbidsLoan { item, status, .. } => {
                return format!(
                    "{} ({}) (Barcode: {}) has the item status {status}, loan cannot be created",
                    or_null(&item.title),
                    or_null(&item.material_type),
                    or_null(&item.barcode)
                );
            }
            Self::RequestedByAnotherPatron {
                item, user_name, ..
            } => {
                return format!(
                    "{} (Barcode: {}) cannot be checked out to user {} because it has been \
                     requested by another patron",
                    or_null(&item.title),
                    or_null(&item.barcode),
                    or_null(user_name)
                );
            }
            Self::Closed { .. } => "Loan is closed",
            Self::WithoutDueDate => "A new due date is required in order to change the due date",
            Self::InformationIncomplete => {
                "An action of type patronInfoAdded or staffInfoAdded, with associated \
                 actionComment, required in order to add info"
            }
            Self::HoldWithoutItemBarcode => {
                "Request to put item on hold shelf must have an item barcode"
            }
            Self::PickupWithoutItemBarcode => {
                "Request to pick up from hold shelf must have an item barcode"
            }
            Self::PickupWithoutUserBarcode => {
                "Request to pick up from hold shelf must have a user barcode"
            }
            Self::StatusNotRecognised { .. } => "Loan status must be \"Open\" or \"Closed\"",
            Self::OpenWithoutUser => "Open loan must have a user ID",
            Self::ClosedWithoutServicePoint => "A Closed loan must have a Checkin Service Point",
            Self::CheckInServicePointNotFound { .. } => "Check In Service Point does not exist",
            Self::CheckOutServicePointNotFound { .. } => "Check Out Service Point does not exist",
            Self::AlreadyCheckedOut { .. } => "Item is already checked out",
            Self::ProxyNotValid { .. } => "proxyUserId is not valid",
            Self::UserNotFound { .. } => "user is not found",
        };
        fixed.to_owned()
    }

    pub(super) fn parameters(&self) -> Parameters {
        let optional = |text: &Option<String>| text.as_deref().map_or(Value::Null, Value::from);
        vec![match self {
            Self::Closed { loan_id } => ("loanId", (*loan_id).into()),
            Self::WithoutDueDate => ("dueDate", Value::Null),
            Self::ItemStatus { item_id, .. }
            | Self::AlreadyCheckedOut { item_id }
            | Self::ItemStatusForbidsLoan { item_id, .. } => ("itemId", (*item_id).into()),
            Self::InformationIncomplete => ("action", Value::Null),
            Self::HoldWithoutItemBarcode | Self::PickupWithoutItemBarcode => {
                ("itemBarcode", Value::Null)
            }
            Self::PickupWithoutUserBarcode => ("userBarcode", Value::Null),
            Self::StatusNotRecognised { status } => ("status", optional(status)),
            Self::OpenWithoutUser => ("userId", Value::Null),
            Self::ClosedWithoutServicePoint => ("checkinServicePointId", Value::Null),
            Self::CheckInServicePointNotFound { id } => {
                ("checkinServicePointId", id.as_str().into())
            }
            Self::CheckOutServicePointNotFound { id } => {
                ("checkoutServicePointId", id.as_str().into())
            }
            Self::ItemNotFound { id } => ("itemId", id.as_str().into()),
            Self::ProxyNotValid { proxy_user_id } => ("proxyUserId", (*proxy_user_id).into()),
            Self::UserNotFound { id } => ("userId", optional(id)),
            Self::RequestedByAnotherPatron { user_id, .. } => ("userId", (*user_id).into()),
        }]
    }
}
