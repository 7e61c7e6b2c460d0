//! Logs that are appended to, rotated and truncated while they are followed.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use octavo_figures::run::Probed;
use octavo_probes::{LogTarget, ProbeOptions, Probes};

use crate::support::{Scratch, noted, options, started};

const KIND: [&str; 3] = ["FT", "LIKE", "SQL"];

fn line(kind: usize, table: &str, field: &str) -> String {
    let kind = KIND[kind];
    format!(
        "12:00:00 [] [diku] WARN CQL2PgJSON Doing {kind} search without index for \
         {table}.jsonb->>'{field}', CQL >>> SQL: {field} == \"Smith\" >>> lower(x) LIKE 'smith'\n"
    )
}

fn append(path: &Path, text: &str) {
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

async fn following(targets: Vec<LogTarget>) -> Probes {
    started(ProbeOptions {
        logs: targets,
        ..options()
    })
    .await
}

async fn looks() {
    tokio::time::sleep(Duration::from_millis(350)).await;
}

fn found(probed: &Probed) -> Vec<(&str, &str, u64)> {
    let mut found: Vec<_> = probed
        .missing_indexes
        .iter()
        .map(|one| (one.table.as_str(), one.what.as_str(), one.count))
        .collect();
    found.sort_unstable();
    found
}

#[tokio::test]
async fn only_what_is_appended_counts_through_rotation_and_cutting() {
    let scratch = Scratch::new();
    let path = scratch.file("mod-users.log");
    append(&path, &line(0, "users", "before"));
    let probes = following(vec![LogTarget {
        path: path.clone(),
        whole: false,
    }])
    .await;
    append(&path, &line(0, "users", "name"));
    append(&path, "INFO nothing\n");
    looks().await;
    // Written and rotated between two samples; half of a line is in the old file.
    append(&path, &line(1, "users", "barcode"));
    append(&path, line(0, "users", "name").trim_end());
    std::fs::rename(&path, scratch.file("mod-users.log.1")).unwrap();
    append(&path, &line(0, "users", "name"));
    looks().await;
    // Truncated in place, then written to again.
    File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(0)
        .unwrap();
    looks().await;
    append(&path, &line(2, "items", "x"));
    append(&path, &line(0, "users", "name"));
    let probed = probes.finish().await;
    let expected = [
        ("items", "x (index)", 1),
        ("users", "barcode (like index)", 1),
        ("users", "name (full text index)", 4),
    ];
    assert_eq!(found(&probed), expected);
    assert_eq!(probed.missing_indexes[0].count, 4, "most frequent first");
    assert_eq!(probed.missing_indexes[0].source, "mod-users.log");
    assert!(
        !format!("{probed:?}").to_lowercase().contains("smith"),
        "no words of readers"
    );
    assert!(probed.notes.is_empty(), "{:?}", probed.notes);
}

#[tokio::test]
async fn what_stands_in_it_counts_when_asked_for() {
    let scratch = Scratch::new();
    let path = scratch.file("a.log");
    append(&path, &line(0, "users", "before"));
    let probes = following(vec![LogTarget { path, whole: true }]).await;
    let probed = probes.finish().await;
    assert_eq!(found(&probed), [("users", "before (full text index)", 1)]);
}

#[tokio::test]
async fn a_log_that_comes_later_is_read_whole_and_a_folder_is_none() {
    let scratch = Scratch::new();
    let path = scratch.file("later.log");
    let target = |path: &Path| LogTarget {
        path: path.to_owned(),
        whole: false,
    };
    let probes = following(vec![target(&path), target(scratch.path())]).await;
    append(&path, &line(0, "users", "name"));
    looks().await;
    let probed = probes.finish().await;
    assert_eq!(found(&probed), [("users", "name (full text index)", 1)]);
    assert!(
        noted(&probed, &["later.log", "cannot be read"]),
        "{:?}",
        probed.notes
    );
    assert!(noted(&probed, &["it is not a file"]), "{:?}", probed.notes);
    assert_eq!(probed.notes.len(), 3, "{:?}", probed.notes);
}
