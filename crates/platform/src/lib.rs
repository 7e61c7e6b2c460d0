//! What every area is built from: routes, errors, tokens, permissions, tenants.
