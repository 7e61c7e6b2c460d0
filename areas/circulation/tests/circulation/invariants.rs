//! What `octavo doctor` asks of loans and items: each broken record is found, and no other.

use octavo_circulation::store::Tables;
use octavo_circulation::store::invariants::examine;
use uuid::Uuid;

use super::{OUT, stocked};
use octavo_server_testkit::stock::check_out;

#[tokio::test]
async fn what_is_broken_is_found_and_nothing_else() {
    let (library, stock) = stocked().await;
    let _ = stock.patron("p-1").await;
    let mut loans = Vec::new();
    for barcode in ["lent", "forgotten", "shelved"] {
        let _ = stock.item(barcode).await;
        if barcode != "shelved" {
            let lent = stock.client.post(OUT, &check_out(barcode, "p-1")).await;
            loans.push(lent.expect(201).json()["id"].clone());
        }
    }
    let store = &library.platform.store;
    let forgotten = Uuid::try_parse(loans[1].as_str().expect("an id")).expect("an id");
    let sql = "UPDATE tenant_diku.audit_loan SET jsonb =
        jsonb_set(jsonb, '{loan,action}', '\"renewed\"') WHERE jsonb->'loan'->>'id' = $1";
    let id = forgotten.to_string();
    let _ = store.database.query(sql, &[&id]).await.expect("a history");
    let sql = "UPDATE tenant_diku.item SET jsonb =
        jsonb_set(jsonb, '{status,name}', '\"Checked out\"')
        WHERE jsonb->>'barcode' = 'shelved' RETURNING id";
    let rows = store.database.query(sql, &[]).await.expect("an item");
    let shelved: Uuid = rows[0].get(0);

    let tenant = library.tenant();
    let tables = Tables {
        tenant: &tenant,
        catalog: &store.catalog,
    };
    let findings = examine(&store.database, tables, |_| ()).await;
    let broken: Vec<_> = findings
        .expect("the tenant can be examined")
        .into_iter()
        .filter(|finding| finding.faults > 0)
        .map(|finding| (finding.rule, finding.looked_at, finding.examples))
        .collect();
    let expected = [
        (
            "an item that is checked out has an open loan",
            3,
            vec![shelved],
        ),
        (
            "each loan's history begins with it and ends with what it is now",
            2,
            vec![forgotten],
        ),
    ];
    assert_eq!(broken, expected);
}
