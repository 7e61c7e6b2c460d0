//! Measures how many records of a file one core parses in a second: `cargo run --release --example
//! parse_rate -- records.mrc [SECONDS]`. The file is read into memory first; every record is parsed
//! into leader, fields, indicators and subfields as text.

use std::hint::black_box;
use std::io::Error;
use std::time::{Duration, Instant};

use octavo_marc::MarcReader;

/// The allocator of the product, so that the figures are comparable.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args_os().skip(1);
    let path = arguments
        .next()
        .ok_or_else(|| Error::other("a file of MARC records is expected"))?;
    let seconds = arguments
        .next()
        .and_then(|text| text.to_str()?.parse().ok())
        .unwrap_or(5.0);
    let bytes = std::fs::read(&path)?;
    let (mut records, mut refused, mut subfields, mut read) = (0_u64, 0_u64, 0_u64, 0_u64);
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs_f64(seconds) {
        for parsed in MarcReader::open(bytes.as_slice())? {
            match parsed {
                Ok(record) => {
                    records += 1;
                    let parts = record.data_fields().map(|field| field.subfields.len());
                    subfields += parts.sum::<usize>() as u64;
                    black_box(record);
                }
                Err(_) => refused += 1,
            }
        }
        read += bytes.len() as u64;
    }
    let elapsed = begun.elapsed().as_secs_f64();
    if records == 0 {
        return Err(Error::other("the file has no record that can be read"));
    }
    println!("records_per_second {:.0}", records as f64 / elapsed);
    println!("megabytes_per_second {:.0}", read as f64 / 1e6 / elapsed);
    println!("bytes_per_record {}", read / (records + refused));
    println!(
        "subfields_per_record {:.1}",
        subfields as f64 / records as f64
    );
    println!("refused {refused}");
    Ok(())
}
