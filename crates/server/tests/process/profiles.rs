//! `octavo profile`: a flame graph of a server under load, one at a time.

use std::time::Duration;

use octavo_testkit::Client;
use tokio::task::JoinSet;

use crate::octavo::{Octavo, run};
use crate::place::DataDir;
use crate::until;
use crate::well_formed::well_formed;

const CPU: &str = "/_/octavo/profile/cpu";

/// Asks for users over and over until it is dropped.
fn load(client: &Client) -> JoinSet<()> {
    let mut load = JoinSet::new();
    for _ in 0..4 {
        let client = client.clone();
        load.spawn(async move {
            loop {
                let _ = client.get("/users?query=active==true&limit=5").await;
            }
        });
    }
    load
}

#[tokio::test]
async fn a_server_under_load_is_drawn_with_our_functions() {
    let directory = DataDir::of_demo().await;
    let mut octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let url = format!("http://{}", octavo.address());
    let load = load(&octavo.client().await);
    let at = |name: &str| directory.path().join(name);
    let (svg, folded) = (at("flame.svg"), at("flame.txt"));
    let arguments = [
        "profile",
        "cpu",
        "--seconds",
        "2",
        "--url",
        &url,
        "--output",
        svg.to_str().expect("a path in UTF-8"),
        "--folded",
        folded.to_str().expect("a path in UTF-8"),
    ];
    let taken = run(&arguments, &[]).await;
    drop(load);
    assert!(taken.status.success(), "{}", taken.stderr);
    assert!(taken.stdout.contains(" samples"), "{}", taken.stdout);
    let folded = std::fs::read_to_string(&folded).expect("the stacks");
    assert!(folded.contains("octavo_platform::gateway::"), "{folded}");
    assert!(!folded.contains("diku"), "{folded}");
    let titles = well_formed(&std::fs::read_to_string(&svg).expect("the picture"));
    let ours = |title: &&String| title.starts_with("octavo_") && title.ends_with("%)");
    assert!(titles.iter().find(ours).is_some(), "{titles:#?}");
    octavo.terminate();
    octavo.ended_well().await;
}

#[tokio::test]
async fn one_profile_at_a_time_and_none_after_the_client_went_away() {
    let directory = DataDir::of_demo().await;
    let mut octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let client = octavo.client().await;
    let path = format!("{CPU}?seconds=1");
    let (one, other) = tokio::join!(client.get(&path), client.get(&path));
    let mut answers = [one, other];
    answers.sort_by_key(|answer| answer.status);
    assert_eq!((answers[0].status, answers[1].status), (200, 409));
    assert!(
        answers[1].text.contains("Another profile"),
        "{}",
        answers[1].text
    );

    // Five minutes are asked for, and given up when the client hangs up.
    let long = format!("{CPU}?seconds=300");
    let patience = Duration::from_millis(500);
    let gone = tokio::time::timeout(patience, client.get(&long)).await;
    assert!(gone.is_err(), "it ended early");
    until("the profile was given up", async || {
        client.get(&path).await.status == 200
    })
    .await;

    for wrong in ["seconds=0", "seconds=301", "seconds=x", "frequency=1000"] {
        let _ = client.get(&format!("{CPU}?{wrong}")).await.expect(400);
    }
    let stranger = client.with_token(None);
    let _ = stranger.get(CPU).await.expect(401);
    octavo.terminate();
    octavo.ended_well().await;
}
