//! `/organizations-storage/interfaces/{id}/credentials`

use octavo_server_testkit::{library, staff};
use serde_json::json;
use uuid::Uuid;

#[tokio::test]
async fn an_interface_has_one_name_and_password() {
    let library = library().await;
    let client = library.client().await;
    let interfaces = "/organizations-storage/interfaces";
    let made = client
        .post(interfaces, &json!({"name": "Shop"}))
        .await
        .expect(201)
        .json();
    let id = made["id"].as_str().expect("an id");
    let path = format!("{interfaces}/{id}/credentials");
    let _ = client.get(&path).await.expect(404);
    let sent = json!({"username": "u", "password": "p", "interfaceId": id});
    let _ = client.put(&path, &sent).await.expect(404);
    let stored = client.post(&path, &sent).await.expect(201).json();
    assert_eq!(client.get(&path).await.expect(200).json(), stored);
    let _ = client.post(&path, &sent).await.expect(400);
    let other = json!({"username": "u", "password": "p", "interfaceId": Uuid::new_v4()});
    for refused in [
        client.post(&path, &other).await,
        client.put(&path, &other).await,
    ] {
        assert_eq!(refused.expect(400).text, "Interface credential id mismatch");
    }
    let changed = json!({"username": "v", "password": "q", "interfaceId": id});
    let _ = client.put(&path, &changed).await.expect(204);
    let read = client.get(&path).await.expect(200).json();
    assert_eq!(
        (&read["username"], &read["id"]),
        (&json!("v"), &stored["id"])
    );
    // The interface stays as long as it has credentials.
    let one = format!("{interfaces}/{id}");
    let _ = client.delete(&one).await.expect(400);
    let _ = client.delete(&path).await.expect(204);
    let _ = client.delete(&path).await.expect(404);
    let _ = client.delete(&one).await.expect(204);
}

#[tokio::test]
async fn credentials_have_their_own_permission() {
    let library = library().await;
    let admin = library.client().await;
    let interfaces = "/organizations-storage/interfaces";
    let made = admin
        .post(interfaces, &json!({"name": "Shop"}))
        .await
        .expect(201)
        .json();
    let path = format!(
        "{interfaces}/{}/credentials",
        made["id"].as_str().expect("an id")
    );
    let has = ["organizations-storage.interfaces.all"];
    let (client, _) = staff(&library, &admin, "seller", &has).await;
    let _ = client.get(interfaces).await.expect(200);
    let _ = client.get(&path).await.expect(403);
}
