//! Concurrent changes of one record: two editors, an editor and an import, an editor and a desk.

use futures_util::future::join_all;
use octavo_cataloging::app::mapping_of;
use octavo_cataloging::derive::{Change, update_bib};
use octavo_mapping::RecordKind;
use octavo_marc::{Record, parse_text};
use octavo_records::{Context, Stamp, retried};
use octavo_testkit::{Client, Library};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{bib, content, created, generations, instance, put_path, shown, text, with};
use octavo_server_testkit::library;
use octavo_server_testkit::stock::{CAN_CIRCULATE, DVD, Stock, check_out};

#[tokio::test]
async fn of_two_editors_one_wins_and_the_other_is_refused() {
    let library = library().await;
    let client = library.client().await;
    let mut view = created(&client, &bib("T")).await;
    for round in 0..8 {
        let edits = ["One", "Two"].map(|who| with(&view, "245", &format!("$a {who} {round}")));
        let answers = join_all(edits.iter().map(|edit| {
            let (client, path) = (client.clone(), put_path(edit));
            async move { client.put(&path, edit).await.status }
        }));
        let mut statuses = answers.await;
        let won = statuses
            .iter()
            .position(|status| *status == 202)
            .expect("one wins");
        let title = content(&edits[won], "245").clone();
        statuses.sort_unstable();
        assert_eq!(statuses, [202, 409]);
        view = shown(&client, text(&view, "externalId")).await;
        assert_eq!(*content(&view, "245"), title);
        assert_eq!(super::generation(&client, &view).await, round + 1);
        in_step(&client, &view).await;
    }
}

/// Instance and record say the same, and there is one current generation.
async fn in_step(client: &Client, view: &Value) {
    let view = shown(client, text(view, "externalId")).await;
    let title = content(&view, "245")
        .as_str()
        .expect("a title")
        .replace("$a ", "");
    assert_eq!(instance(client, &view).await["title"], title.as_str());
    let all = generations(client, &view).await;
    let current = all.iter().filter(|record| record["state"] == "ACTUAL");
    assert_eq!(current.count(), 1);
    for (at, record) in all.iter().rev().enumerate() {
        assert_eq!(
            record["generation"],
            json!(at),
            "no generation is missing or doubled"
        );
    }
}

async fn import(library: &Library, instance: Uuid, record: &Record) {
    let tenant = library.tenant();
    let store = &library.platform.store;
    let written = retried(|| async {
        let context = Context {
            store,
            tenant: &tenant,
            stamp: Stamp::now(None),
        };
        let mapping = mapping_of(&context, RecordKind::Bib).await?;
        let transaction = store.database.transaction().await?;
        let snapshot = Uuid::new_v4();
        let document = json!({"id": snapshot, "jobExecutionId": snapshot, "status": "COMMITTED",
                              "processingStartedDate": "2026-03-01T00:00:00.000+00:00"});
        let collection = context.collection("snapshot");
        let document = document.as_object().cloned().expect("an object");
        octavo_records::store::insert(&transaction, &tenant, collection, document, &context.stamp)
            .await?;
        let change = Change {
            entity_id: Some(instance),
            ..Change::new(record.clone(), snapshot.into(), &mapping)
        };
        let derived = update_bib(&context, &transaction, change).await?;
        transaction.commit().await?;
        Ok::<_, octavo_cataloging::derive::Refusal>(derived)
    });
    let derived = written.await.expect("the import is written");
    assert_eq!(derived.entity_id, instance);
}

#[tokio::test]
async fn an_edit_beside_an_import_of_the_same_record_leaves_one_of_them_whole() {
    let library = library().await;
    let client = library.client().await;
    let mut view = created(&client, &bib("T")).await;
    let id = Uuid::try_parse(text(&view, "externalId")).expect("an id");
    for round in 0..8 {
        let record = parse_text(&format!(
            "LEADER 00000cam a2200000   4500\n001 foreign\n008 260301s1985    nyu           000 0 eng  \n\
             245 10$aImported {round}"
        ))
        .expect("a record");
        let edit = with(&view, "245", &format!("$a Edited {round}"));
        let path = put_path(&edit);
        let (answer, ()) = tokio::join!(client.put(&path, &edit), import(&library, id, &record));
        assert!(matches!(answer.status, 202 | 409), "{}", answer.text);
        view = shown(&client, text(&view, "externalId")).await;
        in_step(&client, &view).await;
    }
    let last = instance(&client, &view).await;
    assert_eq!(content(&view, "001"), &last["hrid"]);
}

#[tokio::test]
async fn edits_beside_check_outs_neither_wait_for_ever_nor_lose_anything() {
    let library = library().await;
    let client = library.client().await;
    let stock = Stock::new(client.clone()).await;
    let view = created(&client, &bib("T")).await;
    let sources = client
        .get("/holdings-sources?query=name==FOLIO")
        .await
        .expect(200)
        .json();
    let holdings = json!({"instanceId": view["externalId"], "permanentLocationId": stock.location,
                          "sourceId": sources["holdingsRecordsSources"][0]["id"]});
    let holdings = client
        .post("/holdings-storage/holdings", &holdings)
        .await
        .expect(201)
        .json();
    let _ = stock.patron("p").await;
    const ITEMS: usize = 8;
    for number in 0..ITEMS {
        let item = json!({"barcode": format!("b{number}"), "holdingsRecordId": holdings["id"],
                          "status": {"name": "Available"}, "materialTypeId": DVD,
                          "permanentLoanTypeId": CAN_CIRCULATE});
        let _ = client.post("/item-storage/items", &item).await.expect(201);
    }
    let lend = async {
        for number in 0..ITEMS {
            let body = check_out(&format!("b{number}"), "p");
            let path = "/circulation/check-out-by-barcode";
            let _ = client.post(path, &body).await.expect(201);
        }
    };
    let edit = async {
        for number in 0..ITEMS {
            let view = shown(&client, text(&view, "externalId")).await;
            let edit = with(&view, "245", &format!("$a Edited {number}"));
            let _ = client.put(&put_path(&edit), &edit).await.expect(202);
        }
    };
    tokio::join!(lend, edit);
    in_step(&client, &view).await;
    let open = client
        .get("/loan-storage/loans?limit=100")
        .await
        .expect(200)
        .json();
    assert_eq!(open["totalRecords"], ITEMS);
}
