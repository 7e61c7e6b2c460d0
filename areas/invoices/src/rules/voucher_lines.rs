//! The lines of a voucher: what its invoice takes from each account of the library's accounting.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use uuid::Uuid;

use super::amount::{half_even, json as number};
use super::distribution::Distribution;

/// A part of the invoice, in the system's currency and not rounded.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The account of the fund, with that of the expense class.
    pub account: String,
    /// The code of the fund, with that of the expense class.
    pub code: String,
    /// The line of the invoice; adjustments of the invoice have none.
    pub invoice_line_id: Option<Uuid>,
    pub distribution: Distribution,
    pub amount: Decimal,
}

/// One line of a voucher.
#[derive(Debug, Clone, PartialEq)]
pub struct VoucherLine {
    pub account: String,
    pub amount: Decimal,
    pub parts: Vec<Part>,
}

/// The parts by accounts, in the order in which the accounts appear; the amount of each line is rounded once.
#[must_use]
pub fn group(parts: Vec<Part>, places: u32) -> Vec<VoucherLine> {
    let mut lines: Vec<VoucherLine> = Vec::new();
    for part in parts {
        match lines.iter_mut().find(|line| line.account == part.account) {
            Some(line) => line.parts.push(part),
            None => lines.push(VoucherLine {
                account: part.account.clone(),
                amount: Decimal::ZERO,
                parts: vec![part],
            }),
        }
    }
    for line in &mut lines {
        let sum = line.parts.iter().map(|part| part.amount).sum();
        line.amount = half_even(sum, places);
    }
    lines
}

/// The amount of the voucher.
#[must_use]
pub fn amount(lines: &[VoucherLine]) -> Decimal {
    lines.iter().map(|line| line.amount).sum()
}

impl VoucherLine {
    /// The record.
    #[must_use]
    pub fn document(&self, voucher_id: Uuid, places: u32) -> Value {
        let mut sources: Vec<Uuid> = Vec::new();
        for id in self.parts.iter().filter_map(|part| part.invoice_line_id) {
            if !sources.contains(&id) {
                sources.push(id);
            }
        }
        let distributions: Vec<Value> = self
            .parts
            .iter()
            .map(|part| part.document(places))
            .collect();
        json!({
            "voucherId": voucher_id, "amount": number(self.amount),
            "externalAccountNumber": self.account, "fundDistributions": distributions,
            "sourceIds": sources,
        })
    }
}

impl Part {
    fn document(&self, places: u32) -> Value {
        let mut document = json!({
            "code": self.code, "fundId": self.distribution.fund_id, "distributionType": "amount",
            "value": number(half_even(self.amount, places)),
        });
        let optional = [
            ("encumbrance", self.distribution.encumbrance),
            ("expenseClassId", self.distribution.expense_class_id),
            ("invoiceLineId", self.invoice_line_id),
        ];
        for (name, id) in optional {
            if let Some(id) = id {
                document[name] = json!(id);
            }
        }
        document
    }
}

#[cfg(test)]
mod tests {
    use super::super::amount::tests::decimal;
    use super::super::share;
    use super::*;

    fn distribution(text: &str) -> Distribution {
        Distribution {
            fund_id: Uuid::nil(),
            expense_class_id: None,
            encumbrance: None,
            is_percentage: text.ends_with('%'),
            value: decimal(text.trim_end_matches('%')),
        }
    }

    fn part(account: &str, code: &str, line: u128, amount: Decimal) -> Part {
        Part {
            account: account.to_owned(),
            code: code.to_owned(),
            invoice_line_id: (line > 0).then(|| Uuid::from_u128(line)),
            distribution: distribution("100%"),
            amount,
        }
    }

    fn sums(lines: &[VoucherLine]) -> Vec<(&str, String)> {
        let sum = |line: &VoucherLine| line.amount.to_string();
        lines
            .iter()
            .map(|line| (line.account.as_str(), sum(line)))
            .collect()
    }

    /// L1–L3 of the worked examples.
    #[test]
    fn a_line_is_rounded_once() {
        for (total, rate, rows, accounts, result, whole) in [
            (
                "10.00",
                "1.2345",
                ["50%", "50%"],
                ["5000", "6000"],
                vec![("5000", "6.17"), ("6000", "6.18")],
                "12.35",
            ),
            (
                "10.00",
                "1.2345",
                ["50%", "50%"],
                ["5000", "5000"],
                vec![("5000", "12.34")],
                "12.34",
            ),
            (
                "100.00",
                "1.1",
                ["40", "60"],
                ["5000", "6000"],
                vec![("5000", "40"), ("6000", "70.00")],
                "110.00",
            ),
        ] {
            let rows = rows.map(distribution);
            let amounts = share::on_voucher(decimal(total), decimal(rate), 2, &rows);
            let parts = amounts
                .into_iter()
                .zip(accounts)
                .map(|(amount, account)| part(account, "A", 1, amount));
            let lines = group(parts.collect(), 2);
            let result: Vec<(&str, String)> = result
                .into_iter()
                .map(|(account, sum)| (account, sum.to_owned()))
                .collect();
            assert_eq!(sums(&lines), result, "{total} × {rate}");
            assert_eq!(amount(&lines), decimal(whole));
        }
    }

    /// L5 and L6 of the worked examples.
    #[test]
    fn parts_are_grouped_by_account() {
        let mut parts = vec![
            part("5000", "A", 1, decimal("30.00")),
            part("5000", "B", 1, decimal("25.55")),
            part("5000-10", "A-PRN", 2, decimal("12.00")),
            part("6000", "C", 2, decimal("14.45")),
        ];
        let lines = group(parts.clone(), 2);
        let text = |account, sum: &str| (account, sum.to_owned());
        assert_eq!(
            sums(&lines),
            [
                text("5000", "55.55"),
                text("5000-10", "12.00"),
                text("6000", "14.45")
            ]
        );
        assert_eq!(amount(&lines), decimal("82.00"));
        parts.push(part("5000", "A", 0, decimal("9.00")));
        let lines = group(parts, 2);
        assert_eq!(lines[0].amount, decimal("64.55"));
        assert_eq!(amount(&lines), decimal("91.00"));
        let document = lines[0].document(Uuid::nil(), 2);
        assert_eq!(document["sourceIds"], json!([Uuid::from_u128(1)]));
        assert_eq!(document["fundDistributions"][1]["code"], "B");
        assert_eq!(document["fundDistributions"][2].get("invoiceLineId"), None);
    }
}
