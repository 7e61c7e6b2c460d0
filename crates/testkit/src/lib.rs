//! PostgreSQL for tests, a database per test, an HTTP client and builders in library words.
