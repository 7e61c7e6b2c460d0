//! Changes that an invoice refuses: statuses, protected properties, deletion. M19 of the worked examples.

use serde_json::json;

use crate::desk::{Desk, INVOICES, LINES, code, error, new_id, percent};

async fn approved(desk: &Desk) -> (String, String) {
    let fund = desk.fund("HIST", 100.0).await;
    let invoice = desk.invoice(&json!({})).await;
    let line = desk
        .line(&invoice, 10.0, &[percent(&fund, 100.0)], &json!({}))
        .await;
    desk.now(&invoice, "Approved").await;
    (invoice, line)
}

#[tokio::test]
async fn statuses_change_in_order() {
    let desk = Desk::new().await;
    let open = desk.invoice(&json!({})).await;
    let refused = desk.become_(&open, "Paid").await.expect(400);
    assert_eq!(code(&refused), "cannotPayInvoiceWithoutApproval");
    let refused = desk.become_(&open, "Cancelled").await.expect(422);
    assert_eq!(code(&refused), "cannotCancelInvoice");
    desk.now(&open, "Reviewed").await;
    desk.now(&open, "Open").await;
    let (invoice, _) = approved(&desk).await;
    let refused = desk.become_(&invoice, "Open").await.expect(422);
    assert_eq!(code(&refused), "incompatibleInvoiceFields");
    let changes = json!({"status": "Open", "approvedBy": null, "approvalDate": null});
    let refused = desk.change(&invoice, &changes).await.expect(400);
    assert_eq!(code(&refused), "protectedFieldChanging");
    desk.now(&invoice, "Paid").await;
    let refused = desk.become_(&invoice, "Approved").await.expect(422);
    assert_eq!(code(&refused), "invalidInvoiceStatusTransitionOnPaidStatus");
    let early = json!({"approvalDate": "2026-03-01T00:00:00.000+00:00"});
    let refused = desk.change(&open, &early).await.expect(422);
    assert_eq!(code(&refused), "incompatibleInvoiceFields");
}

#[tokio::test]
async fn an_approved_invoice_is_protected() {
    let desk = Desk::new().await;
    let (invoice, line) = approved(&desk).await;
    let changes = json!({"vendorId": new_id(), "lockTotal": 10, "note": "n", "total": 99});
    let refused = desk.change(&invoice, &changes).await.expect(400);
    let found = error(&refused);
    assert_eq!(found["code"], "protectedFieldChanging");
    assert_eq!(
        found["protectedAndModifiedFields"],
        json!(["lockTotal", "vendorId"])
    );
    // What is not protected changes; totals that are sent are ignored.
    let _ = desk
        .change(&invoice, &json!({"note": "n", "total": 99}))
        .await
        .expect(204);
    let stored = desk.read(&invoice).await;
    assert_eq!(
        (&stored["note"], &stored["total"]),
        (&json!("n"), &json!(10.0))
    );
    let path = format!("{LINES}/{line}");
    let mut body = desk.read_line(&line).await;
    body["subTotal"] = json!(11);
    let refused = desk.client.put(&path, &body).await.expect(400);
    assert_eq!(
        error(&refused)["protectedAndModifiedFields"],
        json!(["subTotal"])
    );
    body["subTotal"] = json!(10);
    body["comment"] = json!("c");
    let _ = desk.client.put(&path, &body).await.expect(204);
    let refused = desk
        .try_line(&invoice, 1.0, &[], &json!({}))
        .await
        .expect(500);
    assert_eq!(code(&refused), "prohibitedInvoiceLineCreation");
}

#[tokio::test]
async fn only_what_holds_no_money_is_deleted() {
    let desk = Desk::new().await;
    let (invoice, line) = approved(&desk).await;
    let (one, of_line) = (format!("{INVOICES}/{invoice}"), format!("{LINES}/{line}"));
    for status in ["Approved", "Paid"] {
        assert_eq!(desk.read(&invoice).await["status"], status);
        for path in [&one, &of_line] {
            let refused = desk.client.delete(path).await.expect(403);
            assert_eq!(code(&refused), "approvedOrPaidInvoiceDeleteForbiddenError");
        }
        if status == "Approved" {
            desk.now(&invoice, "Paid").await;
        }
    }
    desk.now(&invoice, "Cancelled").await;
    assert_eq!(desk.voucher(&invoice).await["status"], "Cancelled");
    let _ = desk.client.delete(&one).await.expect(204);
    let _ = desk.client.get(&one).await.expect(404);
    let _ = desk.client.get(&of_line).await.expect(404);
    let refused = desk.client.delete(&of_line).await.expect(404);
    assert_eq!(code(&refused), "cannotDeleteInvoiceLine");
}

#[tokio::test]
async fn the_id_in_the_body_is_that_of_the_path() {
    let desk = Desk::new().await;
    let invoice = desk.invoice(&json!({})).await;
    let mut body = desk.read(&invoice).await;
    body["id"] = json!(new_id());
    let refused = desk
        .client
        .put(&format!("{INVOICES}/{invoice}"), &body)
        .await
        .expect(422);
    assert_eq!(code(&refused), "idMismatch");
    let missing = desk
        .client
        .get(&format!("{INVOICES}/{}", new_id()))
        .await
        .expect(404);
    assert_eq!(code(&missing), "genericError");
    let unknown = json!({"colour": "red"});
    let _ = desk.change(&invoice, &unknown).await.expect(422);
}

