import type { LegalDocument } from "./legal-document.ts";
import type { LegalPath } from "./texts.ts";

/**
 * A legal text. In the browser's bundle `scripts/ui/vite-plugins.ts` puts a fetch in this module's place: the texts are in
 * no script.
 */
export const readLegalDocument = async (path: LegalPath): Promise<LegalDocument> =>
  (await import("./legal-documents.ts")).legalDocuments[path];
