//! Starts: the first, which creates the demo library, later ones, and an aborted one.

use serde_json::json;

use crate::octavo::{Octavo, run};
use crate::place::{DataDir, first_start};
use crate::until;

#[tokio::test]
async fn the_second_start_finds_what_the_first_one_made() {
    let first = first_start().await;
    assert!(
        first.output.contains("making the demo tenant diku"),
        "{}",
        first.output
    );
    assert!(first.seconds < 60.0, "{} s", first.seconds);
    let directory = DataDir::of_demo().await;
    let arguments = ["--demo", "--data-dir", directory.arg()];
    let mut octavo = Octavo::start(&arguments).await;
    println!(
        "started in {} s, then in {} s",
        first.seconds,
        octavo.start_seconds()
    );
    assert!(octavo.start_seconds() < 30.0);
    assert!(!octavo.output().contains("making"), "{}", octavo.output());
    let client = octavo.client().await;
    let items = client
        .get("/item-storage/items?limit=0")
        .await
        .expect(200)
        .json();
    assert!(items["totalRecords"].as_u64() > Some(1_000), "{items}");
    let body = json!({"name": "papyrus", "source": "local"});
    let stored = client
        .post("/material-types", &body)
        .await
        .expect(201)
        .json();

    // The directory belongs to this process as long as it runs.
    let other = run(
        &[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--data-dir",
            directory.arg(),
        ],
        &[],
    )
    .await;
    assert_eq!(other.status.code(), Some(2));
    assert!(
        other.stderr.contains("is in use by octavo process"),
        "{}",
        other.stderr
    );
    assert!(
        other.stderr.contains("choose another --data-dir"),
        "{}",
        other.stderr
    );

    octavo.terminate();
    octavo.ended_well().await;
    assert!(!octavo.log().contains("WARN"), "{}", octavo.log());
    let octavo = Octavo::start(&arguments).await;
    // The key is the same, so sessions are still valid.
    let client = client.at(octavo.address());
    let path = format!("/material-types/{}", stored["id"].as_str().expect("an id"));
    assert_eq!(
        client.get(&path).await.expect(200).json()["name"],
        "papyrus"
    );
    let again = client
        .get("/item-storage/items?limit=0")
        .await
        .expect(200)
        .json();
    assert_eq!(again["totalRecords"], items["totalRecords"]);
}

#[tokio::test]
async fn a_start_that_is_broken_off_leaves_nothing_running_and_the_next_one_works() {
    let directory = DataDir::new();
    for step in ["making a PostgreSQL", "making the demo tenant"] {
        let mut octavo = Octavo::begin(&["--demo", "--data-dir", directory.arg()], &[]);
        octavo.logs(step).await;
        octavo.terminate();
        octavo.ended_well().await;
        assert!(
            octavo.log().contains("stopped while starting"),
            "{}",
            octavo.log()
        );
        until("PostgreSQL ends", || async {
            directory.postmaster().is_none()
        })
        .await;
    }
    let octavo = Octavo::start(&["--demo", "--data-dir", directory.arg()]).await;
    let client = octavo.client().await;
    let items = client
        .get("/item-storage/items?limit=0")
        .await
        .expect(200)
        .json();
    assert!(items["totalRecords"].as_u64() > Some(1_000), "{items}");
}
