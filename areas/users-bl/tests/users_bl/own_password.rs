//! A user's own new password.

use serde_json::json;

use super::{codes, log_in, logs_in, password, user};
use octavo_server_testkit::library;

#[tokio::test]
async fn a_new_password_must_keep_the_rules() {
    let library = library().await;
    let admin = library.client().await;
    let id = user(&admin, "ada", json!({})).await;
    password(&admin, id, "Secret-1815").await;
    let ada = log_in(&library, "ada", "Secret-1815").await;
    let path = "/bl-users/settings/myprofile/password";
    let change = async |old: &str, new: &str| {
        let body = json!({"username": "ada", "userId": id, "password": old, "newPassword": new});
        ada.post(path, &body).await
    };
    for (new, code) in [
        ("Sh0rt-", "password.length.invalid"),
        ("no-capital-1", "password.alphabetical.invalid"),
        ("No-number-", "password.number.invalid"),
        ("NoSpecial1", "password.specialCharacter.invalid"),
        ("My-name-is-ada-1", "password.usernameDuplicate.invalid"),
        ("Two  Blanks-1", "password.consecutiveWhitespaces.invalid"),
        ("", "password.length.invalid"),
        // The one that the user has.
        ("Secret-1815", "password.lastTenPasswords.invalid"),
    ] {
        let refused = change("Secret-1815", new).await.expect(400).json();
        assert_eq!(codes(&refused), [code], "{new}");
        assert_eq!(refused["errors"][0]["message"], code);
    }
    let wrong = change("wrong", "Another-1815").await.expect(401);
    assert_eq!(wrong.text, "Invalid credentials");
    // A wrong old password reveals nothing about earlier ones.
    let wrong = change("wrong", "Secret-1815").await.expect(401);
    assert_eq!(wrong.text, "Invalid credentials");

    let elsewhere = log_in(&library, "ada", "Secret-1815").await;
    let _ = change("Secret-1815", "Another-1815").await.expect(204);
    // Whoever else is logged in with the old password is out; the one who changed it continues.
    let _ = elsewhere.get("/bl-users/_self").await.expect(401);
    let _ = ada.get("/bl-users/_self").await.expect(200);
    assert!(logs_in(&library, "ada", "Another-1815").await);
    assert!(!logs_in(&library, "ada", "Secret-1815").await);
    let back = change("Another-1815", "Secret-1815")
        .await
        .expect(400)
        .json();
    assert_eq!(codes(&back), ["password.lastTenPasswords.invalid"]);
    let body = json!({"password": "Another-1815", "newPassword": "Third-1815"});
    let _ = ada.post(path, &body).await.expect(400);
    let _ = library.stranger().post(path, &body).await.expect(401);
}
