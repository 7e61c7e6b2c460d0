//! Many who place and move at once, beside desks: queues are whole, nobody is lost and nobody waits
//! twice.

use futures_util::future::{join, join_all};
use octavo_testkit::{Answer, Library};
use serde_json::json;

use super::*;
use crate::support::beside;
use crate::{IN, OUT, check_in, stocked};
use octavo_server_testkit::assert_in_order;
use octavo_server_testkit::stock::{CIRC_DESK_1, DVD, check_out};

/// Desks of two processes, four in all.
async fn desks(library: &Library, stock: &Stock) -> (octavo_testkit::Server, Vec<Client>) {
    let other = beside(library, &stock.client).await;
    let elsewhere = stock.client.at(other.address);
    let here = &stock.client;
    let all = vec![here.clone(), elsewhere.clone(), here.clone(), elsewhere];
    (other, all)
}

async fn patrons(stock: &Stock, many: usize) -> Vec<String> {
    let one = |number: usize| async move { stock.patron(&format!("r-{number}")).await };
    join_all((0..many).map(one)).await
}

fn numbered(many: usize) -> Vec<u64> {
    (1..=many).map(|number| number as u64).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn desks_that_place_on_one_item_leave_no_gap_and_lose_nobody() {
    let (library, stock) = stocked().await;
    let (_other, desks) = desks(&library, &stock).await;
    let item = stock.item_of("i-1", DVD, "On order").await;
    let patrons = patrons(&stock, 400).await;
    let placing = desks.iter().enumerate().map(|(desk, client)| {
        let bodies: Vec<_> = patrons
            .iter()
            .skip(desk)
            .step_by(desks.len())
            .map(|one| asked(&stock, ["Hold", "Recall"][desk % 2], &item, one))
            .collect();
        async move {
            for body in bodies {
                let _ = place(client, &body).await;
            }
        }
    });
    let _ = join_all(placing).await;
    assert_eq!(
        places(&stock.client, &format!("itemId=={item}")).await,
        numbered(400)
    );
    assert_in_order(&library).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn requests_for_a_title_and_for_its_items_stand_in_one_queue() {
    let (library, stock) = stocked().await;
    let (_other, desks) = desks(&library, &stock).await;
    allow_titles(&stock.client, json!({})).await;
    let mut items = Vec::new();
    for number in 0..3 {
        items.push(stock.item_of(&format!("i-{number}"), DVD, "On order").await);
    }
    let patrons = patrons(&stock, 240).await;
    let (stock, items) = (&stock, &items);
    let placing = desks.iter().enumerate().map(|(desk, client)| {
        let mine: Vec<_> = patrons.iter().skip(desk).step_by(4).collect();
        async move {
            for (round, patron) in mine.into_iter().enumerate() {
                let body = match (desk + round) % 4 {
                    3 => asked_title(stock, "Hold", patron),
                    item => asked(stock, "Hold", &items[item], patron),
                };
                let _ = place(client, &body).await;
            }
        }
    });
    let _ = join_all(placing).await;
    let title = format!("instanceId=={}", stock.instance);
    assert_eq!(places(&stock.client, &title).await, numbered(240));
    assert_in_order(&library).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn pages_for_a_title_take_each_item_once() {
    let (library, stock) = stocked().await;
    let (_other, desks) = desks(&library, &stock).await;
    allow_titles(&stock.client, json!({})).await;
    let patrons = patrons(&stock, 200).await;
    let _ = stock.patron("borrower").await;
    for round in 0..50 {
        let barcode = |number: usize| format!("i-{round}-{number}");
        let mut items = Vec::new();
        for number in 0..3 {
            items.push(stock.item(&barcode(number)).await);
        }
        // Three pages for three items, and somebody who borrows one of them past the queue.
        let lent = barcode(round % 3);
        let pages = (0..3).map(|desk| {
            let body = asked_title(&stock, "Page", &patrons[round * 4 + desk]);
            let client = &desks[desk];
            async move { client.post(REQUESTS, &body).await }
        });
        let lend = check_out(&lent, "borrower");
        let (pages, lent) = join(join_all(pages), stock.client.post(OUT, &lend)).await;
        let paged: Vec<Answer> = pages.into_iter().filter(|one| one.status == 201).collect();
        let mut taken: Vec<String> = paged
            .iter()
            .map(|one| one.json()["itemId"].as_str().expect("an item").to_owned())
            .collect();
        taken.sort();
        let all = taken.len();
        taken.dedup();
        assert_eq!(taken.len(), all, "an item is paged twice");
        assert!(paged.len() >= 2, "{}", lent.text);
    }
    let title = format!("instanceId=={}", stock.instance);
    let places = places(&stock.client, &title).await;
    assert!(places.len() >= 100 && places.len() <= 150);
    assert_in_order(&library).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn requests_meet_desks_that_lend_and_take_in_their_item() {
    let (library, stock) = stocked().await;
    let (_other, desks) = desks(&library, &stock).await;
    let patrons = patrons(&stock, 300).await;
    let item = stock.item("i-1").await;
    let _ = stock.patron("borrower").await;
    let (mut placed, mut filled) = ([0; 3], 0);
    for (round, patron) in patrons.iter().enumerate() {
        // Who is first in the queue borrows, so that it gets shorter now and then.
        let (waiting, first) = queue(&stock.client, &item).await;
        assert_eq!(waiting, numbered(waiting.len()), "in round {round}");
        let kind = if waiting.is_empty() { 0 } else { 1 + round % 2 };
        let body = asked(&stock, ["Page", "Hold", "Recall"][kind], &item, patron);
        let borrower = first.unwrap_or_else(|| "borrower".to_owned());
        let (lend, back) = (check_out("i-1", &borrower), check_in("i-1", CIRC_DESK_1));
        let place = async {
            match waiting.len() {
                0..4 => Some(desks[0].post(REQUESTS, &body).await),
                _ => None,
            }
        };
        let (made, lent, back) =
            tokio::join!(place, desks[1].post(OUT, &lend), desks[2].post(IN, &back));
        for answer in made.iter().chain([&lent, &back]) {
            assert!(answer.status < 500, "{}", answer.text);
        }
        placed[kind] += usize::from(made.is_some_and(|made| made.status == 201));
        filled += usize::from(lent.status == 201);
    }
    assert!(filled > 50, "{filled}");
    assert!(placed.iter().all(|times| *times > 0), "{placed:?}");
    assert_in_order(&library).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn moves_that_cross_leave_both_queues_whole() {
    let (library, stock) = stocked().await;
    let (_other, desks) = desks(&library, &stock).await;
    let items = [
        stock.item_of("i-0", DVD, "On order").await,
        stock.item_of("i-1", DVD, "On order").await,
    ];
    let patrons = patrons(&stock, 12).await;
    let mut queue = Vec::new();
    for (number, patron) in patrons.iter().enumerate() {
        let body = asked(&stock, "Hold", &items[number % 2], patron);
        queue.push(place(&stock.client, &body).await["id"].clone());
    }
    let (queue, items) = (&queue, &items);
    for titles in [false, true] {
        if titles {
            allow_titles(&stock.client, json!({})).await;
            // The queue of the title is numbered as the job of the switch does it.
            let job = json!({"status": "open"});
            let jobs = "/tlr-feature-toggle-job-storage/tlr-feature-toggle-jobs";
            let _ = stock.client.post(jobs, &job).await.expect(201);
            let path = "/tlr-feature-toggle-job/start";
            let _ = crate::support::timer(&library, &library.platform, path).await;
        }
        let moving = desks.iter().enumerate().map(|(desk, client)| async move {
            let mut done = 0;
            for round in 0..75 {
                let id = queue[(round * 5 + desk * 3) % queue.len()].as_str();
                let id = id.expect("an id");
                let body = json!({"destinationItemId": items[(round / 7 + desk) % 2]});
                let answer = client.post(&format!("{REQUESTS}/{id}/move"), &body).await;
                assert!(
                    answer.status == 200 || answer.status == 422,
                    "{}",
                    answer.text
                );
                done += usize::from(answer.status == 200);
            }
            done
        });
        let done: usize = join_all(moving).await.into_iter().sum();
        assert!(done > 30, "{done} moves");
        let of = |query: String| places(&stock.client, Box::leak(query.into_boxed_str()));
        if titles {
            let all = of(format!("instanceId=={}", stock.instance)).await;
            assert_eq!(all, numbered(12));
        } else {
            let first = of(format!("itemId=={}", items[0])).await;
            let second = of(format!("itemId=={}", items[1])).await;
            assert_eq!(first, numbered(first.len()));
            assert_eq!(second, numbered(second.len()));
            assert_eq!(first.len() + second.len(), 12);
        }
        assert_in_order(&library).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_patron_who_asks_twice_at_once_waits_once() {
    let (library, stock) = stocked().await;
    let (_other, desks) = desks(&library, &stock).await;
    let item = stock.item_of("i-1", DVD, "On order").await;
    let patrons = patrons(&stock, 150).await;
    for patron in &patrons {
        let body = asked(&stock, "Hold", &item, patron);
        let (first, second) = join(
            desks[0].post(REQUESTS, &body),
            desks[1].post(REQUESTS, &body),
        )
        .await;
        let mut statuses = [first.status, second.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 422], "{} {}", first.text, second.text);
    }
    assert_eq!(
        places(&stock.client, &format!("itemId=={item}")).await,
        numbered(150)
    );
    assert_in_order(&library).await;
}

/// The places of an item's queue, and the barcode of who is first.
async fn queue(client: &Client, item: &str) -> (Vec<u64>, Option<String>) {
    let query = format!("itemId=={item} and status=\"Open\"");
    let found = client.query(STORED, &query).await.expect(200).json();
    let requests = found["requests"].as_array().expect("requests");
    let place = |one: &Value| one["position"].as_u64().expect("a place");
    let mut places: Vec<u64> = requests.iter().map(place).collect();
    places.sort_unstable();
    let first = requests.iter().find(|one| place(one) == 1);
    let first = first.and_then(|one| one["requester"]["barcode"].as_str());
    (places, first.map(str::to_owned))
}
