//! Runs of two processes, desks and renewals beside them: each loan is billed once for each reminder.

use super::*;
use crate::support::{beside, lend_more};
use crate::{IN, check_in};

const LOANS: usize = 400;
const RUN: &str = "2024-03-04T10:00:00Z";

/// Lends many items in one statement, each with the notice of its first reminder.
async fn lend_many(library: &Library, stock: &Stock) {
    let first = Lent::new(stock, "0", LENT).await;
    lend_more(library, &first.item, &first.loan, LOANS - 1).await;
    let notices = "INSERT INTO tenant_diku.scheduled_notice (id, jsonb)
        SELECT made.id, notice.jsonb || jsonb_build_object('id', made.id, 'loanId', loan.id)
        FROM tenant_diku.scheduled_notice AS notice, tenant_diku.loan AS loan,
          LATERAL (SELECT gen_random_uuid() AS id WHERE loan.id IS NOT NULL) AS made
        WHERE notice.jsonb->>'loanId' = $1 AND loan.id <> $1::text::uuid";
    let database = &library.platform.store.database;
    let made = database.execute(notices, &[&first.loan]).await;
    assert_eq!(made.expect("the notices are stored"), LOANS as u64 - 1);
}

/// How many loans there are for which this holds.
async fn count(library: &Library, condition: &str) -> usize {
    let sql = format!(
        "SELECT count(*) FROM tenant_diku.loan AS loan
           CROSS JOIN LATERAL (SELECT count(*) AS times, count(*) FILTER (
               WHERE jsonb->'loan'->>'action' = 'reminderFee') AS reminders
             FROM tenant_diku.audit_loan WHERE jsonb->'loan'->>'id' = loan.id::text) AS history
           CROSS JOIN LATERAL (SELECT count(*) AS fees FROM tenant_diku.accounts AS account
             JOIN tenant_diku.feefineactions AS action
               ON action.jsonb->>'accountId' = account.id::text
             WHERE account.jsonb->>'loanId' = loan.id::text) AS owed
           CROSS JOIN LATERAL (SELECT count(*) AS notices FROM tenant_diku.scheduled_notice
             WHERE jsonb->>'loanId' = loan.id::text) AS to_come
         WHERE {condition}"
    );
    let database = &library.platform.store.database;
    let rows = database.query(&sql, &[]).await.expect("it can be counted");
    usize::try_from(rows[0].get::<_, i64>(0)).expect("a number")
}

fn sum(runs: &[Reminded]) -> (usize, usize, usize) {
    let of = |part: fn(&Reminded) -> usize| runs.iter().map(part).sum();
    (
        of(|run| run.reminded),
        of(|run| run.charged),
        of(|run| run.dropped),
    )
}

