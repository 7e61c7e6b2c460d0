//! The bytes of an e-mail, from FOLIO's record and the settings.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lettre::message::header::{
    ContentDisposition, ContentId, ContentType, HeaderName, HeaderValue,
};
use lettre::message::{Mailboxes, MultiPart, SinglePart};
use lettre::{Message, address::Envelope};
use serde_json::Value;

use super::settings::SmtpSettings;

/// Headers determined by the message: settings cannot change them.
const OWN_HEADERS: [&str; 8] = [
    "from",
    "to",
    "cc",
    "bcc",
    "subject",
    "date",
    "message-id",
    "mime-version",
];

/// An e-mail, ready to be sent.
pub struct Mail {
    /// Sender and recipient.
    pub envelope: Envelope,
    pub bytes: Vec<u8>,
}

/// Makes the e-mail of a record. Its Message-ID is the record's id, so that duplicates can be
/// recognised.
///
/// # Errors
/// What in the record or the settings is invalid.
pub fn mail(record: &Value, settings: &SmtpSettings) -> Result<Mail, String> {
    let text = |name: &str| record[name].as_str().unwrap_or_default();
    let from = match text("from").trim() {
        "" => settings.from.as_str(),
        given => given,
    };
    if from.is_empty() {
        return Err("no sender is known: set `from` in the settings of the mail server".to_owned());
    }
    let from = addresses("from", &settings.named(from))?.into_single();
    let from = from.ok_or("from: one sender is needed")?;
    let domain = from.email.domain().to_owned();
    let to = addresses("to", text("to"))?;
    let mut builder = Message::builder()
        .from(from)
        .subject(text("header").replace(char::is_control, " "))
        .message_id(Some(format!(
            "<{}@{domain}>",
            text("id").replace(char::is_control, "")
        )));
    for mailbox in to {
        builder = builder.to(mailbox);
    }
    let bcc = text("bcc")
        .split(',')
        .map(str::trim)
        .filter(|one| !one.is_empty());
    for address in bcc {
        for mailbox in addresses("bcc", &settings.named(address))? {
            builder = builder.bcc(mailbox);
        }
    }
    let mut message = with_body(builder, record).map_err(|error| error.to_string())?;
    for (name, value) in &settings.headers {
        let lower = name.trim().to_ascii_lowercase();
        if OWN_HEADERS.contains(&lower.as_str()) || lower.starts_with("content-") {
            continue;
        }
        let name = header_name(name)?;
        let value = value.replace(char::is_control, " ");
        message
            .headers_mut()
            .insert_raw(HeaderValue::new(name, value));
    }
    Ok(Mail {
        envelope: message.envelope().clone(),
        bytes: message.formatted(),
    })
}

/// The name of a header. The mail library accepts line breaks in it, which would allow header injection.
fn header_name(name: &str) -> Result<HeaderName, String> {
    let refused = || "emailHeaders: a name is no name of a header".to_owned();
    let name = name.trim();
    if !name
        .bytes()
        .all(|one| one.is_ascii_graphic() && one != b':')
    {
        return Err(refused());
    }
    HeaderName::new_from_ascii(name.to_owned()).map_err(|_| refused())
}

fn addresses(what: &str, text: &str) -> Result<Mailboxes, String> {
    let parsed: Result<Mailboxes, _> = text.parse();
    let found = parsed.map_err(|error| format!("{what}: no e-mail address: {error}"))?;
    match found.iter().next() {
        Some(_) => Ok(found),
        None => Err(format!("{what}: an e-mail address is needed")),
    }
}

