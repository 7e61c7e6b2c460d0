//! mod-notes over HTTP: requests in, answers out; no decisions.

pub mod note_links;
pub mod note_types;
pub mod notes;
mod refusal;

use octavo_platform::{ApiError, Call, Paging};
use octavo_records::{Collection, Totals};

/// The limit of lists without one.
const LIMIT_DEFAULT: i64 = 1_000;

/// `query`, `offset` and `limit` as mod-notes reads them; totals are always exact there.
fn paging(call: &Call) -> Result<Paging, ApiError> {
    let paging = call.paging_with_default(LIMIT_DEFAULT)?;
    if paging.limit < 1 {
        return Err(ApiError::bad_request(
            "limit: must be greater than or equal to 1",
        ));
    }
    Ok(Paging {
        totals: Totals::Exact,
        ..paging
    })
}

fn collection<'a>(call: &'a Call, table: &str) -> &'a Collection {
    call.store()
        .catalog
        .get(table)
        .expect("invariant: notes declares its own tables")
}
