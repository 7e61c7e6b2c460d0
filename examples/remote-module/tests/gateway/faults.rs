//! Modules that do not answer, break off, or are gone: the gateway gives the right status, and no
//! other request suffers.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use crate::{LISTS, MODULE, Module, impatient, install, library, narrow, started};

#[tokio::test]
async fn one_that_never_answers_is_given_up() {
    let library = started(impatient).await;
    let admin = library.client().await;
    let module = Module::start(&[]);
    module.plug_in(&admin).await;
    let waiting: Vec<_> = (0..50)
        .map(|_| {
            let admin = admin.clone();
            tokio::spawn(async move { admin.get("/reading-lists/faults/never").await })
        })
        .collect();
    // Other requests are served meanwhile, by the module too.
    let _ = admin.get(LISTS).await.expect(200);
    let _ = admin.get("/users?limit=1").await.expect(200);
    for answer in waiting {
        let answer = answer.await.expect("an answer").expect(504);
        assert!(
            answer
                .text
                .starts_with("proxyClient failure: mod-reading-lists-1.0.0")
        );
        assert!(
            answer.text.contains("no answer within 1 s"),
            "{}",
            answer.text
        );
    }
    let _ = admin
        .get("/reading-lists/faults/slow?ms=300")
        .await
        .expect(200);
}

#[tokio::test]
async fn one_that_talks_nonsense_or_hangs_up_is_an_error_of_its_own() {
    let library = started(impatient).await;
    let admin = library.client().await;
    let module = Module::start(&[]);
    module.plug_in(&admin).await;
    for _ in 0..3 {
        let garbage = admin.get("/reading-lists/faults/garbage").await.expect(500);
        assert!(
            garbage.text.starts_with("proxyClient failure: "),
            "{}",
            garbage.text
        );
    }
    // The head has arrived, so the status is the module's; the client sees that the body is
    // incomplete.
    let request = admin.request(Method::GET, "/reading-lists/faults/early?bytes=100000");
    let response = request.send().await.expect("a head");
    assert_eq!(response.status(), 200);
    assert!(response.bytes().await.is_err(), "the body was not whole");
    let _ = admin.get(LISTS).await.expect(200);
}

#[tokio::test]
async fn one_that_was_killed_is_missed_until_it_is_back() {
    let library = library().await;
    let admin = library.client().await;
    let mut module = Module::start(&[]);
    module.plug_in(&admin).await;
    let _ = admin.get(LISTS).await.expect(200);
    module.kill();
    let gone = admin.get(LISTS).await.expect(500);
    assert!(gone.text.contains("Connection refused"), "{}", gone.text);
    let health = admin.get("/_/discovery/health").await.expect(200).json();
    assert_eq!(health[0]["healthStatus"], false, "{health}");
    let _ = admin.get("/users?limit=1").await.expect(200);
    // Starts the module at another address, under the same id.
    let again = Module::start(&[]);
    let moved = json!({"srvcId": MODULE, "instId": "one", "url": again.url});
    let _ = admin
        .put(&format!("/_/discovery/modules/{MODULE}/one"), &moved)
        .await
        .expect(200);
    // The module keeps its state in memory, so the tenant has to be enabled again.
    let wish = json!([{"id": MODULE, "action": "enable"}]);
    let _ = admin
        .post(&install("?reinstall=true"), &wish)
        .await
        .expect(200);
    let _ = admin.get(LISTS).await.expect(200);
    let _ = admin
        .delete(&format!("/_/discovery/modules/{MODULE}"))
        .await
        .expect(204);
    let nowhere = admin.get(LISTS).await.expect(404);
    assert_eq!(
        nowhere.text,
        format!("No running module instance found for {MODULE}")
    );
}

#[tokio::test]
async fn a_client_that_leaves_takes_nothing_with_it() {
    let library = library().await;
    let admin = library.client().await;
    let module = Module::start(&[]);
    module.plug_in(&admin).await;
    for _ in 0..50 {
        let leaving = admin.get("/reading-lists/faults/slow?ms=5000");
        let left = tokio::time::timeout(Duration::from_millis(20), leaving).await;
        assert!(left.is_err());
    }
    let _ = admin.get(LISTS).await.expect(200);
}

#[tokio::test]
async fn one_that_stands_still_holds_up_so_many_and_no_more() {
    let library = started(narrow).await;
    let admin = library.client().await;
    let module = Module::start(&[]);
    module.plug_in(&admin).await;
    let waiting: Vec<_> = (0..20)
        .map(|_| {
            let admin = admin.clone();
            tokio::spawn(async move { admin.get("/reading-lists/faults/slow?ms=700").await.status })
        })
        .collect();
    let mut answers = Vec::new();
    for answer in waiting {
        answers.push(answer.await.expect("an answer"));
    }
    let of = |status: u16| answers.iter().filter(|one| **one == status).count();
    assert_eq!(of(200) + of(503), 20, "{answers:?}");
    assert!(of(200) >= 8 && of(503) >= 1, "{answers:?}");
    let _ = admin.get(LISTS).await.expect(200);
}
