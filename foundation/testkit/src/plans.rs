//! How PostgreSQL finds what searches and requests ask for: whether by indexes, however many records there are.

use std::collections::BTreeMap;
use std::time::Duration;

use octavo_records::plan::Sql;

use crate::Library;

/// A search's plan where PostgreSQL avoids reading whole tables, and the indexes that the search lacks.
///
/// # Panics
/// When the search cannot be run.
pub async fn plan_of(library: &Library, table: &str, query: &str) -> (String, Vec<String>) {
    let store = &library.platform.store;
    let tenant = library.tenant();
    let collection = store.catalog.get(table).expect("the table is declared");
    let plan = store
        .plan(&tenant, collection, Some(query))
        .unwrap_or_else(|error| panic!("{table} {query}: {error:?}"));
    let lacking = plan.predicate.unindexed(table);
    let lacking = lacking.iter().map(|one| format!("{one:?}")).collect();
    let sql = Sql::page(tenant.schema(), table, &plan, 10, 0);
    let transaction = store.database.transaction().await.expect("a transaction");
    transaction
        .batch_execute(
            "SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_generic_plan",
        )
        .await
        .expect("settings");
    let explain = format!("EXPLAIN {}", sql.text);
    let rows = transaction
        .query(&explain, &sql.bound())
        .await
        .unwrap_or_else(|error| panic!("{table} {query}: {error:?}"));
    let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    (lines.join("\n"), lacking)
}

/// Asserts that a search reads none of its tables from end to end, those named `small` apart.
///
/// # Panics
/// When it does.
pub async fn assert_indexed(library: &Library, table: &str, query: &str, small: &[&str]) {
    let (plan, lacking) = plan_of(library, table, query).await;
    assert!(lacking.is_empty(), "{table} {query} lacks {lacking:?}");
    for line in plan.lines() {
        let Some((_, scanned)) = line.split_once("Seq Scan on ") else {
            continue;
        };
        let scanned = scanned.split_whitespace().next().unwrap_or_default();
        assert!(
            small.contains(&scanned),
            "{table} {query} reads all of {scanned}:\n{plan}"
        );
    }
}

/// The sequential scans of tables since the database was made, by table.
///
/// # Panics
/// When the database does not answer.
pub async fn scans(library: &Library, tables: &[&str]) -> BTreeMap<String, i64> {
    let database = &library.platform.store.database;
    // Each connection of the pool reports what it counted: all are held at once.
    const CONNECTIONS: usize = 12;
    const WAIT: Duration = Duration::from_secs(2);
    let mut held = Vec::new();
    for _ in 0..CONNECTIONS {
        let Ok(Ok(transaction)) = tokio::time::timeout(WAIT, database.transaction()).await else {
            break;
        };
        let _ = transaction
            .query("SELECT pg_stat_force_next_flush()", &[])
            .await;
        held.push(transaction);
    }
    for transaction in held {
        let _ = transaction.commit().await;
    }
    let sql = "SELECT relname::text AS name, seq_scan FROM pg_stat_user_tables \
               WHERE schemaname = 'tenant_diku' AND relname = ANY($1::text[])";
    let names: Vec<String> = tables.iter().map(|one| (*one).to_owned()).collect();
    let rows = database.query(sql, &[&names]).await.expect("counts");
    rows.iter()
        .map(|row| (row.get("name"), row.get("seq_scan")))
        .collect()
}
