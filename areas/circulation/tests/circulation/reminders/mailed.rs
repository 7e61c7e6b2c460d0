//! A reminder on its way to the borrower: rendered from the loan, and taken by a mail server.

use octavo_notices::queue::soon;
use octavo_platform::system_call;
use octavo_testkit::{SmtpOptions, SmtpServer};

use super::*;

/// Stores the template that the schedule names.
async fn template(client: &Client) {
    let body = "<p>{{user.firstName}}: {{item.title}} ({{item.barcode}}), due {{loan.dueDate}}, \
                renewed {{loan.numberOfRenewalsTaken}} times. {{feeCharge.type}}: \
                {{feeCharge.amount}}, owed to {{feeCharge.owner}}.</p>";
    let template = json!({"id": TEMPLATE, "name": "Overdue", "outputFormats": ["text/html"],
        "templateResolver": "mustache", "active": true, "category": "Loan",
        "localizedTemplates": {"en": {"header": "Please return {{item.title}}", "body": body}}});
    let _ = client.post("/templates", &template).await.expect(201);
}

async fn mail_server(client: &Client, server: &SmtpServer) {
    let value = json!({"host": "127.0.0.1", "port": server.address.port(), "username": "octavo",
        "password": "pass", "from": "library@example.org", "loginOption": "NONE"});
    let settings = json!({"scope": "mod-email", "key": "smtp-configuration", "value": value});
    let _ = client.post("/email/settings", &settings).await.expect(201);
}

/// Lets a worker begin, and waits until so many messages were taken.
async fn delivered(library: &Library, server: &SmtpServer, count: usize) {
    let known = library.platform.registry.known(library.tenant().id());
    let view = known.expect("the tenant was asked for");
    soon(&system_call(&library.platform, &view));
    for _ in 0..1500 {
        if server.delivered().len() >= count {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("{} messages instead of {count}", server.delivered().len());
}

#[tokio::test]
async fn a_borrower_gets_what_the_template_says_of_the_loan_and_its_fee() {
    let (library, stock) = reminding_library().await;
    let client = &stock.client;
    let server = SmtpServer::start(SmtpOptions::default()).await;
    mail_server(client, &server).await;
    template(client).await;
    let lent = Lent::new(&stock, "1", LENT).await;
    let path = format!("/users/{}", lent.patron);
    let mut user = client.get(&path).await.expect(200).json();
    user["personal"]["email"] = json!("dorothea@example.org");
    let _ = client.put(&path, &user).await.expect(204);
    let item = client.get(&format!("/inventory/items/{}", lent.item)).await;
    let item = item.expect(200).json();

    assert_eq!(run(&library, "2024-03-04T10:00:30Z").await, billed());
    delivered(&library, &server, 1).await;
    let mail = server.delivered().remove(0);
    assert_eq!(mail.to, ["dorothea@example.org"]);
    let title = item["title"].as_str().expect("a title");
    assert_eq!(
        mail.header("Subject"),
        Some(&*format!("Please return {title}"))
    );
    let body = mail.text.replace("=\r\n", "");
    for part in [
        "Dorothea",
        "(i-1)",
        "renewed 0 times",
        "Reminder fee: 1.50, owed to Town library",
    ] {
        assert!(body.contains(part), "{part} in {body}");
    }
    let log = logged(&library).await;
    let said = &log.last().expect("a line")["description"];
    assert_eq!(
        said,
        "Template: Overdue. Triggering event: Due date - with reminder fee."
    );
    assert_eq!(log.last().expect("a line")["action"], "Send");

    // What was sent once is not sent by the next run.
    assert_eq!(
        run(&library, "2024-03-04T10:00:30Z").await,
        Reminded::default()
    );
    delivered(&library, &server, 1).await;
    assert_eq!(server.delivered().len(), 1);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn a_notice_whose_template_is_gone_is_logged_and_the_fee_is_owed_all_the_same() {
    let (library, stock) = reminding_library().await;
    let lent = Lent::new(&stock, "1", LENT).await;
    assert_eq!(run(&library, "2024-03-04T10:00:30Z").await, billed());
    let log = logged(&library).await;
    let line = log.last().expect("a line");
    let said = format!(
        "Template: unknown. Triggering event: Due date - with reminder fee. Error message: \
         template record with ID \"{TEMPLATE}\" cannot be found"
    );
    assert_eq!(
        (&line["action"], &line["description"]),
        (&json!("Send error"), &json!(said))
    );
    assert_eq!(accounts(&stock.client, &lent.loan).await.len(), 1);
    let sql = "SELECT count(*) FROM tenant_diku.outgoing_notice";
    let database = &library.platform.store.database;
    let queued: i64 = database.query(sql, &[]).await.expect("the queue")[0].get(0);
    assert_eq!(queued, 0);
}
