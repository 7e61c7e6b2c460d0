//! A filter: the gateway sends it every request of the tenant and continues whatever the response
//! is.

use http::{Request, StatusCode};
use hyper::body::Incoming;
use serde_json::json;

use crate::Module;
use crate::answer::{self, Refusal, Response};
use crate::caller::Caller;
use crate::options::Phase;

/// The route that lists the requests the filter has seen.
pub const SEEN: &str = "/request-log/seen";

/// Records that a request passed. Paths only: a query or a body may hold patron data.
pub fn passed(
    module: &Module,
    phase: Phase,
    request: &Request<Incoming>,
) -> Result<Response, Refusal> {
    if request.uri().path() == SEEN {
        let caller = Caller::of(request.headers())?;
        let seen = module.call_log.of(&caller.tenant);
        return Ok(answer::json(StatusCode::OK, &json!({"seen": seen})));
    }
    let header = |name: &str| {
        let value = request.headers().get(name)?;
        value.to_str().ok().map(str::to_owned)
    };
    let tenant = header("x-okapi-tenant").unwrap_or_default();
    let seen = json!({
        "method": request.method().as_str(),
        "path": request.uri().path(),
        // The gateway's name of the phase; in `post` the second header has the module's result.
        "filter": header("x-okapi-filter"),
        "answered": header("x-okapi-handler-result"),
    });
    module.call_log.note(phase.name(), &tenant, seen);
    Ok(answer::empty(StatusCode::NO_CONTENT))
}
