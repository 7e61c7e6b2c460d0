//! CaiaSoft: a machine that takes requests by HTTP, and the edge that sends them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::super::{Annex, CONFIGURATIONS, RETRIEVALS};

pub struct CaiaSoft {
    url: String,
    taken: Arc<Mutex<Vec<Value>>>,
    refuses: Arc<AtomicBool>,
}

impl CaiaSoft {
    pub async fn start(key: &'static str) -> CaiaSoft {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let taken = Arc::new(Mutex::new(Vec::new()));
        let refuses = Arc::new(AtomicBool::new(false));
        let (list, refusing) = (Arc::clone(&taken), Arc::clone(&refuses));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let is_refused = refusing.load(Ordering::Acquire);
                answer(stream, key, is_refused, &list).await;
            }
        });
        CaiaSoft {
            url,
            taken,
            refuses,
        }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn refuse(&self, refuses: bool) {
        self.refuses.store(refuses, Ordering::Release);
    }

    pub fn taken(&self) -> Vec<Value> {
        self.taken.lock().expect("no panic").clone()
    }
}

/// Reads one request and answers it.
async fn answer(mut stream: TcpStream, key: &str, refuses: bool, taken: &Mutex<Vec<Value>>) {
    let mut read = Vec::new();
    let (head, body) = loop {
        let mut part = [0; 4096];
        let count = stream.read(&mut part).await.unwrap_or(0);
        read.extend_from_slice(&part[..count]);
        let text = String::from_utf8_lossy(&read).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_ascii_lowercase();
            let length = head.split("content-length:").nth(1);
            let length = length.and_then(|rest| rest.lines().next()?.trim().parse().ok());
            if body.len() >= length.unwrap_or(0) {
                break (head, body.to_owned());
            }
        }
        assert!(count > 0, "a request that ends early");
    };
    let is_known = head.starts_with("post /api/circrequests/v1/ ")
        && head.contains(&format!("x-api-key: {key}"));
    let status = match (is_known, refuses) {
        (false, _) => "403 Forbidden",
        (true, true) => "503 Service Unavailable",
        (true, false) => {
            let request = serde_json::from_str(&body).expect("JSON");
            taken.lock().expect("no panic").push(request);
            "200 OK"
        }
    };
    let response = format!("HTTP/1.1 {status}\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
    let _ = stream.write_all(response.as_bytes()).await;
}

/// One poll of the edge: each row is sent by itself, and done when the machine has taken it.
pub async fn poll(annex: &Annex) {
    let client = annex.client();
    let path = format!("{CONFIGURATIONS}/{}", annex.storage);
    let storage = client.get(&path).await.expect(200).json();
    let url = storage["url"].as_str().expect("a URL");
    let address = url
        .trim_start_matches("http://")
        .parse()
        .expect("an address");
    let machine = client.at(address).with_token(None);
    for row in annex.waiting(RETRIEVALS).await {
        let body = json!({"requests": [{"request_id": row["holdId"], "stop": row["pickupLocation"],
                                        "request_type": row["requestType"],
                                        "barcode": row["itemBarcode"]}]});
        let request = machine.request(http::Method::POST, "/api/circrequests/v1/");
        let request = request
            .header("X-API-Key", storage["apiKey"].as_str().expect("a key"))
            .json(&body);
        if machine.send(request).await.status == 200 {
            let barcode = row["itemBarcode"].as_str().expect("a barcode");
            let path = format!("{RETRIEVALS}/barcode/{barcode}");
            let _ = client.put(&path, &json!(null)).await.expect(204);
        }
    }
}
