//! Messages that do not arrive, or not at once.

use octavo_testkit::{SmtpOptions, SmtpServer};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::{RETRY, SEND, emails, library, set_mail_server, timer, until};

fn email(to: &str) -> Value {
    json!({"notificationId": "n", "to": to, "header": "h", "body": "b"})
}

#[tokio::test]
async fn without_a_mail_server_every_message_is_a_failure_that_can_be_seen() {
    let library = library().await;
    let client = library.client().await;
    let told = client
        .post("/email", &email("ada@example.org"))
        .await
        .expect(200);
    assert!(
        told.text
            .contains("doesn't have a minimum config for SMTP server"),
        "{}",
        told.text
    );
    let failed = emails(&client, "status==FAILURE").await;
    assert_eq!(
        (&failed[0]["shouldRetry"], &failed[0]["attemptCount"]),
        (&json!(true), &json!(1))
    );
    // Once there is one, the next round sends it.
    let server = SmtpServer::start(SmtpOptions::default()).await;
    let _ = set_mail_server(&client, &server, json!({})).await;
    let _ = timer(&library, &library.platform, SEND).await;
    assert_eq!(
        server.delivered().len(),
        0,
        "a failed message waits for the round of retries"
    );
    let _ = timer(&library, &library.platform, RETRY).await;
    assert_eq!(server.delivered().len(), 1);
    assert_eq!(
        emails(&client, "status==DELIVERED").await[0]["attemptCount"],
        2
    );
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_is_tried_three_times() {
    let library = library().await;
    let client = library.client().await;
    let closed = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = closed.local_addr().expect("an address").port();
    drop(closed);
    let value = json!({"host": "127.0.0.1", "port": port, "username": "u", "password": "secret-77",
                       "from": "library@example.org"});
    let body = json!({"scope": "mod-email", "key": "smtp-configuration", "value": value});
    let _ = client.post("/email/settings", &body).await.expect(201);
    let told = client
        .post("/email", &email("ada@example.org"))
        .await
        .expect(200);
    let beginning =
        "Error in the 'mod-email' module, the module didn't send email | message: 127.0.0.1:";
    assert!(told.text.starts_with(beginning), "{}", told.text);
    for attempts in 1..=3 {
        let failed = emails(&client, "status==FAILURE").await;
        assert_eq!(failed[0]["attemptCount"], json!(attempts));
        assert_eq!(failed[0]["shouldRetry"], json!(attempts < 3));
        let _ = timer(&library, &library.platform, RETRY).await;
    }
    let failed = emails(&client, "status==FAILURE and shouldRetry==false").await;
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0]["attemptCount"], 3);
    assert!(!failed[0].to_string().contains("secret-77"));
}

#[tokio::test]
async fn what_the_server_says_is_kept_and_others_are_sent_all_the_same() {
    let library = library().await;
    let client = library.client().await;
    let server = SmtpServer::start(SmtpOptions::default()).await;
    let _ = set_mail_server(&client, &server, json!({})).await;
    for (to, part) in [
        ("refused-550@example.org", "no such mailbox"),
        ("later-451@example.org", "come again"),
        ("hangup@example.org", ""),
        ("no address", "no e-mail address"),
        ("slow@example.org", "delivered"),
        ("ada@example.org", "delivered"),
    ] {
        let told = client.post("/email", &email(to)).await.expect(200);
        assert!(told.text.contains(part), "{to}: {}", told.text);
        let kept = emails(&client, &format!("to==\"{to}\"")).await;
        let expected = if part == "delivered" {
            "DELIVERED"
        } else {
            "FAILURE"
        };
        assert_eq!(kept[0]["status"], expected, "{to}");
        assert_eq!(kept[0]["message"], json!(told.text), "{to}");
    }
    // Of the four that failed one is taken the second time.
    let _ = timer(&library, &library.platform, RETRY).await;
    let later = emails(&client, "to==later-451@example.org").await;
    assert_eq!(
        (&later[0]["status"], &later[0]["attemptCount"]),
        (&json!("DELIVERED"), &json!(2))
    );
    let failed = emails(&client, "status==FAILURE").await;
    assert_eq!(failed.len(), 3);
    assert!(
        failed
            .iter()
            .all(|one| one["attemptCount"] == 2 && one["shouldRetry"] == true)
    );
}

#[tokio::test]
async fn a_message_whose_sender_died_is_sent_by_another() {
    let library = library().await;
    let client = library.client().await;
    let _ = client
        .post("/email", &email("ada@example.org"))
        .await
        .expect(200);
    let database = &library.platform.store.database;
    let schema = library.tenant().schema().to_owned();
    // As a process leaves it that dies with a claim: nobody may have it yet.
    let claim = |due: &str| {
        format!("UPDATE {schema}.email_dispatch SET claim = gen_random_uuid(), due = {due}")
    };
    let server = SmtpServer::start(SmtpOptions::default()).await;
    let _ = set_mail_server(&client, &server, json!({})).await;
    database
        .execute(&claim("now() + interval '1 minute'"), &[])
        .await
        .expect("it is claimed");
    let _ = timer(&library, &library.platform, SEND).await;
    let _ = timer(&library, &library.platform, RETRY).await;
    assert_eq!(server.delivered().len(), 0);
    database
        .execute(&claim("now() - interval '1 second'"), &[])
        .await
        .expect("it ran out");
    let _ = timer(&library, &library.platform, SEND).await;
    assert_eq!(server.delivered().len(), 1);
}

#[tokio::test]
async fn old_messages_go() {
    let library = library().await;
    let client = library.client().await;
    let server = SmtpServer::start(SmtpOptions::default()).await;
    let _ = set_mail_server(&client, &server, json!({"expirationHours": 2})).await;
    for to in [
        "ada@example.org",
        "bob@example.org",
        "refused-550@example.org",
    ] {
        let _ = client.post("/email", &email(to)).await.expect(200);
    }
    let expired = "/delayedTask/expiredMessages";
    let _ = client.delete(expired).await.expect(204);
    assert_eq!(emails(&client, "cql.allRecords=1").await.len(), 3);
    let database = &library.platform.store.database;
    let age = format!(
        "UPDATE {}.email_statistics SET jsonb = jsonb || '{{\"date\": \"2020-01-02T03:04:05.000+00:00\"}}' \
         WHERE jsonb->>'to' <> 'bob@example.org'",
        library.tenant().schema()
    );
    database.execute(&age, &[]).await.expect("they grow old");
    assert_eq!(timer(&library, &library.platform, expired).await, 204);
    let left = emails(&client, "cql.allRecords=1").await;
    assert_eq!(left.len(), 2, "only what was delivered goes by itself");
    let refused = client
        .delete(&format!("{expired}?expirationDate=2020-1-2"))
        .await
        .expect(400);
    assert!(refused.text.contains("yyyy-MM-dd"), "{}", refused.text);
    let failures = format!("{expired}?expirationDate=2020-01-01&emailStatus=FAILURE");
    let _ = client.delete(&failures).await.expect(204);
    assert_eq!(emails(&client, "cql.allRecords=1").await.len(), 2);
    let failures = format!("{expired}?expirationDate=2020-01-02&emailStatus=failure");
    let _ = client.delete(&failures).await.expect(204);
    let left = until(&client, "cql.allRecords=1", 1).await;
    assert_eq!(left[0]["to"], "bob@example.org");
}
