//! The module over HTTP, called as the gateway calls it.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, Request};
use http_body_util::channel::Channel;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioIo};
use octavo_example_remote_module::{Options, Phase, serve};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A module on a port of its own, and a client for tenant `diku`.
struct Asked {
    address: SocketAddr,
    http: Client<HttpConnector, BoxBody<Bytes, Infallible>>,
    headers: Vec<(&'static str, String)>,
    task: JoinHandle<()>,
}

struct Answer {
    status: u16,
    headers: HeaderMap,
    body: Bytes,
}

impl Answer {
    #[track_caller]
    fn expect(self, status: u16) -> Answer {
        assert_eq!(self.status, status, "{:?}", self.body);
        self
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Asked {
    async fn start(options: Options) -> Asked {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("its address");
        Asked {
            address,
            http: Client::builder(TokioExecutor::new()).build_http(),
            headers: vec![("x-okapi-tenant", "diku".to_owned())],
            task: tokio::spawn(serve(listener, options, std::future::pending())),
        }
    }

    /// The same, enabled for the tenant.
    async fn enabled() -> Asked {
        let module = Asked::start(Options::default()).await;
        let to = json!({"module_to": "mod-reading-lists-1.0.0"});
        let _ = module.send("POST", "/_/tenant", Some(to)).await.expect(204);
        module
    }

    fn with(mut self, name: &'static str, value: &str) -> Asked {
        self.headers.push((name, value.to_owned()));
        self
    }

    fn request(&self, method: &str, path: &str) -> http::request::Builder {
        let method: Method = method.parse().expect("a method");
        let mut request = Request::builder()
            .method(method)
            .uri(format!("http://{}{path}", self.address));
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        request
    }

    async fn send(&self, method: &str, path: &str, body: Option<Value>) -> Answer {
        let body = body.map_or_else(Bytes::new, |body| body.to_string().into());
        let request = self.request(method, path).body(Full::new(body).boxed());
        let request = request.expect("a request");
        let response = self.http.request(request).await.expect("an answer");
        let (parts, body) = response.into_parts();
        Answer {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body: body.collect().await.expect("a body").to_bytes(),
        }
    }

    async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, None).await
    }
}

#[tokio::test]
async fn a_list_is_made_read_changed_and_deleted() {
    let module = Asked::enabled().await.with("x-okapi-user-id", "ada");
    let list = json!({"name": "Summer"});
    let made = module.send("POST", "/reading-lists", Some(list)).await;
    let made = made.expect(201);
    let path = made.headers["location"].to_str().expect("text").to_owned();
    assert_eq!(made.json()["ownerId"], "ada");
    let mut list = module.get(&path).await.expect(200).json();
    list["done"] = json!(true);
    let _ = module.send("PUT", &path, Some(list)).await.expect(204);
    let page = module.get("/reading-lists?limit=1").await.expect(200);
    assert_eq!(page.json()["totalRecords"], 1);
    assert_eq!(page.json()["readingLists"][0]["done"], true);
    let _ = module.send("DELETE", &path, None).await.expect(204);
    let _ = module.get(&path).await.expect(404);
    let wrong = json!({"name": ""});
    let wrong = module.send("POST", "/reading-lists", Some(wrong)).await;
    assert_eq!(
        wrong.expect(422).json()["errors"][0]["parameters"][0]["key"],
        "name"
    );
    let _ = module.get("/reading-lists?query=x").await.expect(400);
}

#[tokio::test]
async fn lists_of_others_take_the_desired_permission() {
    let ada = Asked::enabled().await.with("x-okapi-user-id", "ada");
    let list = json!({"name": "Ada's"});
    let made = ada.send("POST", "/reading-lists", Some(list)).await;
    let path = made.expect(201).headers["location"]
        .to_str()
        .expect("text")
        .to_owned();
    let bob = |granted: &str| {
        let request = ada
            .request("GET", &path)
            .header("x-okapi-permissions", granted);
        let mut request = request.body(Full::default().boxed()).expect("a request");
        let user = http::HeaderValue::from_static("bob");
        request.headers_mut().insert("x-okapi-user-id", user);
        ada.http.request(request)
    };
    assert_eq!(bob("[]").await.expect("an answer").status(), 404);
    let granted = r#"["reading-lists.of-others.get"]"#;
    assert_eq!(bob(granted).await.expect("an answer").status(), 200);
}

#[tokio::test]
async fn a_tenant_is_prepared_left_and_purged() {
    let module = Asked::start(Options::default()).await;
    let _ = module.get("/reading-lists").await.expect(400);
    let change = |attributes: Value| module.send("POST", "/_/tenant", Some(attributes));
    let samples = json!([{"key": "loadSample", "value": "true"}]);
    let _ = change(json!({"module_to": "m-1", "parameters": samples}))
        .await
        .expect(204);
    let count =
        || async { module.get("/reading-lists").await.expect(200).json()["totalRecords"].clone() };
    assert_eq!(count().await, 2);
    let _ = change(json!({"module_from": "m-1"})).await.expect(204);
    let _ = module.get("/reading-lists").await.expect(400);
    let _ = change(json!({"module_to": "m-1"})).await.expect(204);
    assert_eq!(count().await, 2);
    let _ = change(json!({"module_from": "m-1", "purge": true}))
        .await
        .expect(204);
    let failing = json!([{"key": "fail", "value": "no room"}]);
    let failed = change(json!({"module_to": "m-1", "parameters": failing})).await;
    assert_eq!(failed.expect(400).body, "no room");
    let _ = change(json!({"module_to": "m-1"})).await.expect(204);
    assert_eq!(count().await, 0);
    let answer = module
        .get("/reading-lists/faults/calls")
        .await
        .expect(200)
        .json();
    assert_eq!(answer["calls"].as_array().map(Vec::len), Some(6));
}

#[tokio::test]
async fn a_slow_module_answers_with_a_job() {
    let module = Asked::start(Options {
        slow_tenant: Some(50),
        ..Options::default()
    })
    .await;
    let to = json!({"module_to": "m-1"});
    let job = module.send("POST", "/_/tenant", Some(to)).await.expect(201);
    assert_eq!(job.json()["complete"], false);
    let path = job.headers["location"].to_str().expect("text").to_owned();
    assert!(path.starts_with("/_/tenant/"), "{path}");
    while module.get(&path).await.expect(200).json()["complete"] != true {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let _ = module.get("/reading-lists").await.expect(200);
    let _ = module.send("DELETE", &path, None).await.expect(204);
    let _ = module.get(&path).await.expect(404);
}

#[tokio::test]
async fn the_patron_is_asked_for_with_the_token_that_came() {
    let gateway = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", gateway.local_addr().expect("its address"));
    tokio::spawn(async move {
        loop {
            let (stream, _) = gateway.accept().await.expect("a connection");
            let service = service_fn(|request: Request<Incoming>| async move {
                assert_eq!(request.headers()["x-okapi-tenant"], "diku");
                let status = match request.headers().get("x-okapi-token") {
                    Some(token) if token == "a.b.c" => 200,
                    _ => 403,
                };
                let user = json!({"id": "7", "username": "ada", "personal": {"lastName": "L"}});
                let body = match request.uri().query() {
                    Some(query) if query.starts_with("query=barcode") => {
                        json!({"users": [user], "totalRecords": 1})
                    }
                    _ => user,
                };
                http::Response::builder()
                    .status(status)
                    .body(Full::new(Bytes::from(body.to_string())))
            });
            let server = hyper::server::conn::http1::Builder::new();
            tokio::spawn(server.serve_connection(TokioIo::new(stream), service));
        }
    });
    let module = Asked::enabled().await.with("x-okapi-url", &url);
    let id = "7212ba6a-8dcf-45a1-be9a-ffaa847c4423";
    for (patron, status) in [
        (json!({"name": "x", "patronId": id}), 200),
        (json!({"name": "x", "patronBarcode": "123"}), 200),
        (json!({"name": "x"}), 404),
    ] {
        let made = module
            .send("POST", "/reading-lists", Some(patron))
            .await
            .expect(201);
        let path = made.headers["location"].to_str().expect("text").to_owned() + "/patron";
        let refused = if status == 404 { 404 } else { 403 };
        let _ = module.get(&path).await.expect(refused);
        let request = module
            .request("GET", &path)
            .header("x-okapi-token", "a.b.c");
        let request = request.body(Full::default().boxed()).expect("a request");
        let answer = module.http.request(request).await.expect("an answer");
        assert_eq!(answer.status(), status);
        if status == 200 {
            let body = answer.collect().await.expect("a body").to_bytes();
            let patron: Value = serde_json::from_slice(&body).expect("JSON");
            assert_eq!(patron["username"], "ada");
        }
    }
}

#[tokio::test]
async fn the_timer_clears_what_is_done() {
    let module = Asked::enabled().await;
    for done in [true, false] {
        let list = json!({"name": "x", "done": done});
        let _ = module
            .send("POST", "/reading-lists", Some(list))
            .await
            .expect(201);
    }
    let tidy = "/reading-lists/timers/tidy";
    let _ = module.send("POST", tidy, None).await.expect(204);
    let left = module.get("/reading-lists").await.expect(200).json();
    assert_eq!(left["totalRecords"], 1);
    let answer = module
        .get("/reading-lists/faults/calls")
        .await
        .expect(200)
        .json();
    assert_eq!(answer["calls"][1]["interface"], "_timer");
    assert_eq!(answer["calls"][1]["said"]["cleared"], 1);
}

#[tokio::test]
async fn a_filter_keeps_a_log() {
    let module = Asked::start(Options {
        filter: Some(Phase::Pre),
        ..Options::default()
    })
    .await
    .with("x-okapi-filter", "pre");
    let _ = module.get("/users?query=secret").await.expect(204);
    let seen = module.get("/request-log/seen").await.expect(200).json();
    assert_eq!(seen["seen"][0]["said"]["path"], "/users");
    assert_eq!(seen["seen"][0]["said"]["filter"], "pre");
    assert!(!seen.to_string().contains("secret"));
}

#[tokio::test]
async fn permissions_are_announced_to_a_listener_only() {
    let said = json!({"moduleId": "mod-users-1.0.0", "perms": []});
    let deaf = Asked::enabled().await;
    let path = "/_/tenantPermissions";
    let _ = deaf
        .send("POST", path, Some(said.clone()))
        .await
        .expect(404);
    let listener = Asked::start(Options {
        permissions_listener: true,
        ..Options::default()
    })
    .await;
    let _ = listener
        .send("POST", path, Some(said.clone()))
        .await
        .expect(204);
    let _ = listener
        .send("POST", path, Some(json!({})))
        .await
        .expect(422);
    let answer = listener
        .get("/reading-lists/faults/calls")
        .await
        .expect(200)
        .json();
    assert_eq!(answer["calls"][0]["said"], said);
}

#[tokio::test]
async fn faults_are_what_they_say() {
    let module = Asked::enabled().await;
    let at = |fault: &str| format!("/reading-lists/faults/{fault}");
    let request = |fault: &str| {
        let request = module.request("GET", &at(fault));
        request.body(Full::default().boxed()).expect("a request")
    };
    // The response is not HTTP at all.
    assert!(module.http.request(request("garbage")).await.is_err());
    // The body ends before its announced length.
    let early = module.http.request(request("early?bytes=200000")).await;
    let early = early.expect("a head");
    assert_eq!(early.headers()["content-length"], "200000");
    assert!(early.collect().await.is_err());
    let big = module.get(&at("big?bytes=200001")).await.expect(200);
    assert_eq!(big.body.len(), 200_001);
    let waited = module.http.request(request("never"));
    let waited = tokio::time::timeout(Duration::from_millis(50), waited).await;
    assert!(waited.is_err());
    let _ = module.get(&at("slow?ms=1")).await.expect(200);
    let _ = module.get(&at("status?code=503")).await.expect(503);
    let _ = module.get(&at("status?code=7")).await.expect(400);
    let _ = module.get(&at("nothing")).await.expect(404);
    let heard = module.get(&at("headers?a=b")).await.expect(200).json();
    assert_eq!(heard["headers"]["x-okapi-tenant"], "diku");
    assert_eq!(heard["target"], at("headers?a=b"));
}

#[tokio::test]
async fn bodies_are_streamed_both_ways() {
    let module = Asked::enabled().await;
    let (mut sender, body) = Channel::<Bytes, Infallible>::new(1);
    let request = module.request("POST", "/reading-lists/faults/echo");
    let request = request.body(body.boxed()).expect("a request");
    let answer = module.http.request(request).await.expect("a head");
    let mut answer = answer.into_body();
    // Each chunk is back before the next one is sent.
    for piece in ["one", "two", "three"] {
        sender
            .send_data(Bytes::from(piece))
            .await
            .expect("it is taken");
        let frame = answer.frame().await.expect("a frame").expect("no error");
        assert_eq!(frame.into_data().expect("data"), piece);
    }
    drop(sender);
    let text = json!("x".repeat(3_000_000));
    let counted = module
        .send("POST", "/reading-lists/faults/count", Some(text.clone()))
        .await;
    let counted = counted.expect(200).json();
    assert_eq!(counted["bytes"], 3_000_002);
    let digest = Sha256::digest(text.to_string());
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(counted["sha256"], digest);
}
