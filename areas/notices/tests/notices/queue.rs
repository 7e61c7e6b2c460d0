//! What other areas put into the queue: there if their transaction is, sent once, by any process.

use std::collections::HashSet;

use octavo_notices::queue::{self, Channel, Notice};
use octavo_testkit::{Library, SmtpOptions, SmtpServer};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{SEND, emails, library, set_mail_server, template, timer, user};
use octavo_server_testkit::composition;

fn notice(recipient: Uuid, template: &str, context: Value) -> Notice {
    Notice {
        id: Uuid::new_v4(),
        recipient,
        template: template.parse().expect("an id"),
        channel: Channel::Email,
        output_format: "text/html".to_owned(),
        language: "en".to_owned(),
        context,
    }
}

async fn put(library: &Library, notices: &[Notice]) {
    let database = &library.platform.store.database;
    let transaction = database.transaction().await.expect("a transaction");
    queue::put(&transaction, &library.tenant(), notices)
        .await
        .expect("they are put");
    transaction.commit().await.expect("it is committed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_workers_send_five_hundred_notices_once_each() {
    let library = library().await;
    let client = library.client().await;
    let beside = library.beside(composition).await;
    let server = SmtpServer::start(SmtpOptions::default()).await;
    let _ = set_mail_server(&client, &server, json!({})).await;
    let ada = user(&client, "ada", "ada@example.org").await;
    let id = template(&client, "Notice {{number}}", "<p>{{number}}</p>").await;
    let notices: Vec<Notice> = (0..500)
        .map(|number| notice(ada, &id, json!({"number": number})))
        .collect();
    put(&library, &notices).await;
    // The other process learns of the tenant by being asked.
    let _ = client.at(beside.address).get("/email").await.expect(200);
    let _ = tokio::join!(
        timer(&library, &library.platform, SEND),
        timer(&library, &beside.platform, SEND),
    );
    let delivered = server.delivered();
    assert_eq!(delivered.len(), 500);
    let subjects: HashSet<&str> = delivered
        .iter()
        .filter_map(|one| one.header("Subject"))
        .collect();
    assert_eq!(subjects.len(), 500, "each came once");
    let kept = emails(&client, "status==DELIVERED").await;
    let told: HashSet<String> = kept
        .iter()
        .map(|one| one["notificationId"].to_string())
        .collect();
    assert_eq!((kept.len(), told.len()), (500, 500));
    // Each process keeps its connections from message to message.
    assert!(
        server.connections() <= 8,
        "{} connections",
        server.connections()
    );
    let _ = timer(&library, &beside.platform, SEND).await;
    assert_eq!(server.delivered().len(), 500);
}

#[tokio::test]
async fn a_notice_is_there_exactly_if_its_transaction_is() {
    let library = library().await;
    let client = library.client().await;
    let ada = user(&client, "ada", "ada@example.org").await;
    let id = template(&client, "h", "b").await;
    let database = &library.platform.store.database;
    let transaction = database.transaction().await.expect("a transaction");
    let notices = [notice(ada, &id, json!({}))];
    queue::put(&transaction, &library.tenant(), &notices)
        .await
        .expect("it is put");
    transaction.rollback().await.expect("it is taken back");
    let _ = timer(&library, &library.platform, SEND).await;
    assert!(emails(&client, "cql.allRecords=1").await.is_empty());
    put(&library, &notices).await;
    let _ = timer(&library, &library.platform, SEND).await;
    let kept = emails(&client, "cql.allRecords=1").await;
    assert_eq!(kept[0]["notificationId"], json!(notices[0].id));
}

#[tokio::test]
async fn a_notice_that_cannot_be_rendered_is_a_failure_and_holds_up_no_other() {
    let library = library().await;
    let client = library.client().await;
    let server = SmtpServer::start(SmtpOptions::default()).await;
    let _ = set_mail_server(&client, &server, json!({})).await;
    let ada = user(&client, "ada", "ada@example.org").await;
    let good = template(&client, "good", "{{#a}}{{#a}}{{#a}}x{{/a}}{{/a}}{{/a}}").await;
    let gone = Uuid::new_v4().to_string();
    let mut german = notice(ada, &good, json!({}));
    german.language = "de".to_owned();
    put(
        &library,
        &[
            notice(ada, &gone, json!({})),
            notice(Uuid::new_v4(), &good, json!({})),
            german,
            notice(ada, &good, json!({"a": vec![1; 1_000]})),
            notice(ada, &good, json!({"a": [1]})),
        ],
    )
    .await;
    let _ = timer(&library, &library.platform, SEND).await;
    assert_eq!(server.delivered().len(), 1);
    let failed = emails(&client, "status==FAILURE").await;
    let messages: Vec<&str> = failed
        .iter()
        .filter_map(|one| one["message"].as_str())
        .collect();
    assert_eq!(messages.len(), 4);
    for part in [
        gone.as_str(),
        "User not found",
        "language 'de'",
        "gone through more than",
    ] {
        assert!(
            messages.iter().any(|one| one.contains(part)),
            "{part}: {messages:?}"
        );
    }
    assert!(failed.iter().all(|one| one["shouldRetry"] == false));
}

/// A measurement: `--nocapture` shows it.
#[tokio::test]
async fn many_notices_are_rendered_in_small_batches() {
    let library = library().await;
    let client = library.client().await;
    let ada = user(&client, "ada", "ada@example.org").await;
    let id = template(
        &client,
        "Due {{loan.dueDate}}",
        "<p>{{user.lastName}}</p>{{#loans}}<li>{{item.title}} {{loan.dueDateTime}}</li>{{/loans}}",
    )
    .await;
    let loan = json!({"item": {"title": "A title", "barcode": "1"},
                      "loan": {"dueDate": "2026-07-01T21:30:00.000+00:00"}});
    let context =
        json!({"user": {"lastName": "Reader"}, "loan": loan["loan"], "loans": [loan, loan, loan]});
    let notices: Vec<Notice> = (0..2_000)
        .map(|_| notice(ada, &id, context.clone()))
        .collect();
    put(&library, &notices).await;
    let known = library.platform.registry.known(library.tenant().id());
    let view = known.expect("the tenant was asked for");
    let call = octavo_platform::system_call(&library.platform, &view);
    let started = std::time::Instant::now();
    let mut rendered = 0;
    loop {
        match octavo_notices::app::render_queued::render_queued(&call, 100)
            .await
            .expect("it renders")
        {
            0 => break,
            some => rendered += some,
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{rendered} notices in {seconds:.2} s: {:.0}/s",
        rendered as f64 / seconds
    );
    let page = client
        .query("/email?limit=0", "status==PROCESSING")
        .await
        .expect(200)
        .json();
    assert_eq!((rendered, &page["totalRecords"]), (2_000, &json!(2_000)));
}
