ALTER TABLE "pending_registrations" ADD COLUMN "browser_hash" text;--> statement-breakpoint
ALTER TABLE "pending_registrations" ADD COLUMN "ip" text;--> statement-breakpoint
ALTER TABLE "pending_registrations" ADD COLUMN "device" text;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "registration_id" uuid;--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_registration_id_pending_registrations_id_fk" FOREIGN KEY ("registration_id") REFERENCES "public"."pending_registrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tokens_registration" ON "tokens" USING btree ("registration_id");