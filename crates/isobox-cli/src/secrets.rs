//! Keeps literal secrets out of configurations: variables of the environment take their places.

use std::collections::BTreeMap;

/// The variables that have taken the place of secrets.
#[derive(Debug, Default)]
pub(crate) struct Secrets {
    /// The values, by the name of their variable.
    values: BTreeMap<String, String>,
    /// The places of the secrets, in words, with the names of their variables.
    replaced: Vec<(String, String)>,
    /// The last number after the name of a variable, by that name.
    numbers: BTreeMap<String, usize>,
    /// The variables with numbers, by that name and the value.
    numbered: BTreeMap<(String, String), String>,
}

impl Secrets {
    /// Returns the names of the variables with the places of their secrets, in the order in which they were found.
    pub(crate) fn replaced(&self) -> &[(String, String)] {
        &self.replaced
    }

    /// Returns the value of an environment variable of a server, as it may be written.
    pub(crate) fn variable(&mut self, server: &str, key: &str, value: &str) -> String {
        if !is_secret(key, value) {
            return value.to_owned();
        }
        self.replace(server, &name_of(&[key]), key, value)
    }

    /// Returns the value of a header, as it may be written.
    pub(crate) fn header(&mut self, server: &str, key: &str, value: &str) -> String {
        if !is_secret(key, value) {
            return value.to_owned();
        }
        let (scheme, secret) = match value.split_once(' ') {
            Some((scheme, secret)) if ["bearer", "basic", "token"].contains(&scheme.to_lowercase().as_str()) => {
                (format!("{scheme} "), secret)
            }
            Some(_) | None => (String::new(), value),
        };
        scheme + &self.replace(server, &name_of(&[server, key]), key, secret)
    }

    /// Returns the arguments of a command, as they may be written.
    pub(crate) fn arguments(&mut self, server: &str, arguments: &[String]) -> Vec<String> {
        let mut option = "";
        let mut written = Vec::new();
        for argument in arguments {
            let (start, flag, value) = match argument.split_once('=') {
                Some((flag, value)) if argument.starts_with('-') => (format!("{flag}="), flag, value),
                None if argument.starts_with('-') => {
                    option = argument;
                    written.push(argument.clone());
                    continue;
                }
                Some(_) | None => (String::new(), option, argument.as_str()),
            };
            option = "";
            let value = if is_secret(flag, value) {
                let place = if flag.is_empty() { "secret" } else { flag };
                self.replace(server, &name_of(&[server, place]), place, value)
            } else {
                self.named(server, flag, value)
            };
            written.push(start + &value);
        }
        written
    }

    /// Returns the value of an option, as it may be written, if it has a name itself: `--env API_KEY=…`, `--header "Authorization: …"`.
    /// What follows a colon without a space is a value in headers only: `key-server:1.2` is an image.
    fn named(&mut self, server: &str, flag: &str, text: &str) -> String {
        let is_name = |name: &str| {
            let is_sign = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_');
            name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') && name.chars().all(is_sign)
        };
        let is_header = |value: &str| value.starts_with(' ') || flag == "-H" || flag.ends_with("header");
        match text.split_once(['=', ':']) {
            Some((name, value)) if is_name(name) && text.split_once('=') == Some((name, value)) => {
                format!("{name}={}", self.variable(server, name, value))
            }
            Some((name, value)) if is_name(name) && is_header(value) => {
                let bare = value.trim_start();
                let blanks = " ".repeat(value.len() - bare.len());
                format!("{name}:{blanks}{}", self.header(server, name, bare))
            }
            Some(_) | None if text.contains("://") => self.address(server, text),
            Some(_) | None => text.to_owned(),
        }
    }

