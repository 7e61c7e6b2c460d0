//! Index advice: searches without a suitable index are counted in memory by their shapes, never by
//! their values, and periodically added to the tenant's table. No request waits for it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use octavo_boxed::boxed;
use octavo_postgres::DatabaseError;
use serde_json::{Value, json};

use crate::collection::Collection;
use crate::error::StoreError;
use crate::plan::{Predicate, Unindexed, compile, unindexed_order};
use crate::store::{Search, Store};
use crate::tenant::Tenant;

/// The most shapes that are counted between two flushes; further ones are ignored.
const SHAPES_MAX: usize = 1_000;
/// The most shapes kept for a tenant; the cheapest are dropped.
const SHAPES_KEPT: i64 = 1_000;
/// Shapes are cut to this many characters.
const SHAPE_CHARS_MAX: usize = 1_000;
/// How long a full page that was sorted without an index has to take to be counted; below this
/// there was little to sort.
const SLOW_ORDER: Duration = Duration::from_millis(100);

/// The counts since the last flush.
#[derive(Debug, Clone, Default)]
pub(in crate::store) struct Advice {
    seen: Arc<Mutex<HashMap<Shape, ShapeCounts>>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Shape {
    tenant: Tenant,
    collection: String,
    shape: String,
}

#[derive(Debug, Clone)]
struct ShapeCounts {
    lacking: Vec<Unindexed>,
    times: i64,
    rows: i64,
    total: Duration,
    longest: Duration,
    first: SystemTime,
    last: SystemTime,
}

/// The cost of one search.
#[derive(Debug, Clone, Copy)]
pub(in crate::store) struct SearchTime {
    pub rows: i64,
    pub elapsed: Duration,
}

impl ShapeCounts {
    fn add(&mut self, other: ShapeCounts) {
        self.lacking = other.lacking;
        self.times += other.times;
        self.rows += other.rows;
        self.total += other.total;
        self.longest = self.longest.max(other.longest);
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
    }
}

impl Advice {
    fn add(&self, shape: Shape, seen: ShapeCounts) {
        let mut all = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let full = all.len() >= SHAPES_MAX;
        match all.entry(shape) {
            Entry::Occupied(mut known) => known.get_mut().add(seen),
            Entry::Vacant(new) if !full => {
                new.insert(seen);
            }
            // Bounded, since clients write the queries; shapes that are known are still counted.
            Entry::Vacant(_) => {}
        }
    }

    /// Drops the counts of a tenant.
    pub(in crate::store) fn forget(&self, tenant: &Tenant) {
        let mut all = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|shape, _| shape.tenant != *tenant);
    }

    fn take(&self) -> HashMap<Tenant, Vec<(Shape, ShapeCounts)>> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let mut tenants: HashMap<Tenant, Vec<(Shape, ShapeCounts)>> = HashMap::new();
        for (shape, seen) in seen.drain() {
            let tenant = shape.tenant.clone();
            tenants.entry(tenant).or_default().push((shape, seen));
        }
        tenants
    }
}

/// A stored shape of searches that lack an index.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexAdvice {
    /// Its number within the tenant.
    pub number: i64,
    /// The searched table.
    pub collection: String,
    /// The query with `?` in place of values.
    pub shape: String,
    /// The indexes to declare.
    pub lacking: Vec<Unindexed>,
    /// How often it was run.
    pub times: i64,
    /// Records returned, in total.
    pub rows: i64,
    /// PostgreSQL's estimate of the table's records: each search read about as many.
    pub records: i64,
    /// Its duration in milliseconds, in total.
    pub total_ms: f64,
    /// Its longest duration in milliseconds.
    pub max_ms: f64,
    /// When it was first run.
    pub first_seen: SystemTime,
    /// When it was last run.
    pub last_seen: SystemTime,
}

impl Store {
    /// Counts a search, if it lacks an index.
    pub(in crate::store) fn note_search(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        predicate: &Predicate,
        search: Search<'_>,
        took: SearchTime,
    ) {
        let mut lacking = predicate.unindexed(&collection.table);
        let maybe_sorted = took.elapsed >= SLOW_ORDER && took.rows >= search.limit.max(1);
        if lacking.is_empty() && !maybe_sorted {
            return;
        }
        let Some(Ok(query)) = search.query.map(octavo_cql::parse) else {
            return;
        };
        if lacking.is_empty() {
            let catalog = self.catalog_of(tenant);
            let collection = catalog
                .get(&collection.table)
                .map_or(collection, AsRef::as_ref);
            lacking.extend(unindexed_order(&query, collection));
        }
        if lacking.is_empty() {
            return;
        }
        let now = SystemTime::now();
        let shape = Shape {
            tenant: tenant.clone(),
            collection: collection.table.clone(),
            shape: query.shape().chars().take(SHAPE_CHARS_MAX).collect(),
        };
        let seen = ShapeCounts {
            lacking,
            times: 1,
            rows: took.rows,
            total: took.elapsed,
            longest: took.elapsed,
            first: now,
            last: now,
        };
        self.advice.add(shape, seen);
    }

