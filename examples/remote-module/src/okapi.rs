//! Calls back to the gateway.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::{BodyExt, Empty, Limited};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

use crate::answer::{BODY_BYTES_MAX, Refusal};
use crate::caller::Caller;

/// Time for the gateway to answer.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A client of the gateway, over plain HTTP.
#[derive(Debug)]
pub struct Okapi {
    http: Client<HttpConnector, Empty<Bytes>>,
}

impl Default for Okapi {
    fn default() -> Okapi {
        Okapi {
            http: Client::builder(TokioExecutor::new()).build_http(),
        }
    }
}

impl Okapi {
    /// Gets a path of the gateway as JSON; `None` for 404.
    ///
    /// # Errors
    /// The gateway's own refusal when the caller lacks the permission; 502 when there is no
    /// response or it is not JSON.
    pub async fn get(&self, caller: &Caller, path: &str) -> Result<Option<Value>, Refusal> {
        let url = caller.url.as_deref().ok_or_else(|| {
            Refusal::bad_request("The gateway did not say where it is: X-Okapi-Url is missing")
        })?;
        let mut request = Request::get(format!("{}{path}", url.trim_end_matches('/')))
            .header("x-okapi-tenant", &caller.tenant)
            .header("accept", "application/json");
        if let Some(token) = &caller.token {
            request = request.header("x-okapi-token", token);
        }
        if let Some(id) = &caller.request_id {
            request = request.header("x-okapi-request-id", id);
        }
        let request = request
            .body(Empty::new())
            .map_err(|error| gateway(format!("X-Okapi-Url is no address: {error}")))?;
        let answered = tokio::time::timeout(TIMEOUT, async {
            let response = self.http.request(request).await.map_err(|_| ())?;
            let status = response.status();
            let body = Limited::new(response.into_body(), BODY_BYTES_MAX);
            let bytes = body.collect().await.map_err(|_| ())?.to_bytes();
            Ok::<_, ()>((status, bytes))
        });
        let Ok(Ok((status, bytes))) = answered.await else {
            return Err(gateway("The gateway did not answer".to_owned()));
        };
        match status {
            StatusCode::OK => serde_json::from_slice(&bytes)
                .map(Some)
                .map_err(|error| gateway(format!("The gateway sent no JSON: {error}"))),
            StatusCode::NOT_FOUND => Ok(None),
            refused => Err(Refusal::Text(
                refused,
                String::from_utf8_lossy(&bytes).into_owned(),
            )),
        }
    }
}

fn gateway(message: String) -> Refusal {
    Refusal::Text(StatusCode::BAD_GATEWAY, message)
}
