//! Reads a tenant's events in the order in which they may be passed on: none before its transaction has
//! committed, none left out, and those of one record in the order of its changes.
//!
//! Positions are given before a commit, so a later commit may have a lower one. A reader therefore keeps
//! the snapshot up to which it has read. Its next window are the events that a newer snapshot sees and
//! that one did not, in the order of their positions (docs/decisions/0047).

use std::fmt;
use std::str::FromStr;

use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError, IndexBuilder, RawJson, Row, ToSql};
use uuid::Uuid;

use crate::ddl::{OUTBOX_XACT_INDEX, outbox_xact_index};
use crate::error::StoreError;
use crate::executor::Executor;
use crate::tenant::Tenant;

/// The snapshot that sees no transaction.
const NOTHING: &str = "1:1:";
/// The longest text of a snapshot that is taken from a client: some thousand transactions.
const SNAPSHOT_BYTES_MAX: usize = 64 * 1024;

/// How far a reader has read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Cursor {
    /// The snapshot whose events have all been read, in PostgreSQL's notation.
    pub read: String,
    /// The window that is being read.
    pub window: Option<Window>,
}

/// A window that is being read in portions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Window {
    /// The snapshot that sees its events.
    pub upto: String,
    /// The position up to which they have been read.
    pub reached: i64,
}

/// A text that is no cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the id of an event of this stream")]
pub struct CursorError;

impl Cursor {
    /// Before the first event.
    #[must_use]
    pub fn beginning() -> Cursor {
        Cursor {
            read: NOTHING.to_owned(),
            window: None,
        }
    }

    /// The cursor in the columns `read`, `upto` and `reached` of a row.
    #[must_use]
    pub fn of_row(row: &Row) -> Cursor {
        let window = row
            .get::<_, Option<String>>("upto")
            .zip(row.get("reached"))
            .map(|(upto, reached)| Window { upto, reached });
        Cursor {
            read: row.get("read"),
            window,
        }
    }

    /// What the columns `upto` and `reached` of its row have.
    #[must_use]
    pub fn window_columns(&self) -> (Option<&str>, Option<i64>) {
        let window = self.window.as_ref();
        (
            window.map(|window| window.upto.as_str()),
            window.map(|window| window.reached),
        )
    }

    /// Behind everything that has been committed.
    #[boxed]
    pub async fn now(executor: &dyn Executor) -> Result<Cursor, StoreError> {
        let sql = "SELECT pg_current_snapshot()::text AS now";
        let rows = executor.rows(sql, &[]).await?;
        Ok(Cursor {
            read: rows
                .first()
                .map_or_else(|| NOTHING.to_owned(), |row| row.get("now")),
            window: None,
        })
    }

    /// The same cursor after its window has been read to the end.
    fn closed(&self) -> Cursor {
        match &self.window {
            None => self.clone(),
            Some(window) => Cursor {
                read: window.upto.clone(),
                window: None,
            },
        }
    }

    /// The cursor behind an event of its window.
    #[must_use]
    pub fn behind(&self, position: i64) -> Cursor {
        let window = self.window.as_ref().map(|window| Window {
            upto: window.upto.clone(),
            reached: position,
        });
        Cursor {
            read: self.read.clone(),
            window,
        }
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.read)?;
        match &self.window {
            None => Ok(()),
            Some(window) => write!(f, "/{}/{}", window.upto, window.reached),
        }
    }
}

impl FromStr for Cursor {
    type Err = CursorError;

    fn from_str(text: &str) -> Result<Cursor, CursorError> {
        let mut parts = text.split('/');
        let read = parts.next().filter(|part| is_snapshot(part));
        let window = match (parts.next(), parts.next(), parts.next()) {
            (None, ..) => None,
            (Some(upto), Some(reached), None) if is_snapshot(upto) => Some(Window {
                upto: upto.to_owned(),
                reached: reached.parse().map_err(|_| CursorError)?,
            }),
            _ => return Err(CursorError),
        };
        Ok(Cursor {
            read: read.ok_or(CursorError)?.to_owned(),
            window,
        })
    }
}

