//! Source files: creation, changes, HRIDs, and refused operations.

use octavo_authorities::app::source_file_by_prefix;
use octavo_records::{Context, Stamp};
use serde_json::{Value, json};
use tokio::join;

use super::{AUTHORITIES, FILES, LCNAF, message, name, patch, path_of, stored};
use octavo_server_testkit::library;

fn path(file: &Value) -> String {
    format!("{FILES}/{}", file["id"].as_str().expect("an id"))
}

#[tokio::test]
async fn a_local_file_numbers_its_authorities() {
    let library = library().await;
    let client = library.client().await;
    let listed = client
        .get(&format!("{FILES}?limit=50"))
        .await
        .expect(200)
        .json();
    assert_eq!(listed["totalRecords"], 12);
    let form = json!({"name": "Own names", "code": "own", "baseUrl": "http://www.example.org/names",
                      "hridManagement": {"startNumber": 10}});
    let file = client.post(FILES, &form).await.expect(201).json();
    assert_eq!(file["codes"], json!(["own"]));
    assert_eq!(file["source"], "local");
    assert_eq!(file["selectable"], true);
    assert_eq!(file["baseUrl"], "http://example.org/names/");
    let hrid = format!("{}/hrid", path(&file));
    let nothing = json!({});
    let (one, other) = join!(client.post(&hrid, &nothing), client.post(&hrid, &nothing));
    let mut given = [one, other].map(|answer| answer.expect(200).json()["hrid"].to_string());
    given.sort();
    assert_eq!(given, ["\"own10\"", "\"own11\""]);
    let again = json!({"_version": 0, "hridManagement": {"startNumber": 50}, "code": "ours"});
    let _ = patch(&client, &path(&file), &again).await.expect(204);
    let next = client.post(&hrid, &nothing).await.expect(200).json();
    assert_eq!(next["hrid"], "ours50");
    let stale = patch(&client, &path(&file), &again)
        .await
        .expect(409)
        .json();
    assert_eq!(stale["errors"][0]["code"], "optimistic locking");
    let folios = format!("{FILES}/{LCNAF}/hrid");
    let refused = client.post(&folios, &nothing).await.expect(422).json();
    assert_eq!(
        message(&refused),
        format!(
            "Cannot get next HRID for source file [id: {LCNAF}, cause: source file doesn't support \
             HRID generation]"
        )
    );
    let _ = client.delete(&path(&file)).await.expect(204);
    let missing = client.get(&path(&file)).await.expect(404).json();
    assert_eq!(
        missing["errors"][0]["type"],
        "AuthoritySourceFileNotFoundException"
    );
}

#[tokio::test]
async fn names_addresses_and_codes_belong_to_one_file() {
    let library = library().await;
    let client = library.client().await;
    for (form, code) in [
        (
            json!({"name": "LC Subject Headings (LCSH)", "code": "own"}),
            "104",
        ),
        (
            json!({"name": "Own", "code": "own", "baseUrl": "https://id.loc.gov/authorities/names"}),
            "105",
        ),
        (json!({"name": "Own", "code": "nb"}), "106"),
        (json!({"name": "Own", "code": "own", "id": LCNAF}), "111"),
    ] {
        let refused = client.post(FILES, &form).await.expect(422).json();
        assert_eq!(refused["errors"][0]["code"], code, "{refused}");
    }
    for form in [
        json!({"name": "Own", "code": "n1"}),
        json!({"name": "Own", "code": ""}),
        json!({"name": "Own"}),
        json!({"code": "own"}),
        json!({"name": "Own", "code": "own", "baseUrl": "nowhere"}),
        json!({"name": "Own", "code": "own", "hridManagement": {"startNumber": -1}}),
    ] {
        let _ = client.post(FILES, &form).await.expect(422);
    }
    let form = json!({"name": "Own", "code": "own"});
    let (one, other) = join!(client.post(FILES, &form), client.post(FILES, &form));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 422]);
}

#[tokio::test]
async fn folios_files_and_used_ones_stay_as_they_are() {
    let library = library().await;
    let client = library.client().await;
    let lcnaf = format!("{FILES}/{LCNAF}");
    let all = json!({"_version": 0, "name": "Mine", "code": "mine", "hridManagement": {"startNumber": 3}});
    let refused = patch(&client, &lcnaf, &all).await.expect(422).json();
    assert_eq!(
        message(&refused),
        "Unable to patch. Authority source file source is FOLIO or it has authority references"
    );
    assert_eq!(
        refused["errors"][0]["parameters"].as_array().map(Vec::len),
        Some(3)
    );
    let _ = patch(&client, &lcnaf, &json!({"_version": 0, "selectable": true}))
        .await
        .expect(204);
    let refused = client.delete(&lcnaf).await.expect(422).json();
    assert_eq!(
        message(&refused),
        "Cannot delete Authority source file with source 'folio'"
    );

    let file = json!({"name": "Own", "code": "own"});
    let file = client.post(FILES, &file).await.expect(201).json();
    let mut authority = name("Somebody", "own1");
    authority["sourceFileId"] = file["id"].clone();
    let authority = stored(&client, &authority).await;
    let refused = patch(
        &client,
        &path(&file),
        &json!({"_version": 0, "code": "other"}),
    )
    .await;
    assert_eq!(
        refused.expect(422).json()["errors"][0]["parameters"][0]["key"],
        "code"
    );
    let _ = patch(
        &client,
        &path(&file),
        &json!({"_version": 0, "name": "Renamed"}),
    )
    .await
    .expect(204);
    let used = "Unable to delete. Authority source file has referenced authorities";
    assert_eq!(
        message(&client.delete(&path(&file)).await.expect(422).json()),
        used
    );
    let _ = client.delete(&path_of(&authority)).await.expect(204);
    // Deleted authorities count until they expire.
    let refused = client.delete(&path(&file)).await.expect(422).json();
    let archived = "Cannot complete operation on the entity due to it's relation with Authority \
                    Archive/Authority.";
    assert_eq!(message(&refused), archived);
    assert_eq!(refused["errors"][0]["code"], "113");
    for path in [
        AUTHORITIES,
        FILES,
        "/authority-note-types",
        "/authority-storage/reindex",
    ] {
        let page = client.get(&format!("{path}?limit=0")).await.expect(200);
        assert!(page.json()["totalRecords"].is_number(), "{path}");
    }
}

#[tokio::test]
async fn a_file_is_found_by_what_a_natural_id_begins_with() {
    let library = library().await;
    let tenant = library.tenant();
    let store = &library.platform.store;
    let context = Context {
        store,
        tenant: &tenant,
        stamp: Stamp::now(None),
    };
    for (natural_id, code) in [
        ("n79021425", Some("n")),
        ("no2001", Some("no")),
        ("D000001", Some("D")),
        ("d000001", None),
        ("79021425", None),
        ("nx1", None),
    ] {
        let found = source_file_by_prefix(&context, &store.database, natural_id)
            .await
            .expect("an answer");
        assert_eq!(found.map(|file| file.code).as_deref(), code, "{natural_id}");
    }
}
