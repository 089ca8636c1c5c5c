import { LegalPage } from "./legal-page.tsx";
import { terms } from "./terms.ts";

/** The page at /terms. */
export const TermsPage = () => <LegalPage {...terms} />;
