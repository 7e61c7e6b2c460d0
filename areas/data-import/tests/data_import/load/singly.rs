//! Loads that update existing records, and loads of holdings and authorities, by the command line.

use octavo_data_import::load::{Derived, LoadOptions};
use octavo_records::Context;
use octavo_records::Stamp;
use octavo_testkit::Library;
use serde_json::json;

use super::{bib, bibs, iso2709, load_bytes, options, text, total};
use octavo_server_testkit::library;
use octavo_server_testkit::stock::Stock;

/// Options as the command makes them.
async fn as_the_command(library: &Library) -> LoadOptions {
    let tenant = library.tenant();
    let context = Context {
        store: &library.platform.store,
        tenant: &tenant,
        stamp: Stamp::now(None),
    };
    let derived = Derived::read(&context).await.expect("the tenant is read");
    let bibs = derived.of_bibs();
    LoadOptions {
        rules: bibs.rules,
        references: bibs.references,
        singly: Some(derived),
        ..options()
    }
}

#[tokio::test]
async fn what_is_there_is_changed_and_what_is_protected_stays() {
    let library = library().await;
    let client = library.client().await;
    let options = as_the_command(&library).await;
    let first = [bibs(1..=3), bib(4, "590   $aGift of Ida Holm")].concat();
    assert_eq!(
        load_bytes(&library, first, &options)
            .await
            .complete()
            .created,
        4
    );
    let protection = json!({"field": "590", "indicator1": "*", "indicator2": "*", "subfield": "*",
                            "data": "*", "source": "USER"});
    let _ = client
        .post("/field-protection-settings/marc", &protection)
        .await
        .expect(201);
    let update = LoadOptions {
        matching: Some("001".parse().expect("a match")),
        update: true,
        ..as_the_command(&library).await
    };
    let changed = iso2709("001 4\n003 NoOU\n245 10$aBridges, the last of them\n500   $aNew");
    let outcome = load_bytes(&library, [changed, bib(5, "")].concat(), &update).await;
    let progress = outcome.complete();
    assert_eq!(
        (progress.updated, progress.created, progress.problems),
        (1, 1, 0),
        "{:?}",
        outcome.problems
    );
    assert_eq!(total(&client, "/instance-storage/instances").await, 5);
    let found = client
        .query("/instance-storage/instances", "title=\"the last of them\"")
        .await
        .expect(200)
        .json();
    let instance = &found["instances"][0];
    let path = format!(
        "/source-storage/records/{}/formatted?idType=INSTANCE",
        text(instance, "id")
    );
    let record = client.get(&path).await.expect(200).json();
    assert_eq!(record["generation"], 1);
    let lines = text(&record["parsedRecord"], "formattedContent");
    for line in [
        format!("001 {}\n", text(instance, "hrid")),
        "035   $a(NoOU)4\n".to_owned(),
        "590   $aGift of Ida Holm\n".to_owned(),
        "500   $aNew\n".to_owned(),
    ] {
        assert!(lines.contains(&line), "{line} in {lines}");
    }
    assert!(!lines.contains("Mason"), "{lines}");
}

#[tokio::test]
async fn holdings_and_authorities_are_stored_with_their_records() {
    let library = library().await;
    let client = library.client().await;
    let stock = Stock::new(client.clone()).await;
    let options = as_the_command(&library).await;
    assert_eq!(
        load_bytes(&library, bib(1, ""), &options)
            .await
            .complete()
            .created,
        1
    );
    let found = client
        .query("/instance-storage/instances", "title=\"Bridges\"")
        .await
        .expect(200)
        .json();
    let hrid = text(&found["instances"][0], "hrid").to_owned();
    let holdings = |hrid: &str| {
        iso2709(&format!(
            "LEADER 00000nu  a2200000un 4500\n001 77\n004 {hrid}\n\
             008 2603010u    8   4001uueng0260301\n852 0 $bT/C/M/S$hTG300$i.M1"
        ))
    };
    let authority = iso2709(
        "LEADER 00000nz  a2200000n  4500\n001 n79021164\n\
         008 860211|n|azannaabn|||||||||||||||||a|ana||||||\n\
         010   $an 79021164\n100 1 $aHolm, Ida,$d1941-\n400 1 $aHolm, I.",
    );
    let file = [holdings(&hrid), authority, holdings("in-none")].concat();
    let outcome = load_bytes(&library, file, &options).await;
    let progress = outcome.complete();
    assert_eq!(
        (progress.updated, outcome.positions()),
        (2, vec![3]),
        "{:?}",
        outcome.problems
    );
    let shelf = client
        .query("/holdings-storage/holdings", "callNumber=\"TG300 .M1\"")
        .await
        .expect(200)
        .json();
    let shelf = &shelf["holdingsRecords"][0];
    assert_eq!(shelf["instanceId"], found["instances"][0]["id"]);
    assert_eq!(shelf["permanentLocationId"], stock.location.as_str());
    let person = client
        .query(
            "/authority-storage/authorities",
            "personalName==\"Holm, Ida*\"",
        )
        .await
        .expect(200)
        .json();
    assert_eq!(
        person["authorities"][0]["sftPersonalName"],
        json!(["Holm, I."])
    );
    for kind in ["MARC_BIB", "MARC_HOLDING", "MARC_AUTHORITY"] {
        let path = format!("/source-storage/records?limit=0&recordType={kind}");
        let page = client.get(&path).await.expect(200).json();
        assert_eq!(page["totalRecords"], 1, "{kind}");
    }
}
