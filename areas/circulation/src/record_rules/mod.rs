//! FOLIO's storage rules for policies and slips beyond their shapes, without I/O.

mod notice_policy;
mod request_policy;
mod staff_slip;

pub use notice_policy::wrong_notices;
pub use request_policy::{listed_points, tidied};
pub use staff_slip::what_is_missing;
