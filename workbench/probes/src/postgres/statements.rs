//! The statements that `pg_stat_statements` counted during the load: the difference of two
//! readings.

use std::collections::HashMap;

use octavo_figures::run::{Probed, Statement};
use tokio_postgres::{Client, Error};

/// The most statements that are listed.
const LISTED: usize = 20;
/// The most characters of a text.
const QUERY_CHARS_MAX: i32 = 4_000;
/// A mark in every statement of the probes, so that they can be left out.
const OURS: &str = "/* octavo-probe */";

/// The columns that exist, by the extension's version. Those that differ between PostgreSQL 15 and
/// 18 are not needed; older servers lack some.
const COLUMNS: &str = "SELECT /* octavo-probe */ quote_ident(n.nspname) AS schema, \
    EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = v.oid AND a.attname = 'total_exec_time') \
      AS has_exec_time, \
    EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = v.oid AND a.attname = 'toplevel') \
      AS toplevel \
  FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace \
    JOIN pg_class v ON v.relnamespace = n.oid AND v.relname = 'pg_stat_statements' \
  WHERE e.extname = 'pg_stat_statements'";

const IS_LOADED: &str = "SELECT /* octavo-probe */ current_setting('pg_stat_statements.max', \
     true) IS NOT NULL AS loaded";

/// How the view is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct View {
    schema: String,
    time: &'static str,
    toplevel: bool,
}

/// Why there are no statements.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoStatements {
    #[error(
        "no statements: the server does not load pg_stat_statements; set \
         shared_preload_libraries = 'pg_stat_statements' in postgresql.conf and restart it"
    )]
    NotLoaded,
    #[error(
        "no statements: this database lacks the extension; run CREATE EXTENSION \
         pg_stat_statements in it, or allow the probe to with --probe-postgres-create-extension"
    )]
    NotCreated,
    #[error(
        "no statements: CREATE EXTENSION pg_stat_statements failed: {0}; a superuser may do it"
    )]
    NotAllowed(String),
    #[error("no statements: {}", super::connect::reason(.0))]
    Database(#[from] Error),
}

/// One statement of one user in one database.
type Key = (u32, u32, i64, bool);

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Counted {
    calls: i64,
    total_ms: f64,
    rows: i64,
    hits: i64,
    reads: i64,
}

/// All counters at a moment.
#[derive(Debug, Clone, Default)]
pub(super) struct Snapshot {
    counted: HashMap<Key, Counted>,
    /// Statements whose identity this role may not see.
    hidden: usize,
    /// How often entries were evicted for lack of space, and when counting began.
    given_up: Option<i64>,
    reset: Option<String>,
}

impl View {
    /// Finds the view; creates it if allowed.
    pub(super) async fn find(client: &Client, create: bool) -> Result<Self, NoStatements> {
        let loaded: bool = client.query_one(IS_LOADED, &[]).await?.try_get("loaded")?;
        if !loaded {
            return Err(NoStatements::NotLoaded);
        }
        if let Some(view) = Self::existing(client).await? {
            return Ok(view);
        }
        if !create {
            return Err(NoStatements::NotCreated);
        }
        // Not by the session's search path, which contains only pg_catalog.
        let sql = "CREATE EXTENSION IF NOT EXISTS pg_stat_statements SCHEMA public";
        let made = client.batch_execute(sql).await;
        made.map_err(|error| NoStatements::NotAllowed(super::connect::reason(&error)))?;
        let view = Self::existing(client).await?;
        view.ok_or(NoStatements::NotCreated)
    }

    async fn existing(client: &Client) -> Result<Option<Self>, Error> {
        let row = client.query_opt(COLUMNS, &[]).await?;
        row.map(|row| {
            Ok(Self {
                schema: row.try_get("schema")?,
                time: match row.try_get("has_exec_time")? {
                    true => "total_exec_time",
                    false => "total_time",
                },
                toplevel: row.try_get("toplevel")?,
            })
        })
        .transpose()
    }

