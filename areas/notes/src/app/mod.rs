//! Operations on notes and tags. Knows no HTTP.

pub mod add_type;
pub mod find_linked;
pub mod link;
pub mod note_form;
