//! The small lists that orders are written with, and the settings of orders.

use octavo_records::{Collection, Index};

use super::MOST_COUNTED;

/// None of them refers to another.
#[must_use]
pub(super) fn all() -> Vec<Collection> {
    vec![
        list("alert", "alerts", include_str!("../shapes/alert.shape")).plain_conflicts(),
        list(
            "reporting_code",
            "reportingCodes",
            include_str!("../shapes/reporting_code.shape"),
        )
        .plain_conflicts(),
        list(
            "reasons_for_closure",
            "reasonsForClosure",
            include_str!("../shapes/reason_for_closure.shape"),
        )
        .listed_conflicts()
        .index(Index::unique("reason")),
        list(
            "prefixes",
            "prefixes",
            include_str!("../shapes/prefix.shape"),
        )
        .listed_conflicts()
        .index(Index::unique("name")),
        list(
            "suffixes",
            "suffixes",
            include_str!("../shapes/suffix.shape"),
        )
        .listed_conflicts()
        .index(Index::unique("name")),
        list(
            "acquisition_method",
            "acquisitionMethods",
            include_str!("../shapes/acquisition_method.shape"),
        )
        .plain_conflicts()
        .index(Index::unique("value")),
        list(
            "order_templates",
            "orderTemplates",
            include_str!("../shapes/order_template.shape"),
        )
        .listed_conflicts()
        .index(Index::unique("templateName")),
        export_history(),
        list(
            "order_settings",
            "settings",
            include_str!("../shapes/setting.shape"),
        )
        .plain_conflicts()
        .locked()
        .index(Index::unique("key")),
    ]
}

fn list(table: &str, list_key: &str, shape: &str) -> Collection {
    Collection::new(table, list_key, shape).exact_count(MOST_COUNTED)
}

fn export_history() -> Collection {
    list(
        "export_history",
        "exportHistories",
        include_str!("../shapes/export_history.shape"),
    )
    .index(Index::plain("exportDate"))
    .index(Index::unique("exportJobId"))
    .index(Index::gin("exportedPoLineIds"))
}
