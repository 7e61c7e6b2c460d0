//! The record types of this area.

mod entries;
mod settings;

pub use entries::{AUDITS, entries};
pub use settings::{BASE_URL, LOCALE, base_url, locale, settings, tenant_addresses};
