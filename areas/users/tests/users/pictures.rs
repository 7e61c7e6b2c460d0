//! `/users/profile-picture` and the setting about pictures.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use octavo_platform::Platform;
use octavo_records::{Stamp, Tenant};
use octavo_testkit::{Answer, Client};
use reqwest::Method;
use serde_json::json;

use super::{USERS, get, post, unknown};
use octavo_server_testkit::library;

const PICTURES: &str = "/users/profile-picture";
const ENTRY: &str = "/users/configurations/entry";

fn png(bytes: usize) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    file.resize(bytes, 7);
    file
}

async fn send(client: &Client, method: Method, path: &str, file: Vec<u8>) -> Answer {
    let request = client
        .request(method, path)
        .header("content-type", "application/octet-stream")
        .body(file);
    client.send(request).await
}

/// Lets users have pictures of up to so many megabytes.
async fn enable(client: &Client, megabytes: f64) {
    let mut entry = get(client, ENTRY).await;
    entry["enabled"] = json!(true);
    entry["maxFileSize"] = json!(megabytes);
    let path = format!("{ENTRY}/{}", entry["id"].as_str().expect("an id"));
    let _ = client.put(&path, &entry).await.expect(204);
}

async fn clear(platform: &Platform, tenant: &Tenant) -> i64 {
    let context = octavo_users::app::UserContext::new(platform, tenant, Stamp::now(None));
    octavo_users::app::keep_pictures::clear_unused(&context)
        .await
        .expect("pictures are looked through")
}

#[tokio::test]
async fn a_picture_is_stored_sealed_and_shown_as_it_was() {
    let library = library().await;
    let client = library.client().await;
    let refused = send(&client, Method::POST, PICTURES, png(100))
        .await
        .expect(500);
    assert_eq!(
        refused.text,
        "Profile picture feature is not enabled for tenant diku"
    );
    enable(&client, 1.0).await;
    let stored = send(&client, Method::POST, PICTURES, png(500_000))
        .await
        .expect(201)
        .json();
    let id = stored["id"].as_str().expect("an id").to_owned();
    let path = format!("{PICTURES}/{id}");
    let shown = get(&client, &path).await;
    assert_eq!(shown["id"], stored["id"]);
    assert_eq!(shown["profile_picture_blob"], STANDARD.encode(png(500_000)));
    let row = library
        .platform
        .store
        .database
        .query_opt("SELECT sealed FROM tenant_diku.profile_picture", &[])
        .await
        .expect("the picture can be read")
        .expect("there is one");
    let sealed: Vec<u8> = row.get(0);
    assert!(sealed.len() > 500_000 && !sealed.windows(4).any(|four| four == b"\x89PNG"));

    let replaced = send(&client, Method::PUT, &path, png(50))
        .await
        .expect(200)
        .json();
    assert_eq!(replaced["id"], stored["id"]);
    assert_eq!(
        get(&client, &path).await["profile_picture_blob"],
        STANDARD.encode(png(50))
    );
    let _ = client.delete(&path).await.expect(204);
    let gone = client.delete(&path).await.expect(404);
    assert_eq!(gone.text, "Profile picture not found");
    let gone = client.get(&path).await.expect(404);
    assert_eq!(gone.text, format!("No profile picture found for id {id}"));
    let gone = send(&client, Method::PUT, &path, png(50)).await.expect(404);
    assert_eq!(gone.text, "Existing profile picture is not found");
}

