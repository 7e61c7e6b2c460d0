//! Workloads: who does what, in which order, with which data. A workload is a TOML file
//! (`workloads/README.md` describes the format); this module reads one and compiles it into the
//! form that the driver runs. It opens no connection.

mod assemble;
mod body;
mod change;
mod check;
mod compile;
mod compile_conditions;
mod compile_feeders;
mod format;
mod functions;
mod include;
mod json_path;
mod marc;
mod plan;
mod review;
mod source;
mod target;
mod template;
mod variables;

pub use body::Body;
pub(crate) use check::contains;
pub use check::{Answer, Check, Expectation, Extract, ValueSource};
pub use format::{OnError, Pick, Sharing, Together};
pub use json_path::{JsonPath, NotJson, plain_text};
pub use plan::{
    Branch, FeederSpec, Group, Inputs, Lookup, Move, Pace, Repeat, Request, TenantSource, Think,
    Transaction, When, Workload,
};
pub use review::{Review, review};
pub use source::{BUILT_IN, BuiltIn, WorkloadError, load, load_branches, parse};
pub(crate) use target::encode_target;
pub use template::{Encoding, Template, TemplateError};
pub use variables::{Names, Variables};
