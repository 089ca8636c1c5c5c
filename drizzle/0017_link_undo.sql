ALTER TABLE "identities" ADD COLUMN "undo_hash" text;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_undo_hash_unique" UNIQUE("undo_hash");