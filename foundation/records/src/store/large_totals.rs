//! Totals that are estimates because they are large, kept for some seconds: who pages through a long list, or opens
//! the same one as others do, asks the planner once.
//!
//! Such an estimate is of the statistics and the size of the file, which change slowly. The totals of searches that are
//! counted are never kept; those of lists that count every row ([`super::Store::total_of_list`]) are, where they are as large.

use std::time::Duration;

use moka::sync::Cache;

use crate::plan::Sql;

const KEPT_FOR: Duration = Duration::from_secs(10);
/// Bytes of the statements and values that the estimates are kept under.
const KEPT_BYTES: u64 = 2 * 1024 * 1024;

/// The large totals of one database.
#[derive(Debug, Clone)]
pub struct LargeTotals(Cache<String, i64>);

impl Default for LargeTotals {
    fn default() -> LargeTotals {
        let kept = Cache::builder()
            .max_capacity(KEPT_BYTES)
            .weigher(|key: &String, _: &i64| u32::try_from(key.len()).unwrap_or(u32::MAX))
            .time_to_live(KEPT_FOR)
            .build();
        LargeTotals(kept)
    }
}

impl LargeTotals {
    /// What the estimate of a statement is kept under: its text names the tenant's schema.
    pub fn key(sql: &Sql) -> String {
        format!("{} {:?}", sql.text, sql.parameters)
    }

    pub fn get(&self, key: &str) -> Option<i64> {
        self.0.get(key)
    }

    pub fn keep(&self, key: String, records: i64) {
        self.0.insert(key, records);
    }

    pub fn forget_all(&self) {
        self.0.invalidate_all();
    }
}
