//! The fields of patterns and skeletons, and how far two skeletons are apart: the algorithm of UTS 35, "Matching Skeletons".

pub(super) const FIELDS: usize = 16;

/// The fields, in the order of skeletons.
pub(super) mod field {
    pub(in super::super) const ERA: usize = 0;
    pub(in super::super) const YEAR: usize = 1;
    pub(in super::super) const QUARTER: usize = 2;
    pub(in super::super) const MONTH: usize = 3;
    pub(in super::super) const WEEK_OF_YEAR: usize = 4;
    pub(in super::super) const WEEK_OF_MONTH: usize = 5;
    pub(in super::super) const WEEKDAY: usize = 6;
    pub(in super::super) const DAY_OF_YEAR: usize = 7;
    pub(in super::super) const DAY_OF_WEEK_IN_MONTH: usize = 8;
    pub(in super::super) const DAY: usize = 9;
    pub(in super::super) const DAY_PERIOD: usize = 10;
    pub(in super::super) const HOUR: usize = 11;
    pub(in super::super) const MINUTE: usize = 12;
    pub(in super::super) const SECOND: usize = 13;
    pub(in super::super) const FRACTION: usize = 14;
    pub(in super::super) const ZONE: usize = 15;
}

pub(super) const DATE_MASK: u32 = (1 << field::DAY_PERIOD) - 1;
pub(super) const TIME_MASK: u32 = ((1 << FIELDS) - 1) & !DATE_MASK;

const NARROW: i32 = -0x101;
const SHORTER: i32 = -0x102;
const SHORT: i32 = -0x103;
const LONG: i32 = -0x104;
const NUMERIC: i32 = 0x100;
const DELTA: i32 = 0x10;

/// A letter of a pattern: its field, its kind, and the shortest run that has this kind.
pub(super) struct Row {
    letter: char,
    pub(super) field: usize,
    pub(super) kind: i32,
    shortest: usize,
}

const fn row(letter: char, field: usize, kind: i32, shortest: usize) -> Row {
    Row { letter, field, kind, shortest }
}

