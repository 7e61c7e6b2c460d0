//! `/invoice-storage/…`, `/voucher-storage/…` and the lists of exports.

use octavo_server_testkit::library;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::desk::{code, error, new_id};

const GROUP: &str = "2a2cb998-1437-41d1-88ad-01930aaeadd5";

fn invoice() -> Value {
    json!({"currency": "USD", "invoiceDate": "2026-03-01", "paymentMethod": "EFT",
           "status": "Open", "source": "API", "vendorInvoiceNo": "V1", "vendorId": new_id()})
}

fn line(invoice: &str) -> Value {
    json!({"invoiceId": invoice, "description": "d", "invoiceLineStatus": "Open",
           "subTotal": 10.0, "quantity": 1})
}

#[tokio::test]
async fn invoices_and_lines_are_stored_as_they_are_sent() {
    let library = library().await;
    let client = library.client().await;
    let path = "/invoice-storage/invoices";
    let stored = client.post(path, &invoice()).await.expect(201).json();
    let id = stored["id"].as_str().expect("an id").to_owned();
    assert_eq!(stored["batchGroupId"], GROUP);
    assert_eq!(stored["nextInvoiceLineNumber"], 1);
    let lines = "/invoice-storage/invoice-lines";
    let made = client.post(lines, &line(&id)).await.expect(201).json();
    assert_eq!(made["releaseEncumbrance"], true);
    let one = format!("{path}/{id}");
    assert_eq!(client.get(&one).await.expect(200).json()["total"], 10.0);
    // The number of the next line is the server's.
    let mut changed = stored.clone();
    changed["nextInvoiceLineNumber"] = json!(77);
    changed["note"] = json!("n");
    let _ = client.put(&one, &changed).await.expect(204);
    let number = format!("/invoice-storage/invoice-line-number?invoiceId={id}");
    for next in ["1", "2"] {
        let taken = client.get(&number).await.expect(200).json();
        assert_eq!(taken, json!({"sequenceNumber": next}));
    }
    let _ = client
        .get("/invoice-storage/invoice-line-number")
        .await
        .expect(400);
    for query in [
        "vendorInvoiceNo==V1",
        "status==Open",
        "batchGroups.name==FOLIO",
        "invoiceLines.description=d",
    ] {
        let found = client.query(path, query).await.expect(200).json();
        assert_eq!(found["totalRecords"], 1, "{query}");
    }
    let found = client.query(lines, "invoices.vendorInvoiceNo==V1").await;
    assert_eq!(found.expect(200).json()["totalRecords"], 1);
    let orphan = client.post(lines, &line(&new_id())).await.expect(400);
    assert!(
        orphan.text.contains("does not exist in invoices.id"),
        "{}",
        orphan.text
    );
    let _ = client.delete(&one).await.expect(204);
    let found = client.get(lines).await.expect(200).json();
    assert_eq!(found["totalRecords"], 0);
}

#[tokio::test]
async fn changes_are_announced() {
    let library = library().await;
    let client = library.client().await;
    let path = "/invoice-storage/invoices";
    let stored = client.post(path, &invoice()).await.expect(201).json();
    let id = stored["id"].as_str().expect("an id");
    let lines = "/invoice-storage/invoice-lines";
    let _ = client.post(lines, &line(id)).await.expect(201);
    let (store, tenant) = (&library.platform.store, library.tenant());
    let events = octavo_records::store::events_after(&store.database, &tenant, 0, 1_000).await;
    let told: Vec<(String, Value)> = events
        .expect("the outbox can be read")
        .into_iter()
        .filter(|event| event.topic.contains("ACQ_INVOICE"))
        .map(|event| {
            let value: Value = serde_json::from_slice(&event.value).expect("JSON");
            (event.topic, value["new"].clone())
        })
        .collect();
    let topics: Vec<&str> = told.iter().map(|(topic, _)| topic.as_str()).collect();
    assert_eq!(
        topics,
        [
            "Default.ACQ_INVOICE_CHANGED",
            "Default.ACQ_INVOICE_LINE_CHANGED",
            "Default.ACQ_INVOICE_CHANGED"
        ]
    );
    assert_eq!(told[0].1["action"], "Create");
    assert_eq!(told[0].1["invoiceSnapshot"]["id"], json!(id));
    assert_eq!(told[1].1["invoiceId"], json!(id));
    assert_eq!(told[2].1["action"], "Edit");
}

