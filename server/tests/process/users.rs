//! Users on the command line: loaded from a file each night, and unlocked.

use std::path::PathBuf;

use octavo_testkit::Client;
use serde_json::{Value, json};

use crate::octavo::{Octavo, run};
use crate::place::DataDir;

fn file(directory: &DataDir, name: &str, text: &str) -> PathBuf {
    let path = directory.path().join(name);
    std::fs::write(&path, text).expect("a file can be written");
    path
}

async fn user(client: &Client, external_id: &str) -> Value {
    let query = format!("externalSystemId=={external_id}");
    let found = client.query("/users", &query).await.expect(200).json();
    found["users"][0].clone()
}

#[tokio::test]
async fn a_file_of_users_is_loaded_each_night() {
    let directory = DataDir::of_demo().await;
    let octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let client = octavo.client().await;
    let head = "username,externalSystemId,active,patronGroup,lastName,email,addresses.Home.city\n";
    let good = "ann,1,yes,staff,Ann,ann@example.org,Oslo\nbob,2,true,faculty,Bob,,\n";
    let bad =
        "cy,3,perhaps,staff,Cy,,\ndee,4,true,nobody,Dee,,\nelf,5,true,staff,,elf@example.org,\n";
    let nightly = file(&directory, "night.csv", &format!("{head}{good}{bad}"));
    let errors = directory.path().join("errors.tsv");
    let options = |path: &PathBuf| {
        [
            "load",
            "users",
            path.to_str().expect("UTF-8"),
            "--source-type",
            "sis",
            "--deactivate-missing",
            "--errors",
            errors.to_str().expect("UTF-8"),
            "--data-dir",
            directory.arg(),
        ]
        .map(str::to_owned)
    };
    let load = async |path: &PathBuf| {
        let options = options(path);
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        run(&options, &[]).await
    };
    let first = load(&nightly).await;
    assert!(!first.status.success(), "{}", first.stdout);
    for message in [
        "5 users read",
        "2 created",
        "3 set aside",
        "nobody was made inactive",
    ] {
        assert!(
            first.stdout.contains(message),
            "{message}: {}",
            first.stdout
        );
    }
    let message = std::fs::read_to_string(&errors).expect("a file of errors");
    let positions: Vec<&str> = message
        .lines()
        .skip(1)
        .filter_map(|line| line.split('\t').next())
        .collect();
    assert_eq!(positions, ["3", "4", "5"], "{message}");
    assert!(
        message.contains("Patron group does not exist in the system: [nobody]"),
        "{message}"
    );
    let ann = user(&client, "sis_1").await;
    assert_eq!(ann["personal"]["addresses"][0]["city"], "Oslo");

    let mended = file(&directory, "mended.csv", &format!("{head}{good}"));
    let second = load(&mended).await;
    assert!(
        second.status.success(),
        "{} {}",
        second.stdout,
        second.stderr
    );
    assert!(second.stdout.contains("2 changed"), "{}", second.stdout);
    assert_eq!(user(&client, "sis_1").await["id"], ann["id"]);
    // The next night Bob is not in the file, and the file is JSON.
    let users = json!([{"username": "ann", "externalSystemId": "1", "active": true,
                        "personal": {"lastName": "Anna"}}]);
    let third = load(&file(&directory, "night.json", &users.to_string())).await;
    assert!(third.status.success(), "{} {}", third.stdout, third.stderr);
    assert!(third.stdout.contains("1 made inactive"), "{}", third.stdout);
    assert_eq!(user(&client, "sis_1").await["personal"]["lastName"], "Anna");
    assert_eq!(user(&client, "sis_2").await["active"], false);
    // Other users are not touched.
    let admin = client
        .query("/users", "username==diku_admin")
        .await
        .expect(200)
        .json();
    assert_eq!(admin["users"][0]["active"], true);

    for (name, text, message) in [
        (
            "a.csv",
            "username,shoeSize\n",
            "the column \"shoeSize\" is not known",
        ),
        ("b.csv", "username;externalSystemId\n", "--delimiter"),
        ("c.json", "{}", "no array \"users\""),
        ("d.json", "{\"users\": [], \"more\": 1}", "more"),
        ("e.doc", "", "--format csv"),
    ] {
        let refused = load(&file(&directory, name, text)).await;
        assert!(!refused.status.success(), "{name}");
        assert!(
            refused.stderr.contains(message),
            "{name}: {}",
            refused.stderr
        );
    }
}

#[tokio::test]
async fn the_only_administrator_is_let_in_again() {
    let directory = DataDir::of_demo().await;
    let octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let stranger = Client::new(octavo.address(), "diku");
    let log_in = async |password: &str| {
        let body = json!({"username": "diku_admin", "password": password});
        stranger.post("/authn/login", &body).await.status
    };
    let lock_out = async || {
        for _ in 0..5 {
            assert_eq!(log_in("wrong").await, 422);
        }
        assert_eq!(log_in("admin").await, 422);
    };
    lock_out().await;
    let of = |command: &'static str| ["user", command, "diku_admin", "--data-dir", directory.arg()];
    let unlocked = run(&of("unlock"), &[]).await;
    assert!(unlocked.status.success(), "{}", unlocked.stderr);
    assert!(
        unlocked.stdout.contains("was locked out"),
        "{}",
        unlocked.stdout
    );
    assert_eq!(log_in("admin").await, 201);
    lock_out().await;
    let given = [("OCTAVO_USER_PASSWORD", "another")];
    let changed = run(&of("password"), &given).await;
    assert!(changed.status.success(), "{}", changed.stderr);
    assert!(!changed.stdout.contains("another"), "{}", changed.stdout);
    assert_eq!(log_in("another").await, 201);
    assert_eq!(log_in("admin").await, 422);
    let made = run(&of("password"), &[]).await;
    let password = made.stdout.split("password ").nth(1);
    let password = password.and_then(|rest| rest.split(' ').next());
    assert_eq!(log_in(password.expect("the password")).await, 201);
    let nobody = ["user", "unlock", "nobody", "--data-dir", directory.arg()];
    let nobody = run(&nobody, &[]).await;
    assert!(!nobody.status.success());
    assert!(
        nobody.stderr.contains("has no user \"nobody\""),
        "{}",
        nobody.stderr
    );
}
