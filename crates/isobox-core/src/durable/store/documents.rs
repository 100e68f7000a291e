//! Named documents of a store, in collections.

/// A collection of documents: small things that a store keeps beside executions.
///
/// A document has a key that is unique in its collection. The number of documents is bounded. Two collections of the same
/// name are the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collection {
    /// The name.
    pub name: &'static str,
    /// The maximum number of documents. Processes that add documents to a server at the same moment may exceed it by one
    /// each.
    pub most: usize,
    /// The treatment of a further document.
    pub when_full: WhenFull,
    /// The durability of changes of its documents.
    pub durability: DocumentDurability,
}

/// The treatment of a document for which its collection has no room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenFull {
    /// The documents that were changed longest ago are removed.
    ForgetOldest,
    /// The document is refused with [`ErrorKind::CollectionFull`](super::ErrorKind::CollectionFull).
    Refuse,
}

/// The durability of a completed change of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentDurability {
    /// The change survives the death of the machine.
    Durable,
    /// The change survives the death of the process.
    Process,
}

/// The collection of what was learned about tools. The key is the path of the tool.
pub const LESSONS: Collection = Collection {
    name: "lesson",
    most: 1_000,
    when_full: WhenFull::ForgetOldest,
    durability: DocumentDurability::Process,
};

/// A document of a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The key.
    pub key: String,
    /// The content, never empty.
    pub bytes: Vec<u8>,
}

/// Decides what to keep instead of these bytes, if there are any. A store may ask it more than once.
pub type Amendment = dyn Fn(Option<&[u8]>) -> Amended + Send + Sync;

/// The change of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Amended {
    /// The document stays as it is.
    Unchanged,
    /// The document gets these bytes. If they are empty, the document is removed.
    Replaced(Vec<u8>),
    /// The document is removed.
    Removed,
}
