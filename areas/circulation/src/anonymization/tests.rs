//! Verdicts on closed loans, as a table of settings and fees.

use super::*;

fn at(text: &str) -> Timestamp {
    text.parse().expect("an instant")
}

fn history(loan: ClosingType, fee_fine: ClosingType, differently: bool) -> LoanHistory {
    let weeks = |number| {
        Some(Period {
            duration: Some(number),
            interval_id: Some("Weeks".to_owned()),
        })
    };
    LoanHistory {
        loan,
        fee_fine,
        treats_fees_differently: differently,
        loan_period: weeks(1),
        fee_fine_period: weeks(2),
    }
}

const NO_FEES: LoanFees = LoanFees {
    all: 0,
    open: 0,
    last_closed: None,
};

#[test]
fn by_hand_any_fee_keeps_the_borrower() {
    assert_eq!(by_hand(&NO_FEES), Ok(()));
    let closed = LoanFees { all: 1, ..NO_FEES };
    assert_eq!(by_hand(&closed), Err(KeepReason::HasFees));
    assert_eq!(KeepReason::HasFees.reason(), "haveAssociatedFeesAndFines");
}

#[test]
fn settings_decide_by_what_the_loan_has() {
    use ClosingType::{Immediately, Interval, Never, Unknown};
    let now = at("2026-03-20T12:00:00Z");
    let open = LoanFees {
        all: 2,
        open: 1,
        last_closed: Some(at("2026-01-01T00:00:00Z")),
    };
    let closed = LoanFees { open: 0, ..open };
    let closed_lately = LoanFees {
        last_closed: Some(at("2026-03-06T12:00:00Z")),
        ..closed
    };
    let never_paid = LoanFees {
        last_closed: None,
        ..closed
    };
    let (long_ago, lately) = (at("2026-03-13T11:59:59Z"), at("2026-03-13T12:00:00Z"));
    for (history, fees, closed_at, verdict) in [
        (history(Immediately, Never, false), NO_FEES, None, Ok(())),
        // Unless they are treated differently, fees make no difference.
        (history(Immediately, Never, false), open, None, Ok(())),
        (history(Immediately, Never, true), NO_FEES, None, Ok(())),
        (
            history(Immediately, Never, true),
            closed,
            None,
            Err(KeepReason::NeverWithFees),
        ),
        (
            history(Immediately, Unknown, true),
            closed,
            None,
            Err(KeepReason::NeverWithFees),
        ),
        (
            history(Interval, Never, false),
            NO_FEES,
            Some(long_ago),
            Ok(()),
        ),
        (
            history(Interval, Never, false),
            NO_FEES,
            Some(lately),
            Err(KeepReason::ClosedTooShortly),
        ),
        (
            history(Interval, Never, false),
            NO_FEES,
            None,
            Err(KeepReason::ClosedTooShortly),
        ),
        (
            history(Never, Never, false),
            NO_FEES,
            Some(long_ago),
            Err(KeepReason::Never),
        ),
        (
            history(Unknown, Immediately, true),
            NO_FEES,
            Some(long_ago),
            Err(KeepReason::Never),
        ),
        (history(Never, Immediately, true), closed, None, Ok(())),
        (
            history(Never, Immediately, true),
            open,
            None,
            Err(KeepReason::FeesOpen),
        ),
        (history(Never, Interval, true), closed, None, Ok(())),
        (
            history(Never, Interval, true),
            open,
            None,
            Err(KeepReason::FeesClosedTooShortly),
        ),
        (
            history(Never, Interval, true),
            closed_lately,
            None,
            Err(KeepReason::FeesClosedTooShortly),
        ),
        (
            history(Never, Interval, true),
            never_paid,
            None,
            Err(KeepReason::FeesClosedTooShortly),
        ),
    ] {
        assert_eq!(
            as_set(&history, &fees, closed_at, now),
            verdict,
            "{history:?} {fees:?}"
        );
    }
}

#[test]
fn only_loans_that_the_settings_can_concern_are_candidates() {
    use ClosingType::{Immediately, Interval, Never, Unknown};
    let now = at("2026-03-20T12:00:00Z");
    for (history, closed_until, with_fees) in [
        (history(Never, Never, false), None, false),
        (history(Unknown, Unknown, true), None, false),
        (
            history(Immediately, Never, true),
            Some("2026-03-20T12:00:00Z"),
            false,
        ),
        (
            history(Interval, Immediately, true),
            Some("2026-03-13T12:00:00Z"),
            true,
        ),
        (history(Never, Interval, false), None, false),
    ] {
        let found = candidates(&history, now);
        assert_eq!(
            found.closed_until.map(|at| at.to_string()).as_deref(),
            closed_until
        );
        assert_eq!(found.with_fees, with_fees);
    }
    // A month after the last of January is the last of February: nobody is ignored.
    let mut months = history(Interval, Never, false);
    months.loan_period = Some(Period {
        duration: Some(1),
        interval_id: Some("Months".to_owned()),
    });
    let (closed, now) = (at("2026-01-31T10:00:00Z"), at("2026-02-28T12:00:00Z"));
    assert_eq!(as_set(&months, &NO_FEES, Some(closed), now), Ok(()));
    assert!(
        candidates(&months, now)
            .closed_until
            .is_some_and(|until| until >= closed)
    );
    // A setting that is invalid lets borrowers stay.
    months.loan_period = None;
    assert_eq!(candidates(&months, now).closed_until, None);
    assert_eq!(
        as_set(&months, &NO_FEES, Some(closed), now),
        Err(KeepReason::ClosedTooShortly)
    );
}