    /// Returns an address, as it may be written: without secrets in its path and its query, and without a user.
    pub(crate) fn address(&mut self, server: &str, url: &str) -> String {
        let (start, query) = url.split_once('?').map_or((url, None), |(start, query)| (start, Some(query)));
        let mut written = match start.split_once("://") {
            Some((scheme, rest)) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                match authority.rsplit_once('@') {
                    Some((user, host)) if !user.contains("${") => {
                        let user = self.replace(server, &name_of(&[server, "user"]), "the user of the address", user);
                        format!("{scheme}://{user}@{host}{}", self.path(server, path))
                    }
                    Some(_) | None => format!("{scheme}://{authority}{}", self.path(server, path)),
                }
            }
            None => start.to_owned(),
        };
        let parts = query.map(|query| query.split('&').collect::<Vec<_>>()).unwrap_or_default();
        for (at, part) in parts.into_iter().enumerate() {
            written.push(if at == 0 { '?' } else { '&' });
            written.push_str(&match part.split_once('=') {
                Some((key, value)) if is_secret(key, value) => {
                    format!("{key}={}", self.replace(server, &name_of(&[server, key]), key, value))
                }
                Some(_) | None => part.to_owned(),
            });
        }
        written
    }

    /// Returns the path of an address, as it may be written.
    fn path(&mut self, server: &str, path: &str) -> String {
        let mut written = Vec::new();
        for segment in path.split('/') {
            // `sk-sk` is a language.
            let is_key = segment.len() > 10 && is_secret("", segment);
            written.push(match is_key || is_random(segment) {
                true => self.replace(server, &name_of(&[server, "path"]), "the path of the address", segment),
                false => segment.to_owned(),
            });
        }
        written.join("/")
    }

    /// Returns a text in which nothing stands for secrets.
    fn masked(&self, text: String) -> String {
        let (mut masked, mut rest) = (String::new(), text.as_str());
        while let Some((before, after)) = rest.split_once("${") {
            masked.push_str(before);
            let is_end = |sign: char| !sign.is_ascii_alphanumeric() && sign != '_';
            let (name, behind) = after.split_at(after.find(is_end).unwrap_or(after.len()));
            match behind.strip_prefix('}') {
                Some(behind) if self.values.contains_key(name) => {
                    masked.push_str("***");
                    rest = behind;
                }
                Some(_) | None => {
                    masked.push_str("${");
                    rest = after;
                }
            }
        }
        masked + rest
    }

    /// Returns the variable that stands for a secret: the same one for the same value, and never the same one for two.
    fn replace(&mut self, server: &str, name: &str, place: &str, value: &str) -> String {
        let is_free = |candidate: &String| self.values.get(candidate).is_none_or(|taken| taken == value);
        let of_value = (name.to_owned(), value.to_owned());
        let known = self.numbered.get(&of_value).cloned();
        let mut candidates = [name.to_owned(), name_of(&[server, name])].into_iter().chain(known);
        let variable = match candidates.find(is_free) {
            Some(variable) => variable,
            None => {
                let first = self.numbers.get(name).map_or(2, |last| last + 1);
                let (number, variable) = (first..)
                    .map(|number| (number, format!("{name}_{number}")))
                    .find(|(_, candidate)| is_free(candidate))
                    .unwrap_or_else(|| (first, name.to_owned()));
                self.numbers.insert(name.to_owned(), number);
                self.numbered.insert(of_value, variable.clone());
                variable
            }
        };
        if self.values.insert(variable.clone(), value.to_owned()).is_none() {
            self.replaced.push((variable.clone(), format!("`{place}` of `{server}`")));
        }
        format!("${{{variable}}}")
    }
}

/// Returns a command, as it is written in a configuration, without what looks like a secret.
pub(crate) fn masked_command(line: &str) -> String {
    let mut secrets = Secrets::default();
    let words = words(line);
    let inner = |word: &str| Some(word.strip_prefix('"')?.strip_suffix('"')?.to_owned());
    let bare: Vec<String> = words.iter().map(|word| inner(word).unwrap_or_else(|| (*word).to_owned())).collect();
    let written = secrets.arguments("", &bare).into_iter().map(|word| secrets.address("", &word)).collect::<Vec<_>>();
    let quoted =
        |(word, written): (&&str, String)| if inner(word).is_some() { format!("\"{written}\"") } else { written };
    let line = words.iter().zip(written).map(quoted).collect::<Vec<_>>().join(" ");
    secrets.masked(line)
}

