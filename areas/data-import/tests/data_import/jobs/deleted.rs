//! Deleted jobs: hidden at once, and removed with their logs some days later.

use jiff::{Timestamp, ToSpan};
use octavo_data_import::app::delete_jobs::sweep;
use octavo_records::Context;
use octavo_records::Stamp;
use octavo_testkit::{Client, Library};
use serde_json::json;

use super::{JOBS, book, count, ended, job, send};
use octavo_server_testkit::library;

async fn delete(client: &Client, id: &str) {
    let request = client
        .request(reqwest::Method::DELETE, JOBS)
        .json(&json!({"ids": [id]}));
    let _ = client.send(request).await.expect(200);
}

/// Removes what is to be removed so many hours from now; returns how many jobs.
async fn swept(library: &Library, hours: i64) -> usize {
    let tenant = library.tenant();
    let at = Timestamp::now().checked_add(hours.hours());
    let context = Context {
        store: &library.platform.store,
        tenant: &tenant,
        stamp: Stamp {
            user_id: None,
            at: at.expect("an instant"),
        },
    };
    sweep(&context).await.expect("the database answers")
}

const BELOW: [&str; 5] = [
    "import_journal",
    "import_line",
    "import_count",
    "import_incoming",
    "import_chunk",
];

async fn below(library: &Library) -> Vec<i64> {
    let mut counts = Vec::new();
    for table in BELOW {
        counts.push(count(library, table).await);
    }
    counts
}

#[tokio::test]
async fn deleted_jobs_are_removed_with_their_logs_whether_they_ended_or_not() {
    let library = library().await;
    let client = library.client().await;
    let kept = job(&client).await;
    send(&client, &kept, &[book(1)]).await;
    let _ = ended(&client, &kept).await;
    let of_kept = below(&library).await;
    assert!(of_kept.iter().all(|rows| *rows > 0), "{of_kept:?}");

    let (over, open) = (job(&client).await, job(&client).await);
    send(&client, &over, &[book(2), book(3)]).await;
    let _ = ended(&client, &over).await;
    // More entries than go at once.
    let sql = "INSERT INTO tenant_diku.import_journal (id, job, source, position, action, status, at) \
               SELECT gen_random_uuid(), $1::text::uuid, gen_random_uuid(), number, 'PARSE', \
               'COMPLETED', '' FROM generate_series(10, 5100) AS _(number)";
    let database = &library.platform.store.database;
    let _ = database.query(sql, &[&over]).await.expect("rows");
    delete(&client, &over).await;
    delete(&client, &open).await;
    assert_eq!(client.get(&format!("{JOBS}/{open}")).await.status, 404);

    assert_eq!(swept(&library, 47).await, 0);
    assert_eq!(count(&library, "import_job").await, 3);
    assert_eq!(swept(&library, 49).await, 2);
    assert_eq!(count(&library, "import_job").await, 1);
    assert_eq!(below(&library).await, of_kept);
    assert_eq!(client.get(&format!("{JOBS}/{kept}")).await.status, 200);
    assert_eq!(swept(&library, 49).await, 0);
}
