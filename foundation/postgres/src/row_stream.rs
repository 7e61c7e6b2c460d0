//! Rows as they arrive, for results that may be larger than memory.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::Stream;
use octavo_trace::{Handle, SpanKind};
use tokio_postgres::Row;

use crate::connection::Connection;
use crate::error::{DatabaseError, is_stale_statement};
use crate::session::Params;

/// A stream of rows that owns its connection. Dropped early, it cancels the query.
pub struct RowStream {
    rows: Pin<Box<tokio_postgres::RowStream>>,
    connection: Connection,
    span: Handle,
    ended: bool,
}

impl fmt::Debug for RowStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowStream")
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}

impl RowStream {
    pub(crate) async fn start(
        connection: Connection,
        sql: &str,
        params: Params<'_>,
    ) -> Result<Self, DatabaseError> {
        let session = &connection.pooled().session;
        let mut span = session.span(SpanKind::Statement, sql, &Handle::OFF);
        let mut rows = open(&connection, sql, params, &span).await;
        if rows.as_ref().is_err_and(is_stale_statement) {
            session.statements.forget(sql);
            rows = open(&connection, sql, params, &span).await;
        }
        if let Err(error) = &rows {
            session.note(&mut span, error);
            span.end();
        }
        let rows = rows.map_err(|error| DatabaseError::of(error, sql))?;
        Ok(Self {
            rows: Box::pin(rows),
            connection,
            span,
            ended: false,
        })
    }
}

/// Starts a query. The connection counts as busy until the last row.
async fn open(
    connection: &Connection,
    sql: &str,
    params: Params<'_>,
    span: &Handle,
) -> Result<tokio_postgres::RowStream, tokio_postgres::Error> {
    let session = &connection.pooled().session;
    session.started();
    let answer = async {
        let statement = session.statements.get(&session.client, sql, span).await?;
        session
            .client
            .query_raw(&statement, params.iter().copied())
            .await
    }
    .await;
    if answer.is_err() {
        session.finished();
    }
    answer
}

impl Stream for RowStream {
    type Item = Result<Row, DatabaseError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.ended {
            return Poll::Ready(None);
        }
        let next = ready!(self.rows.as_mut().poll_next(cx));
        if let Some(Ok(row)) = &next {
            self.span.row(|| row.raw_size_bytes());
        } else {
            let ending = &mut *self;
            let session = &ending.connection.pooled().session;
            ending.ended = true;
            if let Some(Err(error)) = &next {
                session.note(&mut ending.span, error);
            }
            ending.span.end();
            session.finished();
        }
        Poll::Ready(next.map(|row| row.map_err(DatabaseError::from)))
    }
}
