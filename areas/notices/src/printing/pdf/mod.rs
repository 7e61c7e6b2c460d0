//! PDF: written from pages of text, and put together from several.

pub mod merge;
mod read;
mod token;
pub mod write;