/// Splits a command into words. Those with blanks are quoted.
fn words(line: &str) -> Vec<&str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let is_end = |sign: char| {
        let ends = sign == ' ' && !is_quoted;
        is_quoted ^= sign == '"' && !is_escaped;
        is_escaped = sign == '\\' && is_quoted && !is_escaped;
        ends
    };
    line.split(is_end).collect()
}

/// Returns an address, as it is written in a configuration, without what looks like a secret.
pub(crate) fn masked_address(address: &str) -> String {
    let mut secrets = Secrets::default();
    let written = secrets.address("", address);
    secrets.masked(written)
}

/// Tells whether a value looks like a secret that is written out.
fn is_secret(key: &str, value: &str) -> bool {
    const KEYS: [&str; 10] = [
        "TOKEN",
        "KEY",
        "SECRET",
        "PASSWORD",
        "PASSWD",
        "PASSPHRASE",
        "AUTHORIZATION",
        "CREDENTIAL",
        "COOKIE",
        "BEARER",
    ];
    const STARTS: [&str; 12] =
        ["ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "sk-", "sk_", "xoxb-", "xoxp-", "AKIA", "eyJ", "Bearer "];
    const ENDS: [&str; 6] = ["-PASS", "-PAT", "-PWD", "_PASS", "_PAT", "_PWD"];
    if value.trim().is_empty() || value.contains("${") {
        return false;
    }
    let key = key.to_uppercase();
    let has_password = value.split_once("://").is_some_and(|(_, rest)| {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        authority.rsplit_once('@').is_some_and(|(user, _)| user.contains(':'))
    });
    let name = key.trim_start_matches('-');
    let is_named = KEYS.iter().any(|part| name.contains(part)) || ENDS.iter().any(|end| name.ends_with(end));
    let is_password = name == "PASS" || (key == "-P" && is_mixed(value));
    is_named || is_password || STARTS.iter().any(|start| value.starts_with(start)) || has_password
}

/// Tells whether the value of `-p` looks like a password, and not like a port, a path or a project: it has letters and digits.
fn is_mixed(value: &str) -> bool {
    const SHORTEST: usize = 6;
    value.len() >= SHORTEST
        && !value.contains(['/', '\\', '.', ':', '@', ' '])
        && value.contains(|sign: char| sign.is_ascii_digit())
        && value.contains(|sign: char| sign.is_ascii_alphabetic())
}

/// Tells whether a part of a path looks like a key, which no person has chosen: a UUID, or many letters and digits in a row.
fn is_random(part: &str) -> bool {
    const SHORTEST: usize = 16;
    if part.contains("${") {
        return false;
    }
    let words: Vec<&str> = part.split(|sign: char| !sign.is_ascii_alphanumeric()).collect();
    let is_key = |word: &&str| {
        word.len() >= SHORTEST
            && word.contains(|sign: char| sign.is_ascii_digit())
            && word.contains(|sign: char| sign.is_ascii_alphabetic())
    };
    let is_uuid = words.iter().map(|word| word.len()).eq([8, 4, 4, 4, 12])
        && words.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_hexdigit()));
    is_uuid || words.iter().any(is_key)
}

