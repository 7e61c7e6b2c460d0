//! The operations of this area, one per file.

pub mod change_password;
pub mod create_credentials;
pub mod forget_user;
pub mod judge_password;
pub mod lock;
pub mod log_in;
pub mod log_out;
pub mod password;
pub mod password_history;
pub mod refresh;
pub mod reset_password;
pub mod restore_access;
pub mod save_rule;
pub mod set_password;
pub mod set_up_administrator;
pub mod sign;
