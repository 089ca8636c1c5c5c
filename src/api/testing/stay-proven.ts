import { eq } from "drizzle-orm";
import { sessions } from "#api/db/schema.ts";
import type { TestClient, TestHost } from "./host.ts";

/**
 * Makes a person's session count as one that has just begun, however far the clock goes, and never end: for tests that are not
 * about that.
 */
export const stayProven = async (host: TestHost, { user }: TestClient): Promise<void> => {
  const userId = user?.id ?? "";
  const later = new Date(host.clock.now().getTime() + 10 * 365 * 86_400_000);
  const instants = { confirmedAt: later, createdAt: later, lastUsedAt: later, expiresAt: later };
  await host.db.update(sessions).set(instants).where(eq(sessions.userId, userId));
  host.services.events.publish({ type: "user-changed", userId });
};