#[rustfmt::skip]
static ROWS: &[Row] = &[
    row('G', field::ERA, SHORT, 1), row('G', field::ERA, LONG, 4), row('G', field::ERA, NARROW, 5),
    row('y', field::YEAR, NUMERIC, 1), row('Y', field::YEAR, NUMERIC + DELTA, 1), row('u', field::YEAR, NUMERIC + 2 * DELTA, 1),
    row('r', field::YEAR, NUMERIC + 3 * DELTA, 1),
    row('U', field::YEAR, SHORT, 1), row('U', field::YEAR, LONG, 4), row('U', field::YEAR, NARROW, 5),
    row('Q', field::QUARTER, NUMERIC, 1), row('Q', field::QUARTER, SHORT, 3), row('Q', field::QUARTER, LONG, 4),
    row('Q', field::QUARTER, NARROW, 5),
    row('q', field::QUARTER, NUMERIC + DELTA, 1), row('q', field::QUARTER, SHORT - DELTA, 3),
    row('q', field::QUARTER, LONG - DELTA, 4), row('q', field::QUARTER, NARROW - DELTA, 5),
    row('M', field::MONTH, NUMERIC, 1), row('M', field::MONTH, SHORT, 3), row('M', field::MONTH, LONG, 4),
    row('M', field::MONTH, NARROW, 5),
    row('L', field::MONTH, NUMERIC + DELTA, 1), row('L', field::MONTH, SHORT - DELTA, 3),
    row('L', field::MONTH, LONG - DELTA, 4), row('L', field::MONTH, NARROW - DELTA, 5),
    row('w', field::WEEK_OF_YEAR, NUMERIC, 1), row('W', field::WEEK_OF_MONTH, NUMERIC, 1),
    row('E', field::WEEKDAY, SHORT, 1), row('E', field::WEEKDAY, LONG, 4), row('E', field::WEEKDAY, NARROW, 5),
    row('E', field::WEEKDAY, SHORTER, 6),
    row('c', field::WEEKDAY, NUMERIC + 2 * DELTA, 1), row('c', field::WEEKDAY, SHORT - 2 * DELTA, 3),
    row('c', field::WEEKDAY, LONG - 2 * DELTA, 4), row('c', field::WEEKDAY, NARROW - 2 * DELTA, 5),
    row('c', field::WEEKDAY, SHORTER - 2 * DELTA, 6),
    row('e', field::WEEKDAY, NUMERIC + DELTA, 1), row('e', field::WEEKDAY, SHORT - DELTA, 3),
    row('e', field::WEEKDAY, LONG - DELTA, 4), row('e', field::WEEKDAY, NARROW - DELTA, 5),
    row('e', field::WEEKDAY, SHORTER - DELTA, 6),
    row('d', field::DAY, NUMERIC, 1), row('g', field::DAY, NUMERIC + DELTA, 1),
    row('D', field::DAY_OF_YEAR, NUMERIC, 1), row('F', field::DAY_OF_WEEK_IN_MONTH, NUMERIC, 1),
    row('a', field::DAY_PERIOD, SHORT, 1), row('a', field::DAY_PERIOD, LONG, 4), row('a', field::DAY_PERIOD, NARROW, 5),
    row('b', field::DAY_PERIOD, SHORT - DELTA, 1), row('b', field::DAY_PERIOD, LONG - DELTA, 4),
    row('b', field::DAY_PERIOD, NARROW - DELTA, 5),
    row('B', field::DAY_PERIOD, SHORT - 3 * DELTA, 1), row('B', field::DAY_PERIOD, LONG - 3 * DELTA, 4),
    row('B', field::DAY_PERIOD, NARROW - 3 * DELTA, 5),
    row('H', field::HOUR, NUMERIC + 10 * DELTA, 1), row('k', field::HOUR, NUMERIC + 11 * DELTA, 1),
    row('h', field::HOUR, NUMERIC, 1), row('K', field::HOUR, NUMERIC + DELTA, 1),
    row('m', field::MINUTE, NUMERIC, 1), row('s', field::SECOND, NUMERIC, 1), row('A', field::SECOND, NUMERIC + DELTA, 1),
    row('S', field::FRACTION, NUMERIC, 1),
    row('v', field::ZONE, SHORT - 2 * DELTA, 1), row('v', field::ZONE, LONG - 2 * DELTA, 4),
    row('z', field::ZONE, SHORT, 1), row('z', field::ZONE, LONG, 4),
    row('Z', field::ZONE, NARROW - DELTA, 1), row('Z', field::ZONE, LONG - DELTA, 4), row('Z', field::ZONE, SHORT - DELTA, 5),
    row('O', field::ZONE, SHORT - DELTA, 1), row('O', field::ZONE, LONG - DELTA, 4),
    row('V', field::ZONE, SHORT - DELTA, 1), row('V', field::ZONE, LONG - DELTA, 2), row('V', field::ZONE, LONG - 1 - DELTA, 3),
    row('V', field::ZONE, LONG - 2 - DELTA, 4),
];

/// Finds the row of a run of one letter.
pub(super) fn row_of(letter: char, length: usize) -> Option<&'static Row> {
    ROWS.iter().rfind(|row| row.letter == letter && row.shortest <= length)
}

/// A piece of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// A run of a letter.
    Field(char, usize),
    Literal(String),
}

/// Splits a pattern into fields and literal text.
pub(super) fn pieces(pattern: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut is_quoted = false;
    let mut characters = pattern.chars().peekable();
    let literal = |pieces: &mut Vec<Piece>, character: char| match pieces.last_mut() {
        Some(Piece::Literal(text)) => text.push(character),
        _ => pieces.push(Piece::Literal(character.to_string())),
    };
    while let Some(character) = characters.next() {
        if character == '\'' {
            if characters.peek() == Some(&'\'') {
                characters.next();
                literal(&mut pieces, '\'');
            } else {
                is_quoted = !is_quoted;
            }
        } else if !is_quoted && character.is_ascii_alphabetic() {
            match pieces.last_mut() {
                Some(Piece::Field(letter, length)) if *letter == character => *length += 1,
                _ => pieces.push(Piece::Field(character, 1)),
            }
        } else {
            literal(&mut pieces, character);
        }
    }
    pieces
}

