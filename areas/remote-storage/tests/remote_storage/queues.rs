//! What fills the queues, their pages, and rows that are done.

use octavo_server_testkit::stock::{CAN_CIRCULATE, DVD};
use serde_json::json;

use super::{ACCESSIONS, Annex, NOBODY, RETRIEVALS, location, refused};

#[tokio::test]
async fn an_item_that_comes_to_the_storage_is_to_be_taken_in() {
    let annex = Annex::dematic().await;
    let client = annex.client();
    let path = format!("/instance-storage/instances/{}", annex.stock.instance);
    let mut title = client.get(&path).await.expect(200).json();
    let author = "6e09d47d-95e2-4d8a-831b-f777b8ef6d81";
    let personal = "2b94c631-fca9-4892-a730-03ee529ffe2a";
    title["contributors"] = json!([
        {"name": "Lewes, G. H.", "contributorNameTypeId": personal},
        {"name": "Eliot, George", "contributorNameTypeId": personal, "contributorTypeId": author},
        {"name": "Evans, Mary Ann", "contributorNameTypeId": personal, "contributorTypeId": author},
    ]);
    title["identifiers"] = json!([
        {"value": "978-1", "identifierTypeId": "8261054f-be78-422d-bd51-4ed9f33c3422"},
        {"value": "978-2", "identifierTypeId": "8261054f-be78-422d-bd51-4ed9f33c3422"},
        {"value": "12345", "identifierTypeId": "439bfbae-75bc-4f74-9fc7-b2a2d47ce3ef"},
    ]);
    title["publication"] = json!([
        {"publisher": "Blackwood", "place": "Edinburgh", "dateOfPublication": "1871"},
        {"publisher": "Harper", "place": "New York"},
    ]);
    title["physicalDescriptions"] = json!(["4 volumes", "22 cm"]);
    let _ = client.put(&path, &title).await.expect(204);
    let note_type = client
        .get("/item-note-types?limit=1")
        .await
        .expect(200)
        .json();
    let kind = &note_type["itemNoteTypes"][0];
    // Not in the storage.
    let item = annex.stock.item("a-1").await;
    assert_eq!(annex.waiting(ACCESSIONS).await.len(), 0);
    let item_path = format!("/item-storage/items/{item}");
    let mut document = client.get(&item_path).await.expect(200).json();
    document["permanentLocationId"] = json!(annex.location);
    document["volume"] = json!("v.1");
    document["enumeration"] = json!("1");
    document["chronology"] = json!("1871");
    document["copyNumber"] = json!("c.2");
    document["notes"] = json!([{"itemNoteTypeId": kind["id"], "note": "foxed", "staffOnly": true}]);
    let _ = client.put(&item_path, &document).await.expect(204);
    let rows = annex.waiting(ACCESSIONS).await;
    assert_eq!(rows.len(), 1);
    let mut row = rows[0].clone();
    let told = row.as_object_mut().expect("a row");
    assert!(told.remove("id").is_some_and(|id| id.is_string()));
    let created = told.remove("createdDateTime").expect("a date");
    assert!(created.as_str().is_some_and(|at| at.ends_with("+00:00")));
    assert_eq!(
        row,
        json!({"itemBarcode": "a-1", "remoteStorageId": annex.storage,
               "callNumber": "PR4662 .A1", "instanceTitle": "Middlemarch",
               "instanceAuthor": "Eliot, George; Evans, Mary Ann",
               "instanceContributors": "Lewes, G. H.; Eliot, George; Evans, Mary Ann",
               "publisher": "Blackwood", "publishYear": "1871", "publishPlace": "Edinburgh",
               "volume": "v.1", "enumeration": "1", "chronology": "1871", "copyNumber": "c.2",
               "isbn": "978-1", "oclc": "12345", "physicalDescription": "4 volumes; 22 cm",
               "permanentLocationId": annex.location,
               "notes": [{"noteType": kind["name"], "note": "foxed", "staffOnly": true}]})
    );
    // Another change of the item is none of its place.
    let mut document = client.get(&item_path).await.expect(200).json();
    document["volume"] = json!("v.2");
    let _ = client.put(&item_path, &document).await.expect(204);
    assert_eq!(annex.waiting(ACCESSIONS).await.len(), 1);
}