#[tokio::test]
async fn files_that_are_no_pictures_or_too_large_are_refused() {
    let library = library().await;
    let client = library.client().await;
    enable(&client, 0.5).await;
    let size = "Requested file size should be within allowed size updated in profile_picture configuration";
    for (file, sentence) in [
        (Vec::new(), size),
        (
            b"1".to_vec(),
            "failed to save profile picture Insufficient data provided to detect file type",
        ),
        (
            b"GIF89a with some more bytes".to_vec(),
            "Requested image should be of supported type-[PNG,JPG,JPEG]",
        ),
        (png(600_000), size),
    ] {
        for (method, path) in [
            (Method::POST, PICTURES.to_owned()),
            (Method::PUT, format!("{PICTURES}/{}", unknown())),
        ] {
            let refused = send(&client, method, &path, file.clone()).await.expect(500);
            assert_eq!(refused.text, sentence);
        }
    }
    // More than any library may allow: read to its end, so that the client hears why.
    for method in [Method::POST, Method::PUT] {
        let path = match method {
            Method::POST => PICTURES.to_owned(),
            _ => format!("{PICTURES}/{}", unknown()),
        };
        for bytes in [10 * 1_024 * 1_024 + 1, 30 * 1_024 * 1_024] {
            let refused = send(&client, method.clone(), &path, png(bytes)).await;
            assert_eq!((refused.status, refused.text.as_str()), (500, size));
        }
    }
}

#[tokio::test]
async fn the_key_stays_and_is_another_in_each_library() {
    let library = library().await;
    let client = library.client().await;
    let entry = get(&client, ENTRY).await;
    assert_eq!(
        (&entry["configName"], &entry["enabled"]),
        (&json!("PROFILE_PICTURE_CONFIG"), &json!(false))
    );
    let key = entry["encryptionKey"].as_str().expect("a key");
    assert_eq!(key.len(), 32);
    let path = format!("{ENTRY}/{}", entry["id"].as_str().expect("an id"));
    let mut changed = entry.clone();
    changed["encryptionKey"] = json!("another");
    let refused = client.put(&path, &changed).await.expect(400);
    assert_eq!(refused.text, "Cannot update the Encryption key");
    let mut changed = entry.clone();
    changed["maxFileSize"] = json!(11);
    let refused = client.put(&path, &changed).await.expect(500);
    assert_eq!(
        refused.text,
        "Max file size should not exceed more than 10 megabytes"
    );
    let _ = client
        .put(&format!("{ENTRY}/{}", unknown()), &entry)
        .await
        .expect(404);
    // The newer interface shows the same setting, and guards it too.
    let settings = client
        .query("/user/settings", "key==PROFILE_PICTURE_CONFIG")
        .await
        .expect(200)
        .json();
    let mut setting = settings["settings"][0].clone();
    assert_eq!(setting["value"]["encryptionKey"], key);
    setting["value"]["encryptionKey"] = json!("another");
    let path = format!("/user/settings/{}", setting["id"].as_str().expect("an id"));
    assert_eq!(
        client.put(&path, &setting).await.expect(400).text,
        "Cannot update the Encryption key"
    );
    setting["value"] = json!({"enabled": true, "encryptionKey": key});
    let _ = client.put(&path, &setting).await.expect(204);
    assert_eq!(get(&client, ENTRY).await["enabled"], true);
}

#[tokio::test]
async fn pictures_that_nobody_has_are_cleared_when_they_are_old() {
    let library = library().await;
    let client = library.client().await;
    let tenant = library.tenant();
    enable(&client, 1.0).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        let stored = send(&client, Method::POST, PICTURES, png(50))
            .await
            .expect(201)
            .json();
        ids.push(stored["id"].as_str().expect("an id").to_owned());
    }
    let personal = json!({"lastName": "A", "profilePictureLink": ids[0]});
    let _ = post(
        &client,
        USERS,
        json!({"username": "a", "personal": personal}),
    )
    .await;
    assert_eq!(clear(&library.platform, &tenant).await, 0);
    // The third was stored just now, and its user will be.
    library
        .platform
        .store
        .database
        .execute(
            "UPDATE tenant_diku.profile_picture SET stored_at = now() - interval '2 hours' WHERE id <> $1::text::uuid",
            &[&ids[2]],
        )
        .await
        .expect("the pictures grow old");
    assert_eq!(clear(&library.platform, &tenant).await, 1);
    let statuses = [
        client.get(&format!("{PICTURES}/{}", ids[0])).await.status,
        client.get(&format!("{PICTURES}/{}", ids[1])).await.status,
        client.get(&format!("{PICTURES}/{}", ids[2])).await.status,
    ];
    assert_eq!(statuses, [200, 404, 200]);
}
