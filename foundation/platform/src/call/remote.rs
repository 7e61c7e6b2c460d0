//! Calls from a native module to an interface that a remote module provides for the tenant.

use std::sync::Arc;

use bytes::Bytes;
use http::{Method, StatusCode};
use octavo_boxed::boxed;
use octavo_records::fault::JsonFault;
use serde_json::Value;

use crate::call::Call;
use crate::error::ApiError;
use crate::proxy::remotes::ModuleRequest;
use crate::registry::ModuleDescriptor;

/// An interface that a remote module provides for the tenant of a call.
#[derive(Debug, Clone)]
pub struct RemoteInterface {
    pub module: Arc<ModuleDescriptor>,
}

/// The response of a remote module.
#[derive(Debug, Clone)]
pub struct RemoteAnswer {
    pub status: StatusCode,
    /// The whole body.
    pub body: Bytes,
}

impl RemoteAnswer {
    /// The body as JSON.
    ///
    /// # Errors
    /// 500 when it is not JSON: the module is at fault, not the client.
    pub fn json(&self) -> Result<Value, ApiError> {
        serde_json::from_slice(&self.body).map_err(|error| {
            let fault = JsonFault::from(&error);
            ApiError::fault(format!("a remote module sent no JSON: {fault}"))
        })
    }
}

impl Call {
    /// The remote module that provides an interface for the tenant; `None` where the provider is
    /// native or there is none.
    #[must_use]
    pub fn remote(&self, interface: &str) -> Option<RemoteInterface> {
        let module = Arc::clone(self.view.provider(interface)?);
        Some(RemoteInterface { module })
    }

    /// The remote module that provides this route for the tenant.
    #[must_use]
    pub fn remote_at(&self, method: &Method, path: &str) -> Option<RemoteInterface> {
        let route = self.view.remote(method.as_str(), path, None)?;
        let module = Arc::clone(&route.module);
        Some(RemoteInterface { module })
    }
}

impl RemoteInterface {
    /// Sends a request to the module in the name of the caller, with the caller's permissions and
    /// those of the route.
    ///
    /// # Errors
    /// When the module does not answer in time.
    #[boxed]
    pub async fn send(
        &self,
        call: &Call,
        method: Method,
        path_and_query: &str,
        body: Option<&Value>,
    ) -> Result<RemoteAnswer, ApiError> {
        let path = path_and_query.split('?').next().unwrap_or_default();
        let entries = self.module.provides().flat_map(|one| one.handlers());
        let entry = entries
            .filter(|one| one.is_for(method.as_str(), path))
            .take(1);
        let permissions: Vec<String> = entry
            .flat_map(|one| one.module_permissions.iter().flatten())
            .cloned()
            .collect();
        let request = ModuleRequest {
            method,
            path: path_and_query,
            body,
            permissions: &permissions,
        };
        let identity = call.identity.as_ref();
        let remotes = &call.platform.remotes;
        let answer = remotes
            .call(&call.view, &self.module, identity, request)
            .await?;
        Ok(RemoteAnswer {
            status: answer.status,
            body: answer.body,
        })
    }
}
