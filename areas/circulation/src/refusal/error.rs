//! The JSON form of refusals: FOLIO's `{message, code?, parameters: [{key, value}], overridableBlock?:
//! {name, missingPermissions}}`.

use octavo_library::{ItemStatus, wire_time};
use serde_json::{Map, Value, json};

use super::{ItemLimitScope, ItemReference, OverridableBlock, PolicyReference, Refusal};

pub(super) type Parameters = Vec<(&'static str, Value)>;

impl Refusal {
    /// The error object for the body's `errors` list.
    pub fn to_error(&self) -> Value {
        let mut error = Map::new();
        error.insert("message".into(), self.message().into());
        if let Some(code) = self.code() {
            error.insert("code".into(), code.into());
        }
        let parameters = self
            .parameters()
            .into_iter()
            .map(|(key, value)| json!({"key": key, "value": value}))
            .collect();
        error.insert("parameters".into(), Value::Array(parameters));
        if let Some((block, missing)) = self.overridable_block() {
            let block = json!({"name": block.name(), "missingPermissions": missing});
            error.insert("overridableBlock".into(), block);
        }
        Value::Object(error)
    }

    /// FOLIO's message.
    pub fn message(&self) -> String {
        let fixed = match self {
            Self::PatronBlockedAutomatically { message, .. } => return message.clone(),
            Self::CirculationRulesNotApplicable { reason } => return (*reason).to_owned(),
            Self::Loss(refusal) => return refusal.message(),
            Self::ItemNotFoundForCheckOut { barcode } => {
                return format!("No item with barcode {} could be found", or_null(barcode));
            }
            Self::ItemNotFoundForCheckIn { barcode } => {
                return format!("No item with barcode {barcode} exists");
            }
            Self::ItemStatusForbidsCheckOut { item, status } => {
                return status_message(item, *status, "out");
            }
            Self::ItemStatusForbidsCheckIn { item, status } => {
                return status_message(item, *status, "in");
            }
            Self::RequestedByAnotherPatron {
                item, user_name, ..
            } => {
                return format!(
                    "{} (Barcode: {}) cannot be checked out to user {} because it has been requested \
                 by another patron",
                    or_null(&item.title),
                    or_null(&item.barcode),
                    or_null(user_name)
                );
            }
            Self::NotForInHouseUse {
                item,
                status,
                requests,
            } => {
                return format!(
                    "{} (Barcode: {}) cannot be recorded as used in house: it has the item status {status} \
                     and {requests} open requests; used in house are available items of locations that \
                     this service point serves",
                    or_null(&item.title),
                    or_null(&item.barcode),
                );
            }
            Self::ItemLimitReached { limit, scope, .. } => {
                return format!(
                    "Patron has reached maximum limit of {limit} items {}",
                    scope.description()
                );
            }
            Self::LoanProfileNotRecognised { profile, .. } => {
                return format!("profile \"{profile}\" in the loan policy is not recognised");
            }
            Self::LoanIntervalNotRecognised { interval, .. } => {
                return format!("the interval \"{interval}\" in the loan policy is not recognised");
            }
            Self::LoanDurationInvalid { duration, .. } => {
                return format!("the duration \"{duration}\" in the loan policy is invalid");
            }
            Self::RecallPeriodNotRecognised { property, .. } => {
                return format!("the \"{property}\" in the loan policy is not recognized");
            }
            Self::RecallIntervalNotRecognised {
                interval, property, ..
            } => {
                return format!("the interval \"{interval}\" in \"{property}\" is not recognized");
            }
            Self::RecallDurationInvalid {
                duration, property, ..
            } => {
                return format!("the duration \"{duration}\" in \"{property}\" is invalid");
            }
            Self::Renewal(refusal) => return refusal.message(),
            Self::Loan(refusal) => return refusal.message(),
            Self::AroundRequests(refusal) => return refusal.message(),
            Self::Placing(refusal) => return refusal.message(),
            Self::Upkeep(refusal) => return refusal.message(),
            Self::CheckOutWithoutServicePoint => "Check out must be performed at a service point",
            Self::UserNotFound { .. } | Self::ProxyNotFound { .. } => {
                "Could not find user with matching barcode"
            }
            Self::PatronBlockedManually { .. } => "Patron blocked from borrowing",
            Self::UserInactive { .. } => "Cannot check out to inactive user",
            Self::UserStatusUnknown { .. } => "Cannot determine if user is active or not",
            Self::ProxyInactive { .. } => "Cannot check out via inactive proxying user",
            Self::ProxyStatusUnknown { .. } => "Cannot determine if proxying user is active or not",
            Self::ProxyForThemselves { .. } => "User cannot be proxy for themselves",
            Self::ProxyRelationshipInvalid { .. } => {
                "Cannot check out item via proxy when relationship is invalid"
            }
            Self::ItemAlreadyCheckedOut { .. } => "Item is already checked out",
            Self::ItemHasOpenLoan { .. } => "Cannot check out item that already has an open loan",
            Self::CheckOutLockNotAcquired => "unable to acquire lock",
            Self::ItemNotLoanable { .. } => "Item is not loanable",
            Self::InsufficientOverridePermissions { .. } => "Insufficient override permissions",
            Self::OverrideCommentRequired => {
                "Override should be performed with the comment specified"
            }
            Self::OverrideDueDateRequired => "Override should be performed with due date specified",
            Self::OverrideDueDateNotAfterLoanDate { .. } => {
                "Due date should be later than loan date"
            }
            Self::LoanDateOutsideSchedule { .. } => {
                "loan date falls outside of the date ranges in the loan policy"
            }
            Self::LoanPeriodNotRecognised { .. } => {
                "the loan period in the loan policy is not recognised"
            }
            Self::CalendarTimetableAbsent => "Calendar timetable is absent for requested date",
            Self::CalendarOpenPeriodsNotFound => "Calendar open periods are not found",
            Self::CheckInWithoutItemBarcode => "Checkin request must have an item barcode",
            Self::CheckInWithoutServicePoint => "Checkin request must have a service point id",
            Self::CheckInWithoutDate => "Checkin request must have an check in date",
            Self::ClaimResolutionNotRecognised { .. } => "Unrecognized value provided for property",
            Self::NoLoggedInUser => "No logged-in user present",
            Self::ClaimedReturnedNotResolved => {
                "Item is claimed returned, a resolution is required to check in"
            }
            Self::RequestWithoutPickupServicePoint => {
                "Failed to check in item due to the highest priority request missing a pickup \
                 service point"
            }
        };
        fixed.to_owned()
    }

    /// The code, if the announced release has one: its clients show the message of errors without a
    /// code, and nothing for an unknown code.
    pub fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::UserNotFound { .. } | Self::ProxyNotFound { .. } => "USER_BARCODE_NOT_FOUND",
            Self::PatronBlockedManually { .. } => "USER_IS_BLOCKED_MANUALLY",
            Self::PatronBlockedAutomatically { .. } => "USER_IS_BLOCKED_AUTOMATICALLY",
            Self::ProxyForThemselves { .. } => "USER_CANNOT_BE_PROXY_FOR_THEMSELVES",
            Self::ItemHasOpenLoan { .. } => "ITEM_HAS_OPEN_LOAN",
            Self::ItemLimitReached { scope, .. } => scope.code(),
            Self::ItemNotLoanable { .. } => "ITEM_NOT_LOANABLE",
            Self::NotForInHouseUse { .. } => "ITEM_NOT_FOR_IN_HOUSE_USE",
            Self::Renewal(refusal) => return refusal.code(),
            Self::Placing(refusal) => return refusal.code(),
            Self::Upkeep(refusal) => return refusal.code(),
            _ => return None,
        })
    }

    /// The parameters in the order in which they are written.
    fn parameters(&self) -> Parameters {
        match self {
            Self::CheckOutWithoutServicePoint | Self::CheckInWithoutServicePoint => {
                vec![("servicePointId", Value::Null)]
            }
            Self::UserNotFound { barcode }
            | Self::UserInactive { barcode }
            | Self::UserStatusUnknown { barcode }
            | Self::RequestedByAnotherPatron {
                user_barcode: barcode,
                ..
            } => {
                vec![("userBarcode", text(barcode))]
            }
            Self::ProxyNotFound { barcode }
            | Self::ProxyInactive { barcode }
            | Self::ProxyStatusUnknown { barcode }
            | Self::ProxyRelationshipInvalid { barcode } => {
                vec![("proxyUserBarcode", barcode.as_str().into())]
            }
            Self::PatronBlockedManually { reason, .. } => vec![("reason", reason.as_str().into())],
            Self::ProxyForThemselves { proxy_user_id } => {
                vec![("proxyUserId", proxy_user_id.to_string().into())]
            }
            Self::ItemNotFoundForCheckOut { barcode }
            | Self::ItemAlreadyCheckedOut { barcode }
            | Self::ItemHasOpenLoan { barcode } => vec![("itemBarcode", text(barcode))],
            Self::ItemStatusForbidsCheckOut { item, .. }
            | Self::ItemStatusForbidsCheckIn { item, .. }
            | Self::NotForInHouseUse { item, .. } => {
                vec![("itemBarcode", text(&item.barcode))]
            }
            Self::ItemLimitReached {
                limit,
                item_barcode,
                ..
            } => {
                vec![
                    ("itemBarcode", text(item_barcode)),
                    ("itemLimit", limit.to_string().into()),
                ]
            }
            Self::ItemNotLoanable {
                item_barcode,
                policy,
                ..
            } => {
                let mut parameters = vec![("itemBarcode", text(item_barcode))];
                parameters.extend(policy_parameters(policy));
                parameters
            }
            other => other.more_parameters(),
        }
    }

    fn more_parameters(&self) -> Parameters {
        match self {
            Self::Loss(refusal) => refusal.parameters(),
            Self::OverrideCommentRequired => vec![("comment", Value::Null)],
            Self::OverrideDueDateRequired => vec![("dueDate", Value::Null)],
            Self::OverrideDueDateNotAfterLoanDate { due_date } => {
                vec![("dueDate", wire_time::format(*due_date).into())]
            }
            Self::LoanDateOutsideSchedule { policy }
            | Self::LoanProfileNotRecognised { policy, .. }
            | Self::LoanPeriodNotRecognised { policy }
            | Self::LoanIntervalNotRecognised { policy, .. }
            | Self::LoanDurationInvalid { policy, .. }
            | Self::RecallPeriodNotRecognised { policy, .. }
            | Self::RecallIntervalNotRecognised { policy, .. }
            | Self::RecallDurationInvalid { policy, .. } => policy_parameters(policy),
            Self::CheckInWithoutItemBarcode => vec![("itemBarcode", Value::Null)],
            Self::CheckInWithoutDate => vec![("checkInDate", Value::Null)],
            // FOLIO's parameter is empty here.
            Self::CheckOutLockNotAcquired => vec![("", "".into())],
            Self::ClaimResolutionNotRecognised { value } => {
                vec![("claimedReturnedResolution", value.as_str().into())]
            }
            Self::NoLoggedInUser => vec![("X-Okapi-User-Id", Value::Null)],
            Self::ItemNotFoundForCheckIn { barcode } => {
                vec![("itemBarcode", barcode.as_str().into())]
            }
            Self::ClaimedReturnedNotResolved => vec![("claimedReturnedResolution", Value::Null)],
            Self::RequestWithoutPickupServicePoint => vec![("pickupServicePointId", Value::Null)],
            Self::Renewal(refusal) => refusal.parameters(),
            Self::Loan(refusal) => refusal.parameters(),
            Self::AroundRequests(refusal) => refusal.parameters(),
            Self::Placing(refusal) => refusal.parameters(),
            Self::Upkeep(refusal) => refusal.parameters(),
            _ => Vec::new(),
        }
    }

    /// The block that staff may override, with the permissions the operator lacks.
    pub fn overridable_block(&self) -> Option<(OverridableBlock, &[&'static str])> {
        match self {
            Self::PatronBlockedManually {
                missing_permissions,
                ..
            }
            | Self::PatronBlockedAutomatically {
                missing_permissions,
                ..
            } => Some((OverridableBlock::Patron, missing_permissions)),
            Self::ItemLimitReached {
                missing_permissions,
                ..
            } => Some((OverridableBlock::ItemLimit, missing_permissions)),
            Self::ItemNotLoanable {
                missing_permissions,
                ..
            } => Some((OverridableBlock::ItemNotLoanable, missing_permissions)),
            Self::InsufficientOverridePermissions {
                block,
                missing_permissions,
            } => Some((*block, missing_permissions)),
            Self::Renewal(refusal) => {
                let (block, missing) = refusal.block.as_ref()?;
                Some((*block, missing))
            }
            Self::Placing(refusal) => refusal.overridable_block(),
            _ => None,
        }
    }
}

