//! A kept file as a stream of bytes. Each portion is read by a statement of its own when the client
//! has taken the one before, so that one who reads slowly holds no connection.

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
            // A file that is deleted meanwhile ends as an error, not as if it were whole.
            let bytes = portion(&database, &tenant, file.id, number).await?;
            let bytes = bytes.ok_or(StoreError::NotFound)?;
            Ok(Some((
                Bytes::from(bytes),
                (database, tenant, file, number + 1),
            )))
        },
    )
}
