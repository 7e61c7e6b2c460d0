//! What an approval asks for, in FOLIO's order, and what it leaves behind.

use octavo_server_testkit::staff;
use serde_json::json;

use crate::desk::{Desk, INVOICES, LINES, amount, code, error, fiscal_year, new_id, percent};

#[tokio::test]
async fn an_approved_invoice_says_by_whom_and_when() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 100.0).await;
    let invoice = desk.invoice(&json!({})).await;
    desk.line(&invoice, 10.0, &[percent(&fund, 100.0)], &json!({}))
        .await;
    desk.now(&invoice, "Approved").await;
    let stored = desk.read(&invoice).await;
    assert!(stored["approvedBy"].is_string() && stored["approvalDate"].is_string());
    assert_eq!(stored["exchangeRate"], 1.0);
    assert_eq!(
        stored["voucherNumber"],
        desk.voucher(&invoice).await["voucherNumber"]
    );
    desk.now(&invoice, "Paid").await;
    assert!(desk.read(&invoice).await["paymentDate"].is_string());
}

#[tokio::test]
async fn checks_come_in_folios_order() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 100.0).await;
    let inactive = desk
        .fund_with("OLD", 0.0, &json!({"budgetStatus": "Inactive"}))
        .await;
    let approve = async |invoice: &str, status: u16, wanted: &str| {
        let refused = desk.become_(invoice, "Approved").await.expect(status);
        assert_eq!(code(&refused), wanted);
        assert_eq!(desk.read(invoice).await["status"], "Open");
        assert!(desk.transactions(invoice).await.is_empty());
    };
    let invoice = desk
        .invoice(&json!({"vendorId": new_id(), "exportToAccounting": true, "lockTotal": 7}))
        .await;
    approve(&invoice, 404, "organizationIsNotExist").await;
    let organization = new_id();
    let body = json!({"id": organization, "name": "N", "code": "N", "status": "Active"});
    let path = "/organizations-storage/organizations";
    crate::desk::put_in(&desk.client, path, &body).await;
    let change = async |changes: serde_json::Value| {
        let _ = desk.change(&invoice, &changes).await.expect(204);
    };
    change(json!({"vendorId": organization})).await;
    approve(&invoice, 400, "organizationIsNotVendor").await;
    change(json!({"vendorId": desk.vendor})).await;
    approve(&invoice, 400, "accountingCodeNotPresent").await;
    change(json!({"accountingCode": "A1"})).await;
    approve(&invoice, 400, "lockCalculatedTotalsMismatch").await;
    change(json!({"lockTotal": null})).await;
    approve(&invoice, 400, "genericError").await;
    let line = desk.line(&invoice, 10.0, &[], &json!({})).await;
    approve(&invoice, 400, "fundDistributionsNotPresent").await;
    let set = async |rows: serde_json::Value| {
        let mut stored = desk.read_line(&line).await;
        stored["fundDistributions"] = rows;
        let _ = desk
            .client
            .put(&format!("{LINES}/{line}"), &stored)
            .await
            .expect(204);
    };
    set(json!([amount(&fund, 9.0)])).await;
    approve(&invoice, 422, "incorrectFundDistributionTotal").await;
    set(json!([percent(&inactive, 100.0)])).await;
    let more = json!({"description": "d", "type": "Amount", "value": 1});
    change(json!({"adjustments": [more]})).await;
    approve(&invoice, 400, "adjustmentFundDistributionsNotPresent").await;
    change(json!({"adjustments": []})).await;
    change(json!({"fiscalYearId": desk.year})).await;
    let refused = desk.become_(&invoice, "Approved").await.expect(404);
    let found = error(&refused);
    assert_eq!(found["code"], "budgetNotFoundByFundIdAndFiscalYearId");
    assert_eq!(
        found["parameters"],
        json!([{"key": "fundId", "value": inactive}, {"key": "fiscalYearId", "value": desk.year}])
    );
    set(json!([percent(&fund, 100.0)])).await;
    desk.now(&invoice, "Approved").await;
}

