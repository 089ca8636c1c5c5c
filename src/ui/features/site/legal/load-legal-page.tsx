import type { ComponentType } from "react";
import { LegalPage } from "./legal-page.tsx";
import type { LegalPath } from "./texts.ts";

/** The page with one legal text, once the text is there; rejects when it cannot be loaded. */
export const loadLegalPage = async (path: LegalPath): Promise<ComponentType> => {
  const { legalDocuments } = await import("./legal-documents.ts");
  const document = legalDocuments[path];
  return () => <LegalPage {...document} />;
};
