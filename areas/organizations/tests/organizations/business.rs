//! `/organizations/…`

use octavo_server_testkit::library;
use serde_json::json;
use uuid::Uuid;

use super::{body, error, organization};

const PATH: &str = "/organizations/organizations";

#[tokio::test]
async fn an_organization_is_written_and_read() {
    let library = library().await;
    let client = library.client().await;
    let made = client.post(PATH, &body("A")).await.expect(201);
    let stored = made.json();
    let one = format!("{PATH}/{}", stored["id"].as_str().expect("an id"));
    assert_eq!(made.header("location"), Some(one.as_str()));
    assert_eq!(client.get(&one).await.expect(200).json(), stored);
    // The id in the body may be missing.
    let _ = client.put(&one, &body("B")).await.expect(204);
    let found = client.query(PATH, "code==B").await.expect(200).json();
    assert_eq!(found["organizations"][0]["id"], stored["id"]);
    let _ = client.delete(&one).await.expect(204);
    for gone in [
        client.get(&one).await,
        client.put(&one, &body("C")).await,
        client.delete(&one).await,
    ] {
        let error = error(&gone.expect(404));
        assert_eq!(error["code"], "genericError");
    }
}

#[tokio::test]
async fn refusals_have_codes() {
    let library = library().await;
    let client = library.client().await;
    let id = organization(&client, "A").await;
    let one = format!("{PATH}/{id}");
    let mut twice = body("B");
    let account = json!({"name": "N", "accountNo": "7", "accountStatus": "Active"});
    twice["accounts"] = json!([account, account]);
    for refused in [
        client.post(PATH, &twice).await,
        client.put(&one, &twice).await,
    ] {
        let error = error(&refused.expect(422));
        assert_eq!(
            error,
            json!({"message": "Account number must be unique for organization",
                   "code": "accountNumberMustBeUnique", "parameters": []})
        );
    }
    let _ = client
        .post("/organizations-storage/organizations", &twice)
        .await
        .expect(201);
    let mut other = body("A");
    other["id"] = json!(Uuid::new_v4());
    let refused = client.put(&one, &other).await.expect(422);
    assert_eq!(error(&refused)["code"], "idMismatch");
    let malformed = client.query(PATH, "code==").await.expect(400);
    assert_eq!(error(&malformed)["code"], "genericError");
}

#[tokio::test]
async fn a_bank_account_is_that_of_an_organization() {
    let library = library().await;
    let client = library.client().await;
    let path = "/organizations/banking-information";
    let organization = organization(&client, "A").await;
    let sent =
        json!({"organizationId": organization, "bankName": "B", "bankAccountNumber": "DE12"});
    let stored = client.post(path, &sent).await.expect(201).json();
    let one = format!("{path}/{}", stored["id"].as_str().expect("an id"));
    for query in ["bankAccountNumber=DE12", "organizations.code==A"] {
        let found = client.query(path, query).await.expect(200).json();
        assert_eq!(
            found["bankingInformation"][0]["id"], stored["id"],
            "{query}"
        );
    }
    let refused = client
        .delete(&format!("{PATH}/{organization}"))
        .await
        .expect(400);
    assert_eq!(error(&refused)["code"], "genericError");
    let mut changed = stored.clone();
    changed["id"] = json!(Uuid::new_v4());
    let refused = client.put(&one, &changed).await.expect(422);
    assert_eq!(error(&refused)["code"], "idMismatch");
    let mut changed = stored.clone();
    changed["bankName"] = json!("C");
    let _ = client.put(&one, &changed).await.expect(204);
    let _ = client.put(&one, &changed).await.expect(409);
    let _ = client.delete(&one).await.expect(204);
    let _ = client.get(&one).await.expect(404);
}
