//! Refunds, with the payments and transfers before them.

use octavo_library::ItemJoins;
use octavo_records::Index;
use octavo_records::expression::key;
use octavo_records::plan::Sql;

use super::super::Tables;
use super::{ReportFilter, amount, comment_part, date};
use crate::accounting::ActionKind;
use crate::reports::Style;

/// The rows. A refund to the patron lists only the payments before it, one to the bursar only the
/// transfers, others both.
#[must_use]
pub fn refunds(tables: Tables<'_>, mut wanted: ReportFilter, style: &Style) -> Sql {
    wanted.names = ActionKind::Refund.names().map(str::to_owned).to_vec();
    let mut sql = Sql::default();
    wanted.picked(tables, "action.jsonb->>'dateAction'", &mut sql);
    let of_account = key(&Index::plain("accountId").keep_accents());
    let paid = "past.jsonb->>'typeAction' LIKE 'Paid %' AND past.jsonb ? 'amountAction'";
    let transferred =
        "past.jsonb->>'typeAction' LIKE 'Transferred %' AND past.jsonb ? 'amountAction'";
    let one_of = |value: &str, filter: &str, many: &str| {
        format!(
            "CASE count(DISTINCT coalesce({value}, '')) FILTER (WHERE {filter})
               WHEN 0 THEN '' WHEN 1 THEN min({value}) FILTER (WHERE {filter}) ELSE '{many}' END"
        )
    };
    let sum = |filter: &str| {
        format!(
            "round(coalesce(sum((past.jsonb->>'amountAction')::numeric)
               FILTER (WHERE {filter}), 0), 2)::text"
        )
    };
    sql.push(&format!(
        "SELECT jsonb_strip_nulls(jsonb_build_object(
             'patronId', picked.action->'userId', 'feeFineId', picked.action->'accountId')
           || CASE WHEN picked.account IS NULL THEN '{{}}'::jsonb ELSE jsonb_build_object(
             'patronName', {name}, 'patronBarcode', patron.jsonb->'barcode',
             'patronGroup', patron_group.jsonb->'group',
             'feeFineType', picked.account->'feeFineType', 'billedAmount', {billed},
             'dateBilled', {date_billed}, 'feeFineOwner', picked.account->'feeFineOwner',
             'refundDate', {refund_date}, 'refundAmount', {refunded},
             'refundAction', picked.action->'typeAction',
             'refundReason', picked.action->'paymentMethod',
             'staffInfo', {staff}, 'patronInfo', {patron_info},
             'itemBarcode', item.jsonb->'barcode', 'instance', instance.jsonb->'title') END
           || CASE WHEN picked.account IS NULL
               OR picked.action->>'transactionInformation' = 'Refunded to Bursar'
             THEN '{{}}'::jsonb ELSE jsonb_build_object('paidAmount', before.paid,
               'paymentMethod', before.method, 'transactionInfo', before.information) END
           || CASE WHEN picked.account IS NULL
               OR picked.action->>'transactionInformation' = 'Refunded to patron'
             THEN '{{}}'::jsonb ELSE jsonb_build_object('transferredAmount', before.transferred,
               'transferAccount', before.receiver) END) AS jsonb
         FROM picked
         LEFT JOIN {users} AS patron ON patron.id = (picked.account->>'userId')::uuid
         LEFT JOIN {groups} AS patron_group
           ON patron_group.id = (patron.jsonb->>'patronGroup')::uuid
         {title}
         LEFT JOIN LATERAL (SELECT {paid_sum} AS paid, {transferred_sum} AS transferred,
             {method} AS method, {information} AS information, {receiver} AS receiver
           FROM (SELECT jsonb FROM {actions}
             WHERE {of_account} = picked.action->>'accountId') AS past
           WHERE past.jsonb->>'dateAction' <= picked.action->>'dateAction') AS before ON true
         ORDER BY picked.at",
        name = PATRON_NAME,
        billed = amount("picked.account->>'amount'", 2),
        date_billed = date("picked.account->'metadata'->>'createdDate'", style),
        refund_date = date("picked.action->>'dateAction'", style),
        refunded = amount("picked.action->>'amountAction'", 2),
        staff = comment_part("picked.action", "STAFF"),
        patron_info = comment_part("picked.action", "PATRON"),
        paid_sum = sum(paid),
        transferred_sum = sum(transferred),
        method = one_of("past.jsonb->>'paymentMethod'", paid, "Multiple"),
        information = one_of(
            "past.jsonb->>'transactionInformation'",
            paid,
            "See Fee/fine details page"
        ),
        receiver = one_of("past.jsonb->>'paymentMethod'", transferred, "Multiple"),
        users = tables.table("users"),
        groups = tables.table("groups"),
        title = ItemJoins::outer(tables)
            .item("(picked.account->>'itemId')::uuid")
            .title(),
        actions = tables.table("feefineactions"),
    ));
    sql
}

/// `Last, First Middle`.
pub(super) const PATRON_NAME: &str = "(patron.jsonb->'personal'->>'lastName')
  || coalesce(', ' || nullif(trim(patron.jsonb->'personal'->>'firstName'), ''), '')
  || coalesce(' ' || nullif(trim(patron.jsonb->'personal'->>'middleName'), ''), '')";
