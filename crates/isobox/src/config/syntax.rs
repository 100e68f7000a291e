//! Parses JSON with comments and trailing commas, and no other extensions.

pub(super) use jsonc_parser::ast::Value;

use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::tokens::Token;
use jsonc_parser::{CollectOptions, ParseOptions, ParseStringErrorKind, Scanner, ScannerOptions, parse_to_ast};

use super::findings::Findings;

/// Parses the document, or returns its first syntax error.
pub(super) fn parse(text: &str) -> Result<Value<'_>, Findings> {
    let wrong = |at: usize, message: &str| {
        let mut findings = Findings::default();
        findings.add(at.min(text.len()), message.to_owned());
        Err(findings)
    };
    if let Some(at) = broken_string(text) {
        return wrong(at, "the text that starts here does not end on its line; close it with `\"`");
    }
    match parse_to_ast(text, &CollectOptions::default(), &options()) {
        Ok(parsed) => match parsed.value {
            Some(value) => Ok(value),
            None => wrong(text.len(), "there is nothing here; the least that a configuration says is `{}`"),
        },
        Err(error) => wrong(error.range().start, in_words(error.kind())),
    }
}

/// Returns the settings of the parser.
pub(super) fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// Returns a scanner with the same settings as [`parse`].
pub(super) fn scanner(text: &str) -> Scanner<'_> {
    let options = ScannerOptions {
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    Scanner::new(text, &options)
}

/// Returns the offset of a text that continues on the next line. Its quote is missing, and the error of the parser for
/// the following text would not help.
fn broken_string(text: &str) -> Option<usize> {
    let mut scanner = scanner(text);
    while let Ok(Some(token)) = scanner.scan() {
        let written = &text[scanner.token_start()..scanner.token_end()];
        if matches!(token, Token::String(_)) && written.contains('\n') {
            return Some(scanner.token_start());
        }
    }
    None
}

fn in_words(kind: &ParseErrorKind) -> &'static str {
    match kind {
        ParseErrorKind::ExpectedComma => "a comma is missing here",
        ParseErrorKind::ExpectedColonAfterObjectKey => "a colon is missing between a key and its value",
        ParseErrorKind::ExpectedObjectValue => "the value of this key is missing",
        ParseErrorKind::ExpectedStringObjectProperty => "a key has to be in double quotes",
        ParseErrorKind::SingleQuotedStringsNotAllowed => "use double quotes instead of single ones",
        ParseErrorKind::MultipleRootJsonValues => "the configuration ends before this; remove what is too much",
        ParseErrorKind::UnterminatedArray => "the list that starts here has no end; close it with `]`",
        ParseErrorKind::UnterminatedObject => "the object that starts here has no end; close it with `}`",
        ParseErrorKind::UnterminatedCommentBlock => "the comment that starts here has no end; close it with `*/`",
        ParseErrorKind::NestingDepthExceeded => "this is nested too deeply",
        ParseErrorKind::UnexpectedCloseBrace => "this `}` closes nothing",
        ParseErrorKind::UnexpectedCloseBracket => "this `]` closes nothing",
        ParseErrorKind::UnexpectedColon => "a colon is not allowed here",
        ParseErrorKind::UnexpectedComma => "a comma is not allowed here",
        ParseErrorKind::UnexpectedWord => "a word without quotes can only be `true`, `false` or `null`",
        ParseErrorKind::UnexpectedTokenInObject => "a key in double quotes, or the `}` of the object, is expected here",
        ParseErrorKind::ExpectedDigit
        | ParseErrorKind::ExpectedDigitFollowingNegativeSign
        | ParseErrorKind::ExpectedPlusMinusOrDigitInNumberLiteral
        | ParseErrorKind::HexadecimalNumbersNotAllowed
        | ParseErrorKind::BareDecimalPointNumbersNotAllowed
        | ParseErrorKind::NonFiniteNumbersNotAllowed
        | ParseErrorKind::UnaryPlusNumbersNotAllowed => "this is not a number as JSON writes it",
        ParseErrorKind::String(ParseStringErrorKind::UnterminatedStringLiteral) => {
            "the text that starts here has no end; close it with `\"`"
        }
        ParseErrorKind::String(_) => "JSON has no such escape; write `\\\\` for a backslash",
        ParseErrorKind::UnexpectedToken
        | ParseErrorKind::CommentsNotAllowed
        | ParseErrorKind::TrailingCommasNotAllowed => "this is not allowed here",
    }
}
