//! Passwords that came with their hashes from FOLIO.

use super::*;

// PBKDF2 with HMAC-SHA1, 1,000 rounds, 20 bytes: of `folio pässword`.
const HASH: &str = "A4287BAD0DDE8FD1CA2F836AF5A942DB74CAF90C";
const SALT: &str = "0F1E2D3C4B5A69788796A5B4C3D2E1F00F1E2D3C";

#[tokio::test]
async fn a_password_of_folios_is_taken_and_its_hash_made_ours() {
    let library = library().await;
    let admin = library.client().await;
    let user = new_user(&library, &admin, "moved", "replaced").await;
    let stored = format!(
        "UPDATE tenant_diku.auth_credentials SET jsonb = jsonb || \
         '{{\"hash\": \"{HASH}\", \"salt\": \"{SALT}\"}}' WHERE jsonb->>'userId' = '{user}'"
    );
    assert_eq!(run(&library, &stored).await, 1);
    for wrong in ["replaced", "folio passwort", HASH] {
        let _ = log_in_as(&library, "moved", wrong).await.expect(422);
    }
    let _ = log_in_as(&library, "moved", "folio pässword")
        .await
        .expect(201);
    let rows = library
        .platform
        .store
        .database
        .query(
            "SELECT jsonb->>'hash', jsonb ? 'salt' FROM tenant_diku.auth_credentials \
             WHERE jsonb->>'userId' = $1",
            &[&user.to_string()],
        )
        .await
        .expect("rows");
    let hash: String = rows[0].get(0);
    assert!(hash.starts_with("$argon2id$") && !rows[0].get::<_, bool>(1));
    let _ = log_in_as(&library, "moved", "folio pässword")
        .await
        .expect(201);
    let _ = log_in_as(&library, "moved", "wrong").await.expect(422);
}
