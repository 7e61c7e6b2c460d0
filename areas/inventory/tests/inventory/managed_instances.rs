//! `/inventory/instances`.

use reqwest::Method;
use serde_json::{Value, json};

use super::{NOWHERE, Shelf, an_instance, error, id};

const MANAGED: &str = "/inventory/instances";
const MULTIPART: &str = "30773a27-b485-4dab-aeb6-b8c04fa3cb17";

#[tokio::test]
async fn an_instance_is_stored_and_shown_with_its_links() {
    let shelf = Shelf::new().await;
    let mut form = an_instance("Tunnels, part 1");
    form["parentInstances"] =
        json!([{"superInstanceId": shelf.instance, "instanceRelationshipTypeId": MULTIPART}]);
    form["precedingTitles"] = json!([{"precedingInstanceId": shelf.instance}]);
    form["succeedingTitles"] = json!([{"title": "Caves", "hrid": "elsewhere"}]);
    let answer = shelf.client.post(MANAGED, &form).await.expect(201);
    let instance = answer.json();
    let path = format!("{MANAGED}/{}", id(&instance));
    assert_eq!(answer.header("location"), Some(path.as_str()));
    assert_eq!(
        instance["parentInstances"][0]["superInstanceId"],
        shelf.instance
    );
    assert_eq!(instance["childInstances"], json!([]));
    assert_eq!(
        instance["precedingTitles"][0]["title"],
        "Bridges of the north"
    );
    assert_eq!(instance["precedingTitles"][0]["hrid"], "in00000000001");
    assert_eq!(instance["succeedingTitles"][0]["title"], "Caves");
    assert_eq!(instance["isBoundWith"], false);
    assert_eq!(shelf.client.get(&path).await.expect(200).json(), instance);
    let list = shelf
        .client
        .query(MANAGED, "title=tunnels")
        .await
        .expect(200)
        .json();
    assert_eq!(list["instances"], json!([instance]));

    let whole = shelf
        .client
        .get(&format!("{MANAGED}/{}", shelf.instance))
        .await
        .expect(200)
        .json();
    assert_eq!(whole["childInstances"][0]["subInstanceId"], instance["id"]);
    assert_eq!(whole["succeedingTitles"][0]["title"], "Tunnels, part 1");
}

#[tokio::test]
async fn a_form_replaces_the_links() {
    let shelf = Shelf::new().await;
    let mut form = an_instance("Tunnels");
    form["precedingTitles"] = json!([{"title": "Mines"}, {"title": "Caves"}]);
    let instance = shelf.client.post(MANAGED, &form).await.expect(201).json();
    let path = format!("{MANAGED}/{}", id(&instance));
    let mut form = instance.clone();
    let titles = form["precedingTitles"].as_array_mut().expect("titles");
    titles.retain(|title| title["title"] == "Mines");
    titles[0]["title"] = json!("Old mines");
    titles.push(json!({"precedingInstanceId": shelf.instance}));
    let _ = shelf.client.put(&path, &form).await.expect(204);
    let replaced = shelf.client.get(&path).await.expect(200).json();
    let mut titles: Vec<&str> = replaced["precedingTitles"]
        .as_array()
        .expect("titles")
        .iter()
        .filter_map(|title| title["title"].as_str())
        .collect();
    titles.sort_unstable();
    assert_eq!(titles, ["Bridges of the north", "Old mines"]);

    // Only the links were other, so the instance itself was not written.
    let patch = json!({"id": instance["id"], "_version": 1, "editions": ["3rd"]});
    let request = shelf.client.request(Method::PATCH, &path).json(&patch);
    let _ = shelf.client.send(request).await.expect(204);
    let patched = shelf.client.get(&path).await.expect(200).json();
    assert_eq!(patched["editions"], json!(["3rd"]));
    assert_eq!(patched["precedingTitles"], replaced["precedingTitles"]);

    let mut form = patched.clone();
    form.as_object_mut()
        .expect("an object")
        .remove("precedingTitles");
    let _ = shelf.client.put(&path, &form).await.expect(204);
    let bare = shelf.client.get(&path).await.expect(200).json();
    assert_eq!(bare["precedingTitles"], json!([]));
}

#[tokio::test]
async fn forms_have_rules_of_their_own() {
    let shelf = Shelf::new().await;
    let post = |form: Value, status: u16| {
        let client = &shelf.client;
        async move { client.post(MANAGED, &form).await.expect(status) }
    };
    let answer = post(json!({"source": "FOLIO", "title": " "}), 400).await;
    assert_eq!(answer.text, "Title must be provided for an instance");
    let mut form = an_instance("Tunnels");
    form["succeedingTitles"] = json!([{"hrid": "x"}]);
    let answer = post(form.clone(), 422).await.json();
    assert_eq!(
        error(&answer).0,
        "Title is required for unconnected succeeding title"
    );
    form["succeedingTitles"] = json!([{"succeedingInstanceId": NOWHERE}]);
    let answer = post(form.clone(), 400).await;
    assert!(
        answer
            .text
            .contains("because it does not exist in instance.id"),
        "{}",
        answer.text
    );
    // The instance was not stored without its links.
    let list = shelf
        .client
        .query(MANAGED, "title=tunnels")
        .await
        .expect(200)
        .json();
    assert_eq!(list["totalRecords"], 0);
    let mut form = an_instance("Tunnels");
    form["deleted"] = json!(true);
    form["staffSuppress"] = json!(false);
    // The release lets a deleted instance be shown.
    let shown = post(form, 201).await.json();
    assert_eq!(
        (&shown["deleted"], &shown["staffSuppress"]),
        (&json!(true), &json!(false))
    );

    let mut form = an_instance("Tunnels");
    form["source"] = json!("MARC");
    let marc = post(form, 201).await.json();
    let path = format!("{MANAGED}/{}", id(&marc));
    let mut form = marc.clone();
    form["tags"] = json!({"tagList": ["urgent"]});
    let _ = shelf.client.put(&path, &form).await.expect(204);
    form["_version"] = json!(2);
    form["precedingTitles"] = json!([{"title": "Mines"}]);
    let answer = shelf.client.put(&path, &form).await.expect(422).json();
    assert!(
        error(&answer)
            .0
            .starts_with("Instance is controlled by MARC record")
    );
    form["precedingTitles"] = json!([]);
    form["title"] = json!("Caves");
    let answer = shelf.client.put(&path, &form).await.expect(422).json();
    assert!(
        error(&answer)
            .0
            .starts_with("Instance is controlled by MARC record")
    );
    let answer = shelf
        .client
        .put(&format!("{MANAGED}/{NOWHERE}"), &marc)
        .await
        .expect(404);
    assert_eq!(answer.text, "Instance not found");
}

#[tokio::test]
async fn marked_deleted_is_hidden_and_still_there() {
    let shelf = Shelf::new().await;
    let path = format!("{MANAGED}/{}", shelf.instance);
    let _ = shelf
        .client
        .delete(&format!("{path}/mark-deleted"))
        .await
        .expect(204);
    let instance = shelf.client.get(&path).await.expect(200).json();
    for property in ["deleted", "staffSuppress", "discoverySuppress"] {
        assert_eq!(instance[property], true, "{property}");
    }
    let nowhere = format!("{MANAGED}/{NOWHERE}/mark-deleted");
    assert_eq!(
        shelf.client.delete(&nowhere).await.expect(404).text,
        "Instance not found"
    );
}
