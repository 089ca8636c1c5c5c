CREATE TABLE "identities" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"email" text,
	"linked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
INSERT INTO "identities" ("id", "user_id", "provider", "issuer", "subject")
SELECT gen_random_uuid(), "known"."user_id", "known"."provider",
	CASE WHEN "known"."subject" ~ '^https?://[^ ]+ ' THEN split_part("known"."subject", ' ', 1)
		ELSE coalesce("first"."value", "known"."public") END,
	regexp_replace("known"."subject", '^https?://[^ ]+ ', '')
FROM (
	SELECT "id" AS "user_id", 'google' AS "provider", "google_id" AS "subject", 'https://accounts.google.com' AS "public" FROM "users"
	UNION ALL SELECT "id", 'github', "github_id", 'https://github.com' FROM "users"
) AS "known" LEFT JOIN "installation" AS "first" ON "first"."key" = 'identities.' || "known"."provider"
WHERE "known"."subject" IS NOT NULL;--> statement-breakpoint
DELETE FROM "installation" WHERE "key" IN ('identities.google', 'identities.github');--> statement-breakpoint
DROP INDEX "users_google_id";--> statement-breakpoint
DROP INDEX "users_github_id";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "mailbox_proved_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "identities_subject" ON "identities" USING btree ("issuer","subject");--> statement-breakpoint
CREATE UNIQUE INDEX "identities_user" ON "identities" USING btree ("user_id","provider");--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "google_id";--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "github_id";