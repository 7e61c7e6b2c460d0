//! Printing letters: lays out the text of a notice, and merges the pages of many letters. No I/O.

pub mod font;
pub mod hex;
pub mod html;
pub mod layout;
pub mod pdf;
