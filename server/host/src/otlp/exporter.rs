//! Sends spans in portions. A collector that is slow or away costs requests nothing: what finds no room is dropped
//! and counted.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use anyhow::{Context, bail};
use axum::body::Body;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use http::{Method, Request, StatusCode, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use octavo_platform::exposition::{Exposition, Kind, Source};
use octavo_platform::gateway::exported::{ExportedRequest, SpanExporter};
use tokio::sync::mpsc;

use super::Sampling;
use super::spans::{Recorded, body, spans};

/// Requests that wait to be sent.
const WAITING_MAX: usize = 2_000;
/// Requests that are sent together.
const PORTION: usize = 100;
/// So long a request waits for others.
const GATHER: Duration = Duration::from_secs(1);
/// A collector has so long to answer.
const ANSWER_MAX: Duration = Duration::from_secs(10);
/// The pauses after which a portion is sent again, where the collector asks for that or is away.
const PAUSES: [Duration; 3] = [
    Duration::from_millis(500),
    Duration::from_secs(2),
    Duration::from_secs(5),
];

/// The exporter.
pub(super) struct Exporter {
    sampling: Sampling,
    queue: mpsc::Sender<Recorded>,
    status: Arc<Status>,
}

/// What was sent and dropped, in requests.
#[derive(Debug, Default)]
pub(super) struct Status {
    sent: AtomicU64,
    dropped: AtomicU64,
}

impl Source for Status {
    fn write(&self, text: &mut Exposition) {
        for (name, help, value) in [
            (
                "octavo_otlp_sent_total",
                "Requests whose spans were sent.",
                &self.sent,
            ),
            (
                "octavo_otlp_dropped_total",
                "Requests whose spans were dropped.",
                &self.dropped,
            ),
        ] {
            text.single(name, Kind::Counter, help, value.load(Ordering::Relaxed));
        }
    }
}

impl fmt::Debug for Exporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Exporter")
    }
}

impl Exporter {
    pub(super) fn status(&self) -> &Arc<Status> {
        &self.status
    }
}

impl SpanExporter for Exporter {
    fn wants(&self, sampled: Option<bool>) -> bool {
        self.sampling.takes(sampled, rand::random())
    }

