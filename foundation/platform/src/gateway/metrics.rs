//! Figures of what was answered: for each route template and method the responses by status class, and a
//! histogram of times; and the times of the last hour by tenant. Their number is bounded by the declared routes and
//! by the tenants that there are, never by what clients send.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use http::{Method, StatusCode};

use crate::gateway::recent::{Durations, MINUTES_MAX, Recent, SLOT};

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

/// The most series of the last hour, each of a route, method and tenant: some 16 MB.
const RECENT_MAX: usize = 4_000;
/// The tenant of requests beyond that.
pub const OTHER_TENANTS: &str = "*";

/// The figures of this process.
#[derive(Debug)]
pub struct RequestMetrics {
    began: Instant,
    routes: RwLock<HashMap<Cow<'static, str>, Arc<ByMethod>>>,
    recent: AtomicUsize,
    /// The slot in which idle series were dropped last.
    swept: AtomicU64,
}

impl Default for RequestMetrics {
    fn default() -> RequestMetrics {
        RequestMetrics {
            began: Instant::now(),
            routes: RwLock::default(),
            recent: AtomicUsize::new(0),
            swept: AtomicU64::new(0),
        }
    }
}

/// A request that was answered.
#[derive(Debug)]
pub(crate) struct AnsweredRequest<'a> {
    pub route: Cow<'static, str>,
    pub method: &'a Method,
    /// The tenant, if it is known to exist.
    pub tenant: Option<&'a str>,
    pub status: StatusCode,
    /// The time until the head of the answer was ready.
    pub elapsed: Duration,
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
    /// The last hour, by tenant.
    recent: Mutex<HashMap<Box<str>, Recent>>,
}

