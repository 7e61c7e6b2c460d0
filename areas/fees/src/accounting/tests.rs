//! Decisions about accounts, case by case.

use octavo_library::{AccountId, FeeFineActionId, ServicePointId, UserId};
use proptest::prelude::*;
use serde_json::json;
use uuid::Uuid;

use super::*;

fn money(text: &str) -> Money {
    Money::parse(text).expect("an amount")
}

fn account(number: u128, amount: &str, remaining: &str) -> Account {
    Account {
        id: AccountId::from_u128(number),
        user_id: Some(UserId::from_u128(100)),
        loan_id: None,
        amount: money(amount),
        remaining: money(remaining),
        closed: false,
    }
}

fn asking(amount: &str) -> ActRequest {
    ActRequest {
        amount: Some(amount.to_owned()),
        payment_method: Some("Cash".to_owned()),
        transaction_info: Some("cheque 12".to_owned()),
        notify_patron: true,
        ..ActRequest::default()
    }
}

/// The actions as `name amount -> balance`, with what is noted beside them.
fn described(plan: &Plan) -> Vec<String> {
    let line = |action: &NewAction| {
        let information = action.information.as_deref().unwrap_or("-");
        format!(
            "{} {} -> {} ({information})",
            action.name, action.amount, action.balance
        )
    };
    plan.actions.iter().map(line).collect()
}

/// The accounts afterwards as `remaining status closed`.
fn left(plan: &Plan) -> Vec<String> {
    let line = |one: &Changed| {
        let status = if one.closed { "Closed" } else { "Open" };
        format!("{} {} {status}", one.remaining, one.payment_status)
    };
    plan.changed.iter().map(line).collect()
}

fn past(number: u128, name: &str, amount: &str, method: &str, information: &str) -> Action {
    Action {
        account_id: AccountId::from_u128(number),
        name: name.to_owned(),
        amount: money(amount),
        method: Some(method.to_owned()),
        information: Some(information.to_owned()),
    }
}

#[test]
fn an_account_is_settled_in_part_or_in_full() {
    let table = [
        (
            ActionKind::Pay,
            "4",
            "Paid partially 4.00 -> 6.00 (cheque 12)",
            "6.00 Paid partially Open",
        ),
        (
            ActionKind::Pay,
            "10",
            "Paid fully 10.00 -> 0.00 (cheque 12)",
            "0.00 Paid fully Closed",
        ),
        (
            ActionKind::Waive,
            "9.99",
            "Waived partially 9.99 -> 0.01 (cheque 12)",
            "0.01 Waived partially Open",
        ),
        (
            ActionKind::Waive,
            "10.00",
            "Waived fully 10.00 -> 0.00 (cheque 12)",
            "0.00 Waived fully Closed",
        ),
        (
            ActionKind::Transfer,
            "1e1",
            "Transferred fully 10.00 -> 0.00 (cheque 12)",
            "0.00 Transferred fully Closed",
        ),
    ];
    for (kind, amount, action, account_after) in table {
        let plan = settle(kind, &[account(1, "10", "10")], &asking(amount)).expect("it can be");
        assert_eq!(described(&plan), [action]);
        assert_eq!(left(&plan), [account_after]);
        assert_eq!(plan.requested, Money::parse(amount));
        assert_eq!(plan.actions[0].method.as_deref(), Some("Cash"));
        assert_eq!(plan.actions[0].notify, Some(true));
    }
}

#[test]
fn what_cannot_be_settled_is_refused() {
    let open = account(1, "10", "10");
    let paid = Account {
        closed: true,
        ..account(2, "10", "0")
    };
    let closed_with_rest = Account {
        closed: true,
        ..account(3, "10", "5")
    };
    let nothing_left = account(4, "10", "0");
    let table = [
        (&open, "", Refusal::NoAmount),
        (&open, "ten", Refusal::NoAmount),
        (&open, "NaN", Refusal::NoAmount),
        (&open, "0", Refusal::NotPositive),
        (&open, "0.00", Refusal::NotPositive),
        (&open, "0.005", Refusal::NotPositive),
        (&open, "-1", Refusal::NotPositive),
        (&open, "10.01", Refusal::MoreThanRemains),
        (&paid, "1", Refusal::Closed),
        // The amount is looked at first.
        (&paid, "0", Refusal::NotPositive),
        (&nothing_left, "1", Refusal::MoreThanRemains),
    ];
    for (account, amount, refusal) in table {
        let account = std::slice::from_ref(account);
        assert_eq!(
            settle(ActionKind::Pay, account, &asking(amount)),
            Err(refusal.clone())
        );
        assert_eq!(check(account, amount), Err(refusal));
    }
    let rest = std::slice::from_ref(&closed_with_rest);
    let plan = settle(ActionKind::Pay, rest, &asking("2")).expect("something remains");
    assert_eq!(left(&plan), ["3.00 Paid partially Closed"]);
    assert_eq!(
        check(&[open, closed_with_rest], "12"),
        Ok((money("12"), money("3")))
    );
    assert_eq!(check(&[], "1"), Err(Refusal::MoreThanRemains));
}

