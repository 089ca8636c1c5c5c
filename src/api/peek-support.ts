import type { DatabaseHandle } from "#api/db/open-database.ts";
import { selectSupportFacts } from "#api/modules/system/index.ts";
import type { SupportFacts } from "#contract/support.ts";

/** What a database tells whoever looks for a fault, without a server on it. Changes nothing. */
export const peekSupport = ({ db }: Pick<DatabaseHandle, "db">): Promise<SupportFacts> =>
  selectSupportFacts(db);
