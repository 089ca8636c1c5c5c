import { LegalPage } from "./legal-page.tsx";
import { privacy } from "./privacy.ts";

/** The page at /privacy. */
export const PrivacyPage = () => <LegalPage {...privacy} />;
