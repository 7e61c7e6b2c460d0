//! Files that are not in UTF-8: they are decoded to text, and their bytes are stored.

use octavo_data_export::marc::{Form, Format};
use octavo_source_records::store::raw_bytes;
use uuid::Uuid;

use super::files::imported;
use super::{CREATE_INSTANCES, created, log, raw, source};
use octavo_server_testkit::export::exported;
use octavo_server_testkit::library;

/// FOLIO's profile that lays a record over the instance that it names.
const UPDATE_INSTANCE: &str = "91f9b8d6-d80e-4727-9783-73fb53e3c786";

/// A record in MARC-8: 0xE2 is an acute accent before its letter.
fn marc_8(lines: &str) -> Vec<u8> {
    let mut record = raw(lines).into_bytes();
    record[9] = b' ';
    for byte in &mut record {
        if *byte == b'~' {
            *byte = 0xE2;
        }
    }
    record
}

#[tokio::test]
async fn a_file_in_marc_8_leaves_as_it_came() {
    let library = library().await;
    let client = library.client().await;
    let file = [
        marc_8("001 m1\n245 10$aCaf~es"),
        raw("001 m2\n245 10$aCaf\u{e9}s").into_bytes(),
        marc_8("001 m3\n245 10$a~Etudes\n500   $aCaf~e"),
    ]
    .concat();
    let done = imported(&client, "marc8.mrc", file.clone(), CREATE_INSTANCES).await;
    let lines = log(&client, &done).await;
    assert_eq!(done["status"], "COMMITTED", "{lines:?}");
    // As text it is what its letters are.
    let title = lines[0]["sourceRecordTitle"].as_str().expect("a title");
    assert!(["Cafe\u{301}s", "Caf\u{e9}s"].contains(&title), "{title}");
    let record = lines[0]["incomingRecordId"].as_str().expect("an id");
    let path = format!("/metadata-provider/incomingRecords/{record}");
    let incoming = client.get(&path).await.expect(200).json();
    assert!(incoming["rawRecordContent"].to_string().contains("Caf"));
    let out = exported(&library, Form::Loaded, Format::Iso2709, None).await;
    assert_eq!(out.bytes, file);
}

#[tokio::test]
async fn what_is_laid_over_a_record_brings_its_bytes() {
    let library = library().await;
    let client = library.client().await;
    let (id, hrid) = created(&client, &[raw("001 m1\n245 10$aBefore")])
        .await
        .remove(0);
    let own = format!("001 {hrid}\n245 10$aCaf~es\n999 ff$i{id}");
    let came = marc_8(&own);
    let done = imported(&client, "over.mrc", came.clone(), UPDATE_INSTANCE).await;
    assert_eq!(
        done["status"],
        "COMMITTED",
        "{:?}",
        log(&client, &done).await
    );
    let record = source(&client, &id).await;
    assert_eq!(record["generation"], 1);
    let id: Uuid = record["id"]
        .as_str()
        .expect("an id")
        .parse()
        .expect("a UUID");
    let database = &library.platform.store.database;
    let kept = raw_bytes(database, &library.tenant(), id.into()).await;
    assert_eq!(kept.expect("an answer"), Some(came));
}
