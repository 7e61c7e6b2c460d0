//! Measures how fast documents are made and prints their average length, table by table: `cargo run
//! --release -p octavo-demo --example rate [items]`.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use octavo_demo::{Policies, SampleSize, sample_library};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let items = std::env::args()
        .nth(1)
        .map_or(Ok(300_000), |text| text.parse())?;
    let size = SampleSize {
        items,
        patrons: items / 10,
        open_loans: items / 20,
    };
    let documents = sample_library(size, 42, jiff::Timestamp::now(), Policies::default())?;
    let mut tables: BTreeMap<&str, (u64, usize, Duration)> = BTreeMap::new();
    let mut last = Instant::now();
    for document in documents {
        let now = Instant::now();
        let entry = tables.entry(document.table).or_default();
        entry.0 += 1;
        entry.1 += document.json.len();
        entry.2 += now - last;
        last = now;
    }
    println!(
        "{:<16} {:>10} {:>12} {:>14}",
        "table", "documents", "bytes each", "documents/s"
    );
    for (table, (count, bytes, time)) in tables {
        let rate = count as f64 / time.as_secs_f64();
        println!(
            "{table:<16} {count:>10} {:>12} {rate:>14.0}",
            bytes as u64 / count
        );
    }
    Ok(())
}
