//! Late returns: the fines, their records and events.

use super::*;

#[tokio::test]
async fn a_late_return_is_charged_once_and_told() {
    let (library, stock, policy) = fining_library().await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "1", LENT).await;
    // Three days and a minute: four days have begun.
    let body = back_at(&lent, "2024-03-05T10:01:00Z");
    let back = client.post(IN, &body).await.expect(200).json();
    let path = format!("/circulation/loans/{}", lent.loan);
    let shown = client.get(&path).await.expect(200).json();
    assert_eq!(shown["feesAndFines"]["amountRemainingToPay"], 1.0);
    assert_eq!(back["loan"]["feesAndFines"], shown["feesAndFines"]);
    let accounts = accounts(client, &lent.loan).await;
    assert_eq!(accounts.len(), 1);
    let account = &accounts[0];
    for (name, value) in [
        ("amount", json!(1.0)),
        ("remaining", json!(1.0)),
        ("status", json!({"name": "Open"})),
        ("paymentStatus", json!({"name": "Outstanding"})),
        ("feeFineType", json!("Overdue fine")),
        ("feeFineId", json!("9523cb96-e752-40c2-89da-60f3961a488d")),
        ("feeFineOwner", json!("Town library")),
        ("title", json!("Middlemarch")),
        ("barcode", json!("i-1")),
        ("callNumber", json!("PR4662 .A1")),
        ("location", json!("Stacks")),
        ("materialType", json!("dvd")),
        ("materialTypeId", json!(octavo_server_testkit::stock::DVD)),
        ("contributors", json!([{"name": "Eliot, George"}])),
        ("itemId", json!(lent.item)),
        ("loanId", json!(lent.loan)),
        ("userId", json!(lent.patron)),
        ("holdingsRecordId", json!(stock.holdings)),
        ("instanceId", json!(stock.instance)),
        ("dueDate", json!("2024-03-02T10:00:00.000+00:00")),
        ("returnedDate", json!("2024-03-05T10:01:00.000+00:00")),
        ("loanPolicyId", json!(policy.id)),
        ("overdueFinePolicyId", json!(POLICY)),
        (
            "lostItemFeePolicyId",
            json!("ed892c0e-52e0-4cd9-8133-c0ef07b4a709"),
        ),
    ] {
        assert_eq!(account[name], value, "{name}");
    }
    let id = account["id"].as_str().expect("an id");
    let actions = client
        .query("/feefineactions", &format!("accountId=={id}"))
        .await;
    let actions = actions.expect(200).json();
    assert_eq!(actions["totalRecords"], 1);
    let action = &actions["feefineactions"][0];
    for (name, value) in [
        ("typeAction", json!("Overdue fine")),
        ("amountAction", json!(1.0)),
        ("balance", json!(1.0)),
        ("createdAt", json!(CIRC_DESK_1)),
        ("transactionInformation", json!("-")),
        ("notify", json!(false)),
        ("userId", json!(lent.patron)),
    ] {
        assert_eq!(action[name], value, "{name}");
    }
    let me = client.get("/bl-users/_self").await.expect(200).json();
    let personal = &me["user"]["personal"];
    let name = |part: &str| personal[part].as_str().map(str::to_owned);
    let source = match (name("lastName"), name("firstName")) {
        (Some(last), Some(first)) => format!("{last}, {first}"),
        _ => me["user"]["username"].as_str().expect("a name").to_owned(),
    };
    assert_eq!(action["source"], json!(source));
    let log = client
        .query("/audit-data/circulation/logs", "action==Billed")
        .await;
    let log = log.expect(200).json();
    assert_eq!(log["totalRecords"], 1, "{log}");
    assert_eq!(
        log["logRecords"][0]["description"],
        "Fee/Fine type: Overdue fine. Fee/Fine owner: Town library. Amount: 1.00. automated. \
         Additional information to staff: "
    );
    assert_eq!(log["logRecords"][0]["userBarcode"], "p-1");
    let sql =
        "SELECT new FROM tenant_diku.outbox WHERE topic = 'feesfines.FEE_FINE_BALANCE_CHANGED'";
    let rows = library
        .platform
        .store
        .database
        .query(sql, &[])
        .await
        .expect("the outbox");
    let told: Vec<Value> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(told.len(), 1);
    assert_eq!(
        (&told[0]["feeFineId"], &told[0]["balance"]),
        (&account["id"], &json!(1.0))
    );
    // Taken in once more, it costs nothing more.
    let _ = client.post(IN, &body).await.expect(200);
    assert_eq!(fined(client, &lent.loan).await, Some(1.0));
    assert_in_order(&library).await;
}

