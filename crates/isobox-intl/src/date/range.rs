//! Ranges of dates: what both ends share is written once.

use super::DateTimeFormat;
use super::civil::Fields;
use super::skeleton::{Piece, pieces};
use crate::parts::{Part, tidy};

pub(super) fn format(format: &DateTimeFormat, start: i64, end: i64) -> Vec<Part> {
    let (first, second) = (fields(format, start), fields(format, end));
    let Some(letter) = largest_difference(format, &first, &second) else {
        return noted(format.format_to_parts(start), "shared");
    };
    let parts = interval(format, letter, start, end).unwrap_or_else(|| fallback(format, &format.pattern, start, end));
    tidy(parts)
}

fn fields(format: &DateTimeFormat, milliseconds: i64) -> Fields {
    Fields::new(milliseconds, format.zone.offset(milliseconds), format.calendar)
}

/// Returns the letter of the largest field in which two dates differ; `None` where the pattern shows no difference.
fn largest_difference(format: &DateTimeFormat, first: &Fields, second: &Fields) -> Option<char> {
    let is_afternoon = |fields: &Fields| i64::from(fields.hour >= 12);
    let levels = [
        ('G', first.era, second.era),
        ('y', first.year, second.year),
        ('M', first.month, second.month),
        ('d', first.day, second.day),
        ('a', is_afternoon(first), is_afternoon(second)),
        ('h', first.hour, second.hour),
        ('m', first.minute, second.minute),
        ('s', first.second, second.second),
        ('S', first.millisecond, second.millisecond),
    ];
    let at = levels.iter().position(|(_, first, second)| first != second)?;
    let level = |letter: char| match letter {
        'G' => 0,
        'y' => 1,
        'M' | 'L' => 2,
        'd' | 'E' | 'c' => 3,
        'a' | 'b' | 'B' => 4,
        'h' | 'H' | 'K' | 'k' => 5,
        'm' => 6,
        's' => 7,
        'S' => 8,
        _ => 0,
    };
    let smallest = format.pattern.iter().filter_map(|piece| match piece {
        Piece::Field(letter, _) => Some(level(*letter)),
        Piece::Literal(_) => None,
    });
    (at <= smallest.max().unwrap_or(0)).then_some(levels[at].0)
}

fn is_date(letter: char) -> bool {
    matches!(letter, 'G' | 'y' | 'M' | 'L' | 'd' | 'E' | 'c')
}

/// Uses the pattern that the data has for intervals, where it has one.
fn interval(format: &DateTimeFormat, letter: char, start: i64, end: i64) -> Option<Vec<Part>> {
    let letters: Vec<(char, usize)> = format
        .pattern
        .iter()
        .filter_map(|piece| match piece {
            Piece::Field(letter, length) => Some((*letter, *length)),
            Piece::Literal(_) => None,
        })
        .collect();
    let (date, time): (Vec<_>, Vec<_>) = letters.into_iter().partition(|(letter, _)| is_date(*letter));
    if date.is_empty() || time.is_empty() {
        let pattern = interval_pattern(format, letter, if date.is_empty() { &time } else { &date })?;
        return Some(write_interval(format, &pattern, start, end));
    }
    // Both ends are on the same day: the date is written once.
    if is_date(letter) {
        return None;
    }
    let skeleton_of = |fields: &[(char, usize)]| -> String {
        let letters = fields.iter().flat_map(|(letter, length)| std::iter::repeat_n(*letter, *length));
        letters
            .map(|letter| match letter {
                'L' => 'M',
                'c' => 'E',
                other => other,
            })
            .collect()
    };
    let times = interval_pattern(format, letter, &time);
    let time_pattern = || pieces(&format.generator.best(&skeleton_of(&time)));
    let date_pattern = pieces(&format.generator.best(&skeleton_of(&date)));
    let glue = format.dates.get("gregorian/dateTimeFormats/medium").unwrap_or("{1}, {0}");
    let mut parts = Vec::new();
    for piece in pieces(&glue.replace("{0}", "\u{1}").replace("{1}", "\u{2}")) {
        let Piece::Literal(text) = piece else { continue };
        for character in text.chars() {
            match character {
                '\u{1}' => parts.extend(match &times {
                    Some(times) => write_interval(format, times, start, end),
                    None => fallback(format, &time_pattern(), start, end),
                }),
                '\u{2}' => parts.extend(noted(format.fields_of(&date_pattern, start), "shared")),
                other => parts.extend(noted(vec![Part::literal(other.to_string())], "shared")),
            }
        }
    }
    Some(parts)
}

