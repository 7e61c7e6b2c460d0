//! Messages: mail server settings, recipient, and MIME bytes. No I/O.

pub mod letter;
pub mod mime;
pub mod settings;
