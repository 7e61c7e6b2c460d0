//! Earlier and later titles.

use serde_json::{Value, json};

use super::{NOWHERE, Shelf, another_title, error, id, post};

const PATH: &str = "/preceding-succeeding-titles";

/// The links of an instance: what precedes and what succeeds.
async fn links(shelf: &Shelf, instance: &str) -> Vec<(Value, Value)> {
    let query = format!("precedingInstanceId=={instance} or succeedingInstanceId=={instance}");
    let found = shelf.client.query(PATH, &query).await.expect(200).json();
    let links = found["precedingSucceedingTitles"]
        .as_array()
        .expect("links");
    links
        .iter()
        .map(|link| {
            (
                link["precedingInstanceId"].clone(),
                link["succeedingInstanceId"].clone(),
            )
        })
        .collect()
}

#[tokio::test]
async fn a_link_names_an_instance() {
    let shelf = Shelf::new().await;
    let sentence =
        "The precedingInstanceId and succeedingInstanceId can't be empty at the same time";
    let empty = json!({"title": "Bridges of old", "precedingInstanceId": ""});
    let refused = shelf.client.post(PATH, &empty).await.expect(422).json();
    assert_eq!(error(&refused), (sentence.to_owned(), String::new()));
    let link = json!({"title": "Bridges of old", "succeedingInstanceId": shelf.instance});
    let link = post(&shelf.client, PATH, link).await;
    let path = format!("{PATH}/{}", id(&link));
    let _ = shelf.client.put(&path, &json!({})).await.expect(422);
    let turned = json!({"title": "Bridges anew", "precedingInstanceId": shelf.instance});
    let _ = shelf.client.put(&path, &turned).await.expect(204);
    assert_eq!(
        links(&shelf, &shelf.instance).await,
        [(json!(shelf.instance), Value::Null)]
    );
}

#[tokio::test]
async fn all_links_of_an_instance_are_replaced_or_none() {
    let shelf = Shelf::new().await;
    let (other, _) = another_title(&shelf, "Tunnels").await;
    let own = shelf.instance.as_str();
    let path = format!("{PATH}/instances/{own}");
    let replace = |links: Value, status: u16| {
        let body = json!({"precedingSucceedingTitles": links, "totalRecords": 1});
        let (client, path) = (&shelf.client, &path);
        async move { client.put(path, &body).await.expect(status) }
    };
    let first = json!([
        {"title": "Bridges of old", "succeedingInstanceId": own},
        {"precedingInstanceId": own, "succeedingInstanceId": other},
    ]);
    let _ = replace(first, 204).await;
    assert_eq!(links(&shelf, own).await.len(), 2);
    let unrelated =
        json!([{"title": "x", "succeedingInstanceId": own}, {"succeedingInstanceId": other}]);
    let refused = replace(unrelated, 422).await.json();
    assert_eq!(
        refused["errors"][0]["parameters"],
        json!([{"key": "precedingInstanceId or succeedingInstanceId", "value": ""}])
    );
    assert_eq!(
        error(&refused).0,
        format!(
            "The precedingInstanceId or succeedingInstanceId should contain instanceId [{own}]"
        )
    );
    let broken = json!([{"precedingInstanceId": NOWHERE, "succeedingInstanceId": own}]);
    assert_eq!(replace(broken, 404).await.text, "Instance not found");
    assert_eq!(links(&shelf, own).await.len(), 2);
    let _ = replace(
        json!([{"precedingInstanceId": other, "succeedingInstanceId": own}]),
        204,
    )
    .await;
    assert_eq!(links(&shelf, &other).await, [(json!(other), json!(own))]);
    let _ = replace(json!([]), 204).await;
    assert_eq!(links(&shelf, own).await, []);
    let nowhere = format!("{PATH}/instances/{NOWHERE}");
    let none = json!({"precedingSucceedingTitles": []});
    let missing = shelf.client.put(&nowhere, &none).await.expect(404);
    assert_eq!(missing.text, "Instance not found");
}

#[tokio::test]
async fn two_instances_whose_links_are_replaced_at_once_do_not_stand_in_each_others_way() {
    let shelf = Shelf::new().await;
    let (other, _) = another_title(&shelf, "Tunnels").await;
    let tasks: Vec<_> = (0..16)
        .map(|at| {
            let client = shelf.client.clone();
            let own = if at % 2 == 0 { &shelf.instance } else { &other };
            let path = format!("{PATH}/instances/{own}");
            let link =
                json!({"precedingInstanceId": shelf.instance, "succeedingInstanceId": other});
            let body = json!({"precedingSucceedingTitles": [link]});
            tokio::spawn(async move { client.put(&path, &body).await.expect(204) })
        })
        .collect();
    for task in tasks {
        task.await.expect("replaced");
    }
    assert!(!links(&shelf, &other).await.is_empty());
}
