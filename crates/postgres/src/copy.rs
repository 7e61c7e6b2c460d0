//! `COPY ... FROM STDIN`: the fast way in for many rows.

use std::fmt;
use std::pin::Pin;

use bytes::Bytes;
use futures_util::SinkExt;
use tokio_postgres::CopyInSink;

use crate::error::DatabaseError;
use crate::session::Session;

/// A running COPY. Dropped without [`CopyIn::finish`], nothing of it stays.
pub struct CopyIn<'a> {
    sink: Pin<Box<CopyInSink<Bytes>>>,
    session: &'a Session,
}

impl fmt::Debug for CopyIn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CopyIn").finish_non_exhaustive()
    }
}

impl<'a> CopyIn<'a> {
    /// Leaves the call counted as unfinished when it succeeds.
    pub(crate) async fn start(session: &'a Session, sql: &str) -> Result<Self, DatabaseError> {
        session.started();
        match session.client.copy_in(sql).await {
            Ok(sink) => Ok(Self {
                sink: Box::pin(sink),
                session,
            }),
            Err(error) => {
                session.finished();
                Err(error.into())
            }
        }
    }

    /// Sends a piece; pieces need not end where rows do. Send tens of kilobytes at a time.
    pub async fn send(&mut self, chunk: Bytes) -> Result<(), DatabaseError> {
        Ok(self.sink.feed(chunk).await?)
    }

    /// Ends the copy and gives the number of rows stored.
    pub async fn finish(mut self) -> Result<u64, DatabaseError> {
        let answer = self.sink.as_mut().finish().await;
        self.session.finished();
        Ok(answer?)
    }
}
