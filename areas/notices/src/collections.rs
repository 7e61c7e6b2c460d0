//! The record types of notices.

use octavo_records::{Collection, Index, QueryRefusal};

/// The templates. They accept unknown properties, which front ends store there, as in FOLIO.
#[must_use]
pub fn templates() -> Collection {
    let shape = include_str!("shapes/template.shape");
    let mut collection = Collection::new("template", "templates", shape)
        .index(Index::plain("name"))
        .index(Index::plain("category"))
        .index(Index::plain("active"))
        .index(Index::plain("description"))
        .index(Index::plain("scope"))
        .located("/templates/")
        .path_id_wins()
        .refusing_queries(QueryRefusal::Listed);
    collection.shape.root.open = true;
    collection
}

/// Event configurations: the templates of an event.
#[must_use]
pub fn event_configurations() -> Collection {
    let shape = include_str!("shapes/event_configuration.shape");
    Collection::new("event_configurations", "eventEntity", shape)
        .index(Index::unique("name"))
        .path_id_wins()
        .plain_conflicts()
}

/// Notifications of users.
#[must_use]
pub fn notifications() -> Collection {
    let shape = include_str!("shapes/notification.shape");
    Collection::new("notify_data", "notifications", shape)
        .located("/notify/")
        .path_id_wins()
        .refusing_queries(QueryRefusal::Listed)
        .index(Index::gin("text").case_sensitive())
        .index(Index::plain("recipientId"))
        .index(Index::full_text("recipientId"))
        .index(Index::plain("eventConfigName"))
}

/// Messages: sent, waiting and failed.
#[must_use]
pub fn emails() -> Collection {
    let shape = include_str!("shapes/email.shape");
    Collection::new("email_statistics", "emailEntity", shape)
        .keeping_unknown()
        // Nearly all are delivered in the end, and wait before.
        .index(Index::plain("status").except(&["PROCESSING", "DELIVERED"]))
        .index(
            Index::plain("shouldRetry")
                .case_sensitive()
                .keep_accents()
                .on_demand(),
        )
        .index(
            Index::plain("metadata.createdDate")
                .case_sensitive()
                .keep_accents()
                .on_demand(),
        )
        .index(Index::plain("date").case_sensitive().keep_accents())
        .index(Index::plain("to"))
        .index(Index::plain("notificationId").on_demand())
}

/// The mail server's configuration of releases before the settings.
#[must_use]
pub fn smtp_configurations() -> Collection {
    let shape = include_str!("shapes/smtp_configuration.shape");
    Collection::new("smtp_configuration", "smtpConfigurations", shape)
}

/// The settings of mod-email.
#[must_use]
pub fn email_settings() -> Collection {
    let shape = include_str!("shapes/email_setting.shape");
    Collection::new("email_settings", "settings", shape)
        .located("/email/settings/")
        .index(Index::unique("key").case_sensitive())
        .plain_conflicts()
        .locked()
}

/// The table of print entries.
pub const PRINTING: &str = "printing";

/// Print entries. Their documents are in a separate table.
#[must_use]
pub fn print_entries() -> Collection {
    Collection::new(PRINTING, "items", include_str!("shapes/print_entry.shape"))
        .with_result_info()
        .missing("Not Found", "Not Found")
        .index(Index::plain("type"))
        .index(Index::plain("created").case_sensitive().keep_accents())
        .index(Index::plain("sortingField"))
}
