//! Maps the records of a file repeatedly by the default rules and prints the time of one: `cargo
//! run --example map_rate -- records.mrc [seconds]`. With a third argument it prints the result for
//! the record with that number.

use std::fs::File;
use std::hint::black_box;
use std::io::{BufReader, Error};
use std::time::{Duration, Instant};

use octavo_mapping::{RecordKind, References, Rules};
use octavo_marc::{MarcReader, Record};

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments
        .next()
        .ok_or_else(|| Error::other("a file is expected"))?;
    let seconds = arguments.next().and_then(|seconds| seconds.parse().ok());
    let records: Vec<Record> = MarcReader::open(BufReader::new(File::open(&path)?))?
        .filter_map(Result::ok)
        .collect();
    if records.is_empty() {
        return Err(Error::other("the file has no record"));
    }
    let kind = RecordKind::Bib;
    let compiling = Instant::now();
    let rules = Rules::parse(kind, &Rules::defaults(kind)).map_err(|problems| {
        Error::other(
            problems
                .first()
                .map_or_else(String::new, ToString::to_string),
        )
    })?;
    println!(
        "rules compiled in {:.1} ms",
        compiling.elapsed().as_secs_f64() * 1e3
    );
    let references = References::shipped();
    if let Some(place) = arguments
        .next()
        .and_then(|place| place.parse::<usize>().ok())
    {
        let mapped = rules.map(&records[place % records.len()], &references);
        println!(
            "{:#}\n{:?}",
            serde_json::Value::Object(mapped.entity),
            mapped.problems
        );
    }
    let fields: usize = records.iter().map(|record| record.fields.len()).sum();
    let subfields: usize = records
        .iter()
        .flat_map(Record::data_fields)
        .map(|field| field.subfields.len())
        .sum();
    let length = Duration::from_secs(seconds.unwrap_or(3));
    let (mut mapped, begun, worked) = (0_usize, Instant::now(), processor_seconds());
    while begun.elapsed() < length {
        for record in &records {
            black_box(rules.map(black_box(record), &references));
        }
        mapped += records.len();
    }
    let each = |seconds: f64| seconds * 1e6 / mapped as f64;
    println!(
        "{} records of {} fields and {} subfields on average: {:.1} µs each by the clock",
        records.len(),
        fields / records.len(),
        subfields / records.len(),
        each(begun.elapsed().as_secs_f64()),
    );
    if let (Some(before), Some(now)) = (worked, processor_seconds()) {
        println!("{:.1} µs each on the processor", each(now - before));
    }
    Ok(())
}

/// The processor time of this process, which other load on the machine does not change.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds: f64 = text.split(' ').next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}
