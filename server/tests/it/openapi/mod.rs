//! The OpenAPI description: complete, well formed, and the page that displays it.

mod answers;
mod conforms;
mod contents;
mod types;

use std::collections::HashSet;

use octavo_platform::Access;
use reqwest::Method;
use serde_json::Value;

use octavo_server_testkit::library;

const PATH: &str = "/_/openapi.json";

#[tokio::test]
async fn every_native_route_is_described_as_it_is_declared() {
    let library = library().await;
    let document = library.stranger().get(PATH).await.expect(200).json();
    assert_eq!(document["openapi"], "3.1.0");
    let mut declared = HashSet::new();
    for module in library.platform.registry.modules.iter() {
        for interface in &module.interfaces {
            for route in &interface.routes {
                // Custom fields are those of several modules; the first is described.
                if !declared.insert((&route.method, route.pattern)) {
                    continue;
                }
                let method = route.method.as_str().to_lowercase();
                let documented = &document["paths"][route.pattern][&method];
                assert!(documented.is_object(), "{} {}", route.method, route.pattern);
                assert_eq!(documented["x-okapi-module"], module.id());
                assert_eq!(documented["tags"][0], interface.id);
                let required = &documented["x-okapi-permissions-required"];
                match &route.access {
                    Access::Permission(name) => assert_eq!(required[0], name.as_str()),
                    _ => assert_eq!(required.as_array().map(Vec::len), Some(0)),
                }
                let open = documented["security"].as_array().is_some_and(Vec::is_empty);
                assert_eq!(open, route.access == Access::Public, "{}", route.pattern);
            }
        }
    }
    let documented: usize = operations(&document).count();
    assert_eq!(documented, declared.len());
    assert!(documented > 300, "only {documented} routes");
}

#[tokio::test]
async fn the_document_holds_together() {
    let library = library().await;
    let document = library.stranger().get(PATH).await.expect(200).json();
    let mut ids = HashSet::new();
    for (path, method, operation) in operations(&document) {
        let id = operation["operationId"].as_str().expect("an id");
        assert!(ids.insert(id), "{id} is there twice");
        assert!(!operation["summary"].as_str().expect("a text").is_empty());
        let responses = operation["responses"].as_object().expect("answers");
        assert!(responses.keys().any(|code| code.starts_with('2')), "{id}");
        let named: HashSet<&str> = path
            .split('{')
            .skip(1)
            .filter_map(|rest| rest.split('}').next())
            .collect();
        let parameters = operation["parameters"].as_array().expect("parameters");
        let mut documented = HashSet::new();
        for one in parameters.iter().filter(|one| one["in"] == "path") {
            assert_eq!(one["required"], true, "{id}");
            assert!(
                documented.insert(one["name"].as_str().expect("a name")),
                "{id}"
            );
        }
        assert_eq!(named, documented, "{method} {path}");
    }
    let mut places = Vec::new();
    references(&document, &mut places);
    assert!(places.len() > 1_000, "only {} references", places.len());
    for place in places {
        let pointer = place.strip_prefix('#').expect("a place in the document");
        assert!(document.pointer(pointer).is_some(), "{place}");
    }
    let components = document["components"]["schemas"]
        .as_object()
        .expect("schemas");
    let usable = |name: &String| {
        name.chars()
            .all(|one| one.is_ascii_alphanumeric() || "._-".contains(one))
    };
    assert!(components.keys().all(usable));
}

