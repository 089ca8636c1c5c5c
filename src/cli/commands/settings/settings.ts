import { readFile } from "node:fs/promises";
import { Argument, type Command } from "commander";
import { type Client, operationsOf } from "#cli/client/client.ts";
import { usage } from "#cli/failure.ts";
import { type Cli, examples, handler, withClient } from "#cli/invocation.ts";
import { addGroup, addOperations } from "#cli/operations/add-operations.ts";
import { missingArgument } from "#cli/operations/typed-values.ts";
import { planOption } from "#cli/planned.ts";
import { printable } from "#cli/terminal/output.ts";
import { createProgress, duringStep } from "#cli/terminal/progress.ts";
import type { TestResult } from "#contract/settings.ts";
import { type SiteImage, siteImages } from "#contract/site-images.ts";
import { addSettingsSetCommand, asTyped } from "./settings-set.ts";
import { showFailed, testResultText } from "./settings-views.ts";

/** `settings get|set|image|test|history|show|revert`: what admins set in the web area. */
export const addSettingsCommands = (program: Command, cli: Cli): void => {
  const group = addGroup(program, "settings");
  addOperations(group, cli, "settings", {
    get: () => {
      addSettingsSetCommand(group, cli);
      addSettingsImageCommand(group, cli);
      addSettingsTestCommand(group, cli);
    },
  });
};

/** `settings image`: uploads an image of the site, and has the site use it. */
const addSettingsImageCommand = (group: Command, cli: Cli): void => {
  const images = Object.keys(siteImages);
  group
    .command("image")
    .addArgument(new Argument("<image>", "which of the site's images").choices(images))
    .argument("<file>", "PNG, JPEG, WebP or SVG")
    .exitOverride(missingArgument(`Give one of ${images.join(", ")}, and a file.`))
    .summary("upload an image of the site")
    .description(
      "Uploads a logo, a logo for the dark theme, an icon or a social card, and uses it from then on. Nothing is resized: an icon " +
        "is a square PNG of at least 512 by 512 pixels, a card has 1200 by 630. The page Site in the admin area draws all sizes.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["The logo", "atrium settings image logo logo.svg"],
        ["The icon", "atrium settings image icon icon.png"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const [name = "", file = ""] = invocation.args;
        const image = imageNamed(name);
        const content = await readFile(file, "base64").catch((cause: unknown) => {
          throw usage(`cannot read ${file}`, { cause });
        });
        const site = await withClient(invocation, async (client) => {
          const { settings } = operationsOf(client);
          const upload = settings.uploadImage({ image, files: [{ use: "full", content }] });
          const { data } = await asTyped(upload, () => image);
          return (await settings.setSite({ [image]: data.value })).data;
        });
        invocation.output.result(
          site,
          () => `The site uses ${printable(file)} as its ${siteImages[image].toLowerCase()}`,
        );
      }),
    );
};

const imageNamed = (name: string): SiteImage => {
  const found = Object.keys(siteImages).find((known): known is SiteImage => known === name);
  if (found === undefined) throw usage(`${name} is no image of the site`);
  return found;
};

const subjects = ["redis", "r2", "rate-limit", "mail"] as const;
type Subject = (typeof subjects)[number];
type TestOptions = { to?: string };

/** `settings test`: tries what is saved, for real. */
const addSettingsTestCommand = (group: Command, cli: Cli): void => {
  group
    .command("test")
    .addArgument(new Argument("<service>", "what to test").choices(subjects))
    .exitOverride(missingArgument(`Allowed choices are ${subjects.join(", ")}.`))
    .summary("test a configured service")
    .description(
      "Tests the saved settings for real and shows each step: redis connects, signs in, writes and reads; r2 writes, reads " +
        "and deletes a test object; rate-limit sends a burst of requests through the limiter; mail sends a test email.",
    )
    .option("--to <address>", "who receives the test email")
    .addHelpText(
      "after",
      examples(
        ["Redis", "atrium settings test redis"],
        ["Send an email to yourself", "atrium settings test mail --to ada@example.com"],
        ["In a script: exit code 1 if the test fails", "atrium settings test r2 --json > result.json"],
      ),
    )
    .action(
      handler<TestOptions>(cli, async (invocation, { to }) => {
        const subject = subjects.find((known) => known === invocation.args[0]) ?? "redis";
        if (to !== undefined && subject !== "mail") throw usage("--to can only be used to test emails");
        if (to === undefined && subject === "mail")
          throw usage("give the recipient of the test email: --to <address>");
        const answer = await withClient(invocation, (client) =>
          duringStep(createProgress(invocation.terminal), `testing ${subject}`, () =>
            test(client, subject, to ?? ""),
          ),
        ).catch((error: unknown) => showFailed(invocation, error));
        invocation.output.result(answer, ({ testResult }, style) => testResultText(testResult, style));
      }),
    );
};

const test = async (client: Client, subject: Subject, to: string): Promise<{ testResult: TestResult }> => {
  const { mail, settings } = operationsOf(client);
  if (subject === "redis") return (await settings.testRedis({})).data;
  if (subject === "r2") return (await settings.testStorage({})).data;
  if (subject === "mail") return (await mail.test({ to })).data;
  return (await settings.testRateLimit()).data;
};
