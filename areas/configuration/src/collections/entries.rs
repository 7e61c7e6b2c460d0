//! The record types of mod-configuration: entries, and their history.

use std::sync::LazyLock;

use octavo_records::{Collection, Index, Operations, QueryRefusal};

/// One setting of a module, of the tenant or of one user.
///
/// Only enabled entries are unique: by module, name, code and user, where an absent code or user counts
/// as a value (FOLIO's four partial unique keys).
#[must_use]
pub fn entries() -> Collection {
    Collection::new(
        "config_data",
        "configs",
        include_str!("../shapes/config_data.shape"),
    )
    .reads_cached()
    .listed_conflicts()
    .faceted()
    .located("/configurations/entries/")
    .refusing_queries(QueryRefusal::Quoting)
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

/// The history of entries, read-only: triggers write its rows. It is in no catalog, since its table
/// belongs to the entries; its indexes are in this area's migration `configuration audit`.
pub static AUDITS: LazyLock<Collection> = LazyLock::new(|| {
    let shape = include_str!("../shapes/audit_config_data.shape");
    Collection::new("audit_config_data", "audits", shape)
        .index(Index::plain("config_data.module"))
        .index(Index::like("createdDate").case_sensitive().keep_accents())
});

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

#[cfg(test)]
mod tests {
    use octavo_records::ddl;

    use super::*;

    #[test]
    fn the_migration_makes_the_indexes_that_searches_use() {
        let made = include_str!("../migrations/configuration_audit.sql");
        for index in &AUDITS.indexes {
            let wanted = ddl::index("{schema}", &AUDITS, index);
            assert!(made.contains(&wanted), "{wanted}");
        }
    }
}
