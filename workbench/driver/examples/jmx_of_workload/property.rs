//! The XML of JMeter's properties.

pub(super) fn text(name: &str, value: &str) -> String {
    format!(
        "<stringProp name=\"{name}\">{}</stringProp>",
        escaped(value)
    )
}

pub(super) fn flag(name: &str, value: bool) -> String {
    format!("<boolProp name=\"{name}\">{value}</boolProp>")
}

pub(super) fn list(name: &str, class: &str, collection: &str, items: &str) -> String {
    format!(
        "<elementProp name=\"{name}\" elementType=\"{class}\">\
         <collectionProp name=\"{collection}\">{items}</collectionProp></elementProp>"
    )
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
