//! Newtype ids, one for each kind of record, so that the id of an item cannot be passed for that of
//! a title. On the wire, in documents and in the database each is a UUID.

use std::error::Error;
use std::fmt;

use bytes::BytesMut;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type};
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// The id with this number; for constants.
            #[must_use]
            pub const fn from_u128(number: u128) -> $name {
                $name(Uuid::from_u128(number))
            }

            /// The id as a plain UUID, for code that handles records of every type.
            #[must_use]
            pub const fn uuid(self) -> Uuid {
                self.0
            }

            /// Parses an id.
            #[must_use]
            pub fn parse(text: &str) -> Option<$name> {
                Uuid::try_parse(text).ok().map($name)
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> $name {
                $name(id)
            }
        }

        impl From<$name> for Uuid {
            fn from(id: $name) -> Uuid {
                id.0
            }
        }

        impl From<$name> for Value {
            fn from(id: $name) -> Value {
                Value::String(id.0.to_string())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }

        impl ToSql for $name {
            fn to_sql(
                &self,
                kind: &Type,
                out: &mut BytesMut,
            ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
                self.0.to_sql(kind, out)
            }

            fn accepts(kind: &Type) -> bool {
                <Uuid as ToSql>::accepts(kind)
            }

            tokio_postgres::types::to_sql_checked!();
        }

        impl<'a> FromSql<'a> for $name {
            fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<$name, Box<dyn Error + Sync + Send>> {
                Uuid::from_sql(kind, raw).map($name)
            }

            fn accepts(kind: &Type) -> bool {
                <Uuid as FromSql<'_>>::accepts(kind)
            }
        }
    )+};
}

ids! {
    /// Id of an instance: a title.
    InstanceId;
    /// Id of a holdings record: what one location has of a title.
    HoldingsId;
    /// Id of an item: one copy.
    ItemId;
    MaterialTypeId;
    LoanTypeId;
    InstitutionId;
    CampusId;
    LibraryId;
    LocationId;
    /// Id of a service point: a desk.
    ServicePointId;
    /// Id of a user, whether patron or staff.
    UserId;
    PatronGroupId;
    LoanId;
    RequestId;
    /// Id of the reason for which requests are cancelled.
    CancellationReasonId;
    LoanPolicyId;
    RequestPolicyId;
    NoticePolicyId;
    OverdueFinePolicyId;
    LostItemPolicyId;
    /// Id of a fixed due date schedule.
    ScheduleId;
    /// Id of an account: a charged fee or fine.
    AccountId;
    /// Id of a fee/fine action: what was done to an account.
    FeeFineActionId;
    /// Id of the owner of fees and fines.
    FeeFineOwnerId;
    FeeFineTypeId;
    /// Id of a patron notice template.
    TemplateId;
    AuthorityId;
    /// Id of one generation of a source record.
    SourceRecordId;
    /// Id that all generations of a source record share; FOLIO's `matchedId`.
    MatchedId;
    /// Id of a snapshot: the group of source records that one job stores.
    SnapshotId;
    /// Id of an import; FOLIO's `jobExecutionId`. Its snapshot has the same one.
    JobExecutionId;
    /// Id of a chunk: some records of an import.
    ChunkId;
    /// Id of a record of an import as it arrived.
    IncomingRecordId;
    /// Id of a job, match, action or mapping profile of imports.
    ProfileId;
    /// Id of a node in a tree of profiles: one place of a profile; FOLIO's profile wrapper.
    ProfileWrapperId;
    /// Id of an edge in a tree of profiles: FOLIO's profile association.
    AssociationId;
    /// Id of an upload definition: the files of one import.
    UploadDefinitionId;
    /// Id of a file within its upload definition.
    FileDefinitionId;
    /// Id of the stored bytes of a file. A repeated upload of a file stores new ones.
    StoredFileId;
    /// Id of one attempt to upload a file.
    UploadAttemptId;
    /// Id of a multipart upload.
    MultipartUploadId;
    /// Id of one run of an export.
    ExportJobId;
    /// Id of a job or mapping profile of exports.
    ExportProfileId;
    /// Id of a session: one log-in, whose tokens are revoked together.
    SessionId;
    CredentialsId;
    CustomFieldId;
    AddressTypeId;
    DepartmentId;
}

/// The id of a record's first generation is shared by those that follow.
impl From<SourceRecordId> for MatchedId {
    fn from(first: SourceRecordId) -> MatchedId {
        MatchedId(first.0)
    }
}

/// FOLIO stores the source records of an import in a snapshot with the import's id.
impl From<JobExecutionId> for SnapshotId {
    fn from(job: JobExecutionId) -> SnapshotId {
        SnapshotId(job.0)
    }
}

/// The id in a property of a document, if the property holds one.
#[must_use]
pub fn id_in<I: From<Uuid>>(document: &Map<String, Value>, property: &str) -> Option<I> {
    id_at(document.get(property)?)
}

/// The id that a value holds, if it is one.
#[must_use]
pub fn id_at<I: From<Uuid>>(value: &Value) -> Option<I> {
    Uuid::try_parse(value.as_str()?).ok().map(I::from)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TEXT: &str = "00000000-0000-0000-0000-000000000007";

    #[test]
    fn an_id_is_a_uuid_wherever_it_goes() {
        let id = ItemId::from_u128(7);
        assert_eq!(json!(id), json!(TEXT));
        assert_eq!(Value::from(id), json!(TEXT));
        assert_eq!(id.to_string(), TEXT);
        assert_eq!(serde_json::from_value::<ItemId>(json!(TEXT)).ok(), Some(id));
        let mut bytes = [BytesMut::new(), BytesMut::new()];
        id.to_sql(&Type::UUID, &mut bytes[0]).expect("an id");
        id.uuid()
            .to_sql(&Type::UUID, &mut bytes[1])
            .expect("a UUID");
        assert_eq!(bytes[0], bytes[1]);
        assert_eq!(ItemId::from_sql(&Type::UUID, &bytes[0]).ok(), Some(id));
    }

    #[test]
    fn what_is_no_id_is_none() {
        let document = json!({"itemId": TEXT, "barcode": "7", "copies": 7});
        let document = document.as_object().expect("an object");
        assert_eq!(
            id_in::<ItemId>(document, "itemId"),
            Some(ItemId::from_u128(7))
        );
        for property in ["barcode", "copies", "loanId"] {
            assert_eq!(id_in::<ItemId>(document, property), None, "{property}");
        }
    }
}
