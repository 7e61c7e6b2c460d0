//! Relationships between instances close no circle.

use serde_json::{Value, json};

use super::{INSTANCES, Shelf, an_instance, error, id, post};

const PATH: &str = "/instance-storage/instance-relationships";
const MONOGRAPHIC_SERIES: &str = "30773a27-b485-4dab-aeb6-b8c04fa3cb17";

fn link(whole: &str, part: &str) -> Value {
    json!({
        "superInstanceId": whole, "subInstanceId": part,
        "instanceRelationshipTypeId": MONOGRAPHIC_SERIES,
    })
}

async fn instances(shelf: &Shelf, many: usize) -> Vec<String> {
    let mut ids = Vec::new();
    for at in 0..many {
        let instance = an_instance(&format!("Volume {at}"));
        ids.push(id(&post(&shelf.client, INSTANCES, instance).await));
    }
    ids
}

#[tokio::test]
async fn nothing_is_part_of_itself() {
    let shelf = Shelf::new().await;
    let ids = instances(&shelf, 3).await;
    let [a, b, c] = [&ids[0], &ids[1], &ids[2]];
    let refused = shelf.client.post(PATH, &link(a, a)).await.expect(422);
    assert_eq!(error(&refused.json()).1, "superInstanceId");
    let _ = post(&shelf.client, PATH, link(a, b)).await;
    let last = post(&shelf.client, PATH, link(b, c)).await;
    // A whole may have a part in two ways, and a part two wholes.
    let again = post(&shelf.client, PATH, link(a, c)).await;
    for (whole, part) in [(b, a), (c, a), (c, b)] {
        let refused = shelf
            .client
            .post(PATH, &link(whole, part))
            .await
            .expect(422);
        assert!(error(&refused.json()).0.contains("stands above"));
    }
    // What is replaced does not count, and what is deleted neither.
    let path = format!("{PATH}/{}", id(&last));
    let _ = shelf.client.put(&path, &link(c, b)).await.expect(204);
    let _ = shelf.client.put(&path, &link(a, a)).await.expect(422);
    let _ = shelf.client.put(&path, &link(b, a)).await.expect(422);
    let again = format!("{PATH}/{}", id(&again));
    let _ = shelf.client.put(&again, &link(b, c)).await.expect(422);
    let _ = shelf.client.delete(&path).await.expect(204);
    let _ = shelf.client.put(&again, &link(b, c)).await.expect(204);
}

#[tokio::test]
async fn a_form_of_an_instance_closes_no_circle_either() {
    let shelf = Shelf::new().await;
    let ids = instances(&shelf, 2).await;
    let [a, b] = [&ids[0], &ids[1]];
    let _ = post(&shelf.client, PATH, link(a, b)).await;
    let parents = |whole: &str| json!([{"superInstanceId": whole, "instanceRelationshipTypeId": MONOGRAPHIC_SERIES}]);
    let path = format!("/inventory/instances/{a}");
    for whole in [a, b] {
        let mut form = shelf.client.get(&path).await.expect(200).json();
        form["parentInstances"] = parents(whole);
        let refused = shelf.client.put(&path, &form).await.expect(422).json();
        assert_eq!(error(&refused).1, "superInstanceId");
    }
    let mut form = shelf.client.get(&path).await.expect(200).json();
    form["parentInstances"] = parents(&shelf.instance);
    let _ = shelf.client.put(&path, &form).await.expect(204);
}

#[tokio::test]
async fn those_who_close_a_circle_together_do_not_all_succeed() {
    let shelf = Shelf::new().await;
    for _ in 0..4 {
        let ids = instances(&shelf, 6).await;
        let tasks: Vec<_> = (0..ids.len())
            .map(|at| {
                let client = shelf.client.clone();
                let body = link(&ids[at], &ids[(at + 1) % ids.len()]);
                tokio::spawn(async move { client.post(PATH, &body).await.status })
            })
            .collect();
        let mut statuses = Vec::new();
        for task in tasks {
            statuses.push(task.await.expect("answered"));
        }
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 201, 201, 201, 201, 422]);
    }
}

#[tokio::test]
async fn with_all_instances_go_their_relationships_and_documents() {
    let shelf = Shelf::new().await;
    let ids = instances(&shelf, 2).await;
    let _ = post(&shelf.client, PATH, link(&ids[0], &ids[1])).await;
    let document =
        json!({"leader": "00000nam a2200000 a 4500", "fields": [{"001": "1"}, {"005": "2"}]});
    let path = format!("{INSTANCES}/{}/source-record/marc-json", ids[0]);
    let _ = shelf.client.put(&path, &document).await.expect(204);
    let all = format!("{INSTANCES}?query=cql.allRecords=1");
    // Holdings are in the way; nothing is gone then.
    let _ = shelf.client.delete(&all).await.expect(400);
    let kept = shelf.client.get(PATH).await.expect(200).json();
    assert_eq!(kept["totalRecords"], 1);
    let one = format!("{INSTANCES}?query=id=={}", ids[0]);
    let _ = shelf.client.delete(&one).await.expect(400);
    let holdings = format!("{}/{}", super::HOLDINGS, shelf.holdings);
    let _ = shelf.client.delete(&holdings).await.expect(204);
    let managed = "/inventory/instances?query=cql.allRecords=1";
    let _ = shelf.client.delete(managed).await.expect(204);
    for (path, sql) in [
        (
            PATH,
            "SELECT count(*) FROM tenant_diku.instance_relationship",
        ),
        (
            INSTANCES,
            "SELECT count(*) FROM tenant_diku.instance_source_marc",
        ),
    ] {
        let left = shelf.client.get(path).await.expect(200).json();
        assert_eq!(left["totalRecords"], 0);
        let database = &shelf.library.platform.store.database;
        let rows = database.query(sql, &[]).await.expect("a count");
        assert_eq!(rows[0].get::<_, i64>(0), 0);
    }
    let sql = "SELECT key::text FROM tenant_diku.outbox \
               WHERE topic = 'inventory.instance' AND type = 'DELETE_ALL'";
    let database = &shelf.library.platform.store.database;
    let rows = database.query(sql, &[]).await.expect("events");
    let keys: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(keys, ["00000000-0000-0000-0000-000000000000"]);
    for wrong in ["", "?query="] {
        let _ = shelf
            .client
            .delete(&format!("{INSTANCES}{wrong}"))
            .await
            .expect(400);
    }
}
