import type { User } from "#contract/users.ts";
import type { PageLoads } from "./ui-manifest.ts";

/** A request for a page or a file. */
export type PageRequest = {
  method: string;
  path: string;
  /** With its `?`, or empty. */
  search: string;
  headers: Headers;
  user: User | null;
  /** Whether `user` is the answer; `false` while the database could not be asked. */
  isKnown: boolean;
  /** Whether a program with an API token asks, which administrators have. */
  hasToken?: boolean;
};

/** Answers everything outside `/api`: pages, files, and the 404 page for the rest. */
export type PageServer = {
  respond(request: PageRequest): Response;
  /** Whether the answer at a path that looks like a file depends on who is asking. */
  isForSome?(path: string): boolean;
  /** What browsers load first for the page at a path; `null` where there is no page. */
  loadsOf?(path: string): PageLoads | null;
  /** A script that the build made for plugins' frontends, by its file name; `null` where there is none. */
  hostFile?(name: string, request: Pick<PageRequest, "method" | "headers">): Response | null;
};