/// Finds the interval pattern whose fields are those that are asked for, and gives it their lengths.
fn interval_pattern(format: &DateTimeFormat, letter: char, wanted: &[(char, usize)]) -> Option<Vec<Piece>> {
    let normal = |letter: char| match letter {
        'L' => 'M',
        'c' | 'e' => 'E',
        'K' => 'h',
        'k' => 'H',
        'z' | 'O' => 'v',
        other => other,
    };
    let has_24_hours = wanted.iter().any(|(letter, _)| matches!(letter, 'H' | 'k'));
    let letter = match letter {
        'a' | 'h' if has_24_hours => 'H',
        'a' if wanted.iter().any(|(letter, _)| *letter == 'B') => 'B',
        other => other,
    };
    let width = |fields: &[(char, usize)], letter: char| {
        fields.iter().filter(|(other, _)| normal(*other) == letter).map(|(_, length)| *length).next().unwrap_or(0)
    };
    let wanted: Vec<(char, usize)> = wanted.iter().copied().filter(|(letter, _)| *letter != 'a').collect();
    let mut best: Option<(usize, Vec<(char, usize)>, &str)> = None;
    for (key, pattern) in format.dates.under("gregorian/dateTimeFormats/intervalFormats/") {
        let Some((skeleton, differing)) = key.split_once('/') else { continue };
        if !differing.starts_with(letter) {
            continue;
        }
        let fields: Vec<(char, usize)> = pieces(skeleton)
            .into_iter()
            .filter_map(|piece| match piece {
                Piece::Field(letter, length) => Some((letter, length)),
                Piece::Literal(_) => None,
            })
            .collect();
        let all: Vec<char> = wanted.iter().chain(&fields).map(|(letter, _)| normal(*letter)).collect();
        let mut distance = 0;
        for letter in all {
            let (mine, theirs) = (width(&wanted, letter), width(&fields, letter));
            distance += match (mine, theirs) {
                (0, _) | (_, 0) => 0x1000,
                _ if letter == 'M' && (mine < 3) != (theirs < 3) => 0x100,
                _ => mine.abs_diff(theirs),
            };
        }
        if distance < 0x1000 && best.as_ref().is_none_or(|(other, ..)| distance < *other) {
            best = Some((distance, fields, pattern));
        }
    }
    let (_, fields, pattern) = best?;
    let adjusted = pieces(pattern).into_iter().map(|piece| match piece {
        Piece::Field(letter, length) => {
            let (mine, theirs) = (width(&wanted, normal(letter)), width(&fields, normal(letter)));
            let letter = match (letter, wanted.iter().find(|(other, _)| matches!(other, 'z' | 'O'))) {
                ('v', Some((zone, _))) => *zone,
                _ => letter,
            };
            let is_time = matches!(letter, 'm' | 's');
            Piece::Field(letter, if theirs == length && mine > length && !is_time { mine } else { length })
        }
        literal => literal,
    });
    Some(adjusted.collect())
}

/// Splits an interval pattern where its first field comes again, and writes both halves.
fn write_interval(format: &DateTimeFormat, pattern: &[Piece], start: i64, end: i64) -> Vec<Part> {
    let mut seen = Vec::new();
    let split = pattern.iter().position(|piece| match piece {
        Piece::Field(letter, _) => {
            let is_again = seen.contains(letter);
            seen.push(*letter);
            is_again
        }
        Piece::Literal(_) => false,
    });
    let split = split.unwrap_or(pattern.len());
    let mut parts = noted(format.fields_of(&pattern[..split], start), "startRange");
    parts.extend(noted(format.fields_of(&pattern[split..], end), "endRange"));
    for part in parts.iter_mut().filter(|part| part.kind == "literal") {
        part.note = Some("shared");
    }
    parts
}

fn fallback(format: &DateTimeFormat, pattern: &[Piece], start: i64, end: i64) -> Vec<Part> {
    let glue =
        format.dates.get("gregorian/dateTimeFormats/intervalFormats/intervalFormatFallback").unwrap_or("{0} – {1}");
    let (before, rest) = glue.split_once("{0}").unwrap_or(("", " – {1}"));
    let (between, after) = rest.split_once("{1}").unwrap_or((" – ", ""));
    let mut parts = noted(vec![Part::literal(before)], "shared");
    parts.extend(noted(format.fields_of(pattern, start), "startRange"));
    parts.extend(noted(vec![Part::literal(between)], "shared"));
    parts.extend(noted(format.fields_of(pattern, end), "endRange"));
    parts.extend(noted(vec![Part::literal(after)], "shared"));
    parts
}

fn noted(parts: Vec<Part>, note: &'static str) -> Vec<Part> {
    parts.into_iter().map(|part| Part { note: Some(note), ..part }).collect()
}