/// An invoice without a fiscal year asks for budgets of the funds' current one.
#[tokio::test]
async fn funds_of_an_invoice_have_active_budgets() {
    let desk = Desk::new().await;
    let frozen = desk
        .fund_with("OLD", 0.0, &json!({"budgetStatus": "Frozen"}))
        .await;
    let invoice = desk.invoice(&json!({})).await;
    // Lines of storage do not fill the year.
    let body = json!({"invoiceId": invoice, "description": "d", "invoiceLineStatus": "Open",
                      "subTotal": 10.0, "quantity": 1,
                      "fundDistributions": [percent(&frozen, 100.0)]});
    crate::desk::put_in(&desk.client, "/invoice-storage/invoice-lines", &body).await;
    let refused = desk.become_(&invoice, "Approved").await.expect(404);
    let found = error(&refused);
    assert_eq!(found["code"], "budgetNotFoundByFundId");
    assert_eq!(found["message"], "Budget not found by fundId");
    assert_eq!(
        found["parameters"],
        json!([{"key": "fundId", "value": frozen}])
    );
    assert!(desk.transactions(&invoice).await.is_empty());
    desk.in_order().await;
}

/// Messages and parameters of what statuses and protected properties are refused with.
#[tokio::test]
async fn refusals_are_in_folios_words() {
    let desk = Desk::new().await;
    let (invoice, _) = approved(&desk).await;
    let open = desk.invoice(&json!({})).await;
    for (invoice, status, answered, code, message) in [
        (
            &open,
            "Paid",
            400,
            "cannotPayInvoiceWithoutApproval",
            "Cannot pay an invoice without approval",
        ),
        (
            &open,
            "Cancelled",
            422,
            "cannotCancelInvoice",
            "Only approved and paid invoices can be cancelled",
        ),
        (
            &invoice,
            "Open",
            422,
            "incompatibleInvoiceFields",
            "Incompatible invoice fields on status transition",
        ),
    ] {
        let refused = desk.become_(invoice, status).await.expect(answered);
        let found = error(&refused);
        assert_eq!(found["code"], code);
        assert_eq!(found["message"], message);
    }
    desk.now(&invoice, "Paid").await;
    let refused = desk.become_(&invoice, "Approved").await.expect(422);
    assert_eq!(
        error(&refused)["message"],
        "Cannot transition invoice to any other statuses when it is in Paid status"
    );
    octavo_server_testkit::assert_in_order(&desk.library).await;
}

/// What an invoice released is encumbered again at its cancellation: when the money is spoken for, or the
/// budget takes no credit for it, it stays.
#[tokio::test]
async fn a_cancellation_needs_the_money_that_was_released() {
    let desk = Desk::with(true).await;
    let limits = json!({"allowableEncumbrance": 100, "allowableExpenditure": 100});
    let fund = desk.fund_with("HIST", 100.0, &limits).await;
    let (po_line, made) = desk.order("10000", &[(&fund, 80.0)]).await;
    let invoice = desk.invoice(&json!({})).await;
    let more = json!({"poLineId": po_line, "releaseEncumbrance": true});
    desk.line(&invoice, 10.0, &[percent(&fund, 100.0)], &more)
        .await;
    desk.now(&invoice, "Approved").await;
    assert_eq!(desk.budget(&fund).await, "0 10 0 0");
    desk.order("10001", &[(&fund, 60.0)]).await;
    let refused = desk.become_(&invoice, "Cancelled").await.expect(500);
    let found = error(&refused);
    assert_eq!(found["code"], "errorUnreleasingEncumbrances");
    assert_eq!(
        found["message"],
        "Error unreleasing encumbrances after cancelling the invoice"
    );
    let cause = "Encumbrance restriction does not allow this operation";
    assert_eq!(
        found["parameters"],
        json!([{"key": "cause", "value": cause}])
    );
    assert_eq!(desk.read(&invoice).await["status"], "Approved");
    assert_eq!(desk.encumbrance(&made[0]).await, "0/80/10/0/0 Released");
    assert_eq!(desk.budget(&fund).await, "60 10 0 0");
    // A paid credit was spent again: taking it back would overdraw the budget.
    let spent = desk.fund_with("LAW", 100.0, &limits).await;
    let credit = desk.invoice(&json!({})).await;
    desk.line(&credit, -50.0, &[percent(&spent, 100.0)], &json!({}))
        .await;
    desk.now(&credit, "Approved").await;
    desk.now(&credit, "Paid").await;
    let large = desk.invoice(&json!({})).await;
    desk.line(&large, 150.0, &[percent(&spent, 100.0)], &json!({}))
        .await;
    desk.now(&large, "Approved").await;
    let refused = desk.become_(&credit, "Cancelled").await.expect(500);
    let found = error(&refused);
    assert_eq!(found["code"], "cancelTransactionsError");
    assert_eq!(found["message"], "Failed to cancel transactions");
    let cause = "Expenditure restriction does not allow this operation";
    assert_eq!(
        found["parameters"],
        json!([{"key": "invoiceId", "value": credit}, {"key": "cause", "value": cause}])
    );
    assert_eq!(desk.budget(&spent).await, "0 150 0 50");
    desk.in_order().await;
}
