//! One connection with its prepared statements. Lanes share sessions; the pool lends them.

use std::error::Error as Reason;
use std::future::{poll_fn, ready};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;

use bytes::BytesMut;
use futures_util::TryStreamExt;
use tokio::sync::watch;
use tokio_postgres::types::{Format, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, Config, Error, Row};

use octavo_trace::{self as trace, Handle, SpanKind};

use crate::connect;
use crate::error::{DatabaseError, is_stale_statement};
use crate::pulse::Pulse;
use crate::statements::StatementCache;

/// Bound values as the driver takes them.
pub(crate) type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// Bound values with their types, as the driver takes them for an unprepared statement.
pub(crate) type TypedParams<'a> = &'a [(&'a (dyn ToSql + Sync), Type)];

/// A reading statement with its values.
#[derive(Clone, Copy)]
pub(crate) enum Reading<'a> {
    /// Prepared, and planned once for all values.
    Prepared(&'a str, Params<'a>),
    /// Planned with these values, and not prepared.
    Fresh(&'a str, TypedParams<'a>),
}

impl<'a> Reading<'a> {
    pub(crate) fn sql(self) -> &'a str {
        match self {
            Reading::Prepared(sql, _) | Reading::Fresh(sql, _) => sql,
        }
    }
}

/// What is set on every new connection.
#[derive(Clone, Debug)]
pub(crate) struct SessionSettings {
    pub statement_timeout: Duration,
    /// A shorter statement time-out, where other statements wait behind.
    pub stopped_after: Option<Duration>,
    pub idle_in_transaction_timeout: Duration,
    /// Shared by all connections to one server.
    pub pulse: Arc<Pulse>,
    /// Reads from and writes to the connections, whoever opened them: work on another runtime must not hold up answers
    /// to this one's.
    pub runtime: tokio::runtime::Handle,
}

impl SessionSettings {
    pub(crate) fn sql(&self) -> String {
        let stopped_after = self.stopped_after.unwrap_or(self.statement_timeout);
        format!(
            "SET statement_timeout = {}; SET idle_in_transaction_session_timeout = {}",
            stopped_after.as_millis(),
            self.idle_in_transaction_timeout.as_millis()
        )
    }
}

/// Polls a connection one turn after it is woken: requests that are ready at the same time hand in
/// their statements first, and all of them are sent in one system call.
async fn after_the_others<T>(connection: impl Future<Output = T>) -> T {
    let mut connection = pin!(connection);
    let mut its_turn = false;
    poll_fn(|context| {
        its_turn = !its_turn;
        if its_turn {
            // A task that wakes itself while it runs goes to the end of the queue.
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        connection.as_mut().poll(context)
    })
    .await
}

/// The result of a statement.
pub(crate) struct Outcome {
    pub rows: Vec<Row>,
    pub affected: u64,
}

pub(crate) struct Session {
    pub client: Client,
    pub statements: StatementCache,
    /// The connection's name in traces.
    name: String,
    unfinished: AtomicUsize,
    closed: watch::Receiver<bool>,
    pulse: Arc<Pulse>,
    /// Whether a message was so large that the driver's buffers are large from now on.
    large_buffers: AtomicBool,
}

/// A connection with a value or row of so many bytes is not kept: the driver's buffers grow with
/// the largest message and never shrink.
const LARGE_MESSAGE_BYTES: usize = 1024 * 1024;

/// A bound value that reports when it is large.
#[derive(Debug)]
struct MeasuredValue<'a> {
    value: &'a (dyn ToSql + Sync),
    large_buffers: &'a AtomicBool,
}

impl ToSql for MeasuredValue<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Reason + Sync + Send>> {
        let before = out.len();
        let written = self.value.to_sql_checked(kind, out);
        if out.len() - before >= LARGE_MESSAGE_BYTES {
            self.large_buffers.store(true, Ordering::Relaxed);
        }
        written
    }

    fn accepts(_: &Type) -> bool {
        // The inner value checks its type when it is written.
        true
    }

    fn encode_format(&self, kind: &Type) -> Format {
        self.value.encode_format(kind)
    }

    to_sql_checked!();
}

