//! `octavo load marc` killed by `kill -9` and repeated; broken and repeated files on the command
//! line.

use std::fmt::Write as _;
use std::path::PathBuf;

use octavo_marc::{parse_text, write_iso2709};
use octavo_testkit::Client;

use crate::octavo::{Octavo, run};
use crate::place::DataDir;
use crate::until;

/// Enough records for the load to be interrupted in the middle.
const RECORDS: usize = 3_000;

fn bib(number: usize) -> Vec<u8> {
    let mut text = format!(
        "001 killed{number}\n100 1 $aMason, Ada\n245 10$aBridges killed {number} /$cAda Mason\n"
    );
    for subject in 0..5 {
        let _ = writeln!(text, "650  0$aBridges$xKind {subject} of {number}");
    }
    if number.is_multiple_of(100) {
        text = format!("001 killed{number}\n500   $aNo title");
    }
    write_iso2709(&parse_text(&text).expect("well-formed lines")).expect("a short record")
}

fn file(directory: &DataDir, name: &str, numbers: std::ops::Range<usize>) -> PathBuf {
    let path = directory.path().join(name);
    let bytes: Vec<u8> = numbers.flat_map(bib).collect();
    std::fs::write(&path, bytes).expect("a file can be written");
    path
}

async fn instances(client: &Client) -> u64 {
    let query = "title=\"Bridges killed\"&limit=0";
    let path = format!("/instance-storage/instances?query={query}");
    let page = client.get(&path).await.expect(200).json();
    page["totalRecords"].as_u64().expect("a number")
}

#[tokio::test]
async fn a_load_that_was_killed_goes_on_with_nothing_lost_or_doubled() {
    let directory = DataDir::of_demo().await;
    let octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let client = octavo.client().await;
    let records = file(&directory, "killed.mrc", 1..RECORDS + 1);
    let errors = directory.path().join("errors.tsv");
    let rejects = directory.path().join("rejects.mrc");
    let command = [
        "load",
        "marc",
        records.to_str().expect("UTF-8"),
        "--batch",
        "20",
        "--errors",
        errors.to_str().expect("UTF-8"),
        "--rejects",
        rejects.to_str().expect("UTF-8"),
        "--data-dir",
        directory.arg(),
    ];
    let mut load = Octavo::begin_command(&command, &[]);
    until("some of the records are stored", || async {
        instances(&client).await >= 150
    })
    .await;
    load.kill().await;
    let stored = instances(&client).await;
    assert!((150..RECORDS as u64).contains(&stored), "{stored}");

    // The database may take a moment to notice that the killed process is gone.
    let mut again = run(&command, &[]).await;
    while again.stderr.contains("another process is loading") {
        again = run(&command, &[]).await;
    }
    assert!(again.status.success(), "{}", again.stderr);
    assert!(
        again.stderr.contains("going on at record"),
        "{}",
        again.stderr
    );
    let good = (RECORDS - RECORDS / 100) as u64;
    assert!(
        again.stdout.contains(&format!("{good} instances")),
        "{}",
        again.stdout
    );
    assert_eq!(instances(&client).await, good);
    for number in [1, 150, RECORDS - 1] {
        let query = format!("title==\"Bridges killed {number} /*\"");
        let page = client.query("/instance-storage/instances", &query).await;
        assert_eq!(page.expect(200).json()["totalRecords"], 1, "{number}");
    }
    // The files contain the problems of both runs.
    let reported = std::fs::read_to_string(&errors).expect("a file of errors");
    let positions: Vec<usize> = (reported.lines().skip(1))
        .map(|line| line.split('\t').next().expect("a column"))
        .map(|position| position.parse().expect("a number"))
        .collect();
    let bad: Vec<usize> = (1..=RECORDS).filter(|at| at.is_multiple_of(100)).collect();
    assert_eq!(positions, bad);
    let rejected = std::fs::read(&rejects).expect("a file of rejects");
    assert_eq!(rejected, bad.into_iter().flat_map(bib).collect::<Vec<u8>>());

    let third = run(&command, &[]).await;
    assert!(third.status.success(), "{}", third.stderr);
    assert!(third.stdout.contains("nothing to do"), "{}", third.stdout);
    assert_eq!(instances(&client).await, good);
}

#[tokio::test]
async fn the_first_problems_are_shown_and_the_others_counted() {
    let directory = DataDir::of_demo().await;
    let path = directory.path().join("bad.mrc");
    let bytes: Vec<u8> = (1..=30).flat_map(|at| bib(at * 100)).collect();
    std::fs::write(&path, bytes).expect("a file can be written");
    let path = path.to_str().expect("UTF-8");
    let reported = run(&["load", "marc", path, "--data-dir", directory.arg()], &[]).await;
    assert!(!reported.status.success());
    assert!(
        reported.stderr.contains("record 20 set aside"),
        "{}",
        reported.stderr
    );
    assert!(
        !reported.stderr.contains("record 21 "),
        "{}",
        reported.stderr
    );
    assert!(
        reported.stderr.contains("and 10 more"),
        "{}",
        reported.stderr
    );
    assert!(
        reported.stdout.contains("30 set aside"),
        "{}",
        reported.stdout
    );
}
