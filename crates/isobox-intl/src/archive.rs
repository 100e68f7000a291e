//! The locale data: sections of families, unpacked when they are first used.
//!
//! `data/make.py` describes the format. A value is looked up in the block of a locale, then in those of its parents.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use ruzstd::decoding::FrameDecoder;

static BYTES: &[u8] = include_bytes!("../data/cldr.bin");

/// Stands for a value that the parent has and the locale has not.
const ABSENT: &str = "\u{1}";

/// Unpacked text that is kept. Beyond it everything is dropped, and unpacked again where it is needed.
const MAX_UNPACKED: usize = 24 << 20;

/// The topic of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Topic {
    Numbers,
    Currencies,
    Dates,
    Fields,
    Zones,
    Units,
    Lists,
    Names,
    /// Data that belongs to no locale.
    Common,
}

impl Topic {
    fn letter(self) -> &'static str {
        match self {
            Self::Numbers => "n",
            Self::Currencies => "c",
            Self::Dates => "d",
            Self::Fields => "f",
            Self::Zones => "z",
            Self::Units => "u",
            Self::Lists => "l",
            Self::Names => "t",
            Self::Common => "s",
        }
    }
}

/// One topic of one locale, with what it inherits.
#[derive(Clone)]
pub(crate) struct Section {
    blocks: Vec<Block>,
}

#[derive(Clone)]
struct Block {
    family: Arc<Family>,
    lines: std::ops::Range<usize>,
}

impl Section {
    /// Reads a topic for a locale, whose name is followed by its parents'.
    pub(crate) fn load(topic: Topic, chain: &[String]) -> Self {
        let blocks = chain
            .iter()
            .filter_map(|locale| {
                let family = family(topic, locale.split('-').next().unwrap_or_default())?;
                let lines = family.blocks.get(locale)?.clone();
                Some(Block { family, lines })
            })
            .collect();
        Self { blocks }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        let found = self.blocks.iter().find_map(|block| block.get(key))?;
        (found != ABSENT).then_some(found)
    }

    /// Returns the rows whose keys start with a prefix, as the rest of the key and the value, sorted by key.
    pub(crate) fn under<'a>(&'a self, prefix: &str) -> Vec<(&'a str, &'a str)> {
        let mut rows: HashMap<&'a str, &'a str> = HashMap::new();
        for block in self.blocks.iter().rev() {
            for (key, value) in block.under(prefix) {
                rows.insert(key, value);
            }
        }
        let mut rows: Vec<_> = rows.into_iter().filter(|(_, value)| *value != ABSENT).collect();
        rows.sort_unstable();
        rows
    }
}

impl Block {
    fn get(&self, key: &str) -> Option<&str> {
        let lines = &self.family.lines[self.lines.clone()];
        let found = lines.binary_search_by(|line| self.family.key(*line).as_bytes().cmp(key.as_bytes())).ok()?;
        Some(self.family.value(lines[found]))
    }

    fn under<'a, 'b>(&'a self, prefix: &'b str) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a, 'b> {
        let lines = &self.family.lines[self.lines.clone()];
        let start = lines.partition_point(|line| self.family.key(*line).as_bytes() < prefix.as_bytes());
        lines[start..].iter().map_while(move |line| {
            let rest = self.family.key(*line).strip_prefix(prefix)?;
            Some((rest, self.family.value(*line)))
        })
    }
}

/// One topic of a language with all its regions and scripts.
struct Family {
    text: String,
    lines: Vec<Line>,
    blocks: HashMap<String, std::ops::Range<usize>>,
}

#[derive(Clone, Copy)]
struct Line {
    start: u32,
    tab: u32,
    end: u32,
}

