//! Notices before, upon and after a due date, again and again, and of loans that aged to lost.

use super::*;

async fn timed(notices: Value) -> (Library, Stock, SmtpServer, Lent) {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let server = mail_server(client).await;
    for (number, name) in [(1, "Before"), (2, "Upon"), (3, "After")] {
        let body = format!("<p>{name}: {{{{item.barcode}}}} {{{{loan.dueDateTime}}}}</p>");
        template(client, number, &body).await;
    }
    let _ = OwnPolicy::new(&stock).await;
    let _ = telling(client, json!({"loanNotices": notices})).await;
    let lent = Lent::new(&stock, "1", LENT).await;
    address(client, &lent.patron, "b@example.org").await;
    (library, stock, server, lent)
}

#[tokio::test]
async fn a_borrower_is_told_before_upon_and_after_the_due_date_and_not_behind_the_return() {
    let (library, stock, server, lent) = timed(json!([
        by(notice(1, "Before", "Due date"), 2, "Days"),
        notice(2, "Upon At", "Due date"),
        every(by(notice(3, "After", "Due date"), 1, "Hours"), 1, "Days"),
    ]))
    .await;
    let client = &stock.client;
    assert_eq!(
        to_come(client, "cql.allRecords=1").await,
        [
            "Due date 2024-02-29T10:00",
            "Due date 2024-03-02T10:00",
            "Due date 2024-03-02T11:00"
        ]
    );
    // Not at the very instant: what is due before now is sent.
    assert_eq!(run(&library, "2024-02-29T10:00:00Z").await, Sent::default());
    assert_eq!(
        run(&library, "2024-02-29T10:00:01Z").await,
        sent(1, 1, 0, 0)
    );
    assert_eq!(run(&library, "2024-02-29T10:05:01Z").await, Sent::default());
    assert_eq!(
        run(&library, "2024-03-02T10:02:00Z").await,
        sent(1, 1, 0, 0)
    );
    // The later notice recurs: twice, the second time late.
    assert_eq!(
        run(&library, "2024-03-02T11:02:00Z").await,
        sent(1, 0, 1, 0)
    );
    let third = ["Due date 2024-03-03T11:00"];
    assert_eq!(to_come(client, "cql.allRecords=1").await, third);
    assert_eq!(run(&library, "2024-03-03T10:58:00Z").await, Sent::default());
    assert_eq!(
        run(&library, "2024-03-09T08:00:00Z").await,
        sent(1, 0, 1, 0)
    );
    let fourth = ["Due date 2024-03-10T08:00"];
    assert_eq!(to_come(client, "cql.allRecords=1").await, fourth);
    let texts = delivered(&library, &server, 4).await;
    let expected = ["After", "After", "Before", "Upon"];
    for (text, name) in texts.iter().zip(expected) {
        let begin = format!("b@example.org: {name}: i-1 3/2/24, 10:00");
        assert!(text.starts_with(&begin), "{text}");
    }
    let said = "Send: Template: Template 3. Triggering event: Due date.";
    assert_eq!(logged(&library).await[3], said);

    let _ = client
        .post(IN, &check_in(&lent.item_barcode, CIRC_DESK_1))
        .await
        .expect(200);
    assert_eq!(
        run(&library, "2024-03-10T08:01:00Z").await,
        sent(0, 1, 0, 0)
    );
    assert!(to_come(client, "cql.allRecords=1").await.is_empty());
    assert_eq!(logged(&library).await.len(), 4);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn a_loan_that_aged_to_lost_is_told_of_until_it_is_found() {
    let (library, stock, server, lent) = timed(json!([
        every(by(notice(3, "After", "Due date"), 1, "Hours"), 1, "Days"),
        notice(2, "Upon At", "Aged to lost"),
    ]))
    .await;
    let client = &stock.client;
    let policies = client
        .get("/lost-item-fees-policies")
        .await
        .expect(200)
        .json();
    let mut policy = policies["lostItemFeePolicies"][0].clone();
    policy["itemAgedLostOverdue"] = json!({"duration": 1, "intervalId": "Minutes"});
    policy["patronBilledAfterAgedLost"] = json!({"duration": 1, "intervalId": "Months"});
    let id = policy["id"].as_str().expect("an id");
    let path = format!("/lost-item-fees-policies/{id}");
    let _ = client.put(&path, &policy).await.expect(204);
    let path = "/circulation/scheduled-age-to-lost";
    assert_eq!(timer(&library, &library.platform, path).await, 204);
    assert_eq!(lent.loan(client).await["itemStatus"], "Aged to lost");
    assert_eq!(
        to_come(client, "triggeringEvent==\"Aged to lost\"")
            .await
            .len(),
        1
    );
    // The other has nothing to say about an item that is lost.
    let far = "2090-01-01T00:00:00Z";
    assert_eq!(run(&library, far).await, sent(1, 2, 0, 0));
    let texts = delivered(&library, &server, 1).await;
    assert!(
        texts[0].starts_with("b@example.org: Upon: i-1"),
        "{texts:?}"
    );
    assert!(to_come(client, "cql.allRecords=1").await.is_empty());
}

#[tokio::test]
async fn a_run_takes_all_that_is_due_or_as_many_as_the_library_has_set() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    template(client, 1, "<p>{{item.barcode}}</p>").await;
    let _ = OwnPolicy::new(&stock).await;
    let notices = [notice(1, "Upon At", "Due date")];
    let _ = telling(client, json!({"loanNotices": notices})).await;
    let mut lent = Vec::new();
    for name in ["1", "2", "3", "4", "5", "6"] {
        lent.push(Lent::new(&stock, name, LENT).await);
    }
    let entry = json!({"module": "NOTIFICATION_SCHEDULER", "configName": "noticesLimit",
                       "enabled": true, "value": "2"});
    let path = "/configurations/entries";
    let entry = client.post(path, &entry).await.expect(201).json();
    let after = "2024-03-03T00:00:00Z";
    assert_eq!(run(&library, after).await, sent(2, 2, 0, 0));
    assert_eq!(to_come(client, "cql.allRecords=1").await.len(), 4);
    assert_eq!(run(&library, after).await, sent(2, 2, 0, 0));
    // None at all, then what is not a number, then none set: all.
    let path = format!("{path}/{}", entry["id"].as_str().expect("an id"));
    let mut changed = entry.clone();
    changed["value"] = json!("0");
    let _ = client.put(&path, &changed).await.expect(204);
    assert_eq!(run(&library, after).await, Sent::default());
    changed["value"] = json!("many");
    let _ = client.put(&path, &changed).await.expect(204);
    assert_eq!(run(&library, after).await, sent(2, 2, 0, 0));
    let _ = client.delete(&path).await.expect(204);
    assert_eq!(run(&library, after).await, Sent::default());
    // Circulation's own setting of the name, where the configuration has none.
    let own = json!({"name": "noticesLimit", "value": {"value": "1"}});
    let own = client.post("/circulation/settings", &own).await.expect(201);
    for one in &lent {
        let back = check_in(&one.item_barcode, CIRC_DESK_1);
        let _ = client.post(IN, &back).await.expect(200);
        let mut body = check_out(&one.item_barcode, &one.user_barcode);
        body["loanDate"] = json!(LENT);
        let _ = client.post(OUT, &body).await.expect(201);
    }
    assert_eq!(run(&library, after).await, sent(1, 1, 0, 0));
    let id = own.json()["id"].as_str().expect("an id").to_owned();
    let path = format!("/circulation/settings/{id}");
    let _ = client.delete(&path).await.expect(204);
    assert_eq!(run(&library, after).await, sent(5, 5, 0, 0));
}
