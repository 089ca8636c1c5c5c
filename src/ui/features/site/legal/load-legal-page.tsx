import type { ComponentType } from "react";
import { LegalPage } from "./legal-page.tsx";
import { readLegalDocument } from "./read-legal-document.ts";
import type { LegalPath } from "./texts.ts";

/** The page with one legal text, once the text is there; rejects when it cannot be had. */
export const loadLegalPage = async (path: LegalPath): Promise<ComponentType> => {
  const document = await readLegalDocument(path);
  return () => <LegalPage {...document} />;
};
