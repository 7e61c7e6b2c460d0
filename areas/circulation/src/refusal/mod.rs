//! Refusals of circulation. They are values, not program errors; each has FOLIO's message, code and
//! parameters, and staff with a permission can override some. Nothing here knows HTTP: `http` puts
//! errors into a 422 body.

mod around_requests;
mod block;
mod desk;
mod error;
mod loan_act;
mod loss;
mod placing;
mod policy;
mod renewal;
#[cfg(test)]
mod tests;
mod upkeep;

use jiff::Timestamp;
use octavo_library::{ItemStatus, LoanPolicyId, UserId};

pub use around_requests::AroundRequests;
pub use block::OverridableBlock;
pub use desk::DeskRefusal;
pub use loan_act::LoanRefusal;
pub use loss::LossRefusal;
pub use placing::PlacingRefusal;
pub use policy::PolicyRefusal;
pub use renewal::{PolicyObstacle, RenewalReason, RenewalRefusal};
pub use upkeep::UpkeepRefusal;

/// A loan policy as refusals name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyReference {
    /// The policy's id.
    pub id: LoanPolicyId,
    /// The policy's name.
    pub name: String,
}

/// An item as refusals name it; parts unknown read `null`, as they do in FOLIO.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemReference {
    /// The instance's title.
    pub title: Option<String>,
    /// The material type's name.
    pub material_type: Option<String>,
    /// The item's barcode.
    pub barcode: Option<String>,
}

/// Which loans an item limit counts: those that share what the winning rule mentions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemLimitScope {
    /// The rule mentions patron group, material type and loan type.
    PatronGroupMaterialTypeLoanType,
    /// The rule mentions patron group and material type.
    PatronGroupMaterialType,
    /// The rule mentions patron group and loan type.
    PatronGroupLoanType,
    /// The rule mentions material type and loan type.
    MaterialTypeLoanType,
    /// The rule mentions material type.
    MaterialType,
    /// The rule mentions loan type.
    LoanType,
}