#[tokio::test]
async fn items_come_one_by_one_in_batches_and_with_their_holdings() {
    let annex = Annex::dematic().await;
    let (client, stock) = (annex.client(), &annex.stock);
    let item = |barcode: &str, place: Option<&str>| {
        json!({"barcode": barcode, "holdingsRecordId": stock.holdings, "materialTypeId": DVD,
               "status": {"name": "Available"}, "permanentLoanTypeId": CAN_CIRCULATE,
               "permanentLocationId": place})
    };
    let barcodes = async || -> Vec<String> {
        let rows = annex.waiting(ACCESSIONS).await;
        let mut all: Vec<String> = rows
            .iter()
            .filter_map(|row| row["itemBarcode"].as_str().map(str::to_owned))
            .collect();
        all.sort();
        all
    };
    let there = Some(&*annex.location);
    let _ = client
        .post("/item-storage/items", &item("b-1", there))
        .await
        .expect(201);
    let batch = json!({"items": [item("b-2", there), item("b-3", None), item("b-4", there)]});
    let _ = client
        .post("/item-storage/batch/synchronous", &batch)
        .await
        .expect(201);
    assert_eq!(barcodes().await, ["b-1", "b-2", "b-4"]);
    // The holdings take along the item that has no place of its own.
    let path = format!("/holdings-storage/holdings/{}", stock.holdings);
    let mut holdings = client.get(&path).await.expect(200).json();
    holdings["permanentLocationId"] = json!(annex.location);
    let _ = client.put(&path, &holdings).await.expect(204);
    assert_eq!(barcodes().await, ["b-1", "b-2", "b-3", "b-4"]);
    // A location that is mapped later calls nothing in, and one that is mapped no longer takes nothing.
    let cave = location(stock, "Cave", None).await;
    let mut holdings = client.get(&path).await.expect(200).json();
    holdings["permanentLocationId"] = json!(cave);
    let _ = client.put(&path, &holdings).await.expect(204);
    let _ = super::map(client, &cave, &annex.storage).await;
    assert_eq!(barcodes().await.len(), 4);
}

#[tokio::test]
async fn rows_are_done_once_and_found_by_date() {
    let annex = Annex::dematic().await;
    let client = annex.client();
    for barcode in ["c-1", "c-2", "c-3"] {
        let _ = annex.item(barcode).await;
    }
    let rows = annex.waiting(ACCESSIONS).await;
    let id = rows[0]["id"].as_str().expect("an id");
    let by_id = format!("{ACCESSIONS}/id/{id}");
    let _ = client.put(&by_id, &json!(null)).await.expect(204);
    let again = client.put(&by_id, &json!(null)).await;
    refused(
        again,
        404,
        "Not found",
        &format!("Accession queue with id {id} not found"),
    );
    let _ = client
        .put(&format!("{ACCESSIONS}/barcode/c-2"), &json!(null))
        .await
        .expect(204);
    let unknown = client
        .put(&format!("{ACCESSIONS}/barcode/c-2"), &json!(null))
        .await;
    let message = "Accession queue with item barcode c-2 not found";
    refused(unknown, 404, "Not found", message);
    for (filter, count) in [
        ("accessioned=true", 2),
        ("accessioned=false", 1),
        ("accessioned=false&limit=0", 1),
        ("limit=1", 3),
        ("offset=5", 3),
        (&*format!("storageId={NOBODY}"), 0),
        (&*format!("accessioned=true&storageId={}", annex.storage), 2),
    ] {
        let page = client.get(&format!("{ACCESSIONS}?{filter}")).await;
        assert_eq!(page.expect(200).json()["totalRecords"], count, "{filter}");
    }
    let done = client.get(&format!("{ACCESSIONS}?accessioned=true")).await;
    let done = done.expect(200).json();
    assert!(done["accessions"][0]["accessionedDateTime"].is_string());
    let created = rows[2]["createdDateTime"].as_str().expect("a date");
    let local = created.trim_end_matches("+00:00");
    let found = client
        .get(&format!("{ACCESSIONS}?createdDate={local}"))
        .await;
    let found = found.expect(200).json();
    assert_eq!(found["accessions"][0]["id"], rows[2]["id"], "{found}");
    let wrong = client
        .get(&format!("{ACCESSIONS}?createdDate=yesterday"))
        .await;
    let message = "Text 'yesterday' could not be parsed";
    refused(wrong, 400, "Date format error", message);
    for wrong in ["storageId=x", "accessioned=perhaps", "limit=-1"] {
        let answer = client.get(&format!("{ACCESSIONS}?{wrong}")).await;
        let body = answer.expect(400).json();
        assert_eq!(body["errors"][0]["code"], "Validation error", "{wrong}");
    }
}

