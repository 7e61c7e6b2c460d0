//! SQLSTATE to error, on a real server.

use octavo_postgres::{Database, DatabaseError};

use crate::support::database;

async fn fails(database: &Database, sql: &str) -> DatabaseError {
    let connection = database.connection().await.unwrap();
    connection.batch_execute(sql).await.expect_err(sql)
}

#[tokio::test]
async fn constraints_name_themselves_and_messages_keep_values_out() {
    let (database, _test) = database().await;
    let setup = "CREATE TABLE patron (barcode text CONSTRAINT patron_barcode UNIQUE,
                     age int CONSTRAINT grown CHECK (age > 0), name text NOT NULL);
                 CREATE TABLE loan (barcode text CONSTRAINT loan_patron
                     REFERENCES patron (barcode));
                 INSERT INTO patron VALUES ('hushhush', 1, 'x');
                 INSERT INTO loan VALUES ('hushhush')";
    database
        .connection()
        .await
        .unwrap()
        .batch_execute(setup)
        .await
        .unwrap();

    let error = fails(&database, "INSERT INTO patron VALUES ('hushhush', 1, 'x')").await;
    assert!(!error.to_string().contains("hushhush"), "{error}");
    let DatabaseError::Unique {
        constraint,
        table,
        detail,
    } = error
    else {
        panic!("{error:?}")
    };
    assert_eq!(
        (constraint.as_str(), table.as_str()),
        ("patron_barcode", "patron")
    );
    assert!(detail.contains("hushhush"), "{detail}");

    for sql in ["INSERT INTO loan VALUES ('missing')", "DELETE FROM patron"] {
        let error = fails(&database, sql).await;
        let DatabaseError::ForeignKey {
            constraint, table, ..
        } = error
        else {
            panic!("{sql}")
        };
        assert_eq!(
            (constraint.as_str(), table.as_str()),
            ("loan_patron", "loan")
        );
    }

    let error = fails(&database, "INSERT INTO patron VALUES ('y', 0, 'x')").await;
    assert!(matches!(&error, DatabaseError::Check { constraint, .. } if constraint == "grown"));
    let error = fails(&database, "INSERT INTO patron VALUES ('y', 1, NULL)").await;
    assert!(matches!(&error, DatabaseError::Check { constraint, .. } if constraint == "name"));
}

#[tokio::test]
async fn values_and_sizes_and_the_rest() {
    let (database, _test) = database().await;
    let error = fails(&database, "SELECT 'hushhush'::uuid").await;
    assert!(!error.to_string().contains("hushhush"), "{error}");
    assert!(matches!(&error, DatabaseError::InvalidValue { code, .. } if code == "22P02"));

    let columns: Vec<String> = (0..1700).map(|n| format!("{n} AS c{n}")).collect();
    let error = fails(&database, &format!("SELECT {}", columns.join(","))).await;
    assert!(matches!(error, DatabaseError::TooLarge { .. }), "{error:?}");

    let error = fails(&database, "SELECT * FROM nowhere").await;
    assert_eq!(error.code(), Some("42P01"));
    assert!(error.to_string().contains("nowhere"), "{error}");

    let error = fails(
        &database,
        "SET LOCAL lock_timeout = 1; SELECT pg_terminate_backend(pg_backend_pid())",
    )
    .await;
    assert!(
        matches!(error, DatabaseError::Unavailable { .. }),
        "{error:?}"
    );
    let error = database
        .query("SELECT $1::int", &[&"text"])
        .await
        .unwrap_err();
    assert!(matches!(error, DatabaseError::Query { .. }), "{error:?}");
    let error = database.query("SELECT *\n FROM nowhere", &[]).await;
    let error = error.unwrap_err();
    assert_eq!(error.code(), Some("42P01"));
    let statement = error.statement().map(ToString::to_string);
    assert_eq!(statement.as_deref(), Some("SELECT * FROM nowhere"));
}