#[tokio::test]
async fn documents_lie_beside_their_invoice() {
    let library = library().await;
    let client = library.client().await;
    let made = client
        .post("/invoice-storage/invoices", &invoice())
        .await
        .expect(201)
        .json();
    let id = made["id"].as_str().expect("an id").to_owned();
    for base in ["/invoice-storage/invoices", "/invoice/invoices"] {
        let path = format!("{base}/{id}/documents");
        let sent = json!({"documentMetadata": {"name": "scan.pdf", "invoiceId": id},
                          "contents": {"data": "ZGF0YTpiYXNlNjQ="}});
        let answer = client.post(&path, &sent).await.expect(201);
        let stored = answer.json();
        let document = stored["documentMetadata"]["id"].as_str().expect("an id");
        let one = format!("{path}/{document}");
        assert_eq!(answer.header("location"), Some(one.as_str()));
        let read = client.get(&one).await.expect(200).json();
        assert_eq!(read["contents"]["data"], "ZGF0YTpiYXNlNjQ=");
        assert_eq!(read["documentMetadata"]["name"], "scan.pdf");
        let list = client.get(&path).await.expect(200).json();
        assert_eq!(list["totalRecords"], 1);
        assert_eq!(list["documents"][0]["name"], "scan.pdf");
        assert!(!list.to_string().contains("ZGF0"));
        // That of another invoice is none of this one.
        let elsewhere = format!("{base}/{}/documents/{document}", new_id());
        let _ = client.get(&elsewhere).await.expect(404);
        let _ = client.delete(&elsewhere).await.expect(404);
        let other = json!({"documentMetadata": {"name": "n", "invoiceId": new_id()}});
        let refused = client.post(&path, &other).await.expect(400);
        assert_eq!(refused.text, "Invoice id mismatch");
        let _ = client.delete(&one).await.expect(204);
        let _ = client.get(&one).await.expect(404);
    }
    let link = json!({"documentMetadata": {"name": "n", "invoiceId": id,
                                           "url": "https://a.example"}});
    let path = format!("/invoice-storage/invoices/{id}/documents");
    let stored = client.post(&path, &link).await.expect(201).json();
    assert_eq!(stored.get("contents"), None);
}

