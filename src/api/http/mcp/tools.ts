import { operations } from "#api/operations.ts";
import type { OperationTool } from "#contract/operation.ts";
import { planPath } from "#contract/plan.ts";

/**
 * A tool: a call of the API under a name and with words that a model understands. What it takes, what it answers and which
 * scope it needs is the call's own affair.
 */
export type Tool = OperationTool & {
  /** Method and template of the call. */
  call: string;
  /** Whether it does nothing more when it is called again. */
  isRepeatable?: true;
  /** Whether it takes another tool's name and arguments, and tells what that would do. */
  plans?: true;
};

/** All tools, in the order in which they are listed. Whatever takes or tells a password or another secret is none. */
export const tools: readonly Tool[] = [
  ...operations.flatMap(({ operation: { endpoint, tool, isRepeatable } }) =>
    [tool ?? []]
      .flat()
      .map((each) => ({ ...each, call: endpoint, ...(isRepeatable ? { isRepeatable } : {}) })),
  ),
  {
    name: "plan_change",
    title: "Plan a change",
    description:
      "Tells what another tool would do, and does nothing: give its name and its arguments, without `confirm`. Show the answer " +
      "to the person you work for before you change something.",
    call: `POST ${planPath(":operation")}`,
    plans: true,
  },
  {
    name: "inspect_plugin_package",
    title: "Look into a package",
    description:
      "Tells what a plugin package is and asks for, without storing anything. Use it before install_plugin.",
    call: "POST /api/plugins/inspect",
  },
  {
    name: "install_plugin",
    title: "Install a plugin",
    description:
      "Installs a plugin package, or a newer version of an installed one. A new plugin is disabled until enable_plugin. " +
      "Packages that do not fit into a call are uploaded with the API or `atrium plugin install`.",
    call: "POST /api/plugins/upload",
  },
];
