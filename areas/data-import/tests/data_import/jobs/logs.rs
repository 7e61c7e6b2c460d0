//! The log of a job page by page, its summary, and those of jobs that ran before logs were stored.

use octavo_testkit::{Client, Library};
use serde_json::{Value, json};

use super::{JOBS, action, book, chunk, done, ended, job_with, log, match_035, raw, send};
use octavo_server_testkit::library;

/// Instances made or changed, and an item that has no holdings and is refused.
fn tree() -> Value {
    let none = || json!({"mappingFields": []});
    json!([match_035(json!([
        action(0, "MATCH", "UPDATE", "INSTANCE", none()),
        action(0, "NON_MATCH", "CREATE", "INSTANCE", none()),
        action(1, "NON_MATCH", "CREATE", "HOLDINGS", none()),
    ]))])
}

/// The places of a page's records, and how many there are in all.
async fn page(client: &Client, id: &str, query: &str) -> (String, i64) {
    let path = format!("/metadata-provider/jobLogEntries/{id}?{query}");
    let page = client.get(&path).await.expect(200).json();
    let lines = page["entries"].as_array().expect("a list").iter();
    let places: Vec<&str> = lines
        .map(|line| line["sourceRecordOrder"].as_str().expect("a place"))
        .collect();
    let total = page["totalRecords"].as_i64().expect("a number");
    (places.join(" "), total)
}

async fn summary(client: &Client, id: &str) -> Value {
    let path = format!("/metadata-provider/jobSummary/{id}");
    client.get(&path).await.expect(200).json()
}

fn titled(number: usize, title: &str) -> String {
    raw(&format!(
        "001 t{number}\n035   $a(T){number}\n245 10$a{title}"
    ))
}

#[tokio::test]
async fn pages_are_filtered_ordered_and_counted() {
    let library = library().await;
    let client = library.client().await;
    let create = || {
        json!([action(
            0,
            "",
            "CREATE",
            "INSTANCE",
            json!({"mappingFields": []})
        )])
    };
    let first = done(&client, create(), &[titled(1, "Moss"), titled(2, "Ferns")]).await;
    let id = first["id"].as_str().expect("an id").to_owned();
    assert_eq!(
        page(&client, &id, "sortBy=title").await,
        ("1 0".to_owned(), 2)
    );
    let update = json!([match_035(json!([
        action(
            0,
            "MATCH",
            "UPDATE",
            "INSTANCE",
            json!({"mappingFields": []})
        ),
        action(
            0,
            "NON_MATCH",
            "CREATE",
            "INSTANCE",
            json!({"mappingFields": []})
        ),
    ]))]);
    let records = [
        titled(1, "Mosses"),
        "nonsense".to_owned(),
        titled(3, "Bark"),
        titled(2, "Ferns again"),
        titled(4, "Zinnias"),
        raw("001 x\n500   $aNo title"),
    ];
    let job = done(&client, update, &records).await;
    let id = job["id"].as_str().expect("an id").to_owned();
    for (query, places, total) in [
        ("", "0 1 2 3 4 5", 6),
        ("limit=2&offset=3", "3 4", 6),
        ("limit=2&offset=9", "", 6),
        ("limit=0", "", 6),
        ("order=desc&limit=3", "5 4 3", 6),
        // What cannot be read has no title: it follows, and in front the other way.
        ("sortBy=title", "2 3 0 5 4 1", 6),
        ("sortBy=title&order=desc", "1 4 5 0 3 2", 6),
        ("errorsOnly=true", "1 5", 2),
        ("errorsOnly=true&entityType=MARC&order=desc&limit=1", "5", 2),
        ("errorsOnly=true&entityType=HOLDINGS", "", 0),
        ("entityType=ITEM", "", 0),
        // Created, discarded, updated, nothing.
        ("sortBy=source_record_action_status", "2 4 1 5 0 3", 6),
        ("entityType=INSTANCE&limit=4", "0 2 3 4", 5),
        (
            "entityType=INSTANCE&sortBy=instance_action_status&limit=4",
            "2 4 5 0",
            5,
        ),
    ] {
        assert_eq!(
            page(&client, &id, query).await,
            (places.to_owned(), total),
            "{query}"
        );
    }
}

#[tokio::test]
async fn an_instance_that_is_updated_in_two_portions_counts_once() {
    let library = library().await;
    let client = library.client().await;
    let _ = done(&client, tree(), &[book(1), book(2)]).await;
    let id = job_with(&client, tree()).await;
    let path = format!("{JOBS}/{id}/records");
    for at in 0..3 {
        let sent = chunk(&[book(1), book(at)], at * 2, 6, at == 2);
        let _ = client.post(&path, &sent).await.expect(204);
    }
    let _ = ended(&client, &id).await;
    let summarized = summary(&client, &id).await;
    assert_eq!(
        summarized["instanceSummary"]["totalUpdatedEntities"], 2,
        "{summarized}"
    );
    assert_eq!(
        summarized["sourceRecordSummary"]["totalUpdatedEntities"], 5,
        "{summarized}"
    );
    assert_eq!(
        summarized["instanceSummary"]["totalCreatedEntities"], 1,
        "{summarized}"
    );
}

/// The stored data of all jobs besides their journals.
async fn kept(library: &Library) -> (Value, Value) {
    let sql = "SELECT (SELECT jsonb_agg(to_jsonb(line) ORDER BY job, position, source) FROM \
               tenant_diku.import_line AS line), (SELECT jsonb_agg(to_jsonb(count) ORDER BY job, name) \
               FROM tenant_diku.import_count AS count)";
    let database = &library.platform.store.database;
    let rows = database.query(sql, &[]).await.expect("an answer");
    (rows[0].get(0), rows[0].get(1))
}

#[tokio::test]
async fn jobs_without_stored_lines_have_the_same_log() {
    let library = library().await;
    let client = library.client().await;
    let first = [
        book(1),
        "nonsense".to_owned(),
        book(2),
        raw("001 x\n500   $aNo title"),
    ];
    let first = done(&client, tree(), &first).await;
    let id = job_with(&client, tree()).await;
    send(
        &client,
        &id,
        &[book(1), book(1), book(3), raw("001 y\n245 10$aY")],
    )
    .await;
    let second = ended(&client, &id).await;
    let matched = json!([match_035(json!([]))]);
    let third = done(&client, matched, &[book(1), book(9)]).await;
    let summarized = async || {
        let mut summarized = Vec::new();
        for job in [&first, &second, &third] {
            let id = job["id"].as_str().expect("an id");
            summarized.push((log(&client, job).await, summary(&client, id).await));
        }
        summarized
    };
    let (before, rows) = (summarized().await, kept(&library).await);
    let database = &library.platform.store.database;
    for table in ["import_line", "import_count"] {
        let sql = format!("DELETE FROM tenant_diku.{table}");
        let _ = database.query(&sql, &[]).await.expect("rows");
    }
    let step = include_str!("../../../src/migrations/lines_of_before.sql");
    let transaction = database.transaction().await.expect("a transaction");
    let step = step.replace("{schema}", "tenant_diku");
    transaction.batch_execute(&step).await.expect("the step");
    transaction.commit().await.expect("the step");
    assert_eq!(kept(&library).await, rows);
    assert_eq!(summarized().await, before);
}
