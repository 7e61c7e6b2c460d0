//! Loads generated libraries into a tenant, table by table, in one transaction.

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use octavo_data_import::load::{
    BIB_TABLES, CHEAP, HOLDINGS_TABLES, ITEM_TABLES, RECORDS_MIN, existing_max,
};
use octavo_demo::Document;
use octavo_postgres::BuildProgress;
use octavo_records::store::BulkLoad;
use octavo_records::{IndexesAside, Store, Tenant};

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
    let aside = set_aside(store, tenant, total).await?;
    let copied = copy(store, tenant, documents, &bar).await;
    if let Some(aside) = aside {
        // After a failure too: the tenant may be in use.
        let report = |news: &BuildProgress| {
            bar.set_message(format!("{}, {}", news.index, news.step));
        };
        let builds = aside.build(&report).await?;
        anyhow::ensure!(
            builds.problems.is_empty(),
            "{} indexes could not be built; `octavo index list --tenant {}` shows why",
            builds.problems.len(),
            tenant.id()
        );
    }
    let loaded = copied?;
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

/// Copies the documents in one transaction.
async fn copy(
    store: &Store,
    tenant: &Tenant,
    documents: impl Iterator<Item = Document>,
    bar: &ProgressBar,
) -> anyhow::Result<Vec<(&'static str, u64)>> {
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
    Ok(loaded)
}

/// Drops the indexes of a large library's tables if they hold little: they are built once the documents
/// are committed, or, if the load fails, by the next start.
async fn set_aside(
    store: &Store,
    tenant: &Tenant,
    total: Option<u64>,
) -> anyhow::Result<Option<IndexesAside>> {
    let Some(most) = total.and_then(|total| existing_max(total, RECORDS_MIN)) else {
        return Ok(None);
    };
    let sql = format!("SELECT FROM {}.instance OFFSET $1 LIMIT 1", tenant.schema());
    let most = i64::try_from(most)?;
    if !store.database.query(&sql, &[&most]).await?.is_empty() {
        return Ok(None);
    }
    let tables = [&BIB_TABLES[..], &HOLDINGS_TABLES, &ITEM_TABLES].concat();
    Ok(store.set_indexes_aside(tenant, &tables, &CHEAP).await?)
}

fn progress(total: Option<u64>) -> ProgressBar {
    let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    let template = "  {bar:30} {human_pos:>9}/{human_len} records  {per_sec:>14}  {msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
