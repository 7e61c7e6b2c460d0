//! User summaries, event handlers, and synchronization jobs.

use octavo_circulation::app::follow_fees::FeeFollower;
use octavo_circulation::store::Tables;
use octavo_circulation::store::invariants::examine;
use octavo_platform::Handler;
use octavo_platform::system_call;
use octavo_testkit::Library;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{PATRON, act, by, charge};
use octavo_server_testkit::library;

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
        .expect(400);
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

#[tokio::test]
async fn what_a_hand_in_the_database_has_done_is_made_good_by_a_job() {
    let library = library().await;
    let client = library.client().await;
    let (first, second) = (Uuid::new_v4(), Uuid::new_v4());
    let mut loan = json!({"id": first, "userId": PATRON, "itemId": Uuid::new_v4(),
        "status": {"name": "Open"}, "action": "checkedout", "itemStatus": "Checked out",
        "loanDate": "2026-01-01T00:00:00Z", "dueDate": "2026-02-01T00:00:00Z"});
    let _ = client.post("/loan-storage/loans", &loan).await.expect(201);
    loan["id"] = json!(second);
    loan["itemId"] = json!(Uuid::new_v4());
    let _ = client.post("/loan-storage/loans", &loan).await.expect(201);
    let _ = charge(&client, 10.0).await;
    assert_eq!(faults(&library).await, [0, 0]);
    let database = &library.platform.store.database;
    for sql in [
        "DELETE FROM tenant_diku.patron_loan WHERE due = '2026-02-01'
         AND loan_id = (SELECT loan_id FROM tenant_diku.patron_loan LIMIT 1)",
        "UPDATE tenant_diku.patron_loan SET claimed = true",
        "UPDATE tenant_diku.patron_debt SET remaining = 3",
        "INSERT INTO tenant_diku.patron_debt
         VALUES (gen_random_uuid(), gen_random_uuid(), NULL, 7)",
    ] {
        let _ = database.query(sql, &[]).await.expect(sql);
    }
    assert_eq!(faults(&library).await, [2, 2]);
    let path = "/automated-patron-blocks/synchronization/job";
    let of_one = json!({"scope": "user", "userId": PATRON});
    let job = client.post(path, &of_one).await.expect(201).json();
    run(&library).await;
    // The counters of another patron belong to another job.
    assert_eq!(faults(&library).await, [0, 1]);
    let one = format!("{path}/{}", super::text(&job["id"]));
    let done = client.get(&one).await.expect(200).json();
    let numbers = [
        "totalNumberOfLoans",
        "numberOfProcessedLoans",
        "totalNumberOfFeesFines",
    ];
    assert_eq!(
        numbers.map(|name| done[name].clone()),
        [json!(2), json!(2), json!(1)]
    );
    let _ = client
        .post(path, &json!({"scope": "full"}))
        .await
        .expect(201);
    run(&library).await;
    assert_eq!(faults(&library).await, [0, 0]);
    // Rows go with their records.
    let _ = client
        .delete(&format!("/loan-storage/loans/{first}"))
        .await
        .expect(204);
    loan["userId"] = json!(Uuid::new_v4());
    let path = format!("/loan-storage/loans/{second}");
    let _ = client.put(&path, &loan).await.expect(204);
    assert_eq!(faults(&library).await, [0, 0]);
    let sql = "SELECT user_id FROM tenant_diku.patron_loan";
    let rows = database.query(sql, &[]).await.expect("rows");
    let owners: Vec<Uuid> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(json!(owners), json!([loan["userId"]]));
}

#[tokio::test]
async fn a_job_that_cannot_be_done_fails_with_its_reason_and_others_are_done() {
    let library = library().await;
    let client = library.client().await;
    let _ = charge(&client, 10.0).await;
    let database = &library.platform.store.database;
    let refuse = "CREATE FUNCTION tenant_diku.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                  RAISE EXCEPTION 'not this one'; END $$; \
                  CREATE TRIGGER refuse BEFORE INSERT ON tenant_diku.patron_debt \
                  FOR EACH ROW EXECUTE FUNCTION tenant_diku.refuse()";
    let connection = database.connection().await.expect("one");
    connection.batch_execute(refuse).await.expect("a trigger");
    let path = "/automated-patron-blocks/synchronization/job";
    let mut jobs = Vec::new();
    for user in [json!(PATRON), json!(Uuid::new_v4())] {
        let of_one = json!({"scope": "user", "userId": user});
        let job = client.post(path, &of_one).await.expect(201).json();
        jobs.push(format!("{path}/{}", super::text(&job["id"])));
    }
    run(&library).await;
    let failed: Value = client.get(&jobs[0]).await.expect(200).json();
    assert_eq!(failed["status"], "failed");
    assert!(failed["errors"][0].is_string(), "{failed}");
    let done: Value = client.get(&jobs[1]).await.expect(200).json();
    assert_eq!(done["status"], "done");
}

/// How many rows that are kept for blocks do not agree with loans, and with accounts.
async fn faults(library: &Library) -> Vec<u64> {
    let (store, tenant) = (&library.platform.store, library.tenant());
    let tables = Tables {
        tenant: &tenant,
        catalog: &store.catalog,
    };
    let findings = examine(&store.database, tables, |_| ()).await;
    let findings = findings.expect("the tenant can be examined");
    let kept = findings
        .iter()
        .filter(|finding| finding.rule.starts_with("what is kept of "));
    kept.map(|finding| finding.faults).collect()
}

/// Runs the timer that does jobs, as the process does by itself.
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
