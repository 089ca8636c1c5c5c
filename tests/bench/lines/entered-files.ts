import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { until } from "#api/testing/until.ts";
import { createPerson } from "../../driver/person.ts";
import { asAdmin } from "../../driver/plugin-caller.ts";
import { account, createInstallation, startAtrium } from "../subjects/atrium.ts";
import { inWorkshop } from "../subjects/workshop.ts";
import type { BenchLine } from "./bench-line.ts";

/** Makes one request that a reader would follow; resolves to the status of its answer. `round` differs from call to call. */
type Ask = (round: number) => Promise<number>;
type Task = { name: string; mostFiles: number; mostChanges: number; ask: Ask };

const projectRoot = join(import.meta.dir, "..", "..", "..");
// The first request of a kind also enters what is made once.
const rounds = 3;

/** How many source files a reader opens who follows a request from the socket to its answer. */
export const enteredFilesLine: BenchLine = {
  name: "entered-files",
  programs: [],
  run: () =>
    inWorkshop(async ({ folder, keep }) => {
      const enteredTo = join(folder, "entered.json");
      const installation = await createInstallation(folder, null);
      const server = keep(
        await startAtrium({
          name: "entered files",
          folder,
          installation: { ...installation, env: { ...installation.env, ENTERED_FILES_TO: enteredTo } },
          program: [
            process.execPath,
            "--preload",
            join(projectRoot, "tests/bench/subjects/count-entries.ts"),
            join(projectRoot, "src/cli/main.ts"),
          ],
        }),
      );
      /** The files of the functions entered since the last question, in their order. */
      const entered = async (): Promise<string[]> => {
        rmSync(enteredTo, { force: true });
        process.kill(server.serverPid, "SIGUSR2");
        await until(() => existsSync(enteredTo));
        return JSON.parse(readFileSync(enteredTo, "utf8"));
      };
      const rows: string[][] = [];
      for (const { name, mostFiles, mostChanges, ask } of tasksAt(server.url, server.cookie)) {
        let files: string[] = [];
        for (let round = 0; round < rounds; round += 1) {
          await entered();
          const status = await ask(round);
          if (status >= 300) throw new Error(`${name}: ${status}`);
          files = await entered();
        }
        const changes = files.filter((file, index) => index > 0 && file !== files[index - 1]).length;
        rows.push([name, `${new Set(files).size}`, `≤ ${mostFiles}`, `${changes}`, `≤ ${mostChanges}`]);
      }
      return {
        title: "Files entered by a request",
        method:
          "Source files whose functions are entered between the request and its answer, and how often the file changes on " +
          `the way; the last of ${rounds} requests, on the embedded database.`,
        columns: ["", "files", "goal", "changes of file", "goal"],
        rows,
      };
    }),
};

const tasksAt = (url: string, cookie: string | null): Task[] => {
  const admin = createPerson(url);
  admin.cookie = cookie;
  const visitor = createPerson(url);
  return [
    {
      name: "registration",
      mostFiles: 22,
      mostChanges: 45,
      ask: async (round) => {
        const person = { name: "Grace", email: `grace${round}@example.test`, password: account.password };
        return (await visitor.call("POST", "/api/auth/register", person)).status;
      },
    },
    {
      name: "setting",
      mostFiles: 22,
      mostChanges: 60,
      ask: async (round) =>
        (await admin.call("PUT", "/api/auth/settings/core", { rateLimiting: { maxRequests: 200 + round } }))
          .status,
    },
    {
      name: "upload of a plugin",
      mostFiles: 35,
      mostChanges: 150,
      ask: async (round) =>
        (await asAdmin(url, cookie ?? "").upload(await packPlugin({ version: `1.0.${round}` }))).status,
    },
  ];
};