    /// Counts a search by an area's own statement, if it lacks an index: the equivalent CQL and
    /// plan on a collection, and its duration. With the limit of its page, a slow sort counts too.
    pub fn note_own_search(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        predicate: &Predicate,
        search: Search<'_>,
        elapsed: Duration,
    ) {
        let took = SearchTime {
            rows: search.limit,
            elapsed,
        };
        self.note_search(tenant, collection, predicate, search, took);
    }

    /// Adds the counts to the tenants' tables; those that cannot be written are kept for later.
    #[boxed]
    pub async fn flush_advice(&self) -> Result<(), StoreError> {
        let mut outcome = Ok(());
        for (tenant, seen) in self.advice.take() {
            match self.write_down(&tenant, &seen).await {
                Ok(()) => {}
                // The tenant has been deleted.
                Err(error) if error.is_undefined_table() => {}
                Err(error) => {
                    for (shape, seen) in seen {
                        self.advice.add(shape, seen);
                    }
                    outcome = Err(error.into());
                }
            }
        }
        outcome
    }

    async fn write_down(
        &self,
        tenant: &Tenant,
        seen: &[(Shape, ShapeCounts)],
    ) -> Result<(), DatabaseError> {
        let table = format!("{}.octavo_index_advice", tenant.schema());
        let rows: Vec<Value> = seen
            .iter()
            .map(|(shape, seen)| {
                json!({
                    "collection": shape.collection,
                    "shape": shape.shape,
                    "indexes": seen.lacking,
                    "times": seen.times,
                    "rows": seen.rows,
                    "total_ms": seen.total.as_secs_f64() * 1_000.0,
                    "max_ms": seen.longest.as_secs_f64() * 1_000.0,
                    "first_seen": instant(seen.first),
                    "last_seen": instant(seen.last),
                })
            })
            .collect();
        // Existing rows are updated first, since an upsert would use up a number of the sequence
        // each time.
        let sql = format!(
            "WITH new AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS _(collection text, \
               shape text, indexes jsonb, times bigint, rows bigint, total_ms double precision, \
               max_ms double precision, first_seen timestamptz, last_seen timestamptz)), \
             known AS (UPDATE {table} AS old SET indexes = new.indexes, \
               times = old.times + new.times, rows = old.rows + new.rows, \
               total_ms = old.total_ms + new.total_ms, max_ms = greatest(old.max_ms, new.max_ms), \
               first_seen = least(old.first_seen, new.first_seen), \
               last_seen = greatest(old.last_seen, new.last_seen) \
               FROM new WHERE (old.collection, old.shape) = (new.collection, new.shape) \
               RETURNING old.collection, old.shape) \
             INSERT INTO {table} AS old (collection, shape, indexes, times, rows, total_ms, max_ms, \
               first_seen, last_seen) \
             SELECT * FROM new WHERE (collection, shape) NOT IN (SELECT * FROM known) \
             ORDER BY collection, shape \
             ON CONFLICT (collection, shape) DO UPDATE SET \
               times = old.times + excluded.times, rows = old.rows + excluded.rows, \
               total_ms = old.total_ms + excluded.total_ms, \
               max_ms = greatest(old.max_ms, excluded.max_ms), \
               first_seen = least(old.first_seen, excluded.first_seen), \
               last_seen = greatest(old.last_seen, excluded.last_seen)"
        );
        self.database.execute(&sql, &[&Value::Array(rows)]).await?;
        let sql = format!(
            "DELETE FROM {table} WHERE number IN \
             (SELECT number FROM {table} ORDER BY total_ms DESC OFFSET $1)"
        );
        self.database.execute(&sql, &[&SHAPES_KEPT]).await?;
        Ok(())
    }