/// Writes pieces as a pattern.
pub(super) fn pattern_of(pieces: &[Piece]) -> String {
    let mut pattern = String::new();
    for piece in pieces {
        match piece {
            Piece::Field(letter, length) => pattern.extend(std::iter::repeat_n(*letter, *length)),
            Piece::Literal(text) => pattern.push_str(&quoted(text)),
        }
    }
    pattern
}

fn quoted(text: &str) -> String {
    let escaped = text.replace('\'', "''");
    if text.contains(|character: char| character.is_ascii_alphabetic()) { format!("'{escaped}'") } else { escaped }
}

/// The fields that a skeleton or a pattern has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Skeleton {
    pub(super) kinds: [i32; FIELDS],
    /// The letter and length of each field.
    pub(super) original: [Option<(char, usize)>; FIELDS],
    /// The same with the shortest length of that kind.
    base: [Option<(char, usize)>; FIELDS],
}

impl Skeleton {
    pub(super) fn parse(pattern: &str) -> Self {
        let mut skeleton = Self::default();
        for piece in pieces(pattern) {
            if let Piece::Field(letter, length) = piece {
                skeleton.put(letter, length);
            }
        }
        match skeleton.original[field::HOUR] {
            Some(('h' | 'K', _)) if skeleton.original[field::DAY_PERIOD].is_some() => {}
            Some(('h' | 'K', _)) => skeleton.put('a', 1),
            Some(_) => skeleton.clear(field::DAY_PERIOD),
            None => {}
        }
        let has = |at: usize| skeleton.original[at].is_some();
        if has(field::MINUTE) && has(field::FRACTION) && !has(field::SECOND) {
            skeleton.put('s', 1);
        }
        skeleton
    }

    fn put(&mut self, letter: char, length: usize) {
        let Some(row) = row_of(letter, length) else { return };
        self.original[row.field] = Some((letter, length));
        self.base[row.field] = Some((letter, row.shortest));
        let length = i32::try_from(length).unwrap_or(1);
        self.kinds[row.field] = if row.kind > 0 { row.kind + length } else { row.kind };
    }

    fn clear(&mut self, at: usize) {
        self.kinds[at] = 0;
        self.original[at] = None;
        self.base[at] = None;
    }

    pub(super) fn base(&self) -> String {
        text_of(&self.base)
    }

    pub(super) fn base_length(&self, at: usize) -> usize {
        self.base[at].map_or(0, |(_, length)| length)
    }

    pub(super) fn text(&self) -> String {
        text_of(&self.original)
    }

    pub(super) fn mask(&self) -> u32 {
        (0..FIELDS).filter(|at| self.kinds[*at] != 0).fold(0, |mask, at| mask | 1 << at)
    }

    /// Compares with another skeleton; only the fields of the mask count on this side.
    pub(super) fn distance(&self, other: &Self, mask: u32) -> Distance {
        let mut distance = Distance { value: 0, missing: 0, extra: 0 };
        for at in 0..FIELDS {
            let mine = if mask & (1 << at) == 0 { 0 } else { self.kinds[at] };
            let theirs = other.kinds[at];
            if mine == theirs {
                continue;
            }
            if mine == 0 {
                distance.value += 0x10000;
                distance.extra |= 1 << at;
            } else if theirs == 0 {
                distance.value += 0x1000;
                distance.missing |= 1 << at;
            } else {
                distance.value += (mine - theirs).abs();
            }
        }
        distance
    }
}

fn text_of(fields: &[Option<(char, usize)>]) -> String {
    fields.iter().flatten().flat_map(|(letter, length)| std::iter::repeat_n(*letter, *length)).collect()
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Distance {
    pub(super) value: i32,
    pub(super) missing: u32,
    pub(super) extra: u32,
}
