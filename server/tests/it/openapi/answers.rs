//! Calls every operation, and compares the response with its description.

use std::collections::HashMap;

use octavo_testkit::{Answer, Client};
use reqwest::Method;
use serde_json::Value;

use super::conforms::faults;
use super::{PATH, operations};
use octavo_server_testkit::library;

const NOBODY: &str = "00000000-0000-4000-8000-000000000000";
/// Calls that end the caller's session or tenant, and so come last.
const LAST: [&str; 4] = ["/authn/", "/token/", "/refreshtoken", "/_/proxy/"];
/// Responses that take seconds.
const APART: [&str; 2] = ["/_/octavo/profile/cpu", "/_/octavo/profile/heap"];
/// Responses that are a sequence of documents, possibly empty.
const STREAMS: [&str; 3] = [
    "/inventory-hierarchy/updated-instance-ids",
    "/oai-pmh-view/instances",
    "/oai-pmh-view/updatedInstanceIds",
];

#[tokio::test]
async fn every_answer_is_as_it_is_described() {
    let library = library().await;
    let client = library.client().await;
    let document = client.get(PATH).await.expect(200).json();
    let mut asked: Vec<_> = operations(&document)
        .filter(|(path, ..)| !APART.contains(&path.as_str()))
        .collect();
    asked.sort_by_key(|(path, method, _)| {
        let last = LAST.iter().any(|begin| path.starts_with(begin));
        (last, *method != "get", method.as_str() == "delete")
    });
    let mut ids: HashMap<String, String> = HashMap::new();
    let mut wrong = Vec::new();
    let mut bodies = 0;
    for (path, method, described_route) in asked {
        // Operations that delete everything are tested with their areas.
        if method == "delete" && !path.contains('{') {
            continue;
        }
        let answer = ask(&client, path, method, &ids).await;
        if method == "get"
            && answer.status == 200
            && let Some(id) = first_id(&answer)
        {
            ids.insert(path.clone(), id);
        }
        let place = format!("{} {path}", method.to_uppercase());
        let described_route = &described_route["responses"];
        let family = format!("{}XX", answer.status / 100);
        let own = described_route.get(answer.status.to_string());
        let Some(described) = own.or_else(|| described_route.get(&family)) else {
            wrong.push(format!("{place}: {} is not described", answer.status));
            continue;
        };
        if !(200..300).contains(&answer.status) {
            continue;
        }
        let Some(content) = described.get("content") else {
            if !answer.text.is_empty() {
                wrong.push(format!("{place}: a body with {}", answer.status));
            }
            continue;
        };
        let schema = &content["application/json"]["schema"];
        let is_told = schema.as_object().is_some_and(|schema| !schema.is_empty());
        if is_told && !STREAMS.contains(&path.as_str()) {
            match serde_json::from_str::<Value>(&answer.text) {
                Ok(body) => {
                    bodies += 1;
                    let found = faults(&document, schema, &body);
                    wrong.extend(found.iter().take(3).map(|fault| format!("{place}{fault}")));
                }
                Err(error) => wrong.push(format!("{place}: {error}: {:.80}", answer.text)),
            }
        }
    }
    assert!(bodies > 150, "only {bodies} bodies were looked at");
    assert!(
        wrong.is_empty(),
        "{} answers are not as described:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Calls with an empty object where a body is expected, for an existing record if one is known.
async fn ask(client: &Client, path: &str, method: &str, ids: &HashMap<String, String>) -> Answer {
    let mut target = String::new();
    for segment in path.split('/').skip(1) {
        let known = ids.get(&target).map(String::as_str);
        target.push('/');
        match (segment.starts_with('{'), method) {
            (true, "get") => target.push_str(known.unwrap_or(NOBODY)),
            (true, _) => target.push_str(NOBODY),
            (false, _) => target.push_str(segment),
        }
    }
    let method: Method = method.to_uppercase().parse().expect("a method");
    let mut request = client.request(method.clone(), &target);
    if [Method::POST, Method::PUT, Method::PATCH].contains(&method) {
        request = request.json(&serde_json::json!({}));
    }
    client.send(request).await
}

/// The id of the first record of a list.
fn first_id(answer: &Answer) -> Option<String> {
    let body: Value = serde_json::from_str(&answer.text).ok()?;
    let mut lists = body.as_object()?.values().filter_map(Value::as_array);
    let first = lists.next()?.first()?;
    first["id"].as_str().map(str::to_owned)
}
