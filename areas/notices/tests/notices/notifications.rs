//! Users' notifications, seen and unseen.

use octavo_testkit::{SmtpOptions, SmtpServer};
use serde_json::json;
use uuid::Uuid;

use super::{emails, library, set_mail_server, template, until, user};

#[tokio::test]
async fn notifications_are_kept_for_their_recipient() {
    let library = library().await;
    let client = library.client().await;
    let ada = user(&client, "ada", "ada@example.org").await;
    let refused = client
        .post("/notify", &json!({"text": "hello"}))
        .await
        .expect(422)
        .json();
    assert_eq!(refused["errors"][0]["message"], "Required");
    assert_eq!(refused["errors"][0]["parameters"][0]["key"], "recipientId");
    let body = json!({"recipientId": ada, "text": "hello"});
    let stored = client.post("/notify", &body).await.expect(201);
    let path = stored.header("location").expect("a place").to_owned();
    let mut stored = stored.json();
    assert_eq!(stored["seen"], false);
    assert_eq!(client.get(&path).await.expect(200).json(), stored);
    stored["seen"] = json!(true);
    let _ = client.put(&path, &stored).await.expect(204);
    stored["id"] = json!(Uuid::new_v4());
    let refused = client.put(&path, &stored).await.expect(422).json();
    assert_eq!(refused["errors"][0]["message"], "Can not change the id");
    let bad = client.get("/notify/nonsense").await.expect(422).json();
    assert_eq!(
        bad["errors"][0]["message"],
        "invalid input syntax for type uuid"
    );
    let named = client
        .post("/notify/_username/ADA", &json!({"text": "you"}))
        .await
        .expect(201)
        .json();
    assert_eq!(named["recipientId"], json!(ada));
    let nobody = client
        .post("/notify/_username/zoe", &json!({"text": "you"}))
        .await
        .expect(400);
    assert_eq!(nobody.text, "User lookup failed. Can not find user zoe");
    let page = client
        .query("/notify", &format!("recipientId=={ada}"))
        .await
        .expect(200)
        .json();
    assert_eq!(page["totalRecords"], 2);
    let _ = client.delete(&path).await.expect(204);
    let gone = client.delete(&path).await.expect(404);
    assert!(path.ends_with(&gone.text), "{}", gone.text);
    assert!(
        emails(&client, "cql.allRecords=1").await.is_empty(),
        "nothing of it is sent"
    );
}

#[tokio::test]
async fn ones_own_are_ones_own() {
    let library = library().await;
    let client = library.client().await;
    let other = user(&client, "ada", "ada@example.org").await;
    let me = client
        .query("/users", "username==diku_admin")
        .await
        .expect(200)
        .json();
    let me = me["users"][0]["id"].clone();
    for (recipient, text, seen) in [
        (me.clone(), "first", true),
        (me.clone(), "second", false),
        (json!(other), "third", true),
    ] {
        let body = json!({"recipientId": recipient, "text": text, "seen": seen});
        let _ = client.post("/notify", &body).await.expect(201);
    }
    let own = "/notify/user/_self";
    assert_eq!(client.get(own).await.expect(200).json()["totalRecords"], 2);
    let found = client.query(own, "text==second").await.expect(200).json();
    assert_eq!(found["totalRecords"], 1);
    let foreign = "text==x) or (text==third";
    let _ = client.query(own, foreign).await.expect(422);
    let _ = client
        .delete(&format!("{own}?olderthan=2020-01-01"))
        .await
        .expect(404);
    let _ = client.delete(own).await.expect(204);
    assert_eq!(
        client.get(own).await.expect(200).json()["notifications"][0]["text"],
        "second"
    );
    let _ = client.delete(own).await.expect(404);
    assert_eq!(
        client.get("/notify").await.expect(200).json()["totalRecords"],
        2
    );
}