    /// Reads the counters without the texts, which are in a file.
    pub(super) async fn snapshot(&self, client: &Client) -> Result<Snapshot, Error> {
        let sql = format!(
            "SELECT {OURS} userid, dbid, queryid, {toplevel} AS toplevel, calls, \
               {time}::float8 AS total_ms, rows, \
               shared_blks_hit, shared_blks_read FROM {schema}.pg_stat_statements(false)",
            toplevel = self.toplevel(),
            time = self.time,
            schema = self.schema,
        );
        let mut snapshot = Snapshot::default();
        for row in client.query(&sql, &[]).await? {
            let Some(query) = row.try_get::<_, Option<i64>>("queryid")? else {
                snapshot.hidden += 1;
                continue;
            };
            let key = (
                row.try_get("userid")?,
                row.try_get("dbid")?,
                query,
                row.try_get("toplevel")?,
            );
            let counted = Counted {
                calls: row.try_get("calls")?,
                total_ms: row.try_get("total_ms")?,
                rows: row.try_get("rows")?,
                hits: row.try_get("shared_blks_hit")?,
                reads: row.try_get("shared_blks_read")?,
            };
            snapshot.counted.insert(key, counted);
        }
        if self.toplevel {
            let schema = &self.schema;
            let sql = format!(
                "SELECT {OURS} dealloc, stats_reset::text FROM {schema}.pg_stat_statements_info"
            );
            let row = client.query_one(&sql, &[]).await?;
            snapshot.given_up = row.try_get("dealloc")?;
            snapshot.reset = row.try_get("stats_reset")?;
        }
        Ok(snapshot)
    }

    /// The texts of all statements.
    pub(super) async fn texts(&self, client: &Client) -> Result<HashMap<Key, String>, Error> {
        let sql = format!(
            "SELECT {OURS} userid, dbid, queryid, {toplevel} AS toplevel, \
               left(query, {QUERY_CHARS_MAX}) AS text \
             FROM {schema}.pg_stat_statements WHERE queryid IS NOT NULL",
            toplevel = self.toplevel(),
            schema = self.schema,
        );
        let mut texts = HashMap::new();
        for row in client.query(&sql, &[]).await? {
            let key = (
                row.try_get("userid")?,
                row.try_get("dbid")?,
                row.try_get("queryid")?,
                row.try_get("toplevel")?,
            );
            let text: Option<String> = row.try_get("text")?;
            texts.insert(key, text.unwrap_or_default());
        }
        Ok(texts)
    }

    fn toplevel(&self) -> &'static str {
        match self.toplevel {
            true => "toplevel",
            false => "true",
        }
    }
}

/// The difference between two readings, and remarks for the reader.
pub(super) fn difference(
    before: &Snapshot,
    after: &Snapshot,
    texts: &HashMap<Key, String>,
    probed: &mut Probed,
) -> Vec<String> {
    let mut found: Vec<(Key, Counted)> = Vec::new();
    let mut total_ms = 0.0;
    for (key, now) in &after.counted {
        let text = texts.get(key).map_or("", String::as_str);
        if text.contains(OURS) {
            continue;
        }
        let counted = now.since(before.counted.get(key).copied().unwrap_or_default());
        if counted.calls > 0 {
            total_ms += counted.total_ms;
            found.push((*key, counted));
        }
    }
    found.sort_by(|(_, a), (_, b)| b.total_ms.total_cmp(&a.total_ms));
    let listed = found.iter().take(LISTED).map(|(key, counted)| {
        let text = texts.get(key).map_or("", String::as_str);
        counted.into_statement(shown(text), total_ms)
    });
    probed.statements.extend(listed);
    probed.statements_total_ms += total_ms;
    notes(before, after)
}

fn notes(before: &Snapshot, after: &Snapshot) -> Vec<String> {
    let mut notes = Vec::new();
    let given_up = after.given_up.unwrap_or(0) - before.given_up.unwrap_or(0);
    if given_up > 0 {
        notes.push(format!(
            "pg_stat_statements gave rare statements up {given_up} times for want of room; raise \
             pg_stat_statements.max for exact shares"
        ));
    }
    if before.reset != after.reset {
        notes.push(
            "pg_stat_statements was reset during the run; statements count from then on".to_owned(),
        );
    }
    if after.hidden > 0 {
        notes.push(format!(
            "{} statements of other users are hidden from the probe's role; GRANT pg_monitor to it",
            after.hidden
        ));
    }
    notes
}

