import type { SiteFacts } from "../../backend/wire.ts";

/** What the plugin's own route tells pages. */
export const asSiteFacts = (json: unknown): SiteFacts => json as SiteFacts;
