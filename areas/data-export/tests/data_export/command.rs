//! The output of `octavo export marc`.

use super::*;
use octavo_server_testkit::library;

const ONE: &str = "LEADER 00000nam a2200000   4500\n001 991\n003 NoOU\n500   $aFirst note\n245 10$aBridges\n500   $aSecond note\n999   $alocal";
const TWO: &str = "LEADER 00000cam a2200000   4500\n245 10$aÅer og broer\n020   $c{dollar}12";

#[tokio::test]
async fn what_was_loaded_leaves_as_it_came() {
    let library = library().await;
    let bytes = file(&[ONE, TWO, "001 5\n245 10$aNumber already kept\n035   $a5"]);
    assert_eq!(load(&library, &bytes).await, 3);
    let made = exported(&library, Form::Loaded, Format::Iso2709, None).await;
    assert_eq!((made.exported, made.failures.len()), (3, 0));
    assert!(
        made.bytes == bytes,
        "{}",
        String::from_utf8_lossy(&made.bytes)
    );
    let catalogue = exported(&library, Form::Catalogue, Format::Iso2709, None).await;
    let catalogue = records(&catalogue.bytes);
    assert!(catalogue[0].control("001").unwrap().starts_with("in"));
    let own = catalogue[0]
        .data("999")
        .find(|field| field.indicators == ['f', 'f'])
        .unwrap();
    let ids = instance_ids(&library.client().await).await;
    assert_eq!(own.get('i'), Some(ids[0].as_str()));
    for format in [Format::Xml, Format::Json] {
        let made = exported(&library, Form::Loaded, format, None).await;
        let text = String::from_utf8(made.bytes).unwrap();
        assert!(text.contains("991") && !text.contains(&ids[0]), "{text}");
    }
}

#[tokio::test]
async fn bytes_that_are_no_text_leave_as_they_came() {
    let library = library().await;
    let text = file(&["001 1\n245 10$aplain"]);
    load(&library, &text).await;
    // MARC-8, and a length that is wrong: kept beside the record.
    let mut bytes =
        b"00099cam  2200049   4500001000200000245001500002\x1e1\x1e10\x1fa\xe2eplain\xff\x1e\x1d"
            .to_vec();
    bytes[3] = b'7';
    let schema = tenant().schema().to_owned();
    let database = &library.platform.store.database;
    let table = format!(
        "CREATE TABLE IF NOT EXISTS {schema}.source_record_bytes (id uuid PRIMARY KEY \
         REFERENCES {schema}.source_record ON DELETE CASCADE, bytes bytea NOT NULL)"
    );
    database.execute(&table, &[]).await.unwrap();
    let (came, _) = octavo_marc::parse_iso2709(&bytes).unwrap();
    let mut now = came;
    octavo_mapping::fixed::keep_control_number(&mut now);
    octavo_mapping::fixed::identify(&mut now, "in1", "i", "s");
    let document =
        json!({"parsedRecord": {"content": now.to_json(), "formattedContent": now.to_string()}});
    let update = format!(
        "WITH changed AS (UPDATE {schema}.source_record SET jsonb = jsonb || $1::text::jsonb RETURNING id) \
         INSERT INTO {schema}.source_record_bytes SELECT id, $2 FROM changed"
    );
    database
        .execute(&update, &[&document.to_string(), &bytes])
        .await
        .unwrap();
    let made = exported(&library, Form::Loaded, Format::Iso2709, None).await;
    assert!(
        made.bytes == bytes,
        "{}",
        String::from_utf8_lossy(&made.bytes)
    );
}

#[tokio::test]
async fn an_edited_record_leaves_as_it_is_now() {
    let library = library().await;
    let client = library.client().await;
    load(&library, &file(&[ONE, TWO])).await;
    let ids = instance_ids(&client).await;
    let mut record = source_of(&client, &ids[0]).await;
    let mut marc = Record::from_json(&record["parsedRecord"]["content"]).unwrap();
    for field in &mut marc.fields {
        if let octavo_marc::Field::Data(data) = field
            && data.tag == "245"
        {
            data.subfields[0].value = "Bridges mended".to_owned();
        }
    }
    record["parsedRecord"]["content"] = marc.to_json();
    let id = record["id"].as_str().unwrap().to_owned();
    let path = format!("/source-storage/records/{id}");
    let _ = client.put(&path, &record).await.expect(200);
    let made = exported(&library, Form::Loaded, Format::Iso2709, None).await;
    let left = records(&made.bytes);
    let title = left[0].data("245").next().and_then(|field| field.get('a'));
    assert_eq!(title, Some("Bridges mended"));
    assert!(left[0].control("001").unwrap().starts_with("in"));
    assert!(
        left[0]
            .data("999")
            .all(|field| field.indicators != ['f', 'f'])
    );
    // The other one has not changed.
    assert!(made.bytes.ends_with(&file(&[TWO])));
}

