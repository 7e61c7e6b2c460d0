//! Why an operation on invoices is refused: FOLIO's status, code, message and parameters. Knows no HTTP but
//! the number of the status, since one code has several.

mod code;

pub use code::Code;

use octavo_finance::rules::batch::BatchRefusal;
use octavo_records::OperationError;
use serde_json::{Map, Value};

/// A refusal of this area, or an error of the record store.
pub type Declined = OperationError<Refusal>;

/// One reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    pub status: u16,
    pub code: String,
    pub message: String,
    pub parameters: Vec<(String, String)>,
    /// Further properties of the error: `protectedAndModifiedFields`. Apart, as they are rare and large.
    pub extra: Box<Map<String, Value>>,
}

impl octavo_records::Refusal for Refusal {}

impl Refusal {
    fn new(status: u16, code: Code) -> Refusal {
        Refusal {
            status,
            code: code.name().to_owned(),
            message: code.message().to_owned(),
            parameters: Vec::new(),
            extra: Box::default(),
        }
    }

    #[must_use]
    pub fn bad(code: Code) -> Refusal {
        Refusal::new(400, code)
    }

    #[must_use]
    pub fn forbidden(code: Code) -> Refusal {
        Refusal::new(403, code)
    }

    #[must_use]
    pub fn missing(code: Code) -> Refusal {
        Refusal::new(404, code)
    }

    #[must_use]
    pub fn invalid(code: Code) -> Refusal {
        Refusal::new(422, code)
    }

    /// What FOLIO answers with 500, though the client can do something about it.
    #[must_use]
    pub fn failed(code: Code) -> Refusal {
        Refusal::new(500, code)
    }

    /// Adds a parameter.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl ToString) -> Refusal {
        self.parameters.push((key.to_owned(), value.to_string()));
        self
    }

    /// Adds a property to the error.
    #[must_use]
    pub fn with_property(mut self, name: &str, value: Value) -> Refusal {
        self.extra.insert(name.to_owned(), value);
        self
    }

    /// Gives it another message.
    #[must_use]
    pub fn saying(mut self, message: impl Into<String>) -> Refusal {
        self.message = message.into();
        self
    }

    /// Puts values into the places of the message.
    #[must_use]
    pub fn naming(mut self, values: &[&str]) -> Refusal {
        for value in values {
            self.message = self.message.replacen("%s", value, 1);
        }
        self
    }

    /// The refusal of finance: with its own code where it has one, else with that of the act.
    #[must_use]
    pub fn of_batch(refusal: &BatchRefusal, act: Code) -> Refusal {
        match refusal.code() {
            Some(code) => Refusal {
                status: refusal.status(),
                code: code.to_owned(),
                message: refusal.message(),
                parameters: refusal.parameters(),
                extra: Box::default(),
            },
            None => Refusal::failed(act).with("cause", refusal.message()),
        }
    }
}

/// A failed batch of transactions in the words of this area.
#[must_use]
pub fn of_finance(declined: OperationError<BatchRefusal>, act: Code) -> Declined {
    match declined {
        OperationError::Refused(refusal) => Refusal::of_batch(&refusal, act).into(),
        OperationError::Store(error) => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What finance refuses without a code fails the act, with finance's words as its cause.
    #[test]
    fn a_refusal_without_a_code_has_that_of_the_act() {
        for (act, code, message) in [
            (
                Code::PendingPayment,
                "pendingPaymentError",
                "Failed to create pending payments",
            ),
            (
                Code::PaymentFailure,
                "invoicePaymentFailure",
                "Invoice payment failure",
            ),
        ] {
            let refusal = Refusal::of_batch(&BatchRefusal::DeleteUnknown, act);
            assert_eq!((refusal.status, refusal.code.as_str()), (500, code));
            assert_eq!(refusal.message, message);
            let cause = "One or more transaction to delete was not found";
            assert_eq!(refusal.parameters, [("cause".to_owned(), cause.to_owned())]);
        }
        let coded = BatchRefusal::BudgetNotActive("HIST".to_owned());
        let refusal = Refusal::of_batch(&coded, Code::PaymentFailure);
        assert_eq!(refusal.code, "budgetIsNotActiveOrPlanned");
        assert_eq!(
            refusal.parameters,
            [("fundCode".to_owned(), "HIST".to_owned())]
        );
    }
}
