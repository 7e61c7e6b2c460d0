//! The operations of this area.

pub mod delete_template;
pub mod deliver;
pub mod dispatch;
pub mod expire;
pub mod mail_server;
pub mod merge_letters;
pub mod notify;
pub mod post;
pub mod print_entry;
pub mod print_letter;
pub mod render_queued;
pub mod render_template;
pub mod send_email;
pub mod setting_form;
pub mod template_form;

use octavo_records::{Contention, StoreError, Violation};

use crate::render::Unrendered;

/// Why an operation failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A template was not made into a text.
    #[error(transparent)]
    Unrendered(#[from] Unrendered),
    /// Another refusal, with a message.
    #[error("{0}")]
    Refused(String),
    /// The document does not fit.
    #[error("the document does not fit")]
    Invalid(Vec<Violation>),
    /// A refusal or failure of the store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<octavo_postgres::DatabaseError> for Failure {
    #[track_caller]
    fn from(error: octavo_postgres::DatabaseError) -> Failure {
        Failure::Store(error.into())
    }
}

impl Contention for Failure {
    fn is_contention(&self) -> bool {
        matches!(self, Failure::Store(error) if error.is_contention())
    }
}
