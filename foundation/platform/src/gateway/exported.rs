//! Which requests' spans are exported, and what of them. Without an exporter a request costs one load.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Instant;

use axum::response::Response;
use octavo_trace::{Recorder, Tree};

use super::running::RunningRequest;
use super::trace_parent::TraceParent;

/// Exports spans.
pub trait SpanExporter: Debug + Send + Sync {
    /// Whether a request is wanted; its client may have decided that for the whole trace.
    fn wants(&self, sampled: Option<bool>) -> bool;

    /// Takes a request that was answered. It must not wait.
    fn take(&self, request: ExportedRequest);
}

/// A request and its spans, without values.
#[derive(Debug, Clone)]
pub struct ExportedRequest {
    /// 32 hexadecimal digits, if the request is part of a trace.
    pub trace_id: Option<String>,
    /// 16 hexadecimal digits: the client's span.
    pub parent_span_id: Option<String>,
    pub method: String,
    /// The route template.
    pub route: Option<String>,
    pub tenant: Option<String>,
    pub request_id: String,
    pub status: u16,
    /// Until the head of the answer.
    pub tree: Tree,
}

/// An exporter that wants this request.
pub(crate) struct Export {
    exporter: Arc<dyn SpanExporter>,
    recorder: Arc<Recorder>,
}

impl Export {
    /// `None` where nobody wants the request.
    pub(crate) fn of(
        exporter: Option<&Arc<dyn SpanExporter>>,
        parent: Option<&TraceParent>,
        recorder: Option<&Arc<Recorder>>,
        started: Instant,
    ) -> Option<Export> {
        let exporter = exporter?;
        let sampled = parent.map(TraceParent::is_sampled);
        exporter.wants(sampled).then(|| Export {
            exporter: Arc::clone(exporter),
            recorder: recorder.map_or_else(|| Recorder::new(started), Arc::clone),
        })
    }

    pub(crate) fn recorder(&self) -> &Arc<Recorder> {
        &self.recorder
    }

    /// Hands the request over.
    pub(crate) fn end(
        self,
        parent: Option<&TraceParent>,
        running: &RunningRequest,
        response: &Response,
    ) {
        self.exporter.take(ExportedRequest {
            trace_id: parent.map(|parent| parent.trace_id().to_owned()),
            parent_span_id: parent.map(|parent| parent.span_id().to_owned()),
            method: running.method().to_owned(),
            route: running.route().map(|route| route.into_owned()),
            tenant: running.known_tenant().map(str::to_owned),
            request_id: running.request_id(),
            status: response.status().as_u16(),
            tree: self.recorder.tree(),
        });
    }
}
