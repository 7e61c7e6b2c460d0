//! Figures of what was answered: for each route template and method the responses by status class, and a
//! histogram of times. Their number is bounded by the declared routes, never by what clients send.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use http::{Method, StatusCode};

/// The upper bounds of the histogram, in microseconds; above the last there is one more bucket.
pub const BOUNDS_US: [u64; 13] = [
    1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
    5_000_000, 10_000_000,
];
/// The methods that are told apart; the last stands for all others.
pub const METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OTHER"];
/// The most route templates: remote modules bring some, too.
const ROUTES_MAX: usize = 10_000;
/// The route of requests beyond that.
const OTHERS: &str = "other";
/// The route of requests to none.
pub const NO_ROUTE: &str = "none";
/// The route of pages beside the API.
pub const PAGES: &str = "pages";

/// The figures of this process.
#[derive(Debug, Default)]
pub struct RequestMetrics {
    routes: RwLock<HashMap<Cow<'static, str>, Arc<ByMethod>>>,
}

#[derive(Debug, Default)]
struct ByMethod {
    figures: [OnceLock<RouteFigures>; METHODS.len()],
}

/// The figures of a route and method.
#[derive(Debug, Default)]
struct RouteFigures {
    /// By the first digit of the status, from 1 to 5.
    statuses: [AtomicU64; 5],
    /// Not cumulative, the last above all bounds.
    buckets: [AtomicU64; BOUNDS_US.len() + 1],
    sum_us: AtomicU64,
}

/// The figures of a route and method at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteSnapshot {
    pub route: String,
    pub method: &'static str,
    /// Responses by the first digit of their status, from 1 to 5.
    pub statuses: [u64; 5],
    /// Responses by time, one bucket for each of [`BOUNDS_US`] and one above; not cumulative.
    pub buckets: [u64; BOUNDS_US.len() + 1],
    /// All times together, in microseconds.
    pub sum_us: u64,
}

impl RequestMetrics {
    /// Notes an answer: the time is that until its head was ready.
    pub(crate) fn note(
        &self,
        route: Cow<'static, str>,
        method: &Method,
        status: StatusCode,
        elapsed: Duration,
    ) {
        let by_method = self.of(route);
        let at = METHODS.iter().position(|one| *one == method.as_str());
        let figures =
            by_method.figures[at.unwrap_or(METHODS.len() - 1)].get_or_init(RouteFigures::default);
        let class = usize::from(status.as_u16() / 100).clamp(1, 5) - 1;
        figures.statuses[class].fetch_add(1, Ordering::Relaxed);
        let us = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS_US.partition_point(|bound| *bound < us);
        figures.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        figures.sum_us.fetch_add(us, Ordering::Relaxed);
    }

    fn of(&self, route: Cow<'static, str>) -> Arc<ByMethod> {
        let routes = self.routes.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = routes.get(&route) {
            return Arc::clone(found);
        }
        let is_full = routes.len() >= ROUTES_MAX;
        drop(routes);
        let route = if is_full {
            Cow::Borrowed(OTHERS)
        } else {
            route
        };
        let mut routes = self.routes.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(routes.entry(route).or_default())
    }

    /// The figures of all routes that were asked for, in order.
    #[must_use]
    pub fn snapshot(&self) -> Vec<RouteSnapshot> {
        let load = |one: &AtomicU64| one.load(Ordering::Relaxed);
        let routes = self.routes.read().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<RouteSnapshot> = routes
            .iter()
            .flat_map(|(route, by_method)| {
                let figures = METHODS.iter().zip(&by_method.figures);
                figures.filter_map(move |(method, figures)| {
                    let figures = figures.get()?;
                    Some(RouteSnapshot {
                        route: route.to_string(),
                        method,
                        statuses: std::array::from_fn(|at| load(&figures.statuses[at])),
                        buckets: std::array::from_fn(|at| load(&figures.buckets[at])),
                        sum_us: load(&figures.sum_us),
                    })
                })
            })
            .collect();
        all.sort_by(|one, other| (&one.route, one.method).cmp(&(&other.route, other.method)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_in_one_bucket_and_one_class() {
        let metrics = RequestMetrics::default();
        let note = |method: &Method, status: u16, us: u64| {
            let status = StatusCode::from_u16(status).expect("a status");
            metrics.note(
                "/users/{id}".into(),
                method,
                status,
                Duration::from_micros(us),
            );
        };
        note(&Method::GET, 200, 1_000);
        note(&Method::GET, 404, 1_001);
        note(&Method::GET, 200, 60_000_000);
        note(&Method::TRACE, 501, 1);
        let all = metrics.snapshot();
        assert_eq!(all.len(), 2);
        let (get, other) = (&all[0], &all[1]);
        assert_eq!((get.method, other.method), ("GET", "OTHER"));
        assert_eq!(get.statuses, [0, 2, 0, 1, 0]);
        assert_eq!((get.buckets[0], get.buckets[1], get.buckets[13]), (1, 1, 1));
        assert_eq!(get.buckets.iter().sum::<u64>(), 3);
        assert_eq!(get.sum_us, 60_002_001);
        assert_eq!(other.statuses, [0, 0, 0, 0, 1]);
    }

    #[test]
    fn clients_cannot_make_more_routes_than_the_most() {
        let metrics = RequestMetrics::default();
        for at in 0..ROUTES_MAX + 10 {
            let route = format!("/r{at}").into();
            metrics.note(route, &Method::GET, StatusCode::OK, Duration::ZERO);
        }
        let all = metrics.snapshot();
        assert_eq!(all.len(), ROUTES_MAX + 1);
        let others = all.iter().find(|one| one.route == OTHERS).expect("others");
        assert_eq!(others.statuses[1], 10);
    }
}
