//! Broken and malicious MARC through every entry point: errors are reported with position and reason,
//! valid records beside them are stored, and nothing is written partially.

mod files;
mod requests;
mod xml;

use octavo_data_import::load::{LoadOptions, LoadProblem, Progress};
use octavo_marc::{parse_text, write_iso2709};
use octavo_testkit::{Client, Library};
use serde_json::Value;

/// A record that nothing is wrong with, as ISO 2709.
fn good(number: u32) -> Vec<u8> {
    titled(&format!("Bridges, volume {number}"), "")
}

/// A record with this title and these further lines.
fn titled(title: &str, more: &str) -> Vec<u8> {
    let lines = format!("001 1\n003 NoOU\n245 10$a{title}\n{more}");
    let record = parse_text(&lines).expect("well-formed lines");
    write_iso2709(&record).expect("a short record")
}

/// What a file became.
struct Loaded {
    summary: Progress,
    problems: Vec<LoadProblem>,
}

impl Loaded {
    /// The positions of the reported records, each with a reason.
    fn positions(&self) -> Vec<u64> {
        for problem in &self.problems {
            assert!(!problem.reason.trim().is_empty(), "{problem:?}");
            assert!(problem.reason.len() < 1_000, "a reason is a sentence");
        }
        self.problems.iter().map(|one| one.position).collect()
    }

    fn reason(&self, position: u64) -> &str {
        let mut problems = self.problems.iter();
        let found = problems.find(|problem| problem.position == position);
        found.map_or("(none)", |problem| problem.reason.as_str())
    }
}

/// Loads a file as `octavo load marc` does.
async fn load(library: &Library, file: &[u8]) -> Loaded {
    let options = LoadOptions {
        batch_records: 4,
        ..octavo_server_testkit::load::options()
    };
    let loaded = octavo_server_testkit::load::load_bytes(library, file.to_vec(), &options).await;
    let summary = loaded.complete();
    let accounted = summary.created + summary.problems;
    assert_eq!(
        summary.position, accounted,
        "every record is kept or loaded"
    );
    let problems = loaded.problems;
    Loaded { summary, problems }
}

/// How many titles there are; each has its source record, and no source record is without one.
async fn titles(client: &Client) -> u64 {
    let total = async |path: &str| {
        let answer = client
            .get(&format!("{path}?limit=0&totalRecords=exact"))
            .await;
        let answer: Value = answer.expect(200).json();
        answer["totalRecords"].as_u64().expect("a number")
    };
    let titles = total("/instance-storage/instances").await;
    assert_eq!(
        titles,
        total("/source-storage/records").await,
        "nothing is half written"
    );
    titles
}
