//! Streams a stored file. Each portion is read by its own statement after the client has consumed the
//! previous one, so that a slow client holds no connection.

use bytes::Bytes;
use futures_util::stream::{self, Stream};
use octavo_postgres::Database;
use octavo_records::{StoreError, Tenant};

use crate::store::files::{File, portion};

/// The file's bytes.
pub fn bytes_of(
    database: Database,
    tenant: Tenant,
    file: File,
) -> impl Stream<Item = Result<Bytes, StoreError>> + Send + 'static {
    stream::try_unfold(
        (database, tenant, file, 1),
        |(database, tenant, file, number)| async move {
            if number > file.portions {
                return Ok(None);
            }
            // A file deleted meanwhile ends the stream with an error, not as if complete.
            let bytes = portion(&database, &tenant, file.id, number).await?;
            let bytes = bytes.ok_or(StoreError::NotFound)?;
            Ok(Some((
                Bytes::from(bytes),
                (database, tenant, file, number + 1),
            )))
        },
    )
}
