//! Which of the requests for any item of a title gets the item that is checked in.

use octavo_testkit::Client;
use serde_json::{Value, json};

use super::support::{beside, rule_for, wait};
use super::{IN, check_in, stocked};
use octavo_server_testkit::stock::{BOOK, CIRC_DESK_1, DVD, Stock, UNDERGRAD};

const ENTRIES: &str = "/settings/entries";
/// The patron group "staff".
const STAFF: &str = "3684a786-6671-4268-8ed0-9db82ebca60b";

/// Switches requests for titles on or off, where the release keeps the switch.
async fn switch(client: &Client, on: bool) {
    let entry = json!({"id": "0b117416-8dcf-45a1-be9a-ffaa847c4423", "scope": "circulation",
                       "key": "generalTlr", "value": {"titleLevelRequestsFeatureEnabled": on}});
    let path = format!("{ENTRIES}/0b117416-8dcf-45a1-be9a-ffaa847c4423");
    let there = client.get(&path).await.status == 200;
    let _ = match there {
        true => client.put(&path, &entry).await.expect(204),
        false => client.post(ENTRIES, &entry).await.expect(204),
    };
}

/// A hold for the title of the stock, in this place of the queue.
async fn hold(stock: &Stock, requester: &str, place: u32) -> String {
    let more = json!({"requestLevel": "Title", "itemId": null, "holdingsRecordId": null,
                      "position": place});
    wait(stock, "Hold", "", requester, more).await
}

async fn request(client: &Client, id: &str) -> Value {
    let path = format!("/request-storage/requests/{id}");
    client.get(&path).await.expect(200).json()
}

async fn status(client: &Client, item: &str) -> Value {
    let path = format!("/item-storage/items/{item}");
    client.get(&path).await.expect(200).json()["status"]["name"].clone()
}

#[tokio::test]
async fn an_item_that_may_not_be_lent_is_given_to_nobody() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    switch(client, true).await;
    let policy = json!({"name": "Stays here", "loanable": false, "renewable": false});
    let path = "/loan-policy-storage/loan-policies";
    let policy = client.post(path, &policy).await.expect(201).json();
    let policy = policy["id"].as_str().expect("an id");
    rule_for(
        client,
        &format!("s {} + m {BOOK}", stock.location),
        "l",
        policy,
    )
    .await;
    let reference = stock.item_of("i-book", BOOK, "Available").await;
    let lent = stock.item_of("i-dvd", DVD, "Available").await;
    let waiting = hold(&stock, &stock.patron("p-1").await, 1).await;
    let _ = client
        .post(IN, &check_in("i-book", CIRC_DESK_1))
        .await
        .expect(200);
    assert_eq!(status(client, &reference).await, "Available");
    assert_eq!(
        request(client, &waiting).await["status"],
        "Open - Not yet filled"
    );
    let _ = client
        .post(IN, &check_in("i-dvd", CIRC_DESK_1))
        .await
        .expect(200);
    assert_eq!(status(client, &lent).await, "Awaiting pickup");
    let given = request(client, &waiting).await;
    assert_eq!(given["status"], "Open - Awaiting pickup");
    assert_eq!(given["itemId"], json!(lent));
}

#[tokio::test]
async fn those_whose_policy_takes_no_such_request_are_passed_over_however_many_they_are() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    switch(client, true).await;
    let policy = json!({"name": "Pages alone", "requestTypes": ["Page"]});
    let path = "/request-policy-storage/request-policies";
    let policy = client.post(path, &policy).await.expect(201).json();
    let policy = policy["id"].as_str().expect("an id");
    let criteria = format!("g {UNDERGRAD} + s {}", stock.location);
    rule_for(client, &criteria, "r", policy).await;
    let mut passed = Vec::new();
    for place in 1..=4 {
        let student = stock.patron(&format!("p-{place}")).await;
        passed.push(hold(&stock, &student, place).await);
    }
    let staff = stock
        .patron_with("p-5", json!({"patronGroup": STAFF}))
        .await;
    let served = hold(&stock, &staff, 5).await;
    let item = stock.item("i-1").await;
    let _ = client
        .post(IN, &check_in("i-1", CIRC_DESK_1))
        .await
        .expect(200);
    assert_eq!(status(client, &item).await, "Awaiting pickup");
    assert_eq!(
        request(client, &served).await["status"],
        "Open - Awaiting pickup"
    );
    for id in passed {
        assert_eq!(
            request(client, &id).await["status"],
            "Open - Not yet filled"
        );
    }
}

#[tokio::test]
async fn the_switch_is_where_the_release_keeps_it_and_counts_at_once_on_every_process() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let second = beside(&library, client).await;
    let other = client.at(second.address);
    // Later releases keep it elsewhere, and the configuration is asked where entries say nothing.
    let later = json!({"name": "generalTlr", "value": {"titleLevelRequestsFeatureEnabled": false}});
    let _ = client
        .post("/circulation/settings", &later)
        .await
        .expect(201);
    let mut taken = Vec::new();
    let item = |number: usize| format!("i-{number}");
    for (number, on) in [true, false, true].into_iter().enumerate() {
        switch(if number == 1 { client } else { &other }, on).await;
        let id = stock.item(&item(number)).await;
        let waiting = hold(&stock, &stock.patron(&format!("p-{number}")).await, 1).await;
        let desk = if number == 1 { &other } else { client };
        let back = check_in(&item(number), CIRC_DESK_1);
        let _ = desk.post(IN, &back).await.expect(200);
        let expected = if on { "Awaiting pickup" } else { "Available" };
        assert_eq!(status(client, &id).await, expected, "{number}");
        taken.push(waiting);
        let path = format!("/request-storage/requests/{}", taken[number]);
        let _ = client.delete(&path).await.expect(204);
    }
    let path = format!("{ENTRIES}/0b117416-8dcf-45a1-be9a-ffaa847c4423");
    let _ = client.delete(&path).await.expect(204);
    let entry = json!({"module": "SETTINGS", "configName": "TLR", "enabled": true,
                       "value": "{\"titleLevelRequestsFeatureEnabled\":true}"});
    let _ = client
        .post("/configurations/entries", &entry)
        .await
        .expect(201);
    let id = stock.item("i-last").await;
    let _waiting = hold(&stock, &stock.patron("p-last").await, 1).await;
    let _ = other
        .post(IN, &check_in("i-last", CIRC_DESK_1))
        .await
        .expect(200);
    assert_eq!(status(client, &id).await, "Awaiting pickup");
}
