//! Links of instances, also by two clients at once; linking rules; suggestions.

use serde_json::{Value, json};
use tokio::join;
use uuid::Uuid;

use super::{message, name, patch, path_of, stored};
use octavo_server_testkit::library;

const RULES: &str = "/linking-rules/instance-authority";

fn links(instance: Uuid, authorities: &[&Value], rule: i64) -> Value {
    let links: Vec<Value> = authorities
        .iter()
        .map(|authority| {
            json!({"instanceId": instance, "authorityId": authority["id"], "linkingRuleId": rule,
                   "authorityNaturalId": authority["naturalId"]})
        })
        .collect();
    json!({"links": links})
}

fn linked(page: &Value) -> Vec<String> {
    let links = page["links"].as_array().expect("links");
    let mut ids: Vec<String> = links
        .iter()
        .map(|link| link["authorityId"].as_str().expect("an id").to_owned())
        .collect();
    ids.sort();
    ids
}

fn ids(authorities: &[&Value]) -> Vec<String> {
    let ids = authorities
        .iter()
        .map(|one| one["id"].as_str().expect("an id").to_owned());
    let mut ids: Vec<String> = ids.collect();
    ids.sort();
    ids
}

#[tokio::test]
async fn the_links_of_an_instance_are_put_as_a_whole() {
    let library = library().await;
    let client = library.client().await;
    let (one, other) = (
        stored(&client, &name("One", "n1")).await,
        stored(&client, &name("Other", "n2")).await,
    );
    let instance = Uuid::new_v4();
    let path = format!("/links/instances/{instance}");
    assert_eq!(
        client.get(&path).await.expect(200).json(),
        json!({"links": [], "totalRecords": 0})
    );
    let _ = client
        .put(&path, &links(instance, &[&one, &one], 1))
        .await
        .expect(204);
    let first = client.get(&path).await.expect(200).json();
    assert_eq!(first["totalRecords"], 1);
    assert_eq!(first["links"][0]["authorityNaturalId"], "n1");
    assert_eq!(first["links"][0]["status"], "ACTUAL");
    let _ = client
        .put(&path, &links(instance, &[&one, &other], 1))
        .await
        .expect(204);
    let both = client.get(&path).await.expect(200).json();
    assert_eq!(
        both["links"][0], first["links"][0],
        "what was there keeps its number"
    );
    assert_eq!(linked(&both), ids(&[&one, &other]));
    let nobody = json!({"id": "11111111-1111-4111-8111-111111111111"});
    let answer = client
        .put(&path, &links(instance, &[&one, &nobody], 1))
        .await
        .expect(422)
        .json();
    assert_eq!(message(&answer), "Unknown constraint.");
    assert_eq!(answer["errors"][0]["code"], "-1");
    let counted = json!({"ids": [one["id"], nobody["id"], one["id"]]});
    let counted = client.post("/links/authorities/bulk/count", &counted).await;
    assert_eq!(
        counted.expect(200).json(),
        json!({"links": [{"id": one["id"], "totalLinks": 1}, {"id": nobody["id"], "totalLinks": 0}]})
    );
    let path_of_counts = "/links/authorities/bulk/count";
    let _ = client.post(path_of_counts, &json!({})).await.expect(422);
    let wrong = json!({"ids": ["x"]});
    let _ = client.post(path_of_counts, &wrong).await.expect(400);
    let answer = client
        .put(&path, &links(Uuid::new_v4(), &[&one], 1))
        .await
        .expect(422)
        .json();
    assert_eq!(
        message(&answer),
        format!("Link should have instanceId = {instance}")
    );
    let _ = client
        .put(&path, &links(instance, &[&one], 99))
        .await
        .expect(422);
    let _ = client.put(&path, &json!({})).await.expect(422);
    assert_eq!(
        client.get(&path).await.expect(200).json(),
        both,
        "nothing of it was kept"
    );
    let _ = client.delete(&path_of(&one)).await.expect(204);
    let left = client.get(&path).await.expect(200).json();
    assert_eq!(linked(&left), ids(&[&other]));
    let _ = client.put(&path, &json!({"links": []})).await.expect(204);
    assert_eq!(
        client.get(&path).await.expect(200).json()["totalRecords"],
        0
    );
}

#[tokio::test]
async fn links_put_by_two_at_once_are_those_of_one_of_them() {
    let library = library().await;
    let client = library.client().await;
    let mut all = Vec::new();
    for at in 0..4 {
        all.push(stored(&client, &name(&format!("Name {at}"), &format!("n{at}"))).await);
    }
    let (first, second) = ([&all[0], &all[1]], [&all[2], &all[3]]);
    for _ in 0..10 {
        let instance = Uuid::new_v4();
        let path = format!("/links/instances/{instance}");
        let (one, other) = (links(instance, &first, 15), links(instance, &second, 15));
        let (a, b) = join!(client.put(&path, &one), client.put(&path, &other));
        let _ = (a.expect(204), b.expect(204));
        let now = linked(&client.get(&path).await.expect(200).json());
        assert!(now == ids(&first) || now == ids(&second), "{now:?}");
    }
}

