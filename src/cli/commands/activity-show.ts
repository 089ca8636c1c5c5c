import type { Command } from "commander";
import { activityDetail } from "#cli/activity-text.ts";
import { examples } from "#cli/examples.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { activityId } from "#cli/whole-number.ts";

/** `activity show`: one activity. */
export const addActivityShowCommand = (group: Command, cli: Cli): void => {
  group
    .command("show")
    .argument("<id>", "number of the activity, as the list shows it")
    .summary("show one activity")
    .description(
      "Shows an activity with everything that was recorded of it, what a change replaced included.",
    )
    .addHelpText(
      "after",
      examples(
        ["By its number", "atrium activity show 1201"],
        ["What was changed, for a script", "atrium activity show 1201 --json | jq .changes"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const [typed = ""] = invocation.args;
        // The API knows one way to write a number: without leading zeros.
        const id = String(activityId(typed));
        const activity = await withClient(invocation, (client) =>
          client.call("GET /api/admin/activity/:id", { params: { id } }),
        );
        invocation.output.result(activity, activityDetail);
      }),
    );
};