/// Whether PostgreSQL takes a text as a snapshot: `xmin:xmax:xip,…` with xmin ≤ xip < xmax, ascending.
fn is_snapshot(text: &str) -> bool {
    let number = |part: &str| {
        let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let number = part.parse::<u64>().ok().filter(|_| digits);
        number.filter(|number| (1..=i64::MAX as u64).contains(number))
    };
    let mut parts = text.split(':');
    let (Some(from), Some(upto), Some(running), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let (Some(from), Some(upto)) = (number(from), number(upto)) else {
        return false;
    };
    let mut last = from.saturating_sub(1);
    text.len() <= SNAPSHOT_BYTES_MAX
        && from <= upto
        && (running.is_empty()
            || running.split(',').all(|one| {
                let ascends = number(one).filter(|one| (last + 1..upto).contains(one));
                ascends.inspect(|one| last = *one).is_some()
            }))
}

/// How much one portion has at most.
#[derive(Debug, Clone, Copy)]
pub struct PortionSize {
    pub events: i64,
    /// The size of their records as they are stored, most of them compressed. One event is read however
    /// large it is.
    pub bytes: i64,
}

/// Some events in order, with the cursor behind them.
#[derive(Debug)]
pub struct Portion {
    rows: Vec<Row>,
    /// The cursor with the window that these events are of.
    pub opened: Cursor,
    /// Where the next portion begins.
    pub cursor: Cursor,
}

impl Portion {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The events.
    pub fn events(&self) -> impl Iterator<Item = UnreadEvent<'_>> {
        self.rows.iter().map(UnreadEvent::of)
    }
}

/// An event as it lies in the outbox.
#[derive(Debug, Clone, Copy)]
pub struct UnreadEvent<'a> {
    pub position: i64,
    pub id: Uuid,
    /// When its transaction began, in milliseconds since 1970.
    pub at_ms: i64,
    /// The topic without environment and tenant.
    pub topic: &'a str,
    /// The record's id; the null UUID where the event concerns all records.
    pub key: Uuid,
    /// `CREATE`, `UPDATE`, `DELETE` and others.
    pub kind: &'a str,
    /// The record before, as JSON.
    pub old: Option<&'a [u8]>,
    /// The record after.
    pub new: Option<&'a [u8]>,
    /// Headers for those who publish it, a JSON object of texts.
    pub headers: Option<&'a [u8]>,
    /// Who changed the record, where it says so.
    pub user_id: Option<&'a str>,
}

impl<'a> UnreadEvent<'a> {
    fn of(row: &'a Row) -> UnreadEvent<'a> {
        let json = |name: &str| row.get::<_, Option<RawJson<'a>>>(name).map(|json| json.0);
        UnreadEvent {
            position: row.get("position"),
            id: row.get("event_id"),
            at_ms: row.get("at_ms"),
            topic: row.get("topic"),
            key: row.get("key"),
            kind: row.get("type"),
            old: json("old"),
            new: json("new"),
            headers: json("headers"),
            user_id: row.get("user_id"),
        }
    }
}

/// The next events behind a cursor. An empty portion says that there is none at present; where its
/// cursor is another, there may be more.
#[boxed]
pub async fn read_on(
    executor: &dyn Executor,
    tenant: &Tenant,
    cursor: &Cursor,
    size: PortionSize,
) -> Result<Portion, StoreError> {
    read_on_of(executor, tenant, cursor, size, None).await
}

/// The events that a reader wants.
#[derive(Debug, Clone, Copy)]
pub struct Topics<'a> {
    /// Events of other topics are passed over, and their records are not read.
    pub topics: &'a [&'a str],
    /// Topics of whose records only some properties are read, as `new`, from the record after or, where there is none,
    /// before: who keeps the records takes them from the outbox ([`record_at`]), and most of an event's cost is its record
    /// as text.
    pub in_part: &'a [&'a str],
    /// These properties.
    pub properties: &'a [&'static str],
}

/// The same for some topics.
#[boxed]
pub async fn read_topics(
    executor: &dyn Executor,
    tenant: &Tenant,
    cursor: &Cursor,
    size: PortionSize,
    topics: Topics<'_>,
) -> Result<Portion, StoreError> {
    read_on_of(executor, tenant, cursor, size, Some(topics)).await
}

/// The record of an event that was read in part, as SQL: `position` is SQL, too.
#[must_use]
pub fn record_at(schema: &str, position: &str) -> String {
    format!(
        "(SELECT coalesce(new, old) FROM {schema}.outbox AS event WHERE event.position = {position})"
    )
}

async fn read_on_of(
    executor: &dyn Executor,
    tenant: &Tenant,
    cursor: &Cursor,
    size: PortionSize,
    topics: Option<Topics<'_>>,
) -> Result<Portion, StoreError> {
    let opened = match &cursor.window {
        Some(_) => Some(cursor.clone()),
        None => open(executor, tenant, &cursor.read).await?,
    };
    let Some(opened) = opened else {
        return Ok(Portion {
            rows: Vec::new(),
            opened: cursor.clone(),
            cursor: cursor.clone(),
        });
    };
    let (rows, is_whole) = portion(executor, tenant, &opened, size, topics).await?;
    let last = rows.last().map(|row| row.get("position"));
    Ok(Portion {
        cursor: match (is_whole, last) {
            (false, Some(last)) => opened.behind(last),
            _ => opened.closed(),
        },
        opened,
        rows,
    })
}

