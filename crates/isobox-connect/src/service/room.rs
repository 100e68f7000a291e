//! Bounds the size of the schemas of a service, all together.

/// The number of parts of schemas that all tools have together, and the least that each schema may have.
const PARTS: usize = 40_000;
const LEAST_PARTS: usize = 24;
/// The maximum number of parts of one schema.
const MOST_PARTS: usize = 3_000;

/// The parts of schemas that there is room for.
#[derive(Debug)]
pub(crate) struct Room {
    left: usize,
    schemas: usize,
}

impl Room {
    /// Divides the room among this many schemas.
    pub(crate) fn for_schemas(schemas: usize) -> Self {
        Self { left: PARTS, schemas: schemas.max(1) }
    }

    /// Returns the room for the next schema: twice its share, because most need less.
    pub(crate) fn next(&mut self) -> usize {
        let share = self.left.saturating_mul(2) / self.schemas.max(1);
        self.schemas = self.schemas.saturating_sub(1);
        share.clamp(LEAST_PARTS, MOST_PARTS)
    }

    /// Counts parts that a schema has used.
    pub(crate) fn spend(&mut self, parts: usize) {
        self.left = self.left.saturating_sub(parts);
    }
}
