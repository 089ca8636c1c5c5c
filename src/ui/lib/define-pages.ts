import type { ComponentType } from "react";
import type { PageSkeletonShape } from "#ui/components/page-skeleton.tsx";
import { type LazyPage, lazyPage } from "./lazy-page.tsx";

/** What shows a menu item's icon, such as one of lucide-react. */
type Icon = ComponentType<{ className?: string; "aria-hidden"?: "true" }>;

/** A page as it is declared. */
export type DeclaredPage = {
  /** Exact, or with `/*` at its end: then it stands for all addresses below. Pages for admins are below `/admin`. */
  path: string;
  title: string;
  access: PageAccess;
  /** What search engines show of a public page. */
  description?: string;
  /** The file with its code, in the folder of the feature or of the interface's features. */
  source: string;
  load: () => Promise<ComponentType>;
  /** What stands where the page will be; by who may see it unless given. */
  skeleton?: PageSkeletonShape;
  /** Its item in the menu of those who may see it: the top bar, the account menu or the admin sidebar. */
  menu?: { label: string; Icon?: Icon };
};

/** A page of a feature. */
export type OwnPage = PageRoute & Pick<DeclaredPage, "description" | "menu">;

/** Whether a page can be the home page: it is for visitors, and one page. */
export const mayBeHome = ({ access, path }: OwnPage): boolean => access === "public" && !path.endsWith("*");

/** A card that a feature adds to the dashboard of members; its code comes when the dashboard is shown. */
export type DashboardCard = { name: string; load: () => Promise<ComponentType> };

const skeletons = { public: "article", user: "profile", admin: "table" } as const;

/** A page as it is shown; `folder` is where its `source` is, below `src/ui`. */
export const pageIn = (folder: string, { source, load, ...page }: DeclaredPage): OwnPage => ({
  skeleton: skeletons[page.access],
  ...page,
  shell: page.access === "admin" ? "admin" : "site",
  source: `${folder}/${source}`,
  page: lazyPage(load),
});

/** Declares the pages of the feature in `src/plugins/<name>/`. They count once they are listed in `src/plugins/own-pages.ts`. */
export const definePages = (name: string, pages: readonly DeclaredPage[]): readonly OwnPage[] =>
  pages.map((page) => pageIn(`../plugins/${name}`, page));

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
