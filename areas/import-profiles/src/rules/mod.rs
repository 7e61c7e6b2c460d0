//! FOLIO's validation of profiles and associations with its messages, without I/O.

pub mod action;
pub mod defaults;
pub mod form;
pub mod job;
pub mod mapping_profile;
