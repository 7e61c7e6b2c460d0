//! `/source-storage/records/matching`

use octavo_testkit::Client;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{bib, field, snapshot, stored, text};
use octavo_server_testkit::library;

const MATCHING: &str = "/source-storage/records/matching";

async fn matched(client: &Client, filters: Value, more: Value) -> Vec<String> {
    let mut body = json!({"recordType": "MARC_BIB", "filters": filters});
    for (name, value) in more.as_object().expect("an object") {
        body[name] = value.clone();
    }
    let answer = client.post(MATCHING, &body).await.expect(200).json();
    let found = answer["identifiers"].as_array().expect("a list").iter();
    let mut ids: Vec<String> = found
        .map(|one| text(one, "externalId").to_owned())
        .collect();
    assert_eq!(answer["totalRecords"], ids.len(), "{body}");
    ids.sort();
    ids
}

#[tokio::test]
async fn records_are_matched_by_their_fields_and_by_their_ids() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let (one, other) = (Uuid::new_v4(), Uuid::new_v4());
    let numbers = |number: &str, isbn: &str, cancelled: &str| {
        json!([
            {"003": "NoOU"},
            field("020", "  ", "a", isbn),
            field("022", "  ", "a", "12345678"),
            field("035", "  ", "a", number),
            field("035", "1 ", "a", cancelled),
            field("245", "10", "a", "Bridges"),
        ])
    };
    let first = numbers("(OCoLC)63611770", "978-3-16-148410-0", "x1");
    let first = stored(&client, &bib(snapshot_id, one, "in1", first)).await;
    let second = numbers("(OCoLC)5", "0-306-40615-2 (pbk.)", "(OCoLC)63611770");
    stored(&client, &bib(snapshot_id, other, "in2", second)).await;
    let of = async |filters: Value| {
        let found = matched(&client, filters, json!({})).await;
        let sign = |id: &String| if *id == one.to_string() { "1" } else { "2" };
        let mut signs: Vec<&str> = found.iter().map(sign).collect();
        signs.sort_unstable();
        signs.concat()
    };
    let filter = |field: &str, ind1: &str, code: &str, values: Value| {
        json!({"field": field, "indicator1": ind1, "indicator2": "", "subfield": code,
               "values": values})
    };
    let oclc = json!(["(OCoLC)63611770"]);
    assert_eq!(of(json!([filter("035", "", "a", oclc.clone())])).await, "1");
    assert_eq!(
        of(json!([filter("035", " ", "a", oclc.clone())])).await,
        "1"
    );
    assert_eq!(
        of(json!([filter("035", "1", "a", oclc.clone())])).await,
        "2"
    );
    assert_eq!(
        of(json!([filter("035", "*", "a", oclc.clone())])).await,
        "12"
    );
    assert_eq!(of(json!([filter("035", "*", "z", oclc.clone())])).await, "");
    assert_eq!(
        of(json!([filter("035", "*", "a", json!(["no", "(OCoLC)5"]))])).await,
        "2"
    );
    assert_eq!(
        of(json!([filter("003", "", "", json!(["NoOU"]))])).await,
        "12"
    );
    // What of the value is compared, and what it must have beside.
    let part = |part: &str, value: &str| {
        let mut filter = filter("020", "", "a", json!([value]));
        filter["comparisonPartType"] = json!(part);
        filter
    };
    assert_eq!(
        of(json!([part("NUMERICS_ONLY", "9783161484100")])).await,
        "1"
    );
    assert_eq!(of(json!([part("NUMERICS_ONLY", "0306406152")])).await, "2");
    assert_eq!(
        of(json!([part("ALPHANUMERICS_ONLY", "0306406152pbk")])).await,
        "2"
    );
    assert_eq!(
        of(json!([part("ALPHANUMERICS_ONLY", "0306406152")])).await,
        ""
    );
    let mut plain = part("NUMERICS_ONLY", "1234-5678");
    plain["field"] = json!("022");
    assert_eq!(of(json!([plain])).await, "12");
    let mut qualified = filter(
        "035",
        "*",
        "a",
        json!(["(OCoLC)63611770", "x1", "(OCoLC)5"]),
    );
    for (qualifier, value, expected) in [
        ("BEGINS_WITH", "(OC", "12"),
        ("BEGINS_WITH", "x", "1"),
        ("ENDS_WITH", ")5", "2"),
        ("CONTAINS", "C)6", "12"),
        ("CONTAINS", "%", ""),
    ] {
        qualified["qualifier"] = json!(qualifier);
        qualified["qualifierValue"] = json!(value);
        assert_eq!(
            of(json!([qualified])).await,
            expected,
            "{qualifier} {value}"
        );
    }
    // Ids stand beside the MARC.
    let ids = |code: &str, value: Value| {
        json!({"field": "999", "indicator1": "f", "indicator2": "f", "subfield": code,
               "values": [value]})
    };
    assert_eq!(of(json!([ids("s", first["matchedId"].clone())])).await, "1");
    assert_eq!(of(json!([ids("i", json!(other))])).await, "2");
    assert_eq!(
        of(json!([filter("001", "", "", json!(["in2", "in3"]))])).await,
        "2"
    );
    // Together.
    let (by_id, by_field) = (ids("i", json!(other)), filter("035", "", "a", oclc));
    assert_eq!(of(json!([by_id, by_field])).await, "");
    let any = json!({"logicalOperator": "OR"});
    let either = matched(&client, json!([by_id, by_field]), any).await;
    assert_eq!(either.len(), 2);
    let title = filter("245", "1", "a", json!(["Bridges"]));
    let mut title = title;
    title["indicator2"] = json!("0");
    let page = json!({"recordType": "MARC_BIB", "filters": [title], "limit": 1, "offset": 1,
                      "returnTotalRecordsCount": false});
    let page = client.post(MATCHING, &page).await.expect(200).json();
    assert_eq!(page["identifiers"].as_array().map(Vec::len), Some(1));
    assert_eq!(page.get("totalRecords"), None);
    assert_eq!(
        matched(
            &client,
            json!([title]),
            json!({"recordType": "MARC_AUTHORITY"})
        )
        .await
        .len(),
        0
    );
}

#[tokio::test]
async fn what_cannot_be_matched_is_refused() {
    let library = library().await;
    let client = library.client().await;
    let with = |filter: Value| json!({"recordType": "MARC_BIB", "filters": [filter]});
    for wrong in [
        json!({"recordType": "MARC_BIB", "filters": []}),
        json!({"recordType": "MAP", "filters": [{"field": "001", "values": ["1"]}]}),
        with(json!({"field": "24", "values": ["x"]})),
        with(json!({"field": "245", "values": []})),
        with(json!({"field": "245", "subfield": "ab", "values": ["x"]})),
        with(json!({"field": "245", "indicator1": "\"", "values": ["x"]})),
        with(json!({"field": "245", "values": vec!["x"; 5_001]})),
        with(json!({"field": "245", "values": ["x"], "colour": "red"})),
    ] {
        let status = client.post(MATCHING, &wrong).await.status;
        assert_eq!(status, 422, "{wrong}");
    }
    // A word that the list does not have cannot be read at all.
    let unread = with(json!({"field": "245", "matchType": "ROUGHLY", "values": ["x"]}));
    let _ = client.post(MATCHING, &unread).await.expect(400);
    let own = with(
        json!({"field": "999", "indicator1": "f", "indicator2": "f", "subfield": "s",
                          "values": ["seven"]}),
    );
    let refused = client.post(MATCHING, &own).await.expect(400);
    assert_eq!(refused.text, "Invalid UUID seven");
}
