//! The worked cases of budgets and encumbrances.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Known, Rollover, Target, open, plan, roll, shares};
use crate::money::Amount;
use crate::records::{Budget, FundTransaction};

const A: Uuid = Uuid::from_u128(1);
const B: Uuid = Uuid::from_u128(2);
const C: Uuid = Uuid::from_u128(3);

fn amount(text: &str) -> Amount {
    Amount::parse(text).expect("an amount")
}

fn rollover(budgets: &Value, encumbrances: &Value) -> Rollover {
    serde_json::from_value(
        json!({"id": Uuid::from_u128(70), "ledgerId": Uuid::from_u128(71),
        "rolloverType": "Commit", "fromFiscalYearId": Uuid::from_u128(2025),
        "toFiscalYearId": Uuid::from_u128(2026), "budgetsRollover": budgets,
        "encumbrancesRollover": encumbrances}),
    )
    .expect("a rollover")
}

fn budget(fund: Uuid, more: &Value) -> Budget {
    let mut document = json!({"id": Uuid::from_u128(fund.as_u128() + 100), "name": "HIST",
        "fundId": fund, "fiscalYearId": Uuid::from_u128(2025), "budgetStatus": "Active"});
    for (name, value) in more.as_object().expect("an object") {
        document[name] = value.clone();
    }
    Budget::read(document.as_object().expect("an object").clone()).expect("a budget")
}

/// Allocated 1000, net 100, encumbered 200, expended 300, credits 20.
fn source() -> Budget {
    budget(
        A,
        &json!({"initialAllocation": 1_000, "netTransfers": 100, "encumbered": 200,
            "expenditures": 300, "credits": 20, "allowableEncumbrance": 100}),
    )
}

#[test]
fn what_a_budget_brings() {
    for (name, setting, allocation, net) in [
        ("G1", json!({"rolloverAllocation": true}), "1000", "0"),
        (
            "G2",
            json!({"rolloverAllocation": true, "adjustAllocation": 7.5}),
            "1075",
            "0",
        ),
        (
            "G3",
            json!({"rolloverAllocation": true, "adjustAllocation": -10,
                "rolloverBudgetValue": "Available", "addAvailableTo": "Available"}),
            "900",
            "620",
        ),
        (
            "G4",
            json!({"adjustAllocation": 50, "rolloverBudgetValue": "CashBalance",
                "addAvailableTo": "Allocation"}),
            "820",
            "0",
        ),
        (
            "G5",
            json!({"rolloverAllocation": true, "adjustAllocation": 5,
                "rolloverBudgetValue": "Available", "addAvailableTo": "Allocation"}),
            "1670",
            "0",
        ),
        (
            "G6",
            json!({"rolloverBudgetValue": "Available"}),
            "0",
            "620",
        ),
    ] {
        let rollover = rollover(&json!([setting]), &json!([]));
        let rolled = roll(&source(), rollover.budget_setting(None));
        assert_eq!(rolled.allocation, amount(allocation), "{name}");
        assert_eq!(rolled.net_transfers, amount(net), "{name}");
        assert_eq!(rolled.allowable_encumbrance, Some(amount("100")), "{name}");
    }
    let typed = json!([{"fundTypeId": Uuid::from_u128(9), "rolloverAllocation": true}]);
    let rollover_of_type = rollover(&typed, &json!([]));
    let rolled = roll(&source(), rollover_of_type.budget_setting(None));
    assert_eq!(rolled.sums(), crate::records::Sums::default(), "G7");
    assert_eq!(rolled.allowable_encumbrance, Some(amount("100")), "G7");
    let allowances = json!([{"setAllowances": true, "allowableExpenditure": 120}]);
    let rolled = roll(
        &source(),
        rollover(&allowances, &json!([])).budget_setting(None),
    );
    assert_eq!(rolled.allowable_encumbrance, None, "G8");
    assert_eq!(rolled.allowable_expenditure, Some(amount("120")), "G8");
}