impl Session {
    /// Opens a connection with this name in traces.
    pub(crate) async fn open(
        config: &Config,
        settings: &SessionSettings,
        name: String,
    ) -> Result<Self, DatabaseError> {
        let config = config.clone();
        let opening = settings
            .runtime
            .spawn(async move { connect::open(&config).await });
        let (client, connection) = opening
            .await
            .map_err(|error| DatabaseError::unreachable(error.to_string()))??;
        let (closing, closed) = watch::channel(false);
        let driver = settings
            .runtime
            .spawn(async move {
                if let Err(error) = after_the_others(connection).await {
                    tracing::debug!(
                        reason = crate::error::describe(&error),
                        "a database connection ended"
                    );
                }
                closing.send_replace(true);
            })
            .abort_handle();
        settings.pulse.drives(driver);
        client.batch_execute(&settings.sql()).await?;
        let statements = StatementCache::new();
        Ok(Self {
            client,
            statements,
            name,
            unfinished: AtomicUsize::new(0),
            closed,
            pulse: Arc::clone(&settings.pulse),
            large_buffers: AtomicBool::new(false),
        })
    }

    /// Whether it holds more memory than a reused connection should.
    pub(crate) fn has_large_buffers(&self) -> bool {
        self.large_buffers.load(Ordering::Relaxed)
    }

    fn measured<'a>(&'a self, value: &'a (dyn ToSql + Sync)) -> MeasuredValue<'a> {
        let large_buffers = &self.large_buffers;
        MeasuredValue {
            value,
            large_buffers,
        }
    }

