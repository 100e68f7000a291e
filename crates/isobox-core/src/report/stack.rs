//! Stacks and paths in texts: finds the frames of the author, and removes those of the host.

/// A frame of a stack, with its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackFrame<'a> {
    /// The whole frame: `at total (main.ts:3:7)`.
    pub text: &'a str,
    /// The file: `main.ts`.
    pub file: &'a str,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1.
    pub column: u32,
}

/// Returns the frames of a JavaScript stack that are in the author's own files, innermost first. Leaves out frames of
/// the engine, of wrappers (on line 0) and of other files.
///
/// ```
/// use isobox_core::author_frames;
///
/// let stack = "Error: no\n    at total (main.ts:3:7)\n    at map (native)\n    at <eval> (wrapper.js:1:1)\n    at main.ts:9:1";
/// let frames: Vec<_> = author_frames(stack, |file| file == "main.ts").collect();
/// assert_eq!((frames[0].text, frames[0].line, frames[0].column), ("at total (main.ts:3:7)", 3, 7));
/// assert_eq!((frames[1].text, frames.len()), ("at main.ts:9:1", 2));
/// ```
pub fn author_frames<'a>(stack: &'a str, is_own_file: impl Fn(&str) -> bool) -> impl Iterator<Item = StackFrame<'a>> {
    stack.lines().filter_map(read_frame).filter(move |frame| frame.line > 0 && is_own_file(frame.file))
}

/// Parses `at name (file:line:column)` or `at file:line:column`.
fn read_frame(line: &str) -> Option<StackFrame<'_>> {
    let text = line.trim();
    let place = text.strip_prefix("at ")?;
    let place = match place.rsplit_once('(') {
        Some((_, place)) => place.strip_suffix(')')?,
        None => place,
    };
    let (rest, column) = place.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some(StackFrame { text, file, line: line.parse().ok()?, column: column.parse().ok()? })
}

/// Removes stacks from the text of an error: those of JavaScript, Java, .NET, Rust, Python and Go in their usual form.
/// Keeps the text before and after them.
///
/// ```
/// use isobox_core::without_stacks;
///
/// let text = "TypeError: x is null\n    at f (/srv/app/index.js:3:7)\n    at async main (/srv/app/index.js:9:1)";
/// assert_eq!(without_stacks(text), "TypeError: x is null");
/// let text = "Traceback (most recent call last):\n  File \"/srv/a.py\", line 3, in f\n    g()\nValueError: bad row";
/// assert_eq!(without_stacks(text), "ValueError: bad row");
/// ```
pub fn without_stacks(text: &str) -> String {
    let mut kept = Vec::new();
    let mut within = Within::Text;
    for line in text.split('\n') {
        within = within.at(line);
        if within == Within::Text && !is_frame(line) {
            kept.push(line);
        }
    }
    kept.join("\n").trim_end().to_owned()
}

/// Removes details of the host from the text of an error: stacks, and the folders of absolute paths.
///
/// Text that only looks like a path, such as a route or a JSON pointer of several parts, is shortened too.
///
/// ```
/// use isobox_core::without_host_traces;
///
/// let text = "cannot read '/home/ann smith/app/config.json': denied\n    at read (file:///srv/app/index.js:3:7)";
/// assert_eq!(without_host_traces(text), "cannot read '…/config.json': denied");
/// assert_eq!(without_host_traces(r"no C:\Users\ann\key.pem, see https://example.com/help"), "no …/key.pem, see https://example.com/help");
/// ```
pub fn without_host_traces(text: &str) -> String {
    /// The maximum number of passes over text that looks like paths within paths.
    const PASSES: usize = 20;
    let mut clean = without_stacks(text);
    for _ in 0..PASSES {
        let shorter = with_short_paths(&clean);
        if shorter == clean {
            break;
        }
        clean = shorter;
    }
    clean
}

/// Shortens everything that looks like an absolute path to its last name.
fn with_short_paths(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = None;
    while let Some(character) = rest.chars().next() {
        let length = match start_of(rest, before) {
            Start::Path { end } => {
                clean.push_str(&shortened(&rest[..end]));
                end
            }
            Start::Address { end } => {
                clean.push_str(&rest[..end]);
                end
            }
            Start::Neither => {
                clean.push(character);
                character.len_utf8()
            }
        };
        before = rest[..length].chars().next_back();
        rest = &rest[length..];
    }
    clean
}

/// The kind of stack that a line is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    Text,
    /// Numbered lines, each followed by its position.
    Rust,
    /// Indented lines.
    Python,
    /// Lines up to an empty one.
    Go,
}

impl Within {
    fn at(self, line: &str) -> Self {
        let words = line.trim();
        let is_indented = line.starts_with([' ', '\t']);
        if words.eq_ignore_ascii_case("stack backtrace:") {
            return Self::Rust;
        }
        if words == "Traceback (most recent call last):" {
            return Self::Python;
        }
        if words.starts_with("goroutine ") && words.ends_with("]:") {
            return Self::Go;
        }
        let goes_on = match self {
            Self::Text => false,
            Self::Rust => is_indented,
            Self::Python => is_indented || words.is_empty(),
            Self::Go => !words.is_empty(),
        };
        if goes_on { self } else { Self::Text }
    }
}

