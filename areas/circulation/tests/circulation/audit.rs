//! The circulation log: lines are written with acts, and found the way the log's page asks.

use octavo_circulation::app::{Desk, journal};
use octavo_circulation::config_cache::ConfigCache;
use octavo_circulation::facts::{LogEntry, LogItem, LogLinks, LogRecord};
use octavo_records::Stamp;
use octavo_testkit::Library;
use serde_json::{Value, json};
use uuid::Uuid;

use super::stocked;
use super::support::sql;
use octavo_server_testkit::stock::CIRC_DESK_1;

const LOGS: &str = "/audit-data/circulation/logs";

fn entry(object: &'static str, action: &'static str, user: Option<&str>, item: &str) -> LogEntry {
    LogEntry {
        object,
        action,
        user_barcode: user.map(str::to_owned),
        items: vec![LogItem {
            item_barcode: Some(item.to_owned()),
            ..LogItem::default()
        }],
        service_point_id: octavo_library::ServicePointId::parse(CIRC_DESK_1),
        description: format!("{action} of {item}."),
        link_to_ids: LogLinks::default(),
        record: LogRecord::OfLine,
    }
}

async fn note(library: &Library, operator: Option<Uuid>, at: &str, entries: &[LogEntry]) {
    let (platform, tenant) = (&library.platform, library.tenant());
    let desk = Desk {
        context: octavo_records::Context {
            store: &platform.store,
            tenant: &tenant,
            stamp: Stamp {
                user_id: operator,
                at: at.parse().expect("an instant"),
            },
        },
        cache: &ConfigCache::default(),
    };
    let database = &platform.store.database;
    let transaction = database.transaction().await.expect("a transaction");
    match entries {
        [one] => journal::note(desk, &transaction, one).await,
        all => journal::note_all(desk, &transaction, all).await,
    }
    .expect("lines are written");
    transaction.commit().await.expect("it is kept");
}

#[tokio::test]
async fn the_logs_page_finds_what_was_done_by_whom_to_what() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let named = stock.patron("op-1").await;
    let nameless = json!({"personal": {"lastName": "Casaubon", "preferredContactTypeId": "002"}});
    let nameless = stock.patron_with("op-2", nameless).await;
    let id = |text: &str| Uuid::try_parse(text).ok();
    let lent = [
        entry("Loan", "Checked out", Some("p-100"), "i-77"),
        entry("Request", "Request status changed", Some("p-100"), "i-77"),
    ];
    note(&library, id(&named), "2026-03-01T10:00:00Z", &lent).await;
    let taken = [entry("N/A", "Checked in", None, "i-78")];
    note(&library, id(&nameless), "2026-03-02T10:00:00Z", &taken).await;
    let mut aged = [entry("Loan", "Age to lost", Some("P-200"), "x i-79")];
    aged[0].description = "Sent to Circ Desk 1.".to_owned();
    note(&library, None, "2026-03-03T10:00:00Z", &aged).await;

    let all = "cql.allRecords=1 sortby date/sort.descending";
    let page = client.query(LOGS, all).await.expect(200).json();
    assert_eq!(page["totalRecords"], 4);
    let lines = page["logRecords"].as_array().expect("a list").clone();
    let told = |line: &Value| (line["action"].clone(), line["source"].clone());
    assert_eq!(told(&lines[0]), (json!("Age to lost"), json!("System")));
    assert_eq!(told(&lines[1]), (json!("Checked in"), json!("user-op-2")));
    assert_eq!(lines[1]["userBarcode"], "-");
    assert_eq!(lines[0]["description"], "Sent to Circ Desk 1.");
    assert_eq!(lines[1]["description"], "Checked in of i-78.");
    assert_eq!(lines[2]["source"], "Brooke, Dorothea");
    assert_eq!(lines[0]["date"], "2026-03-03T10:00:00.000+00:00");
    for line in &lines {
        assert!(line["id"] != line["eventId"] && line["eventId"].is_string());
        assert!(line.get("metadata").is_none());
    }
    for (query, found) in [
        ("userBarcode==\"*200*\"", 1),
        ("userBarcode==\"*p-*\"", 3),
        ("items=\"i-77\"", 2),
        ("items=\"i-7*\"", 4),
        ("description==\"*of i-78*\"", 1),
        ("action==(\"Checked out\" or \"Checked in\")", 2),
        (
            "object==\"Loan\" and servicePointId==\"3a40852d-49fd-4df2-a1f9-6e2641a6e91f\"",
            2,
        ),
        (
            "servicePointId==(\"c4c90014-c8c9-4ade-8f24-b5e313319f4b\")",
            0,
        ),
        ("source==\"Brooke, Dorothea\"", 2),
        (
            "date>=\"2026-03-02T00:00:00.000Z\" and date<=\"2026-03-02T23:59:59.999Z\"",
            1,
        ),
    ] {
        let query = format!("({query}) sortby date/sort.descending");
        let page = client.query(LOGS, &query).await.expect(200).json();
        assert_eq!(page["totalRecords"], found, "{query}");
    }
    let path = format!("{LOGS}?limit=1&offset=1&query=cql.allRecords=1%20sortby%20date");
    let page = client.get(&path).await.expect(200).json();
    assert_eq!(page["logRecords"][0]["items"][0]["itemBarcode"], "i-77");
    let wrong = client.query(LOGS, "date>").await.expect(400).json();
    assert_eq!(wrong["code"], "HTTP_BAD_REQUEST");
    // Clients read and do not write.
    let _ = client.post(LOGS, &lines[0]).await.expect(404);
    let path = format!("{LOGS}/{}", lines[0]["id"].as_str().expect("an id"));
    let _ = client.delete(&path).await.expect(404);
}

