import type { RenderedPage } from "#ui/prerender.tsx";
import { projectRoot } from "../project-root.ts";

/** Renders every page in a process of its own: React decides between its two builds when it is first imported. */
export const renderPages = async (): Promise<RenderedPage[]> => {
  const child = Bun.spawn([process.execPath, "scripts/ui/prerender.ts"], {
    cwd: projectRoot,
    env: { ...process.env, NODE_ENV: "production" },
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("the pages could not be rendered ahead of time");
  return parsePages(text);
};

// Our own child wrote exactly this.
const parsePages = (text: string) => JSON.parse(text) as RenderedPage[];