    fn measure_row(&self, row: &Row) {
        if row.raw_size_bytes() >= LARGE_MESSAGE_BYTES {
            self.large_buffers.store(true, Ordering::Relaxed);
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.client.is_closed() || *self.closed.borrow()
    }

    /// Completes when the connection has ended.
    pub(crate) async fn closed(&self) {
        let mut closed = self.closed.clone();
        // An error means that the driving task has ended, which comes to the same.
        let _ = closed.wait_for(|closed| *closed).await;
    }

    /// Whether there are calls that were started and neither answered nor refused: their futures
    /// were dropped while the server works on, so the connection must not go to another borrower.
    pub(crate) fn has_unfinished(&self) -> bool {
        self.unfinished.load(Ordering::Acquire) > 0
    }

    pub(crate) fn started(&self) {
        self.unfinished.fetch_add(1, Ordering::AcqRel);
    }

    pub(crate) fn finished(&self) {
        self.unfinished.fetch_sub(1, Ordering::AcqRel);
    }

    /// Counts `call` as unfinished until it is answered.
    pub(crate) async fn counted<T>(&self, call: impl Future<Output = T>) -> T {
        self.started();
        let waiting = self.pulse.wait();
        let answer = call.await;
        self.pulse.moved();
        drop(waiting);
        self.finished();
        answer
    }

    /// A span for a statement that is sent now, inside a transaction's if it belongs to one.
    pub(crate) fn span(&self, kind: SpanKind, sql: &str, under: &Handle) -> Handle {
        let mut span = trace::statement(kind, sql, under);
        span.place(
            || self.name.clone(),
            self.unfinished.load(Ordering::Relaxed),
        );
        span
    }

    /// Runs a prepared statement once, without retry.
    pub(crate) async fn run(
        &self,
        sql: &str,
        params: Params<'_>,
        under: &Handle,
    ) -> Result<Outcome, Error> {
        self.run_in_turn(sql, params, under, ready(())).await
    }

    /// As [`Session::run`]; the statement is sent in the poll in which `turn` is ready, after it was prepared.
    pub(crate) async fn run_in_turn(
        &self,
        sql: &str,
        params: Params<'_>,
        under: &Handle,
        turn: impl Future<Output = ()>,
    ) -> Result<Outcome, Error> {
        let mut span = self.span(SpanKind::Statement, sql, under);
        let answer = self.run_in(sql, params, &mut span, turn).await;
        match &answer {
            Ok(outcome) => span.rows(outcome.affected),
            Err(error) => self.note(&mut span, error),
        }
        span.end();
        answer
    }

    async fn run_in(
        &self,
        sql: &str,
        params: Params<'_>,
        span: &mut Handle,
        turn: impl Future<Output = ()>,
    ) -> Result<Outcome, Error> {
        self.counted(async {
            let statement = self.statements.get(&self.client, sql, span).await?;
            turn.await;
            let stream = self
                .client
                .query_raw(&statement, params.iter().map(|value| self.measured(*value)))
                .await?;
            let mut stream = pin!(stream);
            let mut rows = Vec::new();
            while let Some(row) = stream.try_next().await? {
                span.row(|| row.raw_size_bytes());
                self.measure_row(&row);
                rows.push(row);
            }
            let affected = stream.rows_affected().unwrap_or(0);
            Ok(Outcome { rows, affected })
        })
        .await
    }

    /// Runs a reading statement outside a transaction.
    pub(crate) async fn read(&self, reading: Reading<'_>) -> Result<Vec<Row>, Error> {
        match reading {
            Reading::Prepared(sql, params) => Ok(self.run_alone(sql, params).await?.rows),
            Reading::Fresh(sql, params) => self.run_fresh(sql, params).await,
        }
    }

    /// Runs a statement that is planned with these values, and not prepared.
    async fn run_fresh(&self, sql: &str, params: TypedParams<'_>) -> Result<Vec<Row>, Error> {
        let mut span = self.span(SpanKind::Statement, sql, &Handle::OFF);
        let answer = self.counted(async {
            let params = params
                .iter()
                .map(|(value, of_type)| (self.measured(*value), of_type.clone()));
            let stream = self.client.query_typed_raw(sql, params).await?;
            let mut stream = pin!(stream);
            let mut rows = Vec::new();
            while let Some(row) = stream.try_next().await? {
                span.row(|| row.raw_size_bytes());
                self.measure_row(&row);
                rows.push(row);
            }
            Ok(rows)
        });
        let answer = answer.await;
        if let Err(error) = &answer {
            self.note(&mut span, error);
        }
        span.end();
        answer
    }

    /// Runs a statement outside a transaction; prepares it again, once, when tables have changed.
    pub(crate) async fn run_alone(&self, sql: &str, params: Params<'_>) -> Result<Outcome, Error> {
        match self.run(sql, params, &Handle::OFF).await {
            Err(error) if is_stale_statement(&error) => {
                self.statements.forget(sql);
                self.run(sql, params, &Handle::OFF).await
            }
            other => other,
        }
    }

    /// Records why a statement failed, in its span and for the server's other connections.
    pub(crate) fn note(&self, span: &mut Handle, error: &Error) {
        self.pulse.refused(error);
        note(span, error);
    }

    /// Runs statements without values: BEGIN, COMMIT and the like, and batches.
    pub(crate) async fn batch(
        &self,
        kind: SpanKind,
        sql: &str,
        under: &Handle,
    ) -> Result<(), Error> {
        let mut span = self.span(kind, sql, under);
        let answer = self.counted(self.client.batch_execute(sql)).await;
        if let Err(error) = &answer {
            self.note(&mut span, error);
        }
        span.end();
        answer
    }
}

/// Records why a statement failed, without PostgreSQL's text, which may contain values.
fn note(span: &mut Handle, error: &Error) {
    span.note(|| match error.code() {
        Some(code) => format!("refused with SQLSTATE {}", code.code()),
        None => "no answer".to_owned(),
    });
}

/// The only row of a result of at most one.
pub(crate) fn at_most_one(mut rows: Vec<Row>) -> Result<Option<Row>, DatabaseError> {
    if rows.len() > 1 {
        tracing::warn!(
            rows = rows.len(),
            "a query for at most one row gave more; took the first"
        );
    }
    rows.truncate(1);
    Ok(rows.pop())
}
