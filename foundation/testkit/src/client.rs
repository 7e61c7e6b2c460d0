//! A test client: JSON in, status and JSON out.

use std::net::SocketAddr;

use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};

/// A client of one tenant.
#[derive(Debug, Clone)]
pub struct Client {
    /// The server's URL, `http://127.0.0.1:1234`.
    pub url: String,
    pub tenant: String,
    pub token: Option<String>,
    /// The module that it means, where several have a route.
    module: Option<String>,
    http: reqwest::Client,
}

/// A response.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub text: String,
}

impl Answer {
    /// The body as JSON.
    ///
    /// # Panics
    /// When it is not JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("no JSON ({error}): {}", self.text))
    }

    /// Asserts the status, showing the body if it is another.
    ///
    /// # Panics
    /// When it is another.
    #[track_caller]
    #[must_use]
    pub fn expect(self, status: u16) -> Answer {
        assert_eq!(self.status, status, "{}", self.text);
        self
    }

    /// The errors of FOLIO's error body as `code: message`, with `{key=value, …}` behind it where there are
    /// parameters.
    ///
    /// # Panics
    /// When the body is none.
    #[must_use]
    pub fn errors(&self) -> Vec<String> {
        let body = self.json();
        let errors = body["errors"].as_array().expect("a list of errors");
        assert_eq!(body["total_records"], errors.len(), "{}", self.text);
        errors.iter().map(error_text).collect()
    }

    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

/// One error of FOLIO's error body, in the form of [`Answer::errors`].
#[must_use]
pub fn error_text(error: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or("none").to_owned();
    let head = format!("{}: {}", text(&error["code"]), text(&error["message"]));
    let parameters: Vec<String> = error["parameters"]
        .as_array()
        .map_or(&[][..], Vec::as_slice)
        .iter()
        .map(|one| format!("{}={}", text(&one["key"]), text(&one["value"])))
        .collect();
    match parameters.is_empty() {
        true => head,
        false => format!("{head} {{{}}}", parameters.join(", ")),
    }
}

impl Client {
    /// A client without a token.
    ///
    /// # Panics
    /// When the HTTP client cannot be made.
    #[must_use]
    pub fn new(address: SocketAddr, tenant: &str) -> Client {
        let http = reqwest::Client::builder()
            .no_proxy()
            .build()
            .expect("a plain HTTP client");
        Client {
            url: format!("http://{address}"),
            tenant: tenant.to_owned(),
            token: None,
            module: None,
            http,
        }
    }

    /// A client that has logged in.
    ///
    /// # Panics
    /// When the log-in fails.
    pub async fn log_in(
        address: SocketAddr,
        tenant: &str,
        username: &str,
        password: &str,
    ) -> Client {
        let mut client = Client::new(address, tenant);
        let body = json!({"username": username, "password": password});
        let answer = client.post("/authn/login", &body).await.expect(201);
        client.token = answer.header("x-okapi-token").map(str::to_owned);
        client
    }

    /// The same client for another server.
    #[must_use]
    pub fn at(&self, address: SocketAddr) -> Client {
        Client {
            url: format!("http://{address}"),
            ..self.clone()
        }
    }

    /// The same client with another token, or with none.
    #[must_use]
    pub fn with_token(&self, token: Option<&str>) -> Client {
        Client {
            token: token.map(str::to_owned),
            ..self.clone()
        }
    }

    /// The same client, which means this module where several have a route.
    #[must_use]
    pub fn with_module(&self, id: &str) -> Client {
        Client {
            module: Some(id.to_owned()),
            ..self.clone()
        }
    }

    /// A request with tenant and token, for tests that need other headers or methods.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self
            .http
            .request(method, format!("{}{path}", self.url))
            .header("x-okapi-tenant", &self.tenant);
        let request = match &self.module {
            Some(module) => request.header("x-okapi-module-id", module),
            None => request,
        };
        match &self.token {
            Some(token) => request.header("x-okapi-token", token),
            None => request,
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        send(self.request(Method::GET, path)).await
    }

    /// GET with a CQL query, percent-encoded.
    pub async fn query(&self, path: &str, query: &str) -> Answer {
        send(self.request(Method::GET, path).query(&[("query", query)])).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        send(self.request(Method::POST, path).json(body)).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> Answer {
        send(self.request(Method::PUT, path).json(body)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        send(self.request(Method::DELETE, path)).await
    }

    /// Sends a request made with [`Client::request`].
    pub async fn send(&self, request: RequestBuilder) -> Answer {
        send(request).await
    }
}

async fn send(request: RequestBuilder) -> Answer {
    let response: Response = request.send().await.expect("the server answers");
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let text = response.text().await.expect("the body arrives whole");
    Answer {
        status,
        headers,
        text,
    }
}
