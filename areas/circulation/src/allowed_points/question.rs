//! The query parameters of a client, and their valid combinations.

use octavo_library::{InstanceId, ItemId, PatronGroupId, RequestId, UserId};
use uuid::Uuid;

/// The operation on a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A new one is placed.
    Create,
    /// One is changed.
    Replace,
    /// One moves to another item.
    Move,
}

/// The parameters as they were given.
#[derive(Debug, Clone, Default)]
pub struct RawParameters {
    pub operation: Option<String>,
    /// `requesterId`.
    pub requester: Option<String>,
    /// `patronGroupId`.
    pub patron_group: Option<String>,
    /// `instanceId`.
    pub instance: Option<String>,
    /// `itemId`.
    pub item: Option<String>,
    /// `requestId`.
    pub request: Option<String>,
    pub use_stub_item: Option<String>,
    pub ecs_request_routing: Option<String>,
}

/// A valid query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    pub operation: Operation,
    /// The requester of a new request.
    pub requester: Option<UserId>,
    /// The group to ask the rules about, instead of the requester's.
    pub patron_group: Option<PatronGroupId>,
    /// The instance of a title level request.
    pub instance: Option<InstanceId>,
    pub item: Option<ItemId>,
    /// The request that changes or moves.
    pub request: Option<RequestId>,
    /// Ask the rules about the group alone, as for an unknown item.
    pub use_stub_item: bool,
    /// List the service points for requests between tenants.
    pub ecs_request_routing: bool,
}

impl RawParameters {
    /// Validates the parameters.
    ///
    /// # Errors
    /// FOLIO's messages about all errors, concatenated.
    pub fn question(&self) -> Result<Question, String> {
        let mut wrong = Vec::new();
        let requester = id(&mut wrong, "Requester", self.requester.as_deref());
        let patron_group = id(&mut wrong, "Patron Group", self.patron_group.as_deref());
        let instance = id(&mut wrong, "Instance", self.instance.as_deref());
        let item = id(&mut wrong, "Item", self.item.as_deref());
        let request = id(&mut wrong, "Request", self.request.as_deref());
        let use_stub_item = flag(&mut wrong, "useStubItem", self.use_stub_item.as_deref());
        let routing = self.ecs_request_routing.as_deref();
        let ecs_request_routing = flag(&mut wrong, "ecsRequestRouting", routing);
        let operation = self.operation();
        if operation.is_none() {
            wrong.push("Invalid combination of query parameters".to_owned());
        }
        match operation {
            Some(operation) if wrong.is_empty() => Ok(Question {
                operation,
                requester,
                patron_group,
                instance,
                item,
                request,
                use_stub_item,
                ecs_request_routing,
            }),
            _ => Err(wrong.join(" ")),
        }
    }

    /// The operation, when exactly its parameters are given.
    fn operation(&self) -> Option<Operation> {
        let someone = self.requester.is_some() || self.patron_group.is_some();
        let (instance, item) = (self.instance.is_some(), self.item.is_some());
        let request = self.request.is_some();
        match self.operation.as_deref()?.to_lowercase().as_str() {
            "create" if someone && instance != item && !request => Some(Operation::Create),
            "replace" if self.requester.is_none() && !instance && !item && request => {
                Some(Operation::Replace)
            }
            "move" if self.requester.is_none() && !instance && item && request => {
                Some(Operation::Move)
            }
            _ => None,
        }
    }
}

fn id<I: From<Uuid>>(wrong: &mut Vec<String>, what: &str, given: Option<&str>) -> Option<I> {
    let given = given?;
    let id = Uuid::try_parse(given).ok().filter(|_| given.len() == 36);
    if id.is_none() {
        wrong.push(format!("{what} ID is not a valid UUID: {}.", shown(given)));
    }
    id.map(I::from)
}

fn flag(wrong: &mut Vec<String>, name: &str, given: Option<&str>) -> bool {
    if let Some(given) = given.filter(|given| !["true", "false"].contains(given)) {
        wrong.push(format!("{name} is not a valid boolean: {}.", shown(given)));
    }
    given == Some("true")
}

/// The sent value, up to a hundred characters.
fn shown(given: &str) -> String {
    given.chars().take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "69b1b5ce-5cd1-4cf9-9b0e-1a1a3f8e3c01";

    fn given(operation: &str, names: &[&str]) -> RawParameters {
        let of = |name: &str| names.contains(&name).then(|| ID.to_owned());
        RawParameters {
            operation: Some(operation.to_owned()),
            requester: of("requester"),
            patron_group: of("group"),
            instance: of("instance"),
            item: of("item"),
            request: of("request"),
            ..RawParameters::default()
        }
    }

    #[test]
    fn some_parameters_go_together() {
        for (operation, names, allowed) in [
            ("create", &["requester", "instance"][..], true),
            ("CREATE", &["group", "item"], true),
            ("create", &["requester", "group", "item"], true),
            ("create", &["requester", "instance", "item"], false),
            ("create", &["requester"], false),
            ("create", &["item"], false),
            ("create", &["requester", "item", "request"], false),
            ("replace", &["request"], true),
            ("replace", &["request", "group"], true),
            ("replace", &["request", "requester"], false),
            ("replace", &["request", "item"], false),
            ("move", &["request", "item"], true),
            ("move", &["request"], false),
            ("move", &["request", "item", "instance"], false),
            ("delete", &["request"], false),
        ] {
            let question = given(operation, names).question();
            assert_eq!(question.is_ok(), allowed, "{operation} {names:?}");
            if let Err(sentence) = question {
                assert_eq!(sentence, "Invalid combination of query parameters");
            }
        }
        assert!(RawParameters::default().question().is_err());
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once() {
        let wrong = RawParameters {
            requester: Some("me".to_owned()),
            use_stub_item: Some("yes".to_owned()),
            ..given("create", &["item"])
        };
        assert_eq!(
            wrong.question(),
            Err(
                "Requester ID is not a valid UUID: me. useStubItem is not a valid boolean: yes."
                    .to_owned()
            )
        );
        let flags = RawParameters {
            use_stub_item: Some("true".to_owned()),
            ecs_request_routing: Some("false".to_owned()),
            ..given("create", &["requester", "item"])
        };
        let question = flags.question().expect("a question");
        assert!(question.use_stub_item && !question.ecs_request_routing);
    }
}
