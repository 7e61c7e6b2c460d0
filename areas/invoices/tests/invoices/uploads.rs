//! Exports that are uploaded to servers that others wrote.

use octavo_testkit::Answer;
use serde_json::{Value, json};

use crate::desk::{Desk, code, error, new_id, put_in};
use crate::exports::{EXPORTS, GROUP, approved, export, told};
use crate::servers::{FileServer, NAME, PASSWORD, is_told};

const BASE: &str = "/batch-voucher/export-configurations";

/// A configuration with its credentials; gives its id.
async fn configured(desk: &Desk, more: &Value) -> String {
    let id = new_id();
    let mut body = json!({"id": id, "batchGroupId": GROUP});
    for (name, value) in more.as_object().expect("an object") {
        body[name] = value.clone();
    }
    put_in(&desk.client, BASE, &body).await;
    let secret = json!({"username": NAME, "password": PASSWORD, "exportConfigId": id});
    put_in(&desk.client, &format!("{BASE}/{id}/credentials"), &secret).await;
    id
}

async fn tried(desk: &Desk, id: &str) -> Answer {
    let path = format!("{BASE}/{id}/credentials/test");
    desk.client.post(&path, &json!({})).await
}

/// Another version of the configuration's credentials.
async fn secret(desk: &Desk, id: &str, password: &str) {
    let path = format!("{BASE}/{id}/credentials");
    let mut body = desk.client.get(&path).await.expect(200).json();
    body["password"] = json!(password);
    let _ = desk.client.put(&path, &body).await.expect(204);
}

async fn again(desk: &Desk, export: &str) {
    let path = format!("{EXPORTS}/{export}/upload");
    let _ = desk.client.post(&path, &json!({})).await.expect(202);
}

/// The name of an export's file once it is uploaded.
async fn uploaded(desk: &Desk, id: &str, format: &str) -> String {
    let found = told(desk, id, &format!(".{format}")).await;
    assert_eq!(found["status"], "Uploaded");
    let name = found["message"].as_str().expect("a name").to_owned();
    assert!(
        name.starts_with("bv_") && name.contains("_FOLIO_2000-01-01_"),
        "{name}"
    );
    name
}

#[tokio::test]
async fn a_batch_voucher_is_uploaded_by_ftp() {
    let Some(server) = FileServer::ftp() else {
        return;
    };
    let desk = Desk::new().await;
    approved(&desk).await;
    let id = configured(
        &desk,
        &json!({"uploadURI": format!("ftp://127.0.0.1:{}", server.port), "ftpFormat": "FTP",
                "uploadDirectory": "/accounting/in", "format": "Application/xml"}),
    )
    .await;
    let answer = tried(&desk, &id).await.expect(200).json();
    let message = format!("The log-in at 127.0.0.1:{} succeeded", server.port);
    assert_eq!(answer, json!({ "message": message }));
    assert!(server.files("").is_empty(), "a trial leaves nothing");
    let first = export(&desk).await;
    let name = uploaded(&desk, &first, "xml").await;
    assert_eq!(server.files("accounting/in"), std::slice::from_ref(&name));
    let content = server.file(&format!("accounting/in/{name}"));
    assert!(
        content.contains("<vendorName>Otter Books</vendorName>"),
        "{content}"
    );
    // The folder exists now, and so does the file.
    again(&desk, &first).await;
    uploaded(&desk, &first, "xml").await;
    assert_eq!(server.files("accounting/in"), [name]);

    secret(&desk, &id, "wrong").await;
    let refused = tried(&desk, &id).await.expect(403);
    assert_eq!(code(&refused), "genericError");
    let message = error(&refused)["message"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    assert!(
        message.contains("refused the user name or password"),
        "{message}"
    );
    again(&desk, &first).await;
    let found = told(&desk, &first, "refused the user name or password").await;
    assert_eq!(found["status"], "Error");
    assert!(!is_told(&desk.library, PASSWORD).await);
}

#[tokio::test]
async fn a_batch_voucher_is_uploaded_by_sftp_to_the_server_that_is_known() {
    let Some(server) = FileServer::sftp("ssh-ed25519") else {
        return;
    };
    let desk = Desk::new().await;
    approved(&desk).await;
    let id = configured(
        &desk,
        &json!({"uploadURI": "sftp://127.0.0.1", "ftpFormat": "SFTP", "ftpPort": server.port}),
    )
    .await;
    let first = export(&desk).await;
    let name = uploaded(&desk, &first, "json").await;
    // FOLIO's folder where none is named.
    assert_eq!(
        server.files("ftp/files/invoices"),
        std::slice::from_ref(&name)
    );
    let content: Value =
        serde_json::from_str(&server.file(&format!("ftp/files/invoices/{name}"))).expect("JSON");
    assert_eq!(content["batchedVouchers"][0]["vendorName"], "Otter Books");
    let _ = tried(&desk, &id).await.expect(200);

    // Somebody else answers: nobody is told the password.
    let server = server.replaced("ecdsa-sha2-nistp256");
    let refused = tried(&desk, &id).await.expect(403);
    let message = error(&refused)["message"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    assert!(message.contains("has another key than before"), "{message}");
    again(&desk, &first).await;
    let found = told(&desk, &first, "has another key than before").await;
    assert_eq!(found["status"], "Error");
    assert!(server.files("").is_empty());
    // Whoever knows why says so.
    secret(&desk, &id, PASSWORD).await;
    again(&desk, &first).await;
    uploaded(&desk, &first, "json").await;

    secret(&desk, &id, "wrong").await;
    again(&desk, &first).await;
    told(&desk, &first, "refused the user name or password").await;
    assert!(!is_told(&desk.library, PASSWORD).await);
}

/// Old servers have no other key.
#[tokio::test]
async fn a_server_may_have_an_rsa_key() {
    let Some(server) = FileServer::sftp("ssh-rsa") else {
        return;
    };
    let desk = Desk::new().await;
    let uri = format!("sftp://127.0.0.1:{}", server.port);
    let id = configured(&desk, &json!({"uploadURI": uri, "ftpFormat": "SFTP"})).await;
    let _ = tried(&desk, &id).await.expect(200);
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_is_named() {
    let desk = Desk::new().await;
    approved(&desk).await;
    // A port that nobody listens on any more.
    let gone = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = gone.local_addr().expect("its address").port();
    drop(gone);
    let uri = format!("ftp://127.0.0.1:{port}");
    let id = configured(&desk, &json!({"uploadURI": uri, "ftpFormat": "FTP"})).await;
    let first = export(&desk).await;
    let found = told(
        &desk,
        &first,
        &format!("Unable to connect to 127.0.0.1:{port}: "),
    )
    .await;
    assert_eq!(found["status"], "Error");
    // What answers on a link only is asked for nothing.
    let path = format!("{BASE}/{id}");
    let mut body = desk.client.get(&path).await.expect(200).json();
    body["uploadURI"] = json!("sftp://169.254.169.254:80");
    body["ftpFormat"] = json!("SFTP");
    let _ = desk.client.put(&path, &body).await.expect(204);
    let refused = tried(&desk, &id).await.expect(403);
    let message = error(&refused)["message"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    assert!(message.contains("local to a network link"), "{message}");
    let _ = tried(&desk, &new_id()).await.expect(404);
}
