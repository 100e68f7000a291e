-- Documents of collections: what was learned about the results of tools, snippets, sessions.
CREATE TABLE isobox_documents (
    collection TEXT COLLATE "C" NOT NULL,
    key BYTEA NOT NULL,
    -- Empty while the row is being made.
    bytes BYTEA NOT NULL,
    -- Orders the rows of a collection by their last change.
    changed BIGINT NOT NULL,
    PRIMARY KEY (collection, key)
);

CREATE INDEX isobox_documents_by_change ON isobox_documents (collection, changed);

INSERT INTO isobox_documents (collection, key, bytes, changed) SELECT 'lesson', tool, bytes, changed FROM isobox_lessons;

DROP TABLE isobox_lessons;
