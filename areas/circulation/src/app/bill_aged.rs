//! Bills borrowers for loans that aged to lost, after the policy's delay. As with aging, each page is a
//! transaction that waits for no locks.

use std::collections::HashMap;

use futures_util::future::try_join_all;
use futures_util::try_join;
use jiff::Timestamp;
use octavo_library::LoanId;
use octavo_postgres::Transaction;
use octavo_records::{Stamp, StoreError, retried};

use super::age_to_lost::{next, policy_among};
use super::fee_notices::{FeesOf, fees_changed};
use super::loan_fees::{ChargedFee, LoanFees};
use super::lost_item::{LockedLoan, emit_loan_event, store_changes};
use super::{Desk, journal, loan_fee_effects};
use crate::loss::LostItemPolicy;
use crate::loss::billing::{Billing, bill, due as is_due};
use crate::store::loan;
use crate::store::loss::{self, ItemHome, LOSS_FEE_TYPES};
use crate::store::policy::tenant_terms;
use crate::store::{due, fee_types};

/// The result of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Billed {
    /// Loans whose borrowers were billed.
    pub charged: usize,
    /// Loans closed because nothing is charged.
    pub closed: usize,
    /// Loans left waiting because there is no fee owner.
    pub without_owner: usize,
    /// Loans left waiting because a fee type has no record.
    pub without_fee_type: usize,
}

/// Bills all due loans.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn bill_aged(desk: Desk<'_>) -> Result<Billed, StoreError> {
    let policies = loss::policies(&desk.store.database, desk.tables()).await?;
    let mut all = Billed::default();
    let mut after = None;
    loop {
        let key = after.as_deref();
        let (page, last) = retried(|| bill_page(desk, &policies, key)).await?;
        all.charged += page.charged;
        all.closed += page.closed;
        all.without_owner += page.without_owner;
        all.without_fee_type += page.without_fee_type;
        match last {
            Some(last) => after = Some(last),
            None => return Ok(all),
        }
    }
}

async fn bill_page(
    desk: Desk<'_>,
    policies: &[LostItemPolicy],
    after: Option<&str>,
) -> Result<(Billed, Option<String>), StoreError> {
    let stamp = Stamp::now(desk.stamp.user_id);
    let desk = desk.at(stamp);
    let tables = desk.tables();
    let transaction = desk.store.database.transaction().await?;
    let page = due::for_billing(&transaction, tables, stamp.at, after).await?;
    if page.is_empty() {
        return Ok((Billed::default(), None));
    }
    let (items, types) = try_join!(
        due::hold_items(&transaction, tables, &page),
        fee_types::automatic(&transaction, tables, &LOSS_FEE_TYPES),
    )?;
    let has_fee_type = |name: &str| types.contains_key(name);
    let held = page.iter().filter(|due| items.held.contains(&due.item_id));
    let found = try_join_all(held.map(|due| async {
        let (at_hand, home) = try_join!(
            loan::at_hand(&transaction, tables, due.loan_id),
            loss::home_of_loan(&transaction, tables, due.loan_id),
        )?;
        Ok::<_, StoreError>(
            LockedLoan::of(due.loan_id, at_hand)
                .ok()
                .map(|lent| (lent, home)),
        )
    }));
    let found = found.await?;
    let found: Vec<(LockedLoan, ItemHome, LostItemPolicy)> = found
        .into_iter()
        .flatten()
        .map(|(lent, home)| {
            let policy = policy_among(policies, lent.loan().lost_item_policy_id);
            (lent, home, policy)
        })
        .collect();
    let done = found.iter();
    let done = done.map(|(lent, home, policy)| {
        bill_one(desk, &transaction, lent, (home, policy), &has_fee_type)
    });
    let done = try_join_all(done).await?;
    // Lock order: accounts last, for all loans together.
    let charging = found.iter().zip(&done);
    let charging = charging.filter_map(|((lent, home, policy), billed)| {
        let (aged_at, billing) = billed.as_ref()?;
        let lost = loan_fee_effects::LostLoan {
            loan: &lent.loan,
            policy,
            owner: home.owner.as_ref(),
            types: &types,
        };
        match billing {
            Billing::Charge(_) => Some((lost, *aged_at, true)),
            Billing::NoFeeType => Some((lost, *aged_at, false)),
            Billing::Close(_) | Billing::NoOwner => None,
        }
    });
    let (charging, waiting): (Vec<_>, Vec<_>) = charging.partition(|(.., charges)| *charges);
    let alike = |(lost, at, _)| (lost, at);
    let charging: Vec<_> = charging.into_iter().map(alike).collect();
    let waiting: Vec<_> = waiting.into_iter().map(alike).collect();
    loan_fee_effects::actual_costs_to_find_out(desk, &transaction, &waiting).await?;
    let fees = loan_fee_effects::aged_to_lost_billed(desk, &transaction, &charging).await?;
    notify_borrowers(desk, &transaction, &found, fees).await?;
    transaction.commit().await?;
    let count = |wanted: &Billing| {
        let kind = std::mem::discriminant(wanted);
        let same = done
            .iter()
            .flatten()
            .filter(|(_, one)| std::mem::discriminant(one) == kind);
        same.count()
    };
    let billed = Billed {
        charged: count(&Billing::Charge(Default::default())),
        closed: count(&Billing::Close(Default::default())),
        without_owner: count(&Billing::NoOwner),
        without_fee_type: count(&Billing::NoFeeType),
    };
    Ok((billed, next(&page)))
}