#[tokio::test]
async fn runs_of_two_processes_bill_each_loan_once() {
    let (library, stock) = reminding_library().await;
    lend_many(&library, &stock).await;
    let other = beside(&library, &stock.client).await;
    let (here, there) = (&library.platform, &other.platform);
    let (one, two, three, four) = tokio::join!(
        run_in(&library, here, RUN),
        run_in(&library, there, RUN),
        run_in(&library, here, RUN),
        run_in(&library, there, RUN),
    );
    // What one held while another looked is left to the next run.
    let rest = run(&library, RUN).await;
    assert_eq!(sum(&[one, two, three, four, rest]), (LOANS, LOANS, 0));
    let once = "history.reminders = 1 AND history.times = 2 AND owed.fees = 1
      AND to_come.notices = 1
      AND loan.jsonb->'reminders'->'lastFeeBilled'->>'number' = '1'";
    assert_eq!(count(&library, once).await, LOANS);
    assert_eq!(logged(&library).await.len(), 2 * LOANS);
    // The second reminder costs nothing, the third ends the schedule.
    let second = "2024-03-06T10:00:00Z";
    let both = tokio::join!(
        run_in(&library, here, second),
        run_in(&library, there, second)
    );
    let rest = run(&library, second).await;
    assert_eq!(sum(&[both.0, both.1, rest]), (LOANS, 0, 0));
    let _ = run(&library, "2024-03-07T10:00:00Z").await;
    let all = "history.reminders = 3 AND owed.fees = 2 AND to_come.notices = 0";
    assert_eq!(count(&library, all).await, LOANS);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn beside_desks_nobody_is_billed_twice_or_for_what_came_back() {
    let (library, stock) = reminding_library().await;
    let client = &stock.client;
    lend_many(&library, &stock).await;
    let other = beside(&library, client).await;
    let elsewhere = client.at(other.address);
    let desk = |desk: usize| {
        let client = if desk == 0 { client } else { &elsewhere };
        async move {
            for number in (desk..LOANS).step_by(8) {
                // One is returned, the next is renewed.
                let item = format!("i-{number}");
                if number % 2 == 0 {
                    let body = check_in(&item, CIRC_DESK_1);
                    let _ = client.post(IN, &body).await.expect(200);
                } else {
                    let body = json!({"itemBarcode": item, "userBarcode": "p-0"});
                    let path = "/circulation/renew-by-barcode";
                    let _ = client.post(path, &body).await.expect(200);
                }
            }
        }
    };
    let (one, two, ..) = tokio::join!(
        run_in(&library, &library.platform, RUN),
        run_in(&library, &other.platform, RUN),
        desk(0),
        desk(1),
        desk(4),
        desk(5),
    );
    let rest = run(&library, RUN).await;
    let (reminded, charged, dropped) = sum(&[one, two, rest]);
    assert_eq!(reminded, charged);
    assert_eq!(count(&library, "owed.fees = 1").await, charged);
    assert_eq!(count(&library, "owed.fees > 1").await, 0);
    assert_eq!(count(&library, "history.reminders <> owed.fees").await, 0);
    // An eighth each came back at two desks, and an eighth each was renewed.
    let (back, renewed, kept) = (LOANS / 4, LOANS / 4, LOANS / 2);
    let closed = "loan.jsonb->'status'->>'name' = 'Closed' AND loan.jsonb->>'action' = 'checkedin'";
    assert_eq!(count(&library, closed).await, back);
    let anew = "loan.jsonb->>'action' = 'renewed' AND NOT loan.jsonb ? 'reminders'
      AND to_come.notices = 1";
    assert_eq!(count(&library, anew).await, renewed);
    let once = "loan.jsonb->>'action' = 'reminderFee' AND owed.fees = 1 AND to_come.notices = 1";
    assert_eq!(count(&library, once).await, kept);
    // Those that came back first lost their notice, the others lose it when it is due.
    let billed_first = format!("{closed} AND owed.fees = 1");
    let billed_first = count(&library, &billed_first).await;
    assert_eq!(dropped, back - billed_first);
    let second = run(&library, "2024-03-06T10:00:00Z").await;
    assert_eq!((second.dropped, second.reminded), (billed_first, kept));
    assert_in_order(&library).await;
}

#[tokio::test]
async fn a_run_waits_for_nobody_and_the_next_goes_on() {
    let (library, stock) = reminding_library().await;
    let client = &stock.client;
    let (held, free) = (
        Lent::new(&stock, "1", LENT).await,
        Lent::new(&stock, "2", LENT).await,
    );
    let database = &library.platform.store.database;
    let transaction = database.transaction().await.expect("a transaction");
    let hold = "SELECT id FROM tenant_diku.item WHERE id = $1::text::uuid FOR NO KEY UPDATE";
    let _ = transaction.query(hold, &[&held.item]).await.expect("held");
    assert_eq!(run(&library, RUN).await, billed());
    assert_eq!(number(&free, client).await, 1);
    assert_eq!(number(&held, client).await, Value::Null);
    transaction.commit().await.expect("let go");
    assert_eq!(run(&library, RUN).await, billed());
    assert_eq!(number(&held, client).await, 1);
}