impl Family {
    fn new(text: String) -> Self {
        let (mut lines, mut blocks) = (Vec::new(), HashMap::new());
        let mut current: Option<(String, usize)> = None;
        let mut is_name = false;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let content = &line[..line.len() - usize::from(line.ends_with('\n'))];
            if content.is_empty() {
                if let Some((name, start)) = current.take() {
                    blocks.insert(name, start..lines.len());
                }
                is_name = true;
            } else if is_name {
                current = Some((content.to_owned(), lines.len()));
                is_name = false;
            } else if let Some(tab) = content.find('\t') {
                let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
                lines.push(Line { start: number(at), tab: number(at + tab), end: number(at + content.len()) });
            }
            at += line.len();
        }
        if let Some((name, start)) = current {
            blocks.insert(name, start..lines.len());
        }
        Self { text, lines, blocks }
    }

    fn key(&self, line: Line) -> &str {
        self.text.get(line.start as usize..line.tab as usize).unwrap_or_default()
    }

    fn value(&self, line: Line) -> &str {
        self.text.get(line.tab as usize + 1..line.end as usize).unwrap_or_default()
    }
}

#[derive(Default)]
struct Unpacked {
    size: usize,
    families: HashMap<String, Arc<Family>>,
}

static UNPACKED: LazyLock<Mutex<Unpacked>> = LazyLock::new(Mutex::default);

fn family(topic: Topic, name: &str) -> Option<Arc<Family>> {
    let key = format!("{}/{name}", topic.letter());
    let mut unpacked = UNPACKED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(family) = unpacked.families.get(&key) {
        return Some(Arc::clone(family));
    }
    let family = Arc::new(Family::new(unpack(&key)?));
    if unpacked.size > MAX_UNPACKED {
        *unpacked = Unpacked::default();
    }
    unpacked.size += family.text.len() + family.lines.len() * size_of::<Line>();
    unpacked.families.insert(key, Arc::clone(&family));
    Some(family)
}

/// The place of each family: offset, packed size, unpacked size.
static INDEX: LazyLock<HashMap<&'static str, (usize, usize, usize)>> = LazyLock::new(|| {
    let Some((head, body)) = split_head() else { return HashMap::new() };
    let offset = BYTES.len() - body.len();
    let row = |line: &'static str| {
        let mut cells = line.split('\t');
        let name = cells.next()?;
        let mut number = || cells.next()?.parse::<usize>().ok();
        Some((name, (offset + number()?, number()?, number()?)))
    };
    head.lines().filter_map(row).collect()
});

fn split_head() -> Option<(&'static str, &'static [u8])> {
    let (size, rest) = BYTES.split_first_chunk::<4>()?;
    let (head, body) = rest.split_at_checked(u32::from_le_bytes(*size) as usize)?;
    Some((std::str::from_utf8(head).ok()?, body))
}

fn unpack(key: &str) -> Option<String> {
    let (offset, packed, size) = *INDEX.get(key)?;
    let mut text = Vec::with_capacity(size);
    FrameDecoder::new().decode_all_to_vec(BYTES.get(offset..offset + packed)?, &mut text).ok()?;
    String::from_utf8(text).ok()
}

/// Returns the data that belongs to no locale.
pub(crate) fn common() -> &'static Section {
    static COMMON: LazyLock<Section> = LazyLock::new(|| Section::load(Topic::Common, &["und".to_owned()]));
    &COMMON
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn every_family_can_be_unpacked() {
        for name in INDEX.keys() {
            let text = unpack(name).unwrap_or_else(|| panic!("{name} cannot be unpacked"));
            let family = Family::new(text);
            for lines in family.blocks.values() {
                assert!(family.lines[lines.clone()].is_sorted_by(|a, b| family.key(*a) < family.key(*b)), "{name}");
            }
        }
        assert!(INDEX.len() > 1000);
    }

    #[test]
    fn a_locale_inherits_what_it_does_not_say_itself() {
        let section = Section::load(Topic::Numbers, &chain(&["de-AT", "de", "und"]));
        assert_eq!(section.get("latn/symbols/decimal"), Some(","));
        assert_eq!(section.get("latn/symbols/currencyGroup"), Some("."));
        assert_eq!(section.get("latn/scientificFormats/standard"), Some("#E0"));
        assert_eq!(section.get("nothing"), None);
    }
}
