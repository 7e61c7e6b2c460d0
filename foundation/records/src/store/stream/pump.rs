//! Reads rows, joins them into chunks and passes them on: to the client while it reads, into a file
//! when it does not. The connection and the permit are returned as soon as the rows end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::TryStreamExt;
use octavo_postgres::{Row, RowStream};
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use tokio::time::timeout;

use super::spool::{Spool, SpoolError};
use super::{Frame, PATIENCE_TOTAL, PIECE_BYTES, Request, Shared};
use crate::error::StoreError;
use crate::store::Store;
use crate::store::page::{closing, json_of, opening};
use crate::store::search_rows::Hits;
use crate::store::total::PageFacts;

/// What the reader of a stream has to know beside the chunks in memory.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// The file with the rest, if there is one.
    pub spool: Option<Arc<Spool>>,
    /// How the stream ended: complete, or with the reason why it was aborted.
    pub end: Option<Result<(), String>>,
}

/// Why a chunk was not passed on.
pub(super) enum Stopped {
    /// The client has disconnected.
    Gone,
    /// The chunk could not be written to the file.
    Spool(SpoolError),
    /// The database failed.
    Store(StoreError),
}

/// The pump's end of a stream.
pub(super) struct Outlet {
    shared: Arc<Shared>,
    /// Dropped when the rest goes into a file.
    pieces: Option<mpsc::Sender<Bytes>>,
    progress: watch::Sender<Progress>,
    spool: Option<Arc<Spool>>,
    patience_left: Duration,
}

/// Sends a whole page, and then watches its file until it is read.
pub(super) async fn run(
    request: Request,
    rows: RowStream,
    first: Option<Row>,
    turn: OwnedSemaphorePermit,
    mut outlet: Outlet,
) {
    let end = match pump(&request, rows, first, turn, &mut outlet).await {
        Ok(()) => Ok(()),
        Err(Stopped::Gone) => return,
        Err(Stopped::Spool(error)) => Err(error.to_string()),
        Err(Stopped::Store(error)) => Err(error.to_string()),
    };
    if let Err(reason) = &end {
        tracing::warn!(%reason, of = request.frame.name(), "a streamed list was aborted");
    }
    drop(request);
    outlet.finish(end).await;
}

async fn pump(
    request: &Request,
    mut rows: RowStream,
    first: Option<Row>,
    turn: OwnedSemaphorePermit,
    outlet: &mut Outlet,
) -> Result<(), Stopped> {
    let mut piece = request.frame.opening();
    let mut returned = 0_i64;
    let mut next = first;
    while let Some(row) = next {
        if returned > 0 {
            piece.extend_from_slice(request.frame.between());
        }
        piece.extend_from_slice(json_of(&row));
        returned += 1;
        if piece.len() >= PIECE_BYTES {
            let full = std::mem::replace(&mut piece, Vec::with_capacity(PIECE_BYTES + 4_096));
            let patience = outlet.shared.patience();
            outlet.put(Bytes::from(full), patience).await?;
        }
        next = tokio::select! {
            // Dropping the rows cancels the statement.
            () = outlet.progress.closed() => return Err(Stopped::Gone),
            row = rows.try_next() => row.map_err(|error| Stopped::Store(error.into()))?,
        };
    }
    drop(rows);
    drop(turn);
    let end = request.frame.closing(&request.store, returned).await;
    piece.extend_from_slice(end.map_err(Stopped::Store)?.as_bytes());
    if piece.is_empty() {
        return Ok(());
    }
    // No connection is held any more, so the client may take its time.
    outlet.put(Bytes::from(piece), Duration::MAX).await
}

impl Frame {
    /// Its name in the log.
    fn name(&self) -> &str {
        match self {
            Frame::List(list) => &list.collection.table,
            Frame::Bare(name) => name,
        }
    }

    fn opening(&self) -> Vec<u8> {
        match self {
            Frame::List(list) => opening(&list.collection),
            Frame::Bare(_) => Vec::new(),
        }
    }

    fn between(&self) -> &'static [u8] {
        match self {
            Frame::List(_) => b",",
            Frame::Bare(_) => b"",
        }
    }

    /// The end of the page, with the total.
    async fn closing(&self, store: &Store, returned: i64) -> Result<String, StoreError> {
        let Frame::List(list) = self else {
            return Ok(String::new());
        };
        let page = PageFacts {
            limit: list.limit,
            offset: list.offset,
            returned,
            totals: list.totals,
        };
        let total = store
            .total(
                &list.tenant,
                &list.collection,
                &list.predicate,
                page,
                Hits::Unknown,
            )
            .await?;
        Ok(closing(&list.collection, total, &list.facets))
    }
}

impl Outlet {
    pub(super) fn new(
        shared: Arc<Shared>,
        pieces: mpsc::Sender<Bytes>,
        progress: watch::Sender<Progress>,
    ) -> Outlet {
        Outlet {
            shared,
            pieces: Some(pieces),
            progress,
            spool: None,
            patience_left: PATIENCE_TOTAL,
        }
    }

    /// Passes a chunk to the client, or to the file when that takes longer than `patience` or the
    /// client's total wait is used up.
    async fn put(&mut self, piece: Bytes, patience: Duration) -> Result<(), Stopped> {
        if let Some(pieces) = self.pieces.clone() {
            let patience = match patience {
                Duration::MAX => patience,
                most => most.min(self.patience_left),
            };
            let asked = Instant::now();
            match timeout(patience, pieces.reserve()).await {
                Ok(Ok(place)) => {
                    self.patience_left = self.patience_left.saturating_sub(asked.elapsed());
                    self.shared.piece_waits(piece.len());
                    place.send(piece);
                    return Ok(());
                }
                Ok(Err(_)) => return Err(Stopped::Gone),
                Err(_) => self.begin_spool()?,
            }
        }
        if self.progress.is_closed() {
            return Err(Stopped::Gone);
        }
        if let Some(spool) = &self.spool {
            spool.append(piece).await.map_err(Stopped::Spool)?;
            // Wakes a reader that has read all of the file.
            self.progress.send_modify(|_| ());
        }
        Ok(())
    }

    fn begin_spool(&mut self) -> Result<(), Stopped> {
        let spool = Arc::new(Spool::open(&self.shared).map_err(Stopped::Spool)?);
        self.spool = Some(Arc::clone(&spool));
        self.progress
            .send_modify(|progress| progress.spool = Some(spool));
        // The reader turns to the file when no chunk in memory is left.
        self.pieces = None;
        Ok(())
    }

    /// Records how it ended. A file is then watched until it is read or abandoned.
    async fn finish(mut self, end: Result<(), String>) {
        self.progress
            .send_modify(|progress| progress.end = Some(end));
        self.pieces = None;
        if let Some(spool) = self.spool.take() {
            tokio::select! {
                () = self.progress.closed() => {}
                () = spool.deserted() => {
                    tracing::warn!("a streamed list was aborted: its client stopped reading");
                    spool.give_up();
                    self.progress.send_modify(|progress| {
                        progress.end = Some(Err("its client did not read for too long".to_owned()));
                    });
                }
            }
        }
    }
}
