//! Files, batches and single requests store the same derived rows: search and browse tables, MARC,
//! uses of reference data, events.

use octavo_cataloging::bulk::{HoldingsOptions, ItemOptions};
use octavo_data_import::load::LoadOptions;
use octavo_source_records::app::keep_terms::work;
use octavo_testkit::{Client, Library};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{iso2709, load_bytes, options, total};
use octavo_server_testkit::library;
use octavo_server_testkit::stock::{BOOK, CAN_CIRCULATE, CIRC_DESK_1};

const LOCATION: Uuid = Uuid::from_u128(0x0007_ac00_0000_4000_8000_0000_0000_0004);
const RECORDS: u64 = 12;

/// A record with much of what rows are made of.
fn record(number: u64) -> Vec<u8> {
    let more = match number % 4 {
        // Twice the same heading, accents, a relator, an ISBN of either form.
        0 => {
            "020   $a0-14-043916-2 (pbk.)\n020   $a9780140439168\n022   $a1234-5679\n\
             600 10$aEliot, George$d1819-1880\n650  0$aÉtudes & notes\n650  0$aÉtudes & notes\n\
             700 1 $aMüller, Jörg$eillustrator"
        }
        1 => {
            "010   $an 78890351\n035   $a(OCoLC)ocm00012345\n082 04$a677.29$222\n\
             246 30$aOther title\n490 1 $aA series ;$v4\n500   $aA note with \"quotes\" \\ and more\n\
             651  7$aAnatolia$2fast"
        }
        2 => {
            "041 0 $aeng$afre\n130 0 $aUniform title\n505 0 $aContents\n520   $aSummary\n\
             650 17$aNouns$2mesh\n655  7$aMaps$2lcgft\n856 40$uhttps://example.org/a$zPublic note"
        }
        _ => "245 04$aThe second 245 is ignored",
    };
    iso2709(&format!(
        "001 k{number}\n003 NoOU\n050  4$aTG300$b.M{number}\n082 0 $a62{number}.1 NDI\n\
         100 1 $aMason, Ada$d1960-\n245 14$aThe bridges of St. Ives, {number} /$cAda Mason\n\
         264  1$aToronto :$bDon Valley,$c1984\n650  0$aBridges\n{more}\n\
         852 0 $bT/C/M/S$hTG300$i.M{number} v. {number}$pc{number}"
    ))
}

pub(super) fn with_items() -> LoadOptions {
    let id = |text: &str| Uuid::try_parse(text).expect("a UUID");
    let items = ItemOptions {
        material_type_id: id(BOOK),
        loan_type_id: id(CAN_CIRCULATE),
    };
    LoadOptions {
        holdings: Some(HoldingsOptions {
            location_id: LOCATION,
            holdings_type_id: None,
            items: Some(items),
        }),
        batch_records: 5,
        ..options()
    }
}

/// A library with one location, whose id is the same in all.
pub(super) async fn place() -> (Library, Client) {
    let library = library().await;
    let client = library.client().await;
    let id = |number: u128| Uuid::from_u128(LOCATION.as_u128() - 4 + number);
    let (institution, campus, main) = (id(1), id(2), id(3));
    for (path, body) in [
        (
            "/location-units/institutions",
            json!({"id": institution, "name": "Town", "code": "T"}),
        ),
        (
            "/location-units/campuses",
            json!({"id": campus, "name": "Centre", "code": "C", "institutionId": institution}),
        ),
        (
            "/location-units/libraries",
            json!({"id": main, "name": "Main", "code": "M", "campusId": campus}),
        ),
        (
            "/locations",
            json!({"id": LOCATION, "name": "Stacks", "code": "T/C/M/S", "isActive": true,
                   "institutionId": institution, "campusId": campus, "libraryId": main,
                   "primaryServicePoint": CIRC_DESK_1, "servicePointIds": [CIRC_DESK_1]}),
        ),
    ] {
        let _ = client.post(path, &body).await.expect(201);
    }
    (library, client)
}

async fn stored(library: &Library, table: &str) -> Vec<Value> {
    let schema = library.tenant().schema().to_owned();
    // Numbers and versions are given anew, and so are those that the holdings give their items.
    let sql = format!(
        "SELECT jsonb - '_version' - 'metadata' AS jsonb FROM {schema}.{table} ORDER BY jsonb->>'hrid', id"
    );
    let database = &library.platform.store.database;
    let rows = database.query(&sql, &[]).await.expect("records");
    rows.iter().map(|row| row.get("jsonb")).collect()
}

