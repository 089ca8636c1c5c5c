import { cookies } from "./cookies.ts";
import type { LegalDocument } from "./legal-document.ts";
import { privacy } from "./privacy.ts";
import { terms } from "./terms.ts";
import type { LegalPath } from "./texts.ts";

/** Every legal text by its address. */
export const legalDocuments: Record<LegalPath, LegalDocument> = {
  "/terms": terms,
  "/privacy": privacy,
  "/cookies": cookies,
};
