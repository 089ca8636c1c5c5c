import { cookies } from "./cookies.ts";
import { LegalPage } from "./legal-page.tsx";

/** The page at /cookies. */
export const CookiesPage = () => <LegalPage {...cookies} />;
