//! The settings of the mail server, and who may change them.

use octavo_testkit::{SmtpOptions, SmtpServer};
use serde_json::json;
use uuid::Uuid;

use super::{library, set_mail_server};

#[tokio::test]
async fn the_setting_is_checked_and_guarded_by_its_version() {
    let library = library().await;
    let client = library.client().await;
    let setting = |key: &str, value: serde_json::Value| json!({"scope": "mod-email", "key": key, "value": value});
    let path = "/email/settings";
    let refused = client
        .post(path, &setting("colour", json!({})))
        .await
        .expect(422)
        .json();
    assert_eq!(
        refused["errors"][0]["message"],
        "Key must be one of: [smtp-configuration]"
    );
    assert_eq!(refused["errors"][0]["code"], "validation_error");
    let refused = client
        .post(path, &setting("smtp-configuration", json!({"host": "h"})))
        .await;
    let refused = refused.expect(422).json();
    assert_eq!(
        refused["errors"][0]["parameters"][0]["key"],
        "value.password"
    );
    let server = SmtpServer::start(SmtpOptions::default()).await;
    let mut stored = set_mail_server(&client, &server, json!({})).await;
    let again = client
        .post(
            path,
            &setting("smtp-configuration", stored["value"].clone()),
        )
        .await;
    assert!(again.expect(400).text.contains("already exists"));
    let one = format!("{path}/{}", stored["id"].as_str().expect("an id"));
    stored["value"]["port"] = json!(26);
    let _ = client.put(&one, &stored).await.expect(204);
    let _ = client.put(&one, &stored).await.expect(409);
    assert_eq!(
        client.get(&one).await.expect(200).json()["value"]["port"],
        26
    );
    let missing = format!("{path}/{}", Uuid::new_v4());
    let refused = client.put(&missing, &stored).await.expect(404).json();
    assert_eq!(refused["errors"][0]["code"], "not_found_error");
    let _ = client.delete(&one).await.expect(204);
}

#[tokio::test]
async fn all_three_places_of_the_mail_server_are_looked_into() {
    let library = library().await;
    let client = library.client().await;
    let (first, second) = (
        SmtpServer::start(SmtpOptions::default()).await,
        SmtpServer::start(SmtpOptions::default()).await,
    );
    let entries = [
        ("EMAIL_SMTP_HOST", "127.0.0.1".to_owned()),
        ("EMAIL_SMTP_PORT", first.address.port().to_string()),
        ("EMAIL_USERNAME", "u".to_owned()),
        ("EMAIL_PASSWORD", "p".to_owned()),
        ("EMAIL_FROM", "first@example.org".to_owned()),
    ];
    for (code, value) in entries {
        let entry = json!({"module": "SMTP_SERVER", "configName": "smtp", "code": code, "value": value,
                           "enabled": true});
        let _ = client
            .post("/configurations/entries", &entry)
            .await
            .expect(201);
    }
    let email = json!({"notificationId": "n", "to": "ada@example.org", "header": "h", "body": "b"});
    let _ = client.post("/email", &email).await.expect(200);
    assert_eq!(first.delivered()[0].from, "first@example.org");
    let own = json!({"host": "127.0.0.1", "port": second.address.port(), "username": "u",
                     "password": "p", "from": "second@example.org"});
    let path = "/smtp-configuration";
    let stored = client.post(path, &own).await.expect(201).json();
    let again = client.post(path, &own).await.expect(422).json();
    let message = "(true) value already exists in table smtp_configuration: t";
    assert_eq!(again["errors"][0]["message"], message);
    let _ = client.post("/email", &email).await.expect(200);
    assert_eq!(second.delivered()[0].from, "second@example.org");
    let page = client.get(path).await.expect(200).json();
    assert_eq!(page["smtpConfigurations"][0]["id"], stored["id"]);
    let one = format!("{path}/{}", stored["id"].as_str().expect("an id"));
    let _ = client.put(&one, &own).await.expect(204);
    let _ = client.delete(&one).await.expect(204);
    let _ = client.post("/email", &email).await.expect(200);
    assert_eq!((first.delivered().len(), second.delivered().len()), (2, 1));
}

#[tokio::test]
async fn each_route_needs_its_permission() {
    let library = library().await;
    let admin = library.client().await;
    let (reader, _) = octavo_server_testkit::reader(&library, &admin).await;
    let _ = reader.get("/email").await.expect(403);
    let any = json!({});
    for path in [
        "/templates",
        "/template-request",
        "/template-request/preview",
        "/notify",
        "/patron-notice",
        "/message-delivery",
        "/email",
        "/email/settings",
        "/smtp-configuration",
        "/eventConfig",
        "/notify/_username/diku_admin",
    ] {
        let _ = reader.post(path, &any).await.expect(403);
    }
    for path in [
        "/templates",
        "/notify",
        "/notify/user/_self",
        "/smtp-configuration",
        "/email/settings",
        "/eventConfig",
    ] {
        let _ = reader.get(path).await.expect(403);
    }
    let _ = reader
        .delete("/delayedTask/expiredMessages")
        .await
        .expect(403);
}