#[tokio::test]
async fn the_policy_says_what_it_costs() {
    let (library, stock, policy) = fining_library().await;
    let client = &stock.client;
    let recalled = json!({"dueDateChangedByRecall": true});
    let usual = json!({});
    let days = |quantity: f64| rate(quantity, "day");
    // Three days and an hour late.
    let table = [
        (json!({"overdueFine": days(0.1)}), &usual, Some(0.4)),
        (
            json!({"overdueFine": rate(0.105, "week")}),
            &usual,
            Some(0.11),
        ),
        (
            json!({"overdueFine": rate(0.05, "hour")}),
            &usual,
            Some(3.65),
        ),
        (
            json!({"overdueFine": days(1.0), "maxOverdueFine": 2.5}),
            &usual,
            Some(2.5),
        ),
        (
            json!({"overdueFine": days(1.0), "maxOverdueFine": null}),
            &usual,
            None,
        ),
        (json!({"overdueFine": days(0.0)}), &usual, None),
        (json!({"overdueRecallFine": days(1.0)}), &usual, None),
        (json!({"overdueFine": days(1.0)}), &recalled, None),
        (
            json!({"overdueRecallFine": days(1.0)}),
            &recalled,
            Some(4.0),
        ),
        (
            json!({"overdueRecallFine": days(1.0), "maxOverdueRecallFine": 3}),
            &recalled,
            Some(3.0),
        ),
        (json!({}), &usual, None),
    ];
    for (number, (changes, loan, expected)) in table.iter().enumerate() {
        fining(client, changes.clone()).await;
        let lent = Lent::new(&stock, &number.to_string(), LENT).await;
        lent.with(client, (*loan).clone()).await;
        let body = back_at(&lent, "2024-03-05T11:00:00Z");
        let _ = client.post(IN, &body).await.expect(200);
        assert_eq!(fined(client, &lent.loan).await, *expected, "{changes}");
    }
    // A return within the grace period is not fined; a later one is fined for the whole time.
    let grace = json!({"loansPolicy": {"gracePeriod": {"duration": 2, "intervalId": "Days"}}});
    policy.say(client, &grace).await;
    let table = [
        ("a", "2024-03-04T10:00:00Z", &usual, false, None),
        ("b", "2024-03-04T10:01:00Z", &usual, false, Some(3.0)),
        ("c", "2024-03-04T10:00:00Z", &recalled, false, None),
        ("d", "2024-03-04T10:00:00Z", &recalled, true, Some(4.0)),
        ("e", "2024-03-02T10:00:00Z", &recalled, true, None),
        ("f", "2024-03-02T10:00:59Z", &recalled, true, None),
    ];
    for (name, date, loan, ignored, expected) in table {
        let changes = json!({"overdueFine": days(1.0), "overdueRecallFine": days(2.0),
                             "gracePeriodRecall": ignored});
        fining(client, changes).await;
        let lent = Lent::new(&stock, name, LENT).await;
        lent.with(client, loan.clone()).await;
        let _ = client.post(IN, &back_at(&lent, date)).await.expect(200);
        assert_eq!(fined(client, &lent.loan).await, expected, "{name}");
    }
    assert_in_order(&library).await;
}

