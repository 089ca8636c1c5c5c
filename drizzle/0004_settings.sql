CREATE TABLE "setting_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "setting_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"section" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"user_id" uuid,
	"changed_by" text NOT NULL,
	"fields" jsonb NOT NULL,
	"reverts_id" bigint
);
--> statement-breakpoint
CREATE TABLE "setting_secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"sealed" "bytea" NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"section" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stored_object_leftovers" (
	"bucket" text NOT NULL,
	"name" text NOT NULL,
	"remove_after" timestamp with time zone NOT NULL,
	CONSTRAINT "stored_object_leftovers_bucket_name_pk" PRIMARY KEY("bucket","name")
);
--> statement-breakpoint
CREATE TABLE "stored_object_parts" (
	"version" text NOT NULL,
	"part" integer NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "stored_object_parts_version_part_pk" PRIMARY KEY("version","part")
);
--> statement-breakpoint
CREATE TABLE "stored_objects" (
	"key" text PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"bucket" text,
	"size_bytes" bigint NOT NULL,
	"digest" text NOT NULL,
	"content_type" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "stored_objects_bucket" ON "stored_objects" USING btree ("bucket");
