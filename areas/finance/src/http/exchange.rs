//! `/finance/exchange-rate` and `/finance/calculate-exchange`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call, incorrect};
use rust_decimal::Decimal;
use serde_json::json;

use crate::app::exchange::rate as looked_up;
use crate::money::Amount;
use crate::refusal::Refusal;
use crate::rules::exchange::{exchanged, is_currency};

fn currencies(call: &Call) -> Result<(String, String), ApiError> {
    let currency = |name: &str| {
        let code = call.parameter(name)?.unwrap_or_default();
        match is_currency(&code) {
            true => Ok(code),
            false => {
                let shown = code.chars().take(100).collect();
                Err(ApiError::from(Refusal::NoCurrency(shown)))
            }
        }
    };
    Ok((currency("from")?, currency("to")?))
}

async fn known_rate(call: &Call, from: &str, to: &str) -> Result<Decimal, ApiError> {
    let found = looked_up(call.context(), &call.store().database, from, to).await?;
    let refusal = || Refusal::NoRate {
        from: from.to_owned(),
        to: to.to_owned(),
    };
    Ok(found.ok_or_else(refusal)?)
}

/// 200 with the rate between two currencies.
pub async fn rate(call: Call) -> Result<Response, ApiError> {
    let (from, to) = currencies(&call)?;
    let rate = known_rate(&call, &from, &to).await?;
    // All of its digits that a number in JSON has.
    let rate: f64 = rate.to_string().parse().unwrap_or_default();
    let body = json!({"from": from, "to": to, "exchangeRate": rate});
    Ok(pretty(StatusCode::OK, &body))
}

fn amount(call: &Call, name: &str) -> Result<Option<Amount>, ApiError> {
    let Some(text) = call.parameter(name)? else {
        return Ok(None);
    };
    let amount = Amount::parse(&text);
    amount
        .map(Some)
        .ok_or_else(|| incorrect(name, &text, "must be a number"))
}

/// 200 with an amount in another currency, by the rate that is given or looked up.
pub async fn calculate(call: Call) -> Result<Response, ApiError> {
    let (from, to) = currencies(&call)?;
    let sent = amount(&call, "amount")?.ok_or_else(|| incorrect("amount", "", "must be given"))?;
    let rate = match amount(&call, "rate")? {
        Some(rate) => rate.decimal(),
        None => known_rate(&call, &from, &to).await?,
    };
    let total = exchanged(sent, rate, &from);
    let total = total.ok_or_else(|| incorrect("amount", &sent.to_string(), "is too large"))?;
    Ok(pretty(StatusCode::OK, &total.json()))
}
