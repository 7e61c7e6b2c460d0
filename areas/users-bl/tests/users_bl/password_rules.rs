//! Password rules of a tenant, and the validation of passwords.

use octavo_testkit::{Client, Library, PASSWORD, USERNAME};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{codes, log_in, password, user};
use octavo_server_testkit::library;
use octavo_server_testkit::make_tenant as make;

const RULES: &str = "/tenant/rules";
const LENGTH: &str = "5105b55a-b9a3-4f76-9402-a5243ea63c95";
const HISTORY: &str = "0ff6678f-53cd-4a32-9937-504c28f14077";

fn rule(name: &str, expression: &str, more: &Value) -> Value {
    let mut rule = json!({"name": name, "type": "RegExp", "validationType": "Strong",
                          "state": "Enabled", "moduleName": "test", "expression": expression,
                          "orderNo": 20, "errMessageId": format!("password.{name}.invalid")});
    for (name, value) in more.as_object().into_iter().flatten() {
        rule[name] = value.clone();
    }
    rule
}

async fn verdict(client: &Client, path: &str, body: Value) -> Value {
    client.post(path, &body).await.expect(200).json()
}

#[tokio::test]
async fn rules_are_listed_made_and_changed() {
    let library = library().await;
    let client = library.client().await;
    let page = client
        .get("/tenant/rules?limit=100")
        .await
        .expect(200)
        .json();
    assert_eq!(page["totalRecords"], 11);
    let found = client.query(RULES, "state==Disabled sortby orderNo").await;
    let found = found.expect(200).json();
    assert_eq!(found["rules"][0]["name"], "keyboard_sequence");
    assert_eq!(found["totalRecords"], 3);
    let refused = client.query(RULES, "name==").await.expect(422).json();
    assert_eq!(refused["type"], "-2");
    let one = client
        .get(&format!("{RULES}/{LENGTH}"))
        .await
        .expect(200)
        .json();
    assert_eq!(one["expression"], "^.{8,}$");
    for id in [Uuid::new_v4().to_string(), "none".to_owned()] {
        let _ = client.get(&format!("{RULES}/{id}")).await.expect(404);
    }

    let made = client
        .post(RULES, &rule("even", "(?:..)*", &json!({})))
        .await;
    let made = made.expect(200).json();
    assert!(made["metadata"]["createdDate"].is_string(), "{made}");
    let id = made["id"].as_str().expect("an id");
    // POST with an id changes the rule, but for its name; PUT its name too.
    let changed = rule("odd", "(?:..)*.", &json!({"id": id, "unknown": 1}));
    let stored = client.post(RULES, &changed).await.expect(200).json();
    assert_eq!(
        (&stored["name"], &stored["expression"]),
        (&json!("even"), &json!("(?:..)*."))
    );
    let stored = client.put(RULES, &changed).await.expect(200).json();
    assert_eq!(stored["name"], "odd");
    assert_eq!(stored.get("unknown"), None);
    let read = client
        .get(&format!("{RULES}/{id}"))
        .await
        .expect(200)
        .json();
    assert_eq!(read["name"], "odd");

    let unknown = rule("new", ".*", &json!({"id": Uuid::new_v4()}));
    for answer in [
        client.put(RULES, &unknown).await,
        client.post(RULES, &unknown).await,
    ] {
        assert_eq!(answer.expect(404).text, "Rule not found");
    }
    for (more, key) in [
        (json!({"name": null}), "name"),
        (json!({"name": "password_length"}), "name"),
        (json!({"name": "n".repeat(257)}), "name"),
        (json!({"type": "Magic"}), "type"),
        (json!({"orderNo": "first"}), "orderNo"),
        (json!({"errMessageId": null}), "errMessageId"),
        (json!({"expression": "(["}), "expression"),
        (json!({"expression": "a{1000}{1000}{1000}"}), "expression"),
    ] {
        let refused = client.post(RULES, &rule("other", ".*", &more)).await;
        let refused = refused.expect(422).json();
        assert_eq!(refused["total_records"], 1, "{refused}");
        assert_eq!(
            refused["errors"][0]["parameters"][0]["key"], key,
            "{refused}"
        );
        assert_eq!(refused["errors"][0]["type"], "-1");
    }
    let page = client.get("/tenant/rules?limit=0").await.expect(200).json();
    assert_eq!(page["totalRecords"], 12);
    let _ = library.stranger().post(RULES, &changed).await.expect(401);
}

