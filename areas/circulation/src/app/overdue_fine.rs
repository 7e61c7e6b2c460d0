//! The fine for a late loan, computed from cached policies and calendars without a statement.

use jiff::Timestamp;
use octavo_fees::accounting::Money;
use octavo_library::Loan;
use octavo_platform::trace;
use octavo_postgres::Transaction;
use octavo_records::StoreError;

use super::Desk;
use crate::circulation_config::CirculationConfig;
use crate::facts::Item;
use crate::overdue_fine::{Hours, Overdue, OverdueFinePolicy, fine};
use crate::store::policy::TenantTerms;

/// The parameters of a fine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Late<'a> {
    pub loan: &'a Loan,
    pub item: &'a Item,
    /// The time of return or renewal.
    pub until: Timestamp,
    /// Whether it is renewed.
    pub renewed: bool,
}

/// The fine for a loan, regardless of a loss; `None` if it is not late, or its policy charges nothing.
pub(super) async fn fine_for(
    desk: Desk<'_>,
    transaction: &Transaction,
    terms: &TenantTerms,
    config: &CirculationConfig,
    late: Late<'_>,
) -> Result<Option<Money>, StoreError> {
    let Late { loan, item, .. } = late;
    let policy = loan.overdue_fine_policy_id;
    let policy: Option<&OverdueFinePolicy> = policy.and_then(|id| config.fines.get(&id));
    let (Some(policy), Some(due)) = (policy, loan.due_date) else {
        return Ok(None);
    };
    if due >= late.until || (late.renewed && policy.forgive_overdue_fine) {
        return Ok(None);
    }
    let home = item.place.as_ref();
    let point = home.and_then(|place| place.primary_service_point);
    let point = point.filter(|_| !policy.count_closed);
    let openings = desk.openings(transaction, terms, point).await?;
    let lent_by = loan.loan_policy_id.and_then(|id| config.loan_policy(id));
    let grace = lent_by.and_then(|(policy, _)| policy.loans_policy.as_ref()?.grace_period.as_ref());
    let _reckoning = trace::span("reckon the fine");
    let hours = point.map(|_| Hours {
        openings: &openings,
        zone: &terms.zone,
    });
    let overdue = Overdue {
        due,
        until: late.until,
        recalled: loan.was_recalled(),
        grace,
        hours,
    };
    Ok(fine(policy, overdue))
}
