ALTER TABLE "users" ADD COLUMN "last_seen_at" timestamp with time zone;--> statement-breakpoint
UPDATE "users" SET "last_seen_at" = "seen"."at" FROM (
	SELECT "user_id", max("last_used_at") AS "at" FROM (
		SELECT "user_id", "last_used_at" FROM "sessions"
		UNION ALL SELECT "user_id", "last_used_at" FROM "known_devices"
	) AS "uses" GROUP BY "user_id"
) AS "seen" WHERE "users"."id" = "seen"."user_id";
