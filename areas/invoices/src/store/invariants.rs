//! What must hold between invoices, their lines, vouchers and transactions, each as a statement that returns
//! the checked records and their faults.

use super::Tables;

/// A rule, its remedy, and its statement.
type Rule = (&'static str, &'static str, String);

/// The rules of invoices.
#[must_use]
pub fn rules(tables: Tables<'_>) -> Vec<Rule> {
    let mut rules = vec![totals(tables), statuses(tables), numbers(tables)];
    rules.extend(money(tables));
    rules.extend(vouchers(tables));
    rules
}

fn number(name: &str) -> String {
    format!("coalesce((invoice.jsonb->>'{name}')::numeric, 0)")
}

fn totals(tables: Tables<'_>) -> Rule {
    let sql = format!(
        "SELECT invoice.id, NOT ({sub} = coalesce(sums.sum, 0) AND {total} = {sub} + {added}) AS fault \
         FROM {invoices} AS invoice LEFT JOIN (SELECT invoiceid, \
         sum(round((jsonb->>'subTotal')::numeric, 2)) AS sum FROM {lines} GROUP BY invoiceid) AS sums \
         ON sums.invoiceid = invoice.id \
         WHERE NOT EXISTS (SELECT FROM {lines} AS line WHERE line.invoiceid = invoice.id \
         AND scale((line.jsonb->>'subTotal')::numeric) > 2)",
        sub = number("subTotal"),
        total = number("total"),
        added = number("adjustmentsTotal"),
        invoices = tables.table("invoices"),
        lines = tables.table("invoice_lines"),
    );
    (
        "an invoice's total is that of its lines and adjustments",
        "save the invoice again: its totals are computed anew",
        sql,
    )
}

fn statuses(tables: Tables<'_>) -> Rule {
    let sql = format!(
        "SELECT line.id, line.jsonb->>'invoiceLineStatus' <> invoice.jsonb->>'status' AS fault \
         FROM {} AS line JOIN {} AS invoice ON invoice.id = line.invoiceid \
         WHERE invoice.jsonb->>'status' IN ('Approved', 'Paid', 'Cancelled')",
        tables.table("invoice_lines"),
        tables.table("invoices"),
    );
    (
        "the lines of an invoice that was approved have its status",
        "set the status of the line by /invoice-storage/invoice-lines",
        sql,
    )
}

fn numbers(tables: Tables<'_>) -> Rule {
    let sql = format!(
        "SELECT invoice.id, count(DISTINCT line.jsonb->>'invoiceLineNumber') < count(*) \
         OR max((line.jsonb->>'invoiceLineNumber')::bigint) >= \
         (invoice.jsonb->>'nextInvoiceLineNumber')::bigint AS fault \
         FROM {} AS invoice JOIN {} AS line ON line.invoiceid = invoice.id \
         WHERE line.jsonb->>'invoiceLineNumber' ~ '^[0-9]{{1,9}}$' \
         GROUP BY invoice.id, invoice.jsonb->>'nextInvoiceLineNumber'",
        tables.table("invoices"),
        tables.table("invoice_lines"),
    );
    (
        "the lines of an invoice have numbers of their own, below the next one",
        "give the line another number by /invoice-storage/invoice-lines",
        sql,
    )
}

fn money(tables: Tables<'_>) -> Vec<Rule> {
    let of_invoices = format!(
        "{} AS one JOIN {} AS invoice ON invoice.id = (one.jsonb->>'sourceInvoiceId')::uuid \
         WHERE one.jsonb->>'sourceInvoiceId' IS NOT NULL \
         AND NOT coalesce((one.jsonb->>'invoiceCancelled')::boolean, false)",
        tables.table("transaction"),
        tables.table("invoices"),
    );
    vec![
        (
            "money awaits payment only for approved invoices",
            "cancel the invoice, or pay it",
            format!(
                "SELECT one.id, invoice.jsonb->>'status' <> 'Approved' AS fault FROM {of_invoices} \
                 AND one.jsonb->>'transactionType' = 'Pending payment'"
            ),
        ),
        (
            "money is paid only for paid invoices",
            "cancel the invoice, or pay it",
            format!(
                "SELECT one.id, invoice.jsonb->>'status' <> 'Paid' AS fault FROM {of_invoices} \
                 AND one.jsonb->>'transactionType' IN ('Payment', 'Credit')"
            ),
        ),
    ]
}

fn vouchers(tables: Tables<'_>) -> Vec<Rule> {
    let (vouchers, lines) = (tables.table("vouchers"), tables.table("voucher_lines"));
    vec![
        (
            "a voucher's amount is that of its lines",
            "change the exchange rate of the approved invoice, or correct the voucher in storage",
            format!(
                "SELECT voucher.id, (voucher.jsonb->>'amount')::numeric <> sums.sum AS fault \
                 FROM {vouchers} AS voucher JOIN (SELECT voucherid, \
                 sum((jsonb->>'amount')::numeric) AS sum FROM {lines} GROUP BY voucherid) AS sums \
                 ON sums.voucherid = voucher.id"
            ),
        ),
        (
            // An invoice that was cancelled can be approved again without anything else happening.
            "a voucher has the status of its invoice",
            "correct the status of the voucher by /voucher-storage/vouchers",
            format!(
                "SELECT voucher.id, NOT (invoice.jsonb->>'status', voucher.jsonb->>'status') IN \
                 (VALUES ('Approved', 'Awaiting payment'), ('Approved', 'Cancelled'), \
                 ('Paid', 'Paid'), ('Cancelled', 'Cancelled')) AS fault \
                 FROM {vouchers} AS voucher JOIN {} AS invoice ON invoice.id = voucher.invoiceid",
                tables.table("invoices"),
            ),
        ),
    ]
}