#[tokio::test]
async fn funds_have_one_fiscal_year() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 100.0).await;
    let year = fiscal_year(&desk.client, "XY2026", "2000-01-01", "2150-12-31").await;
    let ledger = new_id();
    let body = json!({"id": ledger, "name": "L2", "code": "L2", "fiscalYearOneId": year,
                      "ledgerStatus": "Active", "restrictEncumbrance": false,
                      "restrictExpenditures": false});
    crate::desk::put_in(&desk.client, "/finance-storage/ledgers", &body).await;
    let other = new_id();
    let body = json!({"id": other, "code": "X", "name": "X", "fundStatus": "Active",
                      "ledgerId": ledger, "externalAccountNo": "1"});
    crate::desk::put_in(&desk.client, "/finance-storage/funds", &body).await;
    let budget = json!({"name": "X-XY2026", "fundId": other, "fiscalYearId": year,
                        "budgetStatus": "Active"});
    crate::desk::put_in(&desk.client, "/finance-storage/budgets", &budget).await;
    let both = |value: f64| [percent(&fund, value), percent(&other, 100.0 - value)];
    // An adjustment's funds give the year, and there can be only one.
    let mut shared = json!({"description": "d", "type": "Amount", "value": 1});
    shared["fundDistributions"] = json!(both(50.0));
    let mut body = desk.invoice_body();
    body["adjustments"] = json!([shared]);
    let refused = desk.client.post(INVOICES, &body).await.expect(422);
    assert_eq!(code(&refused), "multipleAdjustmentsFiscalYears");
    // Lines of storage do not fill the year.
    let invoice = desk.invoice(&json!({})).await;
    let body = json!({"invoiceId": invoice, "description": "d", "invoiceLineStatus": "Open",
                      "subTotal": 10.0, "quantity": 1, "fundDistributions": both(50.0)});
    crate::desk::put_in(&desk.client, "/invoice-storage/invoice-lines", &body).await;
    let refused = desk.become_(&invoice, "Approved").await.expect(422);
    let found = error(&refused);
    assert_eq!(found["code"], "multipleFiscalYears");
    assert_eq!(
        found["message"],
        "Multiple fiscal years are used with the funds HIST and X."
    );
    let years = format!("{INVOICES}/{invoice}/fiscal-years");
    let refused = desk.client.get(&years).await.expect(422);
    assert_eq!(code(&refused), "moreThanOneFiscalYearSeries");
}

/// F5 and F6 of the worked examples.
#[tokio::test]
async fn ledgers_restrict_what_is_spent() {
    let desk = Desk::with(true).await;
    let limits = json!({"allowableEncumbrance": 95, "allowableExpenditure": 90});
    let fund = desk.fund_with("HIST", 240.0, &limits).await;
    let invoice = async |sum: f64| {
        let invoice = desk.invoice(&json!({})).await;
        desk.line(&invoice, sum, &[percent(&fund, 100.0)], &json!({}))
            .await;
        invoice
    };
    let large = invoice(216.01).await;
    let refused = desk.become_(&large, "Approved").await.expect(422);
    let found = error(&refused);
    assert_eq!(found["code"], "fundCannotBePaid");
    assert_eq!(
        found["parameters"][0],
        json!({"key": "funds", "value": "[HIST]"})
    );
    assert!(desk.transactions(&large).await.is_empty());
    // What finance refuses keeps its own words: 150 are encumbered, and 90 more are not allowed.
    desk.order("10000", &[(&fund, 150.0)]).await;
    let unlinked = invoice(90.0).await;
    let refused = desk.become_(&unlinked, "Approved").await.expect(422);
    assert_eq!(code(&refused), "budgetRestrictedEncumbranceError");
    assert_eq!(desk.budget(&fund).await, "150 0 0 0");
    let small = invoice(78.0).await;
    desk.now(&small, "Approved").await;
    assert_eq!(desk.budget(&fund).await, "150 78 0 0");
}

#[tokio::test]
async fn expense_classes_are_active_in_the_budget() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 100.0).await;
    let class = new_id();
    let body = json!({"id": class, "name": "Print it", "code": "PrnIt"});
    crate::desk::put_in(&desk.client, "/finance-storage/expense-classes", &body).await;
    let invoice = desk.invoice(&json!({})).await;
    let mut row = percent(&fund, 100.0);
    row["expenseClassId"] = json!(class);
    let refused = desk
        .try_line(&invoice, 1.0, &[row.clone()], &json!({}))
        .await;
    let found = error(&refused.expect(400));
    assert_eq!(found["code"], "budgetExpenseClassNotFound");
    assert_eq!(
        found["parameters"],
        json!([{"key": "fundCode", "value": "HIST"},
               {"key": "expenseClassName", "value": "Print it"}])
    );
    let query = format!("fundId=={fund}");
    let found = desk.client.query("/finance-storage/budgets", &query).await;
    let budget = found.expect(200).json()["budgets"][0]["id"].clone();
    let link = json!({"budgetId": budget, "expenseClassId": class, "status": "Inactive"});
    crate::desk::put_in(
        &desk.client,
        "/finance-storage/budget-expense-classes",
        &link,
    )
    .await;
    let refused = desk.try_line(&invoice, 1.0, &[row], &json!({})).await;
    assert_eq!(code(&refused.expect(400)), "inactiveExpenseClass");
}

