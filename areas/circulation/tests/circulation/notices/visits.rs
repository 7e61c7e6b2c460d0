//! The end of a visit: everything that was lent, or came back, in one message.

use super::*;

const END: &str = "/circulation/end-patron-action-session";

async fn library_with_mail() -> (Library, Stock, SmtpServer) {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let server = mail_server(client).await;
    let each = "{{#loans}}{{item.barcode}} {{item.title}}, due {{loan.dueDate}}, \
                {{loan.numberOfRenewalsRemaining}} left, back {{loan.checkedInDate}};{{/loans}}";
    template(
        client,
        1,
        &format!("<p>Lent to {{{{user.firstName}}}}: {each}</p>"),
    )
    .await;
    template(
        client,
        2,
        &format!("<p>Back from {{{{user.firstName}}}}: {each}</p>"),
    )
    .await;
    let _ = OwnPolicy::new(&stock).await;
    let notices = json!([
        notice(1, "Upon At", "Check out"),
        notice(2, "Upon At", "Check in")
    ]);
    let _ = telling(client, json!({"loanNotices": notices})).await;
    (library, stock, server)
}

async fn end(client: &Client, patron: &str, action: &str) {
    let body = json!({"endSessions": [{"patronId": patron, "actionType": action}]});
    let _ = client.post(END, &body).await.expect(204);
}

#[tokio::test]
async fn a_visit_ends_with_one_message_about_all_its_loans() {
    let (library, stock, server) = library_with_mail().await;
    let client = &stock.client;
    let patron = stock.patron("p-1").await;
    address(client, &patron, "brooke@example.org").await;
    for item in ["i-1", "i-2"] {
        let _ = stock.item(item).await;
        let mut body = check_out(item, "p-1");
        body["loanDate"] = json!(LENT);
        let _ = client.post(OUT, &body).await.expect(201);
    }
    assert!(logged(&library).await.is_empty());
    end(client, &patron, "Check-in").await;
    end(client, &patron, "Check-out").await;
    let lent = "brooke@example.org: Lent to Dorothea: i-1 Middlemarch, due 3/2/24, 2 left, back ;\
                i-2 Middlemarch, due 3/2/24, 2 left, back ;";
    assert_eq!(delivered(&library, &server, 1).await, [lent]);
    let said = "Send: Template: Template 1. Triggering event: Check out.";
    assert_eq!(logged(&library).await, [said]);
    // The visit is over, and the next one is another.
    end(client, &patron, "Check-out").await;

    for item in ["i-1", "i-2"] {
        let _ = client
            .post(IN, &check_in(item, CIRC_DESK_1))
            .await
            .expect(200);
    }
    // Quiet for long: the timer ends it.
    let old = "UPDATE tenant_diku.patron_action_session SET jsonb = jsonb_set(jsonb,
        '{metadata,createdDate}', '\"2024-01-01T00:00:00.000+00:00\"') RETURNING 1::bigint";
    assert_eq!(sql(&library, old).await.len(), 2);
    let path = "/circulation/notice-session-expiration-by-timeout";
    assert_eq!(timer(&library, &library.platform, path).await, 204);
    let back = "brooke@example.org: Back from Dorothea: i-1 Middlemarch, due 3/2/24, 2 left, back \
                3/1/26;i-2 Middlemarch, due 3/2/24, 2 left, back 3/1/26;";
    assert_eq!(delivered(&library, &server, 2).await, [back, lent]);
    assert_eq!(logged(&library).await.len(), 2);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn who_acts_for_a_patron_is_told_where_the_patron_wants_it_so() {
    let (library, stock, server) = library_with_mail().await;
    let client = &stock.client;
    let sponsor = stock.patron("p-1").await;
    let proxy = stock.patron("p-2").await;
    address(client, &sponsor, "sponsor@example.org").await;
    address(client, &proxy, "proxy@example.org").await;
    for (item, to) in [("i-1", "Proxy"), ("i-2", "Sponsor")] {
        let relation = json!({"userId": sponsor, "proxyUserId": proxy, "status": "Active",
            "requestForSponsor": "Yes", "notificationsTo": to, "accrueTo": "Sponsor"});
        let made = client
            .post("/proxiesfor", &relation)
            .await
            .expect(201)
            .json();
        let _ = stock.item(item).await;
        let mut body = check_out(item, "p-1");
        body["proxyUserBarcode"] = json!("p-2");
        let _ = client.post(OUT, &body).await.expect(201);
        end(client, &sponsor, "Check-out").await;
        let _ = delivered(&library, &server, usize::from(to == "Sponsor") + 1).await;
        let id = made["id"].as_str().expect("an id");
        let _ = client
            .delete(&format!("/proxiesfor/{id}"))
            .await
            .expect(204);
    }
    let texts = delivered(&library, &server, 2).await;
    assert!(
        texts[0].starts_with("proxy@example.org: Lent to Dorothea: i-1"),
        "{texts:?}"
    );
    assert!(
        texts[1].starts_with("sponsor@example.org: Lent to Dorothea: i-2"),
        "{texts:?}"
    );
}