/// All rows that follow from the records, without instants and without users, which loads have not.
async fn rows_beside(library: &Library) -> Vec<(&'static str, Vec<String>)> {
    let (store, tenant) = (&library.platform.store, library.tenant());
    while work(store, &tenant).await.expect("terms are kept") > 0 {}
    let schema = tenant.schema();
    let mut all = Vec::new();
    for (name, what) in [
        ("search_instance", "to_jsonb(one) - 'created' - 'updated'"),
        ("search_holdings", "to_jsonb(one)"),
        ("search_item", "to_jsonb(one)"),
        ("browse_heading", "to_jsonb(one)"),
        ("browse_call_number", "to_jsonb(one)"),
        ("instance_subject_source", "to_jsonb(one)"),
        ("instance_subject_type", "to_jsonb(one)"),
        ("marc_term", "to_jsonb(one) - 'changed'"),
        (
            "outbox",
            "CASE WHEN topic ~ '^inventory\\.(instance|holdings-record|item)$' THEN \
             to_jsonb(one) - 'position' - 'event_id' - 'event_ts' - 'xact' - 'headers' \
             #- '{new,metadata,createdByUserId}' #- '{new,metadata,updatedByUserId}' END",
        ),
    ] {
        let sql = format!(
            "SELECT made FROM (SELECT regexp_replace(({what})::text, \
             '[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T[0-9:.]+([+]00:00|Z)', 'T', 'g') AS made \
             FROM {schema}.{name} AS one) AS _ WHERE made IS NOT NULL ORDER BY made COLLATE \"C\""
        );
        let rows = store.database.query(&sql, &[]).await.expect("rows");
        all.push((name, rows.iter().map(|row| row.get("made")).collect()));
    }
    all
}

#[tokio::test]
async fn a_file_a_batch_and_single_requests_leave_the_same_rows() {
    let (by_file, client) = place().await;
    let bytes = (1..=RECORDS).flat_map(record).collect();
    let loaded = load_bytes(&by_file, bytes, &with_items()).await;
    let progress = loaded.complete();
    assert_eq!(loaded.problems, []);
    assert_eq!(total(&client, "/item-storage/items").await, RECORDS);

    let ((one_by_one, single), (by_batch, batch)) = tokio::join!(place(), place());
    let snapshot = json!({"jobExecutionId": progress.job_id, "status": "PARSING_IN_PROGRESS"});
    for client in [&single, &batch] {
        let path = "/source-storage/snapshots";
        let _ = client.post(path, &snapshot).await.expect(201);
    }
    for (table, path, bulk, list) in [
        (
            "instance",
            "/instance-storage/instances",
            "/instance-storage/batch/synchronous",
            "instances",
        ),
        (
            "holdings_record",
            "/holdings-storage/holdings",
            "/holdings-storage/batch/synchronous",
            "holdingsRecords",
        ),
        (
            "item",
            "/item-storage/items",
            "/item-storage/batch/synchronous",
            "items",
        ),
        (
            "source_record",
            "/source-storage/records",
            "/source-storage/batch/records",
            "records",
        ),
    ] {
        let records = stored(&by_file, table).await;
        assert_eq!(records.len() as u64, RECORDS, "{table}");
        for one in &records {
            let _ = single.post(path, one).await.expect(201);
        }
        let mut all = json!({ list: records });
        if table == "source_record" {
            all["totalRecords"] = json!(RECORDS);
        }
        let _ = batch.post(bulk, &all).await.expect(201);
        for other in [&one_by_one, &by_batch] {
            assert_eq!(stored(other, table).await.len(), records.len(), "{table}");
        }
    }
    let wanted = rows_beside(&by_file).await;
    for (way, library) in [("single requests", &one_by_one), ("a batch", &by_batch)] {
        let made = rows_beside(library).await;
        for ((name, wanted), (_, made)) in wanted.iter().zip(&made) {
            assert!(
                wanted.len() as u64 >= RECORDS,
                "{name} has {} rows",
                wanted.len()
            );
            assert_eq!(made, wanted, "{name} after {way}");
        }
    }
}
