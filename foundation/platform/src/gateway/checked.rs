//! Compares bodies and answers with what their route declares of them, in tests: a shape that the
//! server does not keep to makes the test of its route fail.

use axum::body::{Body, HttpBody};
use axum::response::Response;
use bytes::Bytes;
use http::{StatusCode, header};
use http_body_util::BodyExt;
use octavo_records::Reading;
use serde_json::Value;

use crate::contents::Contents;
use crate::error::ApiError;
use crate::route::Content;
use crate::router::Endpoint;

/// One request that is compared.
pub(super) struct Check<'a> {
    contents: &'a Contents,
    endpoint: &'a Endpoint,
    /// The request's body.
    sent: Bytes,
}

impl<'a> Check<'a> {
    pub(super) fn begin(contents: &'a Contents, endpoint: &'a Endpoint, sent: &Bytes) -> Check<'a> {
        Check {
            contents,
            endpoint,
            sent: sent.clone(),
        }
    }

    /// The answer, unless it or the body that it accepts departs from what is declared.
    pub(super) async fn end(
        self,
        answered: Result<Response, ApiError>,
    ) -> Result<Response, ApiError> {
        let response = match answered {
            Ok(response) if response.status().is_success() => response,
            other => return other,
        };
        if let Some(content) = self.endpoint.takes {
            self.compare("body", content, &self.sent, Reading::Body)?;
        }
        // Answers of unknown length are streamed, page by page of records that were checked when
        // they were written; some tests read them slowly, or not to their end.
        let is_whole = response.body().size_hint().exact().is_some();
        match self.endpoint.answers {
            Some(content) if is_whole && is_json(&response) => {
                let (parts, body) = response.into_parts();
                let body = body.collect().await.map_err(ApiError::fault)?.to_bytes();
                self.compare("answer", content, &body, Reading::Answer)?;
                Ok(Response::from_parts(parts, Body::from(body)))
            }
            _ => Ok(response),
        }
    }

    fn compare(
        &self,
        what: &str,
        content: Content,
        text: &[u8],
        reading: Reading,
    ) -> Result<(), ApiError> {
        // Records are checked when they are written; hooks may take more than is stored.
        let is_shape = matches!(content, Content::Shape(_));
        if text.is_empty() || (reading == Reading::Body && !is_shape) {
            return Ok(());
        }
        // Bodies of other types are not described.
        let Ok(value) = serde_json::from_slice::<Value>(text) else {
            return Ok(());
        };
        let departures = self.contents.departures(content, &value, reading);
        if departures.is_empty() {
            return Ok(());
        }
        Err(ApiError::text(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!(
                "{}: the {what} is not of the shape {}: {}",
                self.endpoint.name(),
                content.name(),
                departures.join("; ")
            ),
        ))
    }
}

fn is_json(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"))
}
