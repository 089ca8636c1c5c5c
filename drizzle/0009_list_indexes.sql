CREATE TABLE "list_tallies" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"list" text NOT NULL,
	"kind" text NOT NULL,
	"rows" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "activities_request" ON "activities" USING btree (request_id text_pattern_ops);--> statement-breakpoint
CREATE INDEX "contact_messages_subject" ON "contact_messages" USING btree ("subject","created_at" DESC NULLS LAST,"id" DESC NULLS LAST,"handled_at");--> statement-breakpoint
CREATE INDEX "contact_messages_handled" ON "contact_messages" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE handled_at is not null;--> statement-breakpoint
CREATE INDEX "contact_messages_search" ON "contact_messages" USING gin ((lower(name || E'\n' || email || E'\n' || message)) gin_trgm_ops) WITH (gin_pending_list_limit=256);--> statement-breakpoint
CREATE INDEX "mails_status" ON "mails" USING btree ("status","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "mails_search" ON "mails" USING gin ((lower(recipient || E'\n' || subject)) gin_trgm_ops) WITH (gin_pending_list_limit=256);--> statement-breakpoint
CREATE INDEX "users_newest" ON "users" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST,"role","disabled_at");--> statement-breakpoint
CREATE INDEX "users_name" ON "users" USING btree (lower("name") desc nulls last,"id" DESC NULLS LAST,"name","role","disabled_at");--> statement-breakpoint
CREATE INDEX "users_email" ON "users" USING btree ("email_key" DESC NULLS LAST,"id" DESC NULLS LAST,"role","disabled_at");--> statement-breakpoint
CREATE INDEX "users_last_seen" ON "users" USING btree ("last_seen_at" DESC NULLS LAST,"id" DESC NULLS LAST,"role","disabled_at");--> statement-breakpoint
CREATE INDEX "users_admins" ON "users" USING btree ("id") WHERE role = 'admin';--> statement-breakpoint
CREATE INDEX "users_disabled" ON "users" USING btree ("id") WHERE disabled_at is not null;--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin ((lower(name || E'\n' || email)) gin_trgm_ops) WITH (gin_pending_list_limit=256);
--> statement-breakpoint
ALTER TABLE "list_tallies" SET (fillfactor = 50);--> statement-breakpoint
-- Of the rows of a kind one is taken that no other transaction holds, so that writers never wait for each other here.
CREATE FUNCTION list_tally(of_list text, of_kind text, change bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	UPDATE list_tallies SET rows = rows + change WHERE id = (
		SELECT id FROM list_tallies WHERE list = of_list AND kind = of_kind LIMIT 1 FOR UPDATE SKIP LOCKED);
	IF NOT FOUND THEN
		INSERT INTO list_tallies (list, kind, rows) VALUES (of_list, of_kind, change);
	END IF;
END $$;--> statement-breakpoint
-- The argument is the kind of a row, as an expression over its table.
CREATE FUNCTION list_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format(
		'SELECT list_tally(%L, kind, sum(n)::bigint) FROM (%s) change (kind, n) GROUP BY kind HAVING sum(n) <> 0 ORDER BY kind',
		TG_TABLE_NAME,
		concat_ws(' UNION ALL ',
			CASE WHEN TG_OP <> 'DELETE' THEN format('SELECT %s, 1 FROM inserted', TG_ARGV[0]) END,
			CASE WHEN TG_OP <> 'INSERT' THEN format('SELECT %s, -1 FROM removed', TG_ARGV[0]) END));
	RETURN NULL;
END $$;--> statement-breakpoint
-- Three triggers for each list, because a trigger that sees the rows of a statement answers to one kind of statement alone.
-- They lock the tables against writers until the rows that are there have been counted.
DO $$
DECLARE
	counted record;
BEGIN
	FOR counted IN SELECT * FROM (VALUES
		('users', 'concat_ws(''/'', role, CASE WHEN disabled_at IS NULL THEN ''active'' ELSE ''disabled'' END)'),
		('contact_messages', 'concat_ws(''/'', subject, CASE WHEN handled_at IS NULL THEN ''open'' ELSE ''handled'' END, CASE WHEN read_at IS NULL THEN ''unread'' ELSE ''read'' END)'),
		('mails', 'status')) lists (name, kind)
	LOOP
		EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION list_count(%L)',
			counted.name || '_inserted', counted.name, counted.kind);
		EXECUTE format('CREATE TRIGGER %I AFTER DELETE ON %I REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION list_count(%L)',
			counted.name || '_removed', counted.name, counted.kind);
		EXECUTE format('CREATE TRIGGER %I AFTER UPDATE ON %I REFERENCING NEW TABLE AS inserted OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION list_count(%L)',
			counted.name || '_updated', counted.name, counted.kind);
		EXECUTE format('INSERT INTO list_tallies (list, kind, rows) SELECT %L, %s AS kind, count(*) FROM %I GROUP BY kind',
			counted.name, counted.kind, counted.name);
	END LOOP;
END $$;--> statement-breakpoint
-- Last, because it keeps readers off the table until the end.
DROP INDEX "users_created";
