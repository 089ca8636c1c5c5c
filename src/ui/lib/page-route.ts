import type { PageSkeletonShape } from "#ui/components/page-skeleton.tsx";
import type { LazyPage } from "./lazy-page.tsx";

/** Who may see a page. Others are led elsewhere: visitors to the sign-in page, users from admin pages to /dashboard. */
export type PageAccess = "public" | "user" | "admin";

/** One page: its address, its frame, and the module with its code. */
export type PageRoute = {
  /** Exact, or with `/*` at its end: then it stands for all addresses below. */
  path: string;
  /** What it is called, without the site's name. */
  title: string;
  access: PageAccess;
  shell: "site" | "admin";
  /** Stands where the page will be until its code and its reader are known. */
  skeleton: PageSkeletonShape;
  /** The page's module below src/ui, for the build to find its chunk. */
  source: string;
  page: LazyPage;
};
