//! Ages overdue loans to lost. Each page is a transaction that waits for no locks: loans locked by a
//! desk or another process are left for the next run, as are loans that a run did not reach.

use futures_util::future::try_join_all;
use futures_util::try_join;
use octavo_library::{LostItemPolicyId, wire_time};
use octavo_records::store::{Locking, replace_many};
use octavo_records::{Stamp, StoreError, retried};

use super::lost_item::{LockedLoan, emit_loan_event};
use super::{Desk, journal, loan_notices};
use crate::facts::LogEntry;
use crate::loss::{LostItemPolicy, aging};
use crate::store::due::{self, Due};
use crate::store::{loan, loss};

/// Ages all due loans; returns how many.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn age_to_lost(desk: Desk<'_>) -> Result<usize, StoreError> {
    let policies = loss::policies(&desk.store.database, desk.tables()).await?;
    let mut aged = 0;
    for policy in &policies {
        for recalled in [false, true] {
            let mut after = None;
            loop {
                let key = after.as_deref();
                let page = retried(|| age_page(desk, policy, recalled, key)).await?;
                aged += page.aged;
                match page.last {
                    Some(last) => after = Some(last),
                    None => break,
                }
            }
        }
    }
    Ok(aged)
}

struct Page {
    aged: usize,
    /// The start of the next page, if there may be one.
    last: Option<String>,
}

async fn age_page(
    desk: Desk<'_>,
    policy: &LostItemPolicy,
    recalled: bool,
    after: Option<&str>,
) -> Result<Page, StoreError> {
    let none = Page {
        aged: 0,
        last: None,
    };
    let stamp = Stamp::now(desk.stamp.user_id);
    let desk = desk.at(stamp);
    let (Some(id), Some(until)) = (policy.id, aging::due_before(policy, recalled, stamp.at)) else {
        return Ok(none);
    };
    let tables = desk.tables();
    let transaction = desk.store.database.transaction().await?;
    let due = due::for_aging(&transaction, tables, id, recalled, until, after).await?;
    if due.is_empty() {
        return Ok(none);
    }
    let items = due::hold_items(&transaction, tables, &due).await?;
    let held = due.iter().filter(|due| items.held.contains(&due.item_id));
    let found = try_join_all(held.map(|due| async {
        let at_hand = loan::at_hand(&transaction, tables, due.loan_id).await?;
        Ok::<_, StoreError>(LockedLoan::of(due.loan_id, at_hand))
    }));
    let (mut item_changes, mut loan_changes, mut aged) = (Vec::new(), Vec::new(), Vec::new());
    for lent in found.await?.into_iter().flatten() {
        // Read again after locking the item: the loan may have changed since.
        let still = lent.loan().lost_item_policy_id == Some(id);
        let Some(change) = aging::age(lent.loan(), policy, stamp.at).filter(|_| still) else {
            continue;
        };
        let (mut item, mut loan) = (lent.item.document.clone(), lent.loan.document.clone());
        if let Some(status) = change.item_status {
            lent.item()
                .change_status(status, stamp.at)
                .apply_to(&mut item);
        }
        change.apply_to(&mut loan);
        item_changes.push((lent.item().id.uuid(), item));
        loan_changes.push((lent.loan().id.uuid(), loan));
        aged.push(lent);
    }
    let (tenant, locking) = (desk.tenant, Locking::Declared);
    let (of_items, of_loans) = (desk.collection("item"), desk.collection("loan"));
    let lines = aged.iter().map(|lent| {
        let due_date = lent.loan().due_date.map(wire_time::format);
        let described = due_date.map_or_else(String::new, |date| format!("Due date: {date}"));
        // A timer's action has no service point.
        LogEntry {
            service_point_id: None,
            ..lent.line("Age to lost", described)
        }
    });
    let lines: Vec<LogEntry> = lines.collect();
    let topic = "circulation.ITEM_AGED_TO_LOST";
    let told = aged
        .iter()
        .map(|lent| emit_loan_event(desk, &transaction, topic, lent.loan()));
    try_join!(
        replace_many(
            &transaction,
            tenant,
            of_items,
            &item_changes,
            &stamp,
            locking
        ),
        replace_many(
            &transaction,
            tenant,
            of_loans,
            &loan_changes,
            &stamp,
            Locking::Declared
        ),
        try_join_all(told),
        journal::note_all(desk, &transaction, &lines),
    )?;
    loan_notices::aged(desk, &transaction, &aged).await?;
    transaction.commit().await?;
    Ok(Page {
        aged: aged.len(),
        last: next(&due),
    })
}

/// The start of the next page; `None` when this one was the last.
pub(super) fn next(page: &[Due]) -> Option<String> {
    let full = page.len() >= usize::try_from(due::PAGE).unwrap_or(usize::MAX);
    page.last().filter(|_| full).map(|last| last.key.clone())
}

/// The id of a policy that a loan names, for looking it up among all.
pub(super) fn policy_among(
    policies: &[LostItemPolicy],
    id: Option<LostItemPolicyId>,
) -> LostItemPolicy {
    let found = policies
        .iter()
        .find(|policy| id.is_some() && policy.id == id);
    found.cloned().unwrap_or_default()
}
