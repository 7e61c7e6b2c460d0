//! What a module does periodically for each tenant: FOLIO's `_timer` interface.

use http::Method;

use crate::route::Handler;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Schedule {
    /// Every so many units: `millisecond`, `second`, `minute`, `hour` or `day`.
    Every { delay: u32, unit: &'static str },
    /// By a cron expression of five fields, in UTC.
    Cron(&'static str),
}

/// One timer of a native module. Its handler is called like a route's, without a user.
#[derive(Debug, Clone)]
pub struct Timer {
    /// FOLIO's method, by which clients identify the timer.
    pub method: Method,
    /// FOLIO's path, by which clients identify the timer.
    pub path: &'static str,
    pub schedule: Schedule,
    pub handler: Handler,
}

impl Timer {
    /// A timer that runs every `delay` times `unit`.
    #[must_use]
    pub fn every(delay: u32, unit: &'static str, path: &'static str, handler: Handler) -> Timer {
        Timer {
            method: Method::POST,
            path,
            schedule: Schedule::Every { delay, unit },
            handler,
        }
    }

    /// A timer that runs by a cron expression of five fields, in UTC.
    #[must_use]
    pub fn cron(expression: &'static str, path: &'static str, handler: Handler) -> Timer {
        Timer {
            method: Method::POST,
            path,
            schedule: Schedule::Cron(expression),
            handler,
        }
    }
}
