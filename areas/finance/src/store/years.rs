//! The fiscal years of ledgers, and the tenant's locale.

use octavo_records::expression::AMONG_IDS;
use std::collections::HashMap;

use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_configuration::app::locale::Locale;
use octavo_configuration::store::tenant::locale;
use octavo_records::expression::key;
use octavo_records::{Executor, StoreError, instant};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Tables;
use super::accounts::object;
use crate::rules::fiscal_years::FiscalYear;

/// The tenant's locale: its currency and time zone.
#[boxed]
pub async fn settings(executor: &dyn Executor, tables: Tables<'_>) -> Result<Locale, StoreError> {
    let stored = locale(executor, tables.tenant, tables.catalog).await?;
    Ok(Locale::stored(stored.as_deref()))
}

/// Reads a stored fiscal year; an unreadable date counts as the beginning of time.
#[must_use]
pub fn read(document: &Map<String, Value>) -> FiscalYear {
    let text = |name: &str| {
        document
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let at = |name: &str| instant::parse(text(name)).unwrap_or(Timestamp::UNIX_EPOCH);
    FiscalYear {
        id: Uuid::try_parse(text("id")).unwrap_or_default(),
        code: text("code").to_owned(),
        series: text("series").to_owned(),
        currency: text("currency").to_owned(),
        start: at("periodStart"),
        end: at("periodEnd"),
    }
}

/// The fiscal years with these ids.
#[boxed]
pub async fn by_ids(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, FiscalYear>, StoreError> {
    let table = tables.table("fiscal_year");
    let sql = format!("SELECT jsonb FROM {table} WHERE id {AMONG_IDS}");
    let rows = executor.rows(&sql, &[&ids]).await?;
    let years = rows.iter().map(|row| read(&object(row.get("jsonb"))));
    Ok(years.map(|year| (year.id, year)).collect())
}

/// The years of each ledger's series.
#[boxed]
pub async fn of_ledgers(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ledgers: &[Uuid],
) -> Result<HashMap<Uuid, Vec<FiscalYear>>, StoreError> {
    let series = key(tables.index("fiscal_year", "series")).replace("jsonb", "year.jsonb");
    let first = series.replace("year.jsonb", "first.jsonb");
    let table = tables.table("fiscal_year");
    let sql = format!(
        "SELECT ledger.id, year.jsonb FROM {} AS ledger \
         JOIN {table} AS first ON first.id = ledger.fiscalyearoneid \
         JOIN {table} AS year ON {series} = {first} WHERE ledger.id {AMONG_IDS}",
        tables.table("ledger")
    );
    let rows = executor.rows(&sql, &[&ledgers]).await?;
    let mut years: HashMap<Uuid, Vec<FiscalYear>> = HashMap::new();
    for row in rows {
        let of_ledger = years.entry(row.get("id")).or_default();
        of_ledger.push(read(&object(row.get("jsonb"))));
    }
    Ok(years)
}
