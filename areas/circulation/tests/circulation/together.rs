//! Many desks on two processes with few items: whatever they do, loans, items and histories agree
//! afterwards; and a request that is sent again makes nothing twice.

use futures_util::future::join;
use octavo_server_testkit::assert_in_order;
use octavo_testkit::Client;
use serde_json::json;
use uuid::Uuid;

use super::{IN, OUT, check_in, messages, stocked};
use octavo_server_testkit::stock::{CIRC_DESK_1, CIRC_DESK_2, check_out};

const ROUNDS: usize = 120;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whatever_desks_do_at_once_the_records_agree() {
    let (library, stock) = stocked().await;
    let second = library.beside(octavo_server_testkit::composition).await;
    let other = Client::log_in(
        second.address,
        octavo_testkit::TENANT,
        octavo_testkit::USERNAME,
        octavo_testkit::PASSWORD,
    )
    .await;
    for number in 0..3 {
        let _ = stock.item(&format!("i-{number}")).await;
        let _ = stock.patron(&format!("p-{number}")).await;
    }
    let desks: Vec<_> = (0..6)
        .map(|desk| {
            let client = if desk % 2 == 0 { &stock.client } else { &other };
            let client = client.clone();
            tokio::spawn(async move { work(&client, desk).await })
        })
        .collect();
    let mut done = [0; 4];
    for desk in desks {
        let counted = desk.await.expect("the desk ends");
        for (sum, one) in done.iter_mut().zip(counted) {
            *sum += one;
        }
    }
    // All of it came about now and then, or the rounds proved nothing.
    assert!(done.iter().all(|times| *times > 0), "{done:?}");
    assert_in_order(&library).await;
}

/// Acts of one desk; how many check-outs, check-ins, renewals and losses came about.
async fn work(client: &Client, desk: usize) -> [usize; 4] {
    let mut done = [0; 4];
    for round in 0..ROUNDS {
        let number = (round * 7 + desk * 3) % 3;
        let (item, patron) = (format!("i-{number}"), format!("p-{}", (round + desk) % 3));
        let which = (round + desk) % 8;
        let answer = match which {
            0..=2 => client.post(OUT, &check_out(&item, &patron)).await,
            3 | 4 => {
                let point = if which == 3 { CIRC_DESK_1 } else { CIRC_DESK_2 };
                client.post(IN, &check_in(&item, point)).await
            }
            5 => {
                let body = json!({"itemBarcode": item, "userBarcode": patron});
                client.post("/circulation/renew-by-barcode", &body).await
            }
            _ => {
                let loans = client
                    .query("/circulation/loans", "status.name==Open")
                    .await;
                let loans = loans.expect(200).json();
                let of_item = loans["loans"].as_array().into_iter().flatten();
                let Some(loan) = of_item
                    .into_iter()
                    .find(|one| one["item"]["barcode"] == *item)
                else {
                    continue;
                };
                let id = loan["id"].as_str().expect("an id");
                let (path, body) = if which == 6 {
                    (
                        format!("/circulation/loans/{id}/declare-item-lost"),
                        json!({"declaredLostDateTime": "2026-03-01T10:00:00Z",
                               "servicePointId": CIRC_DESK_1}),
                    )
                } else {
                    (
                        format!("/circulation/loans/{id}/change-due-date"),
                        json!({"dueDate": "2130-01-01T00:00:00.000+00:00"}),
                    )
                };
                client.post(&path, &body).await
            }
        };
        assert!(answer.status < 500, "{which}: {}", answer.text);
        let kind = match which {
            0..=2 => 0,
            3 | 4 => 1,
            5 => 2,
            _ => 3,
        };
        done[kind] += usize::from(answer.status < 300);
    }
    done
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_check_out_that_is_sent_again_finds_its_loan() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = stock.patron("p-1").await;
    let _ = stock.patron("p-2").await;
    for round in 0..100 {
        let item = format!("i-{round}");
        let _ = stock.item(&item).await;
        let mut body = check_out(&item, "p-1");
        body["id"] = json!(Uuid::new_v4());
        let (first, second) = join(client.post(OUT, &body), client.post(OUT, &body)).await;
        let (first, second) = (first.expect(201).json(), second.expect(201).json());
        assert_eq!(first["id"], body["id"]);
        assert_eq!(first, second);
    }
    let all = client.get("/loan-storage/loans?limit=0").await.expect(200);
    assert_eq!(all.json()["totalRecords"], 100);
    // The id of someone else's loan opens nothing, and that of another item's does not matter.
    let mut body = check_out("i-0", "p-1");
    body["id"] = json!(Uuid::new_v4());
    let refused = client.post(OUT, &body).await.expect(422).json();
    assert_eq!(messages(&refused)[0], "Item is already checked out");
    let _ = stock.item("i-new").await;
    let first = client.query("/circulation/loans", "cql.allRecords=1").await;
    let taken = first.expect(200).json()["loans"][0]["id"].clone();
    let mut body = check_out("i-new", "p-2");
    body["id"] = taken.clone();
    let own = client.post(OUT, &body).await.expect(201).json();
    assert_ne!(own["id"], taken);
    assert_in_order(&library).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_patron_is_deleted_or_borrows() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let mut lent = 0;
    for round in 0..60 {
        let (item, barcode) = (format!("i-{round}"), format!("p-{round}"));
        let _ = stock.item(&item).await;
        let patron = stock.patron(&barcode).await;
        let path = format!("/bl-users/by-id/{patron}");
        let body = check_out(&item, &barcode);
        let (gone, loan) = if round % 2 == 0 {
            join(client.delete(&path), client.post(OUT, &body)).await
        } else {
            let (loan, gone) = join(client.post(OUT, &body), client.delete(&path)).await;
            (gone, loan)
        };
        assert_ne!(
            gone.status == 204,
            loan.status == 201,
            "{} {}",
            gone.text,
            loan.text
        );
        lent += usize::from(loan.status == 201);
    }
    assert!(lent > 0 && lent < 60, "{lent} of 60 borrowed");
    assert_in_order(&library).await;
}
