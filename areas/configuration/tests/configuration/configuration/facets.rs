//! Facets: the commonest values among the entries that a search finds.

use serde_json::{Value, json};

use super::{ENTRIES, entry, made};
use octavo_server_testkit::library;

fn facet<'a>(page: &'a Value, kind: &str) -> Option<&'a Value> {
    let facets = page["resultInfo"]["facets"].as_array().expect("facets");
    let found = facets.iter().find(|facet| facet["type"] == kind)?;
    Some(&found["facetValues"])
}

#[tokio::test]
async fn facets_count_what_the_search_finds_and_not_the_page() {
    let library = library().await;
    let client = library.client().await;
    for number in 0..6 {
        let code = json!({"code": format!("code {number}"), "enabled": number % 3 != 0});
        let _ = made(&client, &entry("ORDERS", "limits", code)).await;
    }
    let _ = made(&client, &entry("ORDERS", "other", json!({}))).await;
    let _ = made(&client, &entry("USERS", "limits", json!({}))).await;

    let page = async |parameters: &str| {
        let path = format!("{ENTRIES}?{parameters}");
        client.get(&path).await.expect(200).json()
    };
    let asked =
        page("query=module==ORDERS&limit=1&facets=configName&facets=code:2&facets=enabled").await;
    assert_eq!(asked["configs"].as_array().map(Vec::len), Some(1));
    assert_eq!(asked["totalRecords"], 7);
    assert_eq!(
        facet(&asked, "configName"),
        Some(&json!([{"count": 6, "value": "limits"}, {"count": 1, "value": "other"}]))
    );
    let codes = facet(&asked, "code").expect("codes");
    assert_eq!(codes.as_array().map(Vec::len), Some(2));
    assert_eq!(
        facet(&asked, "enabled"),
        Some(&json!([{"count": 5, "value": "true"}, {"count": 2, "value": "false"}]))
    );
    // Five values, where no number is given.
    let five = page("limit=0&facets=code").await;
    let codes = facet(&five, "code").expect("codes").as_array();
    assert_eq!(codes.map(Vec::len), Some(5));
    // Inside what is an object, and what nobody has.
    let inner = page("facets=metadata.createdByUserId&facets=nothing.at.all").await;
    let by = facet(&inner, "createdByUserId").expect("who made them");
    assert_eq!(by[0]["count"], 8);
    assert_eq!(facet(&inner, "all"), None);
    // Without the parameter there are none; a list of another kind has no place for them.
    assert_eq!(page("").await["resultInfo"]["facets"], json!([]));
    let groups = client.get("/groups?facets=group").await.expect(200).json();
    assert!(groups.get("resultInfo").is_none());
}

#[tokio::test]
async fn facets_go_through_the_elements_of_arrays() {
    let library = library().await;
    let client = library.client().await;
    let id = || uuid::Uuid::new_v4();
    for names in [&["Ann", "Bob"][..], &["Ann"], &[]] {
        let contributors: Vec<Value> = names.iter().map(|name| json!({"name": name})).collect();
        let account = json!({"id": id(), "amount": 1, "remaining": 1, "status": {"name": "Open"},
            "paymentStatus": {"name": "Outstanding"}, "userId": id(), "feeFineId": id(),
            "ownerId": id(), "contributors": contributors});
        let _ = client.post("/accounts", &account).await.expect(201);
    }
    let page = async |facets: &str| {
        let path = format!("/accounts?{facets}");
        client.get(&path).await.expect(200).json()
    };
    let asked = page("facets=contributors[].name&facets=status.name&query=userId=*").await;
    assert_eq!(
        asked["resultInfo"]["facets"],
        json!([{"facetValues": [{"count": 2, "value": "Ann"}, {"count": 1, "value": "Bob"}],
                "type": "name"},
               {"facetValues": [{"count": 3, "value": "Open"}], "type": "name"}])
    );
    let one = page("facets=contributors[].name:1").await;
    let names = facet(&one, "name").expect("names").as_array();
    assert_eq!(names.map(Vec::len), Some(1));
    // What is not an array has no elements.
    let none = page("facets=userId[]&facets=contributors[].name[]").await;
    assert_eq!(none["resultInfo"]["facets"], json!([]));
}

#[tokio::test]
async fn a_long_list_has_facets_too() {
    let library = library().await;
    let client = library.client().await;
    let first = made(&client, &entry("ORDERS", "limits", json!({}))).await;
    library
        .platform
        .store
        .database
        .execute(
            "INSERT INTO tenant_diku.config_data (id, jsonb)
             SELECT id, $1 || jsonb_build_object('id', id, 'code', number::text)
             FROM (SELECT gen_random_uuid() AS id, number
               FROM generate_series(1, 1500) AS number) AS more",
            &[&first],
        )
        .await
        .expect("more entries");
    let path = format!("{ENTRIES}?limit=2147483647&facets=configName");
    let page = client.get(&path).await.expect(200).json();
    assert_eq!(page["configs"].as_array().map(Vec::len), Some(1_501));
    assert_eq!(
        facet(&page, "configName"),
        Some(&json!([{"count": 1_501, "value": "limits"}]))
    );
}

#[tokio::test]
async fn what_is_no_facet_is_refused() {
    let library = library().await;
    let client = library.client().await;
    for wrong in ["a,", ",a", "a:x", "a:0", "a'b", "a[0]", "jsonb-%3E%3E'a'"] {
        let path = format!("{ENTRIES}?query=module==SETTINGS&facets={wrong}");
        let answer = client.get(&path).await.expect(400);
        assert!(answer.text.starts_with("'facets' parameter"), "{wrong}");
    }
    let many = "facets=a&".repeat(21);
    let answer = client.get(&format!("{ENTRIES}?{many}")).await.expect(400);
    assert!(answer.text.contains("21 times"), "{}", answer.text);
}