#[test]
fn many_accounts_share_an_amount() {
    let accounts = [
        account(1, "10", "10"),
        account(2, "2", "2"),
        account(3, "10", "10"),
    ];
    let plan = settle(ActionKind::Pay, &accounts, &asking("15")).expect("it can be");
    assert_eq!(
        left(&plan),
        [
            "3.50 Paid partially Open",
            "0.00 Paid fully Closed",
            "3.50 Paid partially Open"
        ]
    );
    // Too little for all of them: who gets nothing does not change.
    let plan = settle(ActionKind::Pay, &accounts, &asking("0.01")).expect("it can be");
    assert_eq!(
        described(&plan),
        ["Paid partially 0.01 -> 1.99 (cheque 12)"]
    );
    assert_eq!(left(&plan), ["1.99 Paid partially Open"]);
}

#[test]
fn an_account_is_cancelled_whatever_remains() {
    let request = ActRequest {
        notify_patron: true,
        ..ActRequest::default()
    };
    let plan = cancel(&[account(1, "10", "4")], &request).expect("it can be");
    assert_eq!(described(&plan), ["Cancelled as error 10.00 -> 0.00 (-)"]);
    assert_eq!(left(&plan), ["0.00 Cancelled as error Closed"]);
    assert_eq!((plan.requested, plan.actions[0].notify), (None, None));
    let because = |reason: &str| ActRequest {
        cancellation_reason: Some(reason.to_owned()),
        ..ActRequest::default()
    };
    let plan = cancel(
        &[account(1, "10", "4")],
        &because("Cancelled item returned"),
    );
    assert_eq!(
        left(&plan.expect("it can be")),
        ["0.00 Cancelled item returned Closed"]
    );
    assert_eq!(
        cancel(&[account(1, "10", "4")], &because("Paid fully")),
        Err(Refusal::UnknownReason("Paid fully".to_owned()))
    );
    let closed = Account {
        closed: true,
        ..account(2, "10", "5")
    };
    assert_eq!(
        cancel(&[account(1, "1", "1"), closed], &request),
        Err(Refusal::Closed)
    );
    assert_eq!(cancel(&[], &request), Ok(Plan::default()));
}

#[test]
fn payments_go_back_to_the_patron_before_transfers_go_back() {
    let history = [
        past(1, "Paid partially", "4", "Cash", ""),
        past(1, "Transferred fully", "6", "Bursar", ""),
    ];
    let closed = Account {
        closed: true,
        ..account(1, "10", "0")
    };
    let accounts = std::slice::from_ref(&closed);
    let plan = refund(accounts, &history, &asking("10")).expect("it can be");
    assert_eq!(
        described(&plan),
        [
            "Credited fully 4.00 -> 0.00 (Refund to patron)",
            "Credited fully 6.00 -> 0.00 (Refund to Bursar)",
            "Refunded fully 4.00 -> 4.00 (Refunded to patron)",
            "Refunded fully 6.00 -> 10.00 (Refunded to Bursar)",
        ]
    );
    assert_eq!(left(&plan), ["10.00 Refunded fully Open"]);
    let plan = refund(accounts, &history, &asking("5")).expect("it can be");
    assert_eq!(
        described(&plan),
        [
            "Credited fully 4.00 -> 0.00 (Refund to patron)",
            "Credited partially 1.00 -> 0.00 (Refund to Bursar)",
            "Refunded fully 4.00 -> 4.00 (Refunded to patron)",
            "Refunded partially 1.00 -> 5.00 (Refunded to Bursar)",
        ]
    );
    assert_eq!(left(&plan), ["5.00 Refunded partially Open"]);
}

#[test]
fn what_was_refunded_is_not_refunded_again() {
    let mut history = vec![
        past(1, "Paid partially", "4", "Cash", ""),
        past(1, "Transferred partially", "2", "Bursar", ""),
        past(1, "Transferred fully", "4", "Campus", ""),
        past(1, "Refunded fully", "4", "Mistake", "Refunded to patron"),
    ];
    let reopened = account(1, "10", "4");
    let accounts = std::slice::from_ref(&reopened);
    let plan = refund(accounts, &history, &asking("3")).expect("it can be");
    assert_eq!(
        described(&plan)[2..],
        [
            "Refunded partially 1.50 -> 5.50 (Refunded to Bursar)",
            "Refunded partially 1.50 -> 7.00 (Refunded to Campus)",
        ]
    );
    assert_eq!(refundable(&history, "6"), Ok((money("6"), Money::ZERO)));
    assert_eq!(
        refundable(&history, "6.01"),
        Err(Refusal::MoreThanRefundable)
    );
    // One whose receiver is not known is taken off the patron's side first.
    history.push(past(1, "Refunded partially", "5", "Mistake", "by hand"));
    let plan = refund(accounts, &history, &asking("1")).expect("it can be");
    let refunded = plan
        .actions
        .iter()
        .filter(|action| ActionKind::Refund.is(&action.name));
    assert_eq!(
        refunded.map(|action| action.amount).sum::<Money>(),
        money("1")
    );
    assert_eq!(
        refund(accounts, &history, &asking("1.01")),
        Err(Refusal::MoreThanRefundable)
    );
    assert_eq!(
        refund(accounts, &[], &asking("1")),
        Err(Refusal::MoreThanRefundable)
    );
    assert_eq!(
        refund(accounts, &history, &asking("0")),
        Err(Refusal::NotPositive)
    );
}

