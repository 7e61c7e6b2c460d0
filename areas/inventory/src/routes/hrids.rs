//! The SQL functions that assign HRIDs: one for each numbered record type.

/// The migrations that create them: name and SQL.
pub(super) fn numbered() -> Vec<(&'static str, &'static str)> {
    let step = |name, function, table, kind| {
        let sql = include_str!("../migrations/next_hrids.sql")
            .replace("{function}", function)
            .replace("{table}", table)
            .replace("{kind}", kind);
        // Declarations live as long as the process.
        (name, &*Box::leak(sql.into_boxed_str()))
    };
    vec![
        step(
            "inventory-0002-instance-hrids",
            "instance_hrids",
            "instance",
            "instances",
        ),
        step(
            "inventory-0003-holdings-hrids",
            "holdings_hrids",
            "holdings_record",
            "holdings",
        ),
        step("inventory-0004-item-hrids", "item_hrids", "item", "items"),
    ]
}
