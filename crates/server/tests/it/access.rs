//! Who may call which route: every route of every module, so that a new one is looked at without
//! being named here. Only what is open to strangers, or to whoever has logged in, is named.

use octavo_platform::Access;
use octavo_platform::route::Route;
use octavo_testkit::{Answer, Client, Library};
use reqwest::Method;

use crate::gateway::reader;
use crate::library;

/// Open to anyone, for a token is what one comes for, or because nothing is told that not anyone may
/// know.
const PUBLIC: &[(&str, &str)] = &[
    ("POST", "/authn/login"),
    ("POST", "/authn/login-with-expiry"),
    ("GET", "/_/openapi"),
    ("GET", "/_/openapi.json"),
    ("GET", "/_/version"),
    ("GET", "/admin/health"),
];

/// Open to every user who has logged in.
const ANY_USER: &[(&str, &str)] = &[];

#[tokio::test]
async fn what_is_open_is_named_here() {
    let library = library().await;
    let open = |access: &Access| {
        let mut open: Vec<(String, String)> = routes(&library)
            .filter(|route| route.access == *access)
            .map(|route| (route.method.to_string(), route.pattern.to_owned()))
            .collect();
        open.sort();
        open
    };
    let named = |list: &[(&str, &str)]| {
        let mut named: Vec<(String, String)> = list
            .iter()
            .map(|(method, pattern)| ((*method).to_owned(), (*pattern).to_owned()))
            .collect();
        named.sort();
        named
    };
    assert_eq!(open(&Access::Public), named(PUBLIC));
    assert_eq!(open(&Access::LoggedIn), named(ANY_USER));
}

#[tokio::test]
async fn a_stranger_is_told_to_bring_a_token() {
    let library = library().await;
    let stranger = library.stranger();
    let mut checked = 0;
    for route in routes(&library) {
        let expected = match &route.access {
            Access::Public => continue,
            Access::LoggedIn => "Token missing".to_owned(),
            Access::Permission(name) => {
                format!("Token missing, access requires permission: {name}")
            }
        };
        for answer in asked(&stranger, route).await {
            assert_eq!(answer.status, 401, "{}: {}", shown(route), answer.text);
            assert_eq!(answer.text, expected, "{}", shown(route));
        }
        checked += 1;
    }
    assert!(checked > 300, "only {checked} routes");
}

#[tokio::test]
async fn a_user_is_told_which_permission_is_missing() {
    let library = library().await;
    let admin = library.client().await;
    let (client, user) = reader(&library, &admin).await;
    let mut checked = 0;
    for route in routes(&library) {
        let Access::Permission(permission) = &route.access else {
            continue;
        };
        let expected =
            format!("Access for user 'reader' ({user}) requires permission: {permission}");
        for answer in asked(&client, route).await {
            assert_eq!(answer.status, 403, "{}: {}", shown(route), answer.text);
            assert_eq!(answer.text, expected, "{}", shown(route));
        }
        checked += 1;
    }
    assert!(checked > 300, "only {checked} routes");
}

fn routes(library: &Library) -> impl Iterator<Item = &Route> {
    let modules = library.platform.modules.iter();
    modules
        .flat_map(|module| &module.interfaces)
        .flat_map(|interface| &interface.routes)
}

fn shown(route: &Route) -> String {
    format!("{} {}", route.method, route.pattern)
}

/// The path of a route with this in each place that a value can take.
fn path(route: &Route, value: &str) -> String {
    let segments = route.pattern.split('/').map(|part| match part {
        part if part.starts_with('{') => value,
        part => part,
    });
    segments.collect::<Vec<_>>().join("/")
}

/// A request as it should be and one that is wrong in all of its parts: who may not call is told
/// that, and nothing about the request.
async fn asked(client: &Client, route: &Route) -> [Answer; 2] {
    let good = path(route, "7212ba6a-8dcf-45a1-be9a-ffaa847c4423");
    let good = client.send(client.request(route.method.clone(), &good));
    let bad = path(route, "no%20uuid%27--");
    let bad = format!("{bad}?query=((&limit=-1&offset=x&start=0&full=%");
    let mut request = client.request(route.method.clone(), &bad);
    if route.method != Method::GET {
        request = request
            .header("content-type", "text/plain")
            .body("{\"id\": nonsense");
    }
    [good.await, client.send(request).await]
}
