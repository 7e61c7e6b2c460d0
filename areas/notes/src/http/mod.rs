//! mod-notes and mod-tags over HTTP: requests and responses, no decisions.

pub mod note_links;
pub mod note_types;
pub mod notes;
mod refusal;
pub mod tags;

use octavo_platform::records_http::{Hooks, Refused};
use octavo_platform::{ApiError, Call, Paging};
use octavo_records::Totals;
use refusal::{Subject, in_form, of_store};

/// The default limit of lists.
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

const HOOKS: Hooks = Hooks {
    paging,
    body: |call, _| call.json(),
    form: in_form,
    ..Hooks::NONE
};

/// The response for a refusal of the store.
fn stored(refused: Refused<'_>, subject: Subject) -> ApiError {
    of_store(refused.error, subject, refused.id)
}
