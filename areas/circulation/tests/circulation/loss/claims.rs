//! Items that their borrowers claim to have returned.

use serde_json::json;

use super::*;

#[tokio::test]
async fn a_claim_is_resolved_at_the_desk() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let table = [
        ("1", "Found by library", "checkedInFoundByLibrary"),
        ("2", "Returned by patron", "checkedInReturnedByPatron"),
    ];
    for (name, resolution, action) in table {
        let lent = lend(&stock, name).await;
        lent.claim(client).await;
        let loan = lent.loan(client).await;
        assert_eq!(loan["status"]["name"], "Open");
        assert_eq!(loan["action"], "claimedReturned");
        assert_eq!(loan["claimedReturnedDate"], "2026-03-01T10:00:00.000+00:00");
        assert_eq!(lent.item_status(client).await, "Claimed returned");
        let mut back = check_in(&format!("i-{name}"), CIRC_DESK_1);
        let _ = client.post(IN, &back).await.expect(422);
        back["claimedReturnedResolution"] = json!(resolution);
        let _ = client.post(IN, &back).await.expect(200);
        let loan = lent.loan(client).await;
        assert_eq!(loan["status"]["name"], "Closed");
        assert_eq!(loan["action"], action);
        assert_eq!(lent.item_status(client).await, "Available");
    }
    assert_eq!(told(&library, "ITEM_CLAIMED_RETURNED").await.len(), 2);
    assert_eq!(
        logged(&library).await,
        [
            "Loan, Claimed returned, p-1, i-1, ",
            "Loan, Closed loan, p-1, i-1, Item status: Available. Claimed returned item: \
             Found by library. Backdated to: 2026-03-01 10:00:00. Overdue due date: \
             2025-04-02 23:59:59.",
            "Loan, Claimed returned, p-2, i-2, ",
            "Loan, Closed loan, p-2, i-2, Item status: Available. Claimed returned item: \
             Returned by patron. Backdated to: 2026-03-01 10:00:00. Overdue due date: \
             2025-04-02 23:59:59.",
        ]
    );
}

#[tokio::test]
async fn what_nobody_finds_is_missing() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let lent = lend(&stock, "1").await;
    lent.claim(client).await;
    let act = "declare-claimed-returned-item-as-missing";
    let _ = lent
        .act(client, act, json!({"comment": "looked"}))
        .await
        .expect(204);
    let loan = lent.loan(client).await;
    assert_eq!(loan["status"]["name"], "Closed");
    assert_eq!(loan["actionComment"], "looked");
    assert_eq!(lent.item_status(client).await, "Missing");
    assert_eq!(
        lent.history(&library).await,
        [
            "checkedout, Checked out",
            "claimedReturned, Claimed returned",
            "markedMissing, Missing"
        ]
    );
    assert_eq!(
        logged(&library).await[1],
        "Loan, Marked as missing, p-1, i-1, Additional information: looked"
    );
    let user = loan["userId"].as_str().expect("a borrower");
    let path = format!("/note-links/domain/users/type/user/id/{user}");
    let notes = client.get(&path).await.expect(200).json();
    assert_eq!(
        notes["notes"][0]["title"],
        "Claimed returned item marked missing"
    );
}
