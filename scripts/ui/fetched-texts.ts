import { commonPasswords } from "#api/core/common-passwords.ts";
import { legalDocuments } from "#ui/features/site/legal/legal-documents.ts";
import { commonPasswordsPath } from "#ui/lib/common-passwords.ts";

/**
 * What the browser fetches only where it is wanted, by its name below the folder of the build: each legal text, and the
 * passwords that the server refuses as too common, one a line. Sorted they are a third smaller.
 */
export const fetchedTexts = async (): Promise<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.entries(legalDocuments).map(([path, text]) => [`texts${path}.json`, JSON.stringify(text)]),
  ),
  [commonPasswordsPath.slice(1)]: [...(await commonPasswords())].sort().join("\n"),
});