#[tokio::test]
async fn a_long_log_is_read_in_its_order_by_an_index() {
    let (library, stock) = stocked().await;
    sql(
        &library,
        "WITH made AS (INSERT INTO tenant_diku.circulation_logs (id, jsonb)
           SELECT id, jsonb_build_object('id', id, 'eventId', id, 'object', 'Loan',
             'action', CASE number % 3 WHEN 0 THEN 'Renewed' ELSE 'Checked out' END,
             'userBarcode', 'u' || number, 'items', jsonb_build_array(jsonb_build_object(
               'itemBarcode', 'b' || number)),
             'date', to_char(timestamp '2026-01-01' + number * interval '1 minute',
               'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"'))
           FROM (SELECT gen_random_uuid() AS id, number
             FROM generate_series(1, 20000) AS number) AS lines RETURNING 1)
         SELECT count(*) FROM made",
    )
    .await;
    let database = &library.platform.store.database;
    let _ = database
        .execute("ANALYZE tenant_diku.circulation_logs", &[])
        .await
        .expect("statistics");
    for (query, found) in [
        ("items=\"b777\"", 1),
        // By a part of a barcode, which several patrons have, and with other conditions beside it.
        ("userBarcode==\"*U777*\"", 11),
        ("userBarcode==\"*u777?\" and action==Renewed", 4),
        ("userBarcode==\"?7770\" or userBarcode==\"*x*\"", 1),
        ("userBarcode==\"*u777*\" not userBarcode==\"*u7770\"", 10),
    ] {
        let query = format!("({query}) sortby date/sort.descending");
        let page = stock.client.query(LOGS, &query).await.expect(200).json();
        assert_eq!(page["totalRecords"], found, "{query}");
    }
    // Each barcode is kept once, however many lines have it.
    let again = "WITH made AS (INSERT INTO tenant_diku.circulation_logs (id, jsonb)
           SELECT gen_random_uuid(), jsonb FROM tenant_diku.circulation_logs LIMIT 10 RETURNING 1)
         SELECT count(*) FROM made";
    assert_eq!(sql(&library, again).await, [10]);
    let kept = "SELECT count(*) FROM tenant_diku.circulation_log_patron";
    assert_eq!(sql(&library, kept).await, [20_000]);
    for (condition, index) in [
        ("", "circulation_logs_date_idx"),
        (
            "WHERE public.octavo_words(public.octavo_concat(VARIADIC ARRAY[public.octavo_join(\
             jsonb->'items', 'itemBarcode')])) @@ public.octavo_phrase('b777')",
            "circulation_logs_items_idx_ft",
        ),
        (
            "WHERE left(lower(jsonb->>'userBarcode'), 600) COLLATE \"C\" = ANY (ARRAY(
               SELECT left(lower(jsonb->>'userBarcode'), 600) COLLATE \"C\"
               FROM tenant_diku.circulation_log_patron
               WHERE lower(jsonb->>'userBarcode') LIKE '%u777%'))",
            "circulation_logs_userbarcode_idx",
        ),
    ] {
        let explained = format!(
            "EXPLAIN SELECT jsonb FROM tenant_diku.circulation_logs {condition}
             ORDER BY left(lower(jsonb->>'date'), 600) COLLATE \"C\" DESC LIMIT 100"
        );
        let rows = database.query(&explained, &[]).await.expect("a plan");
        let plan: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        let plan = plan.join("\n");
        assert!(plan.contains(index), "{plan}");
    }
}
