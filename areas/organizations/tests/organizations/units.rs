//! What acquisitions units protect of organizations: reading and PUT.

use octavo_server_testkit::{library, staff};
use octavo_testkit::Client;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{body, error};

const PATH: &str = "/organizations/organizations";

async fn unit(client: &Client, name: &str, read: bool, update: bool) -> Value {
    let body = json!({"name": name, "isDeleted": false, "protectRead": read,
                      "protectUpdate": update, "protectCreate": true, "protectDelete": true});
    let made = client
        .post("/acquisitions-units-storage/units", &body)
        .await;
    made.expect(201).json()["id"].clone()
}

async fn with_units(client: &Client, code: &str, units: &Value) -> String {
    let mut body = body(code);
    body["acqUnitIds"] = units.clone();
    let made = client.post(PATH, &body).await.expect(201).json();
    made["id"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn who_is_no_member_neither_sees_nor_changes() {
    let library = library().await;
    let admin = library.client().await;
    let has = ["organizations.organizations.all"];
    let (client, user) = staff(&library, &admin, "buyer", &has).await;
    let hidden = unit(&admin, "hidden", true, true).await;
    let shown = unit(&admin, "shown", false, true).await;
    let secret = with_units(&client, "SECRET", &json!([hidden])).await;
    let open = with_units(&client, "OPEN", &json!([shown])).await;
    let both = with_units(&client, "BOTH", &json!([hidden, shown])).await;
    let none = with_units(&client, "NONE", &json!([])).await;
    let codes = |page: &Value| {
        let list = page["organizations"].as_array().expect("a list").iter();
        let mut codes: Vec<String> = list
            .map(|one| one["code"].as_str().expect("a code").to_owned())
            .collect();
        codes.sort_unstable();
        codes
    };
    let seen = client.get(PATH).await.expect(200).json();
    assert_eq!(codes(&seen), ["BOTH", "NONE", "OPEN"]);
    assert_eq!(seen["totalRecords"], 3);
    let refused = client.get(&format!("{PATH}/{secret}")).await.expect(403);
    assert_eq!(error(&refused)["code"], "userHasNoPermission");
    for (id, status) in [(&open, 403), (&both, 403), (&none, 204)] {
        let one = format!("{PATH}/{id}");
        let read = client.get(&one).await.expect(200).json();
        assert_eq!(client.put(&one, &read).await.status, status, "{read}");
    }
    // A member of one unit of the record may.
    let member = json!({"userId": user, "acquisitionsUnitId": hidden});
    let memberships = "/acquisitions-units-storage/memberships";
    let _ = admin.post(memberships, &member).await.expect(201);
    let seen = client.get(PATH).await.expect(200).json();
    assert_eq!(codes(&seen), ["BOTH", "NONE", "OPEN", "SECRET"]);
    for (id, status) in [(&secret, 204), (&both, 204), (&open, 403)] {
        let one = format!("{PATH}/{id}");
        let read = client.get(&one).await.expect(200).json();
        assert_eq!(client.put(&one, &read).await.status, status, "{read}");
    }
    // Deleting asks for none.
    let _ = client.delete(&format!("{PATH}/{open}")).await.expect(204);
}

#[tokio::test]
async fn units_are_changed_by_those_who_may_manage_them() {
    let library = library().await;
    let admin = library.client().await;
    let free = unit(&admin, "free", false, false).await;
    let all = "organizations.organizations.all";
    let (client, _) = staff(&library, &admin, "buyer", &[all]).await;
    let manage = "organizations.acquisitions-units-assignments.manage";
    let (manager, _) = staff(&library, &admin, "manager", &[all, manage]).await;
    let id = with_units(&client, "A", &json!([])).await;
    let one = format!("{PATH}/{id}");
    let mut with = body("A");
    with["acqUnitIds"] = json!([free]);
    let refused = client.put(&one, &with).await.expect(403);
    assert_eq!(error(&refused)["code"], "userHasNoAcqUnitsPermission");
    let _ = manager.put(&one, &with).await.expect(204);
    let unknown = Uuid::new_v4();
    with["acqUnitIds"] = json!([free, unknown]);
    let refused = manager.put(&one, &with).await.expect(422);
    let error = error(&refused);
    assert_eq!(error["code"], "organizationAcqUnitsNotFound");
    assert_eq!(error["acqUnitIds"], json!([unknown]));
}