/// Notifies borrowers of the bills.
async fn notify_borrowers(
    desk: Desk<'_>,
    transaction: &Transaction,
    found: &[(LockedLoan, ItemHome, LostItemPolicy)],
    charged: Vec<ChargedFee>,
) -> Result<(), StoreError> {
    if charged.is_empty() {
        return Ok(());
    }
    let mut by_loan: HashMap<LoanId, LoanFees> = HashMap::new();
    for fee in charged {
        by_loan.entry(fee.loan_id).or_default().charged.push(fee);
    }
    let loans = found.iter().filter_map(|(lent, ..)| {
        let loan_id = lent.loan().id;
        Some(FeesOf {
            loan_id,
            item: lent.item(),
            borrower: lent.patron.as_ref(),
            fees: by_loan.get(&loan_id)?,
            aged_came_back: false,
            session_id: None,
        })
    });
    let loans: Vec<FeesOf<'_>> = loans.collect();
    let tenant = tenant_terms(transaction, desk.tables()).await?;
    fees_changed(desk, transaction, &tenant, &loans).await
}

/// Decides on a loan and writes the changes; returns when it aged, and the decision.
async fn bill_one(
    desk: Desk<'_>,
    transaction: &Transaction,
    lent: &LockedLoan,
    (home, policy): (&ItemHome, &LostItemPolicy),
    has_fee_type: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Option<(Timestamp, Billing)>, StoreError> {
    let Some(aged_at) = is_due(&lent.loan.document, desk.stamp.at) else {
        return Ok(None);
    };
    let has_owner = home.owner.is_some();
    let billing = bill(policy, has_owner, &|name| has_fee_type(name), desk.stamp.at);
    match &billing {
        Billing::NoOwner | Billing::NoFeeType => {}
        Billing::Close(change) => {
            let line = lent.line("Closed loan", String::new());
            let changes = [change];
            try_join!(
                store_changes(desk, transaction, lent, &changes),
                emit_loan_event(desk, transaction, "circulation.LOAN_CLOSED", lent.loan()),
                journal::note(desk, transaction, &line),
            )?;
        }
        Billing::Charge(change) => {
            let changes = [change];
            store_changes(desk, transaction, lent, &changes).await?;
        }
    }
    Ok(Some((aged_at, billing)))
}
