//! A check-out and a check-in are answered with what they have read; it is what a look at the loan
//! shows.

use serde_json::{Value, json};

use super::{IN, OUT, check_in, stocked};
use octavo_server_testkit::stock::{BOOK, CIRC_DESK_1, CIRC_DESK_2, check_out};

#[tokio::test]
async fn answers_are_equal_to_the_loans_view() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let full = stock.item_of("i-1", BOOK, "Available").await;
    let path = format!("/item-storage/items/{full}");
    let mut item = client.get(&path).await.expect(200).json();
    for (name, value) in [
        ("enumeration", json!("v. 3")),
        ("chronology", json!("1871")),
        ("volume", json!("3")),
        ("displaySummary", json!("v. 3 (1871)")),
        ("copyNumber", json!("c. 2")),
        ("itemLevelCallNumber", json!("PR4662 .A1")),
        ("itemLevelCallNumberPrefix", json!("fol.")),
        ("itemLevelCallNumberSuffix", json!("ELI")),
        ("yearCaption", json!(["1871", "1872"])),
        ("numberOfPieces", json!("2")),
    ] {
        item[name] = value;
    }
    let _ = client.put(&path, &item).await.expect(204);
    let _ = stock.item("i-2").await;
    let more = json!({"personal": {"lastName": "Brooke", "firstName": "Dorothea",
        "middleName": "D.", "preferredFirstName": "Dodo", "preferredContactTypeId": "002"}});
    let patron = stock.patron_with("p-1", more).await;
    for barcode in ["i-1", "i-2"] {
        let lent = client.post(OUT, &check_out(barcode, "p-1")).await;
        let lent = lent.expect(201).json();
        let id = lent["id"].as_str().expect("an id").to_owned();
        let path = format!("/circulation/loans/{id}");
        assert_eq!(
            lent,
            client.get(&path).await.expect(200).json(),
            "{barcode}"
        );
        assert_eq!(lent["borrower"]["preferredFirstName"], "Dodo");
        // What is left to pay, and reminders, belong to the loan's view, too.
        let owner = json!({"id": "11111111-1111-4111-8111-111111111111", "owner": "Main"});
        let _ = client.post("/owners", &owner).await;
        let account = json!({"id": uuid::Uuid::new_v4(), "amount": 12.5, "remaining": 12.5, "status": {"name": "Open"},
            "paymentStatus": {"name": "Outstanding"}, "loanId": id, "userId": patron,
            "feeFineId": "cf238f9f-7018-47b7-b815-bb2db798e19f", "itemId": lent["itemId"],
            "ownerId": "11111111-1111-4111-8111-111111111111", "feeFineType": "Lost item fee",
            "materialTypeId": BOOK});
        let _ = client.post("/accounts", &account).await.expect(201);
        let sql = "UPDATE tenant_diku.loan SET jsonb = jsonb || '{\"reminders\": \
                   {\"lastFeeBilled\": {\"number\": 1, \"date\": \"2026-01-01T00:00:00.000+00:00\"}}}'";
        let database = &library.platform.store.database;
        let _ = database.query(sql, &[]).await.expect("the loan");
        let back = client.post(IN, &check_in(barcode, CIRC_DESK_2)).await;
        let back: Value = back.expect(200).json();
        let seen = client.get(&path).await.expect(200).json();
        // The answer has the date as circulation set it, the view as storage wrote it.
        let mut told = back["loan"].clone();
        let stored = told["systemReturnDate"].as_str().expect("a date");
        assert!(stored.ends_with('Z'), "{stored}");
        told["systemReturnDate"] = json!(stored.replace('Z', "+00:00"));
        assert_eq!(told, seen, "{barcode}");
        assert_eq!(seen["feesAndFines"]["amountRemainingToPay"], 12.5);
        assert_eq!(seen["checkinServicePoint"]["id"], CIRC_DESK_2);
        assert_eq!(back["item"], seen["item"]);
    }
}

#[tokio::test]
async fn what_the_library_sets_up_is_in_force_at_the_next_act_on_every_process() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let second = library.beside(octavo_server_testkit::composition).await;
    let other = octavo_testkit::Client::log_in(
        second.address,
        octavo_testkit::TENANT,
        octavo_testkit::USERNAME,
        octavo_testkit::PASSWORD,
    )
    .await;
    let _ = stock.item("i-1").await;
    let _ = stock.patron("p-1").await;
    let desk = format!("/service-points/{CIRC_DESK_1}");
    for round in 0..20 {
        let name = format!("Desk of round {round}");
        let mut point = client.get(&desk).await.expect(200).json();
        point["name"] = json!(name);
        let _ = client.put(&desk, &point).await.expect(204);
        let lent = other.post(OUT, &check_out("i-1", "p-1")).await;
        let lent = lent.expect(201).json();
        assert_eq!(lent["checkoutServicePoint"]["name"], json!(name));
        let back = client.post(IN, &check_in("i-1", CIRC_DESK_1)).await;
        let back = back.expect(200).json();
        assert_eq!(back["loan"]["checkinServicePoint"]["name"], json!(name));
    }
}
