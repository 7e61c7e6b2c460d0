//! Calls of native handlers by the platform itself, without a user.

use std::sync::Arc;

use bytes::Bytes;
use http::HeaderMap;

use super::Call;
use crate::platform::Platform;
use crate::registry::TenantView;
use crate::route::Handler;
use crate::timing::Timing;

/// Calls a handler of a native module without a user.
pub(crate) async fn call_native(
    platform: &Arc<Platform>,
    view: &Arc<TenantView>,
    handler: &Handler,
) -> Result<(), String> {
    let Handler::Call(function) = handler else {
        return Err("it is served by a generic operation, which no timer can be".to_owned());
    };
    // A timer may be due before the first request of a tenant whose schema is still that of an
    // earlier release.
    let ready = platform.tenants.ready(&view.tenant).await;
    ready.map_err(|reason| reason.to_string())?;
    let call = system_call(platform, view);
    match function(call).await {
        Ok(response) if response.status().is_success() => Ok(()),
        Ok(response) => Err(format!("answered {}", response.status())),
        Err(error) => Err(format!("{error:?}")),
    }
}

/// A call without a user.
pub fn system_call(platform: &Arc<Platform>, view: &Arc<TenantView>) -> Call {
    Call {
        platform: Arc::clone(platform),
        tenant: view.tenant.clone(),
        view: Arc::clone(view),
        identity: None,
        path: Vec::new(),
        query: String::new(),
        headers: HeaderMap::new(),
        address: None,
        body: Bytes::new(),
        timing: Timing::default(),
        reader: None,
        incoming: None,
    }
}
