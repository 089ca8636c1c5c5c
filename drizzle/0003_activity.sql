CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE TABLE "activities" (
	"id" bigint PRIMARY KEY NOT NULL,
	"kind_id" integer NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"action" text NOT NULL,
	"description" text NOT NULL,
	"user_id" uuid,
	"user_email" text,
	"duration_ms" integer,
	"occurrences" integer DEFAULT 1 NOT NULL,
	"request_id" text,
	"ip" text,
	"user_agent" text,
	"changes" text,
	"hash" "bytea" NOT NULL,
	"search" text GENERATED ALWAYS AS (lower(action || E'\n' || description || E'\n' || coalesce(user_email, '') || E'\n' || coalesce(ip, ''))) STORED
);
--> statement-breakpoint
CREATE TABLE "activity_chain" (
	"id" smallint PRIMARY KEY NOT NULL,
	"head_id" bigint NOT NULL,
	"head_hash" "bytea" NOT NULL,
	"head_at" timestamp with time zone NOT NULL,
	"head_xid" bigint,
	"anchor_id" bigint NOT NULL,
	"anchor_hash" "bytea" NOT NULL,
	"fault" text,
	"seal" "bytea"
);
--> statement-breakpoint
CREATE TABLE "activity_days" (
	"day" date NOT NULL,
	"kind_id" integer NOT NULL,
	"rows" integer NOT NULL,
	CONSTRAINT "activity_days_kind_id_day_pk" PRIMARY KEY("kind_id","day")
);
--> statement-breakpoint
CREATE TABLE "activity_inbox" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"fact" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "activity_kinds" (
	"id" integer PRIMARY KEY NOT NULL,
	"plugin_name" text NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"severity" text NOT NULL,
	"actor_kind" text NOT NULL,
	"rows" bigint DEFAULT 0 NOT NULL,
	"last_id" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "activity_kinds_combination" UNIQUE("plugin_name","type","status","severity","actor_kind")
);
--> statement-breakpoint
CREATE INDEX "activities_kind" ON "activities" USING btree ("kind_id","id");--> statement-breakpoint
CREATE INDEX "activities_search" ON "activities" USING gin ((array[(id >> 16)::int]),"search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "activity_days_day" ON "activity_days" USING btree ("day");--> statement-breakpoint
-- Rows only arrive: without this the visibility map, which makes counting cheap, would wait for a fifth of the table.
ALTER TABLE "activities" SET (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000, autovacuum_analyze_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE "activity_kinds" SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE "activity_days" SET (fillfactor = 70);--> statement-breakpoint
-- Room for a whole batch, which is merged at once at its end.
ALTER INDEX "activities_search" SET (gin_pending_list_limit = 16384);--> statement-breakpoint
INSERT INTO "activity_chain" ("id", "head_id", "head_hash", "head_at", "anchor_id", "anchor_hash")
VALUES (1, 0, decode(repeat('00', 32), 'hex'), to_timestamp(0), 0, decode(repeat('00', 32), 'hex'));--> statement-breakpoint
CREATE FUNCTION activity_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the activity log cannot be changed' USING ERRCODE = 'insufficient_privilege';
END $$;--> statement-breakpoint
CREATE FUNCTION activity_keep_above_anchor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT FROM removed WHERE id > (SELECT anchor_id FROM activity_chain)) THEN
		RAISE EXCEPTION 'the activity log cannot be changed' USING ERRCODE = 'insufficient_privilege';
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION activity_keep_chain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.id <> 1 OR NEW.head_id < OLD.head_id OR NEW.anchor_id < OLD.anchor_id OR NEW.anchor_id > NEW.head_id THEN
		RAISE EXCEPTION 'the activity log only grows' USING ERRCODE = 'insufficient_privilege';
	END IF;
	IF NEW.anchor_id > OLD.anchor_id AND NEW.anchor_hash IS DISTINCT FROM (SELECT hash FROM activities WHERE id = NEW.anchor_id) THEN
		RAISE EXCEPTION 'the anchor is not a row of the activity log' USING ERRCODE = 'insufficient_privilege';
	END IF;
	NEW.head_xid := CASE WHEN NEW.head_id > OLD.head_id THEN pg_current_xact_id()::text::bigint ELSE OLD.head_xid END;
	RETURN NEW;
END $$;--> statement-breakpoint
-- A fact leaves the inbox only in a transaction that has moved the chain's head.
CREATE FUNCTION activity_keep_inbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT FROM removed) AND (SELECT head_xid FROM activity_chain) IS DISTINCT FROM pg_current_xact_id()::text::bigint THEN
		RAISE EXCEPTION 'the activity log cannot be changed' USING ERRCODE = 'insufficient_privilege';
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER activities_refuse BEFORE UPDATE OR TRUNCATE ON "activities" FOR EACH STATEMENT EXECUTE FUNCTION activity_refuse();--> statement-breakpoint
CREATE TRIGGER activities_keep AFTER DELETE ON "activities" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION activity_keep_above_anchor();--> statement-breakpoint
CREATE TRIGGER activity_inbox_refuse BEFORE UPDATE OR TRUNCATE ON "activity_inbox" FOR EACH STATEMENT EXECUTE FUNCTION activity_refuse();--> statement-breakpoint
CREATE TRIGGER activity_inbox_keep AFTER DELETE ON "activity_inbox" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION activity_keep_inbox();--> statement-breakpoint
CREATE TRIGGER activity_chain_keep BEFORE UPDATE ON "activity_chain" FOR EACH ROW EXECUTE FUNCTION activity_keep_chain();--> statement-breakpoint
CREATE TRIGGER activity_chain_refuse BEFORE DELETE OR TRUNCATE ON "activity_chain" FOR EACH STATEMENT EXECUTE FUNCTION activity_refuse();--> statement-breakpoint
-- The first number whose time is not before a moment, or one more than the newest: times never decrease with the numbers,
-- so a search by halves finds it without an index on times.
CREATE FUNCTION activity_first_at(moment timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
	low bigint;
	high bigint;
	middle bigint;
BEGIN
	SELECT anchor_id + 1, head_id + 1 INTO low, high FROM activity_chain;
	WHILE low < high LOOP
		middle := (low + high) / 2;
		IF (SELECT occurred_at FROM activities WHERE id = middle) < moment THEN
			low := middle + 1;
		ELSE
			high := middle;
		END IF;
	END LOOP;
	RETURN low;
END $$;
