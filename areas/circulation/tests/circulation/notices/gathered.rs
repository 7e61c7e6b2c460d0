//! Notices that go out once a day, a patron's together, when the day is over where the library is.

use octavo_circulation::app::digest_notices::{DUE_DATES, send_digests};

use super::*;
use crate::support::{beside, lend_more};

async fn digest(library: &Library, platform: &Arc<Platform>, at: &str) -> Sent {
    let (tenant, cache) = (library.tenant(), ConfigCache::default());
    let desk = desk_at(platform, &tenant, &cache, at);
    send_digests(desk, unhurried(&Room::default()), DUE_DATES)
        .await
        .expect("a run")
}

async fn gathering() -> (Library, Stock) {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let each = "{{#loans}}{{item.barcode}} ({{loan.dueDate}}) {{/loans}}";
    template(client, 1, &format!("<p>{{{{user.lastName}}}}: {each}</p>")).await;
    let _ = OwnPolicy::new(&stock).await;
    let mut gathered = notice(1, "Upon At", "Due date");
    gathered["realTime"] = json!(false);
    let _ = telling(client, json!({"loanNotices": [gathered]})).await;
    (library, stock)
}

#[tokio::test]
async fn two_loans_are_told_of_in_one_message_when_the_day_is_over() {
    let (library, stock) = gathering().await;
    let client = &stock.client;
    let locale = json!({"module": "ORG", "configName": "localeSettings", "enabled": true,
        "value": "{\"locale\":\"en-US\",\"timezone\":\"America/New_York\"}"});
    let path = "/configurations/entries";
    let _ = client.post(path, &locale).await.expect(201);
    let server = mail_server(client).await;
    let one = Lent::new(&stock, "1", LENT).await;
    address(client, &one.patron, "one@example.org").await;
    let other = Lent::new(&stock, "2", LENT).await;
    address(client, &other.patron, "other@example.org").await;
    for (item, lent) in [("i-3", LENT), ("i-4", "2024-02-02T10:00:00Z")] {
        let _ = stock.item(item).await;
        let mut body = check_out(item, "p-1");
        body["loanDate"] = json!(lent);
        let _ = client.post(OUT, &body).await.expect(201);
    }
    let here = &library.platform;
    // The timer of notices that are sent by themselves leaves them alone.
    assert_eq!(run(&library, "2024-05-01T00:00:00Z").await, Sent::default());
    // Due on 2 March: in New York that day is over at five in the morning in UTC.
    let due = to_come(client, &format!("loanId=={}", one.loan)).await;
    assert_eq!(due, ["Due date 2024-03-02T10:00"]);
    for early in ["2024-03-03T04:59:00Z", "2024-03-02T20:00:00Z"] {
        assert_eq!(digest(&library, here, early).await, Sent::default());
    }
    assert_eq!(
        digest(&library, here, "2024-03-03T05:00:30Z").await,
        sent(2, 3, 0, 0)
    );
    assert_eq!(
        delivered(&library, &server, 2).await,
        [
            "one@example.org: Brooke: i-1 (3/2/24) i-3 (3/2/24) ",
            "other@example.org: Brooke: i-2 (3/2/24) "
        ]
    );
    let said = "Send: Template: Template 1. Triggering event: Due date.";
    assert_eq!(logged(&library).await, [said, said]);
    // The fourth is due a day later.
    assert_eq!(
        digest(&library, here, "2024-03-03T23:00:00Z").await,
        Sent::default()
    );
    assert_eq!(
        digest(&library, here, "2024-03-04T06:00:00Z").await,
        sent(1, 1, 0, 0)
    );
}

