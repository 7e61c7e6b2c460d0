//! Measures the cost of a request's span: with logging off, at level error, and with a log line in
//! it.
//!
//! `cargo run --release -p octavo-trace --example request_cost`

use std::hint::black_box;
use std::time::Instant;

use octavo_trace::RequestSpan;
use tracing::Level;

const ROUNDS: u32 = 200_000;

fn main() {
    measure("nothing is logged");
    let off = tracing_subscriber::fmt()
        .with_max_level(tracing::level_filters::LevelFilter::OFF)
        .with_writer(std::io::sink)
        .finish();
    tracing::subscriber::with_default(off, || measure("the level is off"));
    let on = tracing_subscriber::fmt()
        .with_max_level(Level::INFO)
        .with_writer(std::io::sink)
        .finish();
    tracing::subscriber::with_default(on, || measure("lines from info on are logged"));
}

fn measure(what: &str) {
    let started = Instant::now();
    for number in 0..ROUNDS {
        let span = RequestSpan::begin(black_box("123456/users"));
        span.tenant(black_box("diku"));
        span.route(&"GET", black_box("/users/{userId}"));
        span.user(&number);
        black_box(&span);
    }
    let nanoseconds = started.elapsed().as_nanos() / u128::from(ROUNDS);
    println!("{nanoseconds:>6} ns a request where {what}");
}
