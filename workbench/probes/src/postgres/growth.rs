//! Tables before and after: rows, bytes with indexes, and the number of autovacuums.

use std::collections::HashMap;

use octavo_figures::run::TableGrowth;
use tokio_postgres::{Client, Error};

/// The largest tables: each costs a stat of its files. Tables with an exclusive lock are left out,
/// since asking for their size would wait for the lock.
const TABLES: &str = "SELECT /* octavo-probe */ name, rows, \
    CASE WHEN NOT locked THEN pg_total_relation_size(relid) END AS bytes, vacuums \
  FROM (SELECT s.relid, s.schemaname || '.' || s.relname AS name, s.n_live_tup AS rows, \
      s.autovacuum_count AS vacuums, \
      s.relid IN (SELECT relation FROM pg_locks WHERE mode = 'AccessExclusiveLock') AS locked \
    FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid \
    ORDER BY c.relpages DESC, s.relid LIMIT 5000) largest";

/// The state of a table at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Table {
    rows: i64,
    /// `None` while it was locked.
    bytes: Option<i64>,
    vacuums: i64,
}

/// All tables at a moment, by name.
pub(super) type Tables = HashMap<String, Table>;

pub(super) async fn read(client: &Client) -> Result<Tables, Error> {
    let rows = client.query(TABLES, &[]).await?;
    rows.iter()
        .map(|row| {
            let table = Table {
                rows: row.try_get("rows")?,
                bytes: row.try_get("bytes")?,
                vacuums: row.try_get("vacuums")?,
            };
            Ok((row.try_get("name")?, table))
        })
        .collect()
}

/// Tables that changed, if their sizes are known.
pub(super) fn growth(before: &Tables, after: &Tables) -> Vec<TableGrowth> {
    let changed = after.iter().filter_map(|(name, now)| {
        let (rows_before, bytes_before) = match before.get(name) {
            Some(was) => (was.rows, was.bytes?),
            None => (0, 0),
        };
        let grown = TableGrowth {
            table: name.clone(),
            rows_before,
            rows_after: now.rows,
            bytes_before,
            bytes_after: now.bytes?,
        };
        let changed = (rows_before, bytes_before) != (grown.rows_after, grown.bytes_after);
        changed.then_some(grown)
    });
    changed.collect()
}

/// Which tables were autovacuumed how often, most frequent first; `None` when there was none.
pub(super) fn vacuums(before: &Tables, after: &Tables) -> Option<String> {
    const NAMED: usize = 5;
    let mut seen: Vec<(&str, i64)> = after
        .iter()
        .map(|(name, now)| {
            let was = before.get(name).map_or(0, |was| was.vacuums);
            (name.as_str(), now.vacuums - was)
        })
        .filter(|(_, count)| *count > 0)
        .collect();
    seen.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let all: i64 = seen.iter().map(|(_, count)| count).sum();
    let named = seen
        .iter()
        .take(NAMED)
        .map(|(name, count)| format!("{name} ({count})"));
    let mut named: Vec<String> = named.collect();
    if seen.len() > NAMED {
        named.push("…".to_owned());
    }
    (all > 0).then(|| format!("{all} times: {}", named.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_reported() {
        let table = |rows, bytes, vacuums| Table {
            rows,
            bytes: Some(bytes),
            vacuums,
        };
        let mut locked = table(1, 0, 0);
        locked.bytes = None;
        let before = Tables::from([
            ("a.same".to_owned(), table(1, 8192, 0)),
            ("a.grown".to_owned(), table(1, 8192, 1)),
            ("a.locked".to_owned(), locked),
        ]);
        let after = Tables::from([
            ("a.same".to_owned(), table(1, 8192, 0)),
            ("a.grown".to_owned(), table(9, 16384, 3)),
            ("a.locked".to_owned(), table(9, 16384, 0)),
            ("a.new".to_owned(), table(2, 8192, 0)),
        ]);
        let mut found = growth(&before, &after);
        found.sort_by(|a, b| a.table.cmp(&b.table));
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].rows_before, found[0].rows_after), (1, 9));
        assert_eq!((found[1].bytes_before, found[1].bytes_after), (0, 8192));
        assert_eq!(vacuums(&before, &after).unwrap(), "2 times: a.grown (2)");
        assert_eq!(vacuums(&after, &after), None);
    }
}
