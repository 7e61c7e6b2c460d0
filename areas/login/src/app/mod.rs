//! The operations of this area, one a file.

pub mod log_in;
pub mod log_out;
pub mod password;
pub mod refresh;
pub mod set_password;
pub mod set_up_administrator;
pub mod sign;