/// Tells whether a line by itself is recognisably part of a stack.
fn is_frame(line: &str) -> bool {
    let words = line.trim();
    if words.starts_with("note: run with `RUST_BACKTRACE") || words.starts_with("note: Some details are omitted") {
        return true;
    }
    if !words.starts_with("at ") {
        return false;
    }
    let place = words.strip_suffix(')').unwrap_or(words);
    let before_digits = place.trim_end_matches(|character: char| character.is_ascii_digit());
    let has_position = before_digits.len() < place.len() && before_digits.ends_with([':', ' ']) && place.contains(':');
    has_position || (line.starts_with([' ', '\t']) && words.ends_with(')'))
}

/// The start of something in a text, and its end.
enum Start {
    Path {
        end: usize,
    },
    /// The address of a remote resource.
    Address {
        end: usize,
    },
    Neither,
}

fn start_of(rest: &str, before: Option<char>) -> Start {
    if before.is_some_and(|before| before.is_alphanumeric() || "/\\._-+~…".contains(before)) {
        return Start::Neither;
    }
    let path = |prefix: usize| {
        let end = end_of(rest, prefix, before);
        if has_folder(&rest[prefix..end]) { Start::Path { end } } else { Start::Neither }
    };
    if rest.starts_with("//") {
        return Start::Neither;
    }
    if rest.starts_with('/') {
        return path(0);
    }
    if rest.starts_with("\\\\") {
        return path(2);
    }
    let scheme = rest.find(|character: char| !character.is_ascii_alphanumeric() && !"+-.".contains(character));
    match scheme {
        Some(4) if rest.starts_with("file://") => Start::Path { end: end_of(rest, "file://".len(), before) },
        Some(length) if rest[length..].starts_with("://") => Start::Address { end: end_of(rest, length + 3, before) },
        Some(1) if rest[1..].starts_with(":\\") || rest[1..].starts_with(":/") => {
            Start::Path { end: end_of(rest, 2, before) }
        }
        _ => Start::Neither,
    }
}

/// Tells whether a path has a folder. A single name below the root reveals nothing about the host.
fn has_folder(path: &str) -> bool {
    path.split(['/', '\\']).filter(|name| !name.is_empty()).count() >= 2
}

/// Returns the end of a path that begins with `prefix` bytes: at the matching quote, or at a character that paths do
/// not usually contain.
fn end_of(rest: &str, prefix: usize, before: Option<char>) -> usize {
    if let Some(quote) = before.filter(|before| "'\"`".contains(*before))
        && let Some(end) = rest.find([quote, '\n'])
        && rest[end..].starts_with(quote)
    {
        return end;
    }
    let is_end = |character: char| character.is_whitespace() || "'\"`()[]{}<>,;|:".contains(character);
    rest[prefix..].find(is_end).map_or(rest.len(), |end| prefix + end)
}

fn shortened(path: &str) -> String {
    let name = path.trim_end_matches(['/', '\\', '.']).rsplit(['/', '\\']).next().unwrap_or_default();
    let dots = &path[path.trim_end_matches('.').len()..];
    format!("…/{name}{dots}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_of_all_kinds_are_taken_out_and_the_words_around_them_stay() {
        for (text, expected) in [
            ("Error: no\n    at f (a.js:1:2)\n    at Array.map (<anonymous>)\nafterwards", "Error: no\nafterwards"),
            ("no\n\tat com.example.Main.run(Main.java:12)\n\tat java.base/x.Y(Native Method)", "no"),
            ("no\n   at Foo.Bar() in C:\\x\\y.cs:line 12", "no"),
            (
                "thread 'main' panicked at src/main.rs:1:2:\nno\nstack backtrace:\n   0: core::panicking::panic\n             at /rustc/abc/library/core/src/panicking.rs:1:2\n   1: app::main\nnote: run with `RUST_BACKTRACE=full` for more",
                "thread 'main' panicked at src/main.rs:1:2:\nno",
            ),
            (
                "panic: no\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/main.go:12 +0x1d\n\nexit status 2",
                "panic: no\n\n\nexit status 2",
            ),
            ("look at the rows\nat noon (UTC) it ends", "look at the rows\nat noon (UTC) it ends"),
            ("", ""),
        ] {
            assert_eq!(without_stacks(text), expected, "{text}");
        }
    }

    #[test]
    fn of_absolute_paths_only_the_last_name_stays() {
        for (text, expected) in [
            ("ENOENT: open '/etc/app/secret key.txt'", "ENOENT: open '…/secret key.txt'"),
            ("see /var/log/app.log.", "see …/app.log."),
            ("/srv/app/main.py:12: bad", "…/main.py:12: bad"),
            ("(/srv/app/a.js)", "(…/a.js)"),
            ("path=/srv/app/a.js,next", "path=…/a.js,next"),
            (r"C:\Users\ann\a.txt and \\server\share\b.txt", "…/a.txt and …/b.txt"),
            ("D:/work/a.txt", "…/a.txt"),
            ("file:///srv/app/a.js:3", "…/a.js:3"),
            ("https://example.com/a/b?c=/d/e and //x", "https://example.com/a/b?c=/d/e and //x"),
            ("1/2/3 of a/b/c is ./d/e or /root", "1/2/3 of a/b/c is ./d/e or /root"),
            ("'/srv/unclosed/name", "'…/name"),
            ("/\u{3347a}A:\\", "…/A:"),
        ] {
            assert_eq!(without_host_traces(text), expected, "{text}");
        }
    }
}
