//! The record types of this area. Associations are rows of its own (`migrations/associations.sql`).

use octavo_records::{Collection, Index, QueryRefusal};

use crate::kind::ProfileKind;

#[must_use]
pub fn profiles(kind: ProfileKind) -> Collection {
    let (list, shape) = match kind {
        ProfileKind::Job => ("jobProfiles", include_str!("shapes/job_profile.shape")),
        ProfileKind::Match => ("matchProfiles", include_str!("shapes/match_profile.shape")),
        ProfileKind::Action => (
            "actionProfiles",
            include_str!("shapes/action_profile.shape"),
        ),
        ProfileKind::Mapping => (
            "mappingProfiles",
            include_str!("shapes/mapping_profile.shape"),
        ),
    };
    let mut collection = Collection::new(kind.table(), list, shape)
        .refusing_queries(QueryRefusal::Listed)
        // Names are unique without case and surrounding blanks.
        .index(
            Index::unique("exactName")
                .expression("trim(both ' ' from jsonb->>'name')")
                .keep_accents(),
        )
        .index(Index::plain("name"))
        .index(Index::full_text("name"))
        .index(Index::gin("name"))
        .index(Index::full_text("description"))
        .index(Index::gin("description"))
        .index(Index::full_text("tags.tagList"))
        .index(Index::plain("hidden"));
    for field in [
        "userInfo.firstName",
        "userInfo.lastName",
        "userInfo.userName",
    ] {
        collection = collection
            .index(Index::plain(field))
            .index(Index::full_text(field))
            .index(Index::gin(field));
    }
    for field in [
        "metadata.createdDate",
        "metadata.updatedDate",
        "metadata.updatedByUserId",
    ] {
        collection = collection.index(Index::plain(field));
    }
    let own: &[&str] = match kind {
        ProfileKind::Job => &["dataType"],
        ProfileKind::Action => &["action", "folioRecord"],
        ProfileKind::Match | ProfileKind::Mapping => &["existingRecordType", "incomingRecordType"],
    };
    own.iter().fold(collection, |collection, field| {
        collection
            .index(Index::plain(field))
            .index(Index::full_text(field))
            .index(Index::gin(field))
    })
}

/// The snapshots of trees.
#[must_use]
pub fn snapshots() -> Collection {
    Collection::new(
        "profile_snapshots",
        "profileSnapshots",
        include_str!("shapes/profile_snapshot.shape"),
    )
}

/// The configurations of clients' forms.
#[must_use]
pub fn form_configs() -> Collection {
    Collection::new(
        "forms_configs",
        "formConfigs",
        include_str!("shapes/form_config.shape"),
    )
    .index(Index::unique("formName").case_sensitive().keep_accents())
    .plain_conflicts()
}

/// The protected fields.
#[must_use]
pub fn protections() -> Collection {
    let texts = [
        "field",
        "indicator1",
        "indicator2",
        "subfield",
        "data",
        "source",
    ];
    let collection = Collection::new(
        "marc_field_protection_settings",
        "marcFieldProtectionSettings",
        include_str!("shapes/marc_field_protection_setting.shape"),
    )
    .refusing_queries(QueryRefusal::Listed);
    texts.iter().fold(collection, |collection, field| {
        collection
            .index(Index::plain(field))
            .index(Index::full_text(field))
    })
}
