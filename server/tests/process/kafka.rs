//! The relay to a real broker: only in a build with the feature `kafka`, where Java, Maven and kcat are. Never in CI.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::process::{Child, Command};

use crate::octavo::Octavo;
use crate::place::DataDir;
use crate::until;

const DESK: &str = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f";

/// Whether the test can run; says why not.
fn can_run() -> bool {
    if std::env::var_os("CI").is_some() {
        eprintln!("skipped: no broker is started in CI");
        return false;
    }
    if cfg!(not(feature = "kafka")) {
        eprintln!("skipped: this build has no client of Kafka (--features kafka)");
        return false;
    }
    for program in ["java", "mvn", "kcat"] {
        let found = std::env::var_os("PATH").is_some_and(|path| {
            std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
        });
        if !found {
            eprintln!("skipped: there is no {program} here");
            return false;
        }
    }
    true
}

struct Broker {
    _child: Child,
    at: String,
}

impl Broker {
    async fn start(directory: &DataDir, port: u16) -> Broker {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/kafka.sh");
        // The programs are gotten once.
        let libraries = std::env::temp_dir().join("octavo-kafka");
        let place = directory.path().join("kafka");
        std::fs::create_dir_all(&place).expect("a folder");
        if libraries.join("libs").is_dir() {
            let from = libraries.join("libs");
            std::os::unix::fs::symlink(from, place.join("libs")).expect("a link");
        }
        let child = Command::new(script)
            .arg(&place)
            .arg(port.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("the broker's script runs");
        let broker = Broker {
            _child: child,
            at: format!("127.0.0.1:{port}"),
        };
        until("the broker answers", || async {
            let asked = kcat(&["-b", &broker.at, "-L", "-m", "2"]).await;
            asked.is_some()
        })
        .await;
        if !libraries.exists() {
            let _ = std::fs::create_dir_all(&libraries);
            let made = place.join("libs");
            let _ = Command::new("cp")
                .arg("-r")
                .arg(made)
                .arg(&libraries)
                .status()
                .await;
        }
        broker
    }

    /// The values in a topic, with their keys.
    async fn messages(&self, topic: &str) -> Vec<(String, Value)> {
        let read = [
            "-b", &self.at, "-t", topic, "-C", "-e", "-q", "-f", "%k\t%s\n",
        ];
        let text = kcat(&read).await.unwrap_or_default();
        let lines = text.lines().filter_map(|line| line.split_once('\t'));
        lines
            .filter_map(|(key, value)| Some((key.to_owned(), serde_json::from_str(value).ok()?)))
            .collect()
    }
}

async fn kcat(arguments: &[&str]) -> Option<String> {
    let asked = Command::new("kcat").args(arguments).output();
    let answer = tokio::time::timeout(Duration::from_secs(20), asked)
        .await
        .ok()?
        .ok()?;
    answer
        .status
        .success()
        .then(|| String::from_utf8_lossy(&answer.stdout).into_owned())
}

#[tokio::test]
async fn a_check_out_is_a_message_of_a_real_broker() {
    if !can_run() {
        return;
    }
    let directory = DataDir::of_demo().await;
    let broker = Broker::start(&directory, 19_592).await;
    let arguments = [
        "--data-dir",
        directory.arg(),
        "--kafka",
        &broker.at,
        "--kafka-partitions",
        "2",
    ];
    let mut octavo = Octavo::start(&arguments).await;
    let client = octavo.client().await;
    let lend = json!({"itemBarcode": "31184000000013", "userBarcode": "21184000000015", "servicePointId": DESK});
    let loan = client
        .post("/circulation/check-out-by-barcode", &lend)
        .await
        .expect(201)
        .json();
    let id = loan["id"].as_str().expect("an id");
    until("the loan is told", || async {
        let told = broker.messages("folio.diku.circulation.loan").await;
        told.iter()
            .any(|(key, value)| key == id && value["data"]["new"]["id"] == id)
    })
    .await;
    until("so is the item", || async {
        let told = broker.messages("folio.diku.inventory.item").await;
        told.iter()
            .any(|(_, value)| value["new"]["status"]["name"] == "Checked out")
    })
    .await;
    let page = client.get("/_/octavo/relay").await.expect(200).json();
    assert_eq!(page["totalParked"], 0);
    octavo.terminate();
    octavo.ended_well().await;
}

#[tokio::test]
async fn a_program_without_the_client_says_so() {
    if cfg!(feature = "kafka") {
        return;
    }
    let directory = DataDir::of_demo().await;
    let arguments = ["--data-dir", directory.arg(), "--kafka", "127.0.0.1:1"];
    let mut octavo = Octavo::begin(&arguments, &[]);
    let status = octavo.ended().await;
    assert!(!status.success());
    assert!(
        octavo.log().contains("--features kafka"),
        "{}",
        octavo.log()
    );
}