impl ItemLimitScope {
    fn description(self) -> &'static str {
        match self {
            Self::PatronGroupMaterialTypeLoanType => {
                "for combination of patron group, material type and loan type"
            }
            Self::PatronGroupMaterialType => "for combination of patron group and material type",
            Self::PatronGroupLoanType => "for combination of patron group and loan type",
            Self::MaterialTypeLoanType => "for combination of material type and loan type",
            Self::MaterialType => "for material type",
            Self::LoanType => "for loan type",
        }
    }

    fn code(self) -> &'static str {
        match self {
            Self::PatronGroupMaterialTypeLoanType => {
                "ITEM_LIMIT_PATRON_GROUP_MATERIAL_TYPE_LOAN_TYPE"
            }
            Self::PatronGroupMaterialType => "ITEM_LIMIT_PATRON_GROUP_MATERIAL_TYPE",
            Self::PatronGroupLoanType => "ITEM_LIMIT_PATRON_GROUP_LOAN_TYPE",
            Self::MaterialTypeLoanType => "ITEM_LIMIT_MATERIAL_TYPE_LOAN_TYPE",
            Self::MaterialType => "ITEM_LIMIT_MATERIAL_TYPE",
            Self::LoanType => "ITEM_LIMIT_LOAN_TYPE",
        }
    }
}

fn status_message(item: &ItemReference, status: ItemStatus, direction: &str) -> String {
    format!(
        "{} ({}) (Barcode: {}) has the item status {status} and cannot be checked {direction}",
        or_null(&item.title),
        or_null(&item.material_type),
        or_null(&item.barcode)
    )
}

pub(super) fn policy_parameters(policy: &PolicyReference) -> Parameters {
    vec![
        ("loanPolicyId", policy.id.to_string().into()),
        ("loanPolicyName", policy.name.as_str().into()),
    ]
}

pub(super) fn text(value: &Option<String>) -> Value {
    value.as_deref().map_or(Value::Null, Value::from)
}

pub(super) fn or_null(value: &Option<String>) -> &str {
    value.as_deref().unwrap_or("null")
}
