//! Well-formed JSON that no route expects: sent to every route that takes a body, so that a new
//! route is tested without being listed here.

use http::StatusCode;
use reqwest::Method;

use crate::access::{path, routes, shown};
use octavo_server_testkit::library;

const BODIES: [&str; 5] = [
    "[]",
    "1",
    "\"x\"",
    "[1]",
    "{\"initialRecords\": [1], \"items\": 1}",
];

#[tokio::test]
async fn no_route_fails_for_a_body_of_another_shape() {
    let library = library().await;
    let client = library.client().await;
    let (mut asked, mut failed) = (0, Vec::new());
    for route in routes(&library) {
        if ![Method::POST, Method::PUT, Method::PATCH].contains(&route.method) {
            continue;
        }
        let path = path(route, "7212ba6a-8dcf-45a1-be9a-ffaa847c4423");
        for body in BODIES {
            let request = client.request(route.method.clone(), &path);
            let request = request
                .header("content-type", "application/json")
                .body(body);
            let answer = client.send(request).await;
            // FOLIO responds to some invalid requests with 500 and a message that says so.
            if answer.status == StatusCode::INTERNAL_SERVER_ERROR.as_u16()
                && answer.text == "Internal Server Error"
            {
                failed.push(format!("{} {body}", shown(route)));
            }
            asked += 1;
        }
    }
    assert_eq!(failed, Vec::<String>::new());
    assert!(asked > 1_000, "only {asked} requests");
}
