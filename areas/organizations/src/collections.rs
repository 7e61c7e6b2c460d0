//! The record types of organizations.

use octavo_records::{Collection, Index};

/// mod-organizations-storage counts this many records exactly.
const EXACT_COUNT: i64 = 100_000;

fn list(table: &str, key: &str, shape: &str) -> Collection {
    Collection::new(table, key, shape)
        .exact_count(EXACT_COUNT)
        .listed_conflicts()
}

/// What contacts and addresses are for.
#[must_use]
pub fn categories() -> Collection {
    list(
        "categories",
        "categories",
        include_str!("shapes/categories.shape"),
    )
    .index(Index::gin("values").over(&["value"]))
}

/// The kinds of organization.
#[must_use]
pub fn organization_types() -> Collection {
    list(
        "organization_types",
        "organizationTypes",
        include_str!("shapes/organization_types.shape"),
    )
    .locked()
    .index(Index::full_text("name"))
    .index(Index::full_text("status"))
}

/// The organizations. Their code is unique with its case, but without accents.
#[must_use]
pub fn organizations() -> Collection {
    list(
        "organizations",
        "organizations",
        include_str!("shapes/organizations.shape"),
    )
    .index(Index::unique("exactCode").over(&["code"]).case_sensitive())
    .index(Index::plain("code"))
    .index(Index::plain("name"))
    .index(Index::plain("status"))
    .index(
        Index::gin("organizationTypes")
            .case_sensitive()
            .keep_accents(),
    )
    .index(Index::full_text("aliases"))
    .index(Index::full_text("code"))
    .index(Index::full_text("contacts"))
    .index(Index::full_text("privilegedContacts"))
    .index(Index::full_text("erpCode"))
    .index(Index::full_text("interfaces"))
    .index(Index::full_text("language"))
    .index(Index::full_text("name"))
    .index(Index::full_text("acqUnitIds"))
    .index(Index::full_text("taxId"))
}

/// The people at organizations.
#[must_use]
pub fn contacts() -> Collection {
    list(
        "contacts",
        "contacts",
        include_str!("shapes/contacts.shape"),
    )
}

/// Those of them whom only some of the staff may see.
#[must_use]
pub fn privileged_contacts() -> Collection {
    list(
        "privileged_contacts",
        "contacts",
        include_str!("shapes/privileged_contacts.shape"),
    )
    .locked()
}

/// The web sites and services of organizations.
#[must_use]
pub fn interfaces() -> Collection {
    list(
        "interfaces",
        "interfaces",
        include_str!("shapes/interfaces.shape"),
    )
}

/// Names and passwords for interfaces, at most one for each.
#[must_use]
pub fn interface_credentials() -> Collection {
    Collection::new(
        "interface_credentials",
        "interfaceCredentials",
        include_str!("shapes/interface_credentials.shape"),
    )
    .plain_conflicts()
    .reference("interfaceId", "interfaces")
    .index(Index::unique("interfaceId"))
}

/// The kinds of bank account.
#[must_use]
pub fn banking_account_types() -> Collection {
    list(
        "banking_account_types",
        "bankingAccountTypes",
        include_str!("shapes/banking_account_types.shape"),
    )
    .index(Index::unique("name"))
    .index(Index::full_text("name"))
}

/// The bank accounts of organizations.
#[must_use]
pub fn banking_information() -> Collection {
    list(
        "banking_information",
        "bankingInformation",
        include_str!("shapes/banking_information.shape"),
    )
    .locked()
    .crossing(
        "organizationId",
        "organizations",
        "bankingInformation",
        "organizations",
    )
    .crossing(
        "accountTypeId",
        "banking_account_types",
        "bankingInformation",
        "bankingAccountType",
    )
    .index(Index::full_text("bankAccountNumber"))
}

/// The settings of the area; FOLIO's table is named `settings`, which is another area's here.
#[must_use]
pub fn settings() -> Collection {
    list(
        "organization_settings",
        "settings",
        include_str!("shapes/organization_settings.shape"),
    )
    .locked()
    .index(Index::unique("key"))
}

/// Postal addresses, e-mail addresses, telephone numbers and web addresses that belong to nobody: FOLIO
/// serves the lists, and no client of it uses them.
#[must_use]
pub fn free_standing() -> [Collection; 4] {
    [
        list(
            "addresses",
            "addresses",
            include_str!("shapes/addresses.shape"),
        ),
        list("emails", "emails", include_str!("shapes/emails.shape")),
        list(
            "phone_numbers",
            "phoneNumbers",
            include_str!("shapes/phone_numbers.shape"),
        ),
        list("urls", "urls", include_str!("shapes/urls.shape")),
    ]
}
