//! mod-calendar over HTTP: requests in, answers out; no decisions.

pub mod calendars;
pub mod dates;
mod parameters;
mod refusal;

use octavo_platform::Call;
use octavo_records::Tables;

use crate::app::Context;

fn context(call: &Call) -> Context<'_> {
    Context {
        store: call.store(),
        tenant: &call.tenant,
        stamp: call.stamp(),
    }
}

fn tables(call: &Call) -> Tables<'_> {
    Tables {
        tenant: &call.tenant,
        catalog: &call.store().catalog,
    }
}
