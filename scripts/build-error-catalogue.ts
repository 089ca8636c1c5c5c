import { STATUS_CODES } from "node:http";
import { join } from "node:path";
import { type ErrorKind, errorRemedies, errorStatus, errorTexts, parserRemedies } from "#contract/errors.ts";
import { projectRoot } from "./project-root.ts";

/** Where the catalogue lies. */
export const errorCatalogueFile: string = join(projectRoot, "docs/errors.md");

/** The catalogue of failures, as Markdown: a section for each status, in it one for each code. */
export const errorCatalogue = (): string => {
  const kinds = Object.keys(errorStatus).filter(isErrorKind);
  const statuses = [...new Set(kinds.map((kind) => errorStatus[kind]))].sort((a, b) => a - b);
  const sections = statuses.flatMap((status) => [
    `## ${status} ${STATUS_CODES[status] ?? ""}`.trim(),
    ...kinds
      .filter((kind) => errorStatus[kind] === status)
      .flatMap((kind) => [`### \`${kind}\``, `*${errorTexts[kind]}*`, errorRemedies[kind]]),
  ]);
  return `${[...introduction, ...sections, ...parser].join("\n\n")}\n`;
};

const introduction = [
  "# Error catalogue",
  "Every error response has the same shape. `code` is stable and meant for programs; `message` is meant to be shown and may be more specific than the sentence below; `requestId` is also in the log and in the response header `x-request-id`. `errors`, if present, lists fields by path.",
  [
    "```json",
    '{ "success": false, "code": "VALIDATION_FAILED", "message": "Please check the highlighted fields", "requestId": "597f1931-f82f-4a56-b4be-0d1f1ac4ad5b",',
    '  "errors": [{ "path": "email", "message": "This field is required" }] }',
    "```",
  ].join("\n"),
  "If the response has a `Retry-After` header, try again after that many seconds; otherwise a retry fails again until something changes. With `--json`, the command line writes the same JSON to standard error; its exit codes are listed in `docs/cli.md`.",
];

const parser = [
  "## Requests that can't be parsed",
  "The HTTP parser rejects these requests before the application sees them: it sends a status line without a body and closes the connection. Such requests are not logged or counted. A request without a valid HTTP method gets no response at all.",
  [
    "| status | what to do |",
    "|---|---|",
    ...Object.entries(parserRemedies).map(
      ([status, remedy]) => `| ${status} ${STATUS_CODES[status]} | ${remedy} |`,
    ),
  ].join("\n"),
];

const isErrorKind = (word: string): word is ErrorKind => word in errorStatus;

/** Writes the catalogue of failures: `bun scripts/build-error-catalogue.ts`. A test tells when it is due. */
if (import.meta.main) {
  await Bun.write(errorCatalogueFile, errorCatalogue());
  console.log(`Wrote ${errorCatalogueFile}`);
}