#[tokio::test]
async fn instances_without_marc_holdings_and_items_are_reported() {
    let library = library().await;
    let client = library.client().await;
    let instance = folio_instance(&client, "Made by hand").await;
    let location = location(&client).await;
    let holdings = json!({"instanceId": instance["id"], "permanentLocationId": location["id"],
        "sourceId": "f32d531e-df79-46b3-8932-cdd35f7a2264", "callNumber": "TG300"});
    let holdings = client
        .post("/holdings-storage/holdings", &holdings)
        .await
        .expect(201)
        .json();
    let item = json!({"holdingsRecordId": holdings["id"], "barcode": "31", "status": {"name": "Available"},
        "materialTypeId": "1a54b431-2e4f-452d-9cae-9cee66c9a892",
        "permanentLoanTypeId": "2b94c631-fca9-4892-a730-03ee529ffe27"});
    let _ = client.post("/item-storage/items", &item).await.expect(201);
    let made = exported(&library, Form::Catalogue, Format::Iso2709, None).await;
    let record = &records(&made.bytes)[0];
    assert_eq!(record.control("001"), instance["hrid"].as_str());
    let place = record
        .data("852")
        .next()
        .map(|field| (field.get('b'), field.get('h')));
    assert_eq!(place, Some((location["name"].as_str(), Some("TG300"))));
    let item = record.data("876").next().map(|field| field.get('p'));
    assert_eq!(item, Some(Some("31")));
    load(&library, &file(&[ONE])).await;
    let loaded = client
        .query("/instance-storage/instances", "title==Bridges")
        .await
        .expect(200)
        .json();
    let holdings = json!({"instanceId": loaded["instances"][0]["id"], "permanentLocationId": location["id"],
        "sourceId": "f32d531e-df79-46b3-8932-cdd35f7a2264", "callNumber": "TG301"});
    let holdings = client
        .post("/holdings-storage/holdings", &holdings)
        .await
        .expect(201)
        .json();
    let item = json!({"holdingsRecordId": holdings["id"], "barcode": "32", "status": {"name": "Available"},
        "materialTypeId": "1a54b431-2e4f-452d-9cae-9cee66c9a892",
        "permanentLoanTypeId": "2b94c631-fca9-4892-a730-03ee529ffe27"});
    let _ = client.post("/item-storage/items", &item).await.expect(201);
    let made = exported(
        &library,
        Form::Loaded,
        Format::Iso2709,
        Some("title==Bridges"),
    )
    .await;
    let record = &records(&made.bytes)[0];
    let place = record.data("852").next().unwrap();
    assert_eq!(
        (place.get('b'), place.get('h')),
        (location["name"].as_str(), Some("TG301"))
    );
    let item = record.data("876").next().unwrap();
    assert_eq!(
        (item.get('p'), item.get('3')),
        (Some("32"), holdings["hrid"].as_str())
    );
    assert_eq!(record.control("001"), Some("991"));
}

#[tokio::test]
async fn what_iso_2709_cannot_hold_is_named_and_others_go_on() {
    let library = library().await;
    let long = format!(
        "<collection xmlns=\"http://www.loc.gov/MARC21/slim\"><record><leader>00000nam a2200000   4500</leader>\
         <datafield tag=\"245\" ind1=\"1\" ind2=\"0\"><subfield code=\"a\">Long</subfield></datafield>\
         <datafield tag=\"500\" ind1=\" \" ind2=\" \"><subfield code=\"a\">{}</subfield></datafield></record>\
         <record><leader>00000nam a2200000   4500</leader>\
         <datafield tag=\"245\" ind1=\"1\" ind2=\"0\"><subfield code=\"a\">Short</subfield></datafield></record></collection>",
        "x".repeat(12_000)
    );
    assert_eq!(load(&library, long.as_bytes()).await, 2);
    let made = exported(&library, Form::Loaded, Format::Iso2709, None).await;
    assert_eq!((made.exported, made.failures.len()), (1, 1));
    let reason = made.failures[0].reason.to_string();
    assert!(
        reason.contains("500") && reason.contains("9999"),
        "{reason}"
    );
    let made = exported(&library, Form::Loaded, Format::Json, None).await;
    assert_eq!((made.exported, made.failures.len()), (2, 0));
    // As a job: the file has the rest, and the log says which one is missing.
    let client = library.client().await;
    let (job, _) = jobs::quick(&client, &instance_ids(&client).await).await;
    let job = jobs::ended(&client, &job).await;
    assert_eq!(job["status"], "COMPLETED_WITH_ERRORS");
    let logs = jobs::logs(&client, &job).await;
    assert!(
        logs.iter()
            .any(|log| log["errorMessageCode"] == "error.recordIsTooLong"
                && log["affectedRecord"]["title"] == "Long"),
        "{logs:?}"
    );
}
