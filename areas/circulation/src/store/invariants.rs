//! Consistency rules between loans, items, requests, their history and accounts, each as a statement
//! that returns the checked records and their faults. All are read in one snapshot, so that concurrent
//! operations cause no false findings.

use octavo_postgres::{Database, Isolation};
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::Tables;
use super::queue::within;
use super::settings::settings;
use crate::collections::OPEN;
use crate::queue_upkeep::QueueOf;
use crate::reminder::TRIGGER;

/// A rule and its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule, for an operator.
    pub rule: &'static str,
    /// The remedy.
    pub remedy: &'static str,
    /// The number of checked records.
    pub looked_at: u64,
    /// The number of faults.
    pub faults: u64,
    /// The ids of a few faults.
    pub examples: Vec<Uuid>,
}

/// Checks a tenant; calls `told` with each finding.
pub async fn examine(
    database: &Database,
    tables: Tables<'_>,
    told: impl FnMut(&Finding),
) -> Result<Vec<Finding>, StoreError> {
    examine_with(database, tables, Vec::new(), told).await
}

/// The same with rules of later areas.
pub async fn examine_with(
    database: &Database,
    tables: Tables<'_>,
    more: Vec<Rule>,
    mut told: impl FnMut(&Finding),
) -> Result<Vec<Finding>, StoreError> {
    // One snapshot, so that all rules examine the same state.
    let transaction = database.transaction_with(Isolation::Snapshot).await?;
    // A large library takes longer than the usual statement time-out.
    transaction
        .batch_execute("SET LOCAL statement_timeout = 0")
        .await?;
    let mut findings = Vec::new();
    let of = match settings(&transaction, tables).await?.title_level_requests() {
        set if set.enabled => QueueOf::Title,
        _ => QueueOf::Item,
    };
    for (rule, remedy, sql) in rules(tables, of).into_iter().chain(more) {
        let sql = format!(
            "SELECT count(*) AS looked_at, count(*) FILTER (WHERE fault) AS faults,
               (array_agg(id ORDER BY id) FILTER (WHERE fault))[1:5] AS examples FROM ({sql})
               AS seen"
        );
        let rows = transaction.rows(&sql, &[]).await?;
        let count = |column| {
            let number = rows.first().map_or(0, |row| row.get::<_, i64>(column));
            u64::try_from(number).unwrap_or(0)
        };
        let examples: Option<Vec<Uuid>> = rows.first().and_then(|row| row.get("examples"));
        let finding = Finding {
            rule,
            remedy,
            looked_at: count("looked_at"),
            faults: count("faults"),
            examples: examples.unwrap_or_default(),
        };
        told(&finding);
        findings.push(finding);
    }
    transaction.rollback().await?;
    Ok(findings)
}

/// A rule for an operator, its remedy, and SQL that returns each checked record's `id` and whether it is a
/// `fault`.
pub type Rule = (&'static str, &'static str, String);

fn rules(tables: Tables<'_>, of: QueueOf) -> Vec<Rule> {
    let mut rules = loans(tables);
    rules.extend(histories(tables));
    rules.extend(requests(tables, of));
    rules.extend(reminders(tables));
    rules.extend(octavo_fees::store::balances::balances(tables));
    rules.extend(octavo_fees::store::patron_counters::rules(tables));
    rules
}

/// The statuses of an item that is with a patron, or was lost there.
const LENT: &str = "('Checked out', 'Claimed returned', 'Declared lost', 'Aged to lost')";

fn loans(tables: Tables<'_>) -> Vec<Rule> {
    let (item, users) = (tables.table("item"), tables.table("users"));
    let open = format!(
        "SELECT id, jsonb, (jsonb->>'itemId')::uuid AS item_id, (jsonb->>'userId')::uuid AS user_id
         FROM {} WHERE {}",
        tables.table("loan"),
        tables.is("loan", "status.name", "Open"),
    );
    vec![
        (
            "an item has one open loan at most",
            "close all but one of the item's open loans",
            format!(
                "SELECT item_id AS id, count(*) > 1 AS fault FROM ({open}) AS open GROUP BY item_id"
            ),
        ),
        (
            "the item of an open loan exists",
            "close the loan, or restore the item from its source",
            format!(
                "SELECT open.id, item.id IS NULL AS fault FROM ({open}) AS open
                 LEFT JOIN {item} AS item ON item.id = open.item_id"
            ),
        ),
        (
            "the patron of an open loan exists",
            "check the item in, or restore the patron's record",
            format!(
                "SELECT open.id, users.id IS NULL AS fault FROM ({open}) AS open
                 LEFT JOIN {users} AS users ON users.id = open.user_id"
            ),
        ),
        (
            "the item of an open loan is checked out, claimed returned or lost",
            "check the item in, or set its status back",
            format!(
                "SELECT open.id, item.jsonb->'status'->>'name' NOT IN {LENT} AS fault
                 FROM ({open}) AS open JOIN {item} AS item ON item.id = open.item_id"
            ),
        ),
        (
            "an open loan and its item have the same status of the item",
            "check the item in and out again, or change its due date",
            format!(
                "SELECT open.id, open.jsonb->>'itemStatus' <> item.jsonb->'status'->>'name' AS fault
                 FROM ({open}) AS open JOIN {item} AS item ON item.id = open.item_id
                 WHERE open.jsonb ? 'itemStatus'"
            ),
        ),
        (
            "an item that is checked out has an open loan",
            "check the item in",
            format!(
                "SELECT lent.id, open.id IS NULL AS fault
                 FROM (SELECT id FROM {item} WHERE {}) AS lent
                 LEFT JOIN ({open}) AS open ON open.item_id = lent.id",
                tables.is("item", "status.name", "Checked out"),
            ),
        ),
    ]
}

