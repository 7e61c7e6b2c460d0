//! What profiles have to be, and what may stand below what: FOLIO's rules and sentences, without I/O.

pub mod action;
pub mod defaults;
pub mod form;
pub mod job;
pub mod mapping;
