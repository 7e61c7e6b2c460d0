//! The span that every log line of a request carries: its id, its tenant, the pattern of its route and the
//! user's id. Never a path, a query, a name or a value.
//!
//! Where no line could be logged, a span costs a look at a static and allocates nothing.

use std::fmt::Display;

use tracing::field::{Empty, display};
use tracing::{Instrument, Span};

/// The span of one request. It has the level of errors, so that whichever lines are logged carry it.
#[derive(Debug, Clone)]
pub struct RequestSpan(Span);

impl RequestSpan {
    /// Of a request that came from outside.
    #[must_use]
    pub fn begin(id: &str) -> RequestSpan {
        RequestSpan(tracing::error_span!(
            "request",
            id,
            tenant = Empty,
            route = Empty,
            user = Empty
        ))
    }

    /// Of a timer, which nobody asks for.
    #[must_use]
    pub fn timer(id: &str, tenant: &str) -> RequestSpan {
        RequestSpan(tracing::error_span!("timer", id, tenant))
    }

    /// Whose records it is about.
    pub fn tenant(&self, id: &str) {
        self.0.record("tenant", id);
    }

    /// Where it goes.
    pub fn route(&self, method: &dyn Display, pattern: &str) {
        self.0
            .record("route", display(format_args!("{method} {pattern}")));
    }

    /// By whom.
    pub fn user(&self, id: &dyn Display) {
        self.0.record("user", display(id));
    }

    /// Does something in it.
    pub async fn run<T>(self, work: impl Future<Output = T>) -> T {
        work.instrument(self.0).await
    }
}

#[cfg(test)]
mod tests {
    use std::fmt;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    /// Says when it is put into words.
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
