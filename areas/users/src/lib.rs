//! Users, patron groups, proxies, credentials and permissions of a tenant.
