//! Loads many records at once by COPY. The documents are not validated beyond the table's keys and
//! references, and leave no domain events; triggers that note changes know a load by the setting `octavo.loads`.

use bytes::{BufMut, Bytes, BytesMut};
use octavo_boxed::boxed;
use octavo_postgres::{CopyIn, Transaction};
use uuid::Uuid;

use crate::collection::Collection;
use crate::error::{StoreError, refused};
use crate::tenant::Tenant;

/// The approximate size of the chunks that are sent.
const PIECE_BYTES: usize = 256 * 1024;
/// The rows of one COPY. PostgreSQL keeps the work of triggers and references in memory until the
/// end of each.
const ROWS_MAX: u64 = 20_000;
/// The setting that is `on` during a COPY.
const SETTING: &str = "octavo.loads";
/// The beginning of a binary COPY: its signature, no flags, no extension.
const HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
const JSONB_VERSION: u8 = 1;

/// A load of records into one table.
#[derive(Debug)]
pub struct BulkLoad<'a> {
    transaction: &'a Transaction,
    sql: String,
    copy: Option<CopyIn<'a>>,
    collection: &'a Collection,
    buffer: BytesMut,
    rows: u64,
}

impl<'a> BulkLoad<'a> {
    /// A load into a collection's table, inside a transaction.
    #[must_use]
    pub fn begin(
        transaction: &'a Transaction,
        tenant: &Tenant,
        collection: &'a Collection,
    ) -> BulkLoad<'a> {
        let sql = format!(
            "COPY {}.{} (id, jsonb) FROM STDIN (FORMAT binary)",
            tenant.schema(),
            collection.table
        );
        BulkLoad {
            transaction,
            sql,
            copy: None,
            collection,
            buffer: BytesMut::with_capacity(PIECE_BYTES + 16 * 1024),
            rows: 0,
        }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// When the database rejects what was sent so far.
    #[boxed]
    pub async fn add(&mut self, id: Uuid, json: &str) -> Result<(), StoreError> {
        let length = i32::try_from(json.len() + 1)
            .map_err(|_| StoreError::TooLarge("a document is larger than 2 GB".to_owned()))?;
        if self.copy.is_none() {
            let on = format!("SET LOCAL {SETTING} = 'on'");
            self.transaction.batch_execute(&on).await?;
            self.copy = Some(self.transaction.copy_in(&self.sql).await?);
            self.buffer.put_slice(HEADER);
        }
        self.buffer.put_i16(2);
        self.buffer.put_i32(16);
        self.buffer.put_slice(id.as_bytes());
        self.buffer.put_i32(length);
        self.buffer.put_u8(JSONB_VERSION);
        self.buffer.put_slice(json.as_bytes());
        self.rows += 1;
        if self.rows.is_multiple_of(ROWS_MAX) {
            self.end_copy().await?;
        } else if self.buffer.len() >= PIECE_BYTES {
            self.flush().await?;
        }
        Ok(())
    }

    /// Ends the present COPY; later records go into another one in the same transaction.
    async fn end_copy(&mut self) -> Result<(), StoreError> {
        self.buffer.put_i16(-1);
        self.flush().await?;
        if let Some(copy) = self.copy.take() {
            copy.finish().await.map_err(|error| {
                refused(error, self.collection, self.collection.conflict_status)
            })?;
            let off = format!("SET LOCAL {SETTING} = 'off'");
            self.transaction.batch_execute(&off).await?;
        }
        self.buffer.clear();
        Ok(())
    }

    async fn flush(&mut self) -> Result<(), StoreError> {
        let piece: Bytes = self.buffer.split().freeze();
        let Some(copy) = &mut self.copy else {
            return Ok(());
        };
        copy.send(piece)
            .await
            .map_err(|error| refused(error, self.collection, self.collection.conflict_status))
    }

    /// Ends the load; returns the number of records.
    ///
    /// # Errors
    /// When the database rejects one of them: then none is stored.
    #[boxed]
    pub async fn finish(mut self) -> Result<u64, StoreError> {
        self.end_copy().await?;
        Ok(self.rows)
    }
}