/// What the requests of a route, method and tenant took in a period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteTimes {
    pub route: String,
    pub method: &'static str,
    pub tenant: Option<String>,
    pub durations: Durations,
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
    pub(crate) fn note(&self, answered: AnsweredRequest<'_>) {
        let slot = self.began.elapsed().as_secs() / SLOT.as_secs();
        self.note_in(slot, answered);
    }

    fn note_in(&self, slot: u64, answered: AnsweredRequest<'_>) {
        let by_method = self.of(answered.route);
        let method = answered.method.as_str();
        let at = METHODS.iter().position(|one| *one == method);
        let figures =
            by_method.figures[at.unwrap_or(METHODS.len() - 1)].get_or_init(RouteFigures::default);
        let class = usize::from(answered.status.as_u16() / 100).clamp(1, 5) - 1;
        figures.statuses[class].fetch_add(1, Ordering::Relaxed);
        let us = u64::try_from(answered.elapsed.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS_US.partition_point(|bound| *bound < us);
        figures.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        figures.sum_us.fetch_add(us, Ordering::Relaxed);
        self.note_recent(figures, answered.tenant.unwrap_or_default(), |recent| {
            recent.note(slot, us, answered.status.is_server_error());
        });
        self.sweep(slot);
    }

    /// Notes a request in the series of its tenant, or of other tenants where there is no room for one more.
    fn note_recent(&self, figures: &RouteFigures, tenant: &str, note: impl FnOnce(&mut Recent)) {
        let mut recent = figures.recent();
        if let Some(known) = recent.get_mut(tenant) {
            return note(known);
        }
        let is_full = self.recent.load(Ordering::Relaxed) >= RECENT_MAX;
        let tenant = if is_full { OTHER_TENANTS } else { tenant };
        note(recent.entry(tenant.into()).or_insert_with(|| {
            self.recent.fetch_add(1, Ordering::Relaxed);
            Recent::default()
        }));
    }

    /// Drops the series without a request in the last hour, once in each slot.
    fn sweep(&self, slot: u64) {
        // Loaded first: a swap at each request would pass the cache line between processors.
        if self.swept.load(Ordering::Relaxed) == slot
            || self.swept.swap(slot, Ordering::Relaxed) == slot
        {
            return;
        }
        let since = first_slot(slot * SLOT.as_secs(), MINUTES_MAX);
        let routes = self.routes.read().unwrap_or_else(PoisonError::into_inner);
        let figures = routes.values().flat_map(|one| &one.figures);
        for figures in figures.filter_map(OnceLock::get) {
            let mut recent = figures.recent();
            let before = recent.len();
            recent.retain(|_, one| !one.is_idle(since));
            let dropped = before - recent.len();
            self.recent.fetch_sub(dropped, Ordering::Relaxed);
        }
    }

    /// What the requests of the last minutes took, by route, method and tenant, those first that took most time
    /// together; and how long ago the period began. It begins with a slot, or with the process.
    #[must_use]
    pub fn times(&self, minutes: i64) -> (Duration, Vec<RouteTimes>) {
        let now = self.began.elapsed();
        let since = first_slot(now.as_secs(), minutes);
        let mut all = self.times_since(since);
        let time = |one: &RouteTimes| std::cmp::Reverse(one.durations.total_us);
        all.sort_by_key(time);
        let first = Duration::from_secs(since * SLOT.as_secs());
        (now.saturating_sub(first), all)
    }

    fn times_since(&self, slot: u64) -> Vec<RouteTimes> {
        let mut all = Vec::new();
        let routes = self.routes.read().unwrap_or_else(PoisonError::into_inner);
        for (route, by_method) in routes.iter() {
            for (method, figures) in METHODS.iter().zip(&by_method.figures) {
                let Some(figures) = figures.get() else {
                    continue;
                };
                for (tenant, recent) in figures.recent().iter() {
                    all.extend(recent.since(slot).map(|durations| RouteTimes {
                        route: route.to_string(),
                        method,
                        tenant: (!tenant.is_empty()).then(|| tenant.to_string()),
                        durations,
                    }));
                }
            }
        }
        all
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

impl RouteFigures {
    fn recent(&self) -> MutexGuard<'_, HashMap<Box<str>, Recent>> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The slot with which a period of so many minutes begins that ends now, in seconds from the start of the process.
fn first_slot(now_s: u64, minutes: i64) -> u64 {
    let period_s = minutes.clamp(0, MINUTES_MAX).unsigned_abs() * 60;
    now_s.saturating_sub(period_s) / SLOT.as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered<'a>(
        route: &str,
        method: &'a Method,
        tenant: Option<&'a str>,
        status: u16,
        us: u64,
    ) -> AnsweredRequest<'a> {
        AnsweredRequest {
            route: route.to_owned().into(),
            method,
            tenant,
            status: StatusCode::from_u16(status).expect("a status"),
            elapsed: Duration::from_micros(us),
        }
    }

    #[test]
    fn an_answer_is_in_one_bucket_and_one_class() {
        let metrics = RequestMetrics::default();
        let note = |method: &Method, status: u16, us: u64| {
            metrics.note(answered("/users/{id}", method, Some("diku"), status, us));
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
            metrics.note(answered(&format!("/r{at}"), &Method::GET, None, 200, 0));
        }
        let all = metrics.snapshot();
        assert_eq!(all.len(), ROUTES_MAX + 1);
        let others = all.iter().find(|one| one.route == OTHERS).expect("others");
        assert_eq!(others.statuses[1], 10);
    }

    #[test]
    fn times_are_told_by_tenant_the_most_costly_first() {
        let metrics = RequestMetrics::default();
        for (tenant, status, us) in [
            (Some("one"), 200, 1_000),
            (Some("two"), 500, 9_000),
            (Some("two"), 422, 11_000),
            (None, 404, 10),
        ] {
            metrics.note(answered("/users", &Method::GET, tenant, status, us));
        }
        let (_, times) = metrics.times(60);
        let tenants: Vec<Option<&str>> = times.iter().map(|one| one.tenant.as_deref()).collect();
        assert_eq!(tenants, [Some("two"), Some("one"), None]);
        let two = times[0].durations;
        assert_eq!((two.requests, two.failed), (2, 1));
        assert_eq!((two.total_us, two.max_us), (20_000, 11_000));
    }

    #[test]
    fn series_are_bounded_and_idle_ones_make_room() {
        let metrics = RequestMetrics::default();
        let note = |slot: u64, tenant: &str| {
            let one = answered("/users", &Method::GET, Some(tenant), 200, 1_000);
            metrics.note_in(slot, one);
        };
        for at in 0..RECENT_MAX + 10 {
            note(0, &format!("t{at}"));
        }
        let times = metrics.times_since(0);
        assert_eq!(times.len(), RECENT_MAX + 1);
        let others = times.iter().find(|one| one.tenant.as_deref() == Some("*"));
        assert_eq!(others.map(|one| one.durations.requests), Some(10));
        // An hour later: the first request finds the series full and drops them for the next.
        note(13, "t0");
        note(13, "late");
        let times = metrics.times_since(13);
        let tenants: Vec<&str> = times
            .iter()
            .filter_map(|one| one.tenant.as_deref())
            .collect();
        assert_eq!(tenants.len(), 2);
        assert!(tenants.contains(&"late"), "{tenants:?}");
        assert_eq!(metrics.recent.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn a_period_begins_with_a_slot_or_with_the_process() {
        assert_eq!(first_slot(100, 60), 0);
        assert_eq!(first_slot(3_600 + 299, 60), 0);
        assert_eq!(first_slot(3_600 + 300, 60), 1);
        assert_eq!(first_slot(3_600, 5), 11);
    }
}
