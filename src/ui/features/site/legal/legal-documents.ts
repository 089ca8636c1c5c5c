import { cookies } from "./cookies.ts";
import type { LegalDocument, LegalPath } from "./legal-document.ts";
import { privacy } from "./privacy.ts";
import { terms } from "./terms.ts";

/** Every legal text by its address. */
export const legalDocuments: Record<LegalPath, LegalDocument> = {
  "/terms": terms,
  "/privacy": privacy,
  "/cookies": cookies,
};