#[tokio::test]
async fn passwords_are_validated_by_the_rules() {
    let library = library().await;
    let client = library.client().await;
    let ada = user(&client, "ada", json!({})).await;
    password(&client, ada, "Secret-1815").await;
    let validate = async |text: &str| {
        let body = json!({"password": text, "userId": ada});
        verdict(&client, "/password/validate", body).await
    };
    assert_eq!(validate("Another-1815").await, json!({"result": "valid"}));
    let invalid = |codes: &[&str]| json!({"result": "invalid", "messages": codes});
    // The first strong rule that is broken ends it.
    assert_eq!(
        validate("sh0rt").await,
        invalid(&["password.length.invalid"])
    );
    let name = invalid(&["password.usernameDuplicate.invalid"]);
    assert_eq!(validate("My-name-is-ada-1").await, name);
    let before = invalid(&["password.lastTenPasswords.invalid"]);
    assert_eq!(validate("Secret-1815").await, before);
    // Soft ones let others speak.
    let soft = json!({"validationType": "Soft", "orderNo": -1});
    let _ = client
        .post(RULES, &rule("soft", "[^x]*", &soft))
        .await
        .expect(200);
    let both = invalid(&["password.soft.invalid", "password.length.invalid"]);
    assert_eq!(validate("x").await, both);

    let check = "/password/check";
    let judged = verdict(
        &client,
        check,
        json!({"username": "bob", "password": " bob "}),
    )
    .await;
    let codes = judged["messages"].as_array().expect("codes");
    assert_eq!(codes.len(), 5, "{judged}");
    assert_eq!(codes[0], "password.length.invalid");
    let good = json!({"username": "bob", "password": "Another-1815"});
    assert_eq!(
        verdict(&client, check, good.clone()).await,
        json!({"result": "valid"})
    );

    let stranger = json!({"password": "Another-1815", "userId": Uuid::new_v4()});
    let refused = client
        .post("/password/validate", &stranger)
        .await
        .expect(404)
        .json();
    assert_eq!(refused["message"], "User with given id not found");
    assert_eq!(refused["type"], "-2");
    assert_eq!(refused["parameters"][0]["value"], stranger["userId"]);
    for (path, body, key) in [
        ("/password/validate", json!({"password": "x"}), "userId"),
        ("/password/validate", json!({"userId": ada}), "password"),
        (check, json!({"password": "x"}), "username"),
        (check, json!({"password": "", "username": "x"}), "password"),
    ] {
        let refused = client.post(path, &body).await.expect(422).json();
        assert_eq!(
            refused["errors"][0]["parameters"][0]["key"], key,
            "{refused}"
        );
    }
    // What takes for ever is no password.
    let slow = json!({"orderNo": -2});
    let _ = client
        .post(RULES, &rule("slow", "(a+)+b", &slow))
        .await
        .expect(200);
    assert_eq!(
        validate(&"a".repeat(200)).await,
        invalid(&["password.slow.invalid"])
    );

    let page = client
        .get("/tenant/rules?limit=100")
        .await
        .expect(200)
        .json();
    for one in page["rules"].as_array().expect("rules") {
        let mut off = one.clone();
        off["state"] = json!("Disabled");
        let _ = client.put(RULES, &off).await.expect(200);
    }
    let refused = client.post(check, &good).await.expect(422).json();
    assert_eq!(refused["message"], "No matched rules for password checking");
    assert_eq!(validate("").await, json!({"result": "valid"}));
}

async fn turned(client: &Client, id: &str, state: &str) {
    let path = format!("{RULES}/{id}");
    let mut rule = client.get(&path).await.expect(200).json();
    rule["state"] = json!(state);
    let _ = client.put(RULES, &rule).await.expect(200);
}

/// A user with a password who has logged in.
async fn reader(library: &Library, client: &Client, name: &str) -> (Uuid, Client) {
    let id = user(client, name, json!({})).await;
    password(client, id, "Secret-1815").await;
    (id, log_in(library, name, "Secret-1815").await)
}

#[tokio::test]
async fn users_change_their_passwords_by_the_rules_of_their_library() {
    let library = library().await;
    let client = library.client().await;
    let (id, ada) = reader(&library, &client, "ada").await;
    let path = "/bl-users/settings/myprofile/password";
    let change = async |old: &str, new: &str| {
        let body = json!({"userId": id, "password": old, "newPassword": new});
        ada.post(path, &body).await
    };
    let _ = client
        .post(RULES, &rule("house", ".*lib.*", &json!({})))
        .await
        .expect(200);
    let refused = change("Secret-1815", "Another-1815")
        .await
        .expect(400)
        .json();
    assert_eq!(codes(&refused), ["password.house.invalid"]);
    turned(&client, LENGTH, "Disabled").await;
    let _ = change("Secret-1815", "lib-A1").await.expect(204);
    let refused = change("lib-A1", "lib-A1").await.expect(400).json();
    assert_eq!(codes(&refused), ["password.lastTenPasswords.invalid"]);
    turned(&client, HISTORY, "Disabled").await;
    let _ = change("lib-A1", "lib-A1").await.expect(204);
    // A rule that nobody answers keeps every password out, where it is strong.
    let asking = json!({"type": "Programmatic", "implementationReference": "/nobody/asks"});
    let made = client.post(RULES, &rule("asking", "", &asking)).await;
    let mut made = made.expect(200).json();
    let _ = change("wrong", "lib-A2").await.expect(401);
    let _ = change("lib-A1", "lib-A2").await.expect(500);
    made["validationType"] = json!("Soft");
    let _ = client.put(RULES, &made).await.expect(200);
    let _ = change("lib-A1", "lib-A2").await.expect(204);
}

#[tokio::test]
async fn rules_of_one_library_are_none_of_another() {
    let library = library().await;
    let client = library.client().await;
    let _ = make(&library.platform, "college").await;
    let other = Client::log_in(library.address, "college", USERNAME, PASSWORD).await;
    turned(&client, LENGTH, "Disabled").await;
    let one = other
        .get(&format!("{RULES}/{LENGTH}"))
        .await
        .expect(200)
        .json();
    assert_eq!(one["state"], "Enabled");
}
