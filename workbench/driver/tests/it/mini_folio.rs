//! A FOLIO small enough for these tests: items are checked out and in, everything else is empty
//! lists. It records every request in order.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// One request as received.
#[derive(Debug, Clone)]
pub struct Seen {
    pub method: String,
    pub raw_target: String,
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl Seen {
    /// Method and target with the form encoding undone.
    pub fn line(&self) -> String {
        format!("{} {}", self.method, decode(&self.raw_target))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

/// A response in place of the usual one: after so many usual ones, so many times.
#[derive(Debug, Clone, Default)]
pub struct Refusal {
    pub line_begins: &'static str,
    pub after: usize,
    pub status: u16,
    pub body: &'static str,
    pub times: usize,
}

/// A server that periodically does not answer: for so long in each period, from a second after its
/// start on.
#[derive(Debug, Clone, Copy)]
pub struct Stall {
    pub begun: Instant,
    pub period: Duration,
    pub length: Duration,
}

impl Stall {
    /// How long a response is still delayed.
    fn left(self) -> Duration {
        let since = self.begun.elapsed().checked_sub(Duration::from_secs(1));
        let within = since.map_or(self.period.as_nanos(), |since| {
            since.as_nanos() % self.period.as_nanos()
        });
        let left = self.length.as_nanos().saturating_sub(within);
        Duration::from_nanos(u64::try_from(left).unwrap())
    }
}

#[derive(Default)]
pub struct State {
    pub seen: Vec<Seen>,
    /// Barcode to the patron's barcode, when checked out.
    pub items: BTreeMap<String, Option<String>>,
    pub patrons: Vec<Value>,
    pub service_points: Vec<&'static str>,
    pub refusals: Vec<Refusal>,
    pub compact_check_out: bool,
    pub stall: Option<Stall>,
    /// Until then every connection is dropped, as by a server that restarts.
    pub away_until: Option<Instant>,
}

/// A running server; it ends with the test's process.
#[derive(Clone)]
pub struct MiniFolio {
    pub url: String,
    pub state: Arc<Mutex<State>>,
}

impl MiniFolio {
    /// Drops every connection from now on for so long.
    pub fn hang_up(&self, time: Duration) {
        self.state.lock().unwrap().away_until = Some(Instant::now() + time);
    }

    /// So many available items `a0…` and checked-out ones `c0…`.
    pub fn start(available: usize, checked_out: usize) -> Self {
        let mut state = State::default();
        state
            .items
            .extend((0..available).map(|number| (format!("a{number}"), None)));
        let patron = Some("p0".to_owned());
        state
            .items
            .extend((0..checked_out).map(|number| (format!("c{number}"), patron.clone())));
        state.patrons = (0..20).map(patron_record).collect();
        state.service_points = vec!["sp-1", "sp-2"];
        let state = Arc::new(Mutex::new(state));
        let (sender, receiver) = std::sync::mpsc::channel();
        let served = Arc::clone(&state);
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                sender.send(listener.local_addr().unwrap()).unwrap();
                serve(listener, served).await;
            });
        });
        let address: SocketAddr = receiver.recv().unwrap();
        Self {
            url: format!("http://{address}"),
            state,
        }
    }

    /// The requests after the set-up: from the second login on, which is the first virtual user's.
    pub fn seen_by_users(&self) -> Vec<Seen> {
        let state = self.state.lock().unwrap();
        let mut logins = state
            .seen
            .iter()
            .enumerate()
            .filter(|(_, one)| one.raw_target == "/authn/login");
        let begin = logins.nth(1).map_or(state.seen.len(), |(at, _)| at);
        state.seen[begin..].to_vec()
    }
}

fn patron_record(number: usize) -> Value {
    let expires = if number == 7 {
        "2001-01-01T00:00:00.000+0000"
    } else {
        "2999-01-01T00:00:00.000+00:00"
    };
    json!({ "id": format!("user-{number}"), "username": format!("u{number}"), "patronGroup": "pg-1",
            "barcode": format!("p{number}"), "active": true, "expirationDate": expires })
}

