//! Lines and adjustments: totals, shares, numbers. J4–J14 of the worked examples over HTTP.

use serde_json::{Value, json};

use crate::desk::{Desk, INVOICES, LINES, code, error, new_id, percent};

fn adjustment(kind: &str, value: f64, prorate: &str, relation: &str) -> Value {
    json!({"description": "d", "exportToAccounting": false, "type": kind, "value": value,
           "prorate": prorate, "relationToTotal": relation})
}

/// An invoice with the lines and adjustments of J4, and a fund that pays them.
async fn j4(desk: &Desk) -> (String, Vec<String>, String) {
    let fund = desk.fund("HIST", 1_000.0).await;
    let whole = [percent(&fund, 100.0)];
    let mut not_prorated = adjustment("Amount", 9.0, "Not prorated", "In addition to");
    not_prorated["fundDistributions"] = json!(whole);
    let mut separate = adjustment("Amount", 4.0, "Not prorated", "Separate from");
    separate["fundDistributions"] = json!(whole);
    let by_amount = adjustment("Percentage", 6.5, "By amount", "In addition to");
    let adjustments = json!({"adjustments": [by_amount, not_prorated, separate]});
    let invoice = desk.invoice(&adjustments).await;
    let stored = desk.read(&invoice).await;
    let mut lines = Vec::new();
    for (sum, own) in [(120.0, None), (80.0, Some(3.0)), (45.5, None)] {
        let own: Vec<Value> = own
            .map(|value| adjustment("Amount", value, "Not prorated", "In addition to"))
            .into_iter()
            .collect();
        let more = json!({"adjustments": own});
        lines.push(desk.line(&invoice, sum, &whole, &more).await);
    }
    let id = stored["adjustments"][0]["id"].as_str().expect("an id");
    (invoice, lines, id.to_owned())
}

#[tokio::test]
async fn adjustments_are_spread_over_lines() {
    let desk = Desk::new().await;
    let (invoice, lines, adjustment) = j4(&desk).await;
    let totals = ["127.8", "88.2", "48.46"];
    for ((line, total), number) in lines.iter().zip(totals).zip(["1", "2", "3"]) {
        let line = desk.read_line(line).await;
        assert_eq!(line["total"].to_string(), total);
        assert_eq!(line["invoiceLineNumber"], number);
    }
    let stored = desk.read(&invoice).await;
    assert_eq!(stored["subTotal"], 245.5);
    assert_eq!(stored["adjustmentsTotal"], 27.96);
    assert_eq!(stored["total"], 273.46);
    // A line that goes takes its share with it.
    let _ = desk
        .client
        .delete(&format!("{LINES}/{}", lines[2]))
        .await
        .expect(204);
    let line = desk.read_line(&lines[0]).await;
    assert_eq!(line["adjustments"][0]["adjustmentId"], json!(adjustment));
    // 6.5 % of 200 is 13.
    assert_eq!(line["adjustments"][0]["value"], 7.8);
    assert_eq!(desk.read(&invoice).await["total"], 225.0);
    // A changed line too: 6.5 % of 100.
    let mut line = desk.read_line(&lines[0]).await;
    line["subTotal"] = json!(20.0);
    let _ = desk
        .client
        .put(&format!("{LINES}/{}", lines[0]), &line)
        .await
        .expect(204);
    assert_eq!(
        desk.read_line(&lines[0]).await["adjustments"][0]["value"],
        1.3
    );
    assert_eq!(desk.read_line(&lines[1]).await["total"], 88.2);
    // Numbers are not taken twice.
    let fund = desk.read_line(&lines[0]).await["fundDistributions"][0].clone();
    let more = desk.line(&invoice, 1.0, &[fund], &json!({})).await;
    assert_eq!(desk.read_line(&more).await["invoiceLineNumber"], "4");
}

#[tokio::test]
async fn changed_adjustments_are_spread_again() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 100.0).await;
    let invoice = desk.invoice(&json!({})).await;
    let mut lines = Vec::new();
    for _ in 0..3 {
        lines.push(
            desk.line(&invoice, 10.0, &[percent(&fund, 100.0)], &json!({}))
                .await,
        );
    }
    let by_line = adjustment("Amount", 10.0, "By line", "In addition to");
    let _ = desk
        .change(&invoice, &json!({"adjustments": [by_line]}))
        .await
        .expect(204);
    let mut shares = Vec::new();
    for line in &lines {
        shares.push(desk.read_line(line).await["adjustments"][0]["value"].to_string());
    }
    assert_eq!(shares, ["3.33", "3.33", "3.34"]);
    assert_eq!(desk.read(&invoice).await["total"], 40.0);
    let _ = desk
        .change(&invoice, &json!({"adjustments": []}))
        .await
        .expect(204);
    assert_eq!(desk.read_line(&lines[0]).await["adjustments"], json!([]));
    assert_eq!(desk.read(&invoice).await["total"], 30.0);
}

#[tokio::test]
async fn the_locked_total_must_be_the_total() {
    let desk = Desk::new().await;
    let (invoice, _, _) = j4(&desk).await;
    let _ = desk
        .change(&invoice, &json!({"lockTotal": 273.45}))
        .await
        .expect(204);
    let refused = desk.become_(&invoice, "Approved").await.expect(400);
    assert_eq!(code(&refused), "lockCalculatedTotalsMismatch");
    let _ = desk
        .change(&invoice, &json!({"lockTotal": 273.46}))
        .await
        .expect(204);
    desk.now(&invoice, "Approved").await;
    assert_eq!(desk.read(&invoice).await["status"], "Approved");
}

