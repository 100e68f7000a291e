//! Reads a JSON Schema as a type.
//!
//! Schemas are untrusted: they may be circular, refer to one definition from thousands of places, or be nested deeper
//! than a stack. Reading therefore has a budget for its output, and a bound on levels. If the budget is exceeded,
//! reading starts again with fewer levels, so that the top is shown in full and only deep parts are cut.

use serde_json::{Map, Value};

use super::source::Source;
use super::{
    comment::one_line,
    documentation::Documentation,
    facets::{Alternatives, Facets, Kinds},
    literal,
    reference::{Document, Target, name_of},
    report::{Report, Step},
    shape::{Member, Object, Type},
};

/// The maximum nesting of objects and length of descriptions, for each attempt.
const ATTEMPTS: [Extent; 7] = [
    Extent { levels: 12, description: 200 },
    Extent { levels: 12, description: 60 },
    Extent { levels: 6, description: 60 },
    Extent { levels: 4, description: 60 },
    Extent { levels: 3, description: 60 },
    Extent { levels: 2, description: 60 },
    Extent { levels: 1, description: 60 },
];
/// The approximate maximum of bytes of TypeScript from one schema, without indentation.
const BUDGET: usize = 12_288;
/// The cost of the smallest schema.
const COST: usize = 8;
/// The maximum number of properties, names and values that are looked at in an attempt. Many more are looked at than shown, and a
/// schema is looked at wherever it is referred to.
const WORK: usize = 250_000;
/// The maximum depth of recursion, and of consecutive references.
const MAX_RECURSION: usize = 64;
/// The maximum number of schemas that apply to one value.
const MAX_CONJUNCTS: usize = 64;
const MAX_PROPERTIES: usize = 200;
const MAX_LITERALS: usize = 60;
const MAX_ALTERNATIVES: usize = 60;
const MAX_ELEMENTS: usize = 60;
/// The maximum length of a property name, in bytes.
const MAX_NAME: usize = 200;
/// The maximum length of a comment after a value.
const MAX_NOTE: usize = 60;

/// A schema that was read.
pub(super) struct Read<'schema> {
    pub(super) kind: Type<'schema>,
    pub(super) documentation: Documentation<'schema>,
    /// The maximum length of descriptions, in characters.
    pub(super) description: usize,
    /// The warnings. Each begins with its place.
    pub(super) warnings: Vec<String>,
}

/// Reads a schema. `place` is the name of its root in warnings.
pub(super) fn read<'schema>(schema: &'schema Value, place: &'static str) -> Read<'schema> {
    let document = Document::new(schema);
    let mut attempts = ATTEMPTS.into_iter().peekable();
    loop {
        let extent = attempts.next().unwrap_or(Extent { levels: 1, description: 0 });
        let mut reader = SchemaReader::new(&document, extent, place);
        let Reading { kind, documentation } = reader.read(&[Source { schema, trail: 0 }]);
        if !reader.is_over_budget || attempts.peek().is_none() {
            if reader.is_over_budget {
                reader.report.exceed();
            }
            let warnings = reader.report.into_warnings();
            return Read { kind, documentation, description: extent.description, warnings };
        }
    }
}

/// The extent to which a schema is shown.
#[derive(Debug, Clone, Copy)]
struct Extent {
    levels: usize,
    description: usize,
}

struct Reading<'schema> {
    kind: Type<'schema>,
    documentation: Documentation<'schema>,
}

/// The reach of a schema: it alone applies to a value, or it is one of several.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Whole,
    Part,
}

struct SchemaReader<'schema, 'document> {
    document: &'document Document<'schema>,
    /// The targets of references, each with its predecessor. The first is the root.
    trail: Vec<(&'schema Value, usize)>,
    extent: Extent,
    level: usize,
    recursion: usize,
    left: usize,
    work: usize,
    is_over_budget: bool,
    report: Report<'schema>,
}

impl<'schema, 'document> SchemaReader<'schema, 'document> {
    fn new(document: &'document Document<'schema>, extent: Extent, root: &'static str) -> Self {
        Self {
            document,
            trail: vec![(document.root(), 0)],
            extent,
            level: 0,
            recursion: 0,
            left: BUDGET,
            work: WORK,
            is_over_budget: false,
            report: Report::new(root),
        }
    }

