//! The log of bulk changes of funds and budgets.

use octavo_records::{Collection, Index};

pub(super) fn fund_update_logs() -> Collection {
    Collection::new(
        "fund_update_log",
        "fundUpdateLogs",
        include_str!("../shapes/fund_update_log.shape"),
    )
    .located("/finance-storage/fund-update-logs/")
    .locked()
    .listed_conflicts()
    .index(
        Index::full_text("jobDetails.fyFinanceData")
            .keep_accents()
            .elements("finance", &["fiscalYearId", "ledgerId", "groupId"]),
    )
}
