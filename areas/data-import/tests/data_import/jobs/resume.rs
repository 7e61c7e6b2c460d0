//! Jobs that are interrupted, cancelled, or processed by several servers.

use serde_json::json;

use super::{
    JOBS, action, book, chunk, count, ended, job, job_with, log, match_035, portion, send,
};
use octavo_server_testkit::{composition, library};

#[tokio::test]
async fn a_chunk_that_was_cut_off_is_done_once_by_whoever_comes_next() {
    let library = library().await;
    let client = library.client().await;
    let before = count(&library, "instance").await;
    let id = job(&client).await;
    let path = format!("{JOBS}/{id}/records");
    // As a process that ends in the middle: its transaction never commits.
    for at in 0..4 {
        let records: Vec<String> = (at * 10..at * 10 + 10).map(book).collect();
        let _ = client
            .post(&path, &chunk(&records, at * 10, 40, at == 3))
            .await
            .expect(204);
        let cut = tokio::time::timeout(
            std::time::Duration::from_millis(5),
            portion(&library.platform),
        );
        drop(cut.await);
    }
    let other = library.beside(composition).await;
    while portion(&other.platform).await {}
    let done = ended(&client, &id).await;
    assert_eq!(
        (&done["status"], &done["progress"]["current"]),
        (&json!("COMMITTED"), &json!(40))
    );
    assert_eq!(count(&library, "instance").await, before + 40);
    let places: Vec<String> = log(&client, &done)
        .await
        .iter()
        .map(|line| {
            line["sourceRecordOrder"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        })
        .collect();
    assert_eq!(places, (0..40).map(|at| at.to_string()).collect::<Vec<_>>());
}

#[tokio::test]
async fn two_processes_double_nothing() {
    let library = library().await;
    let client = library.client().await;
    let other = library.beside(composition).await;
    let there = client.at(other.address);
    let before = count(&library, "instance").await;
    let tree = || {
        json!([match_035(json!([
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
        ]))])
    };
    let (first, second) = (
        job_with(&client, tree()).await,
        job_with(&there, tree()).await,
    );
    let records: Vec<String> = (0..20).map(book).collect();
    tokio::join!(
        send(&client, &first, &records),
        send(&there, &second, &records)
    );
    for id in [&first, &second] {
        let done = ended(&client, id).await;
        assert_eq!(
            done["status"],
            "COMMITTED",
            "{:?}",
            log(&client, &done).await
        );
    }
    assert_eq!(count(&library, "instance").await, before + 20);
    let sql = "SELECT count(*) FROM tenant_diku.source_record WHERE jsonb->>'state' = 'ACTUAL' \
               AND jsonb->>'snapshotId' IN ($1, $2)";
    let rows = library
        .platform
        .store
        .database
        .query(sql, &[&first, &second])
        .await
        .expect("a count");
    assert_eq!(rows[0].get::<_, i64>(0), 20);
}

#[tokio::test]
async fn a_job_that_is_called_off_takes_and_does_no_more() {
    let library = library().await;
    let client = library.client().await;
    let id = job(&client).await;
    let path = format!("{JOBS}/{id}/records");
    let _ = client
        .post(&path, &chunk(&[book(1)], 0, 10, false))
        .await
        .expect(204);
    let cancel = format!("/data-import/jobExecutions/{id}/cancel");
    assert_eq!(
        client.delete(&cancel).await.expect(200).json(),
        json!({"ok": true})
    );
    let done = ended(&client, &id).await;
    assert_eq!(
        (&done["status"], &done["uiStatus"]),
        (&json!("CANCELLED"), &json!("CANCELLED"))
    );
    let late = client.post(&path, &chunk(&[book(2)], 1, 10, true)).await;
    assert_eq!(
        (late.status, late.text.as_str()),
        (
            400,
            "Couldn't update JobExecution status, JobExecution already marked as CANCELLED"
        )
    );
    // Once more is no other; what is over is not called off.
    let _ = client.delete(&path).await.expect(204);
    let other = job(&client).await;
    send(&client, &other, &[book(3)]).await;
    let _ = ended(&client, &other).await;
    let _ = client
        .delete(&format!("{JOBS}/{other}/records"))
        .await
        .expect(204);
    assert_eq!(ended(&client, &other).await["status"], "COMMITTED");
}