#[tokio::test]
async fn a_document_that_is_too_large_is_refused() {
    let library = library().await;
    let client = library.client().await;
    let made = client
        .post("/invoice-storage/invoices", &invoice())
        .await
        .expect(201)
        .json();
    let id = made["id"].as_str().expect("an id");
    let path = format!("/invoice/invoices/{id}/documents");
    let sent = json!({"documentMetadata": {"name": "n", "invoiceId": id},
                      "contents": {"data": "A".repeat(32_000_000)}});
    let refused = client.post(&path, &sent).await.expect(413);
    assert_eq!(code(&refused), "documentIsTooLarge");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn numbers_are_taken_once() {
    let library = library().await;
    let client = library.client().await;
    for (path, first) in [
        ("/invoice-storage/invoice-number", 10_000),
        ("/voucher-storage/voucher-number", 0),
    ] {
        let mut tasks = JoinSet::new();
        for _ in 0..20 {
            let client = client.clone();
            tasks.spawn(async move {
                let taken = client.get(path).await.expect(200).json();
                let number = taken["sequenceNumber"].as_str().expect("a number");
                number.parse::<u64>().expect("a number")
            });
        }
        let mut numbers = tasks.join_all().await;
        numbers.sort_unstable();
        assert_eq!(numbers, (first..first + 20).collect::<Vec<_>>(), "{path}");
    }
}

#[tokio::test]
async fn vouchers_and_their_lines_are_stored() {
    let library = library().await;
    let client = library.client().await;
    let made = client
        .post("/invoice-storage/invoices", &invoice())
        .await
        .expect(201)
        .json();
    let invoice = made["id"].as_str().expect("an id");
    let mut voucher = json!({"amount": 10, "invoiceCurrency": "USD", "systemCurrency": "USD",
        "invoiceId": invoice, "exportToAccounting": true, "status": "Awaiting payment",
        "type": "Voucher", "voucherNumber": "A-1"});
    let path = "/voucher-storage/vouchers";
    let refused = client.post(path, &voucher).await.expect(422);
    assert_eq!(error(&refused)["parameters"][0]["key"], "voucherNumber");
    voucher["voucherNumber"] = json!("A1");
    let stored = client.post(path, &voucher).await.expect(201).json();
    let id = stored["id"].as_str().expect("an id");
    let line = json!({"voucherId": id, "amount": 10, "externalAccountNumber": "1",
                      "sourceIds": [], "fundDistributions": [{"fundId": new_id(), "value": 100}]});
    let lines = "/voucher-storage/voucher-lines";
    let stored = client.post(lines, &line).await.expect(201).json();
    let found = client
        .query(lines, "vouchers.voucherNumber==A1")
        .await
        .expect(200)
        .json();
    assert_eq!(found["voucherLines"][0]["id"], stored["id"]);
    let none = json!({"voucherId": id, "amount": 10, "externalAccountNumber": "1",
                      "sourceIds": [], "fundDistributions": []});
    let _ = client.post(lines, &none).await.expect(422);
    // An invoice with a voucher stays.
    let _ = client
        .delete(&format!("/invoice-storage/invoices/{invoice}"))
        .await
        .expect(400);
}

#[tokio::test]
async fn configurations_of_exports_have_credentials_that_only_storage_shows() {
    let library = library().await;
    let client = library.client().await;
    for base in [
        "/batch-voucher-storage/export-configurations",
        "/batch-voucher/export-configurations",
    ] {
        let sent = json!({"batchGroupId": GROUP, "startTime": "24:00"});
        let refused = client.post(base, &sent).await.expect(422);
        assert_eq!(error(&refused)["parameters"][0]["key"], "startTime");
        let sent = json!({"batchGroupId": GROUP, "startTime": "9:30", "weekdays": ["Monday"]});
        let stored = client.post(base, &sent).await.expect(201).json();
        assert_eq!(stored["format"], "Application/json");
        let id = stored["id"].as_str().expect("an id");
        let path = format!("{base}/{id}/credentials");
        let _ = client.get(&path).await.expect(404);
        let secret = json!({"username": "u", "password": "p", "exportConfigId": id});
        let _ = client.post(&path, &secret).await.expect(201);
        let _ = client.post(&path, &secret).await.expect(400);
        let read = client.get(&path).await.expect(200).json();
        assert_eq!(read["username"], "u");
        assert_eq!(
            read.get("password").is_some(),
            base.contains("storage"),
            "{base}"
        );
        let other = json!({"username": "u", "exportConfigId": new_id()});
        let _ = client.put(&path, &other).await.expect(400);
        let renamed = json!({"username": "v", "exportConfigId": id});
        let _ = client.put(&path, &renamed).await.expect(204);
        let stored = format!("/batch-voucher-storage/export-configurations/{id}/credentials");
        let read = client.get(&stored).await.expect(200).json();
        assert_eq!(
            (&read["username"], &read["password"]),
            (&json!("v"), &json!("p"))
        );
        let _ = client.delete(&stored).await.expect(204);
        let _ = client.delete(&format!("{base}/{id}")).await.expect(204);
    }
}

#[tokio::test]
async fn a_library_starts_with_one_batch_group() {
    let library = library().await;
    let client = library.client().await;
    for base in ["/batch-group-storage/batch-groups", "/batch-groups"] {
        let groups = client.get(base).await.expect(200).json();
        assert_eq!(groups["batchGroups"][0]["name"], "FOLIO", "{base}");
        let made = client
            .post(base, &json!({"name": "Law"}))
            .await
            .expect(201)
            .json();
        let one = format!("{base}/{}", made["id"].as_str().expect("an id"));
        let _ = client.put(&one, &made).await.expect(204);
        let _ = client.delete(&one).await.expect(204);
        let _ = client.get(&one).await.expect(404);
    }
}

#[tokio::test]
async fn invariants_find_what_is_wrong() {
    let library = library().await;
    let client = library.client().await;
    let path = "/invoice-storage/invoices";
    let mut paid = invoice();
    paid["status"] = json!("Paid");
    let made = client.post(path, &paid).await.expect(201).json();
    let id = made["id"].as_str().expect("an id");
    let _ = client
        .post("/invoice-storage/invoice-lines", &line(id))
        .await
        .expect(201);
    let voucher = json!({"amount": 10, "invoiceCurrency": "USD", "systemCurrency": "USD",
        "invoiceId": id, "exportToAccounting": true, "status": "Awaiting payment",
        "type": "Voucher", "voucherNumber": "A1"});
    let made = client
        .post("/voucher-storage/vouchers", &voucher)
        .await
        .expect(201)
        .json();
    let line = json!({"voucherId": made["id"], "amount": 9, "externalAccountNumber": "1",
                      "sourceIds": [], "fundDistributions": [{"fundId": new_id(), "value": 100}]});
    let _ = client
        .post("/voucher-storage/voucher-lines", &line)
        .await
        .expect(201);
    let store = &library.platform.store;
    let tenant = library.tenant();
    let tables = octavo_records::Tables {
        tenant: &tenant,
        catalog: &store.catalog,
    };
    let mut broken = Vec::new();
    for (rule, _, sql) in octavo_invoices::store::invariants::rules(tables) {
        let sql = format!("SELECT count(*) AS faults FROM ({sql}) AS seen WHERE fault");
        let rows = store
            .database
            .query(&sql, &[])
            .await
            .expect("it can be read");
        if rows[0].get::<_, i64>("faults") > 0 {
            broken.push(rule);
        }
    }
    assert_eq!(
        broken,
        [
            "the lines of an invoice that was approved have its status",
            "a voucher's amount is that of its lines",
            "a voucher has the status of its invoice",
        ]
    );
}
