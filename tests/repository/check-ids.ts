/** The ids that titles in a test file begin with, such as `Z1` in `"Z1: no header grants a right"`. */
export const findCheckIds = (source: string): string[] =>
  [...source.matchAll(/["'`]([A-Z]{1,2}\d{1,2}(?:, [A-Z]{1,2}\d{1,2})*): /g)].flatMap(
    (match) => match[1]?.split(", ") ?? [],
  );

/** What a row of docs/security-checks.md says of an id. */
export type CheckRow = { promise: string; files: string[] };

/** The rows of docs/security-checks.md by id. */
export const readCheckTable = (markdown: string): Map<string, CheckRow> =>
  new Map(
    [...markdown.matchAll(/^\| ([A-Z]{1,2}\d{1,2}) \| (.*?) \| (.*?) \|$/gm)].map(
      ([, id = "", promise = "", where = ""]) => {
        const files = [...where.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
        return [id, { promise, files }];
      },
    ),
  );