/// The position, transaction and time of the events that a snapshot does not see, as SQL: those of transactions that
/// began after it, and of those that it saw running. `snapshot` is SQL, too.
///
/// Two conditions, so that the index on `xact` finds both: one on `pg_visible_in_snapshot` would read the table. And both
/// with a lower and an upper bound: of one bound a plan for any snapshot expects a third of the table and may read that
/// whole, which goes on while the plan is kept and the table grows.
pub(super) fn unread_sql(schema: &str, snapshot: &str) -> String {
    format!(
        "SELECT position, xact, event_ts FROM {schema}.outbox \
         WHERE xact BETWEEN pg_snapshot_xmax({snapshot}) AND '{}'::xid8 \
         UNION ALL SELECT position, xact, event_ts FROM pg_snapshot_xip({snapshot}) AS running \
         JOIN {schema}.outbox ON xact BETWEEN running AND running",
        u64::MAX
    )
}

/// Opens the window of what has been committed since a snapshot; none where that is nothing.
async fn open(
    executor: &dyn Executor,
    tenant: &Tenant,
    read: &str,
) -> Result<Option<Cursor>, StoreError> {
    let unread = unread_sql(tenant.schema(), "$1::text::pg_snapshot");
    // Materialized: otherwise PostgreSQL may look for the lowest position by the primary key, past all that was read.
    let sql = format!(
        "WITH unread AS MATERIALIZED ({unread}) \
         SELECT pg_current_snapshot()::text AS upto, min(position) AS first FROM unread"
    );
    let rows = executor.rows(&sql, &[&read]).await?;
    let first = rows
        .first()
        .and_then(|row| Some((row.get::<_, Option<i64>>("first")?, row.get("upto"))));
    Ok(first.map(|(first, upto)| Cursor {
        read: read.to_owned(),
        window: Some(Window {
            upto,
            reached: first - 1,
        }),
    }))
}

/// The next events of a window, and whether they are its last.
async fn portion(
    executor: &dyn Executor,
    tenant: &Tenant,
    cursor: &Cursor,
    size: PortionSize,
    topics: Option<Topics<'_>>,
) -> Result<(Vec<Row>, bool), StoreError> {
    let Some(window) = &cursor.window else {
        return Ok((Vec::new(), true));
    };
    let (of_topics, new, in_part) = match topics {
        Some(topics) => (" AND topic = ANY($6)", new_of(topics), "topic = ANY($7)"),
        None => ("", "new".to_owned(), "false"),
    };
    // The documents are put together outside, for those rows only that are not cut off.
    let sql = format!(
        "SELECT position, event_id, (extract(epoch FROM event_ts) * 1000)::bigint AS at_ms, topic, \
           key, type, headers, {new} AS new, new #>> '{{metadata,updatedByUserId}}' AS user_id, \
           CASE WHEN {in_part} THEN NULL WHEN was IS NULL THEN old \
             ELSE (new - coalesce(came, '{{}}')) || was END AS old, \
           found FROM (\
         SELECT *, sum(bytes) OVER (ORDER BY position) - bytes AS before, count(*) OVER () AS found \
         FROM (SELECT *, coalesce(pg_column_size(new), 0) + coalesce(pg_column_size(old), 0) \
             + coalesce(pg_column_size(was), 0) AS bytes FROM {}.outbox \
           WHERE position > $1 AND NOT pg_visible_in_snapshot(xact, $2::text::pg_snapshot) \
             AND pg_visible_in_snapshot(xact, $3::text::pg_snapshot){of_topics} \
           ORDER BY position LIMIT $4) AS portion) AS measured \
         WHERE before < $5 ORDER BY position",
        tenant.schema()
    );
    let mut values: Vec<&(dyn ToSql + Sync)> = vec![
        &window.reached,
        &cursor.read,
        &window.upto,
        &size.events,
        &size.bytes,
    ];
    if let Some(topics) = &topics {
        values.extend([&topics.topics as &(dyn ToSql + Sync), &topics.in_part]);
    }
    let rows = executor.rows(&sql, &values).await?;
    let found = rows.first().map_or(0, |row| row.get::<_, i64>("found"));
    let is_whole = found < size.events && rows.len() as i64 == found;
    Ok((rows, is_whole))
}

