import type { Command } from "commander";
import { askForConsent } from "#cli/consent.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";
import { planOption } from "#cli/plan/planned.ts";
import { createProgress, duringStep } from "#cli/progress.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";

/** `plugin discard`, `reinstall`, `replace-publisher` and `delete-retained`: what becomes of what is not in force. */
export const addPluginPackageCommands = (group: Command, cli: Cli): void => {
  addDiscard(group, cli);
  addReinstall(group, cli);
  addReplacePublisher(group, cli);
  addDeleteRetained(group, cli);
};

const addReplacePublisher = (group: Command, cli: Cli): void => {
  group
    .command("replace-publisher")
    .argument("<name>", "name of the plugin")
    .argument("<version>", "the version of the other publisher, as plugin info lists them")
    .summary("put another publisher's version in place")
    .description(
      "Puts a stored version of another publisher in the place of a plugin, after it has named both and asked. The new plugin " +
        "starts with nothing of the old one's settings, secrets, data, files and grants, which are kept for the old " +
        "publisher. All administrators get an email. Works on the server only: API tokens can't do this.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["See from whom to whom, and decide", "atrium plugin replace-publisher visitor-notes 2.0.0"],
        ["In a script", "atrium plugin replace-publisher visitor-notes 2.0.0 --yes"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const [name = "", version = ""] = invocation.args;
        const plugin = await withClient(invocation, async (client) => {
          const details = await client.call("GET /api/plugins/:name", { params: { name } });
          const { title, versions } = details;
          const target = versions.find((kept) => kept.version === version);
          if (target === undefined) throw new CliFailure("NOT_FOUND", pluginTexts.unknownVersion);
          const change = target.publisherChanged;
          const words = change === null ? "" : ` from ${change.fromName} to ${change.toName}`;
          await askForConsent(invocation, target, {
            name,
            question: `Replace the publisher of ${title}${words}?`,
          });
          return duringStep(
            createProgress(invocation.terminal),
            `replacing the publisher of ${printable(name)}`,
            () =>
              client.call("POST /api/plugins/:name/replace-publisher", {
                params: { name },
                body: { version, consent: true, sha256: target.sha256 },
              }),
          );
        });
        invocation.output.result(plugin, ({ title, state }) =>
          printable(`${title} is at version ${version}, of another publisher: ${state}`),
        );
      }),
    );
};

const addDeleteRetained = (group: Command, cli: Cli): void => {
  group
    .command("delete-retained")
    .argument("<name>", "name of the plugin")
    .argument("<publisher>", "bundled, unsigned, or the id of a key, as plugin info lists them")
    .summary("delete the data of a former publisher")
    .description(
      "Permanently deletes the settings, secrets, data, files and grants that are kept of a former publisher's plugin. The " +
        "plugin itself stays as it is. Asks first.",
    )
    .option(...planOption)
    .addHelpText("after", examples(["Ask first", "atrium plugin delete-retained visitor-notes unsigned"]))
    .action(
      handler(cli, async (invocation) => {
        const [name = "", publisher = ""] = invocation.args;
        const deleted = await withClient(invocation, async (client) => {
          await invocation.confirm(
            async () => `Permanently delete what is kept of ${name}, published by ${publisher}?`,
          );
          return client.call("DELETE /api/plugins/:name/retained/:publisher", {
            params: { name, publisher },
          });
        });
        invocation.output.result(deleted, ({ message }) => printable(message));
      }),
    );
};

const addDiscard = (group: Command, cli: Cli): void => {
  group
    .command("discard")
    .argument("<name>", "name of the plugin")
    .argument("<version>", "the version, as plugin info lists them")
    .summary("delete a kept version")
    .description(
      "Deletes a kept version of a plugin that is not in force, such as one that waits for consent. Asks first.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["Ask first", "atrium plugin discard visitor-notes 1.3.0"],
        ["In a script", "atrium plugin discard visitor-notes 1.3.0 --yes"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const [name = "", version = ""] = invocation.args;
        const plugin = await withClient(invocation, async (client) => {
          await invocation.confirm(async () => `Discard version ${version} of ${name} for good?`);
          return client.call("DELETE /api/plugins/:name/versions/:version", { params: { name, version } });
        });
        invocation.output.result(plugin, ({ title }) =>
          printable(`Discarded version ${version} of ${title}`),
        );
      }),
    );
};

const addReinstall = (group: Command, cli: Cli): void => {
  group
    .command("reinstall")
    .argument("<name>", "name of the plugin")
    .summary("install a deleted plugin of Atrium again")
    .description(
      "Installs a plugin that is part of Atrium again after it was deleted, disabled; what was retained of it comes back.",
    )
    .option(...planOption)
    .addHelpText("after", examples(["After it was deleted", "atrium plugin reinstall firewall"]))
    .action(
      handler(cli, async (invocation) => {
        const [name = ""] = invocation.args;
        const plugin = await withClient(invocation, (client) =>
          duringStep(createProgress(invocation.terminal), `installing ${printable(name)}`, () =>
            client.call("POST /api/plugins/:name/restore", { params: { name } }),
          ),
        );
        invocation.output.result(plugin, ({ title, version }) => printable(`Installed ${title} ${version}`));
      }),
    );
};
