//! Why a loan is not renewed, with FOLIO's message. Overridable refusals name the block and the
//! permissions that the operator lacks.

use octavo_library::{ItemId, ItemStatus, RequestId, UserId};
use serde_json::Value;

use super::error::{Parameters, policy_parameters, text};
use super::{OverridableBlock, PolicyReference};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenewalRefusal {
    /// The reason.
    pub reason: RenewalReason,
    /// The block that staff may override, with the permissions that the operator lacks.
    pub block: Option<(OverridableBlock, Vec<&'static str>)>,
}

/// Why a loan is not renewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenewalReason {
    /// The request names no item by barcode.
    WithoutItemBarcode,
    /// The request names no user by barcode.
    WithoutUserBarcode,
    /// The request names no item by id.
    WithoutItemId,
    /// The request names no user by id.
    WithoutUserId,
    /// No item has the id.
    ItemNotFound {
        /// The id asked for.
        id: String,
    },
    /// The item is not on loan. FOLIO answers 500 with the same message.
    NoOpenLoan {
        /// The item's barcode.
        item_barcode: Option<String>,
    },
    /// The loan's borrower does not exist any more.
    UserNotFound {
        /// The borrower's id.
        id: Option<UserId>,
    },
    /// The item is lent to someone else.
    DifferentUser {
        /// `userBarcode` or `userId`.
        key: &'static str,
        /// The sent value.
        value: String,
    },
    /// The borrower is inactive or expired.
    UserInactive,
    /// The borrower's record does not say whether they are active.
    UserStatusUnknown,
    /// Staff blocked the patron from renewing.
    PatronBlocked {
        /// The descriptions of the patron's blocks.
        reason: String,
    },
    /// A reminder fee was billed, and the overdue fine policy forbids renewal then.
    HasReminders,
    /// Someone recalls the item.
    Recalled { request_id: RequestId },
    /// The item's status forbids renewal.
    ItemStatus { status: ItemStatus, item_id: ItemId },
    /// The loan policy prevents it.
    Policy {
        /// The part of the policy.
        obstacle: PolicyObstacle,
        policy: PolicyReference,
    },
    /// An override gives no comment.
    OverrideWithoutComment,
    /// An override must give a due date, because the policy gives none.
    OverrideWithoutDueDate,
    /// An override must give a due date, because the policy's is not later than the present one.
    OverrideWithUnchangedDueDate,
}

/// The part of a loan policy that prevents a renewal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicyObstacle {
    /// Items are not lent.
    NotLoanable,
    /// Loans are not renewed.
    NotRenewable,
    /// The loan was renewed as often as allowed.
    LimitReached,
    /// Someone waits for the item.
    HoldWaiting,
    /// A fixed policy has a period for renewals while someone waits.
    FixedWithPeriodForHolds,
    /// A fixed policy has a period for renewals.
    FixedWithPeriod,
    /// The new due date would not be later than the present one.
    DueDateUnchanged,
    /// The profile is unknown.
    Profile(String),
    /// It does not say what to renew from.
    RenewFrom,
    /// It has no usable period.
    Period,
    /// The period's unit is unknown.
    Interval(String),
    /// The period is not positive or leads beyond the calendar.
    Duration(i64),
    /// The date lies in no range of the schedule that limits due dates.
    OutsideSchedule,
    /// The date lies in no range of the schedule that gives due dates.
    OutsideFixedSchedule,
    /// There is nothing to override.
    NothingToOverride,
}

impl RenewalReason {
    /// The refusal as not overridable.
    #[must_use]
    pub fn alone(self) -> RenewalRefusal {
        RenewalRefusal {
            reason: self,
            block: None,
        }
    }
}

impl RenewalRefusal {
    pub(super) fn message(&self) -> String {
        use RenewalReason as Reason;
        match &self.reason {
            Reason::ItemNotFound { id } => format!("No item with ID {id} exists"),
            Reason::NoOpenLoan { item_barcode } => format!(
                "More than one open loan for item {}",
                item_barcode.as_deref().unwrap_or("null")
            ),
            Reason::ItemStatus { status, .. } => format!("item is {status}"),
            Reason::Policy { obstacle, .. } => obstacle.message(),
            other => other.fixed_message().to_owned(),
        }
    }

