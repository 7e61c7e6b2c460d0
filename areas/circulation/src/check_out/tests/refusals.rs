//! Refusals, their messages and their order.

use octavo_library::{ItemStatus, LoanTypeId, ProxyRelationship, UserId};

use super::*;

#[test]
fn each_obstacle_is_refused() {
    type Change = fn(&mut CheckOutRequest, &mut CheckOutFacts);
    let table: &[(Change, &[&str])] = &[
        (
            |r, _| r.service_point_id = None,
            &["Check out must be performed at a service point"],
        ),
        (
            |_, f| (f.patron, f.terms) = (None, None),
            &["Could not find user with matching barcode"],
        ),
        (
            |_, f| (f.item, f.terms) = (None, None),
            &["No item with barcode I1 could be found"],
        ),
        (
            |r, f| {
                (f.patron, f.item, f.terms) = (None, None, None);
                r.proxy_user_barcode = Some("P1".into());
            },
            &[
                "Could not find user with matching barcode",
                "Could not find user with matching barcode",
                "No item with barcode I1 could be found",
            ],
        ),
        (
            |_, f| patron(f).active = Some(false),
            &["Cannot check out to inactive user"],
        ),
        (
            |_, f| patron(f).active = None,
            &["Cannot determine if user is active or not"],
        ),
        (
            |_, f| patron(f).expiration_date = "2024-06-01T09:59:59Z".parse().ok(),
            &["Cannot check out to inactive user"],
        ),
        (
            |_, f| status(f, ItemStatus::CheckedOut),
            &["Item is already checked out"],
        ),
        (
            |_, f| {
                status(f, ItemStatus::CheckedOut);
                f.item_has_open_loan = true;
            },
            &[
                "Item is already checked out",
                "Cannot check out item that already has an open loan",
            ],
        ),
        (
            |_, f| f.item_has_open_loan = true,
            &["Cannot check out item that already has an open loan"],
        ),
        (
            |_, f| f.queue = RequestQueue::new([queued(1, STRANGER, json!({}))]),
            &[
                "Emma (Barcode: I1) cannot be checked out to user Woodhouse, Emma because it has \
               been requested by another patron",
            ],
        ),
        (
            |_, f| terms_of(f).policy.loanable = false,
            &["Item is not loanable"],
        ),
        (
            |_, f| f.terms = None,
            &["Unable to apply circulation rules for unknown item"],
        ),
    ];
    for (number, (change, expected)) in table.iter().enumerate() {
        assert_eq!(messages(&decide_with(change)), *expected, "case {number}");
    }
}

#[test]
fn four_statuses_forbid_loans_and_the_others_do_not() {
    let forbidden = [
        ItemStatus::DeclaredLost,
        ItemStatus::ClaimedReturned,
        ItemStatus::IntellectualItem,
        ItemStatus::AgedToLost,
    ];
    let allowed = [
        ItemStatus::Available,
        ItemStatus::AwaitingDelivery,
        ItemStatus::AwaitingPickup,
        ItemStatus::InProcess,
        ItemStatus::InProcessNonRequestable,
        ItemStatus::InTransit,
        ItemStatus::LongMissing,
        ItemStatus::LostAndPaid,
        ItemStatus::Missing,
        ItemStatus::OnOrder,
        ItemStatus::OrderClosed,
        ItemStatus::Paged,
        ItemStatus::Restricted,
        ItemStatus::Unavailable,
        ItemStatus::Unknown,
        ItemStatus::Withdrawn,
    ];
    for name in forbidden {
        let message = format!(
            "Emma (book) (Barcode: I1) has the item status {name} and cannot be checked out"
        );
        assert_eq!(messages(&decide_with(|_, f| status(f, name))), [message]);
    }
    for name in allowed {
        assert!(decide_with(|_, f| status(f, name)).is_ok(), "{name}");
    }
}

#[test]
fn proxies_need_an_active_relationship() {
    let relation = |status: &str, expires: Option<&str>| -> ProxyRelationship {
        serde_json::from_value(json!({"status": status, "expirationDate": expires})).unwrap()
    };
    let with_proxy = |relations: Vec<ProxyRelationship>, active: Option<bool>, id: UserId| {
        decide_with(|r, f| {
            r.proxy_user_barcode = Some("P1".into());
            f.proxy = Some(Patron {
                active,
                ..user(id, "P1")
            });
            f.proxy_relationships = relations;
        })
    };
    let invalid = "Cannot check out item via proxy when relationship is invalid";
    let table = [
        (vec![], Some(true), PROXY, vec![invalid]),
        (
            vec![relation("Inactive", None)],
            Some(true),
            PROXY,
            vec![invalid],
        ),
        (
            vec![relation("Active", Some("2024-05-31"))],
            Some(true),
            PROXY,
            vec![invalid],
        ),
        (
            vec![relation("Active", None)],
            Some(false),
            PROXY,
            vec!["Cannot check out via inactive proxying user"],
        ),
        (
            vec![],
            None,
            PROXY,
            vec![
                "Cannot determine if proxying user is active or not",
                invalid,
            ],
        ),
        (
            vec![relation("Active", None)],
            Some(true),
            PATRON,
            vec!["User cannot be proxy for themselves"],
        ),
    ];
    for (relations, active, id, expected) in table {
        assert_eq!(messages(&with_proxy(relations, active, id)), expected);
    }
    let relations = vec![
        relation("Inactive", None),
        relation("active", Some("2024-06-02")),
    ];
    let plan = with_proxy(relations, Some(true), PROXY).unwrap();
    assert_eq!(plan.loan.proxy_user_id, Some(PROXY));
}

