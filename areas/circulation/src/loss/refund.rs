//! Which of a loan's accounts are refunded when its item is not lost any more.

use jiff::{SignedDuration, Timestamp};
use octavo_library::AccountId;

use super::{ACTUAL_COST_FEE, LOST_ITEM_FEE, LostItemPolicy, PROCESSING_FEE};

/// FOLIO treats charges within this time as charged together.
const APART_MAX: SignedDuration = SignedDuration::from_secs(60);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LossAccount {
    pub id: AccountId,
    /// The name of its type.
    pub kind: String,
    /// The payment status.
    pub payment_status: Option<String>,
    /// When it was made.
    pub made_at: Option<Timestamp>,
    /// For an actual cost, when its record was created.
    pub cost_known_at: Option<Timestamp>,
}

/// The accounts of the last loss: the fee for the item and, if the policy says so, the processing fee
/// charged with it. Fees of earlier losses are not refunded.
#[must_use]
pub fn of_last_loss(policy: &LostItemPolicy, accounts: &[LossAccount]) -> Vec<AccountId> {
    let item = match policy.charges_actual_cost() {
        true => ACTUAL_COST_FEE,
        false => LOST_ITEM_FEE,
    };
    let work = policy.gives_the_work_back().then_some(PROCESSING_FEE);
    let latest = |kinds: &[Option<&str>]| {
        let of_kind = accounts
            .iter()
            .filter(|one| kinds.contains(&Some(&*one.kind)));
        let dated = of_kind.filter(|one| one.made_at.is_some());
        dated.max_by_key(|one| one.made_at)
    };
    let Some(last) = latest(&[Some(item), work]) else {
        return Vec::new();
    };
    let other = match last.kind == item {
        true => work,
        false => Some(item),
    };
    let began = match last.kind == ACTUAL_COST_FEE {
        true => last.cost_known_at.or(last.made_at),
        false => last.made_at,
    };
    let together = |one: &&LossAccount| {
        let apart = began
            .zip(one.made_at)
            .map(|(a, b)| a.duration_since(b).abs());
        apart.is_some_and(|apart| apart <= APART_MAX)
    };
    let uncancelled = |one: &&LossAccount| {
        let status = one.payment_status.as_deref();
        status.is_some_and(|status| !status.starts_with("Cancelled"))
    };
    let other = other.and_then(|kind| latest(&[Some(kind)]));
    let other = other.filter(uncancelled).filter(together);
    [Some(last), other]
        .into_iter()
        .flatten()
        .map(|one| one.id)
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ITEM: &str = LOST_ITEM_FEE;
    const WORK: &str = PROCESSING_FEE;
    const ACTUAL: &str = ACTUAL_COST_FEE;

    fn policy(kind: &str, work: bool) -> LostItemPolicy {
        let policy = json!({"chargeAmountItem": {"chargeType": kind, "amount": 10},
            "returnedLostItemProcessingFee": work});
        serde_json::from_value(policy).expect("a policy")
    }

    fn account(id: u128, kind: &str, second: i64, status: &str) -> LossAccount {
        LossAccount {
            id: AccountId::from_u128(id),
            kind: kind.to_owned(),
            payment_status: Some(status.to_owned()),
            made_at: Timestamp::from_second(second).ok(),
            cost_known_at: None,
        }
    }

    #[track_caller]
    fn check(policy: &LostItemPolicy, accounts: &[LossAccount], expected: &[u128]) {
        let expected: Vec<AccountId> = expected
            .iter()
            .map(|id| AccountId::from_u128(*id))
            .collect();
        assert_eq!(of_last_loss(policy, accounts), expected);
    }

    #[test]
    fn the_fees_of_the_last_loss_go_together() {
        let set = policy("anotherCost", true);
        let aged = [
            account(1, ITEM, 100, "Outstanding"),
            account(2, WORK, 100, "Outstanding"),
        ];
        check(&set, &aged, &[2, 1]);
        check(&policy("anotherCost", false), &aged, &[1]);
        check(&set, &[], &[]);
        // Other actions do not matter here.
        check(
            &set,
            &[
                account(3, ACTUAL, 1, "Outstanding"),
                account(4, "Damage", 1, ""),
            ],
            &[],
        );
        let declared = [
            aged[0].clone(),
            aged[1].clone(),
            account(3, ITEM, 500, "Paid fully"),
            account(4, WORK, 501, "Outstanding"),
        ];
        check(&set, &declared, &[4, 3]);
    }

    #[test]
    fn what_was_charged_at_another_time_or_cancelled_is_left() {
        let set = policy("anotherCost", true);
        for (second, status, expected) in [
            (160, "Outstanding", &[2, 1][..]),
            (161, "Outstanding", &[2]),
            (39, "Outstanding", &[1]),
            (40, "Outstanding", &[1, 2]),
            (90, "Cancelled as error", &[1]),
        ] {
            let accounts = [
                account(1, ITEM, 100, "Outstanding"),
                account(2, WORK, second, status),
            ];
            check(&set, &accounts, expected);
        }
        let mut undated = account(1, ITEM, 100, "Outstanding");
        undated.made_at = None;
        check(&set, &[undated], &[]);
    }

    #[test]
    fn an_actual_cost_belongs_to_what_was_charged_with_its_record() {
        let actual = policy("actualCost", true);
        let mut billed = account(1, ACTUAL, 9_000, "Outstanding");
        let work = account(2, WORK, 100, "Outstanding");
        check(&actual, &[billed.clone(), work.clone()], &[1]);
        billed.cost_known_at = Timestamp::from_second(101).ok();
        check(&actual, &[billed.clone(), work.clone()], &[1, 2]);
        check(&actual, &[account(3, ITEM, 1, "Outstanding"), work], &[2]);
    }
}
