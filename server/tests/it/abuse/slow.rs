//! Everything too slow, half open or cut off: disconnected in time, and without delaying others.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use octavo_testkit::{Client, Library};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::raw::{answers, rest};
use super::{hasty, hasty_library};
use octavo_server_testkit::start;

/// The server's time-outs are below a second here; the machine may be busy.
const SOON: Duration = Duration::from_secs(10);

async fn connect(address: SocketAddr) -> TcpStream {
    TcpStream::connect(address).await.expect("a connection")
}

/// Sends a piece repeatedly until the server closes the connection, and returns the response.
async fn trickle(address: SocketAddr, begin: String, piece: &str) -> Vec<u16> {
    let mut stream = connect(address).await;
    stream
        .write_all(begin.as_bytes())
        .await
        .expect("it is taken");
    let begun = Instant::now();
    loop {
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(begun.elapsed() < SOON, "it is still listened to");
        if stream.write_all(piece.as_bytes()).await.is_err() {
            return Vec::new();
        }
        let mut byte = [0];
        let peeked = tokio::time::timeout(Duration::ZERO, stream.peek(&mut byte)).await;
        if peeked.is_ok() {
            let received = rest(&mut stream).await;
            return answers(&received).iter().map(|one| one.status).collect();
        }
    }
}

fn post(client: &Client, length: usize) -> String {
    format!(
        "POST /material-types HTTP/1.1\r\nHost: x\r\nX-Okapi-Tenant: diku\r\n\
         X-Okapi-Token: {}\r\nContent-Length: {length}\r\n\r\n{{",
        client.token.as_deref().expect("a token")
    )
}

#[tokio::test]
async fn who_says_nothing_is_dropped() {
    let library = hasty_library().await;
    for begin in [
        "",
        // The beginnings of both protocols.
        "PRI * HTTP/2",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET",
        "GET /_/version HTTP/1.1\r\nHost: x\r\n",
    ] {
        let mut stream = connect(library.address).await;
        stream
            .write_all(begin.as_bytes())
            .await
            .expect("it is taken");
        let begun = Instant::now();
        let _ = rest(&mut stream).await;
        assert!(begun.elapsed() < SOON, "{begin:?}: {:?}", begun.elapsed());
    }
    // The same after a response.
    let mut stream = connect(library.address).await;
    let request = b"GET /_/version HTTP/1.1\r\nHost: x\r\n\r\n";
    stream.write_all(request).await.expect("it is taken");
    let received = rest(&mut stream).await;
    assert_eq!(answers(&received)[0].status, 200);
}

#[tokio::test]
async fn a_head_that_trickles_in_is_dropped() {
    let library = hasty_library().await;
    let begin = "GET /_/version HTTP/1.1\r\nHost: x\r\nX-Slow: ".to_owned();
    let answered = trickle(library.address, begin, "x").await;
    assert!(matches!(answered[..], [] | [408]), "{answered:?}");
}

