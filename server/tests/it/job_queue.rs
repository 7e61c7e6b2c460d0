//! Jobs of an earlier release, in which each area had its own queue: they continue in the common
//! queue.

use octavo_platform::Module;
use octavo_server_testkit::library;
use serde_json::{Value, json};

use crate::declarations::areas;

/// The steps that move jobs, each with the tables that it drops.
const STEPS: [(&str, &[&str]); 5] = [
    ("inventory-0010-job-queue", &["inventory_job_run"]),
    (
        "authority_job_queue",
        &["authority_job_run", "authority_change"],
    ),
    ("import_job_queue", &["import_run", "import_attempt"]),
    ("export_job_queue", &["data_export_run"]),
    ("patron_counters_job_queue", &[]),
];

/// What waits in them.
const WAITING: &str = "
INSERT INTO {schema}.inventory_job_run (job, kind, reached) VALUES
  ('10000000-0000-0000-0000-000000000002', 'reindex_job', '00000000-0000-0000-0000-00000000000a'),
  ('10000000-0000-0000-0000-000000000001', 'iteration_job', '00000000-0000-0000-0000-000000000000');
INSERT INTO {schema}.iteration_job (id, jsonb) VALUES
  ('10000000-0000-0000-0000-000000000001', '{\"jobStatus\": \"Cancellation pending\"}');
INSERT INTO {schema}.authority_job_run (job, reached) VALUES
  ('20000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-00000000000b');
INSERT INTO {schema}.authority_change (authority_id, unlinks, user_id, reached, until) VALUES
  ('30000000-0000-0000-0000-000000000001', false, '40000000-0000-0000-0000-000000000001', 7, 9),
  ('30000000-0000-0000-0000-000000000001', true, NULL, 0, 12);
INSERT INTO {schema}.import_job (id, document) VALUES
  ('50000000-0000-0000-0000-000000000001', '{}'), ('50000000-0000-0000-0000-000000000002', '{}');
INSERT INTO {schema}.import_run (job, file, format, read_bytes, read_records) VALUES
  ('50000000-0000-0000-0000-000000000001', '60000000-0000-0000-0000-000000000001', 'MARC_RAW', 900, 3),
  ('50000000-0000-0000-0000-000000000002', NULL, NULL, 0, 0);
INSERT INTO {schema}.import_attempt (job, attempts, records, waits_until, reason) VALUES
  ('50000000-0000-0000-0000-000000000001', 3, 10, 'infinity', 'slow'),
  ('50000000-0000-0000-0000-000000000002', 0, 10, NULL, NULL);
INSERT INTO {schema}.data_export_run (job, request, state, reached) VALUES
  ('70000000-0000-0000-0000-000000000001', '{\"what\": \"Instance\"}', '{\"total\": 5}', 3);
INSERT INTO {schema}.synchronization_jobs (id, jsonb) VALUES
  ('80000000-0000-0000-0000-000000000001', '{\"status\": \"in-progress\"}'),
  ('80000000-0000-0000-0000-000000000002', '{\"status\": \"done\"}');
";

/// The statement that makes a table, from the step that an earlier release had.
fn made(modules: &[Module], table: &str) -> String {
    let head = format!("CREATE TABLE {{schema}}.{table} (");
    let mut steps = modules.iter().flat_map(|module| &module.migrations);
    let (_, sql) = steps
        .find(|(_, sql)| sql.contains(&head))
        .unwrap_or_else(|| panic!("no step makes {table}"));
    let from = sql.find(&head).expect("it was found by it");
    let end = sql[from..].find(";\n").expect("a statement has an end");
    sql[from..=from + end].to_owned()
}

