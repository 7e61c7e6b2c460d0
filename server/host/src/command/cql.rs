//! `octavo cql try`: runs a query on declared sample records, or explains it on a tenant's own.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use octavo_postgres::Database;
use octavo_records::plan::{Parameter, Plan, Sql};
use octavo_records::store::BulkLoad;
use octavo_records::{Catalog, Collection, Declaration, Store, Tenant};
use serde_json::Value;
use uuid::Uuid;

use super::tenant::command_options;
use crate::database::Host;
use crate::database_args::DatabaseArgs;

/// The longest line of records, in bytes.
const LINE_BYTES_MAX: usize = 16 * 1024 * 1024;
/// The most values of a list that are printed.
const SHOWN_VALUES: usize = 5;

/// Try CQL.
#[derive(Debug, Subcommand)]
pub enum CqlCommand {
    /// Explain a query: plan, SQL, the index that serves it, and the records it finds.
    ///
    /// Run it on records of your own, in a scratch schema that is dropped at the end:
    ///   octavo cql try --declare books.toml --records books.ndjson 'title=war sortBy title'
    /// or on a tenant's records, which are only read:
    ///   octavo cql try --tenant diku --collection instance 'title=war'
    #[command(verbatim_doc_comment)]
    Try(TryArgs),
}

/// What to try.
#[derive(Debug, Args)]
pub struct TryArgs {
    /// The query
    query: String,
    /// A TOML file that declares collections: [[collection]] with table, shape and [[collection.index]]
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "tenant",
        required_unless_present = "tenant"
    )]
    declare: Option<PathBuf>,
    /// Records, one JSON document a line; TABLE=FILE where several collections are declared
    #[arg(long, value_name = "[TABLE=]FILE", requires = "declare")]
    records: Vec<String>,
    /// A tenant whose records are searched
    #[arg(long, value_name = "ID", requires = "collection")]
    tenant: Option<String>,
    /// The collection, by its table [default: the last one declared]
    #[arg(long, value_name = "TABLE")]
    collection: Option<String>,
    /// Print at most this many records
    #[arg(long, default_value_t = 10)]
    limit: u16,
    /// Which database to use
    #[command(flatten)]
    database: DatabaseArgs,
}

/// Runs the command.
///
/// # Errors
/// A message with the remedy.
pub async fn run(command: CqlCommand) -> anyhow::Result<ExitCode> {
    let CqlCommand::Try(args) = command;
    let host = Host::open(&args.database, command_options()).await?;
    let outcome = match &args.declare {
        Some(file) => on_declared(&host, &args, file).await,
        None => on_tenant(&host, &args).await,
    };
    host.close().await;
    outcome.map(|()| ExitCode::SUCCESS)
}

async fn on_tenant(host: &Host, args: &TryArgs) -> anyhow::Result<()> {
    let store = &host.platform.store;
    let id = args.tenant.as_deref().unwrap_or_default();
    let tenants = host.platform.store.tenant_ids().await?;
    if !tenants.iter().any(|one| one == id) {
        bail!(
            "there is no tenant {id:?}; there are: {}",
            tenants.join(", ")
        );
    }
    let tenant = Tenant::new(id)?;
    store.refresh_indexes(&tenant).await?;
    let table = args.collection.as_deref().unwrap_or_default();
    let collection = find(&store.catalog_of(&tenant), table)?;
    explain(store, &tenant, &collection, args).await
}

async fn on_declared(host: &Host, args: &TryArgs, file: &Path) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("{} cannot be read", file.display()))?;
    let declaration: Declaration =
        toml::from_str(&text).with_context(|| format!("{} is no declaration", file.display()))?;
    let collections = declaration
        .collections
        .iter()
        .map(|one| one.collection().map(Arc::new))
        .collect::<Result<Vec<_>, _>>()
        .and_then(Catalog::new)
        .map_err(anyhow::Error::msg)?;
    let store = Store::new(host.platform.store.database.clone(), Arc::new(collections));
    let tenant = Tenant::new(&format!("try{:x}", Uuid::new_v4().as_u128() >> 32))?;
    let outcome = scratch(&store, &tenant, args).await;
    // The scratch schema is dropped whatever happened.
    let drop = format!("DROP SCHEMA IF EXISTS {} CASCADE", tenant.schema());
    store.database.execute(&drop, &[]).await?;
    outcome
}

async fn scratch(store: &Store, tenant: &Tenant, args: &TryArgs) -> anyhow::Result<()> {
    store
        .provision(tenant, &[])
        .await
        .context("the declared tables cannot be created")?;
    let last = store.catalog.iter().last().cloned();
    let main = match (&args.collection, last) {
        (Some(table), _) => find(&store.catalog, table)?,
        (None, Some(last)) => last,
        (None, None) => bail!("no collection is declared; begin one with [[collection]]"),
    };
    // In the order of the tables, so that referenced records come first.
    for collection in store.catalog.iter() {
        for source in &args.records {
            let (table, file) = source.split_once('=').unwrap_or((&main.table, source));
            find(&store.catalog, table)?;
            if table == collection.table {
                load(&store.database, tenant, collection, Path::new(file)).await?;
            }
        }
    }
    explain(store, tenant, &main, args).await
}