#[tokio::test]
async fn rules_are_folios_and_may_be_changed_in_part() {
    let library = library().await;
    let client = library.client().await;
    let rules = client.get(RULES).await.expect(200).json();
    assert_eq!(rules.as_array().map(Vec::len), Some(22));
    assert_eq!(
        rules[4],
        json!({"id": 5, "bibField": "240", "authorityField": "100", "autoLinkingEnabled": true,
               "authoritySubfields": ["f", "g", "h", "k", "l", "m", "n", "o", "p", "r", "s", "t"],
               "subfieldModifications": [{"source": "t", "target": "a"}],
               "validation": {"existence": [{"t": true}]}})
    );
    let subject = format!("{RULES}/12");
    let form = json!({"id": 12, "autoLinkingEnabled": false, "authoritySubfields": ["x", "a"]});
    let _ = patch(&client, &subject, &form).await.expect(202);
    let rule = client.get(&subject).await.expect(200).json();
    assert_eq!(rule["authoritySubfields"], json!(["a", "x"]));
    assert_eq!(rule["autoLinkingEnabled"], false);
    for (word, on) in [("true", true), ("false", false)] {
        let form = json!({"id": 12, "autoLinkingEnabled": word});
        let _ = patch(&client, &subject, &form).await.expect(202);
        let rule = client.get(&subject).await.expect(200).json();
        assert_eq!(
            rule["autoLinkingEnabled"], on,
            "a word is taken as what it says"
        );
    }
    for other in [json!("off"), json!([]), json!(1.5)] {
        let form = json!({"id": 12, "autoLinkingEnabled": other});
        let _ = patch(&client, &subject, &form).await.expect(400);
    }
    let _ = patch(&client, &subject, &json!({"id": 13}))
        .await
        .expect(422);
    let _ = patch(
        &client,
        &subject,
        &json!({"id": 12, "authoritySubfields": ["x"]}),
    )
    .await
    .expect(422);
    let form = json!({"id": 1, "authoritySubfields": ["a"]});
    let _ = patch(&client, &format!("{RULES}/1"), &form)
        .await
        .expect(422);
    let missing = client.get(&format!("{RULES}/99")).await.expect(404).json();
    assert_eq!(message(&missing), "Linking rule with ID [99] was not found");
    let _ = client.get(&format!("{RULES}/x")).await.expect(400);
}

#[tokio::test]
async fn suggestions_follow_the_natural_id_or_the_id() {
    let library = library().await;
    let client = library.client().await;
    let authority = super::following::with_marc(&client, "Woolf, Virginia", "n79041870").await;
    let id = authority["id"].as_str().expect("an id");
    let field = |subfields: Value| {
        json!({"records": [{"leader": "00000cam a2200000   4500", "fields": [
            {"100": {"ind1": "1", "ind2": " ", "subfields": subfields}}]}]})
    };
    let suggest = async |query: &str, subfields: Value| {
        let path = format!("/links-suggestions/marc?{query}");
        let answer = client
            .post(&path, &field(subfields))
            .await
            .expect(200)
            .json();
        answer["records"][0]["fields"][0]["100"].clone()
    };
    let zero = "http://id.loc.gov/authorities/names/n79041870";
    let by_number = suggest(
        "",
        json!([{"a": "W."}, {"e": "author"}, {"0": "n79041870"}]),
    )
    .await;
    assert_eq!(
        by_number["subfields"],
        json!([{"a": "Woolf, Virginia"}, {"0": zero}, {"9": id}, {"e": "author"}])
    );
    assert_eq!(
        by_number["linkDetails"],
        json!({"status": "NEW", "linkingRuleId": 1, "authorityId": id, "authorityNaturalId": "n79041870"})
    );
    let by_id = suggest(
        "authoritySearchParameter=ID",
        json!([{"a": "W."}, {"9": id}]),
    )
    .await;
    assert_eq!(by_id["linkDetails"]["linkingRuleId"], 1);
    let none = suggest("", json!([{"a": "W."}, {"0": "n1"}])).await;
    assert_eq!(
        none["linkDetails"],
        json!({"status": "ERROR", "errorCause": "101"})
    );
    let off = json!({"id": 1, "autoLinkingEnabled": false});
    let _ = patch(&client, &format!("{RULES}/1"), &off)
        .await
        .expect(202);
    let unwanted = suggest("", json!([{"0": "n79041870"}])).await;
    assert_eq!(unwanted["linkDetails"]["errorCause"], "103");
    let all = suggest("ignoreAutoLinkingEnabled=true", json!([{"0": "n79041870"}])).await;
    assert_eq!(all["linkDetails"]["status"], "NEW");
    let path = "/links-suggestions/marc?authoritySearchParameter=NAME";
    let _ = client.post(path, &field(json!([]))).await.expect(400);
}
