//! Who may call which route: every route of every module, so that a new route is checked without
//! being listed here. Only routes that are open to anyone, or to every logged-in user, are listed.

use octavo_platform::Access;
use octavo_platform::route::Route;
use octavo_testkit::{Answer, Client, Library};
use reqwest::Method;

use octavo_server_testkit::library;
use octavo_server_testkit::reader;

/// Public routes: they issue tokens, or only the token in the request counts, or they reveal
/// nothing confidential.
const PUBLIC: &[(&str, &str)] = &[
    ("POST", "/authn/login"),
    ("POST", "/authn/login-with-expiry"),
    ("POST", "/authn/logout"),
    ("POST", "/authn/logout-all"),
    ("POST", "/authn/refresh"),
    ("POST", "/bl-users/login"),
    ("POST", "/bl-users/login-with-expiry"),
    ("POST", "/bl-users/forgotten/password"),
    ("POST", "/bl-users/forgotten/username"),
    ("GET", "/data-export/exported-files/{fileId}"),
    ("PUT", "/data-import/uploads/{uploadId}"),
    ("GET", "/_/openapi"),
    ("GET", "/_/openapi.json"),
    ("GET", "/_/proxy/health"),
    ("GET", "/_/version"),
    ("GET", "/admin/health"),
];

/// Open to every logged-in user, for their own account and tenant.
const ANY_USER: &[(&str, &str)] = &[
    ("POST", "/authn/update"),
    ("POST", "/token/invalidate"),
    ("POST", "/token/invalidate-all"),
    ("GET", "/bl-users/_self"),
    // The release requires no permission here.
    ("GET", "/tenant/rules"),
    ("POST", "/bl-users/settings/myprofile/password"),
    ("GET", "/_/proxy/tenants/{tenantId}/interfaces"),
    (
        "GET",
        "/_/proxy/tenants/{tenantId}/interfaces/{interfaceId}",
    ),
    ("GET", "/_/proxy/tenants/{tenantId}/modules"),
    ("GET", "/_/proxy/tenants/{tenantId}/modules/{moduleId}"),
    ("GET", "/_/proxy/tenants/{tenantId}/timers"),
    ("GET", "/_/proxy/tenants/{tenantId}/timers/{timerId}"),
    // With a permission that depends on the tenant.
    ("PATCH", "/_/proxy/tenants/{tenantId}/timers"),
    ("PATCH", "/_/proxy/tenants/{tenantId}/timers/{timerId}"),
];

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
async fn a_stranger_is_asked_for_a_token() {
    let library = library().await;
    let stranger = library.stranger();
    let mut checked = 0;
    for (module, route) in with_modules(&library) {
        let expected = match &route.access {
            Access::Public => continue,
            Access::LoggedIn => "Token missing".to_owned(),
            Access::Permission(name) => {
                format!("Token missing, access requires permission: {name}")
            }
        };
        for answer in asked(&stranger.with_module(&module), route).await {
            assert_eq!(answer.status, 401, "{}: {}", shown(route), answer.text);
            assert_eq!(answer.text, expected, "{}", shown(route));
        }
        checked += 1;
    }
    assert!(checked > 300, "only {checked} routes");
}

#[tokio::test]
async fn a_user_learns_which_permission_is_missing() {
    let library = library().await;
    let admin = library.client().await;
    let (client, user) = reader(&library, &admin).await;
    let mut checked = 0;
    for (module, route) in with_modules(&library) {
        let Access::Permission(permission) = &route.access else {
            continue;
        };
        let expected =
            format!("Access for user 'reader' ({user}) requires permission: {permission}");
        for answer in asked(&client.with_module(&module), route).await {
            assert_eq!(answer.status, 403, "{}: {}", shown(route), answer.text);
            assert_eq!(answer.text, expected, "{}", shown(route));
        }
        checked += 1;
    }
    assert!(checked > 300, "only {checked} routes");
}

/// Routes that are open to every user for their own tenant need a permission for another one, and
/// so do those that are closed.
#[tokio::test]
async fn another_tenant_takes_a_permission() {
    let library = library().await;
    let admin = library.client().await;
    let (client, user) = reader(&library, &admin).await;
    let mut checked = 0;
    for route in routes(&library) {
        if route.access != Access::LoggedIn || !route.pattern.contains("{tenantId}") {
            continue;
        }
        let mut asked = asked(&client, route).await.to_vec();
        if route.method != Method::GET {
            let own = path(route, library.tenant().id());
            let request = client.request(route.method.clone(), &own).body("{nonsense");
            asked.push(client.send(request).await);
        }
        for answer in asked {
            assert_eq!(answer.status, 403, "{}: {}", shown(route), answer.text);
            let expected = format!("Access for user 'reader' ({user}) requires permission: okapi.");
            assert!(answer.text.starts_with(&expected), "{}", answer.text);
        }
        checked += 1;
    }
    assert!(checked > 5, "only {checked} routes");
}

pub(crate) fn routes(library: &Library) -> impl Iterator<Item = &Route> {
    let modules = library.platform.registry.modules.iter();
    modules
        .flat_map(|module| &module.interfaces)
        .flat_map(|interface| &interface.routes)
}

/// The same, each with its module: several may have the same route, and a client names one of them.
fn with_modules(library: &Library) -> impl Iterator<Item = (String, &Route)> {
    let modules = library.platform.registry.modules.iter();
    modules.flat_map(|module| {
        let routes = module.interfaces.iter().flat_map(|one| &one.routes);
        routes.map(|route| (module.id(), route))
    })
}

pub(crate) fn shown(route: &Route) -> String {
    format!("{} {}", route.method, route.pattern)
}

/// The path of a route with this value in each variable segment.
pub(crate) fn path(route: &Route, value: &str) -> String {
    let segments = route.pattern.split('/').map(|part| match part {
        part if part.starts_with('{') => value,
        part => part,
    });
    segments.collect::<Vec<_>>().join("/")
}

/// Sends a valid request and one with errors in all its parts: a caller without the permission
/// learns only that.
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