fn find(catalog: &Catalog, table: &str) -> anyhow::Result<Arc<Collection>> {
    catalog.get(table).cloned().with_context(|| {
        let tables: Vec<&str> = catalog.iter().map(|one| one.table.as_str()).collect();
        format!(
            "there is no collection {table:?}; there are: {}",
            tables.join(", ")
        )
    })
}

async fn load(
    database: &Database,
    tenant: &Tenant,
    collection: &Collection,
    file: &Path,
) -> anyhow::Result<()> {
    use std::io::BufRead;
    let open =
        std::fs::File::open(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let transaction = database.transaction().await?;
    let mut bulk = BulkLoad::begin(&transaction, tenant, collection);
    for (at, line) in std::io::BufReader::new(open).lines().enumerate() {
        let place = || format!("{}, line {}", file.display(), at + 1);
        let line = line.with_context(place)?;
        if line.trim().is_empty() {
            continue;
        }
        if line.len() > LINE_BYTES_MAX {
            bail!("{}: a record takes {LINE_BYTES_MAX} bytes at most", place());
        }
        let Value::Object(mut record) = serde_json::from_str(&line).with_context(place)? else {
            bail!("{}: a record is a JSON object", place());
        };
        let id = match record.get("id").and_then(Value::as_str) {
            None => Uuid::new_v4(),
            Some(text) => Uuid::try_parse(text)
                .with_context(|| format!("{}: the id {text:?} is not a UUID", place()))?,
        };
        record.insert("id".to_owned(), Value::String(id.to_string()));
        bulk.add(id, &Value::Object(record).to_string()).await?;
    }
    bulk.finish().await?;
    transaction.commit().await?;
    let analyze = format!("ANALYZE {}.{}", tenant.schema(), collection.table);
    database.execute(&analyze, &[]).await?;
    Ok(())
}

async fn explain(
    store: &Store,
    tenant: &Tenant,
    collection: &Collection,
    args: &TryArgs,
) -> anyhow::Result<()> {
    let parsed = octavo_cql::parse(&args.query)
        .map_err(|error| anyhow::anyhow!("{}", error.render(&args.query).trim_end()))?;
    let plan = store.plan(tenant, collection, Some(&args.query))?;
    let limit = i64::from(args.limit);
    let sql = Sql::page(tenant.schema(), &collection.table, &plan, limit, 0);
    println!("query    {parsed}");
    section("plan", &plan.predicate.outline());
    section("SQL", &sql.text);
    for (at, value) in sql.parameters.iter().enumerate() {
        println!("  ${} = {}", at + 1, shown(value));
    }
    let explained = format!("EXPLAIN {}", sql.text);
    let rows = store.database.query(&explained, &sql.bound()).await?;
    let steps: Vec<String> = rows.iter().map(|row| row.get("QUERY PLAN")).collect();
    section("PostgreSQL's way", &steps.join("\n"));
    println!("\nindex    {}", served(&plan, &collection.table, &steps));
    let count = Sql::count(tenant.schema(), &collection.table, &plan.predicate, None);
    let rows = store.database.query(&count.text, &count.bound()).await?;
    let total: i64 = rows.first().map_or(0, |row| row.get("count"));
    let rows = store.database.query(&sql.text, &sql.bound()).await?;
    println!("found    {total}, shown {}", rows.len());
    for row in &rows {
        println!("  {}", row.get::<_, Value>("jsonb"));
    }
    Ok(())
}

fn section(title: &str, text: &str) {
    println!("{title}");
    for line in text.lines() {
        println!("  {line}");
    }
}

fn shown(value: &Parameter) -> String {
    let list = |values: Vec<String>| {
        let more = values.len().saturating_sub(SHOWN_VALUES);
        let first: Vec<String> = values.into_iter().take(SHOWN_VALUES).collect();
        match more {
            0 => format!("[{}]", first.join(", ")),
            more => format!("[{}, and {more} more]", first.join(", ")),
        }
    };
    match value {
        Parameter::Text(text) => format!("{text:?}"),
        Parameter::Texts(texts) => list(texts.iter().map(|text| format!("{text:?}")).collect()),
        Parameter::Id(id) => id.to_string(),
        Parameter::Ids(ids) => list(ids.iter().map(Uuid::to_string).collect()),
        Parameter::Integer(number) => number.to_string(),
    }
}

/// The indexes in PostgreSQL's plan, or why there are none.
fn served(plan: &Plan, table: &str, steps: &[String]) -> String {
    let used: Vec<&str> = steps
        .iter()
        .filter_map(|step| {
            let (_, rest) = step
                .split_once(" using ")
                .or_else(|| step.split_once("Bitmap Index Scan on "))?;
            rest.split_whitespace().next()
        })
        .collect();
    let lacking: Vec<String> = plan
        .predicate
        .unindexed(table)
        .iter()
        .map(|one| format!("{} on {}", one.index.kind.name(), one.index.field))
        .collect();
    match (used.is_empty(), lacking.is_empty()) {
        (false, _) => used.join(", "),
        (true, true) => "declared, but PostgreSQL reads so few records without it".to_owned(),
        (true, false) => format!("none serves it; declare {}", lacking.join(", ")),
    }
}
