//! A PostgreSQL that accepts encrypted connections.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

use octavo_client::Trust;
use octavo_postgres::testing::{Primary, TestCluster};
use octavo_probes::{PostgresTarget, ProbeOptions};
use tokio_postgres::NoTls;

use crate::support::{Scratch, line, noted, options, started};

/// An address of this machine on which other servers hardly ever listen.
fn address() -> String {
    let number = std::process::id();
    format!("127.{}.{}.7", 64 + (number >> 8) % 64, number % 250 + 1)
}

#[tokio::test]
async fn a_required_encryption_is_checked_by_what_is_trusted() {
    let address = address();
    let scratch = Scratch::new();
    let (certificate, key) = (scratch.file("server.crt"), scratch.file("server.key"));
    let made = rcgen::generate_simple_self_signed(vec![address.clone()]).unwrap();
    fs::write(&certificate, made.cert.pem()).unwrap();
    fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    // PostgreSQL requires the key to belong to its own user: that of any cluster of these tests.
    let any = TestCluster::shared().config("postgres");
    let (client, connection) = any.connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    let sql = "SELECT current_setting('data_directory')";
    let cluster: String = client.query_one(sql, &[]).await.unwrap().get(0);
    let owner = fs::metadata(cluster).unwrap();
    chown(&key, Some(owner.uid()), Some(owner.gid())).unwrap();
    let primary = Primary::start_with(&format!(
        "ssl = on\nssl_cert_file = '{}'\nssl_key_file = '{}'\nlisten_addresses = '{address}'\n",
        certificate.display(),
        key.display()
    ))
    .await;
    let probing = |mode: &str, trust: Trust| {
        let target = format!("host={address} user=octavo dbname=octavo sslmode={mode}");
        ProbeOptions {
            postgres: vec![target.parse::<PostgresTarget>().unwrap()],
            trust,
            ..options()
        }
    };
    let encrypted = "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                     WHERE ssl AND application_name = 'octavo-probe'";
    let (own, connection) = primary.config().connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    for (mode, trust) in [
        ("require", Trust::Authorities(certificate.clone())),
        ("prefer", Trust::System),
    ] {
        let probes = started(probing(mode, trust)).await;
        let count: i64 = own.query_one(encrypted, &[]).await.unwrap().get(0);
        let probed = probes.finish().await;
        assert!(count > 0, "{mode}: {:?}", probed.notes);
        assert!(
            line(&probed, "postgres version").is_some(),
            "{:?}",
            probed.notes
        );
    }
    let other = rcgen::generate_simple_self_signed(vec!["other".to_owned()]).unwrap();
    fs::write(scratch.file("other.crt"), other.cert.pem()).unwrap();
    let trust = Trust::Authorities(scratch.file("other.crt"));
    let probed = started(probing("require", trust)).await.finish().await;
    let words = ["TLS", "--certificate-authority"];
    assert!(noted(&probed, &words), "{:?}", probed.notes);
    assert!(line(&probed, "postgres version").is_none());
}
