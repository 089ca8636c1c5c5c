CREATE UNLOGGED TABLE "rate_counts" (
	"key" text PRIMARY KEY NOT NULL,
	"moments" double precision[] NOT NULL,
	"counts" integer[] NOT NULL,
	"granted" integer NOT NULL,
	"wanted" integer NOT NULL,
	"max" integer NOT NULL,
	"window_ms" bigint NOT NULL,
	"grain" bigint NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "rate_counts_expiry" ON "rate_counts" USING btree ("expires_at");
