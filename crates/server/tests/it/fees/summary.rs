//! What a patron's blocks depend on, events that others tell of, and jobs to count anew.

use octavo_circulation::app::follow_fees::FeeFollower;
use octavo_platform::Handler;
use octavo_platform::proxy::system::system_call;
use octavo_testkit::Library;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{PATRON, act, by, charge};
use crate::library;

#[tokio::test]
async fn a_summary_is_what_a_patron_has_and_owes_now() {
    let library = library().await;
    let client = library.client().await;
    let path = format!("/user-summary/{PATRON}");
    let missing = client.get(&path).await.expect(404);
    assert_eq!(
        missing.text,
        format!("User summary for user ID {PATRON} not found")
    );
    let odd = client.get("/user-summary/seven").await.expect(400);
    assert_eq!(odd.text, "Invalid user ID: \"seven\"");
    let loan = Uuid::new_v4();
    let body = json!({"id": loan, "userId": PATRON, "itemId": Uuid::new_v4(),
        "status": {"name": "Open"}, "action": "declaredLost", "itemStatus": "Declared lost",
        "loanDate": "2026-01-01T00:00:00Z", "dueDate": "2026-02-01T00:00:00Z"});
    let _ = client.post("/loan-storage/loans", &body).await.expect(201);
    let id = charge(&client, 10.0).await;
    let _ = act(&client, &id, "pay", &by("2.5")).await.expect(201);
    let summary = client.get(&path).await.expect(200).json();
    assert_eq!(summary["userId"], PATRON);
    assert_eq!(
        summary["openLoans"],
        json!([{"loanId": loan, "dueDate": "2026-02-01T00:00:00.000+00:00", "recall": false,
                "itemLost": true, "itemClaimedReturned": false}])
    );
    let fees = summary["openFeesFines"].as_array().expect("debts");
    assert_eq!(fees.len(), 1);
    assert_eq!(
        (&fees[0]["feeFineId"], &fees[0]["balance"]),
        (&json!(id), &json!(7.5))
    );
    let _ = act(&client, &id, "pay", &by("7.5")).await.expect(201);
    let summary = client.get(&path).await.expect(200).json();
    assert_eq!(summary["openFeesFines"], json!([]));
}

#[tokio::test]
async fn events_are_taken_and_refused_as_folio_does() {
    let library = library().await;
    let client = library.client().await;
    let (user, loan) = (Uuid::new_v4(), Uuid::new_v4());
    let event = json!({"userId": user, "loanId": loan, "dueDate": "2026-01-01T00:00:00Z",
        "dueDateChangedByRecall": false, "feeFineId": loan, "balance": 3, "more": {"x": 1}});
    let handlers = [
        ("fee-fine-balance-changed", "balance"),
        ("item-checked-out", "dueDate"),
        ("item-checked-in", "loanId"),
        ("item-declared-lost", "userId"),
        ("item-aged-to-lost", "userId"),
        ("item-claimed-returned", "userId"),
        ("loan-due-date-changed", "dueDateChangedByRecall"),
        ("loan-closed", "loanId"),
    ];
    for (name, needed) in handlers {
        let path = format!("/automated-patron-blocks/handlers/{name}");
        let _ = client.post(&path, &event).await.expect(204);
        let mut less = event.clone();
        let _ = less.as_object_mut().expect("an object").remove(needed);
        let answer = client.post(&path, &less).await.expect(422).json();
        assert_eq!(answer["errors"][0]["parameters"][0]["key"], needed);
    }
}

#[tokio::test]
async fn a_job_to_count_anew_is_done_soon() {
    let library = library().await;
    let client = library.client().await;
    let path = "/automated-patron-blocks/synchronization/job";
    let missing = client
        .post(path, &json!({"scope": "user"}))
        .await
        .expect(422);
    assert_eq!(
        missing.text,
        "UserId is required for synchronization job with scope: USER"
    );
    let _ = client
        .post(path, &json!({"scope": "half"}))
        .await
        .expect(422);
    let job = client
        .post(path, &json!({"scope": "full"}))
        .await
        .expect(201)
        .json();
    assert_eq!(
        (&job["scope"], &job["status"]),
        (&json!("full"), &json!("open"))
    );
    let one = format!("{path}/{}", super::text(&job["id"]));
    let stored: Value = client.get(&one).await.expect(200).json();
    assert_eq!(
        (&stored["status"], &stored["totalNumberOfLoans"]),
        (&json!("open"), &json!(0))
    );
    run(&library).await;
    assert_eq!(client.get(&one).await.expect(200).json()["status"], "done");
    let nobody = client
        .get(&format!("{path}/{}", Uuid::new_v4()))
        .await
        .expect(404);
    assert_eq!(nobody.text, "This synchronization request does not exist");
}

/// Runs the timer that ends jobs, as the process does by itself.
async fn run(library: &Library) {
    let platform = &library.platform;
    let view = platform.registry.known("diku");
    let view = view.expect("the tenant was asked for");
    let modules = octavo_fees::modules(&FeeFollower::shared(), Vec::new());
    let mut timers = modules.iter().flat_map(|module| &module.timers);
    let path = "/automated-patron-blocks/synchronization/start";
    let timer = timers
        .find(|timer| timer.path == path)
        .expect("it is declared");
    let Handler::Call(handler) = &timer.handler else {
        panic!("{path} is served by a generic operation");
    };
    let answer = handler(system_call(platform, &view)).await;
    assert_eq!(answer.expect("it is carried out").status(), 202);
}