#[test]
fn a_budget_that_exists_gets_more() {
    let setting = json!([{"rolloverAllocation": true, "adjustAllocation": -10,
        "rolloverBudgetValue": "Available"}]);
    let rolled = roll(
        &source(),
        rollover(&setting, &json!([])).budget_setting(None),
    );
    let mut target = budget(
        A,
        &json!({"budgetStatus": "Planned", "initialAllocation": 200, "allocationTo": 50,
            "netTransfers": 10, "allowableEncumbrance": 80}),
    );
    open(&mut target, Some(&rolled));
    assert_eq!(target.sums.initial_allocation, amount("200"), "G9");
    assert_eq!(target.sums.allocation_to, amount("950"), "G9");
    assert_eq!(target.sums.net_transfers, amount("630"), "G9");
    assert_eq!(target.allowable_encumbrance, Some(amount("80")), "G9");
    assert_eq!(json!(target.status), "Active", "G9");
    let spent = budget(A, &json!({"initialAllocation": 100, "expenditures": 130}));
    let carry = rollover(&json!([{"rolloverBudgetValue": "Available"}]), &json!([]));
    let rolled = roll(&spent, carry.budget_setting(None));
    assert_eq!(rolled.net_transfers, amount("-30"), "G11");
}

/// The encumbrances of a line, by fund: initial and remaining amount, expended and credited.
fn line(
    rows: &[(Uuid, &str, &str, &str, &str)],
    kind: &str,
    re_encumber: bool,
) -> Vec<FundTransaction> {
    rows.iter()
        .enumerate()
        .map(|(at, (fund, initial, left, expended, credited))| {
            let number = |text: &str| amount(text).json();
            serde_json::from_value(json!({"id": Uuid::from_u128(500 + at as u128),
                "amount": number(left), "currency": "USD", "fromFundId": fund,
                "fiscalYearId": Uuid::from_u128(2025), "source": "PoLine",
                "transactionType": "Encumbrance",
                "encumbrance": {"initialAmountEncumbered": number(initial),
                    "amountExpended": number(expended), "amountCredited": number(credited),
                    "status": "Unreleased", "orderStatus": "Open",
                    "orderType": if kind == "One-Time" { kind } else { "Ongoing" },
                    "subscription": kind == "Subscription", "reEncumber": re_encumber,
                    "sourcePurchaseOrderId": Uuid::from_u128(5),
                    "sourcePoLineId": Uuid::from_u128(6)}}))
            .expect("an encumbrance")
        })
        .collect()
}

fn three() -> [(Uuid, &'static str, &'static str, &'static str, &'static str); 3] {
    [
        (A, "20", "8", "60", "5"),
        (B, "30", "12", "0", "0"),
        (C, "50", "20", "0", "0"),
    ]
}

fn setting(kind: &str, based_on: &str, increase: i32) -> Value {
    json!({"orderType": kind, "basedOn": based_on, "increaseBy": increase})
}

#[test]
fn shares_of_a_line() {
    let one_time = |based_on: &str, increase| json!([setting("One-time", based_on, increase)]);
    let equal =
        |left: &'static str, expended: &'static str| move |fund| (fund, "10", left, expended, "0");
    let thirds: Vec<_> = [A, B, C].map(equal("3.33", "0")).to_vec();
    let mut thirds = thirds;
    thirds[0].2 = "3.34";
    let halves = vec![(A, "10", "0", "0.05", "0"), (B, "10", "0", "0", "0")];
    let zeros: Vec<_> = [A, B].map(|fund| (fund, "0", "5", "0", "0")).to_vec();
    let both = json!([
        setting("Ongoing", "InitialAmount", 0),
        setting("Ongoing-Subscription", "InitialAmount", 10)
    ]);
    for (name, rows, kind, again, settings, expected) in [
        (
            "H1",
            three().to_vec(),
            "One-Time",
            true,
            one_time("Expended", 10),
            "12.1 18.15 30.25 U",
        ),
        (
            "H2",
            three().to_vec(),
            "One-Time",
            true,
            one_time("Remaining", -25),
            "6 9 15 U",
        ),
        (
            "H3",
            three().to_vec(),
            "One-Time",
            true,
            one_time("InitialAmount", 0),
            "20 30 50 U",
        ),
        (
            "H4",
            thirds,
            "One-Time",
            true,
            one_time("Remaining", 0),
            "3.33 3.33 3.34 U",
        ),
        (
            "H5",
            halves,
            "One-Time",
            true,
            one_time("Expended", 0),
            "0.02 0.03 U",
        ),
        (
            "H6",
            three().to_vec(),
            "One-Time",
            false,
            one_time("Expended", 10),
            "0 0 0 R",
        ),
        (
            "H7",
            three().to_vec(),
            "Ongoing",
            true,
            one_time("Expended", 10),
            "0 0 0 U",
        ),
        (
            "H8",
            three().to_vec(),
            "One-Time",
            true,
            json!([]),
            "0 0 0 R",
        ),
        (
            "H9",
            zeros,
            "One-Time",
            true,
            one_time("Remaining", 0),
            "0 0 U",
        ),
        (
            "H15",
            three().to_vec(),
            "Subscription",
            true,
            both,
            "22 33 55 U",
        ),
    ] {
        let rollover = rollover(&json!([]), &settings);
        let made = shares(&line(&rows, kind, again), &rollover, 2);
        let mut shown: Vec<String> = made.iter().map(|one| one.amount.to_string()).collect();
        let status = format!("{:?}", made[0].status);
        shown.push(status.chars().take(1).collect());
        assert_eq!(shown.join(" "), expected, "{name}");
    }
}

