//! The record type of configuration entries.

use octavo_records::{Collection, Index, Operations};

/// One setting of a module, of the tenant or of one user.
///
/// Only enabled entries are unique: by module, name, code and user, where a code or user that is
/// absent counts as one of its own (FOLIO's four partial unique keys).
#[must_use]
pub fn entries() -> Collection {
    Collection::new(
        "config_data",
        "configs",
        include_str!("shapes/config_data.shape"),
    )
    .listed_conflicts()
    .audited("audit_config_data", "config_data", Operations::All)
    .index(unique("tenant_code", &["configName", "code"], true, false))
    .index(unique("tenant", &["configName"], false, false))
    .index(unique(
        "user_code",
        &["configName", "code", "userId"],
        true,
        true,
    ))
    .index(unique("user", &["configName", "userId"], false, true))
    .index(Index::plain("module").keep_accents())
    .index(Index::like("configName").keep_accents())
    .index(Index::like("code").keep_accents())
    .index(Index::full_text("module"))
    .index(Index::full_text("configName"))
    .index(Index::gin("value"))
}

fn unique(name: &str, with: &[&str], code: bool, user: bool) -> Index {
    let present = |property: &str, is: bool| {
        let not = if is { "NOT " } else { "" };
        format!("(jsonb->'{property}') IS {not}NULL")
    };
    let condition = format!(
        "(jsonb->>'enabled')::boolean IS TRUE AND {} AND {}",
        present("code", code),
        present("userId", user)
    );
    Index::unique(name)
        .over(&["module"])
        .with(with)
        .when(&condition)
}