#[tokio::test]
async fn each_step_has_its_permission() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 100.0).await;
    let has = ["invoice.invoices.item.put", "invoice.invoices.item.get"];
    let (clerk, _) = staff(&desk.library, &desk.client, "clerk", &has).await;
    let invoice = desk.invoice(&json!({})).await;
    desk.line(&invoice, 10.0, &[percent(&fund, 100.0)], &json!({}))
        .await;
    let path = format!("{INVOICES}/{invoice}");
    let refuse = async |status: &str, wanted: &str| {
        let mut body = desk.read(&invoice).await;
        body["status"] = json!(status);
        let refused = clerk.put(&path, &body).await.expect(403);
        assert_eq!(code(&refused), wanted);
    };
    refuse("Approved", "userHasNoInvoiceApprovePermission").await;
    desk.now(&invoice, "Approved").await;
    refuse("Paid", "userHasNoInvoicePayPermission").await;
    refuse("Cancelled", "userHasNoInvoiceCancelPermission").await;
    // Another fiscal year needs a permission, too.
    let open = desk.invoice(&json!({"fiscalYearId": desk.year})).await;
    let mut body = desk.read(&open).await;
    body["fiscalYearId"] = json!(new_id());
    let refused = clerk
        .put(&format!("{INVOICES}/{open}"), &body)
        .await
        .expect(403);
    assert_eq!(code(&refused), "userHasNoFiscalYearUpdatePermission");
    body.as_object_mut()
        .expect("an object")
        .shift_remove("fiscalYearId");
    let refused = clerk
        .put(&format!("{INVOICES}/{open}"), &body)
        .await
        .expect(422);
    assert_eq!(code(&refused), "cannotResetInvoiceFiscalYear");
}

#[tokio::test]
async fn the_fiscal_years_of_an_invoice_have_budgets_of_all_funds() {
    let desk = Desk::new().await;
    let (a, b) = (desk.fund("A", 10.0).await, desk.fund("B", 10.0).await);
    let past = fiscal_year(&desk.client, "FY1999", "1999-01-01", "1999-12-31").await;
    let budget = json!({"name": "A-FY1999", "fundId": a, "fiscalYearId": past,
                        "budgetStatus": "Active"});
    crate::desk::put_in(&desk.client, "/finance-storage/budgets", &budget).await;
    let invoice = desk.invoice(&json!({})).await;
    let years = format!("{INVOICES}/{invoice}/fiscal-years");
    let refused = desk.client.get(&years).await.expect(422);
    assert_eq!(code(&refused), "couldNotFindValidFiscalYear");
    let line = desk
        .line(&invoice, 10.0, &[percent(&a, 100.0)], &json!({}))
        .await;
    let found = desk.client.get(&years).await.expect(200).json();
    let codes: Vec<&str> = found["fiscalYears"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|year| year["code"].as_str())
        .collect();
    assert_eq!(codes, ["FY2026", "FY1999"]);
    let mut stored = desk.read_line(&line).await;
    stored["fundDistributions"] = json!([percent(&a, 50.0), percent(&b, 50.0)]);
    let _ = desk
        .client
        .put(&format!("{LINES}/{line}"), &stored)
        .await
        .expect(204);
    let found = desk.client.get(&years).await.expect(200).json();
    assert_eq!(found["totalRecords"], 1);
    // It can be paid from the past.
    stored["fundDistributions"] = json!([percent(&a, 100.0)]);
    let _ = desk
        .client
        .put(&format!("{LINES}/{line}"), &stored)
        .await
        .expect(204);
    let _ = desk
        .change(&invoice, &json!({"fiscalYearId": past}))
        .await
        .expect(204);
    desk.now(&invoice, "Approved").await;
    assert_eq!(desk.budget(&b).await, "0 0 0 0");
    assert_eq!(desk.transactions(&invoice).await, ["Pending payment 10"]);
}
