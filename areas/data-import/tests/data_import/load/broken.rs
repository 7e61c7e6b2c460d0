//! Broken records in the midst of good ones: each is reported with its position and the reason and
//! affects no other; readable records are stored byte for byte.

use octavo_data_import::load::LoadOptions;
use octavo_source_records::store::raw_bytes;
use serde_json::Value;
use uuid::Uuid;

use super::{bib, iso2709, load_bytes, options, text, total};
use octavo_server_testkit::library;

/// A record with other bytes at a place of its leader.
fn with_leader(number: usize, at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut record = bib(number, "");
    record[at..at + bytes.len()].copy_from_slice(bytes);
    record
}

#[tokio::test]
async fn broken_records_of_every_kind_are_reported_and_affect_no_other() {
    let library = library().await;
    let client = library.client().await;
    let long = "x".repeat(100_000);
    // (the record, what its reason says; none if it is taken anyway)
    let kinds: Vec<(Vec<u8>, Option<&str>)> = vec![
        (bib(1, ""), None),
        // The lengths in the leader are wrong.
        (with_leader(2, 0, b"00001"), None),
        (with_leader(3, 0, b"99999"), None),
        // No title.
        (iso2709("001 4\n500   $aLoose"), Some("title")),
        // No fields at all.
        (iso2709(""), Some("title")),
        (b"garbage\x1d".to_vec(), Some("")),
        // Longer than ISO 2709 can say.
        (long_record(&long), None),
        // Control characters, and bytes that are no UTF-8.
        (bib(8, "500   $aA \u{1}\u{7f} b"), None),
        (replaced(bib(9, "500   $aCafQ"), b'Q', 0xe9), None),
        // An authority.
        (with_leader(10, 6, b"z"), Some("not bibliographic")),
        // Interleaved tags.
        (bib(11, "650  0$aA\n651  0$aB\n650  0$aC"), None),
        (bib(12, ""), None),
    ];
    let bytes: Vec<u8> = kinds.iter().flat_map(|(bytes, _)| bytes.clone()).collect();
    let wanted = LoadOptions {
        with_bytes: true,
        batch_records: 5,
        ..options()
    };
    let loaded = load_bytes(&library, bytes.clone(), &wanted).await;
    let progress = loaded.complete();
    let bad: Vec<u64> = (1..)
        .zip(&kinds)
        .filter(|(_, (_, reason))| reason.is_some())
        .map(|(position, _)| position)
        .collect();
    assert_eq!(loaded.positions(), bad, "{:?}", loaded.problems);
    for problem in &loaded.problems {
        let (record, reason) = &kinds[problem.position as usize - 1];
        let reason = reason.expect("a bad one");
        assert!(
            problem.reason.to_lowercase().contains(reason) && !problem.reason.is_empty(),
            "{problem:?}"
        );
        assert_eq!(problem.bytes, *record, "{problem:?}");
        let place = problem.byte_offset as usize;
        assert_eq!(bytes[place..place + record.len()], record[..]);
    }
    let good = kinds.len() as u64 - bad.len() as u64;
    assert_eq!((progress.position, progress.created), (12, good));
    assert_eq!(progress.problems, bad.len() as u64);
    assert_eq!(total(&client, "/instance-storage/instances").await, good);
    assert_eq!(total(&client, "/source-storage/records").await, good);

    // Every record that was taken can be given back as it came.
    let page = client
        .get("/source-storage/records?limit=100")
        .await
        .expect(200)
        .json();
    for record in page["records"].as_array().expect("records") {
        let position = record["order"].as_u64().expect("a number") as usize;
        assert_eq!(
            kept(&library, record).await,
            kinds[position].0,
            "{position}"
        );
    }
}

/// A record as it came: its bytes, or else its text.
async fn kept(library: &octavo_testkit::Library, record: &Value) -> Vec<u8> {
    let id: Uuid = text(record, "id").parse().expect("a UUID");
    let database = &library.platform.store.database;
    let bytes = raw_bytes(database, &library.tenant(), id.into())
        .await
        .expect("an answer");
    bytes.unwrap_or_else(|| text(&record["rawRecord"], "content").into())
}

fn replaced(mut record: Vec<u8>, from: u8, to: u8) -> Vec<u8> {
    for byte in &mut record {
        if *byte == from {
            *byte = to;
        }
    }
    record
}

/// A record with a field that is longer than the four digits of a directory can say.
fn long_record(value: &str) -> Vec<u8> {
    let fields = [
        ("245", "10\u{1f}aBridges".to_owned()),
        ("520", format!("  \u{1f}a{value}")),
    ];
    let mut directory = String::new();
    let mut data = String::new();
    for (tag, field) in fields {
        let length = (field.len() + 1).min(9_999);
        directory.push_str(&format!("{tag}{length:04}{:05}", data.len()));
        data.push_str(&field);
        data.push('\u{1e}');
    }
    let base = 24 + directory.len() + 1;
    format!("99999nam a22{base:05}   4500{directory}\u{1e}{data}\u{1d}").into_bytes()
}

#[tokio::test]
async fn marc_8_is_kept_as_bytes_and_shown_as_text() {
    let library = library().await;
    let client = library.client().await;
    // Leader position 9 says MARC-8, in which 0xE2 is an acute accent before its letter.
    let mut record = replaced(bib(1, "500   $aCaf~e"), b'~', 0xe2);
    record[9] = b' ';
    let loaded = load_bytes(&library, record.clone(), &options()).await;
    assert_eq!(loaded.complete().created, 1);
    let page = client.get("/source-storage/records").await.expect(200);
    let page = page.json();
    let stored = &page["records"][0];
    let content = text(&stored["rawRecord"], "content");
    assert!(content.contains("Caf"), "{content}");
    let formatted = text(&stored["parsedRecord"], "formattedContent");
    assert!(formatted.contains("Cafe\u{301}") || formatted.contains("Caf\u{e9}"));
    assert_eq!(kept(&library, stored).await, record);
    // The bytes go with their record.
    let path = format!("/source-storage/snapshots/{}", text(stored, "snapshotId"));
    let _ = client.delete(&path).await.expect(204);
    let id: Uuid = text(stored, "id").parse().expect("a UUID");
    let database = &library.platform.store.database;
    let left = raw_bytes(database, &library.tenant(), id.into()).await;
    assert_eq!(left.expect("an answer"), None);
}
