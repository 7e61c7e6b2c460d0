//! `/inventory/instances/batch`: valid records are stored, and the others reported.

use serde_json::{Value, json};

use super::{INSTANCES, NOWHERE, Shelf, an_instance};

const BATCH: &str = "/inventory/instances/batch";
/// FOLIO's relationship "bound-with".
const BOUND_WITH: &str = "758f13db-ffb4-440e-bb10-8a364aa6cb4a";

fn titles(list: &Value) -> Vec<&str> {
    let list = list["instances"].as_array().expect("instances");
    list.iter()
        .filter_map(|one| one["title"].as_str())
        .collect()
}

fn messages(list: &Value) -> Vec<&str> {
    let list = list["errorMessages"].as_array().expect("messages");
    list.iter().filter_map(Value::as_str).collect()
}

#[tokio::test]
async fn instances_come_with_their_links_also_to_each_other() {
    let shelf = Shelf::new().await;
    let [whole, part] = ["11111111-1111-4111-8111-111111111111", NOWHERE];
    let mut first = an_instance("Whole");
    first["id"] = json!(whole);
    first["precedingTitles"] = json!([{"title": "Before"}]);
    first["succeedingTitles"] = json!([{"succeedingInstanceId": shelf.instance}]);
    let mut second = an_instance("Part");
    second["id"] = json!(part);
    second["parentInstances"] =
        json!([{"superInstanceId": whole, "instanceRelationshipTypeId": BOUND_WITH}]);
    let batch = json!({"instances": [second, first], "totalRecords": 2});
    let answer = shelf.client.post(BATCH, &batch).await.expect(201).json();
    assert_eq!(titles(&answer), ["Part", "Whole"]);
    assert_eq!(answer["totalRecords"], 2);
    assert_eq!(answer["errorMessages"], json!([]));
    let [second, first] = [0, 1].map(|at: usize| &answer["instances"][at]);
    assert_eq!(second["parentInstances"][0]["superInstanceId"], whole);
    assert_eq!(first["childInstances"][0]["subInstanceId"], part);
    assert_eq!(first["precedingTitles"][0]["title"], "Before");
    assert_eq!(
        first["succeedingTitles"][0]["title"],
        "Bridges of the north"
    );
    assert!(first["hrid"].is_string());
    let stored = shelf.read("/inventory/instances", whole).await;
    assert_eq!(stored, *first);
}

#[tokio::test]
async fn two_of_a_batch_close_no_circle_between_them() {
    let shelf = Shelf::new().await;
    let [one, two] = ["11111111-1111-4111-8111-111111111111", NOWHERE];
    let part_of = |id: &str, whole: &str| {
        let mut instance = an_instance("Of a circle");
        instance["id"] = json!(id);
        instance["parentInstances"] =
            json!([{"superInstanceId": whole, "instanceRelationshipTypeId": BOUND_WITH}]);
        instance
    };
    let batch = json!({"instances": [part_of(one, two), part_of(two, one)], "totalRecords": 2});
    let answer = shelf.client.post(BATCH, &batch).await.expect(201).json();
    assert_eq!(titles(&answer).len(), 2);
    let told = messages(&answer);
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(told[0].contains("stands above"), "{told:#?}");
    let path = "/instance-storage/instance-relationships";
    let stored = shelf.client.get(path).await.expect(200).json();
    assert_eq!(stored["totalRecords"], 1);
}

#[tokio::test]
async fn what_cannot_be_stored_costs_no_other() {
    let shelf = Shelf::new().await;
    let mut instances: Vec<Value> = (0..300)
        .map(|number| an_instance(&format!("Title {number}")))
        .collect();
    instances[7]["title"] = json!(" ");
    instances[8]["precedingTitles"] = json!([{"hrid": "x"}]);
    instances[100]["id"] = json!(shelf.instance);
    instances[200]["instanceTypeId"] = json!(NOWHERE);
    instances[201]["parentInstances"] =
        json!([{"superInstanceId": NOWHERE, "instanceRelationshipTypeId": BOUND_WITH}]);
    instances[202] = json!("nonsense");
    instances[203]["instanceTypeId"] = json!("text");
    let batch = json!({"instances": instances, "totalRecords": 300});
    let answer = shelf.client.post(BATCH, &batch).await.expect(201).json();
    // All but six, of which one is stored without its link.
    assert_eq!(answer["totalRecords"], 294);
    assert_eq!(titles(&answer).len(), 294);
    let told = messages(&answer);
    assert_eq!(told.len(), 7, "{told:#?}");
    let about = |part: &str| told.iter().filter(|one| one.contains(part)).count();
    assert_eq!(about("[Title must be provided for an instance: null]"), 1);
    assert_eq!(
        about("[Title is required for unconnected preceding title]"),
        1
    );
    assert_eq!(about("[must be of type object]"), 1);
    assert_eq!(about("instanceTypeId"), 1);
    assert_eq!(about("does not exist in instance_type.id"), 1);
    assert_eq!(about(&format!("Instance {}: ", shelf.instance)), 1);
    let list = shelf.client.get(&format!("{INSTANCES}?limit=0")).await;
    assert_eq!(list.expect(200).json()["totalRecords"], 295);
}

#[tokio::test]
async fn a_batch_of_which_nothing_is_stored_is_a_failure() {
    let shelf = Shelf::new().await;
    let mut taken = an_instance("Again");
    taken["id"] = json!(shelf.instance);
    for instances in [json!([{"id": "7"}]), json!([taken]), json!([])] {
        let batch = json!({"instances": instances, "totalRecords": 1});
        let answer = shelf.client.post(BATCH, &batch).await.expect(500).json();
        assert_eq!(answer["instances"], json!([]));
        assert_eq!(answer["totalRecords"], 0);
        let sent = instances.as_array().map_or(0, Vec::len);
        assert_eq!(messages(&answer).len(), sent);
    }
    for wrong in [
        json!({}),
        json!([]),
        json!({"instances": 7}),
        json!({"instanc": []}),
    ] {
        let _ = shelf.client.post(BATCH, &wrong).await.expect(422);
    }
    let many: Vec<Value> = (0..10_001).map(|_| json!({})).collect();
    let batch = json!({"instances": many});
    let _ = shelf.client.post(BATCH, &batch).await.expect(413);
    let links = vec![json!({"title": "a"}); 10_001];
    let mut instance = an_instance("Much before");
    instance["precedingTitles"] = json!(links);
    let batch = json!({"instances": [instance]});
    let _ = shelf.client.post(BATCH, &batch).await.expect(413);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_batches_of_the_same_instances_store_each_once() {
    let shelf = std::sync::Arc::new(Shelf::new().await);
    for round in 0..5_u128 {
        let mut instances: Vec<Value> = (0..20_u128)
            .map(|number| {
                let mut instance = an_instance(&format!("Title {number}"));
                instance["id"] = json!(uuid::Uuid::from_u128(round * 100 + number + 1));
                instance
            })
            .collect();
        let mut batches = Vec::new();
        for _ in 0..2 {
            let (shelf, batch) = (shelf.clone(), json!({"instances": instances}));
            instances.reverse();
            batches.push(tokio::spawn(async move {
                let answer = shelf.client.post(BATCH, &batch).await;
                assert!([201, 500].contains(&answer.status), "{}", answer.text);
                let body = answer.json();
                body["totalRecords"].as_u64().expect("a number")
            }));
        }
        let mut stored = 0;
        for batch in batches {
            stored += batch.await.expect("the batch ends");
        }
        assert_eq!(stored, 20, "{round}");
    }
}
