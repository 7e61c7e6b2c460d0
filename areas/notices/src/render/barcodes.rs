//! Bar codes in a template: `{{item.barcodeImage}}` becomes an attached picture.

use std::collections::HashSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::code128;

/// Maximal number of pictures of a text; later tokens get none.
pub const PICTURES_MAX: usize = 200;

/// The pictures of a text, and the names of the tokens that are HTML because of them.
#[derive(Debug, Default)]
pub struct Pictures {
    /// In FOLIO's form of attachments.
    pub attachments: Vec<Value>,
    /// Names as they are in the template.
    pub tokens: HashSet<String>,
}

/// The tokens of a text that may be pictures.
#[must_use]
pub fn picture_tokens(text: &str) -> HashSet<String> {
    let named = text.split("{{").skip(1).filter_map(|part| {
        let name = part.split("}}").next()?;
        let plain = name
            .chars()
            .all(|one| one == '.' || one.is_ascii_alphabetic());
        (plain && name.ends_with("Image") && part.len() > name.len()).then(|| name.to_owned())
    });
    named.collect()
}

/// Adds the pictures that the template uses to the context.
pub fn draw(wanted: &HashSet<String>, context: &mut Value) -> Pictures {
    let mut pictures = Pictures::default();
    if !wanted.is_empty() {
        visit(context, &mut Vec::new(), "", wanted, &mut pictures);
    }
    pictures
}

/// `within` is the path since the last array, as a template names it; `whole` the last two steps do.
fn visit(
    value: &mut Value,
    within: &mut Vec<String>,
    whole: &str,
    wanted: &HashSet<String>,
    pictures: &mut Pictures,
) {
    match value {
        Value::Object(members) => {
            let mut new = Vec::new();
            for (name, member) in members.iter_mut() {
                within.push(name.clone());
                match member.as_str() {
                    Some(text) if is_source(name, whole) && !text.trim().is_empty() => {
                        let token = format!("{}Image", within.join("."));
                        if wanted.contains(&token) && pictures.attachments.len() < PICTURES_MAX {
                            new.push((format!("{name}Image"), pictures.add(text)));
                            pictures.tokens.insert(token);
                        }
                    }
                    Some(_) => {}
                    None => visit(member, within, name, wanted, pictures),
                }
                within.pop();
            }
            members.extend(new);
        }
        Value::Array(elements) => {
            for element in elements {
                visit(element, &mut Vec::new(), whole, wanted, pictures);
            }
        }
        _ => {}
    }
}

/// `….barcode` below another property, and whatever ends with `Hrid`.
fn is_source(name: &str, parent: &str) -> bool {
    (name == "barcode" && !parent.is_empty()) || name.ends_with("Hrid")
}

impl Pictures {
    fn add(&mut self, text: &str) -> Value {
        let name = format!("barcode_{text}");
        let content_id = format!("<{name}>");
        let known = self
            .attachments
            .iter()
            .any(|one| one["contentId"] == content_id);
        if !known {
            let png = code128::picture(text).unwrap_or_default();
            self.attachments.push(json!({
                "contentType": "image/png", "name": name, "data": STANDARD.encode(png),
                "disposition": "inline", "contentId": content_id,
            }));
        }
        let quoted: String = name.chars().map(quote).collect();
        Value::from(format!("<img src='cid:{quoted}' alt='{quoted}'>"))
    }
}

/// The text is inserted between quotes in HTML without further escaping.
fn quote(one: char) -> String {
    match one {
        '&' | '<' | '>' | '"' | '\'' => format!("&#{};", u32::from(one)),
        _ => one.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_drawn_where_the_template_asks() {
        let wanted = picture_tokens(
            "{{item.barcodeImage}} {{#loans}}{{item.barcodeImage}}{{/loans}} {{x.Image",
        );
        assert_eq!(wanted, HashSet::from(["item.barcodeImage".to_owned()]));
        let mut context = json!({
            "item": {"barcode": "12"}, "loans": [{"item": {"barcode": "12"}}, {"item": {"barcode": "3'4"}}],
            "user": {"barcode": "no"}, "barcode": "no",
        });
        let pictures = draw(&wanted, &mut context);
        assert_eq!(pictures.tokens, wanted);
        assert_eq!(pictures.attachments.len(), 2);
        assert_eq!(pictures.attachments[0]["contentId"], "<barcode_12>");
        assert_eq!(
            context["item"]["barcodeImage"],
            "<img src='cid:barcode_12' alt='barcode_12'>"
        );
        let second = &context["loans"][1]["item"]["barcodeImage"];
        assert_eq!(
            second,
            "<img src='cid:barcode_3&#39;4' alt='barcode_3&#39;4'>"
        );
        assert!(context["user"].get("barcodeImage").is_none());
    }

    #[test]
    fn nothing_is_drawn_that_nobody_asks_for() {
        let mut context = json!({"item": {"barcode": "12", "instanceHrid": "in1"}});
        let before = context.clone();
        assert!(
            draw(&picture_tokens("{{item.barcode}}"), &mut context)
                .attachments
                .is_empty()
        );
        assert_eq!(context, before);
        let pictures = draw(&picture_tokens("{{item.instanceHridImage}}"), &mut context);
        assert_eq!(pictures.attachments.len(), 1);
    }
}
