//! Spans of requests at a collector of OpenTelemetry: one of our own that fails at first, and the real one where it is
//! (`otelcol`). Only in a build with the feature `otlp`.

use std::net::TcpListener as StdListener;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;

use crate::octavo::Octavo;
use crate::place::DataDir;
use crate::until;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

/// Whether the test can run; says why not.
fn can_run() -> bool {
    if cfg!(not(feature = "otlp")) {
        eprintln!("skipped: this build sends no spans (--features otlp)");
    }
    cfg!(feature = "otlp")
}

/// A collector that answers 503 at first, then takes what it gets.
struct Collector {
    url: String,
    spans: Arc<Mutex<Vec<Value>>>,
    refused: Arc<AtomicUsize>,
}

impl Collector {
    async fn start() -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let (spans, refused) = (Arc::new(Mutex::default()), Arc::new(AtomicUsize::new(0)));
        let (taken, refusals) = (Arc::clone(&spans), Arc::clone(&refused));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                answer(stream, &taken, &refusals).await;
            }
        });
        Collector {
            url,
            spans,
            refused,
        }
    }

    fn spans(&self) -> Vec<Value> {
        self.spans.lock().expect("no panic").clone()
    }

    /// The span of a request of the client's trace.
    fn root(&self) -> Option<Value> {
        let spans = self.spans();
        spans
            .into_iter()
            .find(|span| span["parentSpanId"] == PARENT)
    }
}

/// Reads one request and answers it.
async fn answer(mut stream: TcpStream, spans: &Mutex<Vec<Value>>, refused: &AtomicUsize) {
    let mut read = Vec::new();
    let (head, body) = loop {
        let mut part = [0; 16_384];
        let count = stream.read(&mut part).await.unwrap_or(0);
        read.extend_from_slice(&part[..count]);
        let text = String::from_utf8_lossy(&read).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_ascii_lowercase();
            let length = head.split("content-length:").nth(1);
            let length = length.and_then(|rest| rest.lines().next()?.trim().parse().ok());
            if body.len() >= length.unwrap_or(0) {
                break (head, body.to_owned());
            }
        }
        assert!(count > 0, "a request that ends early");
    };
    assert!(head.starts_with("post /v1/traces "), "{head}");
    assert!(head.contains("content-type: application/json"), "{head}");
    assert!(head.contains("api-key: s3cret"), "{head}");
    let status = match refused.fetch_add(1, Ordering::AcqRel) {
        0 => "503 Service Unavailable",
        _ => {
            let body: Value = serde_json::from_str(&body).expect("JSON");
            let resource = &body["resourceSpans"][0];
            let name = &resource["resource"]["attributes"][0]["value"]["stringValue"];
            assert_eq!(name, "octavo");
            let sent = resource["scopeSpans"][0]["spans"]
                .as_array()
                .expect("spans");
            spans.lock().expect("no panic").extend(sent.clone());
            "200 OK"
        }
    };
    let response =
        format!("HTTP/1.1 {status}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}");
    let _ = stream.write_all(response.as_bytes()).await;
}

/// A search in a trace of its client, which is recorded or not; its answer is not cached.
async fn search(octavo: &Octavo, flags: &str) {
    let client = octavo.client().await;
    let request = client
        .request(reqwest::Method::GET, "/users?query=username==diku_admin")
        .header("traceparent", format!("00-{TRACE}-{PARENT}-{flags}"));
    let _ = client.send(request).await.expect(200);
}

/// A check-out in a trace of its client.
async fn lend(octavo: &Octavo) {
    let client = octavo.client().await;
    let path = "/item-storage/items?limit=1&query=status.name==Available";
    let items = client.get(path).await.expect(200).json();
    let points = client.get("/service-points?query=code==cd1").await;
    let points = points.expect(200).json();
    let body = json!({"itemBarcode": items["items"][0]["barcode"],
                      "userBarcode": "21184000000015",
                      "servicePointId": points["servicepoints"][0]["id"]});
    let request = client
        .request(reqwest::Method::POST, "/circulation/check-out-by-barcode")
        .header("traceparent", format!("00-{TRACE}-{PARENT}-01"))
        .json(&body);
    let _ = client.send(request).await.expect(201);
}

/// A span as the collector's exporter prints it.
#[derive(Debug, Default)]
struct Printed {
    id: String,
    parent: String,
    name: String,
    attributes: String,
}

/// The spans of the client's trace that the collector has printed.
fn printed(said: &str) -> Vec<Printed> {
    let blocks = said.split("Span #").skip(1);
    let of_trace = blocks.filter(|block| block.contains(TRACE));
    of_trace
        .map(|block| {
            let mut span = Printed {
                attributes: block.to_owned(),
                ..Printed::default()
            };
            for (name, value) in block.lines().filter_map(|line| line.split_once(':')) {
                let value = value.trim().to_owned();
                match name.trim() {
                    "ID" => span.id = value,
                    "Parent ID" => span.parent = value,
                    "Name" => span.name = value,
                    _ => {}
                }
            }
            span
        })
        .collect()
}

fn attribute<'s>(span: &'s Value, key: &str) -> &'s Value {
    let all = span["attributes"].as_array().expect("attributes");
    let one = all.iter().find(|one| one["key"] == key);
    &one.unwrap_or_else(|| panic!("no {key} in {span}"))["value"]
}

