//! The listener of `--metrics-listen`: the figures for Prometheus, without log-in, apart from the API.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use octavo_platform::{Platform, exposition};
use tokio::net::TcpListener;

/// Serves `GET /metrics` for as long as it is polled.
pub async fn serve(platform: Arc<Platform>, listener: TcpListener) {
    let routes = Router::new()
        .route("/metrics", get(show))
        .with_state(platform);
    if let Err(error) = axum::serve(listener, routes).await {
        tracing::warn!(%error, "figures are no longer served");
    }
}

async fn show(State(platform): State<Arc<Platform>>) -> Response {
    exposition::response(&platform).await
}
