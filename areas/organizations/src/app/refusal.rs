//! Why an operation on organizations is refused.

use uuid::Uuid;

/// What mod-organizations refuses, in addition to what the record store does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Two accounts of the organization have one number.
    AccountNumbers,
    /// The id in the body is not that in the path.
    IdMismatch,
    /// The user is a member of none of the units that protect the record.
    Restricted,
    /// The user may not change the units of a record.
    MayNotManageUnits,
    /// Units that do not exist, or are deleted.
    UnknownUnits(Vec<Uuid>),
    /// The id in an interface's credentials is not that in the path.
    CredentialsMismatch,
}

impl octavo_records::Refusal for Refusal {}
