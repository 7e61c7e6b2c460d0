//! Response bodies: stored JSON passed on unchanged, and JSON in the layout of FOLIO's services
//! (`"key" : value`, which FOLIO's published JMeter plans assert on).

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// A response with JSON bytes.
#[must_use]
pub fn json_bytes(status: StatusCode, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, JSON);
    response
}

#[must_use]
pub fn empty(status: StatusCode) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

/// 201 with the stored record and its `Location`.
#[must_use]
pub fn created(body: Bytes, location: &str) -> Response {
    let mut response = json_bytes(StatusCode::CREATED, body);
    if let Ok(value) = HeaderValue::from_str(location) {
        response.headers_mut().insert(header::LOCATION, value);
    }
    response
}

/// JSON in the layout of FOLIO's services.
#[must_use]
pub fn pretty(status: StatusCode, value: &Value) -> Response {
    json_bytes(status, pretty_text(value))
}

/// The text of [`pretty`].
#[must_use]
pub fn pretty_text(value: &Value) -> Vec<u8> {
    let _span = octavo_trace::span("write the JSON");
    let mut out = Vec::with_capacity(1024);
    let mut serializer = Serializer::with_formatter(
        &mut out,
        Spaced {
            depth: 0,
            any: false,
        },
    );
    // Serializing a Value into memory cannot fail.
    let _ = value.serialize(&mut serializer);
    out
}

/// Two blanks a level and a blank on both sides of the colon, as Jackson's pretty printer does.
struct Spaced {
    depth: usize,
    any: bool,
}

impl Spaced {
    fn line<W: ?Sized + std::io::Write>(&self, writer: &mut W) -> std::io::Result<()> {
        writer.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| writer.write_all(b"  "))
    }
}

impl Formatter for Spaced {
    fn begin_array<W: ?Sized + std::io::Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        self.any = false;
        writer.write_all(b"[ ")
    }

    fn end_array<W: ?Sized + std::io::Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        writer.write_all(if self.any { b" ]" } else { b"]" })?;
        self.any = true;
        Ok(())
    }

    fn begin_array_value<W: ?Sized + std::io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        if first {
            Ok(())
        } else {
            writer.write_all(b", ")
        }
    }

    fn end_array_value<W: ?Sized + std::io::Write>(&mut self, _: &mut W) -> std::io::Result<()> {
        self.any = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + std::io::Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        self.depth += 1;
        self.any = false;
        writer.write_all(b"{")
    }

    fn end_object<W: ?Sized + std::io::Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        self.depth -= 1;
        if self.any {
            self.line(writer)?;
        } else {
            writer.write_all(b" ")?;
        }
        self.any = true;
        writer.write_all(b"}")
    }

    fn begin_object_key<W: ?Sized + std::io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        self.line(writer)
    }

    fn begin_object_value<W: ?Sized + std::io::Write>(
        &mut self,
        writer: &mut W,
    ) -> std::io::Result<()> {
        writer.write_all(b" : ")
    }

    fn end_object_value<W: ?Sized + std::io::Write>(&mut self, _: &mut W) -> std::io::Result<()> {
        self.any = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn writes_as_folio_does() {
        let text = String::from_utf8(pretty_text(&json!({
            "id": "7", "tags": [1, 2], "none": [], "empty": {}, "status": {"name": "Open"}
        })))
        .expect("JSON is UTF-8");
        assert_eq!(
            text,
            "{\n  \"id\" : \"7\",\n  \"tags\" : [ 1, 2 ],\n  \"none\" : [ ],\n  \
             \"empty\" : { },\n  \"status\" : {\n    \"name\" : \"Open\"\n  }\n}"
        );
    }
}
