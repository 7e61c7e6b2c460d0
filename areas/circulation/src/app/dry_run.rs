//! Check-out dry run: whether an item could be lent, and under which policies.

use std::collections::HashSet;

use octavo_library::{LoanPolicyId, LostItemPolicyId, NoticePolicyId, OverdueFinePolicyId};
use octavo_platform::trace;
use uuid::Uuid;

use super::check_out::gather;
use super::{Declined, Desk};
use crate::check_out::{CheckOutRequest, decide};
use crate::facts::rule_criteria;
use crate::refusal::Refusal;

/// The policies that a loan would be made under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoliciesOfLoan {
    pub loan: LoanPolicyId,
    pub overdue_fine: Option<OverdueFinePolicyId>,
    /// The lost item fee policy.
    pub lost_item: Option<LostItemPolicyId>,
    pub patron_notice: NoticePolicyId,
}

/// Decides a check-out without carrying it out.
pub async fn dry_run(
    desk: Desk<'_>,
    request: &CheckOutRequest,
    permissions: HashSet<String>,
) -> Result<PoliciesOfLoan, Declined> {
    let transaction = desk.store.database.transaction().await?;
    let read = gather(desk, &transaction, request, permissions, false).await?;
    let deciding = trace::span("decide, with the due date");
    let plan = decide(request, &read.facts, desk.stamp.at, Uuid::new_v4().into())
        .map_err(Declined::Refused)?;
    drop(deciding);
    let (Some(item), Some(patron)) = (&read.facts.item, &read.facts.patron) else {
        let reason = "Unable to apply circulation rules for unknown item";
        return Err(Refusal::CirculationRulesNotApplicable { reason }.into());
    };
    let criteria = rule_criteria(item, patron)?;
    Ok(PoliciesOfLoan {
        loan: plan.loan.loan_policy_id,
        overdue_fine: plan.loan.overdue_fine_policy_id,
        lost_item: plan.loan.lost_item_policy_id,
        patron_notice: read.rules.match_notice_policy(&criteria).policy_id,
    })
}