/// The record after a change, or the wanted properties of a record that is read in part.
fn new_of(topics: Topics<'_>) -> String {
    let properties = topics.properties.iter();
    let properties: Vec<String> = properties
        .map(|name| format!("'{name}', coalesce(new, old)->'{name}'"))
        .collect();
    let properties = properties.join(", ");
    // An event without a record has none in part either.
    format!(
        "CASE WHEN topic = ANY($7) AND coalesce(new, old) IS NOT NULL THEN jsonb_strip_nulls(jsonb_build_object({properties})) ELSE new END"
    )
}

/// How much lies behind a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Backlog {
    /// The number of committed events that have not been read, counted up to the given number.
    pub events: i64,
    /// The age of the oldest of them, in milliseconds.
    pub oldest_ms: i64,
}

/// Counts what lies behind a cursor, up to `most`.
#[boxed]
pub async fn backlog(
    executor: &dyn Executor,
    tenant: &Tenant,
    cursor: &Cursor,
    most: i64,
) -> Result<Backlog, StoreError> {
    let unread = unread_sql(tenant.schema(), "$1::text::pg_snapshot");
    let (reached, upto) = match &cursor.window {
        None => (i64::MIN, NOTHING),
        Some(window) => (window.reached, window.upto.as_str()),
    };
    let sql = format!(
        "SELECT count(*) AS events, \
           coalesce((extract(epoch FROM clock_timestamp() - min(event_ts)) * 1000)::bigint, 0) AS oldest \
         FROM (SELECT event_ts FROM ({unread}) AS unread \
         WHERE position > $2 OR NOT pg_visible_in_snapshot(xact, $3::text::pg_snapshot) \
         LIMIT $4) AS counted"
    );
    let rows = executor
        .rows(&sql, &[&cursor.read, &reached, &upto, &most])
        .await?;
    Ok(rows.first().map_or_else(Backlog::default, |row| Backlog {
        events: row.get("events"),
        oldest_ms: row.get::<_, i64>("oldest").max(0),
    }))
}

/// Makes the index by which windows are found, beside writers, unless it is there. Another process that
/// builds indexes of this tenant is not waited for: then it is made at the next call.
///
/// # Errors
/// When the database does not allow it.
#[boxed]
pub async fn index_events(database: &Database, tenant: &Tenant) -> Result<bool, DatabaseError> {
    let schema = tenant.schema();
    if is_indexed(database, schema).await? {
        return Ok(true);
    }
    let Some(builder) = IndexBuilder::try_begin(database, schema).await? else {
        return Ok(false);
    };
    // Under the lock once more: another process may have been done with it just now.
    if is_indexed(database, schema).await? {
        return Ok(true);
    }
    builder.drop_index(OUTBOX_XACT_INDEX).await?;
    let sql = outbox_xact_index(schema);
    builder
        .build("outbox", OUTBOX_XACT_INDEX, &sql, &|_| {})
        .await?;
    builder.analyze("outbox").await?;
    Ok(true)
}

async fn is_indexed(database: &Database, schema: &str) -> Result<bool, DatabaseError> {
    let name = format!("{schema}.{OUTBOX_XACT_INDEX}");
    let sql = "SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND indisvalid";
    Ok(!database.query(sql, &[&name]).await?.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_was_written_and_nothing_else_is() {
        for text in ["1:1:", "5:9:5,7,8", "5:9:/7:12:7,11/4711", "5:9:6/9:9:/-1"] {
            let cursor: Cursor = text.parse().expect(text);
            assert_eq!(cursor.to_string(), text);
        }
        for text in [
            "",
            "0:1:",
            "2:1:",
            "1:1",
            "1:1::",
            "5:9:9",
            "5:9:4",
            "5:9:7,6",
            "5:9:6,6",
            "5:9:+6",
            "5:9:6,",
            "5:9:/7:12:",
            "5:9:/7:12:/x",
            "5:9:/7:12:/1/2",
            "99999999999999999999:99999999999999999999:",
            "1:1:'; DROP",
        ] {
            assert_eq!(text.parse::<Cursor>(), Err(CursorError), "{text}");
        }
    }

    #[test]
    fn behind_the_last_event_of_a_window_everything_that_it_saw_is_read() {
        let cursor: Cursor = "5:9:6/9:12:10/40".parse().expect("a cursor");
        assert_eq!(cursor.behind(41).to_string(), "5:9:6/9:12:10/41");
        assert_eq!(cursor.closed().to_string(), "9:12:10");
    }
}
