//! A fast server that does nothing, to measure the cost of a load generator: any login succeeds,
//! any GET gives the same list with one item of about 1 kB, any POST creates.
//!
//! ```text
//! cargo run --release --package octavo-driver --example no_op_server -- 127.0.0.1:9190
//! ```
//!  It has one thread. `GET /_/served` returns how many requests it has answered, that one
//! included, so that generators are counted alike, however they count themselves.

use std::cell::Cell;
use std::io::Write;
use std::rc::Rc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::LocalSet;

/// A longer request is refused by closing the connection.
const REQUEST_BYTES_MAX: usize = 64 << 10;
const HEADERS_MAX: usize = 64;

const ITEM: &str = r#"{"id":"5b6d2a3e-9f0c-4d1b-8a77-3c0e5f4a9b21","_version":"1","hrid":"it00000104729","accessionNumber":"1987.104.7","barcode":"0010104729","title":"The structure of scientific revolutions","callNumber":"Q175 .K95 1970","volume":"v. 2","copyNumber":"c. 1","status":{"name":"Available","date":"2024-03-07T09:12:44.117+00:00"},"materialType":{"id":"1a54b431-2e4f-452d-9cae-9cee66c9a892","name":"book"},"permanentLoanType":{"id":"2b94c631-fca9-4892-a730-03ee529ffe27","name":"Can circulate"},"effectiveLocation":{"id":"fcd64ce1-6995-48f0-840e-89ffa2288371","name":"Main Library"},"effectiveCallNumberComponents":{"callNumber":"Q175 .K95 1970","prefix":null,"suffix":null,"typeId":"95467209-6d7b-468b-94df-0f5d7ad2747d"},"notes":[],"statisticalCodeIds":[],"yearCaption":["1970"],"holdingsRecordId":"9e2c7d10-55aa-4b7e-bc33-17d4a01f6e58","metadata":{"createdDate":"2024-03-07T09:12:44.117+00:00","updatedDate":"2024-03-07T09:12:44.117+00:00"}}"#;

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let address = std::env::args().nth(1);
    let listener = TcpListener::bind(address.as_deref().unwrap_or("127.0.0.1:9190")).await?;
    println!("ready on {}", listener.local_addr()?);
    let answers = Rc::new(Answers::new());
    let tasks = LocalSet::new();
    tasks
        .run_until(async {
            loop {
                let (stream, _) = listener.accept().await?;
                stream.set_nodelay(true)?;
                let answers = Rc::clone(&answers);
                tokio::task::spawn_local(async move {
                    // A client that disconnects is not an error of the server.
                    let _ = serve(stream, &answers).await;
                });
            }
        })
        .await
}

/// The prepared responses.
struct Answers {
    login: Vec<u8>,
    list: Vec<u8>,
    created: Vec<u8>,
    nothing: Vec<u8>,
    served: Cell<u64>,
}

impl Answers {
    fn new() -> Self {
        let list = format!("{{\"items\":[{ITEM}],\"totalRecords\":1,\"resultInfo\":{{}}}}");
        Self {
            login: answer(
                "201 Created",
                "x-okapi-token: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJub2JvZHkifQ.bm8tb3A\r\n",
                "{}",
            ),
            list: answer("200 OK", "", &list),
            created: answer("201 Created", "location: /item-storage/items/new\r\n", ITEM),
            nothing: b"HTTP/1.1 204 No Content\r\n\r\n".to_vec(),
            served: Cell::new(0),
        }
    }
}

fn answer(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let head = "content-type: application/json\r\nx-okapi-trace: no-op\r\n";
    format!("HTTP/1.1 {status}\r\n{head}{headers}content-length: {length}\r\n\r\n{body}").into()
}

async fn serve(mut stream: TcpStream, answers: &Answers) -> std::io::Result<()> {
    let mut received = vec![0; REQUEST_BYTES_MAX];
    let mut filled = 0;
    let mut out = Vec::with_capacity(4 << 10);
    loop {
        let read = stream.read(&mut received[filled..]).await?;
        if read == 0 {
            return Ok(());
        }
        filled += read;
        let mut used = 0;
        while let Some(length) = reply(&received[used..filled], answers, &mut out)? {
            used += length;
        }
        received.copy_within(used..filled, 0);
        filled -= used;
        stream.write_all(&out).await?;
        out.clear();
    }
}

/// Answers the first request in the bytes, if it is complete, and returns its length.
fn reply(bytes: &[u8], answers: &Answers, out: &mut Vec<u8>) -> std::io::Result<Option<usize>> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut request = httparse::Request::new(&mut headers);
    let malformed = |_| std::io::Error::other("no HTTP/1.1 request");
    let head = match request.parse(bytes).map_err(malformed)? {
        httparse::Status::Complete(head) => head,
        httparse::Status::Partial => return Ok(None),
    };
    let length = request
        .headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case("content-length"))
        .and_then(|header| {
            std::str::from_utf8(header.value)
                .ok()?
                .parse::<usize>()
                .ok()
        })
        .unwrap_or(0);
    let whole = head.saturating_add(length);
    if bytes.len() < whole {
        return Ok(None);
    }
    answers.served.set(answers.served.get() + 1);
    match (request.method, request.path) {
        (_, Some("/authn/login")) => out.extend_from_slice(&answers.login),
        (_, Some("/_/served")) => {
            let count = answers.served.get().to_string();
            let length = count.len();
            write!(
                out,
                "HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{count}"
            )?;
        }
        (Some("GET"), _) => out.extend_from_slice(&answers.list),
        (Some("POST"), _) => out.extend_from_slice(&answers.created),
        _ => out.extend_from_slice(&answers.nothing),
    }
    Ok(Some(whole))
}
