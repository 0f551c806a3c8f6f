/**
 * The version of what the projection makes of the log: its tables, and what is written into them. Raise it with every
 * change of either, also where the language finds other includes in a body than before; a file of another version is
 * rebuilt from the log.
 */
export const PROJECTION_VERSION = 4;

/** Marks a SQLite file as ours: "INCP" in ASCII. */
export const APPLICATION_ID = 0x49_4e_43_50;

/** The tables. Nothing in them comes from anywhere but the log, so that replaying it gives the same rows. */
export const TABLES = `
  CREATE TABLE checkpoint (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    stream      TEXT    NOT NULL,
    created     TEXT    NOT NULL,
    admission   TEXT    NOT NULL,
    seq         INTEGER NOT NULL,
    chain_index INTEGER NOT NULL,
    chain_head  TEXT    NOT NULL,
    head_seq    INTEGER NOT NULL,
    newer_seq   INTEGER,
    newer_type  TEXT,
    newer_v     INTEGER
  );
  -- What a key has. served: the version that a plain get gives, or else the newest; kind and contract are that one's.
  CREATE TABLE keys (
    id         INTEGER PRIMARY KEY,
    key        TEXT    NOT NULL UNIQUE,
    folded     TEXT    NOT NULL,
    newest     INTEGER,
    seed_since INTEGER,
    served     INTEGER,
    kind       TEXT,
    contract   TEXT
  );
  CREATE INDEX keys_by_folded ON keys (folded);
  CREATE INDEX keys_by_kind ON keys (kind, key);
  CREATE INDEX keys_by_contract ON keys (contract, key) WHERE contract IS NOT NULL;
  -- The tags of what a key serves.
  CREATE TABLE key_tags (
    tag TEXT NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (tag, key)
  ) WITHOUT ROWID;
  CREATE INDEX key_tags_by_key ON key_tags (key);
  CREATE TABLE versions (
    id       INTEGER PRIMARY KEY,
    key      TEXT    NOT NULL,
    version  INTEGER NOT NULL,
    kind     TEXT    NOT NULL,
    syntax   TEXT    NOT NULL,
    contract TEXT,
    on_error TEXT    NOT NULL,
    config   TEXT,
    tags     TEXT    NOT NULL,
    note     TEXT    NOT NULL,
    source   TEXT    NOT NULL,
    hash     TEXT    NOT NULL,
    bytes    INTEGER NOT NULL,
    actor    TEXT    NOT NULL,
    created  TEXT    NOT NULL,
    seq      INTEGER NOT NULL,
    -- What it includes, and where (JSON); null: nothing, or it does not parse.
    outline  TEXT,
    body     TEXT    NOT NULL
  );
  -- Who is written against a contract.
  CREATE INDEX versions_by_contract ON versions (contract, key) WHERE contract IS NOT NULL;
  CREATE UNIQUE INDEX versions_by_key ON versions (key, version);
  -- Seeds that a later one has replaced: for the state as of then.
  CREATE TABLE past_seeds (
    key      TEXT    NOT NULL,
    version  INTEGER NOT NULL,
    kind     TEXT    NOT NULL,
    syntax   TEXT    NOT NULL,
    contract TEXT,
    on_error TEXT    NOT NULL,
    config   TEXT,
    tags     TEXT    NOT NULL,
    note     TEXT    NOT NULL,
    source   TEXT    NOT NULL,
    hash     TEXT    NOT NULL,
    bytes    INTEGER NOT NULL,
    actor    TEXT    NOT NULL,
    created  TEXT    NOT NULL,
    seq      INTEGER NOT NULL,
    body     TEXT    NOT NULL,
    PRIMARY KEY (key, seq)
  );
  -- What a search finds of a key: what it serves. The index holds no text of its own.
  CREATE VIEW listed AS
    SELECT k.id, k.key, v.seq, v.kind, v.contract, v.tags AS tag_list, v.note, v.body,
      (SELECT coalesce(group_concat(t.value, ', '), '') FROM json_each(v.tags) t) AS tags
    FROM keys k JOIN versions v ON v.key = k.key AND v.version = k.served;
  CREATE VIRTUAL TABLE search USING fts5 (
    key, tags, note, body, content = 'listed', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
  );
  -- A word in the key says more about a template than one in its body.
  INSERT INTO search (search, rank) VALUES ('rank', 'bm25(10.0, 5.0, 2.0, 1.0)');
  -- Which version includes what, directly: for finding who is affected when a partial moves.
  CREATE TABLE includes (
    key     TEXT    NOT NULL,
    version INTEGER NOT NULL,
    partial TEXT    NOT NULL,
    PRIMARY KEY (key, version, partial)
  ) WITHOUT ROWID;
  CREATE INDEX includes_by_partial ON includes (partial);
  CREATE TABLE pointers (
    key     TEXT    NOT NULL,
    label   TEXT    NOT NULL,
    version INTEGER NOT NULL,
    seq     INTEGER NOT NULL,
    PRIMARY KEY (key, label)
  ) WITHOUT ROWID;
  CREATE INDEX pointers_by_label ON pointers (label, key);
  -- Every move of a label; version null: it was taken away.
  CREATE TABLE moves (
    seq      INTEGER PRIMARY KEY,
    key      TEXT    NOT NULL,
    label    TEXT    NOT NULL,
    version  INTEGER,
    previous INTEGER,
    note     TEXT    NOT NULL,
    actor    TEXT    NOT NULL,
    at       TEXT    NOT NULL
  );
  CREATE INDEX moves_by_key ON moves (key, seq);
  CREATE INDEX moves_by_label ON moves (label, seq);
  -- Which command each event came from: what makes a retry safe for ever.
  CREATE TABLE commands (
    seq          INTEGER PRIMARY KEY,
    command_id   TEXT    NOT NULL,
    command_hash TEXT    NOT NULL,
    at           TEXT    NOT NULL,
    type         TEXT    NOT NULL,
    key          TEXT    NOT NULL,
    label        TEXT,
    version      INTEGER,
    previous     INTEGER
  );
  CREATE INDEX commands_by_id ON commands (command_id);
  CREATE TABLE contracts (
    name     TEXT    NOT NULL,
    version  INTEGER NOT NULL,
    document TEXT    NOT NULL,
    note     TEXT    NOT NULL,
    hash     TEXT    NOT NULL,
    actor    TEXT    NOT NULL,
    created  TEXT    NOT NULL,
    seq      INTEGER NOT NULL,
    PRIMARY KEY (name, version)
  ) WITHOUT ROWID;
  -- Messages of the log that were skipped.
  CREATE TABLE rejected (
    seq     INTEGER PRIMARY KEY,
    subject TEXT    NOT NULL,
    reason  TEXT    NOT NULL
  );
`;
