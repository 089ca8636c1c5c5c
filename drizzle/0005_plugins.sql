CREATE TABLE "plugin_jobs" (
	"plugin" text NOT NULL,
	"job" text NOT NULL,
	"every_ms" bigint NOT NULL,
	"next_run_at" timestamp with time zone NOT NULL,
	"leased_until" timestamp with time zone,
	"leased_by" text,
	"last_run_at" timestamp with time zone,
	"last_error" text,
	CONSTRAINT "plugin_jobs_plugin_job_pk" PRIMARY KEY("plugin","job")
);
--> statement-breakpoint
CREATE TABLE "plugin_keys" (
	"key_id" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"label" text NOT NULL,
	"tier" text NOT NULL,
	"names" jsonb NOT NULL,
	"not_before" timestamp with time zone,
	"not_after" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"added_by" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plugin_kv" (
	"plugin" text NOT NULL,
	"key" text NOT NULL,
	"value" text NOT NULL,
	"version" bigint NOT NULL,
	"expires_at" timestamp with time zone,
	CONSTRAINT "plugin_kv_plugin_key_pk" PRIMARY KEY("plugin","key")
);
--> statement-breakpoint
CREATE TABLE "plugin_replicas" (
	"plugin" text NOT NULL,
	"replica" text NOT NULL,
	"state" text NOT NULL,
	"version" text NOT NULL,
	"generation" bigint NOT NULL,
	"error" text,
	"isolation" text,
	"memory_bytes" bigint,
	"started_at" timestamp with time zone,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "plugin_replicas_plugin_replica_pk" PRIMARY KEY("plugin","replica")
);
--> statement-breakpoint
CREATE TABLE "plugin_rules" (
	"plugin" text PRIMARY KEY NOT NULL,
	"rules" jsonb NOT NULL,
	"generation" bigint NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plugin_secrets" (
	"id" text PRIMARY KEY NOT NULL,
	"plugin" text NOT NULL,
	"sealed" "bytea" NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plugin_uses" (
	"plugin" text NOT NULL,
	"permission" text NOT NULL,
	"used" bigint NOT NULL,
	"refused" bigint NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "plugin_uses_plugin_permission_pk" PRIMARY KEY("plugin","permission")
);
--> statement-breakpoint
CREATE TABLE "plugin_versions" (
	"plugin" text NOT NULL,
	"version" text NOT NULL,
	"sha256" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"object_key" text,
	"manifest" text NOT NULL,
	"signature" jsonb NOT NULL,
	"uploaded_by" text,
	"uploaded_at" timestamp with time zone NOT NULL,
	"activated_at" timestamp with time zone,
	CONSTRAINT "plugin_versions_plugin_version_pk" PRIMARY KEY("plugin","version")
);
--> statement-breakpoint
CREATE TABLE "plugins" (
	"name" text PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"is_enabled" boolean DEFAULT false NOT NULL,
	"is_bundled" boolean DEFAULT false NOT NULL,
	"generation" bigint NOT NULL,
	"granted" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"consented_sha256" text,
	"publisher_key_id" text,
	"pending_version" text,
	"pending_error" text,
	"quarantine_reason" text,
	"migrated_version" text,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"installed_by" text,
	"installed_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"removed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "plugin_kv_expiry" ON "plugin_kv" USING btree ("expires_at");