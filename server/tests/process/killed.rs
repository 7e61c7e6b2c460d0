//! `kill -9` of octavo in the middle of work: what was acknowledged is stored, and the rest is
//! stored completely or not at all.

use std::sync::{Arc, Mutex};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use octavo_testkit::Client;
use reqwest::Method;
use uuid::Uuid;

use crate::database_lost::a_backend;
use crate::octavo::Octavo;
use crate::place::DataDir;
use crate::until;
use crate::writers::{Writers, all_are_there};
use octavo_server_testkit::stock::{Stock, check_out};

const LOANS: usize = 60;

#[tokio::test]
async fn nothing_that_was_answered_is_lost() {
    let directory = DataDir::of_demo().await;
    let arguments = ["--data-dir", directory.arg()];
    let mut octavo = Octavo::start(&arguments).await;
    let stock = Stock::new(octavo.client().await).await;
    for number in 0..LOANS {
        let _ = stock.item(&format!("killed-{number}")).await;
    }
    let patron = stock.patron("killed").await;

    let writers = Writers::start(&stock.client, 3);
    let loans = Arc::<Mutex<Vec<Uuid>>>::default();
    let desk = tokio::spawn(lend(stock.client.clone(), Arc::clone(&loans)));
    until("records and loans are written", || async {
        writers.seen().stored.len() > 100 && loans.lock().expect("no panic").len() > 20
    })
    .await;
    let postmaster = directory.postmaster();
    octavo.kill().await;
    let seen = writers.stop().await;
    desk.abort();

    let octavo = Octavo::start(&arguments).await;
    assert!(
        octavo.output().contains("took over the PostgreSQL"),
        "{}",
        octavo.output()
    );
    assert_eq!(directory.postmaster(), postmaster);
    let client = octavo.client().await;
    all_are_there(&client, &seen.stored).await;
    let loans = loans.lock().expect("no panic").clone();
    println!(
        "{} records and {} loans were answered",
        seen.stored.len(),
        loans.len()
    );
    for loan in loans {
        let loan = client
            .get(&format!("/circulation/loans/{loan}"))
            .await
            .expect(200)
            .json();
        assert_eq!(loan["item"]["status"]["name"], "Checked out");
    }
    // The request in flight took effect completely or not at all.
    let open = format!("(userId=={patron} and status.name==Open)");
    let open = client
        .query("/circulation/loans", &open)
        .await
        .expect(200)
        .json();
    let out = "(barcode==\"killed-*\" and status.name==\"Checked out\")";
    let out = client
        .query("/item-storage/items", out)
        .await
        .expect(200)
        .json();
    assert_eq!(open["totalRecords"], out["totalRecords"]);
    both_at_once(octavo, &directory, &client).await;
}

/// As when the machine goes down, except for one backend that takes its time to notice.
async fn both_at_once(mut octavo: Octavo, directory: &DataDir, client: &Client) {
    let writers = Writers::start(client, 3);
    until("records are written", || async {
        writers.seen().stored.len() > 50
    })
    .await;
    let send = |pid: i32, signal| kill(Pid::from_raw(pid), signal).expect("a process of ours");
    let postmaster = directory.postmaster().expect("a running server");
    let backend = a_backend(&directory.database_url(), "material_type").await;
    send(backend, Signal::SIGSTOP);
    octavo.kill().await;
    send(postmaster, Signal::SIGKILL);
    let seen = writers.stop().await;
    let mut octavo = Octavo::begin(&["--data-dir", directory.arg()], &[]);
    octavo
        .logs("waiting for the last processes of a killed PostgreSQL")
        .await;
    send(backend, Signal::SIGKILL);
    octavo.ready().await;
    assert!(
        !octavo.output().contains("took over"),
        "{}",
        octavo.output()
    );
    all_are_there(&octavo.client().await, &seen.stored).await;
}

async fn lend(client: Client, loans: Arc<Mutex<Vec<Uuid>>>) {
    for number in 0..LOANS {
        let body = check_out(&format!("killed-{number}"), "killed");
        let request = client.request(Method::POST, "/circulation/check-out-by-barcode");
        let Ok(answer) = request.json(&body).send().await else {
            return;
        };
        assert_eq!(answer.status().as_u16(), 201);
        let Ok(loan) = answer.json::<serde_json::Value>().await else {
            return;
        };
        let id = loan["id"]
            .as_str()
            .and_then(|id| id.parse().ok())
            .expect("the loan's id");
        loans.lock().expect("no panic").push(id);
    }
}
