//! The places of funds in groups.

use std::collections::BTreeSet;

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::Tables;

/// The groups of a fund in a fiscal year, with the ids of its places there.
#[boxed]
pub async fn of_fund(
    executor: &dyn Executor,
    tables: Tables<'_>,
    fund: Uuid,
    year: Uuid,
) -> Result<Vec<(Uuid, Uuid)>, StoreError> {
    let sql = format!(
        "SELECT id, groupid FROM {} WHERE fundid = $1 AND fiscalyearid = $2 ORDER BY id",
        tables.table("group_fund_fiscal_year")
    );
    let rows = executor.rows(&sql, &[&fund, &year]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("id"), row.get("groupid")))
        .collect())
}

/// Which of these groups exist.
#[boxed]
pub async fn existing(
    executor: &dyn Executor,
    tables: Tables<'_>,
    groups: &[Uuid],
) -> Result<BTreeSet<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {} WHERE id = ANY($1)",
        tables.table("fund_group")
    );
    let rows = executor.rows(&sql, &[&groups]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// Takes a fund out of groups: by the ids of its places, or out of all.
#[boxed]
pub async fn leave(
    executor: &dyn Executor,
    tables: Tables<'_>,
    fund: Uuid,
    places: Option<&[Uuid]>,
) -> Result<(), StoreError> {
    let table = tables.table("group_fund_fiscal_year");
    match places {
        Some([]) => {}
        Some(places) => {
            let sql = format!("DELETE FROM {table} WHERE fundid = $1 AND id = ANY($2)");
            executor.rows(&sql, &[&fund, &places]).await?;
        }
        None => {
            let sql = format!("DELETE FROM {table} WHERE fundid = $1");
            executor.rows(&sql, &[&fund]).await?;
        }
    }
    Ok(())
}

/// The funds of a group in a fiscal year.
#[boxed]
pub async fn funds(
    executor: &dyn Executor,
    tables: Tables<'_>,
    group: Uuid,
    year: Uuid,
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "SELECT DISTINCT fundid FROM {} WHERE groupid = $1 AND fiscalyearid = $2",
        tables.table("group_fund_fiscal_year")
    );
    let rows = executor.rows(&sql, &[&group, &year]).await?;
    Ok(rows.iter().map(|row| row.get("fundid")).collect())
}