#[test]
fn blocks_refuse_when_they_concern_borrowing_now() {
    let table = [
        (vec![manual("A", true, None)], Some("A")),
        (vec![manual("A", true, Some("2024-06-02"))], Some("A")),
        (vec![manual("A", true, Some("2024-05-31"))], None),
        (vec![manual("A", false, None)], None),
        // Once a block applies, the response has the reasons of all.
        (
            vec![manual("A", false, None), manual("B", true, None)],
            Some("A;B"),
        ),
    ];
    for (blocks, expected) in table {
        let outcome = decide_with(|_, f| f.manual_blocks = blocks.clone());
        let reason = outcome.err().map(|refusals| match &refusals[..] {
            [
                Refusal::PatronBlockedManually {
                    reason,
                    missing_permissions,
                },
            ] => {
                assert_eq!(
                    missing_permissions[..],
                    [OverridableBlock::Patron.permission()]
                );
                reason.clone()
            }
            other => panic!("{other:?}"),
        });
        assert_eq!(reason.as_deref(), expected, "{blocks:?}");
    }
    let automated = |message: &str, block_borrowing| AutomatedBlock {
        message: message.into(),
        block_borrowing,
    };
    let outcome = decide_with(|_, f| {
        f.manual_blocks = vec![manual("A", true, None)];
        f.automated_blocks = vec![
            automated("Too many", true),
            automated("Late", false),
            automated("Owes", true),
        ];
    });
    assert_eq!(
        messages(&outcome),
        ["Patron blocked from borrowing", "Too many", "Owes"]
    );
}

#[test]
fn item_limits_count_what_the_rule_mentions() {
    let counts = OpenLoanCounts {
        same_material_type: 5,
        same_loan_type: 4,
        same_material_and_loan_type: 3,
    };
    let outcome = |limit: u32, (material, loan, group): (bool, bool, bool)| {
        decide_with(|_, f| {
            f.open_loans = counts;
            let terms = terms_of(f);
            terms.policy.loans_policy.as_mut().unwrap().item_limit = Some(limit);
            terms.conditions = MatchConditions {
                material_type_match: material,
                loan_type_match: loan,
                patron_group_match: group,
            };
        })
    };
    let table = [
        (5, (true, false, false), Some("ITEM_LIMIT_MATERIAL_TYPE")),
        (6, (true, false, false), None),
        (
            5,
            (true, false, true),
            Some("ITEM_LIMIT_PATRON_GROUP_MATERIAL_TYPE"),
        ),
        (4, (false, true, false), Some("ITEM_LIMIT_LOAN_TYPE")),
        (5, (false, true, true), None),
        (
            4,
            (false, true, true),
            Some("ITEM_LIMIT_PATRON_GROUP_LOAN_TYPE"),
        ),
        (
            3,
            (true, true, false),
            Some("ITEM_LIMIT_MATERIAL_TYPE_LOAN_TYPE"),
        ),
        (4, (true, true, false), None),
        (
            3,
            (true, true, true),
            Some("ITEM_LIMIT_PATRON_GROUP_MATERIAL_TYPE_LOAN_TYPE"),
        ),
        // A rule that mentions neither type has no limit.
        (1, (false, false, true), None),
        (1, (false, false, false), None),
    ];
    for (limit, conditions, expected) in table {
        let code = outcome(limit, conditions)
            .err()
            .and_then(|refusals| refusals[0].code());
        assert_eq!(code, expected, "{limit} {conditions:?}");
    }
}

#[test]
fn a_policy_without_a_due_date_refuses() {
    let outcome = decide_with(|_, f| {
        terms_of(f).policy.loans_policy.as_mut().unwrap().period = None;
    });
    assert_eq!(
        messages(&outcome),
        ["the loan period in the loan policy is not recognised"]
    );
}

#[test]
fn rules_are_asked_with_complete_records_only() {
    let (patron, item) = (user(PATRON, "U1"), item());
    let criteria = rule_criteria(&item, &patron).unwrap();
    assert_eq!(criteria.loan_type, LoanTypeId::from_u128(0x30));
    assert_eq!(criteria.institution, None);
    let reason = |item: Item, patron: &Patron| rule_criteria(&item, patron).unwrap_err().message();
    let groupless = Patron {
        patron_group: None,
        ..patron.clone()
    };
    assert!(reason(item.clone(), &groupless).ends_with("null value as patronGroupId"));
    let mut lacking = item.clone();
    lacking.effective_location_id = None;
    assert!(reason(lacking, &patron).ends_with("null value as locationId"));
    let mut lacking = item.clone();
    lacking.loan_type_id = None;
    assert!(reason(lacking, &patron).ends_with("loan type can not be determined"));
    let mut lacking = item.clone();
    lacking.material_type_id = None;
    assert!(reason(lacking, &patron).ends_with("null value as materialTypeId"));
}
