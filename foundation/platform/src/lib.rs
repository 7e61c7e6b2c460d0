//! What every area is built from: module declaration, routes, errors in FOLIO's bodies, tenants,
//! tokens, permissions, and the stages that every request passes.
//!
//! Knows the record store and HTTP; knows no area.

mod answer;
pub mod audit;
mod body;
pub mod call;
pub mod caller;
mod change_listener;
mod comments;
pub mod cors;
pub mod cpu_pool;
mod dispatch;
pub mod error;
pub mod from;
pub mod gateway;
mod guard;
pub mod identity;
pub mod index_advice;
mod invalidation_barrier;
mod invoke;
pub mod key_ring;
pub mod lifecycle;
pub mod listen;
pub mod module;
mod okapi;
mod openapi;
pub mod pace;
pub mod permission_set;
pub mod platform;
pub mod proxy;
pub mod records_http;
pub mod reference;
pub mod registry;
pub mod remote;
pub mod replica_routing;
pub mod respond;
pub mod route;
pub mod router;
pub mod shares;
pub mod tenants;
pub mod timer;
pub mod timers;
pub mod timing;
pub mod token;
pub mod traces;
mod upload;

pub use answer::Answer;
pub use call::{Call, Paging, incorrect};
pub use error::{ApiError, error_item, of_record};
pub use octavo_trace as trace;

pub use identity::{Directory, Grants, Identity};
pub use module::{Interface, Module};
pub use permission_set::PermissionSet;
pub use platform::{Composition, Governance, Limits, Platform};
pub use reference::ReferenceData;
pub use registry::TenantView;
pub use remote::{RemoteAnswer, RemoteInterface};
pub use route::{Access, Content, Handler, Operation};
pub use timer::{Schedule, Timer};
pub use upload::Upload;
