//! A message: how the mail server is reached, who gets it, and its bytes. No I/O.

pub mod letter;
pub mod mime;
pub mod settings;
