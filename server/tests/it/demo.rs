//! The demo: the content of FOLIO's sample tenants, and that changes by visitors stay.

use octavo_host::demo::fill_once;
use octavo_testkit::{PASSWORD, USERNAME};
use serde_json::Value;

use octavo_server_testkit::library;

#[tokio::test]
async fn clients_find_what_folios_sample_tenants_have_and_what_is_deleted_stays_so() {
    let library = library().await;
    let (platform, tenant) = (&library.platform, library.tenant());
    let login = (USERNAME, PASSWORD);
    fill_once(platform, &tenant, login).await.expect("filled");
    let client = library.client().await;
    let entry = |module: &'static str, name: &'static str| {
        let query = format!("module=={module} and configName=={name}");
        let client = &client;
        async move {
            let page = client.query("/configurations/entries", &query).await;
            let page = page.expect(200).json();
            assert_eq!(page["totalRecords"], 1, "{page}");
            let value = page["configs"][0]["value"].as_str().expect("a text");
            serde_json::from_str::<Value>(value).expect("JSON in it")
        }
    };
    let desk = entry("CHECKOUT", "other_settings").await;
    assert_eq!(desk["prefPatronIdentifier"], "barcode,username");
    assert_eq!(entry("ORG", "localeSettings").await["timezone"], "UTC");

    let user = client
        .query("/users", &format!("username=={USERNAME}"))
        .await;
    let user = user.expect(200).json()["users"][0]["id"].clone();
    let points = format!("userId=={}", user.as_str().expect("an id"));
    let points = client.query("/service-points-users", &points).await;
    let points = points.expect(200).json()["servicePointsUsers"][0].clone();
    let desk = points["defaultServicePointId"].as_str().expect("an id");
    let desk = client
        .get(&format!("/service-points/{desk}"))
        .await
        .expect(200)
        .json();
    assert_eq!(desk["name"], "Circ Desk 1");
    let all = points["servicePointsIds"]
        .as_array()
        .expect("service points");
    assert!(
        all.len() > 2 && all.contains(&points["defaultServicePointId"]),
        "{points}"
    );

    // A visitor deletes the settings and finally the administrator; the next start does not restore
    // them.
    let entries = client.get("/configurations/entries?limit=100").await;
    for one in entries.expect(200).json()["configs"]
        .as_array()
        .expect("entries")
    {
        let path = format!(
            "/configurations/entries/{}",
            one["id"].as_str().expect("an id")
        );
        let _ = client.delete(&path).await.expect(204);
    }
    let path = format!("/users/{}", user.as_str().expect("an id"));
    let _ = client.delete(&path).await.expect(204);
    fill_once(platform, &tenant, login).await.expect("nothing");
    let database = &platform.store.database;
    for (sql, left) in [
        (
            "SELECT count(*) FROM tenant_diku.users WHERE jsonb->>'username' = $1",
            0_i64,
        ),
        (
            "SELECT count(*) FROM tenant_diku.config_data WHERE $1 <> ''",
            0,
        ),
    ] {
        let rows = database.query(sql, &[&USERNAME]).await.expect("a count");
        assert_eq!(rows[0].get::<_, i64>(0), left, "{sql}");
    }
}
