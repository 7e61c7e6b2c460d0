//! Serials: earlier and later titles, OCLC numbers in many forms, holdings of their type; each by
//! every route into the catalogue.

use octavo_testkit::Client;
use serde_json::{Value, json};

use crate::jobs;
use octavo_server_testkit::library;
use octavo_server_testkit::load::{load_bytes, options};
use octavo_server_testkit::stock::Stock;

const SERIAL: &str = "001 ocm00012 \n003 OCoLC\n022   $a0028-0836\n035   $a(OCoLC)0000000013\n\
    035   $a(OCoLC)ocn000012$z(OCoLC)on77\n245 00$aGlass quarterly.\n\
    780 00$tGlass monthly$x1234-5679$w(OCoLC)555\n780 00$w(OCoLC)556\n785 00$tGlass yearly";

fn iso2709(text: &str) -> Vec<u8> {
    let record = octavo_marc::parse_text(text).expect("a record");
    octavo_marc::write_iso2709(&record).expect("a short record")
}

/// The earlier and the later titles of an instance, as the catalogue shows them.
async fn titles(client: &Client, instance: &str) -> (Vec<Value>, Vec<Value>) {
    let path = format!("/inventory/instances/{instance}");
    let shown = client.get(&path).await.expect(200).json();
    let list = |name: &str| shown[name].as_array().cloned().unwrap_or_default();
    (list("precedingTitles"), list("succeedingTitles"))
}

/// The titles of the serial, and its numbers as they must be in its record.
async fn is_the_serial(client: &Client, instance: &str) {
    let (earlier, later) = titles(client, instance).await;
    assert_eq!(
        (earlier.len(), later.len()),
        (1, 1),
        "{earlier:?} {later:?}"
    );
    assert_eq!(earlier[0]["title"], "Glass monthly");
    assert_eq!(earlier[0]["identifiers"][0]["value"], "1234-5679");
    assert_eq!(later[0]["title"], "Glass yearly");
    let record = jobs::source(client, instance).await;
    let fields = record["parsedRecord"]["content"]["fields"].as_array();
    let numbers: Vec<&Value> = fields
        .expect("fields")
        .iter()
        .filter_map(|field| field.get("035"))
        .map(|field| &field["subfields"])
        .collect();
    let thirteen = json!([{"a": "(OCoLC)13"}]);
    let other = json!([{"z": "(OCoLC)77"}]);
    let twelve = json!([{"a": "(OCoLC)12"}]);
    assert_eq!(numbers, [&thirteen, &other, &twelve], "{record}");
}

#[tokio::test]
async fn a_serial_is_loaded_with_its_titles_and_overlaid_with_others() {
    let library = library().await;
    let client = library.client().await;
    let loaded = load_bytes(&library, iso2709(SERIAL), &options()).await;
    let progress = loaded.complete();
    assert_eq!(progress.created, 1, "{:?}", loaded.problems);
    let page = client.get("/instance-storage/instances").await.expect(200);
    let id = page.json()["instances"][0]["id"].clone();
    let id = id.as_str().expect("an id");
    is_the_serial(&client, id).await;
    // Overlaid by another record of the same number.
    let tree = json!([jobs::match_035(json!([jobs::action(
        0,
        "MATCH",
        "UPDATE",
        "INSTANCE",
        json!({"mappingFields": []})
    )]))]);
    let (first, _) = titles(&client, id).await;
    let other = "035   $a(OCoLC)12\n245 00$aGlass quarterly.\n780 00$tGlass monthly$x1234-5679\n780 00$tGlass weekly";
    let done = jobs::done(&client, tree, &[jobs::raw(other)]).await;
    assert_eq!(
        done["status"],
        "COMMITTED",
        "{:?}",
        jobs::log(&client, &done).await
    );
    let (earlier, later) = titles(&client, id).await;
    assert_eq!(
        (earlier.len(), later.len()),
        (2, 0),
        "{earlier:?} {later:?}"
    );
    assert!(
        earlier.contains(&first[0]),
        "the same title stays the same record"
    );
}

#[tokio::test]
async fn jobs_create_serials_one_by_one_and_together() {
    let library = library().await;
    let client = library.client().await;
    let together = json!([jobs::action(
        0,
        "MATCH",
        "CREATE",
        "INSTANCE",
        json!({"mappingFields": []})
    )]);
    let noted = json!({"mappingFields": [{"name": "s", "enabled": "true", "value": "",
        "path": "instance.staffSuppress", "subfields": [], "booleanFieldAction": "ALL_FALSE"}]});
    let singly = json!([jobs::action(0, "MATCH", "CREATE", "INSTANCE", noted)]);
    for tree in [together, singly] {
        let done = jobs::done(&client, tree, &[jobs::raw(SERIAL)]).await;
        let lines = jobs::log(&client, &done).await;
        assert_eq!(done["status"], "COMMITTED", "{lines:?}");
        let id = &lines[0]["relatedInstanceInfo"]["idList"][0];
        is_the_serial(&client, id.as_str().expect("an id")).await;
    }
}

#[tokio::test]
async fn holdings_have_the_type_that_their_leader_says() {
    let library = library().await;
    let stock = Stock::new(library.client().await).await;
    let client = stock.client.clone();
    let made = jobs::created(&client, &[jobs::raw("001 a\n245 00$aT")]).await;
    let hrid = &made[0].1;
    let types = client
        .get("/holdings-types?limit=100")
        .await
        .expect(200)
        .json();
    let id_of = |name: &str| {
        let types = types["holdingsTypes"].as_array().expect("types");
        let found = types.iter().find(|one| one["name"] == name);
        found.map(|one| one["id"].clone()).expect("the type")
    };
    let leaders = [
        ('y', "Serial"),
        ('x', "Monograph"),
        ('v', "Multi-part monograph"),
    ];
    let records: Vec<String> = leaders
        .iter()
        .map(|(code, _)| {
            let text = format!("LEADER 00000n{code}  a2200000un 4500\n001 h{code}\n004 {hrid}\n008 2601010p    8   0001aaeng0260301\n852 0 $bT/C/M/S$hPR{code}");
            String::from_utf8(iso2709(&text)).expect("text")
        })
        .collect();
    let tree = json!([jobs::action(
        0,
        "MATCH",
        "CREATE",
        "HOLDINGS",
        json!({"mappingFields": []})
    )]);
    let mut tree = tree;
    tree[0]["childSnapshotWrappers"][0]["content"]["incomingRecordType"] = json!("MARC_HOLDINGS");
    let done = jobs::done(&client, tree, &records).await;
    assert_eq!(
        done["status"],
        "COMMITTED",
        "{:?}",
        jobs::log(&client, &done).await
    );
    for (code, name) in leaders {
        let path = format!("/holdings-storage/holdings?query=callNumber==\"PR{code}\"");
        let found = client.get(&path).await.expect(200).json();
        let holdings = &found["holdingsRecords"][0];
        assert_eq!(holdings["holdingsTypeId"], id_of(name), "{code}: {found}");
    }
}
