//! The totals of ledgers, groups and fiscal years: sums over budgets. Money that moves between funds of one
//! ledger or group is not counted there.

use std::collections::BTreeMap;

use octavo_boxed::boxed;
use octavo_postgres::Row;
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::Tables;
use crate::money::Amount;
use crate::records::Sums;

/// A fund's place in a ledger or group, which has a number, in a fiscal year.
pub type Place = (i32, Uuid, Uuid);

fn amount(row: &Row, name: &str) -> Amount {
    let text: &str = row.get(name);
    Amount::parse(text).unwrap_or_default()
}

/// The totals by number; those without budgets and transactions are left out.
#[boxed]
pub async fn of_places(
    executor: &dyn Executor,
    tables: Tables<'_>,
    places: &[Place],
) -> Result<BTreeMap<i32, Sums>, StoreError> {
    let numbers: Vec<i32> = places.iter().map(|place| place.0).collect();
    let funds: Vec<Uuid> = places.iter().map(|place| place.1).collect();
    let years: Vec<Uuid> = places.iter().map(|place| place.2).collect();
    let sum = |name: &str| {
        format!("coalesce(sum((budget.jsonb->>'{name}')::numeric), 0)::text AS {name}")
    };
    let moved = |side: &str, other: &str, name: &str| {
        format!(
            "SELECT place.number, '{name}' AS direction, \
             moved.jsonb->>'transactionType' = 'Allocation' AS is_allocation, \
             sum((moved.jsonb->>'amount')::numeric) AS amount FROM place \
             JOIN {}.transaction_totals_view AS moved \
             ON moved.{side} = place.fund AND moved.fiscalyearid = place.year \
             WHERE NOT EXISTS (SELECT FROM place AS beside WHERE beside.number = place.number \
             AND beside.year = place.year AND beside.fund = moved.{other}) GROUP BY 1, 2, 3",
            tables.tenant.schema()
        )
    };
    let place = "WITH place AS MATERIALIZED (SELECT DISTINCT * FROM \
                 unnest($1::int[], $2::uuid[], $3::uuid[]) AS _(number, fund, year))";
    let sql = format!(
        "{place}, moves AS ({} UNION ALL {}), \
         sums AS (SELECT place.number, {}, {}, {}, {}, {} FROM place JOIN {} AS budget \
           ON budget.fundid = place.fund AND budget.fiscalyearid = place.year GROUP BY 1), \
         outside AS (SELECT number, \
           coalesce(sum(amount) FILTER (WHERE direction = 'to' AND is_allocation), 0)::text AS came, \
           coalesce(sum(amount) FILTER (WHERE direction = 'from' AND is_allocation), 0)::text AS went, \
           (coalesce(sum(amount) FILTER (WHERE direction = 'to' AND NOT is_allocation), 0) - \
            coalesce(sum(amount) FILTER (WHERE direction = 'from' AND NOT is_allocation), 0))::text \
             AS net FROM moves GROUP BY number) \
         SELECT number, coalesce(initialAllocation, '0') AS initial, coalesce(came, '0') AS came, \
         coalesce(went, '0') AS went, coalesce(net, '0') AS net, \
         coalesce(encumbered, '0') AS encumbered, coalesce(awaitingPayment, '0') AS awaiting, \
         coalesce(expenditures, '0') AS expenditures, coalesce(credits, '0') AS credits \
         FROM sums FULL JOIN outside USING (number)",
        moved("tofundid", "fromfundid", "to"),
        moved("fromfundid", "tofundid", "from"),
        sum("initialAllocation"),
        sum("encumbered"),
        sum("awaitingPayment"),
        sum("expenditures"),
        sum("credits"),
        tables.table("budget"),
    );
    let rows = executor.rows(&sql, &[&numbers, &funds, &years]).await?;
    let totals = rows.iter().map(|row| {
        let names = [
            "initial",
            "came",
            "went",
            "net",
            "encumbered",
            "awaiting",
            "expenditures",
            "credits",
        ];
        let sums = Sums::from_array(names.map(|name| amount(row, name)));
        (row.get("number"), sums)
    });
    Ok(totals.collect())
}

/// The sums over all budgets of a fiscal year.
#[boxed]
pub async fn of_year(
    executor: &dyn Executor,
    tables: Tables<'_>,
    year: Uuid,
) -> Result<Sums, StoreError> {
    let sums = Sums::NAMES.map(|name| {
        format!(
            "coalesce(sum((jsonb->>'{name}')::numeric), 0)::text AS {}",
            name.to_lowercase()
        )
    });
    let sql = format!(
        "SELECT {} FROM {} WHERE fiscalyearid = $1",
        sums.join(", "),
        tables.table("budget")
    );
    let rows = executor.rows(&sql, &[&year]).await?;
    let row = rows.first();
    Ok(row.map_or_else(Sums::default, |row| {
        Sums::from_array(Sums::NAMES.map(|name| amount(row, &name.to_lowercase())))
    }))
}

/// The funds of ledgers, with the number of each ledger in the list.
#[boxed]
pub async fn places_in_ledgers(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ledgers: &[Uuid],
    year: Uuid,
) -> Result<Vec<Place>, StoreError> {
    let table = tables.table("fund");
    let sql = format!("SELECT id, ledgerid FROM {table} WHERE ledgerid = ANY($1)");
    let rows = executor.rows(&sql, &[&ledgers]).await?;
    let numbers: BTreeMap<Uuid, i32> = ledgers.iter().copied().zip(0..).collect();
    let places = rows.iter().filter_map(|row| {
        let number = numbers.get(&row.get::<_, Uuid>("ledgerid"))?;
        Some((*number, row.get("id"), year))
    });
    Ok(places.collect())
}