#[tokio::test]
async fn a_happening_is_told_with_its_templates() {
    let library = library().await;
    let client = library.client().await;
    let server = SmtpServer::start(SmtpOptions::default()).await;
    let _ = set_mail_server(&client, &server, json!({})).await;
    let ada = user(&client, "ada", "ada@example.org").await;
    let id = template(&client, "Hello {{name}}", "Dear {{name}}").await;
    let event = json!({"name": "GREETING", "active": true, "templates": [
        {"templateId": id, "outputFormat": "text/plain", "deliveryChannel": "email"},
        {"templateId": id, "outputFormat": "text/html", "deliveryChannel": "email"}]});
    let stored = client.post("/eventConfig", &event).await.expect(201).json();
    let again = client.post("/eventConfig", &event).await.expect(400);
    assert!(again.text.contains("already exists"), "{}", again.text);
    let notification = json!({"recipientId": ada, "text": "", "eventConfigName": "GREETING",
                              "lang": "en", "context": {"name": "Ada"}});
    let _ = client.post("/notify", &notification).await.expect(201);
    let _ = until(&client, "status==DELIVERED", 2).await;
    let delivered = server.delivered();
    assert!(
        delivered
            .iter()
            .all(|one| one.header("Subject") == Some("Hello Ada"))
    );
    assert!(
        delivered
            .iter()
            .any(|one| one.text.contains("Content-Type: text/html"))
    );

    // Messages that cannot be sent are not stored either.
    for (name, value, message) in [
        (
            "eventConfigName",
            json!("NONE"),
            "Cannot fetch event entity",
        ),
        (
            "lang",
            json!("de"),
            "Requested template does not have localized template for language 'de'",
        ),
        ("recipientId", json!(Uuid::new_v4()), "User not found"),
    ] {
        let mut other = notification.clone();
        other[name] = value;
        assert_eq!(
            client.post("/notify", &other).await.expect(400).text,
            message
        );
    }
    assert_eq!(
        client.get("/notify").await.expect(200).json()["totalRecords"],
        1
    );
    let path = format!("/eventConfig/{}", stored["id"].as_str().expect("an id"));
    let _ = client.delete(&path).await.expect(204);
    let all = client.get("/eventConfig").await.expect(200).json();
    assert_eq!(
        all["totalRecords"], 5,
        "those that every tenant starts with"
    );
}

#[tokio::test]
async fn patrons_are_told_by_a_template() {
    let library = library().await;
    let client = library.client().await;
    let server = SmtpServer::start(SmtpOptions::default()).await;
    let _ = set_mail_server(&client, &server, json!({})).await;
    let ada = user(&client, "ada", "ada@example.org").await;
    let id = template(&client, "Due", "{{#loans}}{{title}};{{/loans}}").await;
    let notice = json!({"recipientId": ada, "deliveryChannel": "email", "templateId": id,
                        "context": {"loans": [{"title": "A"}, {"title": "B"}]}});
    let _ = client.post("/patron-notice", &notice).await.expect(200);
    let _ = until(&client, "status==DELIVERED", 1).await;
    assert!(server.delivered()[0].text.contains("A;B;"));
    for (name, value) in [
        ("templateId", json!(Uuid::new_v4())),
        ("deliveryChannel", json!("sms")),
        ("recipientId", json!(Uuid::new_v4())),
        ("outputFormat", json!("text/xml")),
    ] {
        let mut other = notice.clone();
        other[name] = value;
        let refused = client
            .post("/patron-notice", &other)
            .await
            .expect(422)
            .json();
        assert!(refused["errors"][0]["message"].is_string(), "{refused}");
    }
}

#[tokio::test]
async fn a_forgotten_password_is_mailed_by_our_own_modules() {
    let library = library().await;
    let client = library.client().await;
    let server = SmtpServer::start(SmtpOptions::default()).await;
    let _ = set_mail_server(&client, &server, json!({})).await;
    let _ = user(&client, "ada", "ada@example.org").await;
    let stranger = library.stranger();
    let _ = stranger
        .post("/bl-users/forgotten/password", &json!({"id": "ada"}))
        .await
        .expect(204);
    let sent = until(&client, "status==DELIVERED", 1).await;
    assert_eq!(sent[0]["header"], "Activate your library account");
    let _ = stranger
        .post(
            "/bl-users/forgotten/username",
            &json!({"id": "ada@example.org"}),
        )
        .await
        .expect(204);
    let _ = until(&client, "status==DELIVERED", 2).await;
    let delivered = server.delivered();
    assert!(delivered.iter().all(|one| one.to == ["ada@example.org"]));
    let name = delivered
        .iter()
        .find(|one| one.header("Subject") == Some("Your username"));
    assert!(name.expect("it was sent").text.contains("account is ada."));
}
