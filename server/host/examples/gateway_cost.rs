//! Measures the gateway's cost of a request: the whole composed product in process, without a
//! network, called repeatedly on a route that needs a permission and does nothing
//! (perf/gateway/run.sh).
//!
//! ```text
//! cargo run --release --package octavo-host --example gateway_cost -- \
//!   postgresql://…/octavo TENANT USER PASSWORD
//! ```
//!  It prints processor time and duration of a request in microseconds, and the part that
//! `Server-Timing` gives for token, tenant and permission.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use axum::body::Body;
use http::{Request, Response, StatusCode};
use nix::sys::resource::{UsageWho, getrusage};
use octavo_host::compose;
use octavo_platform::{Platform, gateway};
use octavo_postgres::{Database, DatabaseOptions};

/// A route that reads and writes nothing.
const ROUTE: &str = "/_/readers";
/// Requests before the measurement, and in it.
const WARM_UP: u32 = 5_000;
const REQUESTS: u32 = 100_000;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, tenant, username, password] = arguments.as_slice() else {
        anyhow::bail!("give the database's URL, tenant, user and password");
    };
    let mut options = DatabaseOptions::new(url.parse()?);
    options.lanes = 2;
    let database = Database::connect(options).await?;
    let mut composition = compose::composition(vec![7; 32]);
    // The route is for operators.
    composition.governance.operators.push(tenant.clone());
    let platform = Platform::new(database, composition).map_err(anyhow::Error::msg)?;
    let platform = Arc::new(platform);
    tokio::spawn(platform.follow_changes().await?);

    let body = serde_json::json!({"username": username, "password": password});
    let request = Request::post("/authn/login")
        .header(gateway::TENANT, tenant)
        .header("content-type", "application/json")
        .body(Body::from(body.to_string()))?;
    let answer = gateway::serve(Arc::clone(&platform), request).await;
    anyhow::ensure!(answer.status() == StatusCode::CREATED, "the log-in failed");
    let token = answer.headers().get(gateway::TOKEN);
    let token = token.context("the log-in gives no token")?.clone();

    let ask = || async {
        let request = Request::get(ROUTE)
            .header(gateway::TENANT, tenant)
            .header(gateway::TOKEN, &token)
            .header("accept", "application/json")
            .body(Body::empty())?;
        let answer = gateway::serve(Arc::clone(&platform), request).await;
        anyhow::ensure!(answer.status() == StatusCode::OK, "{}", answer.status());
        Ok(answer)
    };
    for _ in 0..WARM_UP {
        ask().await?;
    }
    let (began, used) = (Instant::now(), processor_time()?);
    let mut identity_us = 0.0;
    for at in 0..REQUESTS {
        let answer = ask().await?;
        // Reading the header is not the gateway's work, so it is sampled.
        if at % 100 == 0 {
            identity_us += identity_ms(&answer) * 1_000.0;
        }
    }
    let (took, used) = (began.elapsed(), processor_time()? - used);
    let each = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(REQUESTS);
    println!(
        "{{\n  \"requests\": {REQUESTS},\n  \"cpu_us\": {:.2},\n  \"wall_us\": {:.2},\n  \
         \"identity_us\": {:.2}\n}}",
        each(used),
        each(took),
        identity_us / f64::from(REQUESTS / 100)
    );
    Ok(())
}

/// The processor time of this thread, which does all the work, the database connections' included.
fn processor_time() -> anyhow::Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_THREAD)?;
    let times = [usage.user_time(), usage.system_time()];
    let microseconds: i64 = times
        .iter()
        .map(|time| time.tv_sec() * 1_000_000 + time.tv_usec())
        .sum();
    Ok(Duration::from_micros(microseconds.unsigned_abs()))
}

fn identity_ms(answer: &Response<Body>) -> f64 {
    let header = answer.headers().get("server-timing");
    let text = header.and_then(|value| value.to_str().ok());
    text.and_then(|text| text.split("identity;dur=").nth(1))
        .and_then(|rest| rest.split(',').next()?.parse().ok())
        .unwrap_or_default()
}
