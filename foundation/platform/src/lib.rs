//! What every area is built from: module declaration, routes, errors in FOLIO's bodies, tenants,
//! tokens, permissions, and the stages that every request passes.
//!
//! Knows the record store and HTTP; knows no area.

mod administration;
mod answer;
mod background;
pub mod call;
mod compose;
mod declaration;
pub mod exposition;
pub mod gateway;
pub mod identity;
pub mod platform;
pub mod proxy;
pub mod records_http;
pub mod registry;
mod tenancy;
mod wire;

pub use administration::{index_advice, openapi};
pub use background::{audit, cpu_pool, timers};
pub use declaration::{contents, module, permission_set, reference, route, timer};
pub use gateway::{
    cors, from, listen, metrics, pace, replica_routing, router, shares, timing, traces,
};
pub use identity::{caller, key_ring, token};
pub use tenancy::{lifecycle, tenants};
pub use wire::{error, respond};

use background::{change_listener, invalidation_barrier};
use gateway::upload;
use identity::identities;

pub use answer::Answer;
pub use call::{Call, Paging, incorrect};
pub use contents::Contents;
pub use error::{ApiError, error_item, of_record};
pub use octavo_trace as trace;

pub use call::remote::{RemoteAnswer, RemoteInterface};
pub use call::system::system_call;
pub use compose::{Composition, Governance};
pub use gateway::admission::Limits;
pub use identity::{Directory, Grants, Identity};
pub use module::{Interface, Module};
pub use permission_set::PermissionSet;
pub use platform::Platform;
pub use reference::ReferenceData;
pub use registry::TenantView;
pub use route::{Access, Content, Handler, Operation};
pub use timer::{Schedule, Timer};
pub use upload::Upload;