#[test]
fn many_accounts_share_a_refund_by_what_each_was_given() {
    let history = [
        past(1, "Paid fully", "10", "Cash", ""),
        past(2, "Paid partially", "1", "Cash", ""),
        past(3, "Waived fully", "10", "Mistake", ""),
    ];
    let accounts = [
        account(1, "10", "0"),
        account(2, "10", "9"),
        account(3, "10", "0"),
    ];
    let plan = refund(&accounts, &history, &asking("8")).expect("it can be");
    assert_eq!(
        left(&plan),
        ["7.00 Refunded partially Open", "10.00 Refunded fully Open"]
    );
    assert_eq!(plan.actions.len(), 4);
}

#[test]
fn a_change_keeps_what_else_the_account_holds() {
    let stored = json!({"remaining": 10.0, "title": "Moby Dick", "status": {"name": "Open", "x": 1},
                        "paymentStatus": {"name": "Outstanding"}});
    let mut stored = stored.as_object().cloned().expect("an object");
    let plan =
        settle(ActionKind::Pay, &[account(1, "10", "10")], &asking("2.5")).expect("it can be");
    plan.changed[0].apply_to(&mut stored);
    let meant = json!({"remaining": 7.5, "title": "Moby Dick", "status": {"name": "Open", "x": 1},
                       "paymentStatus": {"name": "Paid partially"}});
    assert_eq!(json!(stored), meant);
}

#[test]
fn an_action_is_written_as_folio_writes_it() {
    let request = ActRequest {
        comments: Some("STAFF : ok".to_owned()),
        service_point_id: Some(ServicePointId::from_u128(7)),
        user_name: Some("Doe, Jane".to_owned()),
        ..asking("10")
    };
    let plan = settle(ActionKind::Pay, &[account(1, "10", "10")], &request).expect("it can be");
    let at = "2026-01-02T03:04:05.678+00:00";
    let document = plan.actions[0].document(FeeFineActionId::from_u128(9), &request, at);
    assert_eq!(
        json!(document),
        json!({"dateAction": at, "typeAction": "Paid fully", "comments": "STAFF : ok", "notify": true,
               "amountAction": 10.0, "balance": 0.0, "transactionInformation": "cheque 12",
               "createdAt": Uuid::from_u128(7), "source": "Doe, Jane", "paymentMethod": "Cash",
               "accountId": Uuid::from_u128(1), "userId": Uuid::from_u128(100),
               "id": Uuid::from_u128(9)})
    );
}

proptest! {
    /// Whatever is done in whatever order, what remains is what was charged less what was paid,
    /// waived and transferred, with what was refunded.
    #[test]
    fn a_balance_agrees_with_its_actions(acts in prop::collection::vec((0_u8..4, 1_u32..2_000), 1..30)) {
        let mut account = account(1, "20", "20");
        let mut history: Vec<Action> = Vec::new();
        for (kind, cents) in acts {
            let request = asking(&format!("{}.{:02}", cents / 100, cents % 100));
            let one = std::slice::from_ref(&account);
            let plan = match kind {
                0 => settle(ActionKind::Pay, one, &request),
                1 => settle(ActionKind::Waive, one, &request),
                2 => settle(ActionKind::Transfer, one, &request),
                _ => refund(one, &history, &request),
            };
            let Ok(plan) = plan else { continue };
            let last = plan.actions.last().expect("an action");
            prop_assert_eq!(last.balance, plan.changed[0].remaining);
            history.extend(plan.actions.iter().map(|action| Action {
                account_id: action.account_id,
                name: action.name.clone(),
                amount: action.amount,
                method: action.method.clone(),
                information: action.information.clone(),
            }));
            account.remaining = plan.changed[0].remaining;
            account.closed = plan.changed[0].closed;
            let sum = |kind: ActionKind| history.iter().filter(|one| one.is(kind)).map(|one| one.amount).sum::<Money>();
            let less = sum(ActionKind::Pay) + sum(ActionKind::Waive) + sum(ActionKind::Transfer);
            prop_assert_eq!(account.remaining, account.amount - less + sum(ActionKind::Refund));
            prop_assert!(!account.remaining.is_negative() && account.remaining <= account.amount);
            prop_assert_eq!(account.closed, account.remaining.is_zero());
        }
    }
}