impl Counted {
    /// A counter below its earlier value was reset.
    fn since(self, before: Self) -> Self {
        if self.calls < before.calls {
            return self;
        }
        Self {
            calls: self.calls - before.calls,
            total_ms: (self.total_ms - before.total_ms).max(0.0),
            rows: self.rows - before.rows,
            hits: self.hits - before.hits,
            reads: self.reads - before.reads,
        }
    }

    fn into_statement(self, query: String, total_ms: f64) -> Statement {
        let calls = self.calls.max(1) as f64;
        let share = match total_ms > 0.0 {
            true => 100.0 * self.total_ms / total_ms,
            false => 0.0,
        };
        Statement {
            query,
            calls: self.calls.max(0).unsigned_abs(),
            total_ms: self.total_ms,
            share,
            average_ms: self.total_ms / calls,
            rows: self.rows.max(0) as f64 / calls,
            hits: self.hits.max(0).unsigned_abs(),
            reads: self.reads.max(0).unsigned_abs(),
        }
    }
}

/// PostgreSQL removes values from queries, but not from other commands: one that sets a password is
/// not displayed.
fn shown(text: &str) -> String {
    let lower = text.to_lowercase();
    let command = ["select", "insert", "update", "delete", "with", "merge"];
    let is_query = command
        .iter()
        .any(|word| lower.trim_start().starts_with(word));
    if !is_query && lower.contains("password") {
        let words: Vec<&str> = text.split_whitespace().take(2).collect();
        return format!("{} … (not shown: it sets a password)", words.join(" "));
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(calls: i64, total_ms: f64) -> Counted {
        Counted {
            calls,
            total_ms,
            rows: calls * 2,
            hits: 10,
            reads: 1,
        }
    }

    fn snapshot(counted: &[(i64, Counted)]) -> Snapshot {
        Snapshot {
            counted: counted
                .iter()
                .map(|(query, counted)| ((10, 5, *query, true), *counted))
                .collect(),
            ..Snapshot::default()
        }
    }

    #[test]
    fn the_difference_has_what_ran_between_with_its_share() {
        let before = snapshot(&[(1, counted(10, 100.0)), (2, counted(7, 70.0))]);
        let mut after = snapshot(&[
            (1, counted(14, 160.0)),
            // Did not run.
            (2, counted(7, 70.0)),
            // New.
            (3, counted(5, 30.0)),
            // The probe's own.
            (4, counted(99, 999.0)),
        ]);
        after.counted.insert((11, 5, 1, true), counted(1, 10.0));
        let texts: HashMap<Key, String> = [
            ((10, 5, 1, true), "SELECT one".to_owned()),
            ((11, 5, 1, true), "SELECT one".to_owned()),
            ((10, 5, 3, true), "SELECT three".to_owned()),
            ((10, 5, 4, true), format!("SELECT {OURS} x")),
        ]
        .into();
        let mut probed = Probed::default();
        let notes = difference(&before, &after, &texts, &mut probed);
        assert!(notes.is_empty(), "{notes:?}");
        assert_eq!(probed.statements_total_ms, 100.0);
        let found: Vec<_> = probed
            .statements
            .iter()
            .map(|one| {
                (
                    one.query.as_str(),
                    one.calls,
                    one.share,
                    one.average_ms,
                    one.rows,
                )
            })
            .collect();
        let expected = [
            ("SELECT one", 4, 60.0, 15.0, 2.0),
            ("SELECT three", 5, 30.0, 6.0, 2.0),
            ("SELECT one", 1, 10.0, 10.0, 2.0),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_began_anew_counts_from_there() {
        let before = snapshot(&[(1, counted(10, 100.0))]);
        let mut after = snapshot(&[(1, counted(3, 20.0))]);
        after.reset = Some("now".to_owned());
        after.given_up = Some(4);
        after.hidden = 2;
        let mut probed = Probed::default();
        let notes = difference(&before, &after, &HashMap::new(), &mut probed);
        assert_eq!((probed.statements[0].calls, notes.len()), (3, 3));
    }

    #[test]
    fn no_password_is_shown() {
        let text = "ALTER ROLE folio WITH PASSWORD 'secret'";
        assert_eq!(shown(text), "ALTER ROLE … (not shown: it sets a password)");
        let query = "SELECT password FROM t WHERE id = $1";
        assert_eq!(shown(query), query);
    }
}