#[tokio::test]
async fn a_page_of_an_item_in_the_storage_is_to_be_sent() {
    let annex = Annex::dematic().await;
    let client = annex.client();
    let (there, here) = (annex.item("d-1").await, annex.stock.item("d-2").await);
    let patron = annex.stock.patron("p-1").await;
    let other = annex.stock.patron("p-2").await;
    let _ = annex.ask("Page", &here, &patron).await;
    assert_eq!(annex.waiting(RETRIEVALS).await.len(), 0);
    let page = annex.ask("Page", &there, &patron).await;
    let rows = annex.waiting(RETRIEVALS).await;
    assert_eq!(rows.len(), 1);
    let mut row = rows[0].clone();
    let told = row.as_object_mut().expect("a row");
    for property in ["id", "createdDateTime"] {
        assert!(told.remove(property).is_some_and(|value| value.is_string()));
    }
    assert_eq!(
        row,
        json!({"holdId": page["id"], "itemBarcode": "d-1", "instanceTitle": "Middlemarch",
               "instanceAuthor": "Eliot, George", "callNumber": "PR4662 .A1",
               "patronBarcode": "p-1", "patronName": "user-p-1", "pickupLocation": "cd1",
               "requestStatus": "Open - Not yet filled", "requestNote": "the blue one",
               "remoteStorageId": annex.storage, "requestType": "PYR"})
    );
    // A hold waits for the item, which is out then.
    let _ = annex.ask("Hold", &there, &other).await;
    assert_eq!(annex.waiting(RETRIEVALS).await.len(), 1);
    let path = format!("{RETRIEVALS}/barcode/d-1");
    let _ = client.put(&path, &json!(null)).await.expect(204);
    let again = client.put(&path, &json!(null)).await;
    let message = "Retrieval queue record with item barcode d-1 not found";
    refused(again, 404, "Not found", message);
    let again = client
        .put(&format!("{RETRIEVALS}/id/{NOBODY}"), &json!(null))
        .await;
    let message = format!("Retrieval queue record with id {NOBODY} not found");
    refused(again, 404, "Not found", &message);
    let done = client.get(&format!("{RETRIEVALS}?retrieved=true")).await;
    let done = done.expect(200).json();
    assert!(
        done["retrievals"][0]["retrievedDateTime"].is_string(),
        "{done}"
    );
}

#[tokio::test]
async fn a_hold_that_is_moved_to_an_item_in_the_storage_becomes_a_page() {
    let annex = Annex::dematic().await;
    let client = annex.client();
    let (lent, there) = (annex.stock.item("e-1").await, annex.item("e-2").await);
    let _ = annex.stock.patron("p-1").await;
    let waiting = annex.stock.patron("p-2").await;
    let out = octavo_server_testkit::stock::check_out("e-1", "p-1");
    let _ = client
        .post("/circulation/check-out-by-barcode", &out)
        .await
        .expect(201);
    let hold = annex.ask("Hold", &lent, &waiting).await;
    assert_eq!(annex.waiting(RETRIEVALS).await.len(), 0);
    let id = hold["id"].as_str().expect("an id");
    let path = format!("/circulation/requests/{id}/move");
    let to = json!({"destinationItemId": there, "requestType": "Page"});
    let _ = client.post(&path, &to).await.expect(200);
    let rows = annex.waiting(RETRIEVALS).await;
    assert_eq!(rows.len(), 1);
    assert_eq!(
        (&rows[0]["itemBarcode"], &rows[0]["holdId"]),
        (&json!("e-2"), &json!(id))
    );
}

#[tokio::test]
async fn a_large_number_of_rows_is_counted_once_and_contradicts_no_page() {
    let annex = Annex::dematic().await;
    let tenant = annex.client().tenant.clone();
    let queue = format!("tenant_{tenant}.retrieval_queue");
    let database = &annex.library.platform.store.database;
    let sql = format!(
        "INSERT INTO {queue} (remote_storage_id, hold_id, item_barcode, created_date_time, request_type, row) \
         SELECT '{}', gen_random_uuid()::text, 'many-' || n, now() + n * interval '1 ms', 'PYR', '{{}}' \
         FROM generate_series(1, 25010) AS n",
        annex.storage
    );
    database.execute(&sql, &[]).await.expect("rows");
    let total = async |window: &str| {
        let path = format!("{RETRIEVALS}?storageId={}&{window}", annex.storage);
        let page = annex.client().get(&path).await.expect(200).json();
        page["totalRecords"].as_i64().expect("a number")
    };
    assert_eq!(total("limit=10").await, 25_010);
    let sql = format!(
        "DELETE FROM {queue} WHERE id NOT IN \
         (SELECT id FROM {queue} ORDER BY created_date_time LIMIT 20)"
    );
    database.execute(&sql, &[]).await.expect("deleted");
    assert_eq!(total("limit=10").await, 25_010, "kept for some seconds");
    // A page that is not full says what it knows, and an empty one as much as it can.
    assert_eq!(total("limit=10&offset=15").await, 20);
    assert_eq!(total("limit=10&offset=100").await, 100);
}
