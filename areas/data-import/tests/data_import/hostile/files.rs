//! Files in ISO 2709.

use octavo_marc::RECORD_BYTES_MAX;
use serde_json::Value;

use super::{good, load, titled, titles};
use octavo_server_testkit::library;

/// Puts bytes over those of a record.
fn patched(mut record: Vec<u8>, at: usize, bytes: &[u8]) -> Vec<u8> {
    record.splice(at..at + bytes.len(), bytes.iter().copied());
    record
}

/// A record whose title has these bytes, whatever they are; lengths and directory are of the original.
fn with_title(bytes: &[u8]) -> Vec<u8> {
    let record = titled(&"T".repeat(bytes.len()), "");
    let at = record
        .windows(4)
        .position(|four| four == b"TTTT")
        .expect("the title");
    patched(record, at, bytes)
}

/// Leader, an empty directory, and the end.
fn without_fields() -> Vec<u8> {
    b"00026cam a2200025   4500\x1e\x1d".to_vec()
}

/// Whether a record between two good ones is stored, or reported with these words.
enum Becomes {
    Stored,
    Reported(&'static str),
}

#[tokio::test]
async fn one_bad_record_costs_no_other() {
    use Becomes::{Reported, Stored};
    let library = library().await;
    let client = library.client().await;
    let length_lies = patched(good(9), 0, b"00099");
    let length_is_text = patched(good(9), 0, b"abcde");
    let base_lies = patched(good(9), 12, b"99999");
    let lengths_lie = patched(good(9), 24 + 3, b"9999");
    let starts_lie = patched(good(9), 24 + 12 + 7, b"99999");
    let no_tag = patched(good(9), 24, b"2\x00\xff");
    let mut no_directory_end = good(9);
    let end = no_directory_end
        .iter()
        .position(|byte| *byte == 0x1E)
        .expect("a directory");
    no_directory_end.truncate(end);
    no_directory_end.retain(|byte| *byte != 0x1E);
    no_directory_end.push(0x1D);
    let controls: Vec<u8> = (1..0x1D)
        .filter(|byte| *byte != 0x1B)
        .chain(b"TTTT".iter().copied())
        .collect();
    let noise: Vec<u8> = (0..400_u32)
        .map(|at| (0x80 + (at * 7) % 0x60) as u8)
        .collect();
    let cases: Vec<(&str, Vec<u8>, Becomes)> = vec![
        ("a wrong length", length_lies, Stored),
        ("a length that is no number", length_is_text, Stored),
        ("a wrong base address", base_lies, Stored),
        ("wrong lengths of fields", lengths_lie, Stored),
        ("wrong starts of fields", starts_lie, Stored),
        ("a tag that is none", no_tag, Reported("tag")),
        (
            "a directory without an end",
            no_directory_end,
            Reported("directory"),
        ),
        ("no fields", without_fields(), Reported("")),
        ("ten bytes", b"0123456789\x1d".to_vec(), Reported("bytes")),
        ("control characters", with_title(&controls), Stored),
        ("U+0000", with_title(b"TTTT\x00TTTT"), Stored),
        (
            "Latin-1 where UTF-8 is said",
            with_title("TTTTTTTTTTTT\u{e9}".as_bytes()),
            Stored,
        ),
        (
            "a byte that is in no character set",
            with_title(b"TTTTTTTTTTTTTTTTTTTTTTT\xff"),
            Stored,
        ),
        ("noise", with_title(&noise), Reported("")),
    ];
    let mut kept = titles(&client).await;
    for (name, record, becomes) in cases {
        let file = [good(1), record, good(3)].concat();
        let loaded = load(&library, &file).await;
        match becomes {
            Stored => {
                assert_eq!(loaded.positions(), [0; 0], "{name}: {:?}", loaded.problems);
                kept += 3;
            }
            Reported(words) => {
                assert_eq!(loaded.positions(), [2], "{name}: {:?}", loaded.problems);
                let reason = loaded.reason(2);
                assert!(reason.contains(words), "{name}: {reason}");
                kept += 2;
            }
        }
        assert_eq!(loaded.summary.position, 3, "{name}");
        assert_eq!(titles(&client).await, kept, "{name}");
    }
}

#[tokio::test]
async fn a_truncated_file_is_reported_with_its_position() {
    let library = library().await;
    let client = library.client().await;
    let whole = [good(1), good(2), good(3)].concat();
    let first_two = good(1).len() + good(2).len();
    let mut kept = 0;
    for cut in [
        first_two + 1,
        first_two + 10,
        first_two + 40,
        whole.len() - 5,
    ] {
        let loaded = load(&library, &whole[..cut]).await;
        assert_eq!(
            loaded.positions(),
            [3],
            "cut at {cut}: {:?}",
            loaded.problems
        );
        kept += 2;
    }
    // Only the terminator is missing: the record is whole.
    let loaded = load(&library, &whole[..whole.len() - 1]).await;
    assert_eq!(loaded.positions(), [0; 0]);
    kept += 3;
    for empty in [&b""[..], b"\r\n", b"\x1a", b"\x00\x00\x00"] {
        let loaded = load(&library, empty).await;
        assert_eq!((loaded.summary.position, loaded.positions().len()), (0, 0));
    }
    // A file without MARC is reported, and the load ends.
    let loaded = load(&library, &b"barcode,title\n1,Bridges\n".repeat(50)).await;
    assert_eq!(loaded.summary.created, 0);
    assert!(loaded.summary.problems > 0);
    assert_eq!(titles(&client).await, kept);
}

#[tokio::test]
async fn huge_records_are_stored_or_reported() {
    let library = library().await;
    let client = library.client().await;
    // A field of 100,000 bytes: its directory cannot say so, but its terminator does.
    let record = titled("Long note", "500   $aTTTT");
    let at = record
        .windows(4)
        .position(|four| four == b"TTTT")
        .expect("the note");
    let mut long = record.clone();
    long.splice(at..at + 4, std::iter::repeat_n(b'n', 100_000));
    let endless = {
        let mut endless = record.clone();
        endless.splice(at..at + 4, std::iter::repeat_n(b'n', RECORD_BYTES_MAX + 1));
        endless
    };
    let file = [good(1), long, good(3), endless, good(5)].concat();
    let loaded = load(&library, &file).await;
    assert_eq!(loaded.positions(), [4], "{:?}", loaded.problems);
    assert!(
        loaded.reason(4).contains("longer than"),
        "{}",
        loaded.reason(4)
    );
    assert_eq!(titles(&client).await, 4);
    let found = client
        .query("/instance-storage/instances", "title=\"Long note\"")
        .await
        .expect(200)
        .json();
    let note = found["instances"][0]["notes"][0]["note"]
        .as_str()
        .expect("the note");
    assert_eq!(note.len(), 100_000);
}

#[tokio::test]
async fn tags_that_are_interleaved_keep_their_order() {
    let library = library().await;
    let client = library.client().await;
    let subjects =
        "650  0$aBridges\n651  0$aOslo\n650  7$aEngineering\n500   $aNote\n650  0$aSteel\n";
    let loaded = load(&library, &titled("Interleaved", subjects)).await;
    assert_eq!(loaded.positions(), [0; 0]);
    let found = client
        .get("/source-storage/records?limit=1")
        .await
        .expect(200)
        .json();
    let fields = found["records"][0]["parsedRecord"]["content"]["fields"].clone();
    let tags: Vec<String> = fields
        .as_array()
        .expect("fields")
        .iter()
        .filter_map(Value::as_object)
        .flat_map(|field| field.keys().cloned())
        .collect();
    let subjects: Vec<_> = tags
        .iter()
        .filter(|tag| *tag >= &"500".to_owned())
        .collect();
    assert_eq!(
        subjects[..5],
        ["650", "651", "650", "500", "650"],
        "{tags:?}"
    );
}
