//! Loans, requests, loan policies, circulation rules; check-out and check-in.
