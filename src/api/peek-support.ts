import type { DatabaseHandle } from "#api/db/open-database.ts";
import type { SupportFacts } from "#api/modules/system/contract.ts";
import { selectSupportFacts } from "#api/modules/system/index.ts";

/** What a database tells whoever looks for a fault, without a server on it. Changes nothing. */
export const peekSupport = ({ db }: Pick<DatabaseHandle, "db">): Promise<SupportFacts> =>
  selectSupportFacts(db);
