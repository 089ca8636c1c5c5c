import { csvRecord } from "#api/core/csv.ts";
import type { Activity } from "#api/modules/activity/contract.ts";
import type { TestClient } from "./host.ts";
import { parseCsv } from "./parse-csv.ts";

/** The columns of an exported file, in its order. */
export const exportedColumns =
  "id timestamp pluginName type action description status severity actorKind userId userEmail duration occurrences requestId ip userAgent changes".split(
    " ",
  );

/** Reads the activity log as an admin does: as files, and page after page. */
export const createActivityExports = (admin: () => TestClient) => {
  const path = "/api/admin/activity";
  const exported = async (query = "") => (await admin().call("GET", `${path}/export?${query}`)).text();
  return {
    exported,
    csv: async (query = "") => parseCsv(await exported(query)),
    /** All that the list holds. */
    listed: async (query = ""): Promise<Activity[]> => {
      const all: Activity[] = [];
      for (;;) {
        const last = all.at(-1);
        const before = last === undefined ? "" : `&before=${last.id}`;
        const answer = await admin().call("GET", `${path}?limit=100${before}&${query}`);
        const { activities } = (await answer.json()).data;
        all.push(...activities);
        if (activities.length < 100) return all;
      }
    },
  };
};

/** The file that these activities make. */
export const asCsv = (activities: Activity[]): string =>
  [exportedColumns, ...activities.map(cellsOf)].map((cells) => csvRecord(cells)).join("");

const cellsOf = ({ changes, ...rest }: Activity) =>
  Object.values({ ...rest, changes: changes === null ? null : JSON.stringify(changes) });

/** The cells of a column, without its head. */
export const columnOf = ([head = [], ...records]: string[][], name: string): string[] =>
  records.map((record) => record[head.indexOf(name)] ?? "no such column");
