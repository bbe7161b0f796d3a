import { forBoth } from './engines.ts';

/**
 * What the list of changes needs:
 * - the revision of the last change of an offer that everybody may see; null: that of its last change. So it is of every
 *   offer that was there before;
 * - a random number for each revision. After a restore the same revision gets another one, so who knows changes that were
 *   taken back is told. The revisions of before have none, but for the last one.
 */
export const revisionMarks = forBoth(
  (own) => `
ALTER TABLE offers ADD COLUMN masked_revision bigint;

CREATE TABLE revision_marks (
  shelf_id bigint NOT NULL,
  revision bigint NOT NULL,
  mark bigint NOT NULL,
  PRIMARY KEY (shelf_id, revision)
); -- WITHOUT ROWID
INSERT INTO revision_marks (shelf_id, revision, mark) SELECT shelf_id, revision, 0 FROM revisions;
${own({
  sqlite: `
CREATE TRIGGER first_revisions_are_marked AFTER INSERT ON revisions
BEGIN INSERT OR REPLACE INTO revision_marks VALUES (new.shelf_id, new.revision, abs(random() % 281474976710656)); END;
CREATE TRIGGER revisions_are_marked AFTER UPDATE OF revision ON revisions
BEGIN INSERT OR REPLACE INTO revision_marks VALUES (new.shelf_id, new.revision, abs(random() % 281474976710656)); END;`,
  postgres: `
CREATE FUNCTION mark_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO revision_marks VALUES (NEW.shelf_id, NEW.revision, floor(random() * 281474976710656))
  ON CONFLICT (shelf_id, revision) DO UPDATE SET mark = EXCLUDED.mark;
  RETURN NULL;
END $$;
CREATE TRIGGER mark_revision AFTER INSERT OR UPDATE OF revision ON revisions
FOR EACH ROW EXECUTE FUNCTION mark_revision();`,
})}`,
);
