//! Workloads: who does what, in which order, with which data. A workload is a TOML file
//! (`workloads/README.md` tells its format); this module reads one and compiles it into the form
//! the driver runs. It opens no connection.

mod check;
mod compile;
mod compile_feeders;
mod format;
mod json_path;
mod plan;
mod source;
mod target;
mod template;
mod variables;

pub(crate) use check::contains;
pub use check::{Answer, Check, Extract, Place};
pub use format::{OnError, Pick, Sharing, Together};
pub use json_path::{JsonPath, NotJson, plain_text};
pub use plan::{
    Branch, FeederSpec, Inputs, Lookup, Move, Request, TenantSource, Think, Transaction, Workload,
};
pub use source::{BUILT_IN, BuiltIn, WorkloadError, load, parse};
pub(crate) use target::encode_target;
pub use template::{Encoding, Template, TemplateError};
pub use variables::{Names, Variables};