fn with_body(builder: lettre::message::MessageBuilder, record: &Value) -> Result<Message, String> {
    let body = record["body"].as_str().unwrap_or_default().to_owned();
    let format = record["outputFormat"].as_str().unwrap_or_default().trim();
    let text = match format.eq_ignore_ascii_case("text/html") {
        true => SinglePart::html(body),
        false => SinglePart::plain(body),
    };
    let given = record["attachments"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let failed = |error: lettre::error::Error| error.to_string();
    if given.is_empty() {
        return builder.singlepart(text).map_err(failed);
    }
    // Inline parts are siblings of the text, attachments are outside both.
    let mut related = None;
    let mut others = Vec::new();
    for attachment in given {
        let part = part(attachment)?;
        match attachment["contentId"].as_str() {
            Some(_) => {
                let before =
                    related.unwrap_or_else(|| MultiPart::related().singlepart(text.clone()));
                related = Some(before.singlepart(part));
            }
            None => others.push(part),
        }
    }
    let whole = match (related, others.is_empty()) {
        (Some(related), true) => related,
        (Some(related), false) => MultiPart::mixed().multipart(related),
        (None, _) => MultiPart::mixed().singlepart(text),
    };
    let whole = others.into_iter().fold(whole, MultiPart::singlepart);
    builder.multipart(whole).map_err(failed)
}

fn part(attachment: &Value) -> Result<SinglePart, String> {
    let text = |name: &str| attachment[name].as_str().unwrap_or_default().trim();
    let name = text("name").replace(char::is_control, " ");
    let name = match name.trim() {
        "" => "attachment",
        name => name,
    };
    let kind = ContentType::parse(text("contentType"));
    let kind = kind.unwrap_or_else(|_| {
        ContentType::parse("application/octet-stream").expect("invariant: it is well formed")
    });
    let data = STANDARD.decode(text("data"));
    let data = data.map_err(|_| "an attachment's data are not Base64".to_owned())?;
    let disposition = match text("disposition").eq_ignore_ascii_case("inline") {
        true => ContentDisposition::inline_with_name(name),
        false => ContentDisposition::attachment(name),
    };
    let builder = SinglePart::builder().header(kind).header(disposition);
    let id: String = text("contentId")
        .chars()
        .filter(|one| !one.is_control())
        .collect();
    Ok(match id.is_empty() {
        true => builder.body(data),
        false => {
            let id = id.trim_matches(['<', '>']);
            builder
                .header(ContentId::from(format!("<{id}>")))
                .body(data)
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn settings() -> SmtpSettings {
        SmtpSettings::read(&json!({
            "host": "mail", "port": 25, "username": "u", "password": "p", "from": "library@example.org",
            "identities": [{"address": "library@example.org", "name": "The Library"}],
            "emailHeaders": [{"name": "Reply-To", "value": "desk@example.org\r\nBcc: x@example.org"},
                             {"name": "Subject", "value": "other"}],
        }))
        .expect("they are whole")
    }

    fn made(record: &Value) -> Result<String, String> {
        let mail = mail(record, &settings())?;
        Ok(String::from_utf8(mail.bytes).expect("it is ASCII"))
    }

    #[test]
    fn a_message_has_what_its_record_says() {
        let record = json!({"id": "7", "to": "ada@example.org, bob@example.org", "bcc": "cy@example.org",
                            "header": "Due\nsoon", "body": "<p>é</p>", "outputFormat": "text/html"});
        let mail = mail(&record, &settings()).expect("it can be sent");
        let recipients: Vec<&str> = mail.envelope.to().iter().map(AsRef::as_ref).collect();
        assert_eq!(
            recipients,
            ["ada@example.org", "bob@example.org", "cy@example.org"]
        );
        let text = String::from_utf8(mail.bytes).expect("it is ASCII");
        for line in [
            "From: \"The Library\" <library@example.org>",
            "Subject: Due soon",
            "Message-ID: <7@example.org>",
            "Content-Type: text/html; charset=utf-8",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
        assert!(
            text.contains("Reply-To: desk@example.org  Bcc: x@example.org"),
            "{text}"
        );
        assert!(
            !text.contains("cy@example.org") && !text.contains("\r\nBcc:"),
            "{text}"
        );
    }

    #[test]
    fn no_name_of_a_header_begins_another() {
        for name in [
            "X-A\r\nBcc: x@example.org\r\nX-B",
            "X-A\nBcc",
            "X\tA",
            "X A",
            "X:A",
            "X-\u{e9}",
        ] {
            let settings = SmtpSettings::read(&json!({
                "host": "mail", "port": 25, "username": "u", "password": "p",
                "from": "library@example.org", "emailHeaders": [{"name": name, "value": "1"}],
            }))
            .expect("they are whole");
            let record = json!({"id": "7\r\nX: 1", "to": "ada@example.org", "header": "a\r\nX: 1",
                "body": "b", "attachments": [{"name": "a\r\nX: 1", "data": ""}]});
            let error = mail(&record, &settings).err().unwrap_or_default();
            assert!(error.contains("name of a header"), "{name:?}: {error}");
            let made = made(&record).expect("it can be sent");
            assert!(!made.contains("\nX: 1"), "{made}");
        }
    }

    #[test]
    fn pictures_lie_beside_the_text() {
        let record = json!({"id": "7", "to": "ada@example.org", "header": "h", "body": "b", "attachments": [
            {"contentType": "image/png", "name": "barcode_1", "data": "AQID", "disposition": "inline",
             "contentId": "<barcode_1>"},
            {"contentType": "no type", "name": "bill.pdf", "data": "AQID"}]});
        let text = made(&record).expect("it can be sent");
        for part in [
            "multipart/mixed",
            "multipart/related",
            "Content-ID: <barcode_1>",
            "inline; filename=\"barcode_1\"",
            "attachment; filename=\"bill.pdf\"",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn what_cannot_be_sent_is_told() {
        for (record, part) in [
            (json!({"to": "nobody"}), "to: no e-mail address"),
            (json!({"to": ""}), "to"),
            (
                json!({"to": "a@example.org", "attachments": [{"data": "!"}]}),
                "Base64",
            ),
            (json!({"to": "a@example.org", "from": "x"}), "from"),
        ] {
            let error = made(&record).expect_err("it cannot be sent");
            assert!(error.contains(part), "{error}");
        }
    }
}
