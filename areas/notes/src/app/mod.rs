//! What can be done with notes beyond reading them. Knows no HTTP.

pub mod find_linked;
pub mod link;
pub mod note_form;
