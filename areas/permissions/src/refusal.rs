//! Refusals of changes of permissions, with mod-permissions' messages. Handlers choose the status.

use std::fmt;

use octavo_records::OperationError;

use crate::rules::assigning::Unowned;

/// Names that one message lists at most; a client may send any number.
const NAMES_MAX: usize = 100;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such permission user.
    NoUser,
    /// There is no permission of this id.
    NoPermission,
    /// The operating user may not assign permissions that it lacks.
    Unowned {
        /// The permissions.
        unowned: Unowned,
        /// The user's id.
        operator: String,
    },
    /// A permission user would hold undefined permissions.
    UnknownToUser {
        names: Vec<String>,
        /// The permission user's id.
        holder: String,
    },
    /// A set would contain undefined permissions.
    UnknownToSet { names: Vec<String>, set: String },
    /// Sets that would contain each other in a cycle.
    Cycle(Vec<String>),
    /// A user cannot hold placeholders.
    Dummies,
    /// The same, of one permission.
    Dummy(String),
    /// There is no permission of this name.
    Undefined(String),
    /// The user has the permission already; the permission user's id and how the client named it.
    Has {
        permission: String,
        /// The permission user's id.
        holder: String,
    },
    /// The user does not have the permission.
    HasNot(String),
    /// The name belongs to another permission.
    NameTaken(String),
    /// A permission's name cannot change.
    NameChanged,
    /// Only the module may change a permission that it defined.
    ImmutableChanged,
    /// The same, of a deletion.
    ImmutableDeleted,
    /// A module defines a name that the library has taken.
    TakenByLibrary(String),
    /// A module defines a name of another module.
    TakenByModule {
        permission: String,
        /// The other module.
        module: String,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoUser => f.write_str("No permissions user found"),
            Refusal::NoPermission => f.write_str("No permission found"),
            Refusal::Unowned { unowned, operator } => {
                let plural = if unowned.names.len() > 1 { "s" } else { "" };
                write!(
                    f,
                    "Cannot add {} permission{plural} {} not owned by operating user {operator}",
                    unowned.kind.word(),
                    listed(&unowned.names, ", ")
                )
            }
            Refusal::UnknownToUser { names, holder } => write!(
                f,
                "Attempting to add non-existent permissions {} to permission user with id {holder}",
                listed(names, ",")
            ),
            Refusal::UnknownToSet { names, set } => write!(
                f,
                "Attempting to add non-existent permissions {} as sub-permissions to permission \
                 {set}",
                listed(names, ",")
            ),
            Refusal::Cycle(names) => write!(
                f,
                "Unable to resolve permission dependencies for {}: each would be a part of itself",
                listed(names, ", ")
            ),
            Refusal::Dummies => f.write_str("Cannot add permissions flagged as 'dummy' to users"),
            Refusal::Dummy(name) => write!(
                f,
                "'{name}' is flagged as a dummy permission and cannot be assigned to a user"
            ),
            Refusal::Undefined(name) => {
                write!(f, "Permission by name '{name}' does not exist")
            }
            Refusal::Has { permission, .. } => write!(f, "already has permission {permission}"),
            Refusal::HasNot(permission) => write!(f, "does not contain {permission}"),
            Refusal::NameTaken(name) => write!(f, "Permission with name {name} already exists"),
            Refusal::NameChanged => f.write_str("permission name property cannot change"),
            Refusal::ImmutableChanged => f.write_str("cannot change an immutable permission"),
            Refusal::ImmutableDeleted => f.write_str("cannot delete an immutable permission"),
            Refusal::TakenByLibrary(name) => write!(
                f,
                "PermissionName collision with user-defined permission: {name}"
            ),
            Refusal::TakenByModule { permission, module } => write!(
                f,
                "Collision! A Permission named {permission} is already defined by {module}"
            ),
        }
    }
}

fn listed(names: &[String], separator: &str) -> String {
    let shown = names.iter().take(NAMES_MAX).map(String::as_str);
    let mut text = shown.collect::<Vec<_>>().join(separator);
    if names.len() > NAMES_MAX {
        text.push_str(&format!(" and {} more", names.len() - NAMES_MAX));
    }
    text
}

impl octavo_records::Refusal for Refusal {}

/// A refusal, or a fault of the store.
pub type Failure = OperationError<Refusal>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_lists_a_bounded_number_of_names() {
        let names: Vec<String> = (0..102).map(|at| format!("p{at}")).collect();
        let text = listed(&names, ",");
        assert!(text.ends_with("p98,p99 and 2 more"), "{text}");
        assert_eq!(listed(&names[..2], ", "), "p0, p1");
    }
}
