//! An edge between the routes and a StagingDirector, as edge-dematic works: it polls the queues, sends orders on one
//! connection, hears answers on the other, and reports by the routes.

use std::net::SocketAddr;

use octavo_testkit::Client;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::super::{ACCESSIONS, Annex, RETRIEVALS};

pub struct Edge {
    client: Client,
    storage: String,
    orders: TcpStream,
    status: TcpStream,
    number: u32,
}

/// A text cut and padded to a width.
fn fixed(row: &Value, name: &str, width: usize) -> String {
    let text = row[name].as_str().unwrap_or_default();
    format!("{text:<width$.width$}")
}

impl Edge {
    pub async fn connect(annex: &Annex, address: SocketAddr) -> Edge {
        Edge {
            client: annex.client().clone(),
            storage: annex.storage.clone(),
            orders: TcpStream::connect(address).await.expect("a director"),
            status: TcpStream::connect(address).await.expect("a director"),
            number: 0,
        }
    }

    async fn rows(&self, path: &str, done: &str, list: &str) -> Vec<Value> {
        let path = format!("{path}?{done}=false&storageId={}", self.storage);
        let page = self.client.get(&path).await.expect(200).json();
        page[list].as_array().expect("rows").clone()
    }

    /// Sends an order and waits for its acknowledgement.
    async fn order(&mut self, kind: &str, body: &str, length: usize) {
        self.number = self.number % 99_999 + 1;
        let number = format!("{:05}", self.number);
        let after_letters = format!("{number}20260301100000{body}");
        assert_eq!(after_letters.len(), length, "{kind}");
        let message = format!("{kind}{after_letters}");
        self.orders
            .write_all(message.as_bytes())
            .await
            .expect("it hears");
        let mut answer = [0; 24];
        self.orders
            .read_exact(&mut answer)
            .await
            .expect("an answer");
        let answer = String::from_utf8(answer.to_vec()).expect("text");
        assert_eq!(
            (&answer[..2], &answer[2..7], &answer[21..]),
            ("TR", &*number, "000")
        );
    }

    /// A message of the machine: its kind, the item and the reason.
    async fn message(&mut self) -> (String, String, String) {
        let mut message = [0; 38];
        self.status
            .read_exact(&mut message)
            .await
            .expect("a message");
        let message = String::from_utf8(message.to_vec()).expect("text");
        (
            message[..2].to_owned(),
            message[21..35].trim_end().to_owned(),
            message[35..].to_owned(),
        )
    }

    /// Has the machine take in what waits.
    pub async fn poll_accessions(&mut self) {
        for row in self.rows(ACCESSIONS, "accessioned", "accessions").await {
            let body = [
                fixed(&row, "itemBarcode", 14),
                fixed(&row, "callNumber", 50),
                fixed(&row, "instanceTitle", 35),
                fixed(&row, "instanceAuthor", 35),
            ];
            self.order("IA", &body.concat(), 153).await;
            let (kind, sku, reason) = self.message().await;
            assert_eq!((&*kind, &*reason), ("IC", "000"));
            let path = format!("{ACCESSIONS}/barcode/{sku}");
            let _ = self.client.put(&path, &json!(null)).await.expect(204);
        }
    }

    /// Asks the machine for each item that is wanted, and has those sent that it has.
    pub async fn poll_retrievals(&mut self) {
        for row in self.rows(RETRIEVALS, "retrieved", "retrievals").await {
            self.order("SC", &fixed(&row, "itemBarcode", 14), 33).await;
            let (kind, sku, reason) = self.message().await;
            assert_eq!((&*kind, &json!(sku)), ("SM", &row["itemBarcode"]));
            match &*reason {
                "007" => {
                    let body = [
                        fixed(&row, "itemBarcode", 14),
                        fixed(&row, "pickupLocation", 6),
                        " ".to_owned(),
                        fixed(&row, "patronBarcode", 20),
                        fixed(&row, "patronName", 40),
                        fixed(&row, "callNumber", 50),
                        fixed(&row, "instanceTitle", 35),
                        fixed(&row, "instanceAuthor", 35),
                    ];
                    self.order("PR", &body.concat(), 220).await;
                }
                "002" | "003" | "006" => {
                    let path = format!("/remote-storage/items/barcode/{sku}/markAsMissing");
                    let _ = self.client.post(&path, &json!(null)).await.expect(201);
                }
                other => panic!("an unexpected reason: {other}"),
            }
            let path = format!("{RETRIEVALS}/barcode/{sku}");
            let _ = self.client.put(&path, &json!(null)).await.expect(204);
        }
    }

    /// Reports an item that came back; gives its barcode.
    pub async fn hear(&mut self) -> String {
        let (kind, sku, _) = self.message().await;
        assert_eq!(kind, "IR");
        let path = format!("/remote-storage/return/{}", self.storage);
        let body = json!({"itemBarcode": sku});
        let _ = self.client.post(&path, &body).await.expect(200);
        sku
    }
}
