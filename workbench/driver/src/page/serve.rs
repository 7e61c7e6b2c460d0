//! The page's requests: the page itself, the changes, and the three buttons.

use std::net::TcpListener;
use std::sync::{Arc, PoisonError};

use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;

use super::Seen;
use super::line::Point;
use crate::drive::USERS_MAX;

const PAGE: &str = include_str!("../../assets/page.html");
const SCRIPT: &str = include_str!("../../assets/page.js");

/// Serves on a thread of its own, so that the load never waits for a browser.
pub(super) fn start(listener: TcpListener, seen: Arc<Seen>) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let routes = Router::new()
        .route("/", get(page))
        .route("/live", get(live))
        .route("/start", post(begin))
        .route("/stop", post(stop))
        .route("/users", post(users))
        .with_state(seen);
    let work = move || {
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            axum::serve(listener, routes).await
        })
    };
    let named = std::thread::Builder::new().name("page".to_owned());
    named.spawn(work).map(drop)
}

/// A status and a message.
type Refusal = (StatusCode, String);

#[derive(Deserialize)]
struct PageQuery {
    key: Option<String>,
    /// Points after this moment.
    after: Option<f64>,
    /// Wanted users; none for the plan.
    users: Option<usize>,
}

/// Other pages in the same browser must not see or change anything: they do not know the key.
fn check(seen: &Seen, asked: &PageQuery) -> Result<(), Refusal> {
    match asked.key.as_deref() == Some(&seen.key) {
        true => Ok(()),
        false => {
            let message = "This address lacks the key that the program printed.";
            Err((StatusCode::FORBIDDEN, message.to_owned()))
        }
    }
}

async fn page(
    State(seen): State<Arc<Seen>>,
    Query(asked): Query<PageQuery>,
) -> Result<Response, Refusal> {
    check(&seen, &asked)?;
    let filled = PAGE
        .replace("{{title}}", &escaped(&seen.title))
        .replace("{{style}}", octavo_report::UPLOT_STYLE)
        .replace("{{plots}}", octavo_report::UPLOT_SCRIPT)
        .replace("{{script}}", SCRIPT);
    let mut headers = HeaderMap::new();
    let policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'";
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        header::HeaderValue::from_static(policy),
    );
    Ok((headers, Html(filled)).into_response())
}

async fn live(
    State(seen): State<Arc<Seen>>,
    Query(asked): Query<PageQuery>,
) -> Result<Response, Refusal> {
    check(&seen, &asked)?;
    let state = seen.state.lock().unwrap_or_else(PoisonError::into_inner);
    let points: &[Point] = state.line.after(asked.after.unwrap_or(-1.0));
    Ok(Json(serde_json::json!({ "state": &*state, "points": points })).into_response())
}

async fn begin(
    State(seen): State<Arc<Seen>>,
    Query(asked): Query<PageQuery>,
) -> Result<Response, Refusal> {
    check(&seen, &asked)?;
    seen.begin();
    Ok(StatusCode::NO_CONTENT.into_response())
}

async fn stop(
    State(seen): State<Arc<Seen>>,
    Query(asked): Query<PageQuery>,
) -> Result<Response, Refusal> {
    check(&seen, &asked)?;
    seen.control.stop("It was stopped on its page.");
    // A run that has not begun ends at once.
    seen.begin();
    Ok(StatusCode::NO_CONTENT.into_response())
}

async fn users(
    State(seen): State<Arc<Seen>>,
    Query(asked): Query<PageQuery>,
) -> Result<Response, Refusal> {
    check(&seen, &asked)?;
    if asked
        .users
        .is_some_and(|users| users == 0 || users > USERS_MAX)
    {
        let message = format!("between 1 and {USERS_MAX} users can be wanted");
        return Err((StatusCode::UNPROCESSABLE_ENTITY, message));
    }
    seen.control.set_users(asked.users);
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
