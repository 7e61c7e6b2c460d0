//! The prepared statements of one connection, by SQL text: prepared once however many callers need
//! one at the same time, and limited, since CQL gives rise to any number of texts.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use octavo_trace::{Handle, SpanKind};
use tokio::sync::OnceCell;
use tokio_postgres::{Client, Error, Statement};

/// Statements kept per connection. Each costs the backend some 10-50 kB.
const CAPACITY: usize = 2_000;
/// Bytes of their texts together: unusual queries have long ones, and each connection has its own.
const TEXTS_BYTES_MAX: usize = 2 * 1024 * 1024;
/// A longer statement is hardly used twice, and not kept.
const TEXT_BYTES_MAX: usize = 32 * 1024;

pub(crate) struct StatementCache {
    entries: Mutex<Entries>,
    capacity: usize,
}

#[derive(Default)]
struct Entries {
    by_text: HashMap<Arc<str>, Entry>,
    /// The bytes of all texts.
    bytes: usize,
    clock: u64,
}

struct Entry {
    statement: Arc<OnceCell<Statement>>,
    used_at: u64,
}

impl StatementCache {
    pub(crate) fn new() -> Self {
        Self::with_capacity(CAPACITY)
    }

    fn with_capacity(capacity: usize) -> Self {
        Self {
            entries: Mutex::default(),
            capacity,
        }
    }

    /// The statement for `sql`, prepared if necessary. A failed attempt leaves no entry.
    pub(crate) async fn get(
        &self,
        client: &Client,
        sql: &str,
        span: &Handle,
    ) -> Result<Statement, Error> {
        let cell = self.cell(sql);
        if let Some(statement) = cell.get() {
            return Ok(statement.clone());
        }
        let mut preparing = span.inside(SpanKind::Prepare, "prepare");
        let prepared = cell.get_or_try_init(|| client.prepare(sql)).await;
        preparing.end();
        match prepared {
            Ok(statement) => Ok(statement.clone()),
            Err(error) => {
                self.forget(sql);
                Err(error)
            }
        }
    }

    /// Drops the statement, so that the next use prepares it again.
    pub(crate) fn forget(&self, sql: &str) {
        let mut entries = self.lock();
        if entries.by_text.remove(sql).is_some() {
            entries.bytes -= sql.len();
        }
    }

    fn cell(&self, sql: &str) -> Arc<OnceCell<Statement>> {
        let mut entries = self.lock();
        entries.clock += 1;
        let now = entries.clock;
        if let Some(entry) = entries.by_text.get_mut(sql) {
            entry.used_at = now;
            return Arc::clone(&entry.statement);
        }
        let statement = Arc::new(OnceCell::new());
        if sql.len() > TEXT_BYTES_MAX {
            return statement;
        }
        while entries.by_text.len() >= self.capacity
            || (entries.bytes + sql.len() > TEXTS_BYTES_MAX && !entries.by_text.is_empty())
        {
            let count = entries.by_text.len() / 8 + 1;
            entries.evict_oldest(count);
        }
        entries.bytes += sql.len();
        let entry = Entry {
            statement: Arc::clone(&statement),
            used_at: now,
        };
        entries.by_text.insert(Arc::from(sql), entry);
        statement
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entries {
    /// Evicts in batches: finding the oldest scans all entries, once per batch.
    fn evict_oldest(&mut self, count: usize) {
        let mut ages: Vec<u64> = self.by_text.values().map(|entry| entry.used_at).collect();
        let last = count.min(ages.len()).saturating_sub(1);
        if ages.is_empty() {
            return;
        }
        let (_, &mut newest_evicted, _) = ages.select_nth_unstable(last);
        self.by_text
            .retain(|_, entry| entry.used_at > newest_evicted);
        self.bytes = self.by_text.keys().map(|text| text.len()).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_go_first() {
        let cache = StatementCache::with_capacity(16);
        for number in 0..16 {
            cache.cell(&format!("SELECT {number}"));
        }
        cache.cell("SELECT 0");
        cache.cell("SELECT new");
        let entries = cache.lock();
        assert_eq!(entries.by_text.len(), 14);
        let bytes: usize = entries.by_text.keys().map(|text| text.len()).sum();
        assert_eq!(entries.bytes, bytes);
        assert!(entries.by_text.contains_key("SELECT 0"));
        assert!(!entries.by_text.contains_key("SELECT 1"));
        assert!(entries.by_text.contains_key("SELECT new"));
    }

    #[test]
    fn long_texts_push_others_out_and_very_long_ones_are_not_kept() {
        let cache = StatementCache::new();
        for number in 0..1_000 {
            cache.cell(&format!("SELECT {number} {}", "x".repeat(20_000)));
        }
        let kept = cache.lock().by_text.len();
        assert!((80..=104).contains(&kept), "{kept}");
        assert!(cache.lock().bytes <= TEXTS_BYTES_MAX);
        cache.cell(&"x".repeat(TEXT_BYTES_MAX + 1));
        assert_eq!(cache.lock().by_text.len(), kept);
        for number in 0..1_000 {
            cache.forget(&format!("SELECT {number} {}", "x".repeat(20_000)));
        }
        assert_eq!(cache.lock().bytes, 0);
    }
}
