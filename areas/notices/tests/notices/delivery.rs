//! Messages that arrive: by `/email` and `/message-delivery`.

use octavo_testkit::{SmtpOptions, SmtpServer};
use serde_json::json;
use uuid::Uuid;

use super::{RETRY, SEND, emails, library, set_mail_server, timer, until, user};

#[tokio::test]
async fn an_email_is_sent_while_the_client_waits() {
    let library = library().await;
    let client = library.client().await;
    let server = SmtpServer::start(SmtpOptions::default()).await;
    let more = json!({
        "identities": [{"address": "library@example.org", "name": "The Library"}],
        "emailHeaders": [{"name": "Reply-To", "value": "desk@example.org"}],
    });
    let _ = set_mail_server(&client, &server, more).await;
    let email = json!({
        "notificationId": "n-1", "to": "ada@example.org", "header": "Überfällig",
        "body": "first\n.\n..two dots\nlast", "outputFormat": "text/plain",
        "attachments": [{"contentType": "text/plain", "name": "a.txt", "data": "SGVsbG8="}],
        "status": "DELIVERED", "attemptCount": 7, "message": "not for clients to say",
    });
    let told = client.post("/email", &email).await.expect(200);
    assert_eq!(
        told.text,
        "The message has been delivered to ada@example.org"
    );
    let delivered = server.delivered();
    assert_eq!(delivered.len(), 1);
    let mail = &delivered[0];
    assert_eq!(
        (mail.from.as_str(), &mail.to),
        ("library@example.org", &vec!["ada@example.org".to_owned()])
    );
    assert_eq!(
        mail.header("From"),
        Some("\"The Library\" <library@example.org>")
    );
    assert_eq!(mail.header("Reply-To"), Some("desk@example.org"));
    assert!(
        mail.text.contains("first\r\n.\r\n..two dots\r\nlast"),
        "{}",
        mail.text
    );
    assert!(mail.text.contains("filename=\"a.txt\""), "{}", mail.text);
    let kept = emails(&client, "notificationId==n-1").await;
    assert_eq!(kept.len(), 1);
    assert_eq!(
        (
            &kept[0]["status"],
            &kept[0]["attemptCount"],
            &kept[0]["shouldRetry"]
        ),
        (&json!("DELIVERED"), &json!(1), &json!(false))
    );
    assert_eq!(kept[0]["from"], "library@example.org");
    let id = kept[0]["id"].as_str().expect("an id");
    assert_eq!(
        mail.header("Message-ID"),
        Some(format!("<{id}@example.org>").as_str())
    );
    // Nothing is left to be sent.
    let _ = timer(&library, &library.platform, SEND).await;
    let _ = timer(&library, &library.platform, RETRY).await;
    assert_eq!(server.delivered().len(), 1);
    let refused = client
        .post("/email", &json!({"to": "a@example.org"}))
        .await
        .expect(422)
        .json();
    assert_eq!(refused["errors"].as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn messages_go_to_the_users_address() {
    let library = library().await;
    let client = library.client().await;
    let server = SmtpServer::start(SmtpOptions::default()).await;
    let _ = set_mail_server(&client, &server, json!({})).await;
    let ada = user(&client, "ada", "ada@example.org").await;
    let request = |user: Uuid, channel: &str| {
        json!({"notificationId": "n-2", "recipientUserId": user, "messages": [
            {"deliveryChannel": channel, "header": "Hello", "body": "<b>there</b>",
             "outputFormat": "text/html"}]})
    };
    let _ = client
        .post("/message-delivery", &request(ada, "email"))
        .await
        .expect(204);
    let sent = until(&client, "status==DELIVERED", 1).await;
    assert_eq!(sent[0]["to"], "ada@example.org");
    let delivered = server.delivered();
    assert!(
        delivered[0].text.contains("<b>there</b>"),
        "{}",
        delivered[0].text
    );
    assert!(delivered[0].text.contains("Content-Type: text/html"));

    let refused = client
        .post("/message-delivery", &request(ada, "sms"))
        .await
        .expect(400);
    assert_eq!(
        refused.text,
        "validateDeliveryChannels:: Delivery channel 'sms' is not supported"
    );
    let nobody = request(Uuid::new_v4(), "email");
    let refused = client.post("/message-delivery", &nobody).await.expect(400);
    assert_eq!(refused.text, "User not found");
    assert_eq!(
        emails(&client, "cql.allRecords=1").await.len(),
        1,
        "nothing else was kept"
    );

    // A message on paper is stored for printing and listed among the messages too.
    let _ = client
        .post("/message-delivery", &request(ada, "mail"))
        .await
        .expect(204);
    let printed = until(&client, "status==DELIVERED and to==Reader*", 1).await;
    assert_eq!(printed[0]["to"], "Reader,Ada,ada@example.org");
    let entries = client.get("/print/entries").await.expect(200).json();
    assert_eq!(entries["items"][0]["id"], printed[0]["id"]);
}

#[tokio::test]
async fn who_has_no_address_shows_among_the_failures() {
    let library = library().await;
    let client = library.client().await;
    let id = Uuid::new_v4();
    let body =
        json!({"id": id, "username": "bob", "active": true, "personal": {"lastName": "Bob"}});
    let _ = client.post("/users", &body).await.expect(201);
    let request = json!({"notificationId": "n-3", "recipientUserId": id, "messages": [
        {"deliveryChannel": "email", "header": "Hello", "body": "there"}]});
    let _ = client.post("/message-delivery", &request).await.expect(204);
    let failed = emails(&client, "status==FAILURE").await;
    assert_eq!(failed.len(), 1);
    assert_eq!(
        (&failed[0]["shouldRetry"], &failed[0]["attemptCount"]),
        (&json!(false), &json!(0))
    );
    assert!(
        failed[0]["message"]
            .as_str()
            .expect("text")
            .ends_with("the user has no e-mail address")
    );
}

#[tokio::test]
async fn starttls_and_a_log_in_are_used_where_the_settings_say() {
    let library = library().await;
    let client = library.client().await;
    let log_in = Some(("octavo".to_owned(), "pass".to_owned()));
    let server = SmtpServer::start(SmtpOptions {
        log_in,
        start_tls: true,
    })
    .await;
    let setting = set_mail_server(&client, &server, json!({
        "host": "localhost", "startTlsOptions": "REQUIRED", "loginOption": "REQUIRED", "trustAll": true,
    })).await;
    let email = json!({"notificationId": "n", "to": "ada@example.org", "header": "h", "body": "b"});
    let told = client.post("/email", &email).await.expect(200);
    assert_eq!(
        told.text,
        "The message has been delivered to ada@example.org"
    );
    assert!(server.delivered()[0].encrypted);

    let path = format!("/email/settings/{}", setting["id"].as_str().expect("an id"));
    let changes = [
        ("trustAll", json!(false), "certificate"),
        ("password", json!("wrong secret"), "refused the log-in"),
        ("authMethods", json!("CRAM-MD5"), "no way to log in"),
        ("authMethods", json!("LOGIN"), "delivered"),
    ];
    for (version, (name, value, part)) in (1..).zip(changes) {
        let mut changed = setting.clone();
        changed["value"][name] = value.clone();
        changed["_version"] = json!(version);
        let _ = client.put(&path, &changed).await.expect(204);
        let told = client.post("/email", &email).await.expect(200);
        assert!(told.text.contains(part), "{name} {value}: {}", told.text);
        assert!(!told.text.contains("wrong secret"), "{}", told.text);
    }
}