    /// Reads a value to which all of these schemas apply.
    fn read(&mut self, sources: &[Source<'schema>]) -> Reading<'schema> {
        let mut facets = Facets::new();
        if self.recursion == MAX_RECURSION {
            return Reading { kind: self.cut(&facets), documentation: Documentation::default() };
        }
        self.recursion += 1;
        let reach = if sources.len() == 1 { Reach::Whole } else { Reach::Part };
        for source in sources {
            self.collect(&mut facets, *source, reach, 0);
        }
        let kind = self.combine(&mut facets);
        self.recursion -= 1;
        Reading { kind, documentation: facets.documentation }
    }

    /// Adds a schema and everything that it refers to.
    fn collect(&mut self, facets: &mut Facets<'schema>, source: Source<'schema>, reach: Reach, hops: usize) {
        let schema = match source.schema {
            Value::Bool(true) => return,
            Value::Bool(false) => {
                facets.is_never = true;
                return;
            }
            Value::Object(schema) => schema,
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                return self.report.warn("there is something that is not a schema, so it is `unknown`");
            }
        };
        if !self.charge(COST) || !self.may_look_at(schema) {
            return;
        }
        if hops == MAX_RECURSION || facets.count() == MAX_CONJUNCTS {
            return self.report.warn("more schemas apply than can be followed");
        }
        let Some(remainder) = facets.add(schema, source) else { return };
        if let Some(name) = remainder.strange_type {
            self.report.warn(&format!("there is no type `{}`, so it is `unknown`", one_line(name, MAX_NOTE)));
        }
        facets.is_nullable |= remainder.is_nullable && reach == Reach::Whole;
        for reference in remainder.references {
            self.follow(facets, source, reference, reach, hops);
        }
        let reach = if remainder.all_of.len() == 1 { reach } else { Reach::Part };
        for schema in remainder.all_of {
            self.collect(facets, source.part(schema), reach, hops + 1);
            if self.is_over_budget {
                return;
            }
        }
    }

    fn follow(
        &mut self,
        facets: &mut Facets<'schema>,
        source: Source<'schema>,
        reference: &'schema str,
        reach: Reach,
        hops: usize,
    ) {
        let shown = || one_line(reference, MAX_NOTE);
        match self.document.resolve(reference) {
            Target::Found(target) if self.is_being_read(source.trail, target) => {
                facets.opaque = Some(("circular", name_of(reference)));
            }
            Target::Found(target) => {
                if reach == Reach::Whole {
                    facets.name = Some(name_of(reference));
                }
                self.trail.push((target, source.trail));
                let trail = self.trail.len() - 1;
                self.collect(facets, Source { schema: target, trail }, reach, hops + 1);
            }
            Target::Missing => {
                facets.opaque = Some(("missing", name_of(reference)));
                self.report.warn(&format!("`{}` is not in the schema, so it is `unknown`", shown()));
            }
            Target::Remote => {
                facets.opaque = Some(("elsewhere", name_of(reference)));
                self.report
                    .warn(&format!("`{}` is not part of the schema and is not fetched, so it is `unknown`", shown()));
            }
        }
    }

    fn is_being_read(&self, mut trail: usize, target: &Value) -> bool {
        loop {
            let (followed, before) = self.trail[trail];
            if std::ptr::eq(followed, target) {
                return true;
            }
            if trail == 0 {
                return false;
            }
            trail = before;
        }
    }

    fn combine(&mut self, facets: &mut Facets<'schema>) -> Type<'schema> {
        if facets.is_never {
            return Type::Never;
        }
        let base = self.base(facets);
        let mut parts = Vec::new();
        for alternatives in std::mem::take(&mut facets.alternatives) {
            parts.push(self.any_of(&alternatives, &mut facets.documentation));
        }
        let says_more = facets.literals.is_some() || facets.describes_object() || facets.describes_array();
        if says_more || parts.iter().all(|part| *part == Type::Unknown) {
            parts.insert(0, base);
        }
        if let Some((reason, name)) = facets.opaque {
            self.charge(COST + name.len().min(MAX_NOTE));
            parts.push(Type::Opaque { reason: reason.into(), names: vec![name] });
        }
        let kind = Type::intersection(parts);
        if facets.is_nullable { Type::union([kind, Type::NULL]) } else { kind }
    }

    /// Returns the type without the alternatives.
    fn base(&mut self, facets: &mut Facets<'schema>) -> Type<'schema> {
        if let Some(literals) = facets.literals {
            return self.one_of(literals);
        }
        let kinds = facets.kinds;
        let has = |kind| kinds.has(kind);
        if kinds == Kinds::ALL {
            let (object, array) = (facets.describes_object(), facets.describes_array());
            return match (object, array) {
                (false, false) => Type::Unknown,
                (true, false) => self.object(facets),
                (false, true) => self.array(facets),
                (true, true) => Type::union([self.object(facets), self.array(facets)]),
            };
        }
        let mut parts = Vec::new();
        for (kind, keyword) in
            [(Kinds::STRING, "string"), (Kinds::NUMBER, "number"), (Kinds::BOOLEAN, "boolean"), (Kinds::NULL, "null")]
        {
            if has(kind) {
                parts.push(Type::Keyword(keyword));
            }
        }
        if has(Kinds::OBJECT) {
            parts.push(self.object(facets));
        }
        if has(Kinds::ARRAY) {
            parts.push(self.array(facets));
        }
        self.charge(COST * parts.len());
        Type::union(parts)
    }

    fn one_of(&mut self, literals: &'schema [Value]) -> Type<'schema> {
        let mut parts = Vec::new();
        for value in literals.iter().take(MAX_LITERALS) {
            if !self.charge(literal::cost_of(value)) {
                break;
            }
            parts.push(literal::type_of(value));
        }
        let rest = &literals[parts.len()..];
        if !rest.is_empty() {
            let wide = Type::union(rest.iter().map(literal::widened));
            parts.push(Type::Noted(Box::new(wide), format!("and {} more values", rest.len()).into()));
        }
        Type::union(parts)
    }

    fn any_of(
        &mut self,
        alternatives: &Alternatives<'schema>,
        documentation: &mut Documentation<'schema>,
    ) -> Type<'schema> {
        let mut parts = Vec::new();
        let mut only = None;
        for branch in alternatives.branches.iter().take(MAX_ALTERNATIVES) {
            let mut reading = self.read(&[alternatives.origin.part(branch)]);
            if self.is_over_budget {
                break;
            }
            let brief = reading.documentation.brief();
            if matches!(reading.kind, Type::Literal(_)) && !brief.is_empty() {
                self.charge(brief.len().min(MAX_NOTE));
                reading.kind = Type::Noted(Box::new(reading.kind), brief.into());
            } else if reading.kind != Type::NULL {
                only = Some(reading.documentation);
            }
            parts.push(reading.kind);
        }
        if parts.iter().filter(|part| **part != Type::NULL).count() == 1
            && let Some(only) = only
        {
            documentation.adopt(only);
        }
        let rest = alternatives.branches.len() - parts.len();
        if rest > 0 {
            parts.push(Type::Opaque { reason: format!("and {rest} more alternatives").into(), names: Vec::new() });
        }
        Type::union(parts)
    }

    fn array(&mut self, facets: &mut Facets<'schema>) -> Type<'schema> {
        let Some((elements, origin)) = facets.elements else {
            let Some(items) = facets.items else { return Type::Array(Box::new(Type::Unknown)) };
            let reading = self.read_at(Step::Items, &[items]);
            facets.documentation.adopt_items(reading.documentation);
            return Type::Array(Box::new(reading.kind));
        };
        let mut kinds = Vec::new();
        for (index, element) in elements.iter().enumerate().take(MAX_ELEMENTS) {
            kinds.push(self.read_at(Step::Element(index), &[origin.part(element)]).kind);
        }
        let rest = facets.items.or(facets.additional_items);
        let rest = match rest.map(|rest| (rest, rest.schema)) {
            _ if kinds.len() < elements.len() => Some(Type::Unknown),
            None | Some((_, Value::Bool(false))) => None,
            Some((rest, _)) => Some(self.read_at(Step::Items, &[rest]).kind),
        };
        let required = facets.least_items.unwrap_or(usize::MAX).min(kinds.len());
        Type::Tuple { elements: kinds, required, rest: rest.map(Box::new) }
    }

    fn object(&mut self, facets: &Facets<'schema>) -> Type<'schema> {
        if self.level == self.extent.levels && facets.describes_object() {
            return self.cut(facets);
        }
        self.level += 1;
        let values = self.values(facets);
        let object = self.members(facets, values.as_ref());
        self.level -= 1;
        let is_closed = matches!(facets.additional, Some(Source { schema: Value::Bool(false), .. }));
        match (object, values) {
            (Some(object), Some(values)) if values == Type::record_of(Type::Unknown) => {
                Type::Object(Object { is_open: true, ..object })
            }
            (Some(object), Some(values)) => Type::intersection([Type::Object(object), values]),
            (Some(object), None) => Type::Object(object),
            (None, Some(values)) => values,
            (None, None) => Type::record_of(if is_closed { Type::Never } else { Type::Unknown }),
        }
    }

    /// Returns the properties without fixed names, as a record.
    fn values(&mut self, facets: &Facets<'schema>) -> Option<Type<'schema>> {
        let mut kinds = Vec::new();
        if let Some(additional) = facets.additional
            && !matches!(additional.schema, Value::Bool(false))
        {
            kinds.push(self.read_at(Step::Values, &[additional]).kind);
        }
        for (_, source) in facets.patterns.iter().take(MAX_ALTERNATIVES) {
            kinds.push(self.read_at(Step::Values, &[*source]).kind);
        }
        if kinds.is_empty() {
            return None;
        }
        let named = facets.key_names.and_then(|names| names.get("pattern")).and_then(Value::as_str);
        let keys: Vec<&str> = named.into_iter().chain(facets.patterns.iter().map(|(it, _)| *it)).take(3).collect();
        self.charge(COST + keys.iter().map(|key| key.len().min(MAX_NOTE)).sum::<usize>());
        Some(Type::Record { keys, values: Box::new(Type::union(kinds)) })
    }

    /// Returns the named properties.
    fn members(&mut self, facets: &Facets<'schema>, values: Option<&Type<'schema>>) -> Option<Object<'schema>> {
        let known = &facets.properties;
        let unknown = facets.undescribed();
        let count = known.len() + unknown.len();
        if count == 0 {
            return None;
        }
        // Of too many, the required ones are shown first.
        let mut optional_left = MAX_PROPERTIES.saturating_sub(facets.required.len());
        let mut members = Vec::new();
        for property in known {
            let is_optional = !facets.required.contains(property.name);
            if self.is_over_budget || members.len() == MAX_PROPERTIES {
                break;
            }
            if property.name.len() > MAX_NAME || (is_optional && optional_left == 0) {
                continue;
            }
            optional_left -= usize::from(is_optional);
            let Reading { kind: value, documentation } =
                self.read_at(Step::Property(property.name), property.sources());
            if !self.charge(property.name.len() + documentation.cost(self.extent.description)) {
                break;
            }
            members.push(Member { name: property.name, is_optional, documentation, value });
        }
        for name in unknown {
            if members.len() == MAX_PROPERTIES || name.len() > MAX_NAME || !self.charge(name.len() + COST) {
                break;
            }
            let value = match values {
                Some(Type::Record { values, .. }) => (**values).clone(),
                _ => Type::Unknown,
            };
            members.push(Member { name, is_optional: false, documentation: Documentation::default(), value });
        }
        let omitted = count - members.len();
        if omitted > 0 {
            self.report.warn(&format!("{omitted} of its {count} properties are not shown"));
        }
        Some(Object { members, is_open: false, omitted })
    }

    fn read_at(&mut self, step: Step<'schema>, sources: &[Source<'schema>]) -> Reading<'schema> {
        self.report.enter(step);
        let reading = self.read(sources);
        self.report.leave();
        reading
    }

    /// Returns the placeholder for a schema that is too deep to be shown.
    fn cut(&mut self, facets: &Facets<'schema>) -> Type<'schema> {
        self.report.cut();
        self.charge(COST + facets.name.map_or(0, |name| name.len().min(MAX_NOTE)));
        Type::Opaque { reason: "not shown".into(), names: facets.name.into_iter().collect() }
    }

    /// Counts what is looked at in a schema. Returns false once that is too much.
    fn may_look_at(&mut self, schema: &Map<String, Value>) -> bool {
        const LONG: [&str; 6] = ["properties", "patternProperties", "required", "enum", "type", "allOf"];
        let lengths = LONG.iter().filter_map(|key| schema.get(*key)).map(|part| match part {
            Value::Array(items) => items.len(),
            Value::Object(entries) => entries.len(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
        });
        match self.work.checked_sub(schema.len() + lengths.sum::<usize>()) {
            Some(left) => self.work = left,
            None => self.is_over_budget = true,
        }
        !self.is_over_budget
    }

    /// Charges the budget. Returns false once it is used up.
    fn charge(&mut self, cost: usize) -> bool {
        match self.left.checked_sub(cost) {
            Some(left) => self.left = left,
            None => {
                self.left = 0;
                self.is_over_budget = true;
            }
        }
        !self.is_over_budget
    }
}
