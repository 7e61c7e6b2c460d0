//! A page of the instances that a query finds.

use super::Failure;
use crate::query::{Fault, compile};
use crate::store::SearchTables;
use crate::store::search::Shown;

/// Maximal end of a page within the hits.
const REACH_MAX: i64 = 10_000;

/// The page as JSON.
///
/// # Errors
/// For an invalid query, or a page beyond the limit.
pub async fn search(
    place: SearchTables<'_>,
    query: &str,
    shown: Shown,
) -> Result<Vec<u8>, Failure> {
    if shown.offset + shown.limit > REACH_MAX {
        let message = "The sum of limit and offset should not exceed 10000.";
        let sum = (shown.offset + shown.limit).to_string();
        return Err(Fault::of(message, "offset + limit", sum).into());
    }
    let wanted = compile(query, place.tenant.id())?;
    let found = place.found(&wanted, shown).await?;
    let mut body = format!("{{\"totalRecords\": {}, \"instances\": [", found.total).into_bytes();
    body.extend_from_slice(&found.instances);
    body.extend_from_slice(b"]}");
    Ok(body)
}
