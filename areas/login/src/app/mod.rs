//! The operations of this area, one a file.

pub mod log_in;
pub mod set_password;
pub mod set_up_administrator;
