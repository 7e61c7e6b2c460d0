//! `octavo profile`: a flame graph of a server under load, one at a time.

use std::time::Duration;

use octavo_testkit::Client;
use tokio::task::JoinSet;

use crate::octavo::{Octavo, run};
use crate::place::DataDir;
use crate::until;
use crate::well_formed::well_formed;

const CPU: &str = "/_/octavo/profile/cpu";
const HEAP: &str = "/_/octavo/profile/heap";

/// Requests users repeatedly until it is dropped.
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

#[cfg(feature = "heap-profiles")]
#[tokio::test]
async fn who_allocates_is_drawn_with_our_functions_and_requests_hold_nothing() {
    let directory = DataDir::of_demo().await;
    let mut octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let url = format!("http://{}", octavo.address());
    let client = octavo.client().await;
    let load = load(&client);
    let at = |name: &str| directory.path().join(name);
    let (svg, folded) = (at("heap.svg"), at("heap.txt"));
    let arguments = [
        "profile",
        "heap",
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
    assert!(taken.status.success(), "{}", taken.stderr);
    assert!(taken.stdout.contains("iB\n"), "{}", taken.stdout);
    let folded = std::fs::read_to_string(&folded).expect("the stacks");
    assert!(folded.contains("octavo_platform::gateway::"), "{folded}");
    assert!(!folded.contains("diku"), "{folded}");
    for stack in folded.lines() {
        let (functions, _) = stack.rsplit_once(' ').expect("a number");
        let innermost = functions.rsplit(';').next().unwrap_or_default();
        assert!(!innermost.contains("jemalloc"), "{stack}");
        assert!(!innermost.starts_with("prof_"), "{stack}");
    }
    let titles = well_formed(&std::fs::read_to_string(&svg).expect("the picture"));
    let ours = |title: &&String| title.starts_with("octavo_") && title.ends_with("%)");
    assert!(titles.iter().find(ours).is_some(), "{titles:#?}");

    let held = client.get(&format!("{HEAP}?seconds=2&count=held")).await;
    assert_eq!(held.status, 200, "{}", held.text);
    drop(load);
    let (allocated, held) = (total(&folded), total(&held.text));
    assert!(allocated > 4 * held, "{allocated} and {held}");
    octavo.terminate();
    octavo.ended_well().await;
}

#[cfg(feature = "heap-profiles")]
fn total(folded: &str) -> u64 {
    let number = |line: &str| line.rsplit_once(' ')?.1.parse::<u64>().ok();
    folded.lines().filter_map(number).sum()
}

#[cfg(feature = "heap-profiles")]
#[tokio::test]
async fn memory_too_is_sampled_for_one_at_a_time_who_may() {
    let directory = DataDir::of_demo().await;
    let mut octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let client = octavo.client().await;
    let path = format!("{HEAP}?seconds=1");
    let of_processor = format!("{CPU}?seconds=1");
    let (one, other, third) = tokio::join!(
        client.get(&path),
        client.get(&path),
        client.get(&of_processor)
    );
    let mut statuses = [one.status, other.status, third.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409]);

    let long = format!("{HEAP}?seconds=300");
    let gone = tokio::time::timeout(Duration::from_millis(500), client.get(&long)).await;
    assert!(gone.is_err(), "it ended early");
    until("the profile was given up", async || {
        client.get(&path).await.status == 200
    })
    .await;

    for wrong in ["seconds=0", "seconds=301", "count=freed"] {
        let _ = client.get(&format!("{HEAP}?{wrong}")).await.expect(400);
    }
    let _ = client.with_token(None).get(HEAP).await.expect(401);
    octavo.terminate();
    octavo.ended_well().await;
}

#[cfg(feature = "heap-profiles")]
#[tokio::test]
async fn what_keeps_memory_from_being_sampled_is_reported() {
    let directory = DataDir::of_demo().await;
    let nowhere = [("TMPDIR", "/nowhere")];
    let not_ready = [("_RJEM_MALLOC_CONF", "prof:false")];
    for (variables, status, message) in [
        (&nowhere, 500, "TMPDIR"),
        (&not_ready, 501, ".cargo/config.toml"),
    ] {
        let arguments = ["--data-dir", directory.arg()];
        let mut octavo = Octavo::start_with(&arguments, variables).await;
        let client = octavo.client().await;
        let answer = client.get(&format!("{HEAP}?seconds=1")).await;
        assert_eq!(answer.status, status, "{}", answer.text);
        assert!(answer.text.contains(message), "{}", answer.text);
        octavo.terminate();
        octavo.ended_well().await;
    }
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

    // Five minutes are requested, and aborted when the client disconnects.
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

#[cfg(not(feature = "heap-profiles"))]
#[tokio::test]
async fn a_program_that_cannot_say_who_allocates_names_the_one_that_can() {
    let directory = DataDir::of_demo().await;
    let mut octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let client = octavo.client().await;
    let refused = client.get(&format!("{HEAP}?seconds=1")).await.expect(501);
    assert!(
        refused.text.contains("--features heap-profiles"),
        "{}",
        refused.text
    );
    for wrong in ["seconds=0", "seconds=301", "count=freed"] {
        let _ = client.get(&format!("{HEAP}?{wrong}")).await.expect(400);
    }
    let of_processor = format!("{CPU}?seconds=1");
    let (one, other) = tokio::join!(client.get(&of_processor), client.get(&of_processor));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    octavo.terminate();
    octavo.ended_well().await;
}
