//! Concurrent uploads, and the removal of files that are not imported.

use octavo_platform::Handler;
use octavo_platform::system_call;
use octavo_testkit::{Client, Library};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::files::{UPLOADS, upload};
use super::{CREATE_INSTANCES, count, ended, raw};
use octavo_server_testkit::library;

/// A file of its own, larger than one portion.
fn file(name: &str, records: usize) -> Vec<u8> {
    let filler = format!("\n500   $a{}", "x".repeat(9_000)).repeat(7);
    let one = |at: usize| raw(&format!("001 {name}{at}\n245 10$a{name} {at}{filler}"));
    (0..records).map(one).collect::<String>().into_bytes()
}

/// An upload of which a part has been sent.
struct Begun<'a> {
    stream: TcpStream,
    rest: &'a [u8],
}

impl<'a> Begun<'a> {
    /// Sends half of a file, and waits until some of it is stored.
    async fn half(library: &Library, client: &Client, path: &str, bytes: &'a [u8]) -> Begun<'a> {
        let before = count(library, "import_file_portion").await;
        let address = client.url.trim_start_matches("http://");
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nX-Okapi-Tenant: {}\r\nX-Okapi-Token: {}\r\n\
             Content-Type: application/octet-stream\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            client.tenant,
            client.token.as_deref().unwrap_or_default(),
            bytes.len(),
        );
        let (half, rest) = bytes.split_at(bytes.len() / 2);
        stream.write_all(head.as_bytes()).await.expect("sent");
        stream.write_all(half).await.expect("sent");
        while count(library, "import_file_portion").await == before {
            tokio::task::yield_now().await;
        }
        Begun { stream, rest }
    }

    /// Sends the rest; returns the response.
    async fn end(mut self) -> String {
        self.stream.write_all(self.rest).await.expect("sent");
        let mut answer = String::new();
        let read = self.stream.read_to_string(&mut answer).await;
        read.expect("an answer");
        answer
    }
}

#[tokio::test]
async fn of_two_uploads_of_a_file_at_once_one_counts_and_is_whole() {
    let library = library().await;
    let client = library.client().await;
    let before = count(&library, "instance").await;
    let wanted = json!({"fileDefinitions": [{"name": "a.mrc"}]});
    let defined = client.post(UPLOADS, &wanted).await.expect(201).json();
    let id = defined["id"].as_str().expect("an id");
    let one = &defined["fileDefinitions"][0];
    let path = format!(
        "{UPLOADS}/{id}/files/{}",
        one["id"].as_str().expect("an id")
    );
    let (early, late) = (file("early", 40), file("late", 30));
    let first = Begun::half(&library, &client, &path, &early).await;
    let second = Begun::half(&library, &client, &path, &late).await;
    let answer = first.end().await;
    assert!(
        answer.starts_with("HTTP/1.1 400") && answer.contains("began after this one"),
        "{answer}"
    );
    let answer = second.end().await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let sql = "SELECT count(DISTINCT file), sum(length(bytes))::bigint \
               FROM tenant_diku.import_file_portion";
    let database = &library.platform.store.database;
    let rows = database.query(sql, &[]).await.expect("a count");
    assert_eq!(
        (rows[0].get::<_, i64>(0), rows[0].get::<_, i64>(1)),
        (1, late.len() as i64)
    );
    let process = json!({"uploadDefinition": {}, "jobProfileInfo": {"id": CREATE_INSTANCES}});
    let _ = client
        .post(&format!("{UPLOADS}/{id}/processFiles"), &process)
        .await
        .expect(204);
    let done = ended(&client, one["jobExecutionId"].as_str().expect("an id")).await;
    assert_eq!(done["status"], "COMMITTED", "{done}");
    assert_eq!(done["progress"]["total"], 30);
    assert_eq!(count(&library, "instance").await, before + 30);
}

/// Sweeps files as the timer does.
async fn sweep(library: &Library) {
    let platform = &library.platform;
    let view = platform.registry.known("diku");
    let view = view.expect("the tenant was asked for");
    let modules = octavo_data_import::modules();
    let mut timers = modules.iter().flat_map(|module| &module.timers);
    let path = "/data-import/uploadDefinitions/sweep";
    let timer = timers
        .find(|timer| timer.path == path)
        .expect("it is declared");
    let Handler::Call(handler) = &timer.handler else {
        panic!("{path} is served by a generic operation");
    };
    let answer = handler(system_call(platform, &view)).await;
    assert_eq!(answer.expect("it is carried out").status(), 202);
}

#[tokio::test]
async fn files_that_nobody_imports_are_removed() {
    let library = library().await;
    let client = library.client().await;
    let database = &library.platform.store.database;
    let (waiting, _) = upload(&client, "waiting.mrc", b"w".to_vec()).await;
    let (forgotten, _) = upload(&client, "forgotten.mrc", b"f".to_vec()).await;
    let age = "UPDATE tenant_diku.upload_definition SET jsonb = jsonb_set(jsonb, \
               '{metadata,updatedDate}', '\"2020-01-01T00:00:00.000+00:00\"') \
               WHERE jsonb->>'id' = $1 RETURNING id";
    let aged = database.query(age, &[&forgotten]).await.expect("it is old");
    assert_eq!(aged.len(), 1);
    // What an upload left whose process ended.
    let left = "INSERT INTO tenant_diku.import_file_portion VALUES (gen_random_uuid(), 0, 0, 'x')";
    let _ = database.execute(left, &[]).await.expect("it is there");
    assert_eq!(count(&library, "import_file_portion").await, 3);
    sweep(&library).await;
    assert_eq!(count(&library, "import_file_portion").await, 1);
    for (id, status) in [(&waiting, "UPLOADED"), (&forgotten, "ERROR")] {
        let definition = client
            .get(&format!("{UPLOADS}/{id}"))
            .await
            .expect(200)
            .json();
        assert_eq!(definition["fileDefinitions"][0]["status"], status);
    }
    let process = json!({"uploadDefinition": {}, "jobProfileInfo": {"id": CREATE_INSTANCES}});
    let path = format!("{UPLOADS}/{forgotten}/processFiles");
    let answer = client.post(&path, &process).await.expect(400);
    assert!(answer.text.contains("not been uploaded"), "{}", answer.text);
    let path = format!("{UPLOADS}/{waiting}/processFiles");
    let _ = client.post(&path, &process).await.expect(204);
}
