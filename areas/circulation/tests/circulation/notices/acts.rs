//! Immediate notices: a renewal, a due date that staff change; and loans whose policy says nothing.

use super::*;

#[tokio::test]
async fn renewals_and_new_due_dates_are_told_of_and_begin_the_notices_anew() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let server = mail_server(client).await;
    let text = "due {{loan.dueDate}}, renewed {{loan.numberOfRenewalsTaken}} of \
                {{loan.numberOfRenewalsAllowed}}, {{item.status}}; {{loan.additionalInfo}}";
    template(client, 1, &format!("<p>Renewed: {text}</p>")).await;
    template(client, 2, &format!("<p>Changed: {text}</p>")).await;
    let _ = OwnPolicy::new(&stock).await;
    let policy = telling(
        client,
        json!({"loanNotices": [
            notice(1, "Upon At", "Renewed"),
            notice(2, "Upon At", "Manual due date change"),
            by(notice(3, "Before", "Due date"), 1, "Days"),
            notice(3, "Upon At", "Due date"),
        ]}),
    )
    .await;
    let lent = Lent::new(&stock, "1", LENT).await;
    address(client, &lent.patron, "b@example.org").await;
    let of_loan = format!("loanId=={}", lent.loan);
    let (first, upon) = ("Due date 2024-03-01T10:00", "Due date 2024-03-02T10:00");
    assert_eq!(to_come(client, &of_loan).await, [first, upon]);

    let information = json!({"action": "patronInfoAdded", "actionComment": "Mind the rain"});
    let path = format!("/circulation/loans/{}/add-info", lent.loan);
    let _ = client.post(&path, &information).await.expect(204);
    let path = "/circulation/renew-by-barcode";
    let _ = client.post(path, &lent.renewal()).await.expect(200);
    let (first, upon) = ("Due date 2024-03-31T10:00", "Due date 2024-04-01T10:00");
    assert_eq!(to_come(client, &of_loan).await, [first, upon]);
    let renewed = "b@example.org: Renewed: due 4/1/24, renewed 1 of 2, Checked out; Mind the rain";
    assert_eq!(delivered(&library, &server, 1).await, [renewed]);

    let path = format!("/circulation/loans/{}/change-due-date", lent.loan);
    let due = json!({"dueDate": "2024-05-09T10:00:00Z"});
    let _ = client.post(&path, &due).await.expect(204);
    let (first, upon) = ("Due date 2024-05-08T10:00", "Due date 2024-05-09T10:00");
    assert_eq!(to_come(client, &of_loan).await, [first, upon]);
    let changed = "b@example.org: Changed: due 5/9/24, renewed 1 of 2, Checked out; Mind the rain";
    assert_eq!(delivered(&library, &server, 2).await, [changed, renewed]);
    let said = |template: u8, event: &str| {
        format!("Send: Template: Template {template}. Triggering event: {event}.")
    };
    assert_eq!(
        logged(&library).await,
        [said(1, "Renewed"), said(2, "Manual due date change")]
    );

    // A change of the policy is in force at the next act.
    let path = format!("{POLICIES}/{policy}");
    let mut stored = client.get(&path).await.expect(200).json();
    stored["loanNotices"] = json!([every(
        by(notice(3, "After", "Due date"), 2, "Hours"),
        1,
        "Days"
    )]);
    let _ = client.put(&path, &stored).await.expect(204);
    let path = format!("/circulation/loans/{}", lent.loan);
    let mut loan = client.get(&path).await.expect(200).json();
    loan["dueDate"] = json!("2024-06-01T10:00:00Z");
    let _ = client.put(&path, &loan).await.expect(204);
    assert_eq!(
        to_come(client, &of_loan).await,
        ["Due date 2024-06-01T12:00"]
    );
    assert_eq!(delivered(&library, &server, 2).await.len(), 2);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn a_patron_gets_the_preferred_format() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    template(client, 1, "<p>mail</p>").await;
    template(client, 2, "<p>paper</p>").await;
    let _ = OwnPolicy::new(&stock).await;
    let mut paper = notice(2, "Upon At", "Renewed");
    paper["format"] = json!("Print");
    let mut text = notice(1, "Upon At", "Renewed");
    text["format"] = json!("SMS");
    let notices = json!([notice(1, "Upon At", "Renewed"), paper, text]);
    let _ = telling(client, json!({"loanNotices": notices})).await;
    for (name, preferred, expected) in [
        ("1", json!(["002"]), vec!["email"]),
        ("2", json!(["001"]), vec!["mail"]),
        ("3", json!(["001", "002"]), vec!["email", "mail"]),
        ("4", json!([]), vec!["email"]),
        ("5", json!(["003"]), vec![]),
    ] {
        let lent = Lent::new(&stock, name, LENT).await;
        let path = format!("/users/{}", lent.patron);
        let mut user = client.get(&path).await.expect(200).json();
        user["personal"]["preferredContactTypeIds"] = preferred;
        let _ = client.put(&path, &user).await.expect(204);
        let path = "/circulation/renew-by-barcode";
        let _ = client.post(path, &lent.renewal()).await.expect(200);
        let ways = "SELECT channel FROM tenant_diku.outgoing_notice
                    WHERE recipient_id = $1::text::uuid ORDER BY channel";
        let database = &library.platform.store.database;
        let ways = database
            .query(ways, &[&lent.patron])
            .await
            .expect("the queue");
        let ways: Vec<String> = ways.iter().map(|row| row.get(0)).collect();
        assert_eq!(ways, expected, "{name}");
    }
    let last = logged(&library).await.pop().expect("a line");
    assert_eq!(
        last,
        "Send error: Template: unknown. Triggering event: Renewed. Error message: notices cannot be \
         delivered as SMS"
    );
}
