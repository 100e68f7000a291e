-- Documents of collections: what was learned about the results of tools, snippets, sessions.
CREATE TABLE isobox_documents (
    collection TEXT NOT NULL,
    key BLOB NOT NULL,
    -- Empty while the row is being made.
    bytes BLOB NOT NULL,
    -- Orders the rows of a collection by their last change.
    changed INTEGER NOT NULL,
    PRIMARY KEY (collection, key)
) STRICT;

CREATE INDEX isobox_documents_by_change ON isobox_documents (collection, changed);

INSERT INTO isobox_documents (collection, key, bytes, changed) SELECT 'lesson', tool, bytes, changed FROM isobox_lessons;

DROP TABLE isobox_lessons;
