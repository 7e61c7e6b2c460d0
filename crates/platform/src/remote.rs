//! Calls of a native module to an interface that a remote module provides for the tenant.

use bytes::Bytes;
use http::{Method, StatusCode};
use serde_json::Value;

use crate::call::Call;
use crate::error::ApiError;

/// An interface that a remote module provides for the tenant of a call.
#[derive(Debug, Clone)]
pub struct RemoteInterface {
    /// The module that provides it.
    pub module_id: String,
}

/// What a remote module answered.
#[derive(Debug, Clone)]
pub struct RemoteAnswer {
    /// Its status.
    pub status: StatusCode,
    /// Its body, whole.
    pub body: Bytes,
}

impl RemoteAnswer {
    /// The body as JSON.
    ///
    /// # Errors
    /// 502-like refusal when it is none.
    pub fn json(&self) -> Result<Value, ApiError> {
        serde_json::from_slice(&self.body)
            .map_err(|error| ApiError::Internal(format!("a remote module sent no JSON: {error}")))
    }
}

impl Call {
    /// The remote module that provides an interface for the tenant; nothing where the provider is
    /// native or there is none.
    #[must_use]
    pub fn remote(&self, _interface: &str) -> Option<RemoteInterface> {
        None
    }
}

impl RemoteInterface {
    /// Sends a request to the module, in the name of the caller.
    ///
    /// # Errors
    /// When the module does not answer in time.
    pub async fn send(
        &self,
        _call: &Call,
        _method: Method,
        _path_and_query: &str,
        _body: Option<&Value>,
    ) -> Result<RemoteAnswer, ApiError> {
        Err(ApiError::Unavailable("the module has no address"))
    }
}