/// Why circulation refuses an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Check-out names no service point.
    CheckOutWithoutServicePoint,
    /// No user has the barcode of the borrower.
    UserNotFound {
        /// The barcode asked for.
        barcode: Option<String>,
    },
    /// No user has the barcode of the proxy.
    ProxyNotFound {
        /// The barcode asked for.
        barcode: String,
    },
    /// Staff blocked the patron from borrowing.
    PatronBlockedManually {
        /// The descriptions of the patron's blocks.
        reason: String,
        /// What the operator lacks to override.
        missing_permissions: Vec<&'static str>,
    },
    /// A limit blocked the patron from borrowing.
    PatronBlockedAutomatically {
        /// The message of the block's condition.
        message: String,
        /// What the operator lacks to override.
        missing_permissions: Vec<&'static str>,
    },
    /// The borrower is inactive or expired.
    UserInactive {
        /// The borrower's barcode.
        barcode: Option<String>,
    },
    /// The borrower's record does not say whether they are active.
    UserStatusUnknown {
        /// The borrower's barcode.
        barcode: Option<String>,
    },
    /// The proxy is inactive or expired.
    ProxyInactive {
        /// The proxy's barcode.
        barcode: String,
    },
    /// The proxy's record does not say whether they are active.
    ProxyStatusUnknown {
        /// The proxy's barcode.
        barcode: String,
    },
    /// Borrower and proxy are one person.
    ProxyForThemselves {
        /// The proxy's user id.
        proxy_user_id: UserId,
    },
    /// The borrower has no active relationship with the proxy.
    ProxyRelationshipInvalid {
        /// The proxy's barcode.
        barcode: String,
    },
    /// Check-out found no item with the barcode.
    ItemNotFoundForCheckOut {
        /// The barcode asked for.
        barcode: Option<String>,
    },
    /// The item has the status Checked out.
    ItemAlreadyCheckedOut {
        /// The item's barcode.
        barcode: Option<String>,
    },
    /// The item's status forbids check-out.
    ItemStatusForbidsCheckOut {
        item: ItemReference,
        status: ItemStatus,
    },
    ItemHasOpenLoan {
        /// The item's barcode.
        barcode: Option<String>,
    },
    /// Another client has the borrower's check-out lock.
    CheckOutLockNotAcquired,
    /// Someone else's request comes first.
    RequestedByAnotherPatron {
        item: ItemReference,
        /// The borrower: `Last, First` or the user name.
        user_name: Option<String>,
        /// The borrower's barcode.
        user_barcode: Option<String>,
    },
    /// The patron has as many such loans as the policy allows.
    ItemLimitReached {
        /// The policy's limit.
        limit: u32,
        /// What was counted.
        scope: ItemLimitScope,
        /// The item's barcode.
        item_barcode: Option<String>,
        /// What the operator lacks to override.
        missing_permissions: Vec<&'static str>,
    },
    /// The policy forbids loans.
    ItemNotLoanable {
        /// The item's barcode.
        item_barcode: Option<String>,
        policy: PolicyReference,
        /// What the operator lacks to override.
        missing_permissions: Vec<&'static str>,
    },
    /// An override was asked for by someone who may not.
    InsufficientOverridePermissions {
        /// What was to be overridden.
        block: OverridableBlock,
        /// What the operator lacks.
        missing_permissions: Vec<&'static str>,
    },
    /// An override gives no comment.
    OverrideCommentRequired,
    /// An override of "not loanable" gives no due date.
    OverrideDueDateRequired,
    /// An override of "not loanable" gives a due date that is not after the loan date.
    OverrideDueDateNotAfterLoanDate {
        /// The due date given.
        due_date: Timestamp,
    },
    /// The circulation rules cannot be evaluated: item or patron lacks a criterion. FOLIO answers 500
    /// with the same message.
    CirculationRulesNotApplicable {
        /// FOLIO's message.
        reason: &'static str,
    },
    /// The loan date lies in no range of the policy's schedule.
    LoanDateOutsideSchedule { policy: PolicyReference },
    /// The policy is neither rolling nor fixed.
    LoanProfileNotRecognised {
        /// The profile named; empty if none is.
        profile: String,
        policy: PolicyReference,
    },
    /// The policy has no usable loan period.
    LoanPeriodNotRecognised { policy: PolicyReference },
    /// The loan period's unit is unknown.
    LoanIntervalNotRecognised {
        /// The unit named.
        interval: String,
        policy: PolicyReference,
    },
    /// The loan period is not positive or leads beyond the calendar.
    LoanDurationInvalid {
        duration: i64,
        policy: PolicyReference,
    },
    /// A recall period is incomplete.
    RecallPeriodNotRecognised {
        /// The period's property.
        property: &'static str,
        policy: PolicyReference,
    },
    /// A recall period's unit is unknown.
    RecallIntervalNotRecognised {
        /// The unit named.
        interval: String,
        /// The period's property.
        property: &'static str,
        policy: PolicyReference,
    },
    /// A recall period is not positive or leads beyond the calendar.
    RecallDurationInvalid {
        duration: i64,
        /// The period's property.
        property: &'static str,
        policy: PolicyReference,
    },
    /// The calendar says nothing about the dates needed.
    CalendarTimetableAbsent,
    /// The service point has no calendar where one is needed.
    CalendarOpenPeriodsNotFound,
    /// Check-in names no item.
    CheckInWithoutItemBarcode,
    /// Check-in names no service point.
    CheckInWithoutServicePoint,
    /// Check-in gives no date.
    CheckInWithoutDate,
    /// Check-in names an unknown resolution of a claim.
    ClaimResolutionNotRecognised {
        /// What was given.
        value: String,
    },
    /// Check-in without a logged-in user.
    NoLoggedInUser,
    /// Check-in found no item with the barcode.
    ItemNotFoundForCheckIn {
        /// The barcode asked for.
        barcode: String,
    },
    /// The item's status forbids check-in.
    ItemStatusForbidsCheckIn {
        item: ItemReference,
        status: ItemStatus,
    },
    /// Only uses in the house are to be recorded, and this item is on loan, requested or from elsewhere.
    NotForInHouseUse {
        item: ItemReference,
        status: ItemStatus,
        /// How many requests wait for it.
        requests: usize,
    },
    /// The item is claimed returned and the check-in does not resolve the claim.
    ClaimedReturnedNotResolved,
    /// The request to be filled has no pickup service point.
    RequestWithoutPickupServicePoint,
    /// A refusal of allowed service points or of a request for an instance.
    AroundRequests(AroundRequests),
    /// A refusal of a loss or a claim.
    Loss(LossRefusal),
    /// The loan is not renewed.
    Renewal(RenewalRefusal),
    /// Another act on the loan is refused.
    Loan(LoanRefusal),
    /// A request is not placed or not moved.
    Placing(PlacingRefusal),
    /// A request that is placed, or a queue, is not changed.
    Upkeep(UpkeepRefusal),
}

impl From<PlacingRefusal> for Refusal {
    fn from(refusal: PlacingRefusal) -> Refusal {
        Refusal::Placing(refusal)
    }
}

impl From<AroundRequests> for Refusal {
    fn from(refusal: AroundRequests) -> Refusal {
        Refusal::AroundRequests(refusal)
    }
}

impl From<UpkeepRefusal> for Refusal {
    fn from(refusal: UpkeepRefusal) -> Refusal {
        Refusal::Upkeep(refusal)
    }
}

impl From<RenewalRefusal> for Refusal {
    fn from(refusal: RenewalRefusal) -> Refusal {
        Refusal::Renewal(refusal)
    }
}

impl From<RenewalReason> for Refusal {
    fn from(reason: RenewalReason) -> Refusal {
        Refusal::Renewal(reason.alone())
    }
}

impl From<LoanRefusal> for Refusal {
    fn from(refusal: LoanRefusal) -> Refusal {
        Refusal::Loan(refusal)
    }
}

impl From<LossRefusal> for Refusal {
    fn from(refusal: LossRefusal) -> Refusal {
        Refusal::Loss(refusal)
    }
}
