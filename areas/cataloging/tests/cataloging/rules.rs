//! Mapping rules as a tenant's data.

use octavo_cataloging::app::job_rules::{keep_for_job, mapping_of_job};
use octavo_library::JobExecutionId;
use octavo_mapping::RecordKind;
use octavo_marc::parse_text;
use octavo_records::Context;
use octavo_records::Stamp;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{bib, created, instance, put_path, shown, text};
use octavo_server_testkit::{composition, library};

const BIB: &str = "/mapping-rules/marc-bib";

/// Rules by which the title is made of 245 $b alone.
fn other_rules(rules: &Value) -> Value {
    let mut rules = rules.clone();
    let title = rules["245"].as_array_mut().expect("rules of 245");
    for rule in title.iter_mut().filter(|rule| rule["target"] == "title") {
        rule["subfield"] = json!(["b"]);
    }
    rules
}

#[tokio::test]
async fn rules_are_shown_changed_and_restored_and_records_are_mapped_by_them() {
    let library = library().await;
    let client = library.client().await;
    let rules = client.get(BIB).await.expect(200).json();
    let mut form = bib("A");
    form["fields"][2]["content"] = json!("$a A title : $b and the rest");
    let view = created(&client, &form).await;
    assert_eq!(
        instance(&client, &view).await["title"],
        "A title : and the rest"
    );
    let other = other_rules(&rules);
    let answer = client.put(BIB, &other).await.expect(200).json();
    assert_eq!(answer, other);
    assert_eq!(client.get(BIB).await.expect(200).json(), other);
    let _ = client.put(&put_path(&view), &view).await.expect(202);
    assert_eq!(instance(&client, &view).await["title"], "and the rest");
    // A second time there is a record to replace.
    let _ = client.put(BIB, &rules).await.expect(200);
    let _ = client.put(BIB, &other).await.expect(200);
    let path = format!("{BIB}/restore");
    let restored = client.put(&path, &json!({})).await.expect(200).json();
    assert_eq!(restored, rules);
    assert_eq!(client.get(BIB).await.expect(200).json(), rules);
    let view = shown(&client, text(&view, "externalId")).await;
    let _ = client.put(&put_path(&view), &view).await.expect(202);
    assert_eq!(
        instance(&client, &view).await["title"],
        "A title : and the rest"
    );
}

#[tokio::test]
async fn no_process_uses_old_rules() {
    let library = library().await;
    let client = library.client().await;
    let server = library.beside(composition).await;
    let beside = client.at(server.address);
    let mut form = bib("A");
    form["fields"][2]["content"] = json!("$a A title : $b and the rest");
    let rules = client.get(BIB).await.expect(200).json();
    for round in 0..3 {
        for (process, rules, title) in [
            (&beside, other_rules(&rules), "and the rest"),
            (&client, rules.clone(), "A title : and the rest"),
        ] {
            let _ = client.put(BIB, &rules).await.expect(200);
            let view = created(process, &form).await;
            let title_now = &instance(process, &view).await["title"];
            assert_eq!(title_now, title, "round {round}");
        }
    }
}

#[tokio::test]
async fn a_new_type_is_found_by_the_next_record() {
    let library = library().await;
    let client = library.client().await;
    let mut form = bib("A");
    form["fields"][1]["content"] = json!("$a Holm, Ida, $e glass whisperer");
    let view = created(&client, &form).await;
    let before = instance(&client, &view).await;
    assert_eq!(
        before["contributors"][0]["contributorTypeText"],
        "glass whisperer"
    );
    let kind = json!({"name": "Glass whisperer", "code": "gwh", "source": "local"});
    let kind = client
        .post("/contributor-types", &kind)
        .await
        .expect(201)
        .json();
    let _ = client.put(&put_path(&view), &view).await.expect(202);
    let after = instance(&client, &view).await;
    assert_eq!(after["contributors"][0]["contributorTypeId"], kind["id"]);
}

#[tokio::test]
async fn rules_that_cannot_be_carried_out_are_refused_with_their_place() {
    let library = library().await;
    let client = library.client().await;
    let rules = json!({"245": [{"target": "title", "subfield": ["a"], "rules": [
        {"conditions": [{"type": "no_such_function"}]}]}]});
    let refused = client.put(BIB, &rules).await.expect(422).json();
    let about = &refused["errors"][0]["parameters"][0];
    assert!(text(about, "key").starts_with("245"), "{refused}");
    let _ = client.put(BIB, &json!([])).await.expect(400);
    let refused = client
        .put("/mapping-rules/marc-authority", &json!({}))
        .await
        .expect(400);
    assert_eq!(
        refused.text,
        "Can't edit MARC Authority default mapping rules"
    );
    let _ = client
        .get("/mapping-rules/marc-authority")
        .await
        .expect(200);
    let refused = client.put("/mapping-rules/marc-maps", &json!({})).await;
    assert_eq!(
        refused.expect(400).text,
        "Only marc-bib or marc-holdings supported"
    );
    let refused = client.get("/mapping-rules/marc-maps").await.expect(400);
    assert_eq!(
        refused.text,
        "Only marc-bib, marc-holdings or marc-authority supported"
    );
}

#[tokio::test]
async fn a_job_keeps_the_rules_that_it_began_with() {
    let library = library().await;
    let client = library.client().await;
    let tenant = library.tenant();
    let context = Context {
        store: &library.platform.store,
        tenant: &tenant,
        stamp: Stamp::now(None),
    };
    let rules = client.get(BIB).await.expect(200).json();
    let (before, after) = (
        JobExecutionId::from(Uuid::new_v4()),
        JobExecutionId::from(Uuid::new_v4()),
    );
    keep_for_job(&context, before, RecordKind::Bib)
        .await
        .expect("kept");
    let _ = client.put(BIB, &other_rules(&rules)).await.expect(200);
    keep_for_job(&context, after, RecordKind::Bib)
        .await
        .expect("kept");
    // The stored rules stay the same for each request.
    keep_for_job(&context, before, RecordKind::Bib)
        .await
        .expect("kept");
    let record = parse_text("LEADER 00000nam a2200000   4500\n245 10$aA :$bB").expect("a record");
    for (job, title) in [(before, "A : B"), (after, "B")] {
        let mapping = mapping_of_job(&context, job, RecordKind::Bib)
            .await
            .expect("a mapping");
        let mapped = mapping.rules.map(&record, &mapping.references);
        let shown = mapped.entity["title"]
            .as_str()
            .map(|title| title.replace(" :B", " : B"));
        assert_eq!(shown.as_deref(), Some(title));
        let path = format!("/mapping-metadata/{job}");
        let answer = client.get(&path).await.expect(200).json();
        let kept: Value = serde_json::from_str(text(&answer, "mappingRules")).expect("JSON");
        assert_eq!(kept == rules, job == before);
        let parameters = text(&answer, "mappingParams");
        let parameters: Value = serde_json::from_str(parameters).expect("JSON");
        assert_eq!(parameters["initialized"], true);
        let types = parameters["identifierTypes"].as_array().map(Vec::len);
        assert!(types.is_some_and(|count| count > 10), "{types:?}");
    }
    let missing = client
        .get(&format!("/mapping-metadata/{}", Uuid::new_v4()))
        .await;
    let _ = missing.expect(404);
    let answer = client
        .get("/mapping-metadata/type/marc-holdings")
        .await
        .expect(200)
        .json();
    let parameters: Value = serde_json::from_str(text(&answer, "mappingParams")).expect("JSON");
    assert_eq!(parameters["tenantConfigurationZone"], "UTC");
    let _ = client.get("/mapping-metadata/type/x").await.expect(400);
}
