//! Finds the code in a source text: removes a byte order mark and one Markdown fence.

use super::Fault;
use super::text::{Text, syntax_error};

/// The languages that an opening fence may name.
const LANGUAGES: &[&str] = &[
    "js",
    "javascript",
    "jsx",
    "javascriptreact",
    "mjs",
    "cjs",
    "node",
    "nodejs",
    "es6",
    "ecmascript",
    "ts",
    "typescript",
    "tsx",
    "typescriptreact",
    "mts",
    "cts",
    "code",
    "text",
    "txt",
    "plaintext",
];

/// Returns the code of a file, without a fence around it.
pub(super) fn locate<'source>(path: &'source str, source: &'source str) -> Result<Text<'source>, Fault> {
    let Text { whole, .. } = whole(path, source);
    let Some(fence) = Fence::opening(whole) else {
        return Ok(Text { path, whole, start: 0, code: whole, first_line: 1 });
    };
    let error = |offset: usize, message: String| syntax_error(path, whole, offset, message);
    let language = fence.language.to_ascii_lowercase();
    if !language.is_empty() && !LANGUAGES.contains(&language.as_str()) {
        return Err(error(fence.offset, format!("the fence holds {}, not a program", fence.language))
            .hint("write the program in JavaScript or TypeScript"));
    }
    let mut lines = Lines { text: whole, next: fence.code_start };
    while let Some((start, line)) = lines.next() {
        if fence.is_closed_by(line) {
            let rest = &whole[lines.next..];
            let trimmed = rest.trim_start();
            let code = &whole[fence.code_start..start];
            if let Some(inner) = Fence::opening(code) {
                return Err(error(fence.code_start + inner.offset, "there is a fence inside the fence".to_owned())
                    .hint("answer with one program in one fence"));
            }
            if trimmed.is_empty() {
                return Ok(Text { path, whole, start: fence.code_start, code, first_line: fence.code_line });
            }
            let offset = whole.len() - trimmed.len();
            return Err(if has_fence(rest) {
                error(offset, "there is a second program after the first".to_owned())
                    .hint("answer with one program in one fence")
            } else {
                error(offset, "there is text after the program".to_owned())
                    .hint("answer with the program alone; comments may stand inside it")
            });
        }
    }
    Err(error(fence.offset, "the fence around the program is not closed".to_owned())
        .hint(format!("end the program with a line that holds {} alone", fence.mark())))
}

/// Returns the whole text of a file, without a byte order mark.
pub(super) fn whole<'source>(path: &'source str, source: &'source str) -> Text<'source> {
    let whole = source.strip_prefix('\u{feff}').unwrap_or(source);
    Text { path, whole, start: 0, code: whole, first_line: 1 }
}

/// Returns the fault for a text that has fences but does not start with one.
pub(super) fn surroundings(text: &Text<'_>) -> Option<Fault> {
    let fences = count(text.whole);
    if text.start != 0 || fences == 0 {
        return None;
    }
    let offset = text.whole.len() - text.whole.trim_start().len();
    let error = |message: &str| syntax_error(text.path, text.whole, offset, message);
    Some(if fences > 2 {
        error("there are several programs in the text").hint("answer with one program in one fence")
    } else {
        error("there is text around the fence").hint("answer with the program alone, or with nothing but one fence")
    })
}

/// Returns the offset of the first line start that opens or closes a fence of backticks.
pub(super) fn first(text: &str) -> Option<usize> {
    let mut lines = Lines { text, next: 0 };
    while let Some((start, line)) = lines.next() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") {
            return Some(start + line.len() - trimmed.len());
        }
    }
    None
}

/// Checks whether any line of a text opens or closes a fence.
fn has_fence(text: &str) -> bool {
    count(text) > 0
}

/// Counts the lines of a text that open or close a fence.
fn count(text: &str) -> usize {
    let mut lines = Lines { text, next: 0 };
    let mut found = 0;
    while let Some((_, line)) = lines.next() {
        found += usize::from(Fence::run(line.trim_start()).is_some());
    }
    found
}

struct Fence<'source> {
    offset: usize,
    sign: char,
    length: usize,
    language: &'source str,
    code_start: usize,
    code_line: u32,
}

impl<'source> Fence<'source> {
    /// Returns the fence at the start of a text, after optional white space.
    fn opening(text: &'source str) -> Option<Self> {
        let trimmed = text.trim_start();
        let (sign, length) = Self::run(trimmed)?;
        let offset = text.len() - trimmed.len();
        let mut lines = Lines { text, next: offset };
        let (_, line) = lines.next()?;
        let information = line[length..].trim();
        let language = information.split([' ', '\t', '{', ',', ':']).next().unwrap_or_default();
        let mut above = Lines { text: &text[..lines.next], next: 0 };
        let mut code_line = 1;
        while above.next().is_some() {
            code_line += 1;
        }
        Some(Self { offset, sign, length, language, code_start: lines.next, code_line })
    }

    /// Returns the sign and the length of the fence at the start of a line.
    fn run(line: &str) -> Option<(char, usize)> {
        let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
        let length = line.len() - line.trim_start_matches(sign).len();
        (length >= 3).then_some((sign, length))
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let line = line.trim();
        line.len() >= self.length && line.chars().all(|sign| sign == self.sign)
    }

    fn mark(&self) -> String {
        match self.length {
            0..=10 => self.sign.to_string().repeat(self.length),
            length => format!("{length} times {}", self.sign),
        }
    }
}

/// The lines of a text with their offsets. Lines end with LF, CR or CRLF.
struct Lines<'source> {
    text: &'source str,
    next: usize,
}

impl<'source> Lines<'source> {
    fn next(&mut self) -> Option<(usize, &'source str)> {
        if self.next >= self.text.len() {
            return None;
        }
        let start = self.next;
        let rest = &self.text[start..];
        match rest.find(['\n', '\r']) {
            None => {
                self.next = self.text.len();
                Some((start, rest))
            }
            Some(end) => {
                let width = if rest[end..].starts_with("\r\n") { 2 } else { 1 };
                self.next = start + end + width;
                Some((start, &rest[..end]))
            }
        }
    }
}
