//! `GET /_/octavo/events`: the events of the caller's tenant as server-sent events. For a client that accepts
//! `text/event-stream` the answer goes on with each commit; any other gets what is there now. The id of each
//! event is where a client goes on: with `Last-Event-ID`, or with `from`.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use futures_util::stream::unfold;
use http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderName, HeaderValue, StatusCode};
use octavo_platform::audit::AuditEvent;
use octavo_platform::{ApiError, Call, Platform, incorrect};
use octavo_records::store::{Cursor, Portion, PortionSize, index_events, read_on};
use octavo_records::{StoreError, Tenant};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::message::Sender;
use crate::store::state;
use crate::topics::{Known, Topic, known};

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// The longest list of topics.
const TOPICS_MAX: usize = 50;
/// Streams of one process at the same time; one more gets 503.
const STREAMS_MAX: usize = 500;
/// How often the tenant is looked at for new events.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// After an event its tenant is looked at for so long at each look: transactions that were open may commit.
const ATTENTION: Duration = Duration::from_secs(3);
/// A stream without events says so often that it is there, and looks for those of long transactions.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const SIZE: PortionSize = PortionSize {
    events: 500,
    bytes: 1024 * 1024,
};

/// The streams of this process, and who looks for new events of a tenant.
#[derive(Debug, Default)]
pub(super) struct Streams {
    open: Arc<AtomicUsize>,
    looks: Mutex<HashMap<String, Weak<Look>>>,
}

/// Looks for new events of a tenant, once for all its streams.
#[derive(Debug)]
struct Look {
    turn: watch::Receiver<u64>,
    task: tokio::task::AbortHandle,
}

impl Drop for Look {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A place among the streams, until it is dropped.
#[derive(Debug)]
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Streams {
    fn place(&self) -> Result<Place, ApiError> {
        let before = self.open.fetch_add(1, Ordering::Relaxed);
        let place = Place(Arc::clone(&self.open));
        if before >= STREAMS_MAX {
            return Err(ApiError::Unavailable(
                "Too many streams of events are open now; try again in a moment",
            ));
        }
        Ok(place)
    }

    fn look(&self, platform: &Arc<Platform>, tenant: &Tenant) -> Arc<Look> {
        let mut looks = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(look) = looks.get(tenant.id()).and_then(Weak::upgrade) {
            return look;
        }
        looks.retain(|_, look| look.strong_count() > 0);
        let (sender, turn) = watch::channel(0);
        let task = tokio::spawn(watch_for(Arc::clone(platform), tenant.clone(), sender));
        let look = Arc::new(Look {
            turn,
            task: task.abort_handle(),
        });
        looks.insert(tenant.id().to_owned(), Arc::downgrade(&look));
        look
    }
}

/// Tells streams to read whenever there may be something.
async fn watch_for(platform: Arc<Platform>, tenant: Tenant, turn: watch::Sender<u64>) {
    let schemas = [tenant.schema().to_owned()];
    let (mut last, mut moved) = (None, Instant::now());
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let Ok(positions) = state::positions(&platform.store.database, &schemas).await else {
            continue;
        };
        let now = positions.first().map(|(_, position)| *position);
        if now != last {
            last = now;
            moved = Instant::now();
        }
        if moved.elapsed() < ATTENTION {
            turn.send_modify(|turn| *turn += 1);
        }
    }
}

/// 200 with a stream that ends when the client or the server does.
pub(super) async fn begin(streams: Arc<Streams>, call: Call) -> Result<Response, ApiError> {
    let topics = wanted(&call)?;
    let from = match call.headers.get(LAST_EVENT_ID) {
        Some(id) => Some(id.to_str().unwrap_or("?").to_owned()),
        None => call.parameter("from")?,
    };
    let place = streams.place()?;
    let database = &call.writer().database;
    let indexed = index_events(database, &call.tenant).await;
    indexed.map_err(StoreError::from)?;
    let cursor = match from.as_deref() {
        None | Some("" | "now") => Cursor::now(database).await?,
        Some("beginning") => Cursor::beginning(),
        Some(id) => id
            .parse()
            .map_err(|error: octavo_records::store::CursorError| {
                incorrect("from", id, &format!("{error}, `now` or `beginning`"))
            })?,
    };
    call.audit(AuditEvent::PatronData, None, Some(topics.join(" ")));
    let look = streams.look(&call.platform, &call.tenant);
    let stream = Stream {
        turn: look.turn.clone(),
        stopping: call.platform.gateway.stopping.subscribe(),
        sender: Sender {
            tenant: call.tenant.id().to_owned(),
            url: None,
        },
        platform: Arc::clone(&call.platform),
        tenant: call.tenant.clone(),
        topics,
        cursor,
        greeted: false,
        ends: !follows(&call),
        _kept: (place, look),
    };
    let body = Body::from_stream(unfold(stream, Stream::next));
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::OK;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // A proxy that collects the answer would delay every event.
    let buffering = HeaderName::from_static("x-accel-buffering");
    headers.insert(buffering, HeaderValue::from_static("no"));
    Ok(response)
}