    /// The shapes of a tenant's searches that lack an index, by total duration. Shapes that have an
    /// index by now are deleted.
    #[boxed]
    pub async fn index_advice(&self, tenant: &Tenant) -> Result<Vec<IndexAdvice>, StoreError> {
        self.flush_advice().await?;
        let schema = tenant.schema();
        let sql = format!(
            "SELECT a.number, a.collection, a.shape, a.indexes, a.times, a.rows, a.total_ms, \
               a.max_ms, a.first_seen, a.last_seen, greatest(c.reltuples, 0)::bigint AS records \
             FROM {schema}.octavo_index_advice a LEFT JOIN pg_namespace n ON n.nspname = $1 \
               LEFT JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = a.collection \
             ORDER BY a.total_ms DESC, a.number"
        );
        let rows = self.database.query(&sql, &[&schema]).await?;
        let mut advice = Vec::with_capacity(rows.len());
        let mut served: Vec<i64> = Vec::new();
        for row in rows {
            let one = IndexAdvice {
                number: row.get("number"),
                collection: row.get("collection"),
                shape: row.get("shape"),
                lacking: serde_json::from_value(row.get("indexes")).unwrap_or_default(),
                times: row.get("times"),
                rows: row.get("rows"),
                total_ms: row.get("total_ms"),
                max_ms: row.get("max_ms"),
                first_seen: row.get("first_seen"),
                last_seen: row.get("last_seen"),
                records: row.get::<_, Option<i64>>("records").unwrap_or_default(),
            };
            if self.is_served(tenant, &one) {
                served.push(one.number);
            } else {
                advice.push(one);
            }
        }
        if !served.is_empty() {
            let sql = format!("DELETE FROM {schema}.octavo_index_advice WHERE number = ANY($1)");
            self.database.execute(&sql, &[&served]).await?;
        }
        Ok(advice)
    }

    /// Whether searches of that shape have all indexes by now: plans it again, with some value.
    fn is_served(&self, tenant: &Tenant, advice: &IndexAdvice) -> bool {
        let catalog = self.catalog_of(tenant);
        let Some(collection) = catalog.get(&advice.collection) else {
            return true;
        };
        let Ok(query) = octavo_cql::parse(&advice.shape.replace('?', "1")) else {
            return false;
        };
        let Ok(plan) = compile(&query, collection, &catalog) else {
            return false;
        };
        let lacking = plan.predicate.unindexed(&advice.collection);
        let of_order = unindexed_order(&query, collection);
        lacking.is_empty()
            && !advice
                .lacking
                .iter()
                .any(|one| of_order.as_ref() == Some(one))
    }
}

fn instant(at: SystemTime) -> String {
    jiff::Timestamp::try_from(at).map_or_else(|_| String::new(), crate::instant::format)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(shape: &str) -> Shape {
        Shape {
            tenant: Tenant::new("diku").expect("a tenant's id"),
            collection: "item".to_owned(),
            shape: shape.to_owned(),
        }
    }

    fn seen(ms: u64) -> ShapeCounts {
        let at = SystemTime::UNIX_EPOCH + Duration::from_millis(ms);
        ShapeCounts {
            lacking: Vec::new(),
            times: 1,
            rows: 2,
            total: Duration::from_millis(ms),
            longest: Duration::from_millis(ms),
            first: at,
            last: at,
        }
    }

    #[test]
    fn searches_of_one_shape_are_counted_together() {
        let advice = Advice::default();
        for ms in [5, 3, 9] {
            advice.add(shape("note == ?"), seen(ms));
        }
        advice.add(shape("title == ?"), seen(1));
        let taken: Vec<_> = advice.take().into_values().flatten().collect();
        assert_eq!(taken.len(), 2);
        let (_, note) = taken
            .iter()
            .find(|(shape, _)| shape.shape == "note == ?")
            .expect("it was counted");
        assert_eq!((note.times, note.rows), (3, 6));
        assert_eq!(note.total, Duration::from_millis(17));
        assert_eq!(note.longest, Duration::from_millis(9));
        assert!(note.first < note.last);
        assert!(advice.take().is_empty());
    }

    #[test]
    fn no_client_makes_the_memory_grow() {
        let advice = Advice::default();
        for number in 0..2 * SHAPES_MAX {
            advice.add(shape(&format!("field{number} == ?")), seen(1));
        }
        advice.add(shape("field0 == ?"), seen(1));
        let taken: Vec<_> = advice.take().into_values().flatten().collect();
        assert_eq!(taken.len(), SHAPES_MAX);
        let times: i64 = taken.iter().map(|(_, seen)| seen.times).sum();
        assert_eq!(times, SHAPES_MAX as i64 + 1);
    }
}
