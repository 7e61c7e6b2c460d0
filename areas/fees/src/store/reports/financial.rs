//! All actions on the accounts of an owner.

use octavo_library::ItemJoins;
use octavo_records::expression::key;
use octavo_records::plan::Sql;
use octavo_records::{Executor, Index, StoreError};

use super::super::Tables;
use super::refunds::PATRON_NAME;
use super::{ReportFilter, amount, comment_part, date, totals};
use crate::accounting::{ActionKind, CANCELLED_AS_ERROR, STAFF_INFORMATION};
use crate::reports::{Group, Style, Total};

/// The groupings of its sums.
pub const FINANCIAL_GROUPS: [Group; 7] = [
    ("byFeeFineOwner", "Fee/fine owner totals"),
    ("byFeeFineType", "Fee/fine type totals"),
    ("byAction", "Action totals"),
    ("byPaymentMethod", "Payment method totals"),
    ("byWaiveReason", "Waive reason totals"),
    ("byRefundReason", "Refund reason totals"),
    ("byTransferAccount", "Transfer account totals"),
];

const ORDER: &str = "action.jsonb->>'dateAction'";

/// The report's name of the action.
const ACTION: &str = "CASE split_part(picked.action->>'typeAction', ' ', 1)
  WHEN 'Paid' THEN 'Payment' WHEN 'Waived' THEN 'Waive' WHEN 'Refunded' THEN 'Refund'
  WHEN 'Transferred' THEN 'Transfer' WHEN 'Cancelled' THEN 'Cancelled'
  WHEN 'Staff' THEN 'Staff info only' END";

/// The method, reason or account of an action of one kind; empty for other kinds.
fn method(verb: &str) -> String {
    format!(
        "CASE WHEN picked.action->>'typeAction' LIKE '{verb} %'
           THEN picked.action->>'paymentMethod' ELSE '' END"
    )
}

/// The rows and the sums.
pub async fn financial(
    executor: &dyn Executor,
    tables: Tables<'_>,
    mut wanted: ReportFilter,
    style: &Style,
) -> Result<(Sql, Vec<Total>), StoreError> {
    let kinds = [
        ActionKind::Pay,
        ActionKind::Waive,
        ActionKind::Transfer,
        ActionKind::Refund,
    ];
    let names = kinds.into_iter().flat_map(ActionKind::names);
    let names = names.chain([CANCELLED_AS_ERROR, STAFF_INFORMATION]);
    wanted.names = names.map(str::to_owned).collect();
    let by_method = |verb: &str| format!("nullif({}, '')", method(verb));
    let groups = [
        "nullif(picked.account->>'feeFineOwner', '')".to_owned(),
        "nullif(picked.account->>'feeFineType', '')".to_owned(),
        ACTION.to_owned(),
        by_method("Paid"),
        by_method("Waived"),
        by_method("Refunded"),
        by_method("Transferred"),
    ];
    let names: Vec<&str> = groups.iter().map(String::as_str).collect();
    let sums = totals(executor, tables, wanted.clone(), ORDER, &names).await?;
    let mut sql = Sql::default();
    wanted.picked(tables, ORDER, &mut sql);
    sql.push(&rows(tables, style));
    Ok((sql, sums))
}

fn rows(tables: Tables<'_>, style: &Style) -> String {
    let table = |name: &str| tables.table(name);
    let of_account = key(&Index::plain("accountId").keep_accents());
    format!(
        "SELECT jsonb_strip_nulls({action} || {of} || {about} || {loan_part}) AS jsonb FROM picked
         LEFT JOIN {points} AS point ON point.id::text = picked.action->>'createdAt'
         LEFT JOIN {users} AS patron ON patron.id = (picked.account->>'userId')::uuid
         LEFT JOIN {groups} AS patron_group
           ON patron_group.id = (patron.jsonb->>'patronGroup')::uuid
         {title}
         LEFT JOIN LATERAL (SELECT jsonb FROM {actions}
           WHERE {of_account} = picked.account->>'id'
           ORDER BY jsonb->>'dateAction', id LIMIT 1) AS charge ON true
         LEFT JOIN {points} AS charge_point
           ON charge_point.id::text = charge.jsonb->>'createdAt'
         LEFT JOIN {loans} AS loan ON loan.id = (picked.account->>'loanId')::uuid
         LEFT JOIN {loan_policies} AS loan_policy
           ON loan_policy.id = (loan.jsonb->>'loanPolicyId')::uuid
         LEFT JOIN {overdue} AS overdue
           ON overdue.id = (loan.jsonb->>'overdueFinePolicyId')::uuid
         LEFT JOIN {lost} AS lost ON lost.id = (loan.jsonb->>'lostItemPolicyId')::uuid
         ORDER BY picked.at",
        action = action_part(style),
        of = account_part(style),
        about = ITEM_PART,
        loan_part = loan_part(style),
        points = table("service_point"),
        users = table("users"),
        groups = table("groups"),
        title = ItemJoins::outer(tables)
            .item("(picked.account->>'itemId')::uuid")
            .title()
            .place(),
        actions = table("feefineactions"),
        loans = table("loan"),
        loan_policies = table("loan_policy"),
        overdue = table("overdue_fine_policy"),
        lost = table("lost_item_fee_policy"),
    )
}