#[tokio::test]
async fn a_limit_of_notices_parts_no_message() {
    let (library, stock) = gathering().await;
    let client = &stock.client;
    let limit = json!({"name": "noticesLimit", "value": {"value": "1"}});
    let _ = client
        .post("/circulation/settings", &limit)
        .await
        .expect(201);
    for name in ["1", "2"] {
        let _ = Lent::new(&stock, name, LENT).await;
        let item = format!("more-{name}");
        let _ = stock.item(&item).await;
        let mut body = check_out(&item, &format!("p-{name}"));
        body["loanDate"] = json!(LENT);
        let _ = client.post(OUT, &body).await.expect(201);
    }
    let here = &library.platform;
    for _ in 0..2 {
        let done = digest(&library, here, "2024-03-04T05:00:00Z").await;
        assert_eq!(done, sent(1, 2, 0, 0));
    }
    let done = digest(&library, here, "2024-03-04T05:00:00Z").await;
    assert_eq!(done, Sent::default());
}

#[tokio::test]
async fn two_processes_make_one_message_of_what_belongs_together() {
    const PATRONS: usize = 40;
    const EACH: usize = 3;
    const ROUNDS: usize = 25;
    let (library, stock) = gathering().await;
    let first = Lent::new(&stock, "0", LENT).await;
    lend_more(&library, &first.item, &first.loan, PATRONS * EACH).await;
    let other = beside(&library, &stock.client).await;
    let database = &library.platform.store.database;
    let patrons = "WITH made AS MATERIALIZED (SELECT number, gen_random_uuid() AS id
          FROM generate_series(0, $2::int - 1) AS number),
        patrons AS (INSERT INTO tenant_diku.users (id, jsonb) SELECT made.id, one.jsonb
            || jsonb_build_object('id', made.id, 'barcode', made.id, 'username', made.id)
          FROM made, tenant_diku.users AS one WHERE one.id = $1::text::uuid),
        loans AS (SELECT id, row_number() OVER (ORDER BY id) AS number FROM tenant_diku.loan
          WHERE id <> $3::text::uuid)
        UPDATE tenant_diku.loan AS loan
        SET jsonb = loan.jsonb || jsonb_build_object('userId', made.id)
        FROM loans JOIN made ON made.number = loans.number % $2::int WHERE loan.id = loans.id";
    let many = i32::try_from(PATRONS).expect("a small number");
    let moved = database
        .execute(patrons, &[&first.patron, &many, &first.loan])
        .await;
    assert_eq!(moved.expect("the patrons"), (PATRONS * EACH) as u64);
    let _ = sql(
        &library,
        "DELETE FROM tenant_diku.scheduled_notice RETURNING 1::bigint",
    )
    .await;
    for round in 1..=ROUNDS {
        let notices = "INSERT INTO tenant_diku.scheduled_notice (id, jsonb)
            SELECT made.id, jsonb_build_object('id', made.id, 'loanId', loan.id,
              'recipientUserId', loan.jsonb->>'userId', 'triggeringEvent', 'Due date',
              'nextRunTime', '2024-03-02T10:00:00.000+00:00', 'noticeConfig', jsonb_build_object(
                'timing', 'Upon At', 'templateId', $1::text, 'format', 'Email',
                'sendInRealTime', false))
            FROM tenant_diku.loan AS loan,
              LATERAL (SELECT gen_random_uuid() AS id WHERE loan.id IS NOT NULL) AS made
            WHERE loan.id <> $2::text::uuid";
        let made = database
            .execute(notices, &[&template_id(1), &first.loan])
            .await;
        assert_eq!(made.expect("the notices"), (PATRONS * EACH) as u64);
        let at = "2024-03-03T12:00:00Z";
        let (one, two) = tokio::join!(
            digest(&library, &library.platform, at),
            digest(&library, &other.platform, at),
        );
        // What one had while the other looked is left to the next run.
        let rest = digest(&library, &library.platform, at).await;
        let all = one.and(two).and(rest);
        assert_eq!(
            all,
            sent(PATRONS, PATRONS * EACH, 0, 0),
            "{round}: {one:?} {two:?} {rest:?}"
        );
        let whole = "SELECT count(*) FROM tenant_diku.outgoing_notice
            WHERE jsonb_array_length(context->'loans') = 3";
        let expected = i64::try_from(PATRONS * round).expect("a small number");
        assert_eq!(sql(&library, whole).await, [expected], "{round}");
    }
}
