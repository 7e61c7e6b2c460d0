//! A StagingDirector: a machine on two TCP connections with messages of fixed width. It knows which items it has.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// Type letters, transaction number and time stamp.
const HEADER: usize = 2 + 5 + 14;

/// What the machine remembers.
#[derive(Debug, Default)]
struct Memory {
    added: HashMap<String, Value>,
    picked: Vec<Value>,
    wrong: Vec<String>,
    /// Items that it has been given and cannot find.
    lost: Vec<String>,
}

pub struct Director {
    address: SocketAddr,
    memory: Arc<Mutex<Memory>>,
    says: mpsc::Sender<String>,
}

impl Director {
    pub async fn start(lost: &[&str]) -> Director {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let memory = Arc::new(Mutex::new(Memory {
            lost: lost.iter().map(|one| (*one).to_owned()).collect(),
            ..Memory::default()
        }));
        let (says, heard) = mpsc::channel(16);
        tokio::spawn(run(listener, Arc::clone(&memory), heard));
        Director {
            address,
            memory,
            says,
        }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn shelf(&self) -> Vec<String> {
        let memory = self.memory.lock().expect("no panic");
        let mut all: Vec<String> = memory.added.keys().cloned().collect();
        all.sort();
        all
    }

    pub fn added(&self, sku: &str) -> Value {
        self.memory.lock().expect("no panic").added[sku].clone()
    }

    pub fn picked(&self) -> Vec<Value> {
        self.memory.lock().expect("no panic").picked.clone()
    }

    pub fn wrong(&self) -> Vec<String> {
        self.memory.lock().expect("no panic").wrong.clone()
    }

    /// An item comes back to the machine.
    pub async fn returned(&mut self, sku: &str) {
        let told = format!("{sku:<14.14}000");
        self.says.send(format!("IR{told}")).await.expect("it runs");
    }
}

async fn run(listener: TcpListener, memory: Arc<Mutex<Memory>>, mut says: mpsc::Receiver<String>) {
    let (mut orders, _) = listener.accept().await.expect("orders");
    let (mut status, _) = listener.accept().await.expect("answers");
    let mut number = 0;
    loop {
        let message = tokio::select! {
            message = order(&mut orders) => match message {
                Some(message) => message,
                None => return,
            },
            Some(own) = says.recv() => {
                number += 1;
                say(&mut status, number, &own).await;
                continue;
            }
        };
        let (kind, theirs, body) = message;
        // Each order is acknowledged by its number before anything else.
        say_numbered(&mut orders, "TR", &theirs, "000").await;
        let answer = memory.lock().expect("no panic").take(&kind, &body);
        if let Some(answer) = answer {
            number += 1;
            say(&mut status, number, &answer).await;
        }
    }
}

impl Memory {
    /// The answer to an order.
    fn take(&mut self, kind: &str, body: &str) -> Option<String> {
        let field = |from: usize, width: usize| body[from..from + width].trim_end().to_owned();
        let sku = field(0, if kind == "HM" { 0 } else { 14 });
        match kind {
            "HM" => None,
            "IA" => {
                let told = json!({"callNumber": field(14, 50), "title": field(64, 35),
                                  "author": field(99, 35)});
                self.added.insert(sku.clone(), told);
                Some(format!("IC{sku:<14}000"))
            }
            "SC" => {
                let reason = match (self.added.contains_key(&sku), self.lost.contains(&sku)) {
                    (false, _) => "003",
                    (true, true) => "002",
                    (true, false) => "007",
                };
                Some(format!("SM{sku:<14}{reason}"))
            }
            "PR" => {
                self.picked.push(
                    json!({"sku": sku, "pickup": field(14, 6), "patron": field(21, 20),
                    "name": field(41, 40), "callNumber": field(81, 50), "title": field(131, 35),
                    "author": field(166, 35)}),
                );
                None
            }
            other => {
                self.wrong.push(format!("{other}{body}"));
                None
            }
        }
    }
}

/// The width of an order after its header.
fn width(kind: &str) -> usize {
    let after_letters = match kind {
        "HM" => 19,
        "IA" => 153,
        "SC" => 33,
        "PR" => 220,
        other => panic!("an order that no director knows: {other}"),
    };
    after_letters + 2 - HEADER
}

async fn order(stream: &mut TcpStream) -> Option<(String, String, String)> {
    let mut head = [0; HEADER];
    stream.read_exact(&mut head).await.ok()?;
    let head = String::from_utf8(head.to_vec()).expect("text");
    let mut body = vec![0; width(&head[..2])];
    stream.read_exact(&mut body).await.ok()?;
    let body = String::from_utf8(body).expect("text");
    Some((head[..2].to_owned(), head[2..7].to_owned(), body))
}

async fn say(stream: &mut TcpStream, number: u32, message: &str) {
    let (kind, body) = message.split_at(2);
    say_numbered(stream, kind, &format!("{number:05}"), body).await;
}

async fn say_numbered(stream: &mut TcpStream, kind: &str, number: &str, body: &str) {
    let message = format!("{kind}{number}20260301100000{body}");
    stream
        .write_all(message.as_bytes())
        .await
        .expect("it hears");
}
