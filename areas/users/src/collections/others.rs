//! Other record types of mod-users: definitions of custom fields, pins, registrations, settings, and the
//! tenants of a consortium's users.

use octavo_custom_fields::{CustomFields, Holder};
use octavo_records::{Collection, Index};

/// The properties that a search of registrations by `keywords` looks into.
const STAGING_KEYWORDS: [&str; 11] = [
    "generalInfo.firstName",
    "generalInfo.preferredFirstName",
    "generalInfo.middleName",
    "generalInfo.lastName",
    "contactInfo.phone",
    "contactInfo.mobilePhone",
    "contactInfo.email",
    "preferredEmailCommunication",
    "id",
    "isEmailVerified",
    "externalSystemId",
];

/// The custom fields of users.
pub static CUSTOM_FIELDS: CustomFields = CustomFields {
    table: "custom_fields",
    holders: &[Holder {
        entity: "user",
        table: "users",
        values: "jsonb->'customFields'",
        dated: Some("updatedDate"),
    }],
};

/// The hashes of patrons' pins, by user. No route lists them.
#[must_use]
pub fn patron_pins() -> Collection {
    Collection::new(
        "patronpin",
        "patronPins",
        include_str!("../shapes/patronpin.shape"),
    )
}

/// Self-registrations.
#[must_use]
pub fn staging_users() -> Collection {
    let names = [
        "contactInfo.email",
        "generalInfo.firstName",
        "generalInfo.lastName",
        "generalInfo.middleName",
    ];
    let mut staging = Collection::new(
        "staging_users",
        "staging_users",
        include_str!("../shapes/staging_users.shape"),
    )
    .with_result_info()
    .index(Index::unique("externalSystemId"))
    .index(Index::gin("externalSystemId"))
    .index(Index::full_text("keywords").over(&STAGING_KEYWORDS));
    staging.indexes.extend(names.into_iter().map(Index::plain));
    staging.indexes.extend(names.into_iter().map(Index::gin));
    staging
}

/// The settings of mod-users; each key once.
#[must_use]
pub fn settings() -> Collection {
    Collection::new(
        "user_settings",
        "settings",
        include_str!("../shapes/user_settings.shape"),
    )
    .locked()
    .plain_conflicts()
    .index(Index::unique("key"))
}

/// Which tenants the users of a consortium belong to. Empty for a tenant outside a consortium.
#[must_use]
pub fn user_tenants() -> Collection {
    let exact = [
        "userId",
        "tenantId",
        "email",
        "phoneNumber",
        "mobilePhoneNumber",
        "barcode",
        "externalSystemId",
    ];
    let mut tenants = Collection::new(
        "user_tenant",
        "userTenants",
        include_str!("../shapes/user_tenant.shape"),
    )
    .index(Index::plain("username"));
    tenants.indexes.extend(
        exact
            .into_iter()
            .map(|field| Index::plain(field).case_sensitive().keep_accents()),
    );
    tenants
}