    fn take(&self, request: ExportedRequest) {
        let recorded = Recorded {
            request,
            ended: SystemTime::now(),
        };
        if self.queue.try_send(recorded).is_err() {
            self.status.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// An exporter, and the work of sending.
pub(super) fn new(
    endpoint: &str,
    named: &str,
    sampling: Sampling,
) -> anyhow::Result<(Arc<Exporter>, impl Future<Output = ()> + Send + use<>)> {
    let target = target(endpoint)?;
    let headers = headers(named)?;
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    http.set_nodelay(true);
    http.set_connect_timeout(Some(ANSWER_MAX));
    let connector = HttpsConnectorBuilder::new()
        .with_provider_and_native_roots(rustls::crypto::ring::default_provider())
        .context("the system's certificate authorities cannot be read")?
        .https_or_http()
        .enable_http1()
        .wrap_connector(http);
    let client = Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .build(connector);
    let (queue, requests) = mpsc::channel(WAITING_MAX);
    let status = Arc::new(Status::default());
    let sender = Sender {
        client,
        target,
        headers,
        status: Arc::clone(&status),
    };
    let exporter = Exporter {
        sampling,
        queue,
        status,
    };
    Ok((Arc::new(exporter), sender.run(requests)))
}

/// The path is the specification's.
fn target(endpoint: &str) -> anyhow::Result<Uri> {
    let whole = format!("{}/v1/traces", endpoint.trim_end_matches('/'));
    let uri: Uri = whole
        .parse()
        .with_context(|| format!("--otlp {endpoint}: it is a URL such as http://127.0.0.1:4318"))?;
    match uri.scheme_str() {
        Some("http" | "https") => Ok(uri),
        _ => bail!("--otlp {endpoint}: it begins with http:// or https://"),
    }
}

fn headers(named: &str) -> anyhow::Result<HeaderMap> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for pair in named.split(',').filter(|pair| !pair.trim().is_empty()) {
        // Not shown: the value may be a key.
        let (name, value) = pair
            .split_once('=')
            .context("--otlp-headers: each is of the form NAME=VALUE")?;
        let name: HeaderName = name
            .trim()
            .parse()
            .context("--otlp-headers: a name is not one of a header")?;
        let value = HeaderValue::try_from(value.trim())
            .context("--otlp-headers: a value is not one of a header")?;
        headers.insert(name, value);
    }
    Ok(headers)
}

/// How a portion ended.
enum Outcome {
    Taken,
    /// The collector may take it later.
    Later(String),
    Refused(String),
}

struct Sender {
    client: Client<HttpsConnector<HttpConnector>, Body>,
    target: Uri,
    headers: HeaderMap,
    status: Arc<Status>,
}

impl Sender {
    /// Until the exporter is gone.
    async fn run(self, mut requests: mpsc::Receiver<Recorded>) {
        let mut portion = Vec::with_capacity(PORTION);
        while let Some(first) = requests.recv().await {
            portion.push(first);
            let ends = tokio::time::Instant::now() + GATHER;
            while portion.len() < PORTION {
                match tokio::time::timeout_at(ends, requests.recv()).await {
                    Ok(Some(next)) => portion.push(next),
                    Ok(None) | Err(_) => break,
                }
            }
            self.send(&portion).await;
            portion.clear();
        }
    }

    async fn send(&self, portion: &[Recorded]) {
        let spans: Vec<_> = portion
            .iter()
            .flat_map(|one| spans(one, rand::random))
            .collect();
        let body = body(&spans).to_string();
        let mut pauses = PAUSES.iter();
        let reason = loop {
            match self.post(body.clone()).await {
                Outcome::Taken => {
                    let sent = portion.len() as u64;
                    self.status.sent.fetch_add(sent, Ordering::Relaxed);
                    return;
                }
                Outcome::Refused(reason) => break reason,
                Outcome::Later(reason) => match pauses.next() {
                    Some(pause) => tokio::time::sleep(*pause).await,
                    None => break reason,
                },
            }
        };
        let dropped = portion.len() as u64;
        self.status.dropped.fetch_add(dropped, Ordering::Relaxed);
        tracing::warn!(requests = dropped, reason, "spans were not taken");
    }

    async fn post(&self, body: String) -> Outcome {
        let mut request = Request::new(Body::from(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.target.clone();
        request.headers_mut().clone_from(&self.headers);
        let answer = tokio::time::timeout(ANSWER_MAX, self.client.request(request)).await;
        let status = match answer {
            Ok(Ok(answer)) => answer.status(),
            Ok(Err(error)) => return Outcome::Later(error.to_string()),
            Err(_) => return Outcome::Later("no answer".to_owned()),
        };
        let reason = format!("status {}", status.as_u16());
        match status {
            _ if status.is_success() => Outcome::Taken,
            StatusCode::TOO_MANY_REQUESTS
            | StatusCode::BAD_GATEWAY
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT => Outcome::Later(reason),
            _ => Outcome::Refused(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_added_and_what_is_no_url_is_refused() {
        for (endpoint, expected) in [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
            (
                "https://otel.example.org/in/",
                "https://otel.example.org/in/v1/traces",
            ),
        ] {
            assert_eq!(target(endpoint).expect("a URL").to_string(), expected);
        }
        for wrong in ["127.0.0.1:4318", "ftp://host", "not a url"] {
            assert!(target(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn headers_are_pairs_and_no_value_is_in_a_refusal() {
        let read = headers("api-key=s3cret, x-team = desk").expect("headers");
        assert_eq!(read["api-key"], "s3cret");
        assert_eq!(read["x-team"], "desk");
        let refused = headers("s3cret").expect_err("no pair");
        assert!(!format!("{refused:#}").contains("s3cret"));
    }
}
