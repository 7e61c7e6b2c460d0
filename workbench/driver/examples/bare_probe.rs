//! Measures the lower bound of an exchange with a server on this machine: one blocking connection,
//! the same request repeatedly at a steady rate, no parsing. What a generator measures beyond this
//! is its own overhead (perf/README.md).
//!
//! ```text
//! cargo run --release --package octavo-driver --example bare_probe -- 127.0.0.1:9190 /items 2000 5
//! ```
//!  The arguments are address, target, requests a second and seconds, and then any headers as
//! `Name: value`; it prints microseconds. With headers the length of each response is parsed, since
//! a gateway adds something that varies; without, all have the length of the first.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, target, rate, seconds, headers @ ..] = arguments.as_slice() else {
        return Err("give address, target, requests a second and seconds".into());
    };
    let (rate, seconds): (f64, f64) = (rate.parse()?, seconds.parse()?);
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let varying = !headers.is_empty();
    let headers: String = headers
        .iter()
        .map(|header| format!("{header}\r\n"))
        .collect();
    let request =
        format!("GET {target} HTTP/1.1\r\nHost: {address}\r\nAccept: */*\r\n{headers}\r\n");
    let answer_bytes = answer_of(&mut stream, request.as_bytes())?;
    let mut received = vec![0; answer_bytes];
    let mut times = Vec::with_capacity((rate * seconds) as usize);
    let begin = Instant::now();
    for number in 0..(rate * seconds) as u64 {
        let due = begin + Duration::from_secs_f64(number as f64 / rate);
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        let started = Instant::now();
        if varying {
            answer_of(&mut stream, request.as_bytes())?;
        } else {
            stream.write_all(request.as_bytes())?;
            stream.read_exact(&mut received)?;
        }
        times.push(started.elapsed());
    }
    times.sort_unstable();
    let at = |share: f64| {
        let place = (times.len() as f64 * share) as usize;
        times
            .get(place)
            .map_or(0.0, |time| time.as_secs_f64() * 1e6)
    };
    println!(
        "{{\n  \"requests\": {},\n  \"p50_us\": {:.1},\n  \"p95_us\": {:.1},\n  \"p99_us\": {:.1}\n}}",
        times.len(),
        at(0.5),
        at(0.95),
        at(0.99)
    );
    Ok(())
}

/// Sends the request once and returns the length of the response.
fn answer_of(stream: &mut TcpStream, request: &[u8]) -> Result<usize, Box<dyn std::error::Error>> {
    stream.write_all(request)?;
    let mut received = vec![0; 16 << 10];
    let mut filled = 0;
    loop {
        match stream.read(&mut received[filled..])? {
            0 => return Err("the server hung up".into()),
            read => filled += read,
        }
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut answer = httparse::Response::new(&mut headers);
        if let httparse::Status::Complete(head) = answer.parse(&received[..filled])? {
            let mut headers = answer.headers.iter();
            let length = headers
                .find(|header| header.name.eq_ignore_ascii_case("content-length"))
                .ok_or("the answer has no content-length")?;
            let whole = head + std::str::from_utf8(length.value)?.parse::<usize>()?;
            if filled >= whole {
                return Ok(whole);
            }
        }
    }
}
