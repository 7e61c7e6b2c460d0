//! Every refusal on the wire: message, code, parameters and the block that can be overridden.

use octavo_library::{ItemStatus, LoanPolicyId, UserId};
use serde_json::{Value, json};

use super::*;

fn policy() -> PolicyReference {
    PolicyReference {
        id: LoanPolicyId::from_u128(7),
        name: "Short".into(),
    }
}

fn item() -> ItemReference {
    ItemReference {
        title: Some("Emma".into()),
        material_type: Some("book".into()),
        barcode: Some("I1".into()),
    }
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// Checks one refusal against `{message, code?, parameters, overridableBlock?}`.
fn check(refusal: Refusal, message: &str, code: Option<&str>, parameters: &[(&str, Value)]) {
    let error = refusal.to_error();
    assert_eq!(error["message"], message, "{refusal:?}");
    assert_eq!(
        error.get("code").and_then(Value::as_str),
        code,
        "{refusal:?}"
    );
    let expected: Vec<Value> = parameters
        .iter()
        .map(|(key, value)| json!({"key": key, "value": value}))
        .collect();
    assert_eq!(error["parameters"], Value::Array(expected), "{refusal:?}");
    let block = refusal.overridable_block().is_some();
    assert_eq!(
        error.get("overridableBlock").is_some(),
        block,
        "{refusal:?}"
    );
    assert_eq!(
        error.as_object().unwrap().len(),
        2 + usize::from(code.is_some()) + usize::from(block)
    );
}

#[test]
fn refusals_about_people() {
    let user = || [("userBarcode", json!("U1"))];
    let proxy = || [("proxyUserBarcode", json!("P1"))];
    let message = "Could not find user with matching barcode";
    let code = Some("USER_BARCODE_NOT_FOUND");
    check(
        Refusal::UserNotFound {
            barcode: some("U1"),
        },
        message,
        code,
        &user(),
    );
    check(
        Refusal::ProxyNotFound {
            barcode: "P1".into(),
        },
        message,
        code,
        &proxy(),
    );
    let missing = [("userBarcode", Value::Null)];
    check(
        Refusal::UserNotFound { barcode: None },
        message,
        code,
        &missing,
    );
    let barcode = some("U1");
    check(
        Refusal::UserInactive {
            barcode: barcode.clone(),
        },
        "Cannot check out to inactive user",
        None,
        &user(),
    );
    check(
        Refusal::UserStatusUnknown { barcode },
        "Cannot determine if user is active or not",
        None,
        &user(),
    );
    check(
        Refusal::ProxyInactive {
            barcode: "P1".into(),
        },
        "Cannot check out via inactive proxying user",
        None,
        &proxy(),
    );
    check(
        Refusal::ProxyStatusUnknown {
            barcode: "P1".into(),
        },
        "Cannot determine if proxying user is active or not",
        None,
        &proxy(),
    );
    check(
        Refusal::ProxyForThemselves {
            proxy_user_id: UserId::from_u128(1),
        },
        "User cannot be proxy for themselves",
        Some("USER_CANNOT_BE_PROXY_FOR_THEMSELVES"),
        &[("proxyUserId", json!("00000000-0000-0000-0000-000000000001"))],
    );
    check(
        Refusal::ProxyRelationshipInvalid {
            barcode: "P1".into(),
        },
        "Cannot check out item via proxy when relationship is invalid",
        None,
        &proxy(),
    );
}

#[test]
fn refusals_about_blocks() {
    let manual = Refusal::PatronBlockedManually {
        reason: "owes money;lost card".into(),
        missing_permissions: vec!["circulation.override-patron-block.post"],
    };
    assert_eq!(
        manual.to_error()["overridableBlock"],
        json!({
            "name": "patronBlock",
            "missingPermissions": ["circulation.override-patron-block.post"]
        })
    );
    check(
        manual,
        "Patron blocked from borrowing",
        Some("USER_IS_BLOCKED_MANUALLY"),
        &[("reason", json!("owes money;lost card"))],
    );
    let automatic = Refusal::PatronBlockedAutomatically {
        message: "Too many overdue items".into(),
        missing_permissions: vec![],
    };
    let block = json!({"name": "patronBlock", "missingPermissions": []});
    assert_eq!(automatic.to_error()["overridableBlock"], block);
    check(
        automatic,
        "Too many overdue items",
        Some("USER_IS_BLOCKED_AUTOMATICALLY"),
        &[],
    );
    let insufficient = Refusal::InsufficientOverridePermissions {
        block: OverridableBlock::ItemLimit,
        missing_permissions: vec!["circulation.override-item-limit-block.post"],
    };
    assert_eq!(
        insufficient.to_error()["overridableBlock"]["name"],
        "itemLimitBlock"
    );
    check(insufficient, "Insufficient override permissions", None, &[]);
    check(
        Refusal::OverrideCommentRequired,
        "Override should be performed with the comment specified",
        None,
        &[("comment", Value::Null)],
    );
    check(
        Refusal::OverrideDueDateRequired,
        "Override should be performed with due date specified",
        None,
        &[("dueDate", Value::Null)],
    );
    check(
        Refusal::OverrideDueDateNotAfterLoanDate {
            due_date: "2024-01-02T03:04:05Z".parse().unwrap(),
        },
        "Due date should be later than loan date",
        None,
        &[("dueDate", json!("2024-01-02T03:04:05.000+00:00"))],
    );
}

#[test]
fn refusals_about_items() {
    let barcode = || [("itemBarcode", json!("I1"))];
    check(
        Refusal::CheckOutWithoutServicePoint,
        "Check out must be performed at a service point",
        None,
        &[("servicePointId", Value::Null)],
    );
    check(
        Refusal::ItemNotFoundForCheckOut {
            barcode: some("I1"),
        },
        "No item with barcode I1 could be found",
        None,
        &barcode(),
    );
    check(
        Refusal::ItemAlreadyCheckedOut {
            barcode: some("I1"),
        },
        "Item is already checked out",
        None,
        &barcode(),
    );
    check(
        Refusal::ItemStatusForbidsCheckOut {
            item: item(),
            status: ItemStatus::AgedToLost,
        },
        "Emma (book) (Barcode: I1) has the item status Aged to lost and cannot be checked out",
        None,
        &barcode(),
    );
    check(
        Refusal::ItemHasOpenLoan {
            barcode: some("I1"),
        },
        "Cannot check out item that already has an open loan",
        Some("ITEM_HAS_OPEN_LOAN"),
        &barcode(),
    );
    let requested = |user_name: Option<String>| Refusal::RequestedByAnotherPatron {
        item: item(),
        user_name,
        user_barcode: some("U1"),
    };
    check(
        requested(some("Woodhouse, Emma")),
        "Emma (Barcode: I1) cannot be checked out to user Woodhouse, Emma because it has been \
         requested by another patron",
        None,
        &[("userBarcode", json!("U1"))],
    );
    assert!(requested(None).message().contains("to user null because"));
    check(
        Refusal::ItemNotLoanable {
            item_barcode: some("I1"),
            policy: policy(),
            missing_permissions: vec![],
        },
        "Item is not loanable",
        Some("ITEM_NOT_LOANABLE"),
        &[
            ("itemBarcode", json!("I1")),
            ("loanPolicyId", json!(policy().id.to_string())),
            ("loanPolicyName", json!("Short")),
        ],
    );
}

#[test]
fn refusals_about_item_limits() {
    use ItemLimitScope as Scope;
    let table = [
        (
            Scope::PatronGroupMaterialTypeLoanType,
            "for combination of patron group, material type and loan type",
            "ITEM_LIMIT_PATRON_GROUP_MATERIAL_TYPE_LOAN_TYPE",
        ),
        (
            Scope::PatronGroupMaterialType,
            "for combination of patron group and material type",
            "ITEM_LIMIT_PATRON_GROUP_MATERIAL_TYPE",
        ),
        (
            Scope::PatronGroupLoanType,
            "for combination of patron group and loan type",
            "ITEM_LIMIT_PATRON_GROUP_LOAN_TYPE",
        ),
        (
            Scope::MaterialTypeLoanType,
            "for combination of material type and loan type",
            "ITEM_LIMIT_MATERIAL_TYPE_LOAN_TYPE",
        ),
        (
            Scope::MaterialType,
            "for material type",
            "ITEM_LIMIT_MATERIAL_TYPE",
        ),
        (Scope::LoanType, "for loan type", "ITEM_LIMIT_LOAN_TYPE"),
    ];
    for (scope, description, code) in table {
        let refusal = Refusal::ItemLimitReached {
            limit: 3,
            scope,
            item_barcode: some("I1"),
            missing_permissions: vec![],
        };
        let message = format!("Patron has reached maximum limit of 3 items {description}");
        let parameters = [("itemBarcode", json!("I1")), ("itemLimit", json!("3"))];
        check(refusal, &message, Some(code), &parameters);
    }
}

#[test]
fn refusals_about_policies_and_calendars() {
    let parameters = [
        ("loanPolicyId", json!(policy().id.to_string())),
        ("loanPolicyName", json!("Short")),
    ];
    let policy_refusals = [
        (
            Refusal::LoanDateOutsideSchedule { policy: policy() },
            "loan date falls outside of the date ranges in the loan policy",
        ),
        (
            Refusal::LoanProfileNotRecognised {
                profile: "Odd".into(),
                policy: policy(),
            },
            "profile \"Odd\" in the loan policy is not recognised",
        ),
        (
            Refusal::LoanPeriodNotRecognised { policy: policy() },
            "the loan period in the loan policy is not recognised",
        ),
        (
            Refusal::LoanIntervalNotRecognised {
                interval: "Years".into(),
                policy: policy(),
            },
            "the interval \"Years\" in the loan policy is not recognised",
        ),
        (
            Refusal::LoanDurationInvalid {
                duration: -1,
                policy: policy(),
            },
            "the duration \"-1\" in the loan policy is invalid",
        ),
        (
            Refusal::RecallPeriodNotRecognised {
                property: "recallReturnInterval",
                policy: policy(),
            },
            "the \"recallReturnInterval\" in the loan policy is not recognized",
        ),
        (
            Refusal::RecallIntervalNotRecognised {
                interval: "Years".into(),
                property: "recallReturnInterval",
                policy: policy(),
            },
            "the interval \"Years\" in \"recallReturnInterval\" is not recognized",
        ),
        (
            Refusal::RecallDurationInvalid {
                duration: 0,
                property: "recallReturnInterval",
                policy: policy(),
            },
            "the duration \"0\" in \"recallReturnInterval\" is invalid",
        ),
    ];
    for (refusal, message) in policy_refusals {
        check(refusal, message, None, &parameters);
    }
    check(
        Refusal::CalendarTimetableAbsent,
        "Calendar timetable is absent for requested date",
        None,
        &[],
    );
    check(
        Refusal::CalendarOpenPeriodsNotFound,
        "Calendar open periods are not found",
        None,
        &[],
    );
    let reason = "Unable to apply circulation rules for unknown item";
    check(
        Refusal::CirculationRulesNotApplicable { reason },
        reason,
        None,
        &[],
    );
}

#[test]
fn refusals_of_check_in() {
    let resolution = |value: Value| [("claimedReturnedResolution", value)];
    check(
        Refusal::CheckInWithoutItemBarcode,
        "Checkin request must have an item barcode",
        None,
        &[("itemBarcode", Value::Null)],
    );
    check(
        Refusal::CheckInWithoutServicePoint,
        "Checkin request must have a service point id",
        None,
        &[("servicePointId", Value::Null)],
    );
    check(
        Refusal::CheckInWithoutDate,
        "Checkin request must have an check in date",
        None,
        &[("checkInDate", Value::Null)],
    );
    check(
        Refusal::ClaimResolutionNotRecognised {
            value: "Stolen".into(),
        },
        "Unrecognized value provided for property",
        None,
        &resolution(json!("Stolen")),
    );
    check(
        Refusal::NoLoggedInUser,
        "No logged-in user present",
        None,
        &[("X-Okapi-User-Id", Value::Null)],
    );
    check(
        Refusal::ItemNotFoundForCheckIn {
            barcode: "I1".into(),
        },
        "No item with barcode I1 exists",
        None,
        &[("itemBarcode", json!("I1"))],
    );
    check(
        Refusal::ItemStatusForbidsCheckIn {
            item: item(),
            status: ItemStatus::IntellectualItem,
        },
        "Emma (book) (Barcode: I1) has the item status Intellectual item and cannot be checked in",
        None,
        &[("itemBarcode", json!("I1"))],
    );
    check(
        Refusal::NotForInHouseUse {
            item: item(),
            status: ItemStatus::CheckedOut,
            requests: 2,
        },
        "Emma (Barcode: I1) cannot be recorded as used in house: it has the item status Checked out and 2 \
         open requests; used in house are available items of locations that this service point serves",
        Some("ITEM_NOT_FOR_IN_HOUSE_USE"),
        &[("itemBarcode", json!("I1"))],
    );
    check(
        Refusal::ClaimedReturnedNotResolved,
        "Item is claimed returned, a resolution is required to check in",
        None,
        &resolution(Value::Null),
    );
    check(
        Refusal::RequestWithoutPickupServicePoint,
        "Failed to check in item due to the highest priority request missing a pickup service \
         point",
        None,
        &[("pickupServicePointId", Value::Null)],
    );
}

#[test]
fn blocks_need_their_permissions() {
    let table = [
        (
            OverridableBlock::Patron,
            "patronBlock",
            "circulation.override-patron-block.post",
        ),
        (
            OverridableBlock::ItemLimit,
            "itemLimitBlock",
            "circulation.override-item-limit-block.post",
        ),
        (
            OverridableBlock::ItemNotLoanable,
            "itemNotLoanableBlock",
            "circulation.override-item-not-loanable-block.post",
        ),
        (
            OverridableBlock::Renewal,
            "renewalBlock",
            "circulation.override-renewal-block.post",
        ),
        (
            OverridableBlock::RenewalDueDateRequired,
            "renewalDueDateRequiredBlock",
            "circulation.override-renewal-block.post",
        ),
    ];
    for (block, name, permission) in table {
        assert_eq!(block.name(), name);
        assert_eq!(block.missing_permissions(&Default::default()), [permission]);
        assert!(
            block
                .missing_permissions(&[permission.to_owned()].into())
                .is_empty()
        );
    }
}
