//! The statements of this area: mappings, the two queues, and what they say about items and requests.

pub mod items;
#[cfg(test)]
mod limits;
pub mod mappings;
pub mod queues;

use bytes::Bytes;
use octavo_postgres::{RawJson, Row};
use octavo_records::StoreError;

/// The JSON of a statement that gives one row with one document.
fn document(rows: &[Row]) -> Result<Bytes, StoreError> {
    let row = rows.first();
    let document = row.and_then(|row| row.get::<_, Option<RawJson<'_>>>("document"));
    let document = document.map(|json| Bytes::copy_from_slice(json.0));
    document.ok_or_else(|| StoreError::fault("a statement gave no document"))
}
