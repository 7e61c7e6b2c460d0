//! The formats that a text field among custom fields may require.

use jiff::civil::Date;

/// Whether it looks like an electronic mail address: a local part, and a domain with a dot.
#[must_use]
pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let allowed =
        |character: char| character.is_alphanumeric() || "!#$%&'*+/=?^_`{|}~.-".contains(character);
    let dots = local.starts_with('.') || local.ends_with('.') || local.contains("..");
    !local.is_empty()
        && local.len() <= 64
        && !dots
        && local.chars().all(allowed)
        && is_domain(domain)
}

/// Whether it is an address of the web, `http` or `https`, at a host with a dot or an IPv4 address.
#[must_use]
pub fn is_url(text: &str) -> bool {
    let lower = text.to_lowercase();
    let Some(rest) = lower
        .strip_prefix("http://")
        .or_else(|| lower.strip_prefix("https://"))
    else {
        return false;
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let (host, port) = match host.rsplit_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (host, None),
    };
    let port_fits = port.is_none_or(|port| port.is_empty() || port.parse::<u16>().is_ok());
    let path_fits =
        !path.contains(|c: char| c.is_whitespace() || c.is_control() || "<>\"".contains(c));
    port_fits && path_fits && (is_domain(host) || host.parse::<std::net::Ipv4Addr>().is_ok())
}

fn is_domain(text: &str) -> bool {
    let labels: Vec<&str> = text.split('.').collect();
    let label_fits = |label: &&str| {
        !label.is_empty()
            && label.chars().count() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    let top = labels.last().copied().unwrap_or_default();
    labels.len() >= 2
        && text.len() <= 253
        && labels.iter().all(label_fits)
        && top.chars().count() >= 2
        && (top.chars().all(char::is_alphabetic) || top.starts_with("xn--"))
}

/// Whether it is a number as people write it: `-12`, `0,5`, `.5`, `1 234,5`, `1,234.5`.
#[must_use]
pub fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    is_digits(digits) || is_fraction(digits) || is_blank_grouped(digits) || is_comma_grouped(digits)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Nothing or digits, one separator, digits.
fn is_fraction(text: &str) -> bool {
    text.split_once([',', '.', '|'])
        .is_some_and(|(whole, part)| (whole.is_empty() || is_digits(whole)) && is_digits(part))
}

fn is_blank_grouped(text: &str) -> bool {
    let end = text.find([',', '.', '|']).unwrap_or(text.len());
    let (whole, part) = text.split_at(end);
    let groups: Vec<&str> = whole.split(char::is_whitespace).collect();
    is_grouped(&groups) && (part.is_empty() || is_digits(&part[1..]))
}

fn is_comma_grouped(text: &str) -> bool {
    let (whole, part) = match text.split_once('.') {
        Some((whole, part)) => (whole, Some(part)),
        None => (text, None),
    };
    let groups: Vec<&str> = whole.split(',').collect();
    is_grouped(&groups) && part.is_none_or(is_digits)
}

/// One to three digits, then groups of three.
fn is_grouped(groups: &[&str]) -> bool {
    let [first, rest @ ..] = groups else {
        return false;
    };
    is_digits(first)
        && first.len() <= 3
        && !rest.is_empty()
        && rest
            .iter()
            .all(|group| is_digits(group) && group.len() == 3)
}

/// Whether it is a date without a time, `2026-02-01`.
#[must_use]
pub fn is_date(text: &str) -> bool {
    text.len() == 10 && text.parse::<Date>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn electronic_mail_addresses() {
        for right in [
            "a@b.org",
            "jane.doe+x@mail.example.com",
            "o'neil@ex-ample.de",
            "ä@bücher.de",
        ] {
            assert!(is_email(right), "{right}");
        }
        for wrong in [
            "",
            "a",
            "a@b",
            "@b.org",
            "a@.org",
            "a..b@c.org",
            ".a@c.org",
            "a b@c.org",
            "a@c.o",
            "a@-c.org",
            "a@c.123",
        ] {
            assert!(!is_email(wrong), "{wrong}");
        }
    }

    #[test]
    fn addresses_of_the_web() {
        for right in [
            "http://a.org",
            "HTTPS://a.org:8080/x?y=z#f",
            "https://127.0.0.1/a",
            "https://u@a.org/",
        ] {
            assert!(is_url(right), "{right}");
        }
        for wrong in [
            "a.org",
            "ftp://a.org",
            "http://",
            "http://localhost",
            "http://a.org:99999",
            "http://a.org/a b",
            "http://-a.org",
        ] {
            assert!(!is_url(wrong), "{wrong}");
        }
    }

    #[test]
    fn numbers() {
        for right in [
            "0",
            "-12",
            "00012",
            "0,5",
            ".5",
            "-.5",
            "1.25",
            "1 234",
            "12 345 678,9",
            "1,234",
            "-1,234,567.8",
        ] {
            assert!(is_number(right), "{right}");
        }
        for wrong in [
            "", "-", "a", "1a", "1.", "1.2.3", "1 23", "1234 567", "1,23,4", "1,234.", "é", "+1",
            "٣",
        ] {
            assert!(!is_number(wrong), "{wrong}");
        }
    }

    #[test]
    fn dates() {
        assert!(is_date("2026-02-28"));
        for wrong in ["2026-02-30", "2026-2-1", "20260201", "2026-02-01T00:00", ""] {
            assert!(!is_date(wrong), "{wrong}");
        }
    }
}
