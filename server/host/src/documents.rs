//! Loads generated libraries into a tenant, table by table, in one transaction.

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use octavo_demo::Document;
use octavo_records::store::BulkLoad;
use octavo_records::{Store, Tenant};

/// Loads documents that are ordered by table; returns the number of each table.
///
/// # Errors
/// When a record conflicts with an existing one: then none is stored.
pub async fn load(
    store: &Store,
    tenant: &Tenant,
    documents: impl Iterator<Item = Document>,
    total: Option<u64>,
) -> anyhow::Result<Vec<(&'static str, u64)>> {
    let bar = progress(total);
    let transaction = store.database.transaction().await?;
    let mut documents = documents.peekable();
    let mut loaded = Vec::new();
    while let Some(table) = documents.peek().map(|document| document.table) {
        let collection = store
            .catalog
            .get(table)
            .with_context(|| format!("no area declares the table {table}"))?;
        bar.set_message(table);
        let mut bulk = BulkLoad::begin(&transaction, tenant, collection);
        while let Some(document) = documents.next_if(|document| document.table == table) {
            bulk.add(document.id, &document.json).await?;
            bar.inc(1);
        }
        loaded.push((table, bulk.finish().await?));
    }
    for (table, _) in &loaded {
        if let Some(sql) = store
            .catalog
            .get(table)
            .and_then(|collection| octavo_records::ddl::restart_hrids(tenant.schema(), collection))
        {
            transaction.execute(&sql, &[]).await?;
        }
    }
    bar.set_message("commit");
    transaction.commit().await?;
    bar.set_message("statistics");
    let connection = store.database.connection().await?;
    for (table, _) in &loaded {
        connection
            .batch_execute(&format!("VACUUM ANALYZE {}.{table}", tenant.schema()))
            .await?;
    }
    bar.finish_and_clear();
    Ok(loaded)
}

fn progress(total: Option<u64>) -> ProgressBar {
    let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    let template = "  {bar:30} {human_pos:>9}/{human_len} records  {per_sec:>14}  {msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
