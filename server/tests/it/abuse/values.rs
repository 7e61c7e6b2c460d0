//! Statements, queries and worse as values: in every segment of every route and in every parameter
//! of every reading route. Each is treated as an ordinary value.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::{StreamExt, stream};
use octavo_platform::route::Route;
use octavo_platform::{Handler, Operation};
use octavo_testkit::{Client, Library};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Method;

use super::is_fault;
use octavo_server_testkit::library;

const VALUES: [&str; 30] = [
    "'",
    "\"",
    "\\",
    "''; DROP TABLE tenant_diku.users; --",
    "1' OR '1'='1",
    "1) OR (1=1",
    "'||pg_sleep(30)||'",
    "$1",
    "$$",
    "{schema}",
    "%s%n",
    "${jndi:ldap://x/y}",
    "../../etc/passwd",
    "\u{feff}",
    "\u{202e}x",
    "\u{10ffff}",
    "-1",
    "99999999999999999999",
    "1e308",
    "NaN",
    "null",
    "[]",
    "{}",
    "true",
    "cql.allRecords=1",
    "id==\"' OR 1=1 --\" sortby \"'; --\"",
    "a==b sortby x/sort.descending/number",
    "((((((((((a=b))))))))))",
    "a=/@b=c/x.y \"*\"",
    "metadata.createdDate > \"infinity\" and personal.x.y.z.0 <> \"\u{0}\"",
];

/// Parameters whose names handlers get from elsewhere.
const INDIRECT: [&str; 18] = [
    "item_type_id",
    "loan_type_id",
    "patron_type_id",
    "location_id",
    "recordType",
    "idType",
    "state",
    "deleted",
    "externalId",
    "snapshotId",
    "expandPermissions",
    "expanded",
    "include",
    "start",
    "length",
    "indexField",
    "lang",
    "facets",
];

/// The most requests in flight.
const AT_ONCE: usize = 12;

#[tokio::test]
async fn every_segment_is_a_value() {
    let library = library().await;
    let client = library.client().await;
    let mut asked = Vec::new();
    for (method, pattern, _) in routes(&library) {
        if !pattern.contains('{') {
            continue;
        }
        for value in VALUES {
            let encoded = utf8_percent_encode(value, NON_ALPHANUMERIC).to_string();
            let segments: Vec<&str> = pattern
                .split('/')
                .map(|segment| {
                    if segment.starts_with('{') {
                        &encoded
                    } else {
                        segment
                    }
                })
                .collect();
            asked.push((method.clone(), segments.join("/")));
        }
    }
    assert!(asked.len() > 5_000, "only {}", asked.len());
    none_fails(&client, asked).await;
    is_sound(&library, &client).await;
}

/// Whether tests have the time that `make test-long` gives them.
fn is_long() -> bool {
    std::env::var_os("OCTAVO_TEST_LONG").is_some()
}

#[tokio::test]
async fn every_parameter_is_a_value() {
    let library = library().await;
    let parts = if is_long() { 5 } else { 40 };
    let client = library.client().await;
    let names = parameters();
    assert!(
        names.contains("query") && names.contains("offset"),
        "{names:?}"
    );
    assert!(names.len() > INDIRECT.len() + 10, "{names:?}");
    let mut asked = Vec::new();
    for (method, pattern, generic) in routes(&library) {
        if method != Method::GET {
            continue;
        }
        let id = "7212ba6a-8dcf-45a1-be9a-ffaa847c4423";
        let path: Vec<&str> = pattern
            .split('/')
            .map(|segment| {
                if segment.starts_with('{') {
                    id
                } else {
                    segment
                }
            })
            .collect();
        let path = path.join("/");
        for (at, value) in VALUES.into_iter().enumerate() {
            let encoded = utf8_percent_encode(value, NON_ALPHANUMERIC).to_string();
            if generic {
                // One function parses them all; only the meaning of a query depends on the
                // collection.
                asked.push((Method::GET, format!("{path}?query={encoded}")));
                continue;
            }
            for (number, name) in names.iter().enumerate() {
                // Each parameter is tried with each value on some route, and each route with a part
                // of the values.
                if *name == "query" || (at + number) % parts == path.len() % parts {
                    asked.push((Method::GET, format!("{path}?{name}={encoded}")));
                }
            }
        }
    }
    let generic = "/material-types";
    for name in ["query", "offset", "limit", "totalRecords", "lang", "facets"] {
        for value in VALUES {
            let encoded = utf8_percent_encode(value, NON_ALPHANUMERIC).to_string();
            asked.push((Method::GET, format!("{generic}?{name}={encoded}")));
            asked.push((Method::GET, format!("{generic}?{encoded}={name}")));
        }
    }
    assert!(asked.len() > 5_000, "only {}", asked.len());
    none_fails(&client, asked).await;
    is_sound(&library, &client).await;
}