async fn serve(listener: TcpListener, state: Arc<Mutex<State>>) {
    while let Ok((stream, _)) = listener.accept().await {
        stream.set_nodelay(true).unwrap();
        let state = Arc::clone(&state);
        tokio::spawn(async move {
            let service = service_fn(|request| answer(request, &state));
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

async fn answer(
    request: Request<Incoming>,
    state: &Mutex<State>,
) -> Result<Response<Full<Bytes>>, std::io::Error> {
    let (head, body) = request.into_parts();
    let body = body
        .collect()
        .await
        .map(|body| body.to_bytes())
        .unwrap_or_default();
    let headers = head.headers.iter().map(|(name, value)| {
        (
            name.to_string(),
            String::from_utf8_lossy(value.as_bytes()).into_owned(),
        )
    });
    let seen = Seen {
        method: head.method.to_string(),
        raw_target: head.uri.to_string(),
        headers: headers.collect(),
        body: String::from_utf8_lossy(&body).into_owned(),
    };
    let stall = state.lock().unwrap().stall;
    if let Some(stall) = stall {
        tokio::time::sleep(stall.left()).await;
    }
    let mut state = state.lock().unwrap();
    if state.away_until.is_some_and(|until| Instant::now() < until) {
        return Err(std::io::Error::other("the server is away"));
    }
    let (status, body, token) = state.respond(&head.method, &seen);
    state.seen.push(seen);
    let mut response = Response::builder().status(status);
    if token {
        response = response.header("x-okapi-token", "token-1");
    }
    Ok(response.body(Full::new(Bytes::from(body))).unwrap())
}

impl State {
    fn respond(&mut self, method: &Method, seen: &Seen) -> (u16, String, bool) {
        let line = seen.line();
        let refusals = self.refusals.iter_mut();
        let mut due = refusals.filter(|one| one.times > 0 && line.starts_with(one.line_begins));
        if let Some(refusal) = due.next() {
            if refusal.after == 0 {
                refusal.times -= 1;
                return (refusal.status, refusal.body.to_owned(), false);
            }
            refusal.after -= 1;
        }
        if seen.raw_target == "/authn/login" {
            let credentials: Value = serde_json::from_str(&seen.body).unwrap();
            let right = credentials["password"] == "admin";
            return if right {
                (201, "{}".into(), true)
            } else {
                (422, "wrong password".into(), false)
            };
        }
        if method == Method::OPTIONS {
            return (204, String::new(), false);
        }
        if seen.header("x-okapi-token") != "token-1" {
            return (401, "no token".into(), false);
        }
        let (status, body) = self.folio(&line, seen);
        (status, body, false)
    }

    fn folio(&mut self, line: &str, seen: &Seen) -> (u16, String) {
        let ok = |value: Value| (200, value.to_string());
        match line.split(['?', ' ']).nth(1).unwrap() {
            "/groups" => {
                ok(json!({ "usergroups": [{ "id": "pg-1", "group": "staff" }], "totalRecords": 1 }))
            }
            "/users" => {
                let wanted = quoted(line);
                let named =
                    |user: &&Value| wanted.as_ref().is_none_or(|code| user["barcode"] == **code);
                let users: Vec<_> = self.patrons.iter().filter(named).cloned().collect();
                ok(json!({ "users": page(line, users), "totalRecords": 20 }))
            }
            "/staff-slips-storage/staff-slips" => ok(json!({ "staffSlips": [{ "id": "slip" }] })),
            "/service-points" => {
                let points: Vec<_> = self
                    .service_points
                    .iter()
                    .map(|id| json!({ "id": id }))
                    .collect();
                ok(json!({ "servicepoints": page(line, points) }))
            }
            "/holdings-storage/holdings" => {
                let ids = line
                    .split_once("id==(")
                    .and_then(|(_, rest)| rest.split_once(')'));
                let ids = ids.map_or(vec![], |(ids, _)| ids.split(" or ").collect());
                let of = |id: &&str| json!({ "id": id, "instanceId": id.replace("holdings", "instance") });
                ok(json!({ "holdingsRecords": ids.iter().map(of).collect::<Vec<_>>() }))
            }
            "/item-storage/items" => {
                let out = line.contains("Checked out");
                let items = self
                    .items
                    .iter()
                    .filter(|(_, patron)| patron.is_some() == out);
                ok(json!({ "items": page(line, items.map(|(code, _)| item(code)).collect()) }))
            }
            "/inventory/items" => {
                let code = quoted(line);
                let items = self
                    .items
                    .keys()
                    .filter(|one| code.as_ref().is_none_or(|code| *one == code));
                ok(json!({ "items": items.map(|code| item(code)).collect::<Vec<_>>() }))
            }
            "/circulation/check-in-by-barcode" => self.check_in(seen),
            "/circulation/check-out-by-barcode" => self.check_out(seen),
            "/circulation/end-patron-action-session" => (204, String::new()),
            _ => ok(every_list()),
        }
    }

    fn check_in(&mut self, seen: &Seen) -> (u16, String) {
        let request: Value = serde_json::from_str(&seen.body).unwrap();
        let code = request["itemBarcode"].as_str().unwrap();
        let Some(patron) = self.items.get_mut(code) else {
            return (422, "no such item".into());
        };
        let mut answer = json!({ "item": item(code) });
        if patron.take().is_some() {
            answer["loan"] = json!({ "id": format!("loan-{code}"), "userId": "user-0", "lostItemPolicyId": "lost-1" });
        }
        (200, answer.to_string())
    }

    fn check_out(&mut self, seen: &Seen) -> (u16, String) {
        let request: Value = serde_json::from_str(&seen.body).unwrap();
        let code = request["itemBarcode"].as_str().unwrap();
        let patron = request["userBarcode"].as_str().unwrap();
        match self.items.get_mut(code) {
            Some(holder @ None) => *holder = Some(patron.to_owned()),
            Some(Some(_)) => {
                return (
                    422,
                    json!({ "errors": ["already checked out"] }).to_string(),
                );
            }
            None => return (422, json!({ "errors": ["no such item"] }).to_string()),
        }
        let user = patron.replace('p', "user-");
        if self.compact_check_out {
            return (
                201,
                json!({ "id": request["id"], "userId": user }).to_string(),
            );
        }
        (
            201,
            format!(
                "{{\n  \"id\" : {},\n  \"userId\" : \"{user}\"\n}}",
                request["id"]
            ),
        )
    }
}

fn item(code: &str) -> Value {
    json!({ "id": format!("item-{code}"), "barcode": code, "holdingsRecordId": format!("holdings-{code}") })
}

/// A response in which every collection of the plans occurs.
fn every_list() -> Value {
    let mut lists = json!({ "totalRecords": 0, "id": "x" });
    for name in [
        "configs",
        "usergroups",
        "loans",
        "accounts",
        "requests",
        "proxiesFor",
        "manualblocks",
        "automatedPatronBlocks",
        "blockedFields",
        "instanceRelationshipTypes",
        "loanPolicies",
        "identifierTypes",
        "contributorTypes",
        "contributorNameTypes",
        "instanceFormats",
        "instanceTypes",
        "classificationTypes",
        "alternativeTitleTypes",
        "locations",
        "instanceStatuses",
        "issuanceModes",
        "instanceNoteTypes",
        "electronicAccessRelationships",
        "statisticalCodeTypes",
        "statisticalCodes",
        "illPolicies",
        "holdingsTypes",
        "callNumberTypes",
        "holdingsNoteTypes",
        "itemNoteTypes",
        "itemDamageStatuses",
        "natureOfContentTerms",
        "mtypes",
        "loantypes",
        "instances",
        "tags",
    ] {
        lists[name] = json!([]);
    }
    lists
}

fn page(line: &str, mut records: Vec<Value>) -> Vec<Value> {
    let number = |name: &str| {
        let (_, rest) = line.split_once(name)?;
        rest.split('&').next()?.parse::<usize>().ok()
    };
    let offset = number("offset=").unwrap_or(0).min(records.len());
    let mut records = records.split_off(offset);
    records.truncate(number("limit=").unwrap_or(10));
    records
}

fn quoted(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("barcode==\"")?;
    Some(rest.split_once('"')?.0.to_owned())
}

fn decode(target: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = target.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => {
                let hex = [rest.next().unwrap(), rest.next().unwrap()];
                bytes.push(u8::from_str_radix(std::str::from_utf8(&hex).unwrap(), 16).unwrap());
            }
            byte => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).unwrap()
}
