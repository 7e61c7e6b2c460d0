//! Notices that nobody can get any more: the log says why, once.

use super::*;

const NOW: &str = "2024-03-02T10:00:01Z";

async fn due(name: &str) -> (Library, Stock, Lent) {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    if name == "template" {
        template(client, 1, "<p>due</p>").await;
    }
    let _ = OwnPolicy::new(&stock).await;
    let recurring = every(by(notice(1, "After", "Due date"), 1, "Hours"), 1, "Hours");
    let upon = notice(1, "Upon At", "Due date");
    let _ = telling(client, json!({"loanNotices": [upon, recurring]})).await;
    let lent = Lent::new(&stock, "1", LENT).await;
    (library, stock, lent)
}

/// Runs twice; returns what was logged by both.
async fn given_up(library: &Library, client: &Client) -> Vec<String> {
    assert_eq!(run(library, NOW).await, sent(0, 1, 0, 0));
    assert_eq!(run(library, NOW).await, Sent::default());
    assert_eq!(run(library, "2024-03-02T11:00:01Z").await, sent(0, 1, 0, 0));
    assert!(to_come(client, "cql.allRecords=1").await.is_empty());
    let queued = "SELECT count(*) FROM tenant_diku.outgoing_notice";
    assert_eq!(sql(library, queued).await, [0]);
    logged(library).await
}

fn missing(what: &str, id: &str) -> String {
    format!(
        "Send error: Template: unknown. Triggering event: Due date. Error message: {what} record \
         with ID \"{id}\" cannot be found"
    )
}

#[tokio::test]
async fn without_its_template_a_notice_is_given_up() {
    let (library, stock, lent) = due("no template").await;
    let expected = missing("template", &template_id(1));
    assert_eq!(
        given_up(&library, &stock.client).await,
        [expected.clone(), expected]
    );
    assert_eq!(lent.loan(&stock.client).await["status"]["name"], "Open");
}

#[tokio::test]
async fn without_its_patron_a_notice_is_given_up() {
    let (library, stock, lent) = due("template").await;
    let gone = "DELETE FROM tenant_diku.users WHERE id = $1::text::uuid";
    let database = &library.platform.store.database;
    assert_eq!(
        database.execute(gone, &[&lent.patron]).await.expect("gone"),
        1
    );
    let expected = missing("user", &lent.patron);
    assert_eq!(
        given_up(&library, &stock.client).await,
        [expected.clone(), expected]
    );
}

#[tokio::test]
async fn without_its_loan_a_notice_is_given_up_and_an_ended_one_says_nothing() {
    let (library, stock, lent) = due("template").await;
    let client = &stock.client;
    let path = format!("/loan-storage/loans/{}", lent.loan);
    let _ = client.delete(&path).await.expect(204);
    let expected = missing("loan", &lent.loan);
    assert_eq!(
        given_up(&library, client).await,
        [expected.clone(), expected]
    );

    // The borrower of a loan that has ended may be gone from it.
    let other = Lent::new(&stock, "2", LENT).await;
    let body = check_in("i-2", CIRC_DESK_1);
    let _ = client.post(IN, &body).await.expect(200);
    let anonymous =
        "UPDATE tenant_diku.loan SET jsonb = jsonb - 'userId' WHERE id = $1::text::uuid";
    let database = &library.platform.store.database;
    let changed = database.execute(anonymous, &[&other.loan]).await;
    assert_eq!(changed.expect("anonymous"), 1);
    assert_eq!(given_up(&library, client).await.len(), 2);
}