#[tokio::test]
async fn every_header_is_a_value() {
    let library = library().await;
    let client = library.client().await;
    for name in [
        "x-okapi-tenant",
        "x-okapi-token",
        "x-okapi-request-id",
        "x-okapi-user-id",
        "x-okapi-permissions",
        "x-okapi-url",
        "x-okapi-module-id",
        "x-octavo-position",
        "x-octavo-trace",
        "authorization",
        "cookie",
        "origin",
        "accept",
        "if-none-match",
        "content-type",
    ] {
        for value in VALUES {
            let Ok(value) = reqwest::header::HeaderValue::from_bytes(value.as_bytes()) else {
                continue;
            };
            let mut request = client
                .request(Method::GET, "/users")
                .build()
                .expect("a request");
            request.headers_mut().insert(name, value);
            let answer = reqwest::Client::builder()
                .no_proxy()
                .build()
                .expect("a client");
            let answer = answer.execute(request).await.expect("an answer");
            assert!(
                answer.status().as_u16() < 500,
                "{name}: {}",
                answer.status()
            );
        }
    }
    is_sound(&library, &client).await;
}

/// All native routes: method, pattern, and whether they are generic lists.
fn routes(library: &Library) -> Vec<(Method, &'static str, bool)> {
    let described = |route: &Route| {
        let list = matches!(route.handler, Handler::Records(Operation::List, _));
        (route.method.clone(), route.pattern, list)
    };
    let interfaces = library
        .platform
        .registry
        .modules
        .iter()
        .flat_map(|one| &one.interfaces);
    let routes: Vec<_> = interfaces
        .flat_map(|one| &one.routes)
        .map(described)
        .collect();
    assert!(routes.len() > 300, "only {} routes", routes.len());
    routes
}

/// Every parameter that some handler reads, found in the sources.
fn parameters() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<PathBuf> = vec![root.join("areas"), root.join("foundation/platform/src")];
    let mut names: BTreeSet<String> = INDIRECT.iter().map(|&name| name.to_owned()).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder can be read") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let text = fs::read_to_string(&path).expect("a source");
                for call in [
                    "parameter(\"",
                    "parameters(\"",
                    "number(\"",
                    "only(\"",
                    "flag(\"",
                ] {
                    let found = text.split(call).skip(1);
                    names.extend(found.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
                }
            }
        }
    }
    let word = |name: &String| {
        !name.is_empty()
            && name
                .chars()
                .all(|one| one.is_ascii_alphanumeric() || one == '_')
    };
    names.retain(word);
    names
}

async fn none_fails(client: &Client, asked: Vec<(Method, String)>) {
    let client = Arc::new(client.clone());
    let failed: Vec<String> = stream::iter(asked)
        .map(|(method, path)| {
            let client = Arc::clone(&client);
            async move {
                let request = client.request(method.clone(), &path);
                let request = match method {
                    Method::GET | Method::DELETE => request,
                    _ => request.body("{}"),
                };
                let answer = client.send(request).await;
                is_fault(answer.status, &answer.text)
                    .then(|| format!("{method} {path}: {}", answer.text))
            }
        })
        .buffer_unordered(AT_ONCE)
        .filter_map(|failed| async { failed })
        .collect()
        .await;
    let shown: Vec<&String> = failed.iter().take(20).collect();
    assert!(failed.is_empty(), "{} fail: {shown:#?}", failed.len());
}

/// Asserts that all tables exist and no connection waits for the database.
async fn is_sound(library: &Library, client: &Client) {
    let users = client.get("/users?limit=0").await.expect(200).json();
    assert!(users["totalRecords"].as_i64() >= Some(1), "{users}");
    let status = library.platform.store.database.status();
    assert_eq!(status.lanes_up, status.lanes);
    assert_eq!(status.pool_waiting, 0);
}