/// Whether the client wants to follow, as browsers say it.
fn follows(call: &Call) -> bool {
    let accepted = call.headers.get_all(ACCEPT).iter();
    let mut accepted = accepted.filter_map(|value| value.to_str().ok());
    accepted.any(|value| value.contains("text/event-stream"))
}

/// The topics that the client wants; none for all.
fn wanted(call: &Call) -> Result<Vec<String>, ApiError> {
    let topics = call.parameters("topic")?;
    let topics = topics.iter().flat_map(|list| list.split(','));
    let topics: Vec<String> = topics.map(str::to_owned).collect();
    if topics.len() > TOPICS_MAX {
        let why = format!("must be {TOPICS_MAX} topics at most");
        return Err(incorrect("topic", "…", &why));
    }
    match topics.iter().find(|topic| known(topic).is_none()) {
        Some(unknown) => {
            let shown: String = unknown.chars().take(100).collect();
            Err(incorrect(
                "topic",
                &shown,
                "must be a topic like inventory.item",
            ))
        }
        None => Ok(topics),
    }
}

/// Completes when the server stops.
async fn ended(mut stopping: watch::Receiver<bool>) {
    let _ = stopping.wait_for(|stopping| *stopping).await;
}

struct Stream {
    platform: Arc<Platform>,
    tenant: Tenant,
    sender: Sender,
    topics: Vec<String>,
    cursor: Cursor,
    turn: watch::Receiver<u64>,
    stopping: watch::Receiver<bool>,
    greeted: bool,
    /// Whether it ends with what is there now.
    ends: bool,
    _kept: (Place, Arc<Look>),
}

impl Stream {
    /// The next bytes, with the stream behind them.
    async fn next(mut self) -> Option<(Result<String, StoreError>, Stream)> {
        if !self.greeted {
            // At once, so that the client sees an open stream; and where it goes on if nothing comes.
            self.greeted = true;
            let greeting = format!(
                "retry: 2000\nid: {}\n: {}\n\n",
                self.cursor,
                self.tenant.id()
            );
            return Some((Ok(greeting), self));
        }
        loop {
            self.turn.mark_unchanged();
            let portion = match self.read().await {
                Ok(portion) => portion,
                // The client goes on where it was, once the database answers again.
                Err(error) => return Some((Err(error), self)),
            };
            let is_behind = portion.cursor != self.cursor;
            let text = self.text(&portion);
            self.cursor = portion.cursor;
            if !text.is_empty() {
                return Some((Ok(text), self));
            }
            if is_behind {
                continue;
            }
            if self.ends {
                return None;
            }
            let mut turn = self.turn.clone();
            let is_quiet = tokio::select! {
                changed = turn.changed() => match changed {
                    Ok(()) => false,
                    Err(_) => return None,
                },
                () = tokio::time::sleep(KEEP_ALIVE) => true,
                () = ended(self.stopping.clone()) => return None,
            };
            if is_quiet {
                // A deleted tenant has no stream.
                self.platform.registry.known(self.tenant.id())?;
                let alive = format!("id: {}\n: \n\n", self.cursor);
                return Some((Ok(alive), self));
            }
        }
    }

    async fn read(&self) -> Result<Portion, StoreError> {
        let database = &self.platform.store.database;
        read_on(database, &self.tenant, &self.cursor, SIZE).await
    }

    fn text(&self, portion: &Portion) -> String {
        let mut text = String::new();
        let last = portion.len();
        for (at, event) in portion.events().enumerate() {
            let topic = match known(event.topic) {
                Some(Known::Published(topic)) => topic.clone(),
                Some(Known::Unpublished) => continue,
                None => Topic::of_client(),
            };
            if !self.topics.is_empty() && !self.topics.iter().any(|one| one == event.topic) {
                continue;
            }
            let Some(message) = self
                .sender
                .message(&event, (&topic, &Arc::from("")), topic.module)
            else {
                continue;
            };
            // The last id of a window says that it is read; that of another event where in it.
            let behind = match at + 1 == last {
                true => portion.cursor.clone(),
                false => portion.opened.behind(event.position),
            };
            // JSON as it is stored has no line breaks outside of texts, where they are escaped.
            let json = String::from_utf8_lossy(&message.value);
            text.push_str(&format!(
                "event: {}\nid: {behind}\ndata: {json}\n\n",
                event.topic
            ));
        }
        text
    }
}
