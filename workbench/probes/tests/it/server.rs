//! The server's version, modules and advice, from a scripted server on loopback.

use octavo_probes::{ProbeOptions, ServerTarget};

use crate::support::{Web, line, noted, options, started};

fn probing(url: &str) -> ProbeOptions {
    ProbeOptions {
        server: Some(ServerTarget {
            url: url.to_owned(),
            tenant: "diku".into(),
            token: "secret-token".into(),
        }),
        ..options()
    }
}

#[tokio::test]
async fn the_run_is_charged_with_the_searches_that_it_did() {
    let web = Web::start(|path, number| match path {
        "/_/version" => (200, "1.2.3\n".into()),
        "/_/proxy/tenants/diku/modules" => (200, r#"[{"id": "mod-a-1.0.0"}]"#.into()),
        "/_/index-advice" => {
            let body = format!(
                r#"{{"indexAdvice": [{{"collection": "item", "query": "volume == ?",
                   "times": {}, "indexes": [{{"index": {{"field": "volume", "kind": "index"}}}}]}}]}}"#,
                number * number * 5
            );
            (200, body)
        }
        _ => (500, String::new()),
    })
    .await;
    let probes = started(probing(&web.url)).await;
    probes.renew_token("later-token");
    let probed = probes.finish().await;
    let found = &probed.missing_indexes[0];
    assert_eq!((found.table.as_str(), found.count), ("item", 15));
    assert_eq!(line(&probed, "server version"), Some("1.2.3"));
    assert_eq!(line(&probed, "server modules"), Some("1: mod-a-1.0.0"));
    assert!(probed.notes.is_empty(), "{:?}", probed.notes);
    assert!(!format!("{probed:?}").contains("-token"));
    let requests = web.requests.lock().unwrap();
    let first = requests
        .iter()
        .find(|one| one.contains("index-advice"))
        .unwrap();
    assert!(first.contains("X-Okapi-Token: secret-token\r\n"), "{first}");
    assert!(
        requests
            .last()
            .unwrap()
            .contains("X-Okapi-Token: later-token\r\n")
    );
}

#[tokio::test]
async fn a_refusal_names_the_permission_and_another_folio_is_no_fault() {
    let refusing = Web::start(|path, _| match path {
        "/_/index-advice" => (403, String::new()),
        _ => (404, String::new()),
    })
    .await;
    let probed = started(probing(&refusing.url)).await.finish().await;
    let words = ["octavo.index-advice.collection.get"];
    assert!(noted(&probed, &words), "{:?}", probed.notes);
    let other = Web::start(|_, _| (404, String::new())).await;
    let probed = started(probing(&other.url)).await.finish().await;
    assert!(probed.notes.is_empty(), "{:?}", probed.notes);
    assert!(probed.missing_indexes.is_empty() && line(&probed, "server version").is_none());
}
