//! The body of a request that is placed. Missing properties are refused later, together with all other
//! errors.

use jiff::Timestamp;
use octavo_library::{HoldingsId, InstanceId, RequestLevel, RequestType, wire_time};
use serde_json::{Map, Value};
use uuid::Uuid;

/// A request as it was sent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlaceRequest {
    body: Map<String, Value>,
}

impl PlaceRequest {
    #[must_use]
    pub fn new(body: Map<String, Value>) -> PlaceRequest {
        PlaceRequest { body }
    }

    #[must_use]
    pub fn body(&self) -> &Map<String, Value> {
        &self.body
    }

    /// A text property.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.body.get(name).and_then(Value::as_str)
    }

    /// A property as refusals repeat it.
    #[must_use]
    pub fn given(&self, name: &str) -> Option<String> {
        self.text(name).map(str::to_owned)
    }

    /// A non-blank text.
    #[must_use]
    pub fn filled(&self, name: &str) -> Option<&str> {
        self.text(name).filter(|text| !text.trim().is_empty())
    }

    /// The id in a property; an invalid id becomes a nil id, which matches nothing.
    #[must_use]
    pub fn id<I: From<Uuid>>(&self, name: &str) -> Option<I> {
        let text = self.filled(name)?;
        Some(Uuid::try_parse(text).unwrap_or_default().into())
    }

    #[must_use]
    pub fn instant(&self, name: &str) -> Option<Timestamp> {
        wire_time::parse(self.text(name)?)
    }

    /// For an item or for a title.
    #[must_use]
    pub fn level(&self) -> Option<RequestLevel> {
        RequestLevel::named_in_any_case(self.text("requestLevel")?)
    }

    /// Hold, recall or page.
    #[must_use]
    pub fn kind(&self) -> Option<RequestType> {
        RequestType::named_in_any_case(self.text("requestType")?)
    }

    /// Whether it is for a title.
    #[must_use]
    pub fn is_for_title(&self) -> bool {
        self.level() == Some(RequestLevel::Title)
    }

    /// Whether it names an item without title and holdings, as older clients do.
    #[must_use]
    pub fn names_item_alone(&self) -> bool {
        let newer = ["requestLevel", "holdingsRecordId", "instanceId"];
        !newer.iter().any(|name| self.body.contains_key(*name))
    }

    /// The request with title and holdings added.
    #[must_use]
    pub fn completed(
        &self,
        holdings: Option<HoldingsId>,
        instance: Option<InstanceId>,
    ) -> PlaceRequest {
        let mut body = self.body.clone();
        body.insert("requestLevel".into(), "Item".into());
        let ids = [
            ("holdingsRecordId", holdings.map(Uuid::from)),
            ("instanceId", instance.map(Uuid::from)),
        ];
        for (name, id) in ids {
            if let Some(id) = id {
                body.insert(name.into(), id.to_string().into());
            }
        }
        PlaceRequest { body }
    }

    /// Whether blocks of the patron are to be overridden.
    #[must_use]
    pub fn overrides_patron_block(&self) -> bool {
        let parameters = self.body.get("requestProcessingParameters");
        let blocks = parameters.and_then(|one| one.get("overrideBlocks"));
        let block = blocks.and_then(|blocks| blocks.get("patronBlock"));
        block.is_some_and(Value::is_object)
    }
}
