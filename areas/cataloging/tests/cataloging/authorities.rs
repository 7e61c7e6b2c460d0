//! MARC authority records, and the instances whose records are linked to them.

use std::time::Duration;

use octavo_authorities::app::archive;
use octavo_records::{Context, Stamp};
use serde_json::{Value, json};

use super::{bib, content, created, generations, instance, put_path, shown, text, with};
use octavo_server_testkit::library;

fn authority(heading: &str) -> Value {
    json!({
        "marcFormat": "AUTHORITY",
        "leader": "00000nz\\\\a2200000n\\\\4500",
        "fields": [
            {"tag": "001", "content": "n79021164"},
            {"tag": "008", "content": {
                "Date Ent": "860211", "Geo Subd": "i", "Roman": "|", "Lang": "\\", "Kind rec": "a",
                "Cat Rules": "n", "SH Sys": "a", "Series": "n", "Numb Series": "n",
                "Main use": "b", "Subj use": "a", "Series use": "b", "Type Subd": "n",
                "Undef_18": "\\\\\\\\\\\\\\\\\\\\", "Govt Ag": "|", "RefEval": "b",
                "Undef_30": "\\", "RecUpd": "a", "Pers Name": "n", "Level Est": "a",
                "Undef_34": "\\\\\\\\", "Mod Rec": "\\", "Source": "d"}},
            {"tag": "100", "content": format!("$a {heading}"), "indicators": ["1", "\\"]},
        ],
    })
}

#[tokio::test]
async fn an_authority_follows_its_record() {
    let library = library().await;
    let client = library.client().await;
    let view = created(&client, &authority("Holm, Ida")).await;
    assert_eq!(view["marcFormat"], "AUTHORITY");
    assert_eq!(content(&view, "001"), "n79021164");
    let path = format!(
        "/authority-storage/authorities/{}",
        text(&view, "externalId")
    );
    let stored = client.get(&path).await.expect(200).json();
    assert_eq!(stored["personalName"], "Holm, Ida");
    assert_eq!(stored["naturalId"], "n79021164");
    assert_eq!(stored["source"], "MARC");
    let edit = with(&view, "100", "$a Holm, Ida Maria");
    let _ = client.put(&put_path(&edit), &edit).await.expect(202);
    let stored = client.get(&path).await.expect(200).json();
    assert_eq!(stored["personalName"], "Holm, Ida Maria");
    let _ = client.put(&put_path(&view), &view).await.expect(409);
}

#[tokio::test]
async fn a_deleted_authority_leaves_a_record_that_says_so() {
    let library = library().await;
    let client = library.client().await;
    let view = created(&client, &authority("Holm, Ida")).await;
    let path = format!(
        "/authority-storage/authorities/{}",
        text(&view, "externalId")
    );
    let _ = client.delete(&path).await.expect(204);
    let record = generations(&client, &view).await.remove(0);
    assert_eq!(record["state"], "DELETED");
    assert_eq!(record["deleted"], true);
    assert_eq!(record["additionalInfo"]["suppressDiscovery"], true);
    assert_eq!(record["leaderRecordStatus"], "d");
    let leader = record["parsedRecord"]["content"]["leader"].as_str();
    assert_eq!(leader.and_then(|leader| leader.get(5..6)), Some("d"));
    let path = "/source-storage/source-records?recordType=MARC_AUTHORITY&deleted=true";
    let read = client.get(path).await.expect(200).json();
    assert_eq!(read["sourceRecords"][0]["deleted"], true);
}

#[tokio::test]
async fn a_linked_instance_follows_the_authority_with_its_record() {
    let library = library().await;
    let client = library.client().await;
    let person = created(&client, &authority("Holm, Ida")).await;
    let id = text(&person, "externalId");
    let view = created(&client, &bib("Silence under glass")).await;
    let rules = client
        .get("/linking-rules/instance-authority")
        .await
        .expect(200)
        .json();
    let rule = rules
        .as_array()
        .and_then(|rules| rules.iter().find(|rule| rule["bibField"] == "100"))
        .expect("a rule for 100");
    let mut edit = with(&view, "100", &format!("$a Holm, Ida $0 n79021164 $9 {id}"));
    let fields = edit["fields"].as_array_mut().expect("fields");
    let field = fields.iter_mut().find(|field| field["tag"] == "100");
    field.expect("the field")["linkDetails"] = json!({
        "authorityId": id, "authorityNaturalId": "n79021164", "linkingRuleId": rule["id"],
        "status": "ACTUAL"});
    let _ = client.put(&put_path(&edit), &edit).await.expect(202);
    let linked = shown(&client, text(&view, "externalId")).await;
    let fields = linked["fields"].as_array().expect("fields");
    let field = fields
        .iter()
        .find(|field| field["tag"] == "100")
        .expect("100");
    assert_eq!(field["linkDetails"]["authorityId"], id);
    assert_eq!(field["linkDetails"]["linkingRuleId"], rule["id"]);
    assert_eq!(field["linkDetails"]["status"], "ACTUAL");
    let edit = with(&person, "100", "$a Holm, Ida Maria");
    let _ = client.put(&put_path(&edit), &edit).await.expect(202);
    let mut followed = json!(null);
    for _ in 0..100 {
        let view = shown(&client, text(&view, "externalId")).await;
        followed = content(&view, "100").clone();
        if followed.as_str().is_some_and(|text| text.contains("Maria")) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let zero = "http://id.loc.gov/authorities/names/n79021164";
    assert_eq!(followed, format!("$a Holm, Ida Maria $0 {zero} $9 {id}"));
    let instance = instance(&client, &view).await;
    assert_eq!(instance["contributors"][0]["name"], "Holm, Ida Maria");
    assert_eq!(instance["contributors"][0]["authorityId"], id);
}

#[tokio::test]
async fn links_are_suggested_for_the_fields_that_name_an_authority() {
    let library = library().await;
    let client = library.client().await;
    let person = created(&client, &authority("Holm, Ida")).await;
    let mut form = bib("Silence under glass");
    form["fields"][1]["content"] = json!("$a Holm $0 n79021164");
    let path = "/records-editor/links/suggestion?authoritySearchParameter=NATURAL_ID\
                &ignoreAutoLinkingEnabled=true";
    let answer = client.post(path, &form).await.expect(200).json();
    let field = &answer["fields"][1];
    assert_eq!(
        field["linkDetails"]["authorityId"], person["externalId"],
        "{field}"
    );
    assert_eq!(answer["fields"][0], form["fields"][0]);
    assert_eq!(answer["fields"][2], form["fields"][2]);
}

#[tokio::test]
async fn an_expired_authority_takes_its_record_with_it() {
    let library = library().await;
    let client = library.client().await;
    let view = created(&client, &authority("Holm, Ida")).await;
    let edit = with(&view, "100", "$a Holm, Ida Maria");
    let _ = client.put(&put_path(&edit), &edit).await.expect(202);
    let other = created(&client, &bib("T")).await;
    let path = format!(
        "/authority-storage/authorities/{}",
        text(&view, "externalId")
    );
    let _ = client.delete(&path).await.expect(204);
    assert_eq!(generations(&client, &view).await.len(), 2);
    let tenant = library.tenant();
    let mut context = Context {
        store: &library.platform.store,
        tenant: &tenant,
        stamp: Stamp::now(None),
    };
    context.stamp.at += jiff::SignedDuration::from_hours(8 * 24);
    assert_eq!(archive::expire(&context).await.expect("it answers"), 1);
    assert_eq!(generations(&client, &view).await, Vec::<Value>::new());
    assert_eq!(generations(&client, &other).await.len(), 1);
}
