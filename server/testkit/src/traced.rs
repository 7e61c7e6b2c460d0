//! Requests with their traces. The client's user must be an operator.

use octavo_testkit::{Answer, Client};
use octavo_trace::Tree;
use reqwest::Method;
use serde_json::Value;

/// Sends a request that asks for a trace; gives the answer and the trace.
///
/// # Panics
/// When the request is not traced.
pub async fn traced(
    client: &Client,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> (Answer, Tree) {
    let mut request = client.request(method, path).header("x-octavo-trace", "1");
    if let Some(body) = body {
        request = request.json(body);
    }
    let answer = client.send(request).await;
    let id = answer.header("x-octavo-trace-id").expect("a trace's id");
    let trace = client.get(&format!("/_/octavo/traces/{id}")).await;
    let tree = serde_json::from_value(trace.expect(200).json()).expect("a tree");
    (answer, tree)
}
