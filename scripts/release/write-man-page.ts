import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes the manual that an executable prints of itself beside it, as `man/atrium.1`. */
export const writeManPage = async (executable: string): Promise<void> => {
  const printing = Bun.spawn([executable, "man"], { stdout: "pipe", stderr: "inherit" });
  const page = await new Response(printing.stdout).text();
  if ((await printing.exited) !== 0 || !page.startsWith(".TH ATRIUM")) throw new Error("there is no manual");
  const folder = join(dirname(executable), "man");
  await mkdir(folder, { recursive: true });
  await Bun.write(join(folder, "atrium.1"), page);
};