#[tokio::test]
async fn the_spans_of_a_traced_request_arrive_after_a_failure_and_no_others() {
    if !can_run() {
        return;
    }
    let collector = Collector::start().await;
    let directory = DataDir::of_demo().await;
    let arguments = ["--data-dir", directory.arg(), "--otlp", &collector.url];
    let key = [("OTEL_EXPORTER_OTLP_HEADERS", "api-key=s3cret")];
    let mut octavo = Octavo::start_with(&arguments, &key).await;
    search(&octavo, "00").await;
    search(&octavo, "01").await;
    until("the spans arrive", || async { collector.root().is_some() }).await;
    assert!(collector.refused.load(Ordering::Acquire) >= 2);
    let spans = collector.spans();
    assert!(
        spans.iter().all(|span| span["traceId"] == TRACE),
        "{spans:?}"
    );
    let root = collector.root().expect("the request");
    assert_eq!(root["name"], "GET /users");
    assert_eq!(attribute(&root, "octavo.tenant")["stringValue"], "diku");
    assert_eq!(
        attribute(&root, "http.response.status_code")["intValue"],
        "200"
    );
    let roots = spans.iter().filter(|span| span["name"] == root["name"]);
    assert_eq!(roots.count(), 1, "the unrecorded request was sent, too");
    let statement = spans
        .iter()
        .find(|span| span["name"] == "SELECT")
        .expect("a statement");
    let sql = attribute(statement, "db.query.text")["stringValue"].as_str();
    let sql = sql.expect("its text");
    assert!(sql.contains("$1") && !sql.contains("diku_admin"), "{sql}");
    let number = |span: &Value, name: &str| -> u128 {
        let text = span[name].as_str().expect("a text");
        text.parse().expect("a number")
    };
    for span in &spans {
        let (from, to) = (
            number(span, "startTimeUnixNano"),
            number(span, "endTimeUnixNano"),
        );
        assert!(
            number(&root, "startTimeUnixNano") <= from && from <= to,
            "{span}"
        );
    }
    octavo.terminate();
    octavo.ended_well().await;
}

/// The real collector, if there is one.
fn collector_program() -> Option<std::path::PathBuf> {
    let named = std::env::var_os("OCTAVO_OTELCOL").map(std::path::PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join("otelcol"));
    let program = named.into_iter().chain(found).find(|one| one.is_file());
    if program.is_none() {
        eprintln!("skipped: there is no otelcol here (or OCTAVO_OTELCOL)");
    }
    program
}

#[tokio::test]
async fn the_collector_of_opentelemetry_takes_the_spans() {
    let Some(program) = collector_program().filter(|_| can_run()) else {
        return;
    };
    let directory = DataDir::of_demo().await;
    let port = StdListener::bind("127.0.0.1:0").expect("a free port");
    let at = port.local_addr().expect("its address");
    drop(port);
    let config = directory.path().join("otelcol.yml");
    let yaml = format!(
        "receivers: {{ otlp: {{ protocols: {{ http: {{ endpoint: \"{at}\" }} }} }} }}\n\
         exporters: {{ debug: {{ verbosity: detailed }} }}\n\
         service:\n  telemetry: {{ metrics: {{ level: none }} }}\n  \
         pipelines: {{ traces: {{ receivers: [otlp], exporters: [debug] }} }}\n"
    );
    std::fs::write(&config, yaml).expect("a file");
    let mut collector = Command::new(program)
        .arg(format!("--config={}", config.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("the collector runs");
    let said = Arc::new(Mutex::new(String::new()));
    let output = collector.stderr.take().expect("a pipe");
    let told = Arc::clone(&said);
    let reading = tokio::spawn(async move {
        let mut lines = BufReader::new(output).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            let mut told = told.lock().expect("no panic");
            told.push_str(&line);
            told.push('\n');
        }
    });
    let has = |text: &str| said.lock().expect("no panic").contains(text);
    until("the collector is ready", || async {
        has("Everything is ready")
    })
    .await;
    let url = format!("http://{at}");
    let arguments = ["--data-dir", directory.arg(), "--otlp", &url];
    let mut octavo = Octavo::start(&arguments).await;
    lend(&octavo).await;
    let spans = || printed(&said.lock().expect("no panic"));
    until("the collector has the request", || async {
        spans().iter().any(|span| span.parent == PARENT)
    })
    .await;
    octavo.terminate();
    octavo.ended_well().await;
    // All that it has printed is read: the spans of a request come one after the other.
    let id = collector.id().expect("a running process");
    let id = Pid::from_raw(id.try_into().expect("a process id"));
    kill(id, Signal::SIGTERM).expect("it can be ended");
    let _ = collector.wait().await.expect("its end");
    reading.await.expect("no panic");
    assert!(has("service.name: Str(octavo)"));
    let spans = spans();
    let root = spans.iter().find(|span| span.parent == PARENT);
    let root = root.expect("the request");
    assert_eq!(root.name, "POST /circulation/check-out-by-barcode");
    // Every other span of the trace lies below it, statements with their text among them.
    let mut below = vec![root.id.as_str()];
    let mut at = 0;
    while at < below.len() {
        let parent = below[at];
        let inner = spans.iter().filter(|span| span.parent == parent);
        below.extend(inner.map(|span| span.id.as_str()));
        at += 1;
    }
    assert_eq!(below.len(), spans.len(), "{spans:#?}");
    let writes = spans
        .iter()
        .find(|span| span.attributes.contains("desk_writes($1"));
    assert!(
        writes.is_some_and(|span| span.attributes.contains("db.query.text")),
        "{spans:#?}"
    );
}
