//! Two concurrent processes, and desks beside them: each notice is sent once.

use super::*;
use crate::support::{beside, lend_more};

const LOANS_LENT: usize = 300;
const ROUNDS: usize = 40;

/// Loans with a notice that is sent every hour from the due date on.
async fn many() -> (Library, Stock, Lent) {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    template(client, 1, "<p>{{item.barcode}}</p>").await;
    let _ = OwnPolicy::new(&stock).await;
    let hourly = every(by(notice(1, "After", "Due date"), 1, "Hours"), 1, "Hours");
    let _ = telling(client, json!({"loanNotices": [hourly]})).await;
    let first = Lent::new(&stock, "0", LENT).await;
    lend_more(&library, &first.item, &first.loan, LOANS_LENT - 1).await;
    let notices = "INSERT INTO tenant_diku.scheduled_notice (id, jsonb)
        SELECT made.id, notice.jsonb || jsonb_build_object('id', made.id, 'loanId', loan.id)
        FROM tenant_diku.scheduled_notice AS notice, tenant_diku.loan AS loan,
          LATERAL (SELECT gen_random_uuid() AS id WHERE loan.id IS NOT NULL) AS made
        WHERE notice.jsonb->>'loanId' = $1 AND loan.id <> $1::text::uuid";
    let database = &library.platform.store.database;
    let made = database.execute(notices, &[&first.loan]).await;
    assert_eq!(made.expect("the notices are stored"), LOANS_LENT as u64 - 1);
    (library, stock, first)
}

async fn queued(library: &Library) -> (usize, usize) {
    let sql = "SELECT count(*), count(DISTINCT context->'item'->>'barcode')
               FROM tenant_diku.outgoing_notice";
    let database = &library.platform.store.database;
    let rows = database.query(sql, &[]).await.expect("the queue");
    let number = |at| usize::try_from(rows[0].get::<_, i64>(at)).expect("a number");
    (number(0), number(1))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn runs_of_two_processes_send_each_notice_once_in_every_round() {
    let (library, stock, _) = many().await;
    let other = beside(&library, &stock.client).await;
    let (here, there) = (&library.platform, &other.platform);
    let mut at: jiff::Timestamp = "2024-03-02T11:00:30Z".parse().expect("an instant");
    for round in 1..=ROUNDS {
        let now = at.to_string();
        let (one, two, three) = tokio::join!(
            run_in(&library, here, LOANS, &now),
            run_in(&library, there, LOANS, &now),
            run_in(&library, there, LOANS, &now),
        );
        // What one held while another looked is left to the next run.
        let rest = run_in(&library, here, LOANS, &now).await;
        let all = one.and(two).and(three).and(rest);
        assert_eq!(all, sent(LOANS_LENT, 0, LOANS_LENT, 0), "{round}");
        assert_eq!(
            queued(&library).await,
            (LOANS_LENT * round, LOANS_LENT),
            "{round}"
        );
        at += jiff::SignedDuration::from_hours(1);
    }
    assert_eq!(logged(&library).await.len(), LOANS_LENT * ROUNDS);
    assert_in_order(&library).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn beside_desks_nobody_is_told_of_what_came_back_before() {
    let (library, stock, _) = many().await;
    let client = &stock.client;
    let other = beside(&library, client).await;
    let elsewhere = client.at(other.address);
    let now = "2024-03-02T11:00:30Z";
    let desk = |desk: usize| {
        let client = if desk == 0 { client } else { &elsewhere };
        async move {
            for number in (desk..LOANS_LENT).step_by(5) {
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
        run_in(&library, &library.platform, LOANS, now),
        run_in(&library, &other.platform, LOANS, now),
        desk(0),
        desk(1),
    );
    let rest = run_in(&library, &library.platform, LOANS, now).await;
    let all = one.and(two).and(rest);
    let (messages, about) = queued(&library).await;
    assert_eq!((messages, about), (all.sent, all.sent));
    // Those that came back before their notice lost it; those that were renewed wait for another.
    let touched = 2 * LOANS_LENT / 5;
    assert!(all.sent >= LOANS_LENT - touched, "{all:?}");
    assert!(all.deleted <= touched / 2, "{all:?}");
    let renewed = "SELECT count(*) FROM tenant_diku.loan AS loan
        WHERE loan.jsonb->>'action' = 'renewed' AND 1 <> (SELECT count(*)
          FROM tenant_diku.scheduled_notice WHERE jsonb->>'loanId' = loan.id::text
            AND jsonb->>'nextRunTime' = '2024-04-01T11:00:00.000+00:00')";
    assert_eq!(sql(&library, renewed).await, [0]);
    // An hour later there is no notice about returned items.
    let later = run(&library, "2024-03-02T12:00:45Z").await;
    let back = "SELECT count(*) FROM tenant_diku.loan WHERE jsonb->'status'->>'name' = 'Closed'";
    let back = usize::try_from(sql(&library, back).await[0]).expect("a number");
    assert_eq!(all.deleted + later.deleted, back);
    assert_eq!(later.sent, LOANS_LENT - touched);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn a_run_waits_for_nobody() {
    let (library, _stock, first) = many().await;
    let database = &library.platform.store.database;
    let transaction = database.transaction().await.expect("a transaction");
    let hold = "SELECT id FROM tenant_diku.scheduled_notice WHERE jsonb->>'loanId' = $1 FOR UPDATE";
    let held = transaction.query(hold, &[&first.loan]).await.expect("held");
    assert_eq!(held.len(), 1);
    let now = "2024-03-02T11:00:30Z";
    let (most, one) = (LOANS_LENT - 1, 1);
    assert_eq!(run(&library, now).await, sent(most, 0, most, 0));
    transaction.commit().await.expect("let go");
    assert_eq!(run(&library, now).await, sent(one, 0, one, 0));
}
