//! Operations on entries and settings beyond the generic ones. Knows no HTTP.

pub mod base_url;
pub mod entry_form;
pub mod locale;
pub mod rights;
pub mod set_locale;
pub mod setting_form;
pub mod upload;
pub mod visible;
