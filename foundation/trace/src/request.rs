//! The tracing span of every request, which its log lines carry: request id, tenant, route pattern
//! and user id. Never a path, a query, a name or a value.
//!
//! With logging off, a span costs a look at a static and allocates nothing.

use std::fmt::Display;

use tracing::field::{Empty, display};
use tracing::{Instrument, Span};

/// The span of one request. It has level error, so that it is enabled whenever any log line is.
#[derive(Debug, Clone)]
pub struct RequestSpan(Span);

impl RequestSpan {
    /// The span of a client's request.
    #[must_use]
    pub fn begin(id: &str) -> RequestSpan {
        RequestSpan(tracing::error_span!(
            "request",
            id,
            trace = Empty,
            tenant = Empty,
            route = Empty,
            user = Empty
        ))
    }

    /// The span of a timer, which has no request.
    #[must_use]
    pub fn timer(id: &str, tenant: &str) -> RequestSpan {
        RequestSpan(tracing::error_span!("timer", id, tenant))
    }

    /// Sets the id of the distributed trace that the request is part of.
    pub fn trace(&self, id: &str) {
        self.0.record("trace", id);
    }

    /// Sets the tenant.
    pub fn tenant(&self, id: &str) {
        self.0.record("tenant", id);
    }

    /// Sets the route.
    pub fn route(&self, method: &dyn Display, pattern: &str) {
        self.0
            .record("route", display(format_args!("{method} {pattern}")));
    }

    /// Sets the user.
    pub fn user(&self, id: &dyn Display) {
        self.0.record("user", display(id));
    }

    /// Runs a future inside the span.
    pub async fn run<T>(self, work: impl Future<Output = T>) -> T {
        work.instrument(self.0).await
    }
}

#[cfg(test)]
mod tests {
    use std::fmt;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    /// Notes when it is formatted.
    struct Watched<'a>(&'a AtomicBool);

    impl Display for Watched<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.store(true, Ordering::Relaxed);
            f.write_str("watched")
        }
    }

    #[test]
    fn where_nothing_is_logged_nothing_is_put_into_words() {
        let worded = AtomicBool::new(false);
        let span = RequestSpan::begin("1");
        span.tenant("diku");
        span.route(&Watched(&worded), "/users/{id}");
        span.user(&Watched(&worded));
        assert!(!worded.load(Ordering::Relaxed));
        assert!(span.0.is_disabled());
    }
}