#[tokio::test]
async fn jobs_of_an_earlier_release_go_on_in_the_queue_of_all_areas() {
    let library = library().await;
    let (platform, tenant) = (&library.platform, library.tenant());
    let modules: Vec<Module> = areas()
        .into_iter()
        .flat_map(|(_, modules)| modules)
        .collect();
    let mut before = String::new();
    for (step, tables) in STEPS {
        for table in tables {
            before.push_str(&made(&modules, table));
        }
        before.push_str(&format!(
            "DELETE FROM {{schema}}.octavo_migrations WHERE id = '{step}';"
        ));
    }
    before.push_str("ALTER TABLE {schema}.data_export_run ADD COLUMN tries integer DEFAULT 0;");
    before.push_str(WAITING);
    let connection = platform.store.database.connection().await.unwrap();
    let before = before.replace("{schema}", tenant.schema());
    connection.batch_execute(&before).await.unwrap();
    drop(connection);

    let upgraded = platform.tenants.upgrade(&tenant).await.unwrap();
    let (mut applied, mut steps) = (upgraded.applied, STEPS.map(|(step, _)| step));
    applied.sort();
    steps.sort_unstable();
    assert_eq!(applied, steps);
    let database = &platform.store.database;
    let sql = "SELECT queue, id::text, key::text, progress, cancelled FROM tenant_diku.octavo_job ORDER BY queue, turn";
    let rows = database.query(sql, &[]).await.unwrap();
    let jobs: Vec<Value> = rows
        .iter()
        .map(|row| {
            let (queue, id): (String, String) = (row.get(0), row.get(1));
            let (key, progress): (Option<String>, Value) = (row.get(2), row.get(3));
            // The id of a change of an authority is new.
            let id = (queue != "authority-links").then_some(id);
            let is_cancelled: bool = row.get(4);
            match is_cancelled {
                true => json!([queue, id, key, progress, "cancelled"]),
                false => json!([queue, id, key, progress]),
            }
        })
        .collect();
    let nobody = "00000000-0000-0000-0000-000000000000";
    let authority = "30000000-0000-0000-0000-000000000001";
    let expected = json!([
        ["authorities", "20000000-0000-0000-0000-000000000001", nobody,
            {"reached": "00000000-0000-0000-0000-00000000000b"}],
        ["authority-links", null, authority, {"unlinks": false, "reached": 7, "until": 9,
            "user_id": "40000000-0000-0000-0000-000000000001"}],
        ["authority-links", null, authority, {"unlinks": true, "reached": 0, "until": 12,
            "user_id": null}],
        ["data-export", "70000000-0000-0000-0000-000000000001", null,
            {"request": {"what": "Instance"}, "state": {"total": 5}, "reached": 3}],
        ["data-import", "50000000-0000-0000-0000-000000000001", null,
            {"file": "60000000-0000-0000-0000-000000000001", "format": "MARC_RAW",
            "read_bytes": 900, "read_records": 3}],
        ["data-import", "50000000-0000-0000-0000-000000000002", null,
            {"read_bytes": 0, "read_records": 0}],
        ["inventory", "10000000-0000-0000-0000-000000000002", nobody,
            {"kind": "reindex_job", "reached": "00000000-0000-0000-0000-00000000000a"}],
        ["inventory", "10000000-0000-0000-0000-000000000001", nobody,
            {"kind": "iteration_job", "reached": nobody}, "cancelled"],
        ["patron-counters", "80000000-0000-0000-0000-000000000001", null, {}],
    ]);
    assert_eq!(json!(jobs), expected);
    let sql = "SELECT attempts, divisor, not_before = 'infinity' AS waits, reason \
               FROM tenant_diku.octavo_job_attempt ORDER BY id";
    let rows = database.query(sql, &[]).await.unwrap();
    let attempts: Vec<Value> = rows
        .iter()
        .map(|row| {
            let numbers: (i32, i32) = (row.get(0), row.get(1));
            let (waits, reason): (Option<bool>, Option<String>) = (row.get(2), row.get(3));
            json!([numbers.0, numbers.1, waits, reason])
        })
        .collect();
    // A file is read a hundred records at a time, a chunk has a thousand.
    let expected = json!([[3, 10, true, "slow"], [0, 100, null, null]]);
    assert_eq!(json!(attempts), expected);
    for table in STEPS.iter().flat_map(|(_, tables)| *tables) {
        let sql = format!("SELECT to_regclass('tenant_diku.{table}') IS NULL");
        let rows = database.query(&sql, &[]).await.unwrap();
        assert!(rows[0].get::<_, bool>(0), "{table} is left");
    }
}