#[tokio::test]
async fn shares_belong_to_adjustments_of_the_invoice() {
    let desk = Desk::new().await;
    let (invoice, lines, _) = j4(&desk).await;
    let mut share = adjustment("Amount", 1.0, "Not prorated", "In addition to");
    share["adjustmentId"] = json!(new_id());
    let more = json!({"adjustments": [share]});
    let refused = desk.try_line(&invoice, 1.0, &[], &more).await.expect(422);
    assert_eq!(code(&refused), "cannotAddAdjustment");
    let path = format!("{LINES}/{}", lines[0]);
    let mut line = desk.read_line(&lines[0]).await;
    line["adjustments"] = json!([]);
    let refused = desk.client.put(&path, &line).await.expect(422);
    assert_eq!(code(&refused), "cannotDeleteAdjustment");
    line["adjustments"] = json!([share]);
    let refused = desk.client.put(&path, &line).await.expect(422);
    assert_eq!(code(&refused), "cannotAddAdjustment");
    let twice = json!({"adjustments": [
        {"id": share["adjustmentId"], "description": "d", "type": "Amount", "value": 1},
        {"id": share["adjustmentId"], "description": "d", "type": "Amount", "value": 2}]});
    let refused = desk.change(&invoice, &twice).await.expect(422);
    assert_eq!(code(&refused), "adjustmentIdsNotUnique");
}

#[tokio::test]
async fn a_line_gives_the_invoice_its_fiscal_year_and_its_orders() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 100.0).await;
    let other = desk.fund("LAW", 100.0).await;
    let (po_line, made) = desk.order("10077", &[(&fund, 10.0)]).await;
    let invoice = desk.invoice(&json!({})).await;
    assert_eq!(desk.read(&invoice).await.get("fiscalYearId"), None);
    let more = json!({"poLineId": po_line});
    let line = desk
        .line(&invoice, 5.0, &[percent(&fund, 100.0)], &more)
        .await;
    let stored = desk.read(&invoice).await;
    assert_eq!(stored["fiscalYearId"], json!(desk.year));
    assert_eq!(stored["poNumbers"], json!(["10077"]));
    let relations = "/orders-storage/order-invoice-relns";
    let query = format!("invoiceId=={invoice}");
    let tied = desk
        .client
        .query(relations, &query)
        .await
        .expect(200)
        .json();
    assert_eq!(tied["totalRecords"], 1);
    // The distribution is linked to the encumbrance, until its fund changes.
    let mut stored = desk.read_line(&line).await;
    assert_eq!(
        stored["fundDistributions"][0]["encumbrance"],
        json!(made[0])
    );
    stored["fundDistributions"][0]["fundId"] = json!(other);
    let path = format!("{LINES}/{line}");
    let _ = desk.client.put(&path, &stored).await.expect(204);
    let stored = desk.read_line(&line).await;
    assert_eq!(stored["fundDistributions"][0].get("encumbrance"), None);
    let _ = desk.client.delete(&path).await.expect(204);
    let tied = desk
        .client
        .query(relations, &query)
        .await
        .expect(200)
        .json();
    assert_eq!(tied["totalRecords"], 0);
    assert_eq!(desk.read(&invoice).await["poNumbers"], json!([]));
    let more = json!({"poLineId": new_id()});
    let refused = desk.try_line(&invoice, 5.0, &[], &more).await.expect(500);
    assert_eq!(code(&refused), "orderInvoiceRelationCreateFailed");
}

#[tokio::test]
async fn distributions_are_validated_alone() {
    let desk = Desk::new().await;
    let fund = new_id();
    let path = "/invoice/invoice-lines/fund-distributions/validate";
    let body =
        |rows: Value| json!({"subTotal": 120.0, "currency": "USD", "fundDistribution": rows});
    let rows = json!([crate::desk::amount(&fund, 30.0), percent(&fund, 75.0)]);
    let _ = desk.client.put(path, &body(rows)).await.expect(204);
    let rows = json!([crate::desk::amount(&fund, 30.0), percent(&fund, 76.0)]);
    let refused = desk.client.put(path, &body(rows)).await.expect(422);
    let found = error(&refused);
    assert_eq!(found["code"], "incorrectFundDistributionTotal");
    assert_eq!(
        found["parameters"][0],
        json!({"key": "remainingAmount", "value": "-1.20"})
    );
    let rows = json!([crate::desk::amount(&fund, 0.0), percent(&fund, 100.0)]);
    let mut zero = body(rows);
    zero["subTotal"] = json!(0);
    let refused = desk.client.put(path, &zero).await.expect(422);
    assert_eq!(code(&refused), "cannotMixTypesForZeroPrice");
}

#[tokio::test]
async fn invoices_have_numbers_from_ten_thousand() {
    let desk = Desk::new().await;
    let (first, second) = (
        desk.invoice(&json!({})).await,
        desk.invoice(&json!({})).await,
    );
    assert_eq!(desk.read(&first).await["folioInvoiceNo"], "10000");
    assert_eq!(desk.read(&second).await["folioInvoiceNo"], "10001");
    // A client cannot change it.
    let _ = desk
        .change(&first, &json!({"folioInvoiceNo": "7"}))
        .await
        .expect(204);
    assert_eq!(desk.read(&first).await["folioInvoiceNo"], "10000");
    let found = desk
        .client
        .query(INVOICES, "vendorInvoiceNo==V1 sortby folioInvoiceNo")
        .await;
    assert_eq!(found.expect(200).json()["totalRecords"], 2);
}