/// Plans the three rows of H1 on new budgets; C's has this initial allocation and allowance.
fn planned(
    of_c: &Value,
    restrict: bool,
    open_funds: &[Uuid],
    own: &[Uuid],
    missing: Option<Uuid>,
) -> (super::OrderPlan, HashMap<Uuid, Target>) {
    let mut rollover = rollover(&json!([]), &json!([setting("One-time", "Expended", 10)]));
    rollover.restrict_encumbrance = restrict;
    let wide = json!({"initialAllocation": 1_000});
    let mut targets: HashMap<Uuid, Target> = [(A, &wide), (B, &wide), (C, of_c)]
        .into_iter()
        .filter(|(fund, _)| Some(*fund) != missing)
        .map(|(fund, more)| {
            (
                fund,
                Target {
                    budget: budget(fund, more),
                },
            )
        })
        .collect();
    let (own, open): (BTreeSet<Uuid>, BTreeSet<Uuid>) = (
        own.iter().copied().collect(),
        open_funds.iter().copied().collect(),
    );
    let known = Known {
        rollover: &rollover,
        own_funds: &own,
        open_funds: &open,
        places: 2,
    };
    let plan = plan(known, &line(&three(), "One-Time", true), &mut targets);
    (plan, targets)
}

#[test]
fn an_order_is_made_whole_or_not_at_all() {
    let limited = |initial: f64| json!({"initialAllocation": initial, "allowableEncumbrance": 90});
    let all = [A, B, C];
    let (plan, targets) = planned(&limited(33.0), true, &[], &all, None);
    assert!(plan.create.is_empty(), "H10");
    assert_eq!(plan.faults.len(), 1, "H10");
    assert_eq!(plan.faults[0].message, "Insufficient funds");
    assert_eq!(
        (plan.faults[0].fund_id, plan.faults[0].amount),
        (C, amount("30.25"))
    );
    assert!(targets[&A].budget.sums.encumbered.is_zero());
    let (plan, targets) = planned(&limited(33.62), true, &[], &all, None);
    assert_eq!(plan.create.len(), 3, "H11");
    assert_eq!(targets[&C].budget.sums.encumbered, amount("30.25"));
    let equal = json!({"initialAllocation": 30.25, "allowableEncumbrance": 100});
    assert_eq!(planned(&equal, true, &[], &all, None).0.create.len(), 3);
    let unlimited = json!({"initialAllocation": 33});
    assert_eq!(
        planned(&unlimited, true, &[], &all, None).0.create.len(),
        3,
        "H12"
    );
    assert_eq!(
        planned(&limited(33.0), false, &[], &all, None)
            .0
            .create
            .len(),
        3
    );
    let (plan, _) = planned(&limited(33.62), true, &[B, C], &[A], None);
    assert!(plan.create.is_empty(), "H13");
    assert_eq!(plan.faults.len(), 1);
    assert!(plan.faults[0].message.starts_with("[WARNING]"));
    let (plan, _) = planned(&limited(33.62), true, &[], &[B, C], None);
    assert_eq!(plan.create.len(), 3, "H13, the last ledger");
    let (plan, _) = planned(&limited(33.62), true, &[], &all, Some(B));
    assert_eq!(plan.faults.len(), 1, "G12");
    assert_eq!(plan.faults[0].message, "Budget not found");
}