fn action_part(style: &Style) -> String {
    format!(
        "jsonb_build_object('action', {ACTION}, 'actionAmount', {amount},
           'actionDate', coalesce({date}, ''),
           'actionCreatedAt', coalesce(point.jsonb->>'name', ''),
           'actionSource', picked.action->'source',
           'actionStatus', picked.action->'typeAction',
           'actionAdditionalStaffInfo', {staff}, 'actionAdditionalPatronInfo', {patron},
           'paymentMethod', {paid}, 'transactionInfo', picked.action->'transactionInformation',
           'waiveReason', {waived}, 'refundReason', {refunded}, 'transferAccount', {transferred})",
        amount = amount("picked.action->>'amountAction'", 2),
        date = date("picked.action->>'dateAction'", style),
        staff = comment_part("picked.action", "STAFF"),
        patron = comment_part("picked.action", "PATRON"),
        paid = method("Paid"),
        waived = method("Waived"),
        refunded = method("Refunded"),
        transferred = method("Transferred"),
    )
}

fn account_part(style: &Style) -> String {
    format!(
        "jsonb_build_object('feeFineOwner', picked.account->'feeFineOwner',
           'feeFineType', picked.account->'feeFineType', 'billedAmount', {billed},
           'feeFineId', picked.account->'id', 'patronId', picked.account->'userId',
           'dueDate', coalesce({due}, ''), 'returnDate', coalesce({returned}, ''),
           'patronName', {PATRON_NAME}, 'patronBarcode', patron.jsonb->'barcode',
           'patronEmail', patron.jsonb->'personal'->'email',
           'patronGroup', patron_group.jsonb->'group',
           'dateBilled', {date_billed}, 'feeFineSource', charge.jsonb->'source',
           'feeFineCreatedAt', CASE WHEN charge.jsonb IS NOT NULL
             THEN coalesce(charge_point.jsonb->>'name', '') END)",
        billed = amount("picked.account->>'amount'", 2),
        due = date("picked.account->>'dueDate'", style),
        returned = date("picked.account->>'returnedDate'", style),
        date_billed = date("charge.jsonb->>'dateAction'", style),
    )
}

/// In two, because a function takes 100 arguments at most.
const ITEM_PART: &str = "jsonb_build_object('itemId', item.id,
  'itemBarcode', item.jsonb->'barcode',
  'callNumber', item.jsonb->'effectiveCallNumberComponents'->'callNumber',
  'holdingsRecordId', holdings.id, 'instanceId', instance.id,
  'instance', instance.jsonb->'title', 'effectiveLocation', place.jsonb->'name',
  'contributors', CASE WHEN instance.id IS NOT NULL THEN coalesce((
    SELECT string_agg(one->>'name', ', ' ORDER BY number)
    FROM jsonb_array_elements(instance.jsonb->'contributors')
      WITH ORDINALITY AS _(one, number)), '') END)";

fn loan_part(style: &Style) -> String {
    format!(
        "jsonb_build_object('loanId', loan.id, 'loanDate', {lent},
           'loanPolicyId', loan.jsonb->'loanPolicyId',
           'loanPolicyName', loan_policy.jsonb->'name',
           'overdueFinePolicyId', overdue.id, 'overdueFinePolicyName', overdue.jsonb->'name',
           'lostItemPolicyId', lost.id, 'lostItemPolicyName', lost.jsonb->'name')",
        lent = date("loan.jsonb->>'loanDate'", style),
    )
}
