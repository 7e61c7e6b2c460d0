//! Desks that act on the same late loan at once: its fine is charged once.

use futures_util::future::{join, join3};

use super::*;
use crate::OUT;
use crate::support::beside;
use octavo_server_testkit::stock::check_out;

const ROUNDS: usize = 150;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_desks_that_take_an_item_in_or_renew_it_one_charges_the_fine() {
    let (library, stock, policy) = fining_library().await;
    let client = &stock.client;
    let other = beside(&library, client).await;
    let elsewhere = client.at(other.address);
    let from_now = json!({"renewalsPolicy": {"renewFromId": "SYSTEM_DATE", "unlimited": true}});
    policy.say(client, &from_now).await;
    fining(
        client,
        json!({"overdueFine": rate(0.25, "day"), "maxOverdueFine": 3}),
    )
    .await;
    let lent = Lent::new(&stock, "1", LENT).await;
    let mut loan = lent.loan.clone();
    let (mut renewals, mut refusals) = (0, 0);
    for round in 0..ROUNDS {
        // The fine is three whether the loan is renewed late or returned late: now, or in 2024.
        let now = jiff::Timestamp::now().to_string();
        let back = back_at(&lent, &now);
        let again = back_at(&lent, &now);
        let renewal = lent.renewal();
        let renew = "/circulation/renew-by-barcode";
        let renewed = if round % 3 == 0 {
            let (first, second) = join(client.post(IN, &back), elsewhere.post(IN, &again)).await;
            let loans = [first.expect(200).json(), second.expect(200).json()];
            assert_eq!(
                loans.iter().filter(|one| one.get("loan").is_some()).count(),
                1
            );
            None
        } else if round % 3 == 1 {
            let (renewed, first, second) = join3(
                client.post(renew, &renewal),
                elsewhere.post(IN, &back),
                client.post(IN, &again),
            )
            .await;
            let _ = (first.expect(200), second.expect(200));
            Some(renewed)
        } else {
            let (first, renewed) =
                join(client.post(IN, &back), elsewhere.post(renew, &renewal)).await;
            let _ = first.expect(200);
            Some(renewed)
        };
        match renewed.map(|answer| answer.status) {
            Some(200) => renewals += 1,
            Some(422) => refusals += 1,
            Some(other) => panic!("{other}"),
            None => {}
        }
        assert_eq!(fined(client, &loan).await, Some(3.0), "round {round}");
        let mut body = check_out("i-1", "p-1");
        body["loanDate"] = json!(LENT);
        let next = client.post(OUT, &body).await.expect(201).json();
        loan = next["id"].as_str().expect("an id").to_owned();
    }
    assert!(
        renewals > 0 && refusals > 0,
        "{renewals} renewed, {refusals} refused"
    );
    assert_in_order(&library).await;
}
