//! Jobs that publish every instance or number items, and published records.

use std::time::Duration;

use octavo_platform::Handler;
use octavo_platform::system_call;
use serde_json::{Value, json};

use super::{INSTANCES, NOWHERE, Shelf, an_instance, id, post};

const REINDEX: &str = "/instance-storage/reindex";
const ITERATION: &str = "/instance-storage/instances/iteration";
const MIGRATIONS: &str = "/inventory-storage/migrations";
const PUBLISH: &str = "/inventory-reindex-records/publish";

/// Waits until a job has another status than these.
async fn ended(shelf: &Shelf, path: &str, id: &str) -> Value {
    for _ in 0..600 {
        let job = shelf.read(path, id).await;
        let status = job["jobStatus"].as_str().expect("a status");
        if !["In progress", "Pending cancel", "Cancellation pending"].contains(&status) {
            return job;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the job {id} does not end");
}

async fn numbers(shelf: &Shelf, sql: &str) -> Vec<i64> {
    let database = &shelf.library.platform.store.database;
    let rows = database.query(sql, &[]).await.expect(sql);
    rows.iter().map(|row| row.get(0)).collect()
}

/// Many instances more.
async fn many(shelf: &Shelf, how_many: i32) {
    let sql = format!(
        "INSERT INTO tenant_diku.instance (id, jsonb) SELECT gen, jsonb || \
         jsonb_build_object('id', gen, 'hrid', 'many' || gen) FROM (SELECT n, gen_random_uuid() AS \
         gen, jsonb FROM tenant_diku.instance, generate_series(1, {how_many}) AS n) AS made"
    );
    let database = &shelf.library.platform.store.database;
    database.execute(&sql, &[]).await.expect("they are stored");
}

/// Holds the line of jobs, as a portion that takes its time does.
const LINE: &str = "SELECT id FROM tenant_diku.octavo_job WHERE queue = 'inventory' FOR UPDATE";

#[tokio::test]
async fn a_reindex_tells_each_instance_once() {
    let shelf = Shelf::new().await;
    many(&shelf, 2_500).await;
    let before = numbers(&shelf, "SELECT max(position) FROM tenant_diku.outbox").await[0];
    let job = shelf
        .client
        .post(REINDEX, &json!({}))
        .await
        .expect(200)
        .json();
    assert_eq!(
        [&job["published"], &job["jobStatus"], &job["resourceName"]],
        [&json!(0), &json!("In progress"), &json!("Instance")]
    );
    let job = ended(&shelf, REINDEX, &id(&job)).await;
    assert_eq!(
        [&job["published"], &job["jobStatus"]],
        [&json!(2_501), &json!("Ids published")]
    );
    let told = format!(
        "SELECT count(DISTINCT key) FROM tenant_diku.outbox WHERE position > {before} \
         AND topic = 'inventory.instance' AND type = 'REINDEX' AND old IS NULL AND new IS NULL"
    );
    assert_eq!(numbers(&shelf, &told).await, [2_501]);
    // As it is relayed: nothing but that, and of what.
    let relayed = format!(
        "SELECT count(*) FROM tenant_diku.outbox_event WHERE position > {before} \
         AND key IN (SELECT id FROM tenant_diku.instance) AND value->>'type' = 'REINDEX' \
         AND value->>'tenant' = 'diku' AND (SELECT count(*) FROM jsonb_object_keys(value)) = 4"
    );
    assert_eq!(numbers(&shelf, &relayed).await, [2_501]);
    let all = format!("SELECT count(*) FROM tenant_diku.outbox WHERE position > {before}");
    assert_eq!(numbers(&shelf, &all).await, [2_501]);
    assert_eq!(
        numbers(&shelf, "SELECT count(*) FROM tenant_diku.octavo_job").await,
        [0]
    );
    let list = shelf.client.get(REINDEX).await.expect(200).json();
    assert_eq!(list["totalRecords"], 1);
    assert_eq!(list["reindexJobs"][0], job);
    let path = format!("{REINDEX}/{}", id(&job));
    let refused = shelf.client.delete(&path).await.expect(400);
    assert_eq!(refused.text, "The job has been finished");
    for path in [REINDEX, ITERATION, "/inventory-storage/migrations/jobs"] {
        let path = format!("{path}/{NOWHERE}");
        let _ = shelf.client.delete(&path).await.expect(404);
        let _ = shelf.client.get(&path).await.expect(404);
    }
}

#[tokio::test]
async fn a_job_that_a_process_left_is_gone_on_with_and_one_called_off_ends() {
    let shelf = Shelf::new().await;
    many(&shelf, 3_000).await;
    let database = &shelf.library.platform.store.database;
    // As a process does that ended in the midst: a job is in the line, and nobody is at it.
    let left = "WITH made AS (INSERT INTO tenant_diku.reindex_job (id, jsonb) SELECT id, \
                jsonb_build_object('id', id, 'published', 1000, 'jobStatus', 'In progress', \
                'resourceName', 'Instance') FROM (SELECT gen_random_uuid() AS id) AS one \
                RETURNING id) INSERT INTO tenant_diku.octavo_job (queue, id, key, progress) \
                SELECT 'inventory', id, '00000000-0000-0000-0000-000000000000', \
                jsonb_build_object('kind', 'reindex_job', 'reached', (SELECT id \
                FROM tenant_diku.instance ORDER BY id OFFSET 999 LIMIT 1)) FROM made RETURNING id::text";
    let rows = database.query(left, &[]).await.expect("it is left");
    let left: String = rows[0].get(0);
    let modules = octavo_inventory::modules();
    let mut timers = modules.iter().flat_map(|one| &one.timers);
    let timer = timers.find(|timer| timer.path == "/inventory-storage/jobs/go-on");
    let Some(Handler::Call(handler)) = timer.map(|timer| &timer.handler) else {
        panic!("the timer is a function");
    };
    let platform = &shelf.library.platform;
    let view = platform.registry.known(shelf.library.tenant().id());
    let view = view.expect("the tenant was asked for");
    // Two at once: one of them does it, and no instance has two events.
    let runs = tokio::join!(
        handler(system_call(platform, &view)),
        handler(system_call(platform, &view))
    );
    for run in [runs.0, runs.1] {
        assert_eq!(run.expect("it runs").status(), 204);
    }
    let job = ended(&shelf, REINDEX, &left).await;
    assert_eq!(job["published"], 3_001);
    let told = "SELECT count(*) FROM tenant_diku.outbox WHERE type = 'REINDEX'";
    assert_eq!(numbers(&shelf, told).await, [2_001]);

    // While a portion is at work the next job waits, and can be called off.
    let form = json!({"topicName": "inventory.contribution"});
    let first = post(&shelf.client, ITERATION, form.clone()).await;
    ended(&shelf, ITERATION, &id(&first)).await;
    let transaction = database.transaction().await.expect("a transaction");
    let put = "INSERT INTO tenant_diku.octavo_job (queue, id, key, progress) VALUES ('inventory', \
               gen_random_uuid(), '00000000-0000-0000-0000-000000000000', '{\"kind\": \"reindex_job\", \
               \"reached\": \"00000000-0000-0000-0000-000000000000\"}')";
    // Whoever did the first job may still be looking for another, and end this one, which is none.
    loop {
        database.execute(put, &[]).await.expect("it is in the line");
        let held = transaction.query(LINE, &[]).await.expect("an answer");
        if !held.is_empty() {
            break;
        }
    }
    let second = post(&shelf.client, ITERATION, form).await;
    let path = format!("{ITERATION}/{}", id(&second));
    for _ in 0..2 {
        let _ = shelf.client.delete(&path).await.expect(204);
    }
    let job = shelf.read(ITERATION, &id(&second)).await;
    assert_eq!(job["jobStatus"], "Cancellation pending");
    transaction.rollback().await.expect("it is let go");
    let run = handler(system_call(platform, &view)).await;
    assert_eq!(run.expect("it runs").status(), 204);
    let job = ended(&shelf, ITERATION, &id(&second)).await;
    assert_eq!(job["jobStatus"], "Cancelled");
    assert_eq!(job["messagesPublished"], 0);
}

#[tokio::test]
async fn an_iteration_tells_each_instance_on_its_own_topic() {
    let shelf = Shelf::new().await;
    many(&shelf, 3).await;
    let form = json!({"topicName": "inventory.contribution", "eventType": "ITERATE"});
    let job = post(&shelf.client, ITERATION, form.clone()).await;
    assert_eq!(job["jobParams"], form);
    let job = ended(&shelf, ITERATION, &id(&job)).await;
    assert_eq!(
        [&job["messagesPublished"], &job["jobStatus"]],
        [&json!(4), &json!("Completed")]
    );
    let told = "SELECT count(*) FROM tenant_diku.outbox_event WHERE topic = \
                'inventory.contribution' AND value->>'type' = 'ITERATE' \
                AND value->>'tenant' = 'diku' AND NOT value ? 'new'";
    assert_eq!(numbers(&shelf, told).await, [4]);
    for (form, key) in [
        (json!({}), "topicName"),
        (json!({"topicName": "two words"}), "topicName"),
        (json!({"topicName": "a", "eventType": "SING"}), "eventType"),
        (json!({"topicName": "a", "size": 7}), "size"),
    ] {
        let refused = shelf.client.post(ITERATION, &form).await.expect(422).json();
        assert_eq!(super::error(&refused).1, key);
    }
}

#[tokio::test]
async fn only_so_many_jobs_wait() {
    let shelf = Shelf::new().await;
    let database = &shelf.library.platform.store.database;
    let put = "INSERT INTO tenant_diku.octavo_job (queue, id) \
               SELECT 'inventory', gen_random_uuid() FROM generate_series(1, 10)";
    database.execute(put, &[]).await.expect("they wait");
    let transaction = database.transaction().await.expect("a transaction");
    transaction.query(LINE, &[]).await.expect("they are held");
    let refused = shelf.client.post(REINDEX, &json!({})).await.expect(400);
    assert!(refused.text.contains("10 jobs"), "{}", refused.text);
    let stored = "SELECT count(*) FROM tenant_diku.reindex_job";
    assert_eq!(numbers(&shelf, stored).await, [0]);
}

#[tokio::test]
async fn a_migration_numbers_the_items_that_have_no_place() {
    let shelf = Shelf::new().await;
    let available = shelf.client.get(MIGRATIONS).await.expect(200).json();
    assert_eq!(
        available["asyncMigrations"][0],
        json!({"migrations": ["itemOrderMigration"], "affectedEntities": ["ITEM"]})
    );
    for barcode in ["3003", "1001", "2002"] {
        shelf.item(barcode).await;
    }
    let set = "UPDATE tenant_diku.item SET jsonb = CASE WHEN jsonb->>'barcode' = '2002' \
               THEN jsonb || '{\"order\": 7}' ELSE jsonb - 'order' END";
    let database = &shelf.library.platform.store.database;
    database
        .execute(set, &[])
        .await
        .expect("they have no place");
    let jobs = "/inventory-storage/migrations/jobs";
    let form = json!({"migrations": ["itemOrderMigration"], "affectedEntities": ["ITEM"]});
    let job = shelf.client.post(jobs, &form).await.expect(200).json();
    let job = ended(&shelf, jobs, &id(&job)).await;
    assert_eq!(job["jobStatus"], "Completed");
    let counted = json!([{"migrationName": "itemOrderMigration", "count": 1}]);
    assert_eq!([&job["published"], &job["processed"]], [&counted, &counted]);
    assert!(job["finishedDate"].is_string());
    let orders = "SELECT (jsonb->>'order')::bigint FROM tenant_diku.item \
                  ORDER BY jsonb->>'barcode'";
    assert_eq!(numbers(&shelf, orders).await, [8, 7, 9]);
    let events = "SELECT count(*) FROM tenant_diku.outbox WHERE topic = 'inventory.item' \
                  AND type = 'UPDATE'";
    assert_eq!(numbers(&shelf, events).await, [2]);
    let list = shelf.client.get(jobs).await.expect(200).json();
    assert_eq!(list["jobs"], json!([job]));
    for form in [json!({"migrations": ["sing", "dance"]}), json!({})] {
        let refused = shelf.client.post(jobs, &form).await.expect(500);
        let begins = refused
            .text
            .starts_with("One or more migrations are not available.");
        assert!(begins, "{}", refused.text);
    }
    // Nobody else gives places.
    assert!(shelf.item("4004").await.get("order").is_none());
}

#[tokio::test]
async fn records_of_a_range_are_told_whole_in_events_of_a_thousand() {
    let shelf = Shelf::new().await;
    let item = shelf.item("1001").await;
    let mut foreign = an_instance("Elsewhere");
    foreign["source"] = json!("CONSORTIUM-FOLIO");
    post(&shelf.client, INSTANCES, foreign).await;
    let ask = |kind: &str, from: &str, to: &str| {
        json!({
            "id": NOWHERE, "recordType": kind, "recordIdsRange": {"from": from, "to": to},
        })
    };
    let (first, last) = (
        "00000000-0000-0000-0000-000000000000",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
    );
    let told = "SELECT value FROM tenant_diku.outbox_event WHERE topic = \
                'inventory.reindex-records' ORDER BY position DESC LIMIT 1";
    let database = &shelf.library.platform.store.database;
    let mut values = Vec::new();
    for kind in ["instance", "holdings", "item"] {
        let body = ask(kind, first, last);
        let _ = shelf.client.post(PUBLISH, &body).await.expect(201);
        let rows = database.query(told, &[]).await.expect("the outbox");
        let value: Value = rows[0].get(0);
        assert_eq!(value["type"], "REINDEX");
        assert_eq!(value["new"]["recordType"], kind);
        values.push(value["new"]["records"].clone());
    }
    let mut instance = shelf.read(INSTANCES, &shelf.instance).await;
    instance["isBoundWith"] = json!(false);
    assert_eq!(values[0], json!([instance]));
    assert_eq!(values[1][0]["id"], shelf.holdings);
    let mut with_instance = item.clone();
    with_instance["instanceId"] = json!(shelf.instance);
    assert_eq!(values[2], json!([with_instance]));

    // Nothing there: an event anyway. Two thousand: two events, and not an empty one after them.
    let events = "SELECT jsonb_array_length(new->'records')::bigint FROM tenant_diku.outbox \
                  WHERE topic = 'inventory.reindex-records' ORDER BY position OFFSET 3";
    let body = ask("item", first, first);
    let _ = shelf.client.post(PUBLISH, &body).await.expect(201);
    assert_eq!(numbers(&shelf, events).await, [0]);
    many(&shelf, 999).await;
    let foreign = "DELETE FROM tenant_diku.instance WHERE jsonb->>'source' LIKE 'CONSORTIUM-%'";
    database.execute(foreign, &[]).await.expect("they go");
    let all = "SELECT count(*) FROM tenant_diku.instance";
    assert_eq!(numbers(&shelf, all).await, [1_000]);
    let body = ask("instance", first, last);
    let _ = shelf.client.post(PUBLISH, &body).await.expect(201);
    assert_eq!(numbers(&shelf, events).await, [0, 1_000]);

    for (body, status) in [
        (ask("instance", "7", last), 400),
        (ask("instance", last, first), 400),
        (ask("authority", first, last), 400),
        (json!({"id": NOWHERE, "recordType": "item"}), 422),
    ] {
        let _ = shelf.client.post(PUBLISH, &body).await.expect(status);
    }
    many(&shelf, 10).await;
    let body = ask("instance", first, last);
    let refused = shelf.client.post(PUBLISH, &body).await.expect(413);
    assert!(refused.text.contains("10000"), "{}", refused.text);
}

#[tokio::test]
async fn what_goes_by_way_of_an_object_storage_is_refused_with_the_way_around() {
    let shelf = Shelf::new().await;
    for (path, way) in [
        ("/inventory-reindex-records/export", PUBLISH),
        ("/instance-storage/instances/bulk", "batch/synchronous"),
    ] {
        let refused = shelf.client.post(path, &json!({})).await.expect(501);
        assert!(refused.text.contains(way), "{}", refused.text);
    }
}
