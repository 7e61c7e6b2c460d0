//! Escapes foreign text: for HTML, for Markdown, for JSON inside a script.

/// Text for HTML, between tags or in an attribute with quotes.
pub fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ if unseen(letter) => escaped.push('\u{fffd}'),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// Text for the beginning of a line of Markdown, or all of it.
pub fn markdown_line(text: &str) -> String {
    let escaped = markdown(text);
    // Only there they would make headings and lists.
    match escaped.starts_with(['#', '+', '-', '=']) {
        true => format!("\\{escaped}"),
        false => escaped,
    }
}

/// Text within a line of Markdown, in a cell of a table too.
pub fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            // Otherwise GitHub would notify people of that name, and link addresses.
            '@' => escaped.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            '\n' | '\r' | '\t' => escaped.push(' '),
            _ if unseen(letter) => escaped.push('\u{fffd}'),
            _ => escaped.push(letter),
        }
    }
    // A scheme with an escaped colon is not linked.
    escaped.replace("://", "&#58;//")
}

/// Code for one line of Markdown, also in a table cell: the fence is longer than any in it.
pub fn markdown_code(text: &str) -> String {
    let line: String = text
        .chars()
        .map(|letter| if letter.is_whitespace() { ' ' } else { letter })
        .map(|letter| if unseen(letter) { '\u{fffd}' } else { letter })
        .collect();
    let line = line.split(' ').filter(|word| !word.is_empty());
    let line = line.collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        return String::new();
    }
    // Tables are split at bars before code is recognized.
    if line.contains('|') {
        let escaped = markdown(&line).replace("\\|", "&#124;");
        return format!("<code>{escaped}</code>");
    }
    let fence = "`".repeat(longest_run(&line) + 1);
    format!("{fence} {line} {fence}")
}

/// A block of Markdown with unchanged text, in a fence longer than any in it.
pub fn markdown_block(text: &str) -> String {
    let fence = "`".repeat((longest_run(text) + 1).max(3));
    let text: String = text
        .chars()
        .map(
            |letter| match unseen(letter) && letter != '\n' && letter != '\t' {
                true => '\u{fffd}',
                false => letter,
            },
        )
        .collect();
    format!("{fence}text\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

/// JSON for a script element, which it cannot close.
pub fn script(json: &str) -> String {
    // These characters occur only within strings, where they may be escaped.
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// Invisible characters that can mislead: control codes, and those that change the direction of
/// writing.
fn unseen(letter: char) -> bool {
    matches!(letter, '\u{0}'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|letter| letter != '`').map(str::len);
    runs.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_has_no_tags_left() {
        assert_eq!(
            html("<script>alert('\"&')</script>\u{0}\u{202e}"),
            "&lt;script&gt;alert(&#39;&quot;&amp;&#39;)&lt;/script&gt;\u{fffd}\u{fffd}"
        );
    }

    #[test]
    fn markdown_stays_in_its_cell() {
        let text = markdown_line("# a|b `c` [x](http://y)\n<b> @you *z*");
        assert_eq!(
            text,
            "\\# a\\|b \\`c\\` \\[x\\](http&#58;//y) &lt;b&gt; &#64;you \\*z\\*"
        );
    }

    #[test]
    fn code_cannot_leave_its_fence() {
        assert_eq!(markdown("+5 %"), "+5 %");
        assert_eq!(markdown_code("a `` b\n c"), "``` a `` b c ```");
        assert_eq!(
            markdown_code("a `|| <b> \\|"),
            "<code>a \\`&#124;&#124; &lt;b&gt; \\\\&#124;</code>"
        );
        assert_eq!(markdown_block("x\n```\ny\n"), "````text\nx\n```\ny\n````\n");
    }

    #[test]
    fn a_script_cannot_be_ended() {
        let json = script(r#"{"a":"</script><!--"}"#);
        assert_eq!(json, r#"{"a":"\u003c/script\u003e\u003c!--"}"#);
    }
}
