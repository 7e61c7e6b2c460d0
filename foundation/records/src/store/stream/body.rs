//! The client's side of a stream: chunks in memory first, and then the file, if there is one.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use tokio::sync::{mpsc, watch};

use super::Shared;
use super::pump::Progress;
use super::spool::Spool;
use crate::error::StoreError;

struct Reader {
    shared: Arc<Shared>,
    waiting: mpsc::Receiver<Bytes>,
    progress: watch::Receiver<Progress>,
}

/// The chunks of a page. Dropped early, it stops the pump.
pub(super) fn read(
    shared: Arc<Shared>,
    waiting: mpsc::Receiver<Bytes>,
    progress: watch::Receiver<Progress>,
) -> BoxStream<'static, Result<Bytes, StoreError>> {
    let reader = Reader {
        shared,
        waiting,
        progress,
    };
    stream::try_unfold(reader, |mut reader| async move {
        Ok(reader.next().await?.map(|piece| (piece, reader)))
    })
    .boxed()
}

impl Reader {
    async fn next(&mut self) -> Result<Option<Bytes>, StoreError> {
        if let Some(piece) = self.waiting.recv().await {
            self.shared.pieces_gone(piece.len());
            return Ok(Some(piece));
        }
        loop {
            // The order matters: what is written before the end is seen has to be read after it.
            let (end, spool) = self.seen();
            if let Some(Err(reason)) = end {
                return Err(StoreError::fault(reason));
            }
            if let Some(spool) = spool {
                let piece = spool.next().await.map_err(|error| {
                    StoreError::fault(format!("the rest cannot be read back: {error}"))
                })?;
                if !piece.is_empty() {
                    return Ok(Some(piece));
                }
            }
            if end.is_some() {
                return Ok(None);
            }
            if self.progress.changed().await.is_err() {
                let reason = "the stream ended without its end".to_owned();
                return Err(StoreError::fault(reason));
            }
        }
    }

    fn seen(&mut self) -> (Option<Result<(), String>>, Option<Arc<Spool>>) {
        let progress = self.progress.borrow_and_update();
        (progress.end.clone(), progress.spool.clone())
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.waiting.close();
        while let Ok(piece) = self.waiting.try_recv() {
            self.shared.pieces_gone(piece.len());
        }
    }
}
