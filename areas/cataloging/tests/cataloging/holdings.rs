//! MARC holdings records.

use serde_json::{Value, json};

use super::{RECORDS, bib, content, created, generations, put_path, shown, text, with};
use octavo_server_testkit::library;
use octavo_server_testkit::stock::{BOOK, CAN_CIRCULATE, Stock};

fn holdings(hrid: &str, location: &str) -> Value {
    json!({
        "marcFormat": "HOLDINGS",
        "leader": "00000nu\\\\\\2200000un\\4500",
        "fields": [
            {"tag": "004", "content": hrid},
            {"tag": "008", "content": {
                "AcqStatus": "0", "AcqMethod": "u", "AcqEndDate": "\\\\\\\\", "Compl": "0",
                "Copies": "001", "Date Ent": "260301", "Gen ret": "8", "Lang": "eng", "Lend": "u",
                "Repro": "u", "Rept date": "260301", "Sep/comp": "0",
                "Spec ret": ["\\", "\\", "\\"]}},
            {"tag": "852", "content": format!("$b {location} $h PR6 $i .H6"),
             "indicators": ["0", "1"]},
        ],
    })
}

#[tokio::test]
async fn a_holdings_record_follows_its_marc_record_and_its_items_follow_it() {
    let library = library().await;
    let client = library.client().await;
    let stock = Stock::new(client.clone()).await;
    let title = created(&client, &bib("Silence under glass")).await;
    let form = holdings(text(&title, "externalHrid"), "T/C/M/S");
    let view = created(&client, &form).await;
    assert_eq!(view["marcFormat"], "HOLDINGS");
    let id = text(&view, "externalId");
    let path = format!("/holdings-storage/holdings/{id}");
    let mut stored = client.get(&path).await.expect(200).json();
    assert_eq!(stored["instanceId"], title["externalId"]);
    assert_eq!(stored["permanentLocationId"], stock.location.as_str());
    assert_eq!(stored["callNumber"], "PR6 .H6");
    assert_eq!(content(&view, "001"), &stored["hrid"]);
    let types = client.get("/holdings-types?query=name==Unknown").await;
    let unknown = types.expect(200).json()["holdingsTypes"][0]["id"].clone();
    assert_eq!(
        stored.get("holdingsTypeId"),
        Some(&unknown).filter(|id| id.is_string())
    );
    assert_eq!(content(&view, "004"), &title["externalHrid"]);
    let item = json!({"barcode": "1", "holdingsRecordId": id, "status": {"name": "Available"},
                      "materialTypeId": BOOK, "permanentLoanTypeId": CAN_CIRCULATE});
    let item = client
        .post("/item-storage/items", &item)
        .await
        .expect(201)
        .json();
    stored["administrativeNotes"] = json!(["ours"]);
    stored["retentionPolicy"] = json!("for ever");
    let _ = client.put(&path, &stored).await.expect(204);
    let view = shown(&client, id).await;
    let mut edit = with(&view, "852", "$b T/C/M/S $h QA76");
    edit["leader"] = json!("00000ny\\\\\\2200000un\\4500");
    let _ = client.put(&put_path(&edit), &edit).await.expect(202);
    let now = client.get(&path).await.expect(200).json();
    assert_eq!(now["callNumber"], "QA76");
    let types = client.get("/holdings-types?query=name==Serial").await;
    let serial = types.expect(200).json()["holdingsTypes"][0]["id"].clone();
    assert_eq!(now["holdingsTypeId"], serial);
    assert_eq!(now["administrativeNotes"], json!(["ours"]));
    assert_eq!(now["retentionPolicy"], "for ever");
    assert_eq!(now["hrid"], stored["hrid"]);
    let path = format!("/item-storage/items/{}", text(&item, "id"));
    let item = client.get(&path).await.expect(200).json();
    assert_eq!(item["effectiveCallNumberComponents"]["callNumber"], "QA76");
    let all = generations(&client, &view).await;
    assert_eq!(all.len(), 2);
    assert_eq!(all[0]["recordType"], "MARC_HOLDING");
}

#[tokio::test]
async fn holdings_without_an_instance_or_a_place_are_refused() {
    let library = library().await;
    let client = library.client().await;
    let _ = Stock::new(client.clone()).await;
    let title = created(&client, &bib("T")).await;
    let refused = client
        .post(RECORDS, &holdings("in99", "T/C/M/S"))
        .await
        .expect(404)
        .json();
    assert_eq!(
        refused["message"],
        format!(
            "No instance found for HRID: in99 in tenant: {}",
            library.tenant().id()
        )
    );
    let form = holdings(text(&title, "externalHrid"), "NOWHERE");
    let refused = client.post(RECORDS, &form).await.expect(422).json();
    let message = text(&refused, "message").to_lowercase();
    assert!(message.contains("permanentlocationid"), "{refused}");
    let mut form = holdings(text(&title, "externalHrid"), "T/C/M/S");
    form["fields"].as_array_mut().expect("fields").remove(0);
    let refused = client.post(RECORDS, &form).await.expect(422).json();
    assert_eq!(refused["message"], "Is required tag");
    assert_eq!(refused["parameters"], json!([{"key": "004"}]));
    let path = format!(
        "/holdings-storage/holdings?query=instanceId=={}",
        text(&title, "externalId")
    );
    let none = client.get(&path).await.expect(200).json();
    assert_eq!(none["totalRecords"], 0);
}