/// Makes the name of a variable. One that is a name already stays as it is.
fn name_of(parts: &[&str]) -> String {
    let is_name = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && text.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
    };
    if let [only] = parts
        && is_name(only)
    {
        return (*only).to_owned();
    }
    let upper = parts.iter().map(|part| part.to_uppercase()).collect::<Vec<_>>().join("_");
    let words = upper.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name: String = words.collect::<Vec<_>>().join("_").chars().take(100).collect();
    if is_name(&name) { name } else { format!("SECRET_{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_secret_becomes_a_variable() {
        let mut secrets = Secrets::default();
        assert_eq!(secrets.variable("gh", "GITHUB_TOKEN", "abc"), "${GITHUB_TOKEN}");
        assert_eq!(secrets.variable("gh", "DB_PASS", "abc"), "${DB_PASS}");
        assert_eq!(secrets.variable("gh", "GITHUB_PAT", "abc"), "${GITHUB_PAT}");
        assert_eq!(secrets.variable("gh", "BYPASS", "abc"), "abc");
        assert_eq!(secrets.variable("gh", "LEVEL", "debug"), "debug");
        assert_eq!(secrets.variable("gh", "TOKEN", "${OTHER}"), "${OTHER}");
        assert_eq!(secrets.variable("gh", "EMPTY_KEY", ""), "");
        assert_eq!(secrets.variable("db", "URL", "postgres://u:p@h/x"), "${URL}");
        assert_eq!(secrets.variable("x", "ANY", "ghp_abc"), "${ANY}");
        assert_eq!(secrets.header("my docs", "Authorization", "Bearer abc"), "Bearer ${MY_DOCS_AUTHORIZATION}");
        assert_eq!(secrets.header("d", "X-Api-Key", "abc"), "${D_X_API_KEY}");
        assert_eq!(secrets.header("d", "Accept", "text/plain"), "text/plain");
        let arguments = ["-y", "--api-key=abc", "--token", "def", "sk-ghi", "--level", "x", "a=b"].map(str::to_owned);
        assert_eq!(
            secrets.arguments("s", &arguments),
            ["-y", "--api-key=${S_API_KEY}", "--token", "${S_TOKEN}", "${S_SECRET}", "--level", "x", "a=b"]
        );
        let arguments =
            ["-e", "GH_TOKEN=abc", "--env=MY_KEY=def", "--header", "Authorization: Bearer ghi", "key-server:1.2"];
        assert_eq!(
            secrets.arguments("s", &arguments.map(str::to_owned)),
            [
                "-e",
                "GH_TOKEN=${GH_TOKEN}",
                "--env=MY_KEY=${MY_KEY}",
                "--header",
                "Authorization: Bearer ${S_AUTHORIZATION}",
                "key-server:1.2"
            ]
        );
        let arguments = ["-H", "X-Api-Key:abc", "-e", "LEVEL=debug", "--header=Accept: text/plain", "C:\\keys"];
        assert_eq!(
            secrets.arguments("t", &arguments.map(str::to_owned)),
            ["-H", "X-Api-Key:${T_X_API_KEY}", "-e", "LEVEL=debug", "--header=Accept: text/plain", "C:\\keys"]
        );
        assert_eq!(
            secrets.address("s", "https://u:p@a.example/mcp?a=b&apiKey=abc"),
            "https://${S_USER}@a.example/mcp?a=b&apiKey=${S_APIKEY}"
        );
        assert_eq!(secrets.address("s", "https://a.example/@x?"), "https://a.example/@x?");
    }

    #[test]
    fn keys_in_paths_and_passwords_behind_short_options_become_variables() {
        let mut secrets = Secrets::default();
        for (address, expected) in [
            ("https://a.example/mcp/s/Zm9vYmFyYmF6cXV4MTIz/mcp", "https://a.example/mcp/s/${S_PATH}/mcp"),
            ("https://u@a.example/sk-sk/sk-abcdefgh?x=1", "https://${S_USER}@a.example/sk-sk/${S_S_PATH}?x=1"),
            ("https://a.example/123e4567-e89b-12d3-a456-426614174000", "https://a.example/${S_PATH_2}"),
            (
                "https://a.example/${KEY}/claude-3-5-sonnet-20241022",
                "https://a.example/${KEY}/claude-3-5-sonnet-20241022",
            ),
            ("https://a.example/internationalization/2024-10-22", "https://a.example/internationalization/2024-10-22"),
            ("https://a.example/bot123456789:AAFx1yzAbCdEfGhIjKlMn/x", "https://a.example/${S_PATH_3}/x"),
        ] {
            assert_eq!(secrets.address("s", address), expected);
        }
        let arguments = ["-p", "hunter2hunter2", "-p", "8080:80", "-p", "./a1b2c3", "-p", "@scope/pkg1", "-p", "3000"];
        let written = Secrets::default().arguments("db", &arguments.map(str::to_owned));
        assert_eq!(written[..2], ["-p", "${DB_P}"]);
        assert_eq!(written[2..], arguments[2..]);
        let remote = ["mcp-remote", "https://a.example/s/Zm9vYmFyYmF6cXV4MTIz/mcp?token=abc"].map(str::to_owned);
        let written = Secrets::default().arguments("r", &remote);
        assert_eq!(written[1], "https://a.example/s/${R_PATH}/mcp?token=${R_TOKEN}");
        assert_eq!(masked_address("https://a.example/s/Zm9vYmFyYmF6cXV4MTIz"), "https://a.example/s/***");
    }

    #[test]
    fn what_looks_like_a_secret_is_masked() {
        for (line, expected) in [
            ("npx -y files notes", "npx -y files notes"),
            ("gh --token=abc --level x --api-key k1", "gh --token=*** --level x --api-key ***"),
            ("db postgres://u:p@h/x?a=b", "db ***"),
            ("fetch https://a.example/?a=b&token=abc", "fetch https://a.example/?a=b&token=***"),
            (
                r#"remote --header "Authorization: Bearer abc" --note "a \" b" --token "d e""#,
                r#"remote --header "Authorization: Bearer ***" --note "a \" b" --token "***""#,
            ),
            ("docker -e GH_TOKEN=abc key-server:1.2", "docker -e GH_TOKEN=*** key-server:1.2"),
            (r#"files "" (in "my files", with A)"#, r#"files "" (in "my files", with A)"#),
            ("gh --token ${TOKEN} (with KEY in its environment)", "gh --token ${TOKEN} (with KEY in its environment)"),
        ] {
            assert_eq!(masked_command(line), expected);
        }
        assert_eq!(masked_address("https://u:p@a.example/mcp?key=abc"), "https://***@a.example/mcp?key=***");
        assert_eq!(masked_address("./shop.yaml"), "./shop.yaml");
    }

    #[test]
    fn two_secrets_never_share_a_variable_and_one_has_one() {
        let mut secrets = Secrets::default();
        let mut variable = |server: &str, value: &str| secrets.variable(server, "API_KEY", value);
        assert_eq!(variable("a", "1"), "${API_KEY}");
        assert_eq!(variable("b", "1"), "${API_KEY}");
        assert_eq!(variable("b", "2"), "${B_API_KEY}");
        assert_eq!(variable("b", "3"), "${API_KEY_2}");
        let names: Vec<&str> = secrets.replaced().iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["API_KEY", "B_API_KEY", "API_KEY_2"]);
        assert_eq!(secrets.replaced()[1].1, "`API_KEY` of `b`");
    }

    #[test]
    fn many_secrets_of_one_name_are_numbered_and_masked_in_one_pass() {
        let mut secrets = Secrets::default();
        let numbers: Vec<String> =
            (0..50_000).map(|number| secrets.variable("a", "API_KEY", &format!("k{number}"))).collect();
        assert_eq!([&numbers[2], &numbers[49_999]], ["${API_KEY_2}", "${API_KEY_49999}"]);
        assert_eq!(secrets.variable("a", "API_KEY", "k777"), "${API_KEY_777}");
        let line = "gh --token=abc ".repeat(50_000);
        assert_eq!(masked_command(&line), "gh --token=*** ".repeat(50_000));
    }
}
