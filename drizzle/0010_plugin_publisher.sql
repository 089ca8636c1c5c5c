ALTER TABLE "plugins" ADD COLUMN "data_key" text;--> statement-breakpoint
UPDATE "api_tokens" SET "scopes" = "scopes" || '["plugins:settings"]'::jsonb WHERE "scopes" @> '["plugins:write"]'::jsonb;