#[tokio::test]
async fn hours_at_which_the_library_is_closed_count_if_the_policy_says_so() {
    let (_library, stock, _policy) = fining_library().await;
    let client = &stock.client;
    let hourly = |closed: bool| json!({"overdueFine": rate(0.1, "hour"), "countClosed": closed});
    let days = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"].map(
        |day| json!({"startDay": day, "startTime": "09:00", "endDay": day, "endTime": "17:00"}),
    );
    let calendar = json!({"name": "Workdays", "startDate": "2024-01-01", "endDate": "2024-12-31",
        "assignments": [CIRC_DESK_1], "normalHours": days, "exceptions": [
          {"name": "Works", "startDate": "2024-03-06", "endDate": "2024-03-07", "openings": []}]});
    let returned = async |name: &str, date: &str| {
        let lent = Lent::new(&stock, name, LENT).await;
        let _ = client.post(IN, &back_at(&lent, date)).await.expect(200);
        fined(client, &lent.loan).await
    };
    // Due on Saturday at ten. Without a calendar the library is never open.
    fining(client, hourly(false)).await;
    assert_eq!(returned("1", "2024-03-05T12:00:00Z").await, None);
    let _ = client
        .post("/calendar/calendars", &calendar)
        .await
        .expect(201);
    assert_eq!(returned("2", "2024-03-04T08:00:00Z").await, None);
    assert_eq!(returned("3", "2024-03-05T12:00:00Z").await, Some(1.1));
    assert_eq!(returned("4", "2024-03-07T12:00:00Z").await, Some(1.6));
    assert_eq!(returned("5", "2024-03-08T09:00:30Z").await, Some(1.6));
    assert_eq!(returned("6", "2024-03-08T09:01:00Z").await, Some(1.7));
    fining(client, hourly(true)).await;
    assert_eq!(returned("7", "2024-03-05T12:00:00Z").await, Some(7.4));
    // Where the clock on the wall is another, so are the hours.
    fining(client, hourly(false)).await;
    let locale = json!({"locale": "en-US", "currency": "USD", "timezone": "America/New_York"});
    let _ = client.put("/locale", &locale).await.expect(201);
    assert_eq!(returned("8", "2024-03-04T16:00:00Z").await, Some(0.2));
}

#[tokio::test]
async fn nobody_is_fined_who_was_right_or_where_nobody_is_owed() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = OwnPolicy::new(&stock).await;
    fining(client, json!({"overdueFine": rate(1.0, "day")})).await;
    let lent = Lent::new(&stock, "1", LENT).await;
    let _ = client
        .post(IN, &back_at(&lent, "2024-03-05T10:00:00Z"))
        .await
        .expect(200);
    assert_eq!(fined(client, &lent.loan).await, None);
    let _ = owner(client).await;
    for (name, resolution, expected) in [
        ("2", "Found by library", None),
        ("3", "Returned by patron", Some(3.0)),
    ] {
        let lent = Lent::new(&stock, name, LENT).await;
        let path = format!("/circulation/loans/{}/claim-item-returned", lent.loan);
        let claim = json!({"itemClaimedReturnedDateTime": "2024-03-03T10:00:00Z"});
        let _ = client.post(&path, &claim).await.expect(204);
        let mut body = back_at(&lent, "2024-03-05T10:00:00Z");
        body["claimedReturnedResolution"] = json!(resolution);
        let _ = client.post(IN, &body).await.expect(200);
        assert_eq!(fined(client, &lent.loan).await, expected, "{resolution}");
    }
    assert_in_order(&library).await;
}

#[tokio::test]
async fn amnesty_charges_no_fine() {
    let (_library, stock, _policy) = fining_library().await;
    let client = &stock.client;
    for (name, amnesty, expected) in [("1", true, None), ("2", false, Some(1.0))] {
        let lent = Lent::new(&stock, name, LENT).await;
        let mut body = back_at(&lent, "2024-03-05T10:01:00Z");
        body["amnesty"] = json!(amnesty);
        let back = client
            .post(crate::scan::SCAN_IN, &body)
            .await
            .expect(200)
            .json();
        assert_eq!(back["owed"].as_f64(), Some(expected.unwrap_or(0.0)));
        assert_eq!(fined(client, &lent.loan).await, expected);
    }
}
