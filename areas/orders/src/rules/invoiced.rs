//! What invoices say about order lines.

use rust_decimal::Decimal;
use uuid::Uuid;

/// A line of an invoice about an order line.
#[derive(Debug, Clone, PartialEq)]
pub struct InvoicedLine {
    /// The order line.
    pub of_line: Uuid,
    /// `invoiceLineStatus`.
    pub status: String,
    /// Whether it releases the encumbrance.
    pub releases: bool,
    pub total: Decimal,
    pub invoice_id: Uuid,
    /// `status` of the invoice.
    pub invoice_status: String,
    pub fiscal_year_id: Option<Uuid>,
    pub currency: String,
    pub rate: Option<Decimal>,
}

impl InvoicedLine {
    fn is_paid(&self) -> bool {
        self.status == "Paid"
    }
}

/// The lines of invoices about some order lines.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Invoiced {
    pub lines: Vec<InvoicedLine>,
}

impl Invoiced {
    /// Those about one line.
    pub fn about(&self, line_id: Uuid) -> impl Iterator<Item = &InvoicedLine> {
        self.lines.iter().filter(move |one| one.of_line == line_id)
    }

    /// Whether an approved invoice line is about a line.
    #[must_use]
    pub fn has_approved(&self, line_id: Uuid) -> bool {
        self.about(line_id).any(|one| one.status == "Approved")
    }

    /// Whether a paid invoice line is about a line.
    #[must_use]
    pub fn has_paid(&self, line_id: Uuid) -> bool {
        self.about(line_id).any(InvoicedLine::is_paid)
    }

    /// Whether a paid invoice line about a line releases the encumbrance.
    #[must_use]
    pub fn paid_releases(&self, line_id: Uuid) -> bool {
        self.about(line_id).any(|one| one.is_paid() && one.releases)
    }

    /// Whether an approved or paid invoice line about a line releases the encumbrance.
    #[must_use]
    pub fn releases(&self, line_id: Uuid) -> bool {
        self.about(line_id)
            .any(|one| one.releases && matches!(one.status.as_str(), "Approved" | "Paid"))
    }

    /// Whether any invoice line about a line releases, in whatever status.
    #[must_use]
    pub fn some_releases(&self, line_id: Uuid) -> bool {
        self.about(line_id).any(|one| one.releases)
    }

    /// Whether an invoice about a line is paid.
    #[must_use]
    pub fn is_invoice_paid(&self, line_id: Uuid) -> bool {
        self.about(line_id).any(|one| one.invoice_status == "Paid")
    }

    /// What was expended and credited: the totals of paid lines whose invoice counts, in the system's
    /// currency, rounded for each invoice by `round`.
    pub fn spent(
        &self,
        counts: impl Fn(&InvoicedLine) -> bool,
        round: impl Fn(Decimal) -> Decimal,
    ) -> (Decimal, Decimal) {
        let mut sums: Vec<(Uuid, Decimal, Decimal)> = Vec::new();
        let paid = self.lines.iter().filter(|one| one.is_paid() && counts(one));
        for line in paid {
            if !sums.iter().any(|(id, ..)| *id == line.invoice_id) {
                sums.push((line.invoice_id, Decimal::ZERO, Decimal::ZERO));
            }
            let found = sums.iter_mut().find(|(id, ..)| *id == line.invoice_id);
            if let Some((_, expended, credited)) = found {
                match line.total >= Decimal::ZERO {
                    true => *expended += line.total,
                    false => *credited -= line.total,
                }
            }
        }
        sums.into_iter().fold(
            (Decimal::ZERO, Decimal::ZERO),
            |(expended, credited), (_, more, less)| {
                (expended + round(more), credited + round(less))
            },
        )
    }
}
