//! `COPY ... FROM STDIN`: the fast way to insert many rows.

use std::fmt;
use std::pin::Pin;

use bytes::Bytes;
use futures_util::SinkExt;
use octavo_boxed::boxed;
use octavo_trace::{Handle, SpanKind};
use tokio_postgres::CopyInSink;

use crate::error::DatabaseError;
use crate::session::Session;

/// A running COPY. Dropped without [`CopyIn::finish`], nothing of it is stored.
pub struct CopyIn<'a> {
    sink: Pin<Box<CopyInSink<Bytes>>>,
    session: &'a Session,
    span: Handle,
}

impl fmt::Debug for CopyIn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CopyIn").finish_non_exhaustive()
    }
}

impl<'a> CopyIn<'a> {
    /// Starts a COPY. The connection counts as busy until it is finished.
    pub(crate) async fn start(
        session: &'a Session,
        sql: &str,
        under: &Handle,
    ) -> Result<Self, DatabaseError> {
        let mut span = session.span(SpanKind::Copy, sql, under);
        session.started();
        match session.client.copy_in(sql).await {
            Ok(sink) => Ok(Self {
                sink: Box::pin(sink),
                session,
                span,
            }),
            Err(error) => {
                session.finished();
                session.note(&mut span, &error);
                span.end();
                Err(DatabaseError::of(error, sql))
            }
        }
    }

    /// Sends a chunk; chunks need not end where rows do. Send tens of kilobytes at a time.
    #[boxed]
    pub async fn send(&mut self, chunk: Bytes) -> Result<(), DatabaseError> {
        self.span.sent(chunk.len());
        Ok(self.sink.feed(chunk).await?)
    }

    /// Ends the copy and returns the number of rows stored.
    #[boxed]
    pub async fn finish(mut self) -> Result<u64, DatabaseError> {
        let answer = self.sink.as_mut().finish().await;
        self.session.finished();
        match &answer {
            Ok(rows) => self.span.rows(*rows),
            Err(error) => self.session.note(&mut self.span, error),
        }
        self.span.end();
        Ok(answer?)
    }
}