#[tokio::test]
async fn bodies_that_trickle_in_keep_nobody_out() {
    let library = hasty_library().await;
    let client = library.client().await;
    let mut slow = JoinSet::new();
    // Three times as many as requests may be served at once.
    for _ in 0..12 {
        let (address, begin) = (library.address, post(&client, 1_000_000));
        slow.spawn(async move { trickle(address, begin, " ").await });
        // Otherwise too many requests would be served at once before their bodies are awaited.
        let _ = client.get("/material-types").await.expect(200);
    }
    let mut served = 0;
    while !slow.is_empty() {
        let _ = client.get("/material-types").await.expect(200);
        served += 1;
        while let Some(ended) = slow.try_join_next() {
            let answered = ended.expect("no panic");
            assert!(matches!(answered[..], [] | [408]), "{answered:?}");
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(served > 10, "only {served} requests beside them");
}

#[tokio::test]
async fn a_body_that_stops_is_given_up() {
    let library = hasty_library().await;
    let client = library.client().await;
    let mut stream = connect(library.address).await;
    stream
        .write_all(post(&client, 100).as_bytes())
        .await
        .expect("it is taken");
    let begun = Instant::now();
    let _ = rest(&mut stream).await;
    assert!(begun.elapsed() < SOON);
}

#[tokio::test]
async fn a_connection_that_is_half_closed_or_reset_leaves_nothing_behind() {
    let library = hasty_library().await;
    let client = library.client().await;
    let head = "GET /material-types HTTP/1.1\r\nHost: x\r\n".to_owned();
    for round in 0..60 {
        for begin in [post(&client, 100), head.clone(), String::new()] {
            let mut stream = connect(library.address).await;
            stream
                .write_all(begin.as_bytes())
                .await
                .expect("it is taken");
            if round % 2 == 0 {
                let _ = stream.shutdown().await;
                let received = rest(&mut stream).await;
                let statuses: Vec<u16> = answers(&received).iter().map(|one| one.status).collect();
                assert!(matches!(statuses[..], [] | [400]), "{statuses:?}");
            } else {
                // The reset arrives while the request is being read.
                stream.set_zero_linger().expect("an option");
            }
        }
    }
    let _ = client.get("/material-types").await.expect(200);
}

#[tokio::test]
async fn who_does_not_read_is_dropped() {
    let library = hasty_library().await;
    let mut stream = connect(library.address).await;
    let request = b"GET /_/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
    let begun = Instant::now();
    // More responses than the two kernels buffer for a connection.
    let sending = async {
        for _ in 0..2_000 {
            if stream.write_all(request).await.is_err() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("it is still listened to");
    };
    let sent = tokio::time::timeout(SOON, sending).await;
    assert!(sent.is_ok(), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn idle_connections_make_room() {
    let library = start(|| {
        let mut composition = hasty();
        // Idleness alone disconnects nobody here.
        composition.limits.head_timeout = Duration::from_secs(600);
        composition.limits.idle_timeout = Duration::from_secs(600);
        composition
    })
    .await;
    let places = library.platform.gateway.admission.limits.connections;
    let mut idle = Vec::new();
    for at in 0..places * 5 {
        let mut stream = connect(library.address).await;
        if at % 2 == 0 {
            let request = b"GET /_/version HTTP/1.1\r\nHost: x\r\n\r\n";
            stream.write_all(request).await.expect("it is taken");
        }
        idle.push(stream);
    }
    let client = served_by_a_new_connection(&library).await;
    let _ = client.get("/material-types").await.expect(200);
    // The oldest connections were closed, and no more than were needed.
    let open = still_open(&mut idle).await;
    assert!(open < places, "{open}");
}

#[tokio::test]
async fn who_is_served_need_not_make_room() {
    let library = start(|| {
        let mut composition = hasty();
        composition.limits.requests = 100;
        composition.limits.head_timeout = Duration::from_secs(600);
        composition.limits.idle_timeout = Duration::from_secs(600);
        composition
    })
    .await;
    let admin = library.client().await;
    // A row lock of another writer keeps requests waiting in the middle.
    let database = &library.platform.store.database;
    let body = serde_json::json!({"name": "Globe", "source": "local"});
    let made = admin
        .post("/material-types", &body)
        .await
        .expect(201)
        .json();
    let id = made["id"].as_str().expect("an id").to_owned();
    let lock = database.transaction().await.expect("a transaction");
    let key: uuid::Uuid = id.parse().expect("an id");
    let sql = "SELECT 1 FROM tenant_diku.material_type WHERE id = $1 FOR UPDATE";
    lock.query(sql, &[&key]).await.expect("a lock");
    let (client, path) = (admin.clone(), format!("/material-types/{id}"));
    let waiting = tokio::spawn(async move { client.put(&path, &made).await });
    while database
        .query("SELECT 1 FROM pg_locks WHERE NOT granted", &[])
        .await
        .expect("the locks")
        .is_empty()
    {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let mut crowd = Vec::new();
    for _ in 0..library.platform.gateway.admission.limits.connections * 3 {
        crowd.push(connect(library.address).await);
    }
    let _ = served_by_a_new_connection(&library).await;
    assert!(!waiting.is_finished());
    lock.commit().await.expect("the lock is let go");
    let _ = waiting.await.expect("an answer").expect(204);
}

#[tokio::test]
async fn an_idle_connection_of_http2_is_dropped_too() {
    let library = hasty_library().await;
    let stream = hyper_util::rt::TokioIo::new(connect(library.address).await);
    let executor = hyper_util::rt::TokioExecutor::new();
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake::<_, _, http_body_util::Empty<bytes::Bytes>>(
            executor, stream,
        )
        .await
        .expect("it speaks HTTP/2");
    let ended = tokio::spawn(connection);
    let request = http::Request::get(format!("http://{}/_/version", library.address))
        .body(http_body_util::Empty::new())
        .expect("a request");
    let answer = sender.send_request(request).await.expect("an answer");
    assert_eq!(answer.status(), 200);
    drop(answer);
    // Pings are answered all the while; that does not keep the connection open.
    let ended = tokio::time::timeout(SOON, ended).await;
    assert!(ended.is_ok(), "it is kept");
}

async fn served_by_a_new_connection(library: &Library) -> Client {
    let client = tokio::time::timeout(SOON, library.client()).await;
    client.expect("it is served")
}

async fn still_open(streams: &mut [TcpStream]) -> usize {
    let mut open = 0;
    for stream in streams {
        let mut piece = [0; 4096];
        loop {
            match tokio::time::timeout(Duration::from_millis(1), {
                use tokio::io::AsyncReadExt;
                stream.read(&mut piece)
            })
            .await
            {
                Err(_) => {
                    open += 1;
                    break;
                }
                Ok(Ok(0) | Err(_)) => break,
                Ok(Ok(_)) => {}
            }
        }
    }
    open
}
