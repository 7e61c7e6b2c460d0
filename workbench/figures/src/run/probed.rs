//! The samples of the probes: processes, PostgreSQL, replicas, metrics, missing indexes.

use serde::{Deserialize, Serialize};

/// The samples of the probes.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Probed {
    /// All values over time.
    pub series: Vec<ProbedSeries>,
    /// The statements with most of PostgreSQL's time, most first.
    pub statements: Vec<Statement>,
    /// The time of all statements together, including those not listed, in ms.
    pub statements_total_ms: f64,
    /// Searches without an index, most frequent first.
    pub missing_indexes: Vec<MissingIndex>,
    /// The growth of tables, most first.
    pub growth: Vec<TableGrowth>,
    /// The machine and its software: name and value, for the report's infrastructure section.
    pub infrastructure: Vec<(String, String)>,
    /// What could not be sampled, and why.
    pub notes: Vec<String>,
}

/// One value over time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ProbedSeries {
    /// Its source: `server`, `postgres`, a pid, a Prometheus endpoint.
    pub source: String,
    /// Its name: `cpu`, `memory`, `connections`, `cache-hits`, `wal`, `locks-waiting`,
    /// `autovacuum`, `replica-lag`, …, or a metric's own name.
    pub measure: String,
    /// `%` of one processor, `MB`, `connections`, `MB/s`, `s`, …
    pub unit: String,
    /// Seconds from the beginning of the run, and the value.
    pub points: Vec<(f64, f64)>,
}

/// One statement, with the text of `pg_stat_statements`, which contains no values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// The text, cut to some thousand characters.
    pub query: String,
    /// How often it ran during the run.
    pub calls: u64,
    /// Its total time in ms.
    pub total_ms: f64,
    /// Its share of all statements' time, in per cent.
    pub share: f64,
    /// The time of one call.
    pub average_ms: f64,
    /// Rows of one call.
    pub rows: f64,
    /// Pages found in PostgreSQL's cache.
    pub hits: u64,
    /// Pages that were not in the cache.
    pub reads: u64,
}

/// A search without an index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MissingIndex {
    /// The table or record type.
    pub table: String,
    /// The field, with the kind of index that it lacks.
    pub what: String,
    /// How often it was run.
    pub count: u64,
    /// The source: the server's advice, or a log file.
    pub source: String,
}

/// A table before and after.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableGrowth {
    /// Schema and name.
    pub table: String,
    /// Live rows before, from PostgreSQL's statistics.
    pub rows_before: i64,
    /// Live rows after.
    pub rows_after: i64,
    /// Size with indexes before, in bytes.
    pub bytes_before: i64,
    /// Size with indexes after.
    pub bytes_after: i64,
}

impl ProbedSeries {
    /// The least, the mean and the greatest value; `None` without points.
    pub fn range(&self) -> Option<(f64, f64, f64)> {
        let values = || self.points.iter().map(|(_, value)| *value);
        let count = self.points.len();
        (count > 0).then(|| {
            (
                values().fold(f64::INFINITY, f64::min),
                values().sum::<f64>() / count as f64,
                values().fold(f64::NEG_INFINITY, f64::max),
            )
        })
    }
}

impl Probed {
    /// Adds the samples of a later part of the run.
    pub(super) fn follow(&mut self, later: Probed) {
        for series in later.series {
            let same = |mine: &&mut ProbedSeries| {
                mine.source == series.source && mine.measure == series.measure
            };
            match self.series.iter_mut().find(same) {
                Some(mine) => mine.points.extend(series.points),
                None => self.series.push(series),
            }
        }
        self.statements_total_ms += later.statements_total_ms;
        for statement in later.statements {
            match self
                .statements
                .iter_mut()
                .find(|mine| mine.query == statement.query)
            {
                Some(mine) => mine.follow(&statement),
                None => self.statements.push(statement),
            }
        }
        for statement in &mut self.statements {
            statement.share = 100.0 * statement.total_ms / self.statements_total_ms.max(1e-9);
        }
        self.statements
            .sort_by(|a, b| b.total_ms.total_cmp(&a.total_ms));
        for missing in later.missing_indexes {
            let same =
                |mine: &&mut MissingIndex| mine.table == missing.table && mine.what == missing.what;
            match self.missing_indexes.iter_mut().find(same) {
                Some(mine) => mine.count += missing.count,
                None => self.missing_indexes.push(missing),
            }
        }
        for growth in later.growth {
            match self
                .growth
                .iter_mut()
                .find(|mine| mine.table == growth.table)
            {
                Some(mine) => {
                    mine.rows_after = growth.rows_after;
                    mine.bytes_after = growth.bytes_after;
                }
                None => self.growth.push(growth),
            }
        }
        self.notes.extend(later.notes);
    }
}

impl Statement {
    fn follow(&mut self, later: &Statement) {
        let rows = self.rows * self.calls as f64 + later.rows * later.calls as f64;
        self.calls += later.calls;
        self.total_ms += later.total_ms;
        self.average_ms = self.total_ms / self.calls.max(1) as f64;
        self.rows = rows / self.calls.max(1) as f64;
        self.hits += later.hits;
        self.reads += later.reads;
    }
}
