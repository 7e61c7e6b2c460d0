//! Letters on paper: the text of a notice made into pages, and the pages of many letters put together. No
//! I/O.

pub mod font;
pub mod hex;
pub mod html;
pub mod layout;
pub mod pdf;
