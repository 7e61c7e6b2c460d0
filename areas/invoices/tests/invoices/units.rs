//! What acquisitions units protect of invoices, lines and vouchers.

use octavo_server_testkit::staff;
use serde_json::{Value, json};

use crate::desk::{Desk, INVOICES, LINES, code, new_id, percent};

const ALL: [&str; 2] = [
    "invoice.all",
    "invoices.acquisitions-units-assignments.assign",
];

async fn unit(desk: &Desk) -> Value {
    let body = json!({"name": "hidden", "isDeleted": false, "protectRead": true,
                      "protectUpdate": true, "protectCreate": true, "protectDelete": true});
    let made = desk
        .client
        .post("/acquisitions-units-storage/units", &body)
        .await;
    made.expect(201).json()["id"].clone()
}

#[tokio::test]
async fn who_is_no_member_neither_sees_nor_changes() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 100.0).await;
    let (clerk, user) = staff(&desk.library, &desk.client, "clerk", &ALL[..1]).await;
    let unit = unit(&desk).await;
    let membership = |user: &Value| json!({"userId": user, "acquisitionsUnitId": unit});
    let memberships = "/acquisitions-units-storage/memberships";
    let me = desk
        .client
        .query("/users", "username==diku_admin")
        .await
        .expect(200)
        .json();
    let admin = me["users"][0]["id"].clone();
    let _ = desk
        .client
        .post(memberships, &membership(&admin))
        .await
        .expect(201);
    let invoice = desk.invoice(&json!({"acqUnitIds": [unit]})).await;
    let line = desk
        .line(&invoice, 10.0, &[percent(&fund, 100.0)], &json!({}))
        .await;
    desk.now(&invoice, "Approved").await;
    let voucher = desk.voucher(&invoice).await;
    let voucher = voucher["id"].as_str().expect("an id");
    let ones = [
        format!("{INVOICES}/{invoice}"),
        format!("{LINES}/{line}"),
        format!("/voucher/vouchers/{voucher}"),
    ];
    for path in &ones {
        let refused = clerk.get(path).await.expect(403);
        assert_eq!(code(&refused), "userHasNoPermission", "{path}");
    }
    for list in [
        INVOICES,
        LINES,
        "/voucher/vouchers",
        "/voucher/voucher-lines",
    ] {
        let page = clerk.get(list).await.expect(200).json();
        assert_eq!(page["totalRecords"], 0, "{list}");
        let page = desk.client.get(list).await.expect(200).json();
        assert_eq!(page["totalRecords"], 1, "{list}");
    }
    let body = desk.read(&invoice).await;
    let refused = clerk.put(&ones[0], &body).await.expect(403);
    assert_eq!(code(&refused), "userHasNoPermission");
    let refused = clerk.delete(&ones[0]).await.expect(403);
    assert_eq!(code(&refused), "userHasNoPermission");
    let _ = desk
        .client
        .post(memberships, &membership(&json!(user)))
        .await
        .expect(201);
    for path in &ones {
        let _ = clerk.get(path).await.expect(200);
    }
}

#[tokio::test]
async fn units_are_given_by_those_who_may_assign_them() {
    let desk = Desk::new().await;
    let unit = unit(&desk).await;
    let (clerk, _) = staff(
        &desk.library,
        &desk.client,
        "clerk",
        &["invoice.invoices.item.post"],
    )
    .await;
    let mut body = desk.invoice_body();
    body["acqUnitIds"] = json!([unit]);
    let refused = clerk.post(INVOICES, &body).await.expect(403);
    assert_eq!(code(&refused), "userHasNoAcqUnitsPermission");
    let (assigner, _) = staff(&desk.library, &desk.client, "assigner", &ALL[..2]).await;
    // Units that protect creation are for their members.
    let refused = assigner.post(INVOICES, &body).await.expect(403);
    assert_eq!(code(&refused), "userHasNoPermission");
    body["acqUnitIds"] = json!([new_id()]);
    let refused = assigner.post(INVOICES, &body).await.expect(422);
    assert_eq!(code(&refused), "acqUnitsNotFound");
}