    /// Only one refusal of a renewal has a code in the announced release; later releases have codes for
    /// all, which their clients translate.
    pub(super) fn code(&self) -> Option<&'static str> {
        match &self.reason {
            RenewalReason::PatronBlocked { .. } => Some("USER_IS_BLOCKED_MANUALLY"),
            _ => None,
        }
    }

    pub(super) fn parameters(&self) -> Parameters {
        use RenewalReason as Reason;
        match &self.reason {
            Reason::WithoutItemBarcode => vec![("itemBarcode", Value::Null)],
            Reason::WithoutUserBarcode => vec![("userBarcode", Value::Null)],
            Reason::WithoutItemId => vec![("itemId", Value::Null)],
            Reason::WithoutUserId => vec![("userId", Value::Null)],
            Reason::ItemNotFound { id } => vec![("itemId", id.as_str().into())],
            Reason::NoOpenLoan { item_barcode } => vec![("itemBarcode", text(item_barcode))],
            Reason::UserNotFound { id: user } => {
                vec![("userId", user.map_or(Value::Null, Value::from))]
            }
            Reason::DifferentUser { key, value } => vec![(key, value.as_str().into())],
            Reason::UserInactive => vec![("reason", "User is inactive.".into())],
            Reason::UserStatusUnknown => {
                vec![("reason", "Cannot determine if user active.".into())]
            }
            Reason::PatronBlocked { reason } => vec![("reason", reason.as_str().into())],
            Reason::HasReminders => vec![("reason", self.reason.fixed_message().into())],
            Reason::Recalled { request_id } => vec![("requestId", (*request_id).into())],
            Reason::ItemStatus { item_id, .. } => vec![("itemId", (*item_id).into())],
            Reason::Policy { policy, .. } => policy_parameters(policy),
            Reason::OverrideWithoutComment => vec![("comment", Value::Null)],
            // FOLIO writes the word here, not the value.
            Reason::OverrideWithoutDueDate | Reason::OverrideWithUnchangedDueDate => {
                vec![("dueDate", "null".into())]
            }
        }
    }
}

impl RenewalReason {
    /// Messages without values.
    fn fixed_message(&self) -> &'static str {
        match self {
            Self::WithoutItemBarcode => "Renewal request must have an item barcode",
            Self::WithoutUserBarcode => "Renewal request must have a user barcode",
            Self::WithoutItemId => "Renewal request must have an item ID",
            Self::WithoutUserId => "Renewal request must have a user ID",
            Self::UserNotFound { .. } => "user is not found",
            Self::DifferentUser { .. } => "Cannot renew item checked out to different user",
            Self::UserInactive => "Cannot renew loan when user is inactive or expired",
            Self::UserStatusUnknown => "Cannot determine if user is active.",
            Self::PatronBlocked { .. } => "Patron blocked from renewing",
            Self::HasReminders => "Renewals not allowed for loans with reminders.",
            Self::Recalled { .. } => {
                "items cannot be renewed when there is an active recall request"
            }
            Self::OverrideWithoutComment => "Override renewal request must have a comment",
            Self::OverrideWithoutDueDate => {
                "New due date must be specified when due date calculation fails"
            }
            Self::OverrideWithUnchangedDueDate => {
                "New due date is required when renewal would not change the due date"
            }
            Self::ItemNotFound { .. }
            | Self::NoOpenLoan { .. }
            | Self::ItemStatus { .. }
            | Self::Policy { .. } => "",
        }
    }
}

impl PolicyObstacle {
    fn message(&self) -> String {
        let fixed = match self {
            Self::Profile(profile) => {
                return format!("profile \"{profile}\" in the loan policy is not recognised");
            }
            Self::Interval(interval) => {
                return format!("the interval \"{interval}\" in the loan policy is not recognised");
            }
            Self::Duration(duration) => {
                return format!("the duration \"{duration}\" in the loan policy is invalid");
            }
            Self::NotLoanable => "item is not loanable",
            Self::NotRenewable => "loan is not renewable",
            Self::LimitReached => "loan at maximum renewal number",
            Self::HoldWaiting => {
                "Items with this loan policy cannot be renewed when there is an active, pending \
                 hold request"
            }
            Self::FixedWithPeriodForHolds => {
                "Item's loan policy has fixed profile but alternative renewal period for holds is \
                 specified"
            }
            Self::FixedWithPeriod => {
                "Item's loan policy has fixed profile but renewal period is specified"
            }
            Self::DueDateUnchanged => "renewal would not change the due date",
            Self::RenewFrom => "cannot determine when to renew from",
            Self::Period => "the loan period in the loan policy is not recognised",
            Self::OutsideSchedule => "renewal date falls outside of date ranges in the loan policy",
            Self::OutsideFixedSchedule => {
                "renewal date falls outside of date ranges in fixed loan policy"
            }
            Self::NothingToOverride => {
                "Override renewal does not match any of expected cases: item is not loanable, item \
                 is not renewable, reached number of renewals limit,renewal date falls outside of \
                 the date ranges in the loan policy, items cannot be renewed when there is an \
                 active recall request, item is Declared lost, item is Aged to lost, renewal would \
                 not change the due date, loan has reminder fees"
            }
        };
        fixed.to_owned()
    }
}
