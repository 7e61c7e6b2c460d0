//! What was seen beside the load: processes, PostgreSQL, replicas, metrics, missing indexes.

use serde::{Deserialize, Serialize};

/// What was seen beside the load.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Probed {
    /// Everything that has a value at each moment.
    pub series: Vec<ProbedSeries>,
    /// The statements that took most of PostgreSQL's time, most first.
    pub statements: Vec<Statement>,
    /// The time of all statements together, those not listed included, in ms.
    pub statements_total_ms: f64,
    /// Searches without an index, most frequent first.
    pub missing_indexes: Vec<MissingIndex>,
    /// How much the tables grew, most first.
    pub growth: Vec<TableGrowth>,
    /// The machine and what ran on it: name and value, as the report's infrastructure lists them.
    pub infrastructure: Vec<(String, String)>,
    /// What could not be seen, and why.
    pub notes: Vec<String>,
}

/// One value over time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ProbedSeries {
    /// Whose: `server`, `postgres`, a pid, a Prometheus endpoint.
    pub source: String,
    /// What: `cpu`, `memory`, `connections`, `cache-hits`, `wal`, `locks-waiting`, `autovacuum`,
    /// `replica-lag`, …, or a metric's own name.
    pub measure: String,
    /// `%` of one processor, `MB`, `connections`, `MB/s`, `s`, …
    pub unit: String,
    /// Seconds from the begin of the run, and the value.
    pub points: Vec<(f64, f64)>,
}

/// One statement, by the text that `pg_stat_statements` gives it: without its values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// The text, cut to some thousand characters.
    pub query: String,
    /// How often it ran while the load did.
    pub calls: u64,
    /// The time it took in all, in ms.
    pub total_ms: f64,
    /// Its share of all statements' time, in per cent.
    pub share: f64,
    /// The time of one call.
    pub average_ms: f64,
    /// Rows of one call.
    pub rows: f64,
    /// Pages found in PostgreSQL's cache, and pages that were not.
    pub hits: u64,
    /// Pages that were not.
    pub reads: u64,
}

/// A search that no index helps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MissingIndex {
    /// The table or record type.
    pub table: String,
    /// The field, with the kind of index that it lacks.
    pub what: String,
    /// How often it was searched.
    pub count: u64,
    /// Who said so: the server's advice, or a log file.
    pub source: String,
}

/// A table before and after.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableGrowth {
    /// Schema and name.
    pub table: String,
    /// Live rows before, as PostgreSQL's statistics have them.
    pub rows_before: i64,
    /// Live rows after.
    pub rows_after: i64,
    /// Size with indexes before, in bytes.
    pub bytes_before: i64,
    /// Size with indexes after.
    pub bytes_after: i64,
}

impl ProbedSeries {
    /// The least, the mean and the greatest value; none without any.
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
    /// Takes over what was seen in a later part of the run.
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
