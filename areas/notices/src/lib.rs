//! The path of a notice: templates, notifications, messages and e-mail.

pub mod mustache;
pub mod render;
