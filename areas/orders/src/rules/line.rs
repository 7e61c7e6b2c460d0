//! What an order line says, read from its document.

use rust_decimal::Decimal;
use uuid::Uuid;

use super::amount;
use super::doc::{Doc, flag, id, objects, text, whole};

/// `createInventory`: what is made in the inventory for a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Making {
    Nothing,
    Instance,
    Holdings,
    Items,
}

impl Making {
    /// Reads the property's value.
    #[must_use]
    pub fn named(name: &str) -> Option<Making> {
        Some(match name {
            "None" => Making::Nothing,
            "Instance" => Making::Instance,
            "Instance, Holding" => Making::Holdings,
            "Instance, Holding, Item" => Making::Items,
            _ => return None,
        })
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Making::Nothing => "None",
            Making::Instance => "Instance",
            Making::Holdings => "Instance, Holding",
            Making::Items => "Instance, Holding, Item",
        }
    }

    #[must_use]
    pub fn makes_holdings(self) -> bool {
        self >= Making::Holdings
    }

    #[must_use]
    pub fn makes_items(self) -> bool {
        self == Making::Items
    }
}

/// The two kinds of copies that a line counts apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Physical,
    Electronic,
}

impl Kind {
    pub const BOTH: [Kind; 2] = [Kind::Physical, Kind::Electronic];

    /// The property of `cost` and of a location that counts its copies.
    #[must_use]
    pub fn quantity(self) -> &'static str {
        match self {
            Kind::Physical => "quantityPhysical",
            Kind::Electronic => "quantityElectronic",
        }
    }

    /// The property of the line that describes it.
    #[must_use]
    pub fn part(self) -> &'static str {
        match self {
            Kind::Physical => "physical",
            Kind::Electronic => "eresource",
        }
    }
}

/// `orderFormat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Physical,
    Electronic,
    Mix,
    Other,
}

impl Format {
    /// Whether copies of a kind are ordered.
    #[must_use]
    pub fn has(self, kind: Kind) -> bool {
        match kind {
            Kind::Physical => self != Format::Electronic,
            Kind::Electronic => matches!(self, Format::Electronic | Format::Mix),
        }
    }

    /// The `format` of a piece of this kind.
    #[must_use]
    pub fn piece(self, kind: Kind) -> &'static str {
        match (self, kind) {
            (Format::Other, _) => "Other",
            (_, Kind::Physical) => "Physical",
            (_, Kind::Electronic) => "Electronic",
        }
    }
}

/// The kind that pieces of a `format` are counted as.
#[must_use]
pub fn kind_of_piece(format: &str) -> Kind {
    match format {
        "Electronic" => Kind::Electronic,
        _ => Kind::Physical,
    }
}

/// An order line.
#[derive(Debug, Clone, Copy)]
pub struct Line<'d>(pub &'d Doc);

impl<'d> Line<'d> {
    #[must_use]
    pub fn id(self) -> Uuid {
        id(self.0, "id").unwrap_or_default()
    }

    #[must_use]
    pub fn order_id(self) -> Option<Uuid> {
        id(self.0, "purchaseOrderId")
    }

    #[must_use]
    pub fn number(self) -> &'d str {
        text(self.0, "poLineNumber").unwrap_or_default()
    }

    #[must_use]
    pub fn format(self) -> Format {
        match text(self.0, "orderFormat") {
            Some("Electronic Resource") => Format::Electronic,
            Some("P/E Mix") => Format::Mix,
            Some("Other") => Format::Other,
            _ => Format::Physical,
        }
    }

    #[must_use]
    pub fn is_package(self) -> bool {
        flag(self.0, "isPackage")
    }

    /// Whether pieces are added by hand and the quantities never follow them.
    #[must_use]
    pub fn is_independent(self) -> bool {
        flag(self.0, "checkinItems")
    }

    /// What is made for copies of a kind; `None` where the line does not say.
    #[must_use]
    pub fn making(self, kind: Kind) -> Option<Making> {
        let path = format!("{}.createInventory", kind.part());
        text(self.0, &path).and_then(Making::named)
    }

    /// Whether holdings are made for copies of a kind that the format has.
    #[must_use]
    pub fn makes_holdings(self, kind: Kind) -> bool {
        self.format().has(kind) && self.making(kind).is_some_and(Making::makes_holdings)
    }

    /// Whether items are made for copies of a kind that the format has.
    #[must_use]
    pub fn makes_items(self, kind: Kind) -> bool {
        self.format().has(kind) && self.making(kind).is_some_and(Making::makes_items)
    }

    /// Whether an instance is made for some kind.
    #[must_use]
    pub fn makes_instance(self) -> bool {
        Kind::BOTH.into_iter().any(|kind| {
            self.format().has(kind)
                && self
                    .making(kind)
                    .is_some_and(|making| making >= Making::Instance)
        })
    }

    /// The number of copies of a kind in the cost.
    #[must_use]
    pub fn copies(self, kind: Kind) -> i64 {
        whole(self.0, &format!("cost.{}", kind.quantity())).unwrap_or(0)
    }

    #[must_use]
    pub fn currency(self) -> &'d str {
        text(self.0, "cost.currency").unwrap_or("USD")
    }

    #[must_use]
    pub fn exchange_rate(self) -> Option<Decimal> {
        amount::number(self.0, "cost.exchangeRate")
    }

    pub fn locations(self) -> impl Iterator<Item = &'d Doc> {
        objects(self.0, "locations")
    }

    pub fn distributions(self) -> impl Iterator<Item = &'d Doc> {
        objects(self.0, "fundDistribution")
    }

    #[must_use]
    pub fn payment_status(self) -> &'d str {
        text(self.0, "paymentStatus").unwrap_or("Pending")
    }

    #[must_use]
    pub fn receipt_status(self) -> &'d str {
        text(self.0, "receiptStatus").unwrap_or("Pending")
    }

    /// Whether opening makes pieces of it.
    #[must_use]
    pub fn makes_pieces(self) -> bool {
        !self.is_package()
            && !self.is_independent()
            && self.receipt_status() != "Receipt Not Required"
    }

    /// Whether nothing is to be paid any more.
    #[must_use]
    pub fn is_payment_resolved(self) -> bool {
        matches!(
            self.payment_status(),
            "Cancelled" | "Payment Not Required" | "Fully Paid"
        )
    }

    /// Whether nothing is to be received any more.
    #[must_use]
    pub fn is_receipt_resolved(self) -> bool {
        matches!(
            self.receipt_status(),
            "Cancelled" | "Receipt Not Required" | "Fully Received"
        )
    }

    /// Whether both statuses are Cancelled.
    #[must_use]
    pub fn is_cancelled(self) -> bool {
        self.payment_status() == "Cancelled" && self.receipt_status() == "Cancelled"
    }
}

/// The number of copies of a kind at a location.
#[must_use]
pub fn copies_at(location: &Doc, kind: Kind) -> i64 {
    whole(location, kind.quantity()).unwrap_or(0)
}