#[tokio::test]
async fn bodies_are_those_of_the_collections() {
    let library = library().await;
    let document = library.stranger().get(PATH).await.expect(200).json();
    let schema = |path: &str, method: &str, place: &str| {
        let operation = &document["paths"][path][method];
        let found = operation.pointer(&format!("{place}/content/application~1json/schema/$ref"));
        found.and_then(Value::as_str).map(str::to_owned)
    };
    let (items, item) = ("/loan-storage/loans", "/loan-storage/loans/{id}");
    let named = |name: &str| Some(format!("#/components/schemas/{name}"));
    assert_eq!(schema(items, "get", "/responses/200"), named("loan.list"));
    assert_eq!(schema(items, "post", "/requestBody"), named("loan"));
    assert_eq!(schema(items, "post", "/responses/201"), named("loan"));
    assert_eq!(schema(item, "get", "/responses/200"), named("loan"));
    assert_eq!(schema(item, "put", "/requestBody"), named("loan"));
    assert_eq!(schema(item, "put", "/responses/204"), None);
    // An area's own handler with declared bodies.
    assert_eq!(
        schema("/notes", "get", "/responses/200"),
        named("note.list")
    );
    assert_eq!(schema("/notes", "post", "/requestBody"), named("note"));
    let note = &document["components"]["schemas"]["note"];
    assert_eq!(note["properties"]["typeId"]["format"], "uuid");
    assert_eq!(note["properties"]["type"]["readOnly"], true);
    assert!(
        note["required"]
            .as_array()
            .expect("a list")
            .contains(&"title".into())
    );
}

#[tokio::test]
async fn parts_can_be_asked_for() {
    let library = library().await;
    let stranger = library.stranger();
    for (wish, path, others) in [
        ("module=mod-notes", "/notes", "/users"),
        ("interface=users", "/users", "/notes"),
        ("path=/note-types", "/note-types/{id}", "/notes"),
    ] {
        let part = stranger
            .get(&format!("{PATH}?{wish}"))
            .await
            .expect(200)
            .json();
        assert!(part["paths"][path].is_object(), "{wish}");
        assert!(part["paths"][others].is_null(), "{wish}");
        let (mut places, mut known) = (Vec::new(), HashSet::new());
        references(&part, &mut places);
        for place in &places {
            let pointer = place.trim_start_matches('#');
            assert!(part.pointer(pointer).is_some(), "{wish}: {place}");
            known.insert(*place);
        }
        // The part contains no schema that its routes do not use.
        for name in part["components"]["schemas"]
            .as_object()
            .expect("schemas")
            .keys()
        {
            let place = format!("#/components/schemas/{name}");
            assert!(known.contains(place.as_str()), "{wish}: {name}");
        }
    }
    let nothing = stranger.get(&format!("{PATH}?module=mod-nothing")).await;
    assert_eq!(nothing.expect(200).json()["paths"], serde_json::json!({}));
}

#[tokio::test]
async fn who_has_it_is_not_sent_it_again() {
    let library = library().await;
    let stranger = library.stranger();
    for path in [PATH, "/_/openapi", "/_/openapi.json?module=mod-notes"] {
        let first = stranger.get(path).await.expect(200);
        let tag = first.header("etag").expect("a tag").to_owned();
        let request = stranger
            .request(Method::GET, path)
            .header("if-none-match", &tag);
        let again = stranger.send(request).await.expect(304);
        assert_eq!(again.text, "");
        let request = stranger
            .request(Method::GET, path)
            .header("if-none-match", "\"other\"");
        assert_eq!(stranger.send(request).await.expect(200).text, first.text);
    }
    let page = stranger.get("/_/openapi").await.expect(200);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("script-src 'sha256-"), "{policy}");
    // Neither tenant nor token is needed.
    let bare = reqwest::get(format!("{}{PATH}", stranger.url)).await;
    assert_eq!(bare.expect("an answer").status(), 200);
}

/// All operations: path, method, description.
fn operations(document: &Value) -> impl Iterator<Item = (&String, &String, &Value)> {
    let paths = document["paths"].as_object().expect("paths");
    paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("methods");
        methods
            .iter()
            .map(move |(method, documented)| (path, method, documented))
    })
}

fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(map) => {
            found.extend(map.get("$ref").and_then(Value::as_str));
            map.values().for_each(|inner| references(inner, found));
        }
        Value::Array(list) => list.iter().for_each(|inner| references(inner, found)),
        _ => {}
    }
}
