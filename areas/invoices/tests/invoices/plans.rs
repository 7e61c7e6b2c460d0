//! Searches and steps of invoices find what they need by indexes.

use octavo_server_testkit::library;
use octavo_testkit::plans::{assert_indexed, scans};
use serde_json::json;

use crate::desk::{Desk, percent};

const ID: &str = "11fb627a-cdf1-11e8-a8d5-f2801f1b9fd1";
const SMALL: [&str; 2] = ["batch_groups", "batch_voucher_export_configs"];

#[tokio::test]
async fn searches_of_invoices_use_indexes() {
    let library = library().await;
    let invoices = [
        "id==(ID or ID)",
        "vendorId==ID",
        "invoiceDate>=\"2026-01-01\"",
        "vendorInvoiceNo==V1",
        "vendorInvoiceNo==V1 and vendorId==ID",
        "folioInvoiceNo==10000",
        "voucherNumber==7",
        "status==Approved",
        "acqUnitIds=ID",
        "acqUnitIds==\"*ID*\"",
        "batchGroupId==ID",
        "invoiceLines.poLineId==ID",
    ];
    let lines = [
        "invoiceId==ID",
        "poLineId==ID",
        "poLineId==(ID or ID)",
        "poLineId==\"*ID*\"",
        "invoiceLineStatus==Approved",
        "fundDistributions==\"*ID*\"",
        "description=mills",
        "invoices.vendorInvoiceNo==V1",
        "invoices.folioInvoiceNo==10000",
    ];
    let vouchers = [
        "invoiceId==ID",
        "voucherNumber==7",
        "voucherDate>=\"2026-01-01\"",
        "batchGroupId==ID and voucherDate>=\"2026-01-01\" and exportToAccounting==true",
        "invoices.vendorId==ID",
    ];
    for (table, queries) in [
        ("invoices", &invoices[..]),
        ("invoice_lines", &lines[..]),
        ("vouchers", &vouchers[..]),
        (
            "voucher_lines",
            &["voucherId==ID", "vouchers.voucherNumber==7"],
        ),
        ("documents", &["invoiceId==ID"]),
        (
            "batch_voucher_exports",
            &["batchGroupId==ID", "batchVoucherId==ID"],
        ),
    ] {
        for query in queries {
            let query = query.replace("ID", ID);
            assert_indexed(&library, table, &query, &SMALL).await;
        }
    }
}

const LARGE: [&str; 6] = [
    "invoices",
    "invoice_lines",
    "vouchers",
    "voucher_lines",
    "transaction",
    "order_invoice_relationship",
];

/// An invoice's whole life among thousands of others.
#[tokio::test]
async fn steps_read_no_table_from_end_to_end() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 10_000.0).await;
    let (po_line, _) = desk.order("10000", &[(&fund, 1_000.0)]).await;
    let database = &desk.library.platform.store.database;
    for sql in [
        "CREATE TABLE tenant_diku.made_for_tests AS SELECT n, gen_random_uuid() AS i, \
         gen_random_uuid() AS v FROM generate_series(1, 3000) n",
        "INSERT INTO tenant_diku.invoices (id, jsonb) SELECT i, jsonb_build_object('id', i, \
         'status', 'Paid', 'folioInvoiceNo', 'F' || n, 'vendorInvoiceNo', 'V' || n, 'vendorId', \
         gen_random_uuid(), 'subTotal', 0, 'total', 0) FROM tenant_diku.made_for_tests",
        "INSERT INTO tenant_diku.invoice_lines (id, jsonb) SELECT id, jsonb_build_object('id', id, \
         'invoiceId', i, 'poLineId', gen_random_uuid(), 'invoiceLineNumber', '1', \
         'invoiceLineStatus', 'Paid') FROM (SELECT gen_random_uuid() AS id, i \
         FROM tenant_diku.made_for_tests) AS made",
        "INSERT INTO tenant_diku.vouchers (id, jsonb) SELECT v, jsonb_build_object('id', v, \
         'invoiceId', i, 'voucherNumber', 'N' || n, 'status', 'Paid') \
         FROM tenant_diku.made_for_tests",
        "INSERT INTO tenant_diku.voucher_lines (id, jsonb) SELECT id, jsonb_build_object('id', id, \
         'voucherId', v, 'amount', 0) FROM (SELECT gen_random_uuid() AS id, v \
         FROM tenant_diku.made_for_tests) AS made",
        "INSERT INTO tenant_diku.transaction (id, jsonb) SELECT id, jsonb_build_object('id', id, \
         'amount', 0, 'transactionType', 'Payment', 'sourceInvoiceId', i) \
         FROM (SELECT gen_random_uuid() AS id, i FROM tenant_diku.made_for_tests) AS made",
        "INSERT INTO tenant_diku.order_invoice_relationship (id, jsonb) SELECT id, \
         jsonb_build_object('id', id, 'invoiceId', i) FROM (SELECT gen_random_uuid() AS id, i \
         FROM tenant_diku.made_for_tests) AS made",
    ] {
        let _ = database.execute(sql, &[]).await.expect("it is filled");
    }
    for table in LARGE {
        let sql = format!("ANALYZE tenant_diku.{table}");
        let _ = database.execute(&sql, &[]).await.expect("statistics");
    }
    let life = async || {
        let invoice = desk
            .invoice(&json!({"currency": "USD", "exchangeRate": 1}))
            .await;
        let more = json!({"poLineId": po_line});
        let rows = [percent(&fund, 100.0)];
        let line = desk.line(&invoice, 5.0, &rows, &more).await;
        desk.line(&invoice, 2.0, &rows, &json!({})).await;
        let stored = desk.read_line(&line).await;
        let path = format!("{}/{line}", crate::desk::LINES);
        let _ = desk.client.put(&path, &stored).await.expect(204);
        for status in ["Approved", "Paid", "Cancelled"] {
            desk.now(&invoice, status).await;
        }
        let voucher = desk.voucher_lines(&invoice).await;
        assert_eq!(voucher.len(), 1);
        let path = format!("{}/{invoice}", crate::desk::INVOICES);
        let _ = desk.client.get(&format!("{path}/fiscal-years")).await;
        let _ = desk.client.delete(&path).await.expect(204);
    };
    for _ in 0..6 {
        life().await;
    }
    let before = scans(&desk.library, &LARGE).await;
    life().await;
    assert_eq!(scans(&desk.library, &LARGE).await, before);
}