fn histories(tables: Tables<'_>) -> Vec<Rule> {
    let (loan, history) = (tables.table("loan"), tables.table("audit_loan"));
    let of_loan = tables.equals("audit_loan", "loan.id", "(loan.jsonb->>'id')");
    vec![(
        "each loan's history begins with it and ends with what it is now",
        "report it: every change of a loan writes its line",
        format!(
            "SELECT loan.id, coalesce(NOT (told.begun AND told.ended), true) AS fault
             FROM {loan} AS loan LEFT JOIN LATERAL (
               SELECT bool_or(line.jsonb->>'operation' = 'I') AS begun,
                 bool_or(line.jsonb->'loan'->'status' = loan.jsonb->'status'
                   AND line.jsonb->'loan'->'action' = loan.jsonb->'action'
                   AND line.jsonb->'loan'->'dueDate' IS NOT DISTINCT FROM loan.jsonb->'dueDate'
                   AND line.jsonb->'loan'->'itemStatus'
                     IS NOT DISTINCT FROM loan.jsonb->'itemStatus'
                   AND line.jsonb->'loan'->'renewalCount'
                     IS NOT DISTINCT FROM loan.jsonb->'renewalCount') AS ended
               FROM (SELECT jsonb FROM {history} WHERE {of_loan}) AS line) AS told ON true"
        ),
    )]
}

fn requests(tables: Tables<'_>, of: QueueOf) -> Vec<Rule> {
    let (request, item) = (tables.table("request"), tables.table("item"));
    let open = format!(
        "SELECT id, jsonb, jsonb->>'itemId' AS item_id, jsonb->>'instanceId' AS instance_id,
           (jsonb->>'position')::bigint AS position
         FROM {request} WHERE {OPEN}"
    );
    let queue = match of {
        QueueOf::Item => "item_id",
        QueueOf::Title => "instance_id",
    };
    let at = |status: &str| tables.is("item", "status.name", status);
    let wanted = within(tables, QueueOf::Item, "seen.id::text");
    let once = tables.equals("request", "itemId", "seen.id::text");
    vec![
        (
            "the places in a queue are 1, 2, 3 and so on",
            "reorder the queue; where title level requests were just switched, wait for the timer",
            format!(
                "SELECT {queue}::uuid AS id, NOT (min(position) = 1 AND max(position) = count(*)
                   AND count(DISTINCT position) = count(*)) AS fault
                 FROM ({open}) AS open WHERE {queue} IS NOT NULL GROUP BY {queue}"
            ),
        ),
        (
            "the item of a request that waits for pickup, delivery or transit is there for it",
            "check the item in",
            format!(
                "SELECT open.id, item.jsonb->'status'->>'name' IS DISTINCT FROM
                   CASE open.jsonb->>'status' WHEN 'Open - Awaiting pickup' THEN 'Awaiting pickup'
                     WHEN 'Open - Awaiting delivery' THEN 'Awaiting delivery'
                     ELSE 'In transit' END AS fault
                 FROM ({open}) AS open LEFT JOIN {item} AS item ON item.id = open.item_id::uuid
                 WHERE open.jsonb->>'status' <> 'Open - Not yet filled'"
            ),
        ),
        (
            "an item that is paged has an open request, or one that expired",
            "check the item in",
            format!(
                "SELECT seen.id, NOT EXISTS (SELECT FROM {request} WHERE {wanted})
                   AND NOT EXISTS (SELECT FROM {request} WHERE {once}
                     AND jsonb->>'status' = 'Closed - Unfilled') AS fault
                 FROM (SELECT id FROM {item} WHERE {}) AS seen",
                at("Paged"),
            ),
        ),
        (
            "an item that awaits pickup or delivery is there for a request, or was until it closed",
            "check the item in",
            format!(
                "SELECT seen.id, NOT EXISTS (SELECT FROM {request} WHERE {wanted}
                     AND jsonb->>'status' = 'Open - ' || seen.status)
                   AND NOT EXISTS (SELECT FROM {request} WHERE {once} AND jsonb->>'status' IN
                     ('Closed - Pickup expired', 'Closed - Cancelled', 'Closed - Unfilled')) AS fault
                 FROM (SELECT id, jsonb->'status'->>'name' AS status FROM {item} WHERE {}
                   UNION ALL SELECT id, jsonb->'status'->>'name' FROM {item} WHERE {}) AS seen",
                at("Awaiting pickup"),
                at("Awaiting delivery"),
            ),
        ),
    ]
}

fn reminders(tables: Tables<'_>) -> Vec<Rule> {
    let notices = tables.table("scheduled_notice");
    vec![(
        "a loan has one reminder to come at most",
        "delete all but the latest of the loan's scheduled notices of reminders",
        format!(
            "SELECT (jsonb->>'loanId')::uuid AS id, count(*) > 1 AS fault FROM {notices}
             WHERE jsonb->>'triggeringEvent' = '{TRIGGER}' AND jsonb ? 'loanId' GROUP BY 1"
        ),
    )]
}
